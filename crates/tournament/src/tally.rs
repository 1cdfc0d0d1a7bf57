//! Counting games: won, drawn, lost, and what went wrong.

use std::ops::{AddAssign, Index};

use quintain_core::{ErrorKind, ErrorKinds, Seat};
use serde::{Serialize, Serializer};

use crate::match_result::Finish;

/// A bot's games, counted. Void games are not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Those of the losses that the opponent lost as well.
    pub both_lost: u64,
    /// Games in which the bot did something wrong, by what it did: a game with two kinds of error
    /// counts for each of them.
    pub errors: ErrorCounts,
}

impl Tally {
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A win is a point, a draw half of one.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The share of the possible points; `None` without games.
    pub fn share(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Counts a game for the bot that had this seat. A void game counts for nothing, its errors
    /// neither: they may be the host's.
    pub fn add(&mut self, seat: Seat, finish: Finish, errors: ErrorKinds) {
        match finish {
            Finish::Won(winner) if winner == seat => self.wins += 1,
            Finish::Won(_) => self.losses += 1,
            Finish::BothLost => {
                self.losses += 1;
                self.both_lost += 1;
            }
            Finish::Drawn => self.draws += 1,
            Finish::Void => return,
        }
        for kind in errors.iter() {
            self.errors.add(kind, 1);
        }
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.both_lost += other.both_lost;
        for (kind, games) in other.errors.iter() {
            self.errors.add(kind, games);
        }
    }
}

/// Games with errors, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorCounts([u64; ErrorKind::ALL.len()]);

impl ErrorCounts {
    pub fn add(&mut self, kind: ErrorKind, games: u64) {
        self.0[kind as usize] += games;
    }

    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Every kind with its count, zeros included, in the order of [`ErrorKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (ErrorKind, u64)> + '_ {
        ErrorKind::ALL.into_iter().zip(self.0)
    }
}

/// Every kind by its code, zeros included.
impl Serialize for ErrorCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(kind, games)| (kind.code(), games)))
    }
}

impl Index<ErrorKind> for ErrorCounts {
    type Output = u64;

    fn index(&self, kind: ErrorKind) -> &u64 {
        &self.0[kind as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_each_game_once_and_a_void_one_never() {
        let kinds = |kinds: &[ErrorKind]| kinds.iter().copied().collect::<ErrorKinds>();
        let mut tally = Tally::default();
        assert_eq!(tally.share(), None);
        tally.add(Seat::First, Finish::Won(Seat::First), kinds(&[ErrorKind::Timeout]));
        tally.add(Seat::First, Finish::Won(Seat::Second), kinds(&[ErrorKind::Crash]));
        tally.add(Seat::Second, Finish::Won(Seat::Second), ErrorKinds::NONE);
        tally.add(Seat::Second, Finish::Drawn, ErrorKinds::NONE);
        tally.add(Seat::Second, Finish::BothLost, kinds(&[ErrorKind::Crash, ErrorKind::Illegal]));
        tally.add(Seat::Second, Finish::Void, kinds(&[ErrorKind::Crash]));
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (2, 1, 2, 5));
        assert_eq!(tally.both_lost, 1);
        assert_eq!((tally.points(), tally.share()), (2.5, Some(0.5)));
        let counts: Vec<u64> = tally.errors.iter().map(|(_, games)| games).collect();
        assert_eq!(counts[..3], [2, 1, 1]);
        assert!(counts[3..].iter().all(|&games| games == 0), "{counts:?}");
        assert_eq!((tally.errors.total(), tally.errors[ErrorKind::Crash]), (4, 2));
        let mut twice = tally;
        twice += &tally;
        assert_eq!((twice.games(), twice.both_lost, twice.errors.total()), (10, 2, 8));
    }
}
