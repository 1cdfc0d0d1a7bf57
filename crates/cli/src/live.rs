//! A line on the terminal that is written over again and again, beside lines that stay.

use std::fmt;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crate::output::remark;

/// Nobody reads faster.
const PAUSE: Duration = Duration::from_millis(100);
const WIDTH_UNKNOWN: usize = 80;

/// Where there is no terminal nothing is shown, and what stays is written all the same.
pub(crate) struct Live {
    is_terminal: bool,
    shown_at: Option<Instant>,
}

impl Live {
    pub(crate) fn new() -> Live {
        Live { is_terminal: std::io::stderr().is_terminal(), shown_at: None }
    }

    /// Whether it is time for a new line, and there is somebody to see it.
    pub(crate) fn is_due(&self) -> bool {
        self.is_terminal && self.shown_at.is_none_or(|shown| shown.elapsed() >= PAUSE)
    }

    /// Replaces the line.
    pub(crate) fn show(&mut self, line: &str) {
        let width = rustix::termios::tcgetwinsize(std::io::stderr())
            .map_or(WIDTH_UNKNOWN, |size| usize::from(size.ws_col));
        // A line that is wrapped could not be written over.
        let text: String = line.chars().take(width.saturating_sub(1)).collect();
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
        self.shown_at = Some(Instant::now());
    }

    /// A line that stays.
    pub(crate) fn say(&mut self, text: impl fmt::Display) {
        self.clear();
        remark(text);
    }

    pub(crate) fn clear(&mut self) {
        if self.shown_at.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
