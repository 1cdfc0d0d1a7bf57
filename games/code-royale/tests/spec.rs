//! One test per statement of the contest's document, under its headings (the modules below), in our
//! words, in the edition that follows it.
//!
//! Where the document is silent or slips (where `touchedSite` is sent, the queen's 200 HP in its
//! table) the README has the ruling, and the test here shows it.

#[path = "spec/buildings.rs"]
mod buildings;
#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;
#[path = "spec/creeps.rs"]
mod creeps;
#[path = "spec/details.rs"]
mod details;
#[path = "spec/lines.rs"]
mod lines;
#[path = "spec/queens.rs"]
mod queens;
#[path = "spec/turns.rs"]
mod turns;

use std::time::Duration;

use common::{Match, NOTHING, barracks, creep, lines, mine, setup, site, tower, wire};
use quintain_code_royale::{
    CodeRoyale, Config, CreepKind, Event, Out, Point, Setup, Structure, Works,
};
use quintain_core::{Edition, Game, NoChance, Outbox, Protocol, Replies, Seat, Seats, Verdict};

fn start() -> Match {
    from(setup())
}

fn from(setup: Setup) -> Match {
    Match::new(Edition::Document, setup)
}

fn generated(seed: i64) -> Setup {
    CodeRoyale::generate(&Config::default(), seed)
}

/// Seeds far apart, since small neighbours draw alike.
fn seeds() -> impl Iterator<Item = i64> {
    (1..25).map(|number| number * 0x1234_5678_9abc)
}

fn works(game: &Match, site: usize) -> Option<Works> {
    game.game.plots()[site].structure.map(|structure| structure.works)
}

fn owner(game: &Match, site: usize) -> Option<Seat> {
    game.game.plots()[site].structure.map(|structure| structure.owner)
}

fn tower_hp(game: &Match, site: usize) -> i32 {
    match works(game, site) {
        Some(Works::Tower { hp, .. }) => hp,
        other => panic!("no tower: {other:?}"),
    }
}

fn creeps(game: &Match, seat: Seat) -> Vec<(CreepKind, i16)> {
    let creeps = game.game.creeps()[seat].as_slice().iter();
    creeps.map(|creep| (creep.kind, creep.hp)).collect()
}

fn place(game: &Match, seat: Seat, index: usize) -> Point {
    game.game.creeps()[seat].as_slice()[index].place
}
