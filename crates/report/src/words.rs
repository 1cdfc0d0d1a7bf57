//! Words and numbers as they are shown.

use std::path::Path;

use quintain_arena::results::{Doubt, milliseconds};
use quintain_core::{ErrorKind, printable};
use quintain_tournament::{ErrorCounts, grouped};

use crate::Advice;

/// A line of text, which whoever shows it may set apart if it is a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub is_heading: bool,
}

impl Line {
    pub fn text(text: impl Into<String>) -> Line {
        Line { text: text.into(), is_heading: false }
    }

    pub fn heading(text: impl Into<String>) -> Line {
        Line { text: text.into(), is_heading: true }
    }
}

/// Lines of which the first is a heading.
pub(crate) fn headed(lines: impl IntoIterator<Item = String>) -> Vec<Line> {
    let line = |(index, text)| Line { text, is_heading: index == 0 };
    lines.into_iter().enumerate().map(line).collect()
}

/// `1 game`, `2,000 games`.
pub fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A path as an argument that can be pasted into a shell.
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// How much of a line of a bot is shown; what is for programs has all of it.
const SHOWN_CHARS: usize = 160;

/// A line of a bot, as much of it as is shown.
pub fn shortened(line: &str) -> String {
    let line = printable(line);
    if line.chars().count() <= SHOWN_CHARS {
        return line.into_owned();
    }
    let head: String = line.chars().take(SHOWN_CHARS).collect();
    format!("{head}... ({} bytes)", line.len())
}

/// The last lines of what a bot wrote, as many as are shown.
pub fn last_lines(text: &str) -> Vec<&str> {
    const LINES_SHOWN: usize = 10;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].to_vec()
}

/// Why a script does not do what it says.
pub const WINDOWS_LINE_ENDS: &str = "its run.sh has the line ends of Windows, which bash takes \
    for a part of the last word of each line: save it with those of Unix";

/// The verdict of games from which nothing is concluded, for programs.
pub const REFUSED: &str = "refused";

/// What is said about games of which the machine disturbed too many: why nothing is concluded from them and
/// what to do about it, or what to think of a verdict that was wanted all the same.
pub fn doubt_in_words(doubt: &Doubt, advice: &Advice<'_>) -> String {
    let games = doubt.games.in_words();
    match doubt.is_forced {
        true => format!("warning: {games}; that can favour either bot"),
        false => format!(
            "no verdict: {games}: this machine is too busy, or a bot keeps it busy; {}",
            advice.on_refusal
        ),
    }
}

/// What a bot did, behind its name.
pub fn did(error: ErrorKind) -> &'static str {
    match error {
        ErrorKind::Crash => "crashed",
        ErrorKind::Timeout => "timed out",
        ErrorKind::Illegal => "gave an illegal answer",
        ErrorKind::Flood => "sent too much",
        ErrorKind::NotStarted => "did not start",
        ErrorKind::Meddling => "meddled with its state files",
        ErrorKind::Memory => "wanted too much memory",
        ErrorKind::Processes => "started too many processes",
        ErrorKind::Disk => "wrote too much to files",
        ErrorKind::Cpu => "used too much processor time",
        ErrorKind::Output => "wrote too much error output",
    }
}

/// "3 crashes, 1 time-out", or nothing.
pub fn errors_in_words(errors: &ErrorCounts) -> String {
    let word = |kind, count| {
        let plural = if count == 1 { "" } else { "s" };
        match kind {
            ErrorKind::Crash if count == 1 => "crash".to_owned(),
            ErrorKind::Crash => "crashes".to_owned(),
            ErrorKind::Timeout => format!("time-out{plural}"),
            ErrorKind::Illegal => format!("illegal answer{plural}"),
            ErrorKind::Flood => format!("flood{plural}"),
            ErrorKind::NotStarted => format!("failed start{plural}"),
            ErrorKind::Meddling => format!("case{plural} of meddling"),
            ErrorKind::Memory => "out of memory".to_owned(),
            ErrorKind::Processes => "out of processes".to_owned(),
            ErrorKind::Disk => "out of disk".to_owned(),
            ErrorKind::Cpu => "out of processor time".to_owned(),
            ErrorKind::Output => "out of error output".to_owned(),
        }
    };
    let counted = errors.iter().filter(|(_, count)| *count > 0);
    let words = counted.map(|(kind, count)| format!("{count} {}", word(kind, count)));
    words.collect::<Vec<_>>().join(", ")
}

/// A time in a table: milliseconds with a tenth.
pub(crate) fn tenths(time: std::time::Duration) -> String {
    format!("{:.1}", milliseconds(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            (counted(1, "game"), counted(1_000, "game")),
            ("1 game".into(), "1,000 games".into())
        );
    }

    #[test]
    fn paths_with_blanks_are_quoted() {
        assert_eq!(shell_word(Path::new("a/b.zst")), "a/b.zst");
        assert_eq!(shell_word(Path::new("a b's")), "'a b'\\''s'");
    }

    #[test]
    fn errors_are_told_apart() {
        let mut errors = ErrorCounts::default();
        assert_eq!(errors_in_words(&errors), "");
        errors.add(ErrorKind::Crash, 1);
        errors.add(ErrorKind::Timeout, 2);
        assert_eq!(errors_in_words(&errors), "1 crash, 2 time-outs");
    }

    #[test]
    fn long_lines_are_shortened_and_control_characters_replaced() {
        assert_eq!(shortened("a\u{1b}b"), "a\u{fffd}b");
        let long = "x".repeat(SHOWN_CHARS + 1);
        assert!(shortened(&long).ends_with("... (161 bytes)"), "{}", shortened(&long));
    }
}
