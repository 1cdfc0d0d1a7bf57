//! How a match ended.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{CodeError, PerSeat, Seat, decode};

/// What a match was for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Win,
    Draw,
    Loss,
    /// A loss for breaking the rules, told apart so that reports can say so.
    Disqualified,
}

impl Verdict {
    pub const ALL: [Verdict; 4] =
        [Verdict::Win, Verdict::Draw, Verdict::Loss, Verdict::Disqualified];

    /// The verdict's name in files, stores and machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::Draw => "draw",
            Verdict::Loss => "loss",
            Verdict::Disqualified => "disqualified",
        }
    }

    fn rank_key(self) -> u8 {
        match self {
            Verdict::Win => 0,
            Verdict::Draw => 1,
            Verdict::Loss | Verdict::Disqualified => 2,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Verdict {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<Verdict, CodeError> {
        decode("a verdict", code, Verdict::ALL, Verdict::code)
    }
}

/// The result of a match, for both seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub verdicts: PerSeat<Verdict>,
    pub scores: PerSeat<i64>,
    /// A constant of the game, never parsed from a sentence.
    pub reason: &'static str,
}

impl Outcome {
    /// One seat has won, one point to nothing.
    pub fn won(winner: Seat, reason: &'static str) -> Outcome {
        let is_winner = |seat| seat == winner;
        let verdict = |seat| if is_winner(seat) { Verdict::Win } else { Verdict::Loss };
        let scores = PerSeat::from_fn(|seat| i64::from(is_winner(seat)));
        Outcome { verdicts: PerSeat::from_fn(verdict), scores, reason }
    }

    /// One seat has lost for breaking the rules.
    pub fn disqualified(loser: Seat, reason: &'static str) -> Outcome {
        let mut outcome = Outcome::won(loser.other(), reason);
        outcome.verdicts[loser] = Verdict::Disqualified;
        outcome
    }

    /// Neither seat is better.
    pub fn drawn(reason: &'static str) -> Outcome {
        Outcome { verdicts: PerSeat([Verdict::Draw; 2]), scores: PerSeat([0; 2]), reason }
    }

    pub fn winner(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.verdicts[seat] == Verdict::Win)
    }

    /// Whether a seat lost for breaking the rules.
    pub fn is_disqualified(&self, seat: Seat) -> bool {
        self.verdicts[seat] == Verdict::Disqualified
    }

    /// 0 for the better seat, 1 for the other; 0 for both when neither is better.
    pub fn ranks(&self) -> PerSeat<u8> {
        PerSeat::from_fn(|seat| {
            let own = self.verdicts[seat].rank_key();
            u8::from(self.verdicts[seat.other()].rank_key() < own)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(first: Verdict, second: Verdict) -> Outcome {
        Outcome { verdicts: PerSeat([first, second]), scores: PerSeat([0, 0]), reason: "test" }
    }

    #[test]
    fn every_verdict_has_one_name_in_all_files() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.code().parse(), Ok(verdict));
            let written = serde_json::to_value(verdict).expect("a name");
            assert_eq!(written, verdict.code());
            assert_eq!(serde_json::from_value::<Verdict>(written).ok(), Some(verdict));
        }
        let unknown = Verdict::from_str("won").expect_err("no verdict");
        assert!(unknown.to_string().contains("win, draw, loss, disqualified"), "{unknown}");
    }

    #[test]
    fn ranks_follow_the_verdicts() {
        assert_eq!(outcome(Verdict::Win, Verdict::Loss).ranks().0, [0, 1]);
        assert_eq!(outcome(Verdict::Disqualified, Verdict::Win).ranks().0, [1, 0]);
        assert_eq!(outcome(Verdict::Draw, Verdict::Draw).ranks().0, [0, 0]);
        assert_eq!(outcome(Verdict::Disqualified, Verdict::Loss).ranks().0, [0, 0]);
    }
}
