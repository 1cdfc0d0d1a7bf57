//! What several tests of this crate need.

#![allow(dead_code, reason = "each test takes what it needs")]

use quintain_core::{Fault, Game, NoChance, PerSeat, Replies, Reply, Seat, Verdict};
use quintain_fencing::{Action, Config, Event, Fencer, FencerSetup, Fencing, Setup, Switches};

pub(crate) fn config(league: u8, switches: Switches) -> Config {
    Config { league, switches, ..Config::default() }
}

/// The document's start.
pub(crate) fn start(league: u8) -> Fencing {
    new(league, Switches::DOCUMENT, Setup::default())
}

pub(crate) fn new(league: u8, switches: Switches, setup: Setup) -> Fencing {
    Fencing::new(&config(league, switches), setup).expect("a playable setup")
}

/// League 3 of the document with these fencers.
pub(crate) fn duel(first: FencerSetup, second: FencerSetup) -> Fencing {
    new(3, Switches::DOCUMENT, setup(first, second))
}

pub(crate) fn setup(first: FencerSetup, second: FencerSetup) -> Setup {
    Setup { fencers: PerSeat([first, second]), ..Setup::default() }
}

pub(crate) fn at(position: i16) -> FencerSetup {
    FencerSetup::at(position)
}

pub(crate) fn action(code: &str) -> Action {
    Action::from_code(code).expect("a command of the document")
}

pub(crate) fn replies(first: &str, second: &str) -> Replies<Action> {
    Replies::both(action(first), action(second))
}

/// Plays one turn in which both are asked.
pub(crate) fn turn(game: &mut Fencing, first: &str, second: &str) -> Vec<Event> {
    assert!(!game.to_act().is_empty(), "both must be asked");
    let mut events = Vec::new();
    game.advance(&replies(first, second), &mut NoChance, &mut events);
    events
}

/// Plays a turn that asks nobody.
pub(crate) fn respawn(game: &mut Fencing) -> Vec<Event> {
    assert!(game.to_act().is_empty() && game.outcome().is_none());
    let mut events = Vec::new();
    game.advance(&PerSeat([None, None]), &mut NoChance, &mut events);
    events
}

/// The first seat plays, the second does not answer as it should.
pub(crate) fn fault(game: &mut Fencing, first: &str, second: Fault) -> Vec<Event> {
    let mut events = Vec::new();
    let replies = PerSeat([Some(Reply::Act(action(first))), Some(Reply::Fault(second))]);
    game.advance(&replies, &mut NoChance, &mut events);
    events
}

pub(crate) fn fencer(game: &Fencing, seat: Seat) -> Fencer {
    game.fencers()[seat]
}

pub(crate) fn positions(game: &Fencing) -> [i16; 2] {
    game.fencers().0.map(|fencer| fencer.position)
}

pub(crate) fn energy(game: &Fencing) -> [i16; 2] {
    game.fencers().0.map(|fencer| fencer.energy)
}

pub(crate) fn points(game: &Fencing) -> [i16; 2] {
    game.fencers().0.map(|fencer| fencer.points)
}

/// Final scores and verdicts of a match that is over.
pub(crate) fn scores(game: &Fencing) -> [i64; 2] {
    game.outcome().expect("the match is over").scores.0
}

pub(crate) fn verdicts(game: &Fencing) -> [Verdict; 2] {
    game.outcome().expect("the match is over").verdicts.0
}

pub(crate) fn reason(game: &Fencing) -> &'static str {
    game.outcome().expect("the match is over").reason
}
