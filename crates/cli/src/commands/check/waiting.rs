//! Tells whoever watches that a check takes its time.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::status_line::StatusLine;

/// A match that takes longer than this makes people wonder.
const QUIET: Duration = Duration::from_secs(2);
/// How often it is looked whether it does.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Somebody who tells it from a thread of his own, since the match has that of the check.
pub(super) struct Waiting {
    is_over: Sender<()>,
    teller: JoinHandle<()>,
}

impl Waiting {
    pub(super) fn begin() -> Waiting {
        let (is_over, over) = mpsc::channel();
        let teller = thread::spawn(move || {
            let (begun, mut live) = (Instant::now(), StatusLine::new());
            while over.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                let waited = begun.elapsed();
                if waited >= QUIET && live.is_due() {
                    let seconds = waited.as_secs();
                    live.show(&[format!("checking for {seconds} s"), "Ctrl-C stops".to_owned()]);
                }
            }
            live.clear();
        });
        Waiting { is_over, teller }
    }

    /// Takes away what was shown in between.
    pub(super) fn end(self) {
        drop(self.is_over);
        let _ = self.teller.join();
    }
}
