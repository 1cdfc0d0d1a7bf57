//! Listens to what is said before a match.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use quintain_core::{Absence, Item, PerSeat, Seat};
use quintain_links::RealWorld;
use quintain_referee::{Capped, Departure, Heard, Incoming, Usage, World};
use quintain_registry::Audience;

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

/// A world, and what one seat hears and says in it before the match begins.
pub(super) struct Tap {
    world: RealWorld,
    seat: Seat,
    has_begun: Curtain,
    pub(super) log: Vec<Tapped>,
}

impl Tap {
    pub(super) fn new(world: RealWorld, seat: Seat, has_begun: Curtain) -> Tap {
        Tap { world, seat, has_begun, log: Vec::new() }
    }

    fn note(&mut self, seat: Seat, tapped: impl FnOnce() -> Tapped) {
        if seat == self.seat && !self.has_begun.0.get() {
            self.log.push(tapped());
        }
    }
}

impl World for Tap {
    fn now(&self) -> Duration {
        self.world.now()
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        if let Item::Line(line) = item {
            self.note(seat, || Tapped::Sent(line.clone()));
        }
        self.world.send(seat, item);
    }

    fn next(&mut self, until: Option<Duration>) -> Option<Incoming> {
        let incoming = self.world.next(until)?;
        if let Heard::Line(line) = &incoming.heard {
            let line = String::from_utf8_lossy(line).into_owned();
            self.note(incoming.seat, || Tapped::Heard { line, at: incoming.at });
        }
        Some(incoming)
    }

    fn absence(&self, seat: Seat) -> Option<Absence> {
        self.world.absence(seat)
    }

    fn hang_up(&mut self, seat: Seat) {
        self.world.hang_up(seat);
    }

    fn usage(&mut self, seat: Seat) -> Option<Usage> {
        self.world.usage(seat)
    }

    fn referee_waited(&mut self) -> Duration {
        self.world.referee_waited()
    }

    fn wants_to_run(&mut self, seat: Seat) -> bool {
        self.world.wants_to_run(seat)
    }

    fn is_alone(&mut self, seat: Seat) -> bool {
        self.world.is_alone(seat)
    }

    fn stderr(&mut self, seat: Seat) -> Capped {
        self.world.stderr(seat)
    }

    fn finish(&mut self) -> PerSeat<Departure> {
        self.world.finish()
    }
}
