//! A line on the terminal that is written over again and again, beside lines that stay.

use std::fmt;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crate::output::remark;

/// Nobody reads faster.
const PAUSE: Duration = Duration::from_millis(100);
/// In a log that nobody watches every line stays.
const PAUSE_IN_LOG: Duration = Duration::from_secs(15);
const WIDTH_UNKNOWN: usize = 80;
const GAP: &str = "  ";

/// Where there is no terminal the line is written now and then, as one that stays.
pub(crate) struct Live {
    is_terminal: bool,
    is_shown: bool,
    /// When the line was last written, or the work began.
    last: Instant,
}

impl Live {
    pub(crate) fn new() -> Live {
        let is_terminal = std::io::stderr().is_terminal();
        Live { is_terminal, is_shown: false, last: Instant::now() }
    }

    /// Whether it is time for a new line.
    pub(crate) fn is_due(&self) -> bool {
        let pause = if self.is_terminal { PAUSE } else { PAUSE_IN_LOG };
        self.last.elapsed() >= pause
    }

    /// Replaces the line. The first parts are the most important: a terminal shows as many of them
    /// as fit, since a line that is wrapped could not be written over.
    pub(crate) fn show(&mut self, parts: &[String]) {
        self.last = Instant::now();
        if !self.is_terminal {
            return remark(parts.join(GAP));
        }
        let width = rustix::termios::tcgetwinsize(std::io::stderr())
            .map_or(WIDTH_UNKNOWN, |size| usize::from(size.ws_col));
        let text = fitted(parts, width.saturating_sub(1));
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
        self.is_shown = true;
    }

    /// A line that stays.
    pub(crate) fn say(&mut self, text: impl fmt::Display) {
        self.clear();
        remark(text);
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Makes room for a line that stays where somebody else may have written a live one.
pub(crate) fn clear_line() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// As many whole parts as fit, or the beginning of the first.
fn fitted(parts: &[String], width: usize) -> String {
    let mut line: String = parts.first().map_or("", String::as_str).chars().take(width).collect();
    for part in parts.iter().skip(1) {
        if line.chars().count() + GAP.len() + part.chars().count() > width {
            break;
        }
        line += GAP;
        line += part;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_gets_the_first_parts_whole() {
        let parts = ["12 games", "3.5/s", "2 min left"].map(str::to_owned);
        assert_eq!(fitted(&parts, 80), "12 games  3.5/s  2 min left");
        assert_eq!(fitted(&parts, 26), "12 games  3.5/s");
        assert_eq!(fitted(&parts, 5), "12 ga");
        assert_eq!(fitted(&[], 5), "");
    }
}
