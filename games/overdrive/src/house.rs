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
        at_once("greedy-20", "is greedy in 20 of 100 rounds and random in the others"),
        at_once("greedy-40", "is greedy in 40 of 100 rounds and random in the others"),
        at_once("greedy-60", "is greedy in 60 of 100 rounds and random in the others"),
        at_once("greedy-80", "is greedy in 80 of 100 rounds and random in the others"),
        at_once("greedy-90", "is greedy in 90 of 100 rounds and random in the others"),
        at_once("greedy", "tries every pair of commands on what it sees"),
        searching(
            "search-100",
            "remembers the road and tries every command of one round, 100 positions an answer",
            100,
        ),
        searching(
            "search-1k",
            "looks two rounds ahead on a few tracks that may follow, 1,000 positions an answer",
            1_000,
        ),
        searching(
            "search-10k",
            "looks three rounds ahead on some tracks that may follow, 10,000 positions an answer",
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
            let mut chance = chance;
            Some(Box::new(move |view: &View| half_hearted(view, percent, &mut chance)))
        };
        let searching = |nodes: Option<u64>, depth: u32| -> Option<Box<dyn Bot<Overdrive>>> {
            Some(Box::new(Champion::new(Budget { nodes, depth })))
        };
        match name {
            "random" => Some(Box::new(move |view: &View| random(view, &mut chance))),
            "greedy-20" => half_hearted(20),
            "greedy-40" => half_hearted(40),
            "greedy-60" => half_hearted(60),
            "greedy-80" => half_hearted(80),
            "greedy-90" => half_hearted(90),
            "greedy" => Some(Box::new(greedy)),
            "search-100" => searching(Some(100), 1),
            "search-1k" => searching(Some(1_000), 2),
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
