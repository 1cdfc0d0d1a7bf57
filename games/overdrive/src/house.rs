//! The house bots, from one that does anything it may to one that searches as long as it may.

mod champion;
mod duel;
mod foresight;
mod memory;
mod meter;
mod opinion;
mod reflex;
mod search;
mod simple;
mod worth;

use quintain_core::{
    Bot, Coin, House, HouseBot, Level, Mixture, SplitMix64, half_greedy, half_searching,
};

pub(crate) use champion::Champion;
pub(crate) use search::Budget;
pub(crate) use worth::Weights;

use simple::{greedy, random};

use crate::{Overdrive, View};

impl House for Overdrive {
    const BOTS: &'static [HouseBot] = &[
        HouseBot::at_once("random", "gives any command that is not invalid"),
        half_greedy!(2, "rounds"),
        half_greedy!(4, "rounds"),
        half_greedy!(6, "rounds"),
        half_greedy!(9, "rounds"),
        half_greedy!(12, "rounds"),
        half_greedy!(16, "rounds"),
        half_greedy!(20, "rounds"),
        half_greedy!(25, "rounds"),
        half_greedy!(30, "rounds"),
        half_greedy!(35, "rounds"),
        half_greedy!(40, "rounds"),
        half_greedy!(45, "rounds"),
        half_greedy!(50, "rounds"),
        half_greedy!(55, "rounds"),
        half_greedy!(61, "rounds"),
        half_greedy!(68, "rounds"),
        half_greedy!(75, "rounds"),
        half_greedy!(82, "rounds"),
        half_greedy!(89, "rounds"),
        half_greedy!(95, "rounds"),
        HouseBot::at_once("greedy", "tries every pair of commands on what it sees"),
        half_searching!(25, "rounds"),
        half_searching!(50, "rounds"),
        half_searching!(75, "rounds"),
        HouseBot::searching(
            "search-1k",
            "looks two rounds ahead on a few tracks that may follow, 1,000 positions an answer",
            1_000,
        ),
        HouseBot::searching(
            "search-10k",
            "looks three rounds ahead and plays the last 100 blocks out, 10,000 positions an answer",
            10_000,
        ),
        HouseBot::searching(
            "search-100k",
            "looks four rounds ahead and plays the last 100 blocks out, 100,000 positions an answer",
            100_000,
        ),
        HouseBot::by_the_clock(
            "champion",
            "looks four rounds ahead and plays the last 100 blocks out as often as the time allows",
        ),
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Overdrive>>> {
        let mut chance = SplitMix64::new(seed as u64);
        let random = move |view: &View| random(view, &mut chance);
        Some(match Overdrive::level(name)? {
            Level::Random => Box::new(random),
            Level::Greedy => Box::new(greedy),
            Level::Mixture { percent } => {
                Box::new(Mixture { coin: Coin::new(percent, seed), strong: greedy, weak: random })
            }
            Level::HalfSearch { percent } => {
                let strong = Champion::new(Budget::of(Some(1_000)), Weights::USUAL);
                Box::new(Mixture { coin: Coin::new(percent, seed), strong, weak: greedy })
            }
            Level::Search(nodes) => Box::new(Champion::new(Budget::of(nodes), Weights::USUAL)),
        })
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Edition, Game, NoChance, PerSeat};
    use quintain_testkit::{check_house_names, greedy_wins, house_bots, house_match};

    use super::*;
    use crate::{Action, Config, Event, Powerup, Switches};

    /// Plays one race between two house bots.
    fn play(names: [&str; 2], edition: Edition, seed: i64) -> (Overdrive, Vec<Event>) {
        let config = Config { switches: Switches::of(edition), ..Config::default() };
        let setup = Overdrive::generate(&config, seed);
        let game = Overdrive::new(&config, setup).expect("playable");
        house_match(game, house_bots(names, seed), &mut NoChance)
    }

    #[test]
    fn greedy_beats_random_from_both_seats() {
        for (edition, seeds) in [(Edition::Document, 50), (Edition::Original, 10)] {
            let winner = |names: [&str; 2], seed| play(names, edition, seed).0.outcome()?.winner();
            let PerSeat([first, second]) = greedy_wins(0..seeds, winner);
            assert!(
                first + second >= 2 * seeds as usize * 95 / 100,
                "{edition:?}: greedy won {first} and {second} of {seeds} races each"
            );
        }
    }

    #[test]
    fn no_house_bot_sends_an_invalid_command() {
        for seed in 0..10 {
            for names in [["random", "greedy"], ["greedy", "greedy"], ["random", "random"]] {
                let (_, events) = play(names, Edition::Document, seed);
                let invalid = events.iter().find(|event| matches!(event, Event::Invalid { .. }));
                assert_eq!(invalid, None, "{names:?}, seed {seed}");
            }
        }
    }

    #[test]
    fn greedy_uses_every_powerup_and_repairs() {
        let mut used = Vec::new();
        for seed in 0..10 {
            let (_, events) = play(["greedy", "greedy"], Edition::Document, seed);
            used.extend(events.iter().filter_map(|event| match event {
                Event::Commanded { action: Action::Fix, .. } => Some("FIX"),
                Event::Commanded { action, .. } => action.powerup().map(Powerup::name),
                _ => None,
            }));
        }
        for name in ["OIL", "BOOST", "LIZARD", "TWEET", "EMP", "FIX"] {
            assert!(used.contains(&name), "{name}");
        }
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<Overdrive>();
    }
}
