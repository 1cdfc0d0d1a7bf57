//! One test per statement of the document, under its headings (the modules below), in the document's
//! edition. Each test is named by the statement; `D1` to `D13` are the places where the document
//! disagrees with the original or with itself.

#[path = "spec/bouts.rs"]
mod bouts;
mod common;
#[path = "spec/deeds.rs"]
mod deeds;
#[path = "spec/ends.rs"]
mod ends;
#[path = "spec/lines.rs"]
mod lines;

use std::time::Duration;

use common::*;
use quintain_core::{
    ConfigChoice, Edition, Exit, Fault, Game, Intake, Item, Opening, Outbox, ParseError, PerSeat,
    Protocol, Seat, Unit, Verdict, configure,
};
use quintain_fencing::{
    Ability, Action, Event, FencerSetup, Fencing, Offence, Refusal, Setup, Switches, TABLE, Wire,
};

fn wire() -> Wire {
    Wire::new(&Opening::new(PerSeat::default()))
}

fn hear(wire: &mut Wire, line: &str) -> Intake<Action> {
    wire.hear(Seat::First, true, line, &mut Outbox::default())
}

fn prompt(game: &Fencing, seat: Seat) -> Vec<String> {
    let mut out = Outbox::default();
    wire().prompt(seat, &game.view(seat), &mut out);
    let lines = out.0.into_iter().map(|(to, item)| match item {
        Item::Line(line) if to == seat => line,
        other => panic!("{other:?} to {to:?}"),
    });
    lines.collect()
}
