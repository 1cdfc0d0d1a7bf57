//! Tells whoever watches that a check takes its time.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use quintain_terminal::StatusLine;

/// A match that takes longer than this makes people wonder.
const QUIET: Duration = Duration::from_secs(2);
/// How often it is looked whether it does.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What a check is at, told while it lasts.
pub(super) struct Waiting {
    during_match: Option<Teller>,
    line: StatusLine,
}

/// Somebody who tells it from a thread of his own, since the match has that of the check.
struct Teller {
    is_over: Sender<()>,
    thread: JoinHandle<()>,
}

impl Waiting {
    pub(super) fn new() -> Waiting {
        Waiting { during_match: None, line: StatusLine::new() }
    }

    pub(super) fn match_begins(&mut self) {
        self.during_match = Some(Teller::begin());
    }

    pub(super) fn input_ends(&mut self) {
        self.end_match();
        if self.line.is_due() {
            let what = "looking what it does when its input ends, which takes some seconds";
            self.line.show(&[what.to_owned()]);
        }
    }

    /// Takes away what was shown in between.
    pub(super) fn end(mut self) {
        self.end_match();
        self.line.clear();
    }

    fn end_match(&mut self) {
        if let Some(Teller { is_over, thread }) = self.during_match.take() {
            drop(is_over);
            let _ = thread.join();
        }
    }
}

impl Teller {
    fn begin() -> Teller {
        let (is_over, over) = mpsc::channel();
        let thread = thread::spawn(move || {
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
        Teller { is_over, thread }
    }
}
