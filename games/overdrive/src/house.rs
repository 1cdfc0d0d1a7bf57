//! The house bots: one that does anything it may, and one that looks two rounds ahead.

use quintain_core::{Bot, Chance, Effort, House, HouseBot, SplitMix64};

mod champion;
mod foresight;
mod memory;
mod reflex;
mod search;
mod worth;

use champion::Champion;
use foresight::Foresight;
use search::Budget;

use crate::{Action, Overdrive, Place, Powerup, Surface, View};

impl House for Overdrive {
    const BOTS: &'static [HouseBot] = &[
        HouseBot {
            name: "random",
            about: "gives any command that is not invalid",
            effort: Effort::AtOnce,
        },
        HouseBot {
            name: "greedy",
            about: "tries every pair of commands on what it sees",
            effort: Effort::AtOnce,
        },
        HouseBot {
            name: "search-1k",
            about: "searches 1,000 positions",
            effort: Effort::Nodes(1_000),
        },
        HouseBot {
            name: "search-10k",
            about: "searches 10,000 positions",
            effort: Effort::Nodes(10_000),
        },
        HouseBot {
            name: "search-100k",
            about: "searches 100,000 positions",
            effort: Effort::Nodes(100_000),
        },
        HouseBot { name: "champion", about: "searches as long as it may", effort: Effort::Clock },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Overdrive>>> {
        let mut chance = SplitMix64::new(seed as u64);
        match name {
            "random" => Some(Box::new(move |view: &View| random(view, &mut chance))),
            "greedy" => Some(Box::new(greedy)),
            "search-1k" => {
                Some(Box::new(Champion::new(Budget { nodes: 1_000, depth: 3, uses_clock: false })))
            }
            "search-10k" => {
                Some(Box::new(Champion::new(Budget { nodes: 10_000, depth: 4, uses_clock: false })))
            }
            "search-100k" => Some(Box::new(Champion::new(Budget {
                nodes: 100_000,
                depth: 4,
                uses_clock: false,
            }))),
            "champion" => Some(Box::new(Champion::new(Budget {
                nodes: 10_000_000,
                depth: 5,
                uses_clock: true,
            }))),
            _ => None,
        }
    }
}

/// Any command that is not invalid, each as likely as the others.
fn random(view: &View, chance: &mut SplitMix64) -> Action {
    let mut commands = commands(view);
    if view.own.powerups.has(Powerup::Tweet) {
        let window = &view.window;
        let lane = chance.below(window.lanes().count() as u32) as u8 + 1;
        let block = chance.below(window.width as u32) as u16 + window.first_block;
        commands.push(Action::tweet(Place::new(lane, block)));
    }
    commands[chance.below(commands.len() as u32) as usize]
}

/// Every valid command but tweets, which have too many places.
fn commands(view: &View) -> Vec<Action> {
    let lanes = view.window.lanes().count();
    let mut commands = vec![Action::Accelerate, Action::Nothing, Action::Decelerate, Action::Fix];
    if view.own.place.lane > 1 {
        commands.push(Action::TurnLeft);
    }
    if usize::from(view.own.place.lane) < lanes {
        commands.push(Action::TurnRight);
    }
    let uses = [Action::UseBoost, Action::UseLizard, Action::UseOil, Action::UseEmp];
    let is_held =
        |action: &Action| action.powerup().is_some_and(|powerup| view.own.powerups.has(powerup));
    commands.extend(uses.into_iter().filter(is_held));
    commands
}

/// Tries every pair of commands on what it sees and takes the first of the best. Its answer depends
/// on the view alone.
fn greedy(view: &View) -> Action {
    let mut commands = commands(view);
    commands.extend(tweet_at_rival(view));
    commands.retain(|&command| is_sensible(view, command));
    let Some(foresight) = Foresight::new(view) else {
        return Action::Accelerate;
    };
    let best = commands.iter().copied().max_by_key(|&command| {
        // Of equals the first, which a maximum would not take.
        let place = commands.iter().position(|&other| other == command);
        (foresight.worth(command, &commands), std::cmp::Reverse(place))
    });
    best.unwrap_or(Action::Accelerate)
}

/// How far in front of the other car a truck is meant to stand when it comes to stand.
const TRUCK_LEAD: u16 = 2;
/// Oil is for somebody who is near.
const OIL_REACH: u16 = 30;

/// What foresight cannot judge, since it ends before the effect: whether a command is of use at all.
fn is_sensible(view: &View, command: Action) -> bool {
    let (own, rival) = (view.own.place, view.opponent.place);
    match command {
        Action::UseOil => {
            let is_behind = rival.block < own.block && own.block - rival.block <= OIL_REACH;
            is_behind && rival.lane == own.lane
        }
        Action::UseEmp => rival.block > own.block && rival.lane.abs_diff(own.lane) <= 1,
        Action::UseBoost => !view.own.is_boosting && view.own.damage <= 1,
        Action::Fix => view.own.damage > 0,
        Action::Decelerate => false,
        _ => true,
    }
}

/// A truck where the other car will be about to drive, unless this one would drive into it first.
fn tweet_at_rival(view: &View) -> Option<Action> {
    let (own, rival) = (view.own.place, view.opponent);
    if !view.own.powerups.has(Powerup::Tweet) {
        return None;
    }
    let block = rival.place.block + u16::from(rival.speed) + TRUCK_LEAD;
    let place = Place::new(rival.place.lane, block);
    let seen = view.window.get(place)?;
    let is_in_own_way = place.lane == own.lane && own.block < block;
    let is_free = !seen.has_truck() && seen.surface() != Surface::FinishLine;
    (is_free && !is_in_own_way).then_some(Action::tweet(place))
}

#[cfg(test)]
mod tests {
    use quintain_core::{Edition, Game, NoChance, PerSeat};
    use quintain_testkit::{check_house_names, greedy_wins, house_bots, house_match};

    use super::*;
    use crate::{Config, Event, Switches};

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
