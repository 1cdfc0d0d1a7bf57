//! Words and numbers as they are shown.

use std::fmt;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
pub(crate) use quintain_report::words::{Line, counted, shell_word};
use quintain_terminal::{WrappedOutput, instead_of_status_line};
pub(crate) use quintain_tournament::grouped;

pub(crate) const HEADING: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The word before a message that says what went wrong.
pub(crate) fn error_label() -> String {
    format!("{ERROR}error:{ERROR:#}")
}

/// Standard output, with colours and wrapping where it is a terminal.
pub(crate) fn wrapped_output() -> WrappedOutput<anstream::AutoStream<io::StdoutLock<'static>>> {
    WrappedOutput::new(anstream::stdout().lock(), io::stdout())
}

/// Says something beside the result. Nobody there to hear it is no reason to stop.
pub(crate) fn remark(text: impl fmt::Display) {
    let mut out = WrappedOutput::new(anstream::stderr().lock(), io::stderr());
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// The same in the place of the line that tells how far a run is.
pub(crate) fn say(text: impl fmt::Display) {
    instead_of_status_line(|| remark(text));
}

/// What a report says, with its headings set apart.
pub(crate) fn print_lines(
    lines: impl IntoIterator<Item = Line>,
    out: &mut impl std::io::Write,
) -> std::io::Result<()> {
    for Line { text, is_heading } in lines {
        if is_heading {
            writeln!(out, "{HEADING}{text}{HEADING:#}")?;
        } else {
            writeln!(out, "{text}")?;
        }
    }
    Ok(())
}
