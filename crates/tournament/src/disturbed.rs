//! When a machine was too busy for results to be believed.

use serde::Serialize;

use crate::words::grouped;

/// More than this share of disturbed games can turn a result around: who is disturbed is not left to
/// chance, since a bot that uses much of the machine is disturbed more often, and may want to be.
pub const DISTURBED_SHARE_MAX: f64 = 0.03;

/// Fewer disturbed games than this are let pass in a short run.
pub const DISTURBED_GAMES_MIN: u64 = 3;

/// Games of a run, and how many of them the machine disturbed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DisturbedGames {
    /// All that were played, void ones too.
    pub games: u64,
    pub void: u64,
    /// Games that count, but only since they were played again.
    pub again: u64,
}

impl DisturbedGames {
    fn disturbed(&self) -> u64 {
        self.void + self.again
    }

    /// Whether no verdict should rest on these games.
    pub fn are_too_many(&self) -> bool {
        let share_max = DISTURBED_SHARE_MAX * self.games as f64;
        self.disturbed() >= DISTURBED_GAMES_MIN && self.disturbed() as f64 > share_max
    }

    /// "12 of 100 games (12.0%) were void or played again, more than 3%".
    pub fn in_words(&self) -> String {
        let [disturbed, games] = [self.disturbed(), self.games].map(grouped);
        let share = 100.0 * self.disturbed() as f64 / self.games.max(1) as f64;
        let most = 100.0 * DISTURBED_SHARE_MAX;
        format!(
            "{disturbed} of {games} games ({share:.1}%) were void or played again, more than {most}%"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_per_cent_are_too_many_and_two_games_are_not() {
        let check = |games, void, again, expected: bool| {
            let disturbed = DisturbedGames { games, void, again };
            assert_eq!(disturbed.are_too_many(), expected, "{disturbed:?}");
        };
        check(0, 0, 0, false);
        check(6, 6, 0, true);
        check(6, 1, 1, false);
        check(100, 0, 3, false);
        check(100, 2, 2, true);
        check(10_000, 100, 200, false);
        check(10_000, 100, 201, true);
    }

    #[test]
    fn it_is_told_in_numbers() {
        let disturbed = DisturbedGames { games: 1_200, void: 4, again: 50 };
        let expected = "54 of 1,200 games (4.5%) were void or played again, more than 3%";
        assert_eq!(disturbed.in_words(), expected);
    }
}
