//! Words and numbers as they are shown.

use std::fmt;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};
pub(crate) use quintain_report::words::{Line, counted, shell_word};
pub(crate) use quintain_tournament::grouped;

use crate::wrapped_output::wrapped_remarks;

pub(crate) const HEADING: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The word before a message that says what went wrong.
pub(crate) fn error_label() -> String {
    format!("{ERROR}error:{ERROR:#}")
}

/// Says something beside the result. Nobody there to hear it is no reason to stop.
pub(crate) fn remark(text: impl fmt::Display) {
    let mut out = wrapped_remarks();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
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
