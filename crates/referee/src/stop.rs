//! How whoever plays matches is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const NO_MORE_MATCHES: u8 = 1;
const BREAK_OFF: u8 = 2;

/// A wish to stop. All clones are one, and it is never taken back.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// The running matches are finished and count.
    pub fn no_more_matches(&self) {
        self.0.fetch_max(NO_MORE_MATCHES, Ordering::Relaxed);
    }

    /// The running matches end where they are.
    pub fn break_off(&self) {
        self.0.fetch_max(BREAK_OFF, Ordering::Relaxed);
    }

    /// Whether no further match is to be begun.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= NO_MORE_MATCHES
    }

    /// Whether running matches end too.
    pub fn is_broken_off(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= BREAK_OFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_only_ever_raised() {
        let stop = Stop::default();
        let clone = stop.clone();
        assert!(!clone.is_asked());
        stop.no_more_matches();
        assert!(clone.is_asked() && !clone.is_broken_off());
        stop.break_off();
        clone.no_more_matches();
        assert!(stop.is_asked() && stop.is_broken_off());
    }
}
