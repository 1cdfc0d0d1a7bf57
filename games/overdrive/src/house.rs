//! The house bots, from one that does anything it may to one that searches as long as it may.

mod champion;
mod foresight;
mod memory;
mod reflex;
mod search;
mod simple;
mod worth;

use quintain_core::{Bot, Effort, House, HouseBot, SplitMix64};

use champion::Champion;
use search::Budget;
use simple::{greedy, half_hearted, random};

use crate::{Overdrive, View};

const fn at_once(name: &'static str, about: &'static str) -> HouseBot {
    HouseBot { name, about, effort: Effort::AtOnce }
}

const fn searching(name: &'static str, about: &'static str, nodes: u64) -> HouseBot {
    HouseBot { name, about, effort: Effort::Nodes(nodes) }
}

impl House for Overdrive {
    const BOTS: &'static [HouseBot] = &[
        at_once("random", "gives any command that is not invalid"),
        at_once("greedy-25", "is greedy in one round of four and random in the others"),
        at_once("greedy-50", "is greedy in every other round and random in between"),
        at_once("greedy-75", "is greedy in three rounds of four and random in the others"),
        at_once("greedy", "tries every pair of commands on what it sees"),
        searching(
            "search-300",
            "remembers the road and tries commands of two rounds, 300 positions an answer",
            300,
        ),
        searching(
            "search-1k",
            "remembers the road and looks three rounds ahead, 1,000 positions an answer",
            1_000,
        ),
        searching(
            "search-10k",
            "looks three rounds ahead on several tracks that may follow, 10,000 positions an answer",
            10_000,
        ),
        searching(
            "search-100k",
            "looks four rounds ahead on many tracks that may follow, 100,000 positions an answer",
            100_000,
        ),
        HouseBot {
            name: "champion",
            about: "looks four rounds ahead on as many tracks that may follow as the time allows",
            effort: Effort::Clock,
        },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Overdrive>>> {
        let mut chance = SplitMix64::new(seed as u64);
        let half_hearted = |percent: u32| -> Option<Box<dyn Bot<Overdrive>>> {
            let mut chance = chance.clone();
            Some(Box::new(move |view: &View| half_hearted(view, percent, &mut chance)))
        };
        let searching = |nodes: Option<u64>, depth: u32| -> Option<Box<dyn Bot<Overdrive>>> {
            Some(Box::new(Champion::new(Budget { nodes, depth })))
        };
        match name {
            "random" => Some(Box::new(move |view: &View| random(view, &mut chance))),
            "greedy-25" => half_hearted(25),
            "greedy-50" => half_hearted(50),
            "greedy-75" => half_hearted(75),
            "greedy" => Some(Box::new(greedy)),
            "search-300" => searching(Some(300), 2),
            "search-1k" => searching(Some(1_000), 3),
            "search-10k" => searching(Some(10_000), 3),
            "search-100k" => searching(Some(100_000), 4),
            "champion" => searching(None, 4),
            _ => None,
        }
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
