//! Where the document and the original server differ: nowhere.
//!
//! Every rule that the document states is what the original does. Where the document is silent or
//! slips, one ruling holds for both editions; the README lists all eighteen places. So there are no
//! switches, and a config names its edition only because that of every game does.

pub use quintain_core::Edition;

#[cfg(test)]
mod tests {
    use quintain_core::{Game, NoChance, Replies, Sample, Seat, SplitMix64};

    use super::*;
    use crate::{Config, Hockey, Setup};

    #[test]
    fn both_editions_play_alike() {
        for seed in 0..50 {
            let mut games = Edition::ALL.map(|edition| {
                let config = Config { edition, ..Config::default() };
                Hockey::new(&config, Setup::default()).expect("the usual setup is playable")
            });
            let mut chance = SplitMix64::new(seed);
            while let Some(seat) = games[0].to_act().iter().next() {
                let direction = games[0].sample(seat, &mut chance);
                let replies = Replies::only(seat, direction);
                for game in &mut games {
                    game.advance(&replies, &mut NoChance, &mut ());
                }
                assert_eq!(games[0].fingerprint(), games[1].fingerprint());
            }
            assert!(Seat::BOTH.map(Some).contains(&games[1].outcome().expect("over").winner()));
        }
    }
}
