//! The sentence that says how a match ended.

use std::fmt;

use quintain_core::scene::standing_words;
use quintain_core::{Fault, Outcome, PerSeat, Seat, Verdict};

/// All that the sentence speaks of.
pub struct Closing<'a> {
    /// Safe to show.
    pub names: &'a PerSeat<String>,
    pub outcome: &'a Outcome,
    /// As [`Spectate::standing`](quintain_core::Spectate::standing).
    pub standing: Option<PerSeat<i64>>,
    pub turns: u32,
    pub turn_name: &'a str,
    /// What the referee found in the last step.
    pub faults: &'a [(Seat, Fault)],
    /// Whether faults cost a turn and not the match ([`quintain_core::Protocol::PLAYS_ON`]): then they
    /// are not why it ended, and only those that last are worth a word.
    pub plays_on: bool,
}

impl fmt::Display for Closing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        let winner = self.outcome.winner();
        match winner {
            Some(winner) => write!(f, "{} beat {}", names[winner], names[winner.other()])?,
            None => {
                let is_draw = self.outcome.verdicts.0.contains(&Verdict::Draw);
                let how = if is_draw { "drew" } else { "both lost" };
                write!(f, "{} and {} {how}", names[Seat::First], names[Seat::Second])?;
            }
        }
        f.write_str(&standing_words(self.standing, winner.unwrap_or(Seat::First)))?;
        let (reasons, lasting) = match self.plays_on {
            true => (&[][..], self.faults),
            false => (self.faults, &[][..]),
        };
        match reasons {
            [] => write!(f, ": {}", self.outcome.reason)?,
            [first, others @ ..] => {
                write!(f, ": {} {}", names[first.0], first.1)?;
                for (seat, fault) in others {
                    write!(f, ", {} {fault}", names[*seat])?;
                }
            }
        }
        let plural = if self.turns == 1 { "" } else { "s" };
        write!(f, " after {} {}{plural}", self.turns, self.turn_name)?;
        for (seat, fault) in lasting.iter().filter(|(_, fault)| fault.is_lasting()) {
            write!(f, "; {} {fault}", names[*seat])?;
        }
        Ok(())
    }
}
