//! What an organiser decides about a tournament.

use quintain_core::{SplitMix64, drawn_seed};
use serde::Serialize;

/// A tournament, before any game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    pub bots: u32,
    pub form: Form,
    /// Games of a pairing; for a knock-out at most, without those of the tie-break. Two games are a
    /// pair with the same seed and swapped seats.
    pub games: u32,
    pub seeds: Seeds,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first bots of the list meet all others, who do not meet each other.
    Gauntlet { challengers: u32 },
    /// In each round bots of about equal points meet, nobody twice as long as that is possible.
    Swiss { rounds: u32 },
    /// Who loses is out. The list is the seeding, best first; where bots are missing to fill the
    /// bracket, the best have a bye.
    Knockout { tie_break: TieBreak, third_place: bool },
}

impl Form {
    /// As files and reports name it.
    pub const fn name(self) -> &'static str {
        match self {
            Form::RoundRobin => "round-robin",
            Form::Gauntlet { .. } => "gauntlet",
            Form::Swiss { .. } => "swiss",
            Form::Knockout { .. } => "knockout",
        }
    }

    /// Whether a round can only be drawn when the one before it is over.
    pub(super) fn depends_on_results(self) -> bool {
        matches!(self, Form::Swiss { .. } | Form::Knockout { .. })
    }
}

/// What decides a pairing of a knock-out that is level after its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The bot that stands higher in the list goes on.
    BetterSeed,
    /// One pair of games after the other until one is won; if all are level, the better seed.
    ExtraPairs { at_most: u32 },
}

/// Where the seeds of games come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seeds {
    /// Another seed of so many bits for each pair of games, all derived from one number.
    Derived { from: u64, bits: u32 },
    /// Each pairing plays these, in this order, and again from the first if it needs more.
    Listed(Vec<i64>),
}

/// Settings that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("expected at least two bots, got {got}")]
    Bots { got: u32 },
    #[error("expected at least one game for each pairing, got none")]
    Games,
    #[error("expected an even number of games for each pairing of a knock-out, got {got}")]
    OddGames { got: u32 },
    #[error("expected 1 to {most} challengers among {bots} bots, got {got}")]
    Challengers { got: u32, bots: u32, most: u32 },
    #[error("expected 1 to {most} Swiss rounds for {bots} bots, got {got}")]
    Rounds { got: u32, bots: u32, most: u32 },
    #[error("expected at least one seed, got an empty list")]
    Seeds,
}

impl Settings {
    pub fn check(&self) -> Result<(), SettingsError> {
        let bots = self.bots;
        if bots < 2 {
            return Err(SettingsError::Bots { got: bots });
        }
        if self.games == 0 {
            return Err(SettingsError::Games);
        }
        match self.form {
            Form::Gauntlet { challengers: got } if got == 0 || got >= bots => {
                return Err(SettingsError::Challengers { got, bots, most: bots - 1 });
            }
            Form::Swiss { rounds: got } => {
                // With more somebody would have to meet somebody twice.
                let most = bots - 1 + bots % 2;
                if got == 0 || got > most {
                    return Err(SettingsError::Rounds { got, bots, most });
                }
            }
            Form::Knockout { .. } if !self.games.is_multiple_of(2) => {
                return Err(SettingsError::OddGames { got: self.games });
            }
            _ => {}
        }
        if matches!(&self.seeds, Seeds::Listed(list) if list.is_empty()) {
            return Err(SettingsError::Seeds);
        }
        Ok(())
    }

