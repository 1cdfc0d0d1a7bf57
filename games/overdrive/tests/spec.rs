//! One test per statement of the document, under its headings (the modules below), in the document's
//! edition. Each test is named by the statement; `D1` to `D26` are the places where the document
//! disagrees with the original or with itself, see the README.

#[path = "spec/collisions.rs"]
mod collisions;
#[path = "spec/commands.rs"]
mod commands;
mod common;
#[path = "spec/ends.rs"]
mod ends;
#[path = "spec/map.rs"]
mod map;
#[path = "spec/obstacles.rs"]
mod obstacles;
#[path = "spec/powerups.rs"]
mod powerups;

use common::*;
use quintain_core::{Exit, Fault, Game, Intake, Item, Seat, Verdict};
use quintain_overdrive::{
    Action, CarSetup, Config, Event, Invalid, Overdrive, Place, Powerup, State, Surface, Unreadable,
};

/// A race of two cars that are far apart, of which only the first matters.
fn alone(car: CarSetup) -> Race {
    Race::document(setup(car, at(4, 1000, 5)))
}

/// The same with things on the first car's lanes.
fn alone_on(car: CarSetup, what: &[(u8, u16, Surface)]) -> Race {
    Race::document(laid(setup(car, at(4, 1000, 5)), what))
}
