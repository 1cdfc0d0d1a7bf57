//! A match that can be ended from outside: by the end of the time for it, or by whoever asks to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quintain_core::{Absence, Item, PerSeat, Seat};
use quintain_links::RealWorld;
use quintain_referee::{Capped, Departure, Incoming, Usage, World};

/// How often it is looked whether somebody asked to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Later than every deadline of a match.
const FAR_FUTURE: Duration = Duration::from_secs(1_000_000_000);

/// The real world up to the cut. Then its clock stands in a far future, in which every answer is late,
/// so that the match ends by its own rules. Its result means nothing.
pub(super) struct CutWorld<'a> {
    world: RealWorld,
    until: Instant,
    stop: &'a AtomicBool,
    is_cut: bool,
}

impl<'a> CutWorld<'a> {
    pub(super) fn new(world: RealWorld, until: Instant, stop: &'a AtomicBool) -> Self {
        CutWorld { world, until, stop, is_cut: false }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl World for CutWorld<'_> {
    fn now(&self) -> Duration {
        if self.is_cut { FAR_FUTURE } else { self.world.now() }
    }

    fn next(&mut self, until: Option<Duration>) -> Option<Incoming> {
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            self.is_cut |= left.is_zero() || self.stop.load(Ordering::Relaxed);
            if self.is_cut {
                return None;
            }
            let look = self.world.now() + left.min(LOOK_EVERY);
            let bound = until.map_or(look, |until| until.min(look));
            if let Some(incoming) = self.world.next(Some(bound)) {
                return Some(incoming);
            }
            if until.is_some_and(|until| self.world.now() >= until) {
                return None;
            }
        }
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        self.world.send(seat, item);
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