    /// The seed of a pair of games.
    pub fn seed(&self, round: u32, pairing: u32, seed_index: u32) -> i64 {
        match &self.seeds {
            Seeds::Derived { from, bits } => {
                let mix = |state: u64, part: u32| {
                    SplitMix64::new(SplitMix64::new(state).next_u64() ^ u64::from(part)).next_u64()
                };
                let mixed = [round, pairing, seed_index].into_iter().fold(*from, mix);
                drawn_seed(*bits, mixed)
            }
            Seeds::Listed(list) => {
                let pairs_a_round = match self.form {
                    Form::RoundRobin | Form::Gauntlet { .. } => 1,
                    Form::Swiss { .. } | Form::Knockout { .. } => u64::from(self.games.div_ceil(2)),
                };
                let number = u64::from(round) * pairs_a_round + u64::from(seed_index);
                list[(number % list.len() as u64) as usize]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn settings(bots: u32, form: Form, games: u32, seeds: Seeds) -> Settings {
        Settings { bots, form, games, seeds }
    }

    fn derived(from: u64) -> Seeds {
        Seeds::Derived { from, bits: 31 }
    }

    #[test]
    fn settings_that_cannot_be_meant_are_refused_in_words() {
        const KNOCKOUT: Form =
            Form::Knockout { tie_break: TieBreak::BetterSeed, third_place: false };
        let check = |bots, form, games, expected: &str| {
            let error = settings(bots, form, games, derived(1)).check().expect_err(expected);
            assert_eq!(error.to_string(), expected);
        };
        check(1, Form::RoundRobin, 2, "expected at least two bots, got 1");
        check(2, Form::RoundRobin, 0, "expected at least one game for each pairing, got none");
        let gauntlet = |challengers| Form::Gauntlet { challengers };
        check(4, gauntlet(0), 2, "expected 1 to 3 challengers among 4 bots, got 0");
        check(4, gauntlet(4), 2, "expected 1 to 3 challengers among 4 bots, got 4");
        let swiss = |rounds| Form::Swiss { rounds };
        check(4, swiss(4), 2, "expected 1 to 3 Swiss rounds for 4 bots, got 4");
        check(5, swiss(6), 2, "expected 1 to 5 Swiss rounds for 5 bots, got 6");
        let odd = "expected an even number of games for each pairing of a knock-out, got 3";
        check(4, KNOCKOUT, 3, odd);
        let empty = settings(2, Form::RoundRobin, 2, Seeds::Listed(Vec::new())).check();
        assert_eq!(empty, Err(SettingsError::Seeds));
        assert_eq!(settings(5, swiss(5), 1, Seeds::Listed(vec![1])).check(), Ok(()));
    }

    #[test]
    fn derived_seeds_differ_and_are_the_same_each_time() {
        let one = settings(4, Form::RoundRobin, 100, derived(7));
        let mut seen = BTreeSet::new();
        for round in 0..20 {
            for pairing in 0..6 {
                for seed_index in 0..5 {
                    let seed = one.seed(round, pairing, seed_index);
                    assert!((0..=i64::from(i32::MAX)).contains(&seed), "{seed}");
                    assert_eq!(seed, one.seed(round, pairing, seed_index));
                    seen.insert(seed);
                }
            }
        }
        assert_eq!(seen.len(), 600);
        let other = settings(4, Form::RoundRobin, 100, derived(8));
        assert_ne!(one.seed(0, 0, 0), other.seed(0, 0, 0));
    }

    #[test]
    fn derived_seeds_are_spread_over_all_that_have_so_many_bits() {
        for bits in [8, 30, 31] {
            let all = settings(2, Form::RoundRobin, 2, Seeds::Derived { from: 1, bits });
            let eighth = |round| all.seed(round, 0, 0) >> (bits - 3);
            let mut counts = [0; 8];
            for round in 0..800 {
                counts[usize::try_from(eighth(round)).expect("not negative")] += 1;
            }
            assert!(counts.iter().all(|count| (60..140).contains(count)), "{bits}: {counts:?}");
        }
    }

    #[test]
    fn listed_seeds_come_in_their_order_for_every_pairing() {
        let list = Seeds::Listed(vec![10, -20, 30]);
        let round_robin = settings(4, Form::RoundRobin, 8, list.clone());
        let played: Vec<i64> = (0..4).map(|round| round_robin.seed(round, 2, 0)).collect();
        assert_eq!(played, [10, -20, 30, 10]);
        let swiss = settings(4, Form::Swiss { rounds: 2 }, 4, list);
        let played =
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(round, index)| swiss.seed(round, 1, index));
        assert_eq!(played, [10, -20, 30, 10]);
    }
}
