//! What ends a match from outside.

use std::time::{Duration, Instant};

use quintain_referee::Stop;

/// The longest wait in which nobody looks whether a match is to end.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What a match looks at while it is played: somebody who breaks it off, and the end of its time.
#[derive(Clone, Debug, Default)]
pub struct Halt {
    pub stop: Option<Stop>,
    pub at: Option<Instant>,
}

impl Halt {
    pub(crate) fn is_reached(&self) -> bool {
        self.stop.as_ref().is_some_and(Stop::is_broken_off)
            || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// How long a match may wait before it looks again.
    pub(crate) fn patience(&self) -> Duration {
        let left = self.at.map(|at| at.saturating_duration_since(Instant::now()));
        left.map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY))
    }
}
