//! A world on virtual time, for tests and for whoever needs no bots: a match of an hour takes no time,
//! and the same seed gives the same match.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::{Absence, Item, PerSeat, Seat};

use crate::{Capped, Counts, Departure, Heard, Incoming, Unprotected, Wait, World};

/// A simulated bot.
pub trait Actor {
    /// Takes what was sent to it and says what comes back, after which delay.
    fn receive(&mut self, item: &Item, answers: &mut Vec<(Duration, Heard)>);
}

/// Nobody: whatever is sent, nothing comes back.
impl Actor for () {
    fn receive(&mut self, _item: &Item, _answers: &mut Vec<(Duration, Heard)>) {}
}

/// Both actors and everything that is on its way from them.
pub struct SimWorld {
    now: Duration,
    actors: PerSeat<Box<dyn Actor>>,
    is_open: PerSeat<bool>,
    /// By time of arrival, then in the order of sending.
    arrivals: BTreeMap<(Duration, u64), (Seat, Heard)>,
    sequence: u64,
    /// From when on the match is to end where it is.
    stops_at: Option<Duration>,
}

impl SimWorld {
    pub fn new(actors: PerSeat<Box<dyn Actor>>) -> Self {
        SimWorld {
            now: Duration::ZERO,
            actors,
            is_open: PerSeat([true, true]),
            arrivals: BTreeMap::new(),
            sequence: 0,
            stops_at: None,
        }
    }

    /// A world in which nobody lives.
    pub fn empty() -> Self {
        SimWorld::new(PerSeat([Box::new(()), Box::new(())]))
    }

    /// The same world in which somebody breaks the match off at that moment.
    #[must_use]
    pub fn stopping_at(self, moment: Duration) -> Self {
        SimWorld { stops_at: Some(moment), ..self }
    }

    /// Lets time pass in which nobody waits for anything.
    pub fn pass(&mut self, time: Duration) {
        self.now += time;
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

    fn prepare(&mut self, _seat: Seat, _item: &Item) {}

    fn flush(&mut self) {}

    fn next(&mut self, until: Option<Duration>) -> Wait {
        if self.is_stopped() {
            return Wait::Stopped;
        }
        let wakes = [until, self.stops_at].into_iter().flatten().min();
        while let Some((&(at, sequence), _)) = self.arrivals.first_key_value() {
            if wakes.is_some_and(|moment| at > moment) {
                break;
            }
            let Some((seat, heard)) = self.arrivals.remove(&(at, sequence)) else { break };
            self.now = self.now.max(at);
            if !self.is_open[seat] {
                continue;
            }
            self.is_open[seat] = matches!(heard, Heard::Line(_));
            return Wait::Came(Incoming { seat, at, heard });
        }
        let Some(moment) = wakes else { return Wait::Silent };
        self.now = self.now.max(moment);
        if self.is_stopped() { Wait::Stopped } else { Wait::TimeUp }
    }

    fn is_stopped(&self) -> bool {
        self.stops_at.is_some_and(|moment| self.now >= moment)
    }

    fn absence(&self, _seat: Seat) -> Option<Absence> {
        None
    }

    fn hang_up(&mut self, seat: Seat) {
        self.is_open[seat] = false;
    }

    fn cpu(&mut self, _seat: Seat) -> Option<Duration> {
        None
    }

    fn counts(&mut self, _seat: Seat) -> Option<Counts> {
        None
    }

    fn referee_waited(&mut self) -> Duration {
        Duration::ZERO
    }

    fn wants_to_run(&mut self, _seat: Seat) -> bool {
        false
    }

    fn has_said(&mut self, _seat: Seat) -> bool {
        false
    }

    fn unprotected(&mut self, _seat: Seat) -> Option<Unprotected> {
        None
    }

    fn stderr(&mut self, _seat: Seat) -> Capped {
        Capped::default()
    }

    fn meddling(&mut self, _seat: Seat) -> Vec<String> {
        Vec::new()
    }

    fn finish(&mut self) -> PerSeat<Departure> {
        PerSeat::default()
    }
}
