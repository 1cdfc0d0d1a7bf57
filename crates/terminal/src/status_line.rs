//! A line on the terminal that is written over again and again, beside lines that stay.

use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{WrappedOutput, is_screen};

/// Nobody reads faster.
const PAUSE: Duration = Duration::from_millis(100);
/// In a log that nobody watches every line stays.
const PAUSE_IN_LOG: Duration = Duration::from_secs(15);
const WIDTH_UNKNOWN: usize = 80;
const GAP: &str = "  ";
/// On a narrow terminal the line goes on in a second row.
const ROWS_MAX: usize = 2;

/// How many rows of the terminal the live line takes now. Whoever writes to the terminal holds it:
/// signals are answered by a thread of their own.
static SHOWN: Mutex<usize> = Mutex::new(0);

/// Where there is no terminal the line is written now and then, as one that stays.
pub struct StatusLine {
    is_terminal: bool,
    /// When the line was last written, or the work began.
    last: Instant,
}

impl Default for StatusLine {
    fn default() -> StatusLine {
        StatusLine { is_terminal: is_screen(&std::io::stderr()), last: Instant::now() }
    }
}

impl StatusLine {
    pub fn new() -> StatusLine {
        StatusLine::default()
    }

    /// Whether it is time for a new line.
    pub fn is_due(&self) -> bool {
        let pause = if self.is_terminal { PAUSE } else { PAUSE_IN_LOG };
        self.last.elapsed() >= pause
    }

    /// Replaces the line. The first parts are the most important: a terminal shows as many of them
    /// as fit, since a row that the terminal wraps could not be written over.
    pub fn show(&mut self, parts: &[String]) {
        self.last = Instant::now();
        if !self.is_terminal {
            // Nobody there to read it is no reason to stop.
            let mut out = WrappedOutput::new(std::io::stderr(), std::io::stderr());
            let _ = writeln!(out, "{}", parts.join(GAP));
            return;
        }
        let width = rustix::termios::tcgetwinsize(std::io::stderr())
            .map_or(WIDTH_UNKNOWN, |size| usize::from(size.ws_col));
        let rows = fitted(parts, width.saturating_sub(1));
        let mut shown = shown();
        let _ = write!(std::io::stderr(), "{}{}", erased(*shown), rows.join("\r\n"));
        *shown = rows.len();
    }

    pub fn clear(&mut self) {
        let mut shown = shown();
        if *shown > 0 {
            let _ = write!(std::io::stderr(), "{}", erased(std::mem::take(&mut *shown)));
        }
    }
}

/// Lets somebody write lines that stay, in the place of the live one.
pub fn instead_of_status_line(write: impl FnOnce()) {
    let mut shown = shown();
    if is_screen(&std::io::stderr()) {
        // Also where no line is shown: the terminal itself may have written `^C` there.
        let _ = write!(std::io::stderr(), "{}", erased(std::mem::take(&mut *shown)));
    }
    write();
}

fn shown() -> MutexGuard<'static, usize> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What takes a line of so many rows from the terminal, if the cursor is in the last of them.
fn erased(rows: usize) -> String {
    format!("\r{}\x1b[J", "\x1b[A".repeat(rows.saturating_sub(1)))
}

/// As many whole parts as fit into the rows, or the beginning of one that is longer than a row.
fn fitted(parts: &[String], width: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for part in parts {
        let part = shortened(part, width);
        let has_room = |row: &&mut String| row.width() + GAP.len() + part.width() <= width;
        if let Some(row) = rows.last_mut().filter(has_room) {
            *row += GAP;
            *row += &part;
        } else if rows.len() < ROWS_MAX {
            rows.push(part);
        } else {
            break;
        }
    }
    rows
}

/// The text, or as much of it as takes so many places on the screen with an ellipsis.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let is_beyond = |&(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > width
    };
    let end = text.char_indices().find(is_beyond).map_or(text.len(), |(at, _)| at);
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_gets_the_first_parts_whole() {
        let parts = ["12 games", "3.5/s", "2 min left", "1 running"].map(str::to_owned);
        assert_eq!(fitted(&parts, 80), ["12 games  3.5/s  2 min left  1 running"]);
        assert_eq!(fitted(&parts, 26), ["12 games  3.5/s", "2 min left  1 running"]);
        assert_eq!(fitted(&parts, 15), ["12 games  3.5/s", "2 min left"]);
        assert_eq!(fitted(&parts, 5), ["12 g…", "3.5/s"]);
        assert_eq!(fitted(&[], 5), [""; 0]);
        // Each of these takes two places.
        assert_eq!(fitted(&["\u{68cb}\u{68cb}\u{68cb}".to_owned()], 5), ["\u{68cb}\u{68cb}…"]);
    }
}
