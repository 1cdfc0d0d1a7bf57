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

impl Closing<'_> {
    /// Of who never became ready it is clear when that was.
    fn when(&self) -> String {
        let is_absent = |(_, fault): &(Seat, Fault)| matches!(fault, Fault::NotStarted(_));
        match self.turns {
            0 if self.faults.iter().any(is_absent) => String::new(),
            turns => after_turns(turns, self.turn_name),
        }
    }
}

/// ` after 12 throws`, or ` before the first throw`.
pub fn after_turns(turns: u32, turn_name: &str) -> String {
    match turns {
        0 => format!(" before the first {turn_name}"),
        1 => format!(" after 1 {turn_name}"),
        turns => format!(" after {turns} {turn_name}s"),
    }
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
        f.write_str(&standing_words(self.standing, winner))?;
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
        f.write_str(&self.when())?;
        for (seat, fault) in lasting.iter().filter(|(_, fault)| fault.is_lasting()) {
            write!(f, "; {} {fault}", names[*seat])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Absence, Exit};

    use super::*;

    fn closing(turns: u32, standing: Option<[i64; 2]>, faults: &[(Seat, Fault)]) -> String {
        let names = PerSeat(["Anna", "Bert"].map(str::to_owned));
        let outcome = Outcome::won(Seat::First, "a goal was made");
        let (turn_name, plays_on) = ("throw", false);
        let standing = standing.map(PerSeat);
        Closing { names: &names, outcome: &outcome, standing, turns, turn_name, faults, plays_on }
            .to_string()
    }

    #[test]
    fn a_match_ends_after_so_many_turns_or_before_the_first() {
        assert_eq!(closing(7, None, &[]), "Anna beat Bert: a goal was made after 7 throws");
        assert_eq!(closing(1, None, &[]), "Anna beat Bert: a goal was made after 1 throw");
        let gone = [(Seat::Second, Fault::Gone(Exit::Code(1)))];
        assert_eq!(
            closing(0, None, &gone),
            "Anna beat Bert: Bert was gone: its process ended with exit code 1 before the first throw"
        );
        let absent = [(Seat::Second, Fault::NotStarted(Absence::Silent))];
        assert_eq!(closing(0, None, &absent), "Anna beat Bert: Bert gave no name in time");
    }

    #[test]
    fn who_wins_with_less_was_behind() {
        assert!(closing(7, Some([9, 5]), &[]).starts_with("Anna beat Bert 9 to 5: "));
        let behind = closing(7, Some([0, 5]), &[(Seat::Second, Fault::Late)]);
        let expected =
            "Anna beat Bert although 0 to 5 behind: Bert did not answer in time after 7 throws";
        assert_eq!(behind, expected);
        let level = closing(7, Some([0, 0]), &[(Seat::Second, Fault::Late)]);
        assert_eq!(level, "Anna beat Bert at 0 to 0: Bert did not answer in time after 7 throws");
    }
}
