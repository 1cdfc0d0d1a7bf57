//! Listens to what is said before a match.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use quintain_core::{Item, Seat};
use quintain_referee::{Heard, Incoming};
use quintain_registry::Audience;

use crate::commands::witness::Witness;

/// Something said before the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tapped {
    Sent(String),
    Heard { line: String, at: Duration },
}

/// Whether the match has begun.
#[derive(Clone, Debug, Default)]
pub(super) struct Curtain(Rc<Cell<bool>>);

impl Audience for Curtain {
    fn start(&mut self) {
        self.0.set(true);
    }
}

/// What one seat hears and says before the match begins.
pub(super) struct Tap {
    seat: Seat,
    has_begun: Curtain,
    pub(super) log: Vec<Tapped>,
}

impl Tap {
    pub(super) fn new(seat: Seat, has_begun: Curtain) -> Tap {
        Tap { seat, has_begun, log: Vec::new() }
    }

    fn note(&mut self, seat: Seat, tapped: impl FnOnce() -> Tapped) {
        if seat == self.seat && !self.has_begun.0.get() {
            self.log.push(tapped());
        }
    }
}

impl Witness for Tap {
    fn sent(&mut self, seat: Seat, item: &Item) {
        if let Item::Line(line) = item {
            self.note(seat, || Tapped::Sent(line.clone()));
        }
    }

    fn heard(&mut self, incoming: &Incoming) {
        if let Heard::Line(line) = &incoming.heard {
            let line = String::from_utf8_lossy(line).into_owned();
            self.note(incoming.seat, || Tapped::Heard { line, at: incoming.at });
        }
    }
}
