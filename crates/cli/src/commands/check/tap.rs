//! Listens to what is said before a match, and tells whoever watches that a bot is waited for.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use quintain_core::{Item, Seat};
use quintain_referee::{Heard, Incoming};
use quintain_registry::Audience;

use crate::commands::witness::Witness;
use crate::live::Live;
use crate::output::counted;

/// A match that takes longer than this makes people wonder.
const QUIET: Duration = Duration::from_secs(2);
/// How often it is looked whether it does.
const LOOK_EVERY: Duration = Duration::from_millis(500);

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
    began: Instant,
    answered: u64,
    live: Live,
}

impl Tap {
    pub(super) fn new(seat: Seat, has_begun: Curtain) -> Tap {
        let (began, live) = (Instant::now(), Live::new());
        Tap { seat, has_begun, log: Vec::new(), began, answered: 0, live }
    }

    /// Takes away what was shown in between.
    pub(super) fn close(mut self) -> Vec<Tapped> {
        self.live.clear();
        self.log
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

    fn patience(&mut self) -> Option<Duration> {
        let waited = self.began.elapsed();
        if waited >= QUIET && self.live.is_due() {
            let seconds = waited.as_secs();
            self.live.show(&[
                format!("checking for {seconds} s, heard {}", counted(self.answered, "line")),
                "Ctrl-C stops".to_owned(),
            ]);
        }
        Some(LOOK_EVERY)
    }

    fn heard(&mut self, incoming: &Incoming) {
        self.answered += u64::from(incoming.seat == self.seat);
        if let Heard::Line(line) = &incoming.heard {
            let line = String::from_utf8_lossy(line).into_owned();
            self.note(incoming.seat, || Tapped::Heard { line, at: incoming.at });
        }
    }
}
