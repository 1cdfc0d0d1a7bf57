//! One test per statement of the document, under its headings (the modules below), in the document's
//! edition. Each test quotes the statement it plays. Numbers in brackets are rows of the README's table
//! of doubts.

mod common;

#[path = "spec/commands.rs"]
mod commands;
#[path = "spec/endgame.rs"]
mod endgame;
#[path = "spec/map.rs"]
mod map;
#[path = "spec/scores.rs"]
mod scores;
#[path = "spec/throws.rs"]
mod throws;

use common::*;
use quintain_core::{Game, Seat};
use quintain_worms::{Event, Terrain, Worms};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

fn is_refused(events: &[Event], seat: Seat) -> bool {
    events.iter().any(|event| matches!(event, Event::Refused { seat: who, .. } if *who == seat))
}
