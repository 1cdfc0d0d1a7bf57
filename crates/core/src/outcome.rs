//! How a match ended.

use crate::{PerSeat, Seat};

/// What a match was for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Win,
    Draw,
    Loss,
    /// A loss for breaking the rules, told apart so that reports can say so.
    Disqualified,
}

impl Verdict {
    fn rank_key(self) -> u8 {
        match self {
            Verdict::Win => 0,
            Verdict::Draw => 1,
            Verdict::Loss | Verdict::Disqualified => 2,
        }
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
    fn ranks_follow_the_verdicts() {
        assert_eq!(outcome(Verdict::Win, Verdict::Loss).ranks().0, [0, 1]);
        assert_eq!(outcome(Verdict::Disqualified, Verdict::Win).ranks().0, [1, 0]);
        assert_eq!(outcome(Verdict::Draw, Verdict::Draw).ranks().0, [0, 0]);
        assert_eq!(outcome(Verdict::Disqualified, Verdict::Loss).ranks().0, [0, 0]);
    }
}
