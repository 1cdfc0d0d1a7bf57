//! The seeds that commands draw: among those that give different matches, far from each other, and for
//! ever those with which a run was begun.

use std::collections::BTreeSet;

use quintain_store::{Filter, RunPlan, Store};
use quintain_tournament::{Form, Schedule, Seeds, Settings};

use crate::support::{Folder, json};

const COMPARE: &str = "compare worms house:random house:random --games 24 --quiet --json";
/// From here on all maps of Worms are one.
const WORMS_BOUND: i64 = 1 << 30;

fn store(folder: &Folder) -> Store {
    Store::open(folder.path("t.db").to_str().expect("a path")).expect("a store")
}

/// The seeds of the only run, each of which two games have.
fn played(folder: &Folder) -> BTreeSet<i64> {
    let store = store(folder);
    let run = store.runs().expect("runs").pop().expect("a run");
    let games = store.games(run.id, &Filter::default());
    games.map(|game| game.expect("a game").head.seed).collect()
}

/// The seeds that a comparison of 24 games has if they have so many bits.
fn expected(bits: u32) -> BTreeSet<i64> {
    let seeds = Seeds::Derived { from: 1, bits };
    let settings = Settings { bots: 2, form: Form::RoundRobin, games: 24, seeds };
    let mut schedule = Schedule::new(settings).expect("two bots can meet");
    std::iter::from_fn(|| schedule.take()).map(|game| game.seed).collect()
}

#[test]
fn drawn_seeds_of_worms_are_among_those_with_maps_of_their_own() {
    let folder = Folder::new();
    folder.run(&format!("{COMPARE} --store t.db"));
    let seeds = played(&folder);
    assert_eq!(seeds, expected(30));
    assert!(seeds.iter().all(|seed| (0..WORMS_BOUND).contains(seed)), "{seeds:?}");
    // They are spread: some in each half.
    assert!(seeds.iter().any(|&seed| seed >= WORMS_BOUND / 2), "{seeds:?}");

    let folder = Folder::new();
    let call = "tournament --game worms --bot a=house:random --bot b=house:random --quiet";
    folder.run(&format!("{call} --games-per-pair 24 --store t.db"));
    assert_eq!(played(&folder), seeds);
}

#[test]
fn a_run_that_was_begun_with_longer_seeds_goes_on_with_them() {
    let folder = Folder::new();
    folder.run(&format!("{COMPARE} --store new.db"));
    let begun = Store::open_existing(folder.path("new.db").to_str().expect("a path"));
    let run = begun.expect("a store").runs().expect("runs").pop().expect("a run");
    let mut settings = json(&run.plan.settings);
    let bits = settings.as_object_mut().expect("an object").remove("seed-bits");
    assert_eq!(bits, Some(30.into()));
    let old = RunPlan { settings: settings.to_string(), ..run.plan };
    drop(store(&folder).begin(&old).expect("a run as it was begun before"));

    let finished = folder.run(&format!("{COMPARE} --store t.db"));
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(played(&folder), expected(31));
}

#[test]
fn seeds_from_the_clock_are_far_from_each_other() {
    let folder = Folder::new();
    let play = || {
        let result = json(&folder.ok("play fencing house:random house:random --json --no-replay"));
        result["seed"].as_i64().expect("a seed")
    };
    let seeds: Vec<i64> = (0..6).map(|_| play()).collect();
    assert!(seeds.iter().all(|seed| (0..1 << 31).contains(seed)), "{seeds:?}");
    // A clock alone would give seeds within some seconds of microseconds.
    let (least, most) = (seeds.iter().min(), seeds.iter().max());
    assert!(most.zip(least).is_some_and(|(most, least)| most - least > 1 << 26), "{seeds:?}");
}

#[test]
fn a_seed_beyond_the_range_is_played_as_it_is() {
    let folder = Folder::new();
    let call = "play worms house:random house:random --seed 2000000000 --json --no-replay";
    assert_eq!(json(&folder.ok(call))["seed"], 2_000_000_000);
}
