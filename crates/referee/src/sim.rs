//! A world on virtual time, for tests: a match of an hour takes no time, and the same seed gives
//! the same match.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::{Item, PerSeat, Seat};

use crate::{Heard, Incoming, World};

/// A simulated bot.
pub trait Actor {
    /// Takes what was sent to it and says what comes back, after which delay.
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>);
}

/// Both actors and everything that is on its way from them.
pub struct SimWorld {
    now: Duration,
    actors: PerSeat<Box<dyn Actor>>,
    is_open: PerSeat<bool>,
    /// By time of arrival, then in the order of sending.
    arrivals: BTreeMap<(Duration, u64), (Seat, Heard)>,
    sequence: u64,
}

impl SimWorld {
    pub fn new(actors: PerSeat<Box<dyn Actor>>) -> Self {
        SimWorld {
            now: Duration::ZERO,
            actors,
            is_open: PerSeat([true, true]),
            arrivals: BTreeMap::new(),
            sequence: 0,
        }
    }
}

impl World for SimWorld {
    fn now(&self) -> Duration {
        self.now
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        if !self.is_open[seat] {
            return;
        }
        let mut answers = Vec::new();
        self.actors[seat].receive(item, &mut answers);
        for (delay, heard) in answers {
            self.arrivals.insert((self.now + delay, self.sequence), (seat, heard));
            self.sequence += 1;
        }
    }

    fn next(&mut self, until: Option<Duration>) -> Option<Incoming> {
        while let Some((&(at, sequence), _)) = self.arrivals.first_key_value() {
            if until.is_some_and(|until| at > until) {
                break;
            }
            let (seat, heard) = self.arrivals.remove(&(at, sequence))?;
            self.now = self.now.max(at);
            if !self.is_open[seat] {
                continue;
            }
            self.is_open[seat] = matches!(heard, Heard::Line(_));
            return Some(Incoming { seat, at, heard });
        }
        self.now = self.now.max(until?);
        None
    }

    fn hang_up(&mut self, seat: Seat) {
        self.is_open[seat] = false;
    }
}
