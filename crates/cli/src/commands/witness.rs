//! A real match with somebody beside it, who sees what is said and can end it.

use std::time::Duration;

use quintain_core::{Absence, Item, PerSeat, Seat};
use quintain_links::RealWorld;
use quintain_referee::{Capped, Counts, Departure, Incoming, Unprotected, World};

/// Later than every deadline of a match.
const FAR_FUTURE: Duration = Duration::from_secs(1_000_000_000);

/// Whoever stands beside a match.
pub(super) trait Witness {
    /// Something goes to a bot.
    fn sent(&mut self, _seat: Seat, _item: &Item) {}

    /// Something came from a bot.
    fn heard(&mut self, _incoming: &Incoming) {}

    /// How long the match may go on before this is asked again; `None`: for ever. Without any time
    /// left it is cut off.
    fn patience(&mut self) -> Option<Duration> {
        None
    }
}

/// The real world up to the cut. Then its clock stands in a far future, in which every answer is late,
/// so that the match ends by its own rules. Its result means nothing.
pub(super) struct WitnessedWorld<W> {
    world: RealWorld,
    pub(super) witness: W,
    is_cut: bool,
}

impl<W: Witness> WitnessedWorld<W> {
    pub(super) fn new(world: RealWorld, witness: W) -> Self {
        WitnessedWorld { world, witness, is_cut: false }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl<W: Witness> World for WitnessedWorld<W> {
    fn now(&self) -> Duration {
        if self.is_cut { FAR_FUTURE } else { self.world.now() }
    }

    fn next(&mut self, until: Option<Duration>) -> Option<Incoming> {
        loop {
            let patience = self.witness.patience();
            self.is_cut |= patience.is_some_and(|left| left.is_zero());
            if self.is_cut {
                return None;
            }
            let look = patience.map(|left| self.world.now() + left);
            let bound = [until, look].into_iter().flatten().min();
            if let Some(incoming) = self.world.next(bound) {
                self.witness.heard(&incoming);
                return Some(incoming);
            }
            if look.is_none() || until.is_some_and(|until| self.world.now() >= until) {
                return None;
            }
        }
    }

    fn send(&mut self, seat: Seat, item: &Item) {
        self.witness.sent(seat, item);
        self.world.send(seat, item);
    }

    fn flush(&mut self) {
        self.world.flush();
    }

    fn absence(&self, seat: Seat) -> Option<Absence> {
        self.world.absence(seat)
    }

    fn hang_up(&mut self, seat: Seat) {
        self.world.hang_up(seat);
    }

    fn cpu(&mut self, seat: Seat) -> Option<Duration> {
        self.world.cpu(seat)
    }

    fn counts(&mut self, seat: Seat) -> Option<Counts> {
        self.world.counts(seat)
    }

    fn referee_waited(&mut self) -> Duration {
        self.world.referee_waited()
    }

    fn wants_to_run(&mut self, seat: Seat) -> bool {
        self.world.wants_to_run(seat)
    }

    fn has_said(&mut self, seat: Seat) -> bool {
        self.world.has_said(seat)
    }

    fn unprotected(&mut self, seat: Seat) -> Option<Unprotected> {
        self.world.unprotected(seat)
    }

    fn stderr(&mut self, seat: Seat) -> Capped {
        self.world.stderr(seat)
    }

    fn finish(&mut self) -> PerSeat<Departure> {
        self.world.finish()
    }
}
