//! Words and numbers as they are shown.

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
pub(crate) use quintain_arena::file_name_part;
pub(crate) use quintain_tournament::grouped;

pub(crate) const HEADING: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The word before a message that says what went wrong.
pub(crate) fn error_label() -> String {
    format!("{ERROR}error:{ERROR:#}")
}

/// Says something beside the result. Nobody there to hear it is no reason to stop.
pub(crate) fn remark(text: impl fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// `1 game`, `2,000 games`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// A cell of a CSV file, with quotes where it needs them. What a spreadsheet would take for a formula
/// stands behind an apostrophe, which makes it text there; numbers stay numbers.
pub(crate) fn csv_cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let guarded = if is_formula && text.parse::<f64>().is_err() { "'" } else { "" };
    let text = format!("{guarded}{text}");
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// `folder/stem.extension`, or with a number behind the stem if that is taken.
pub(crate) fn free_path(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    let mut path = folder.join(format!("{stem}.{extension}"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{stem}-{number}.{extension}"));
        number += 1;
    }
    path
}

/// A path as an argument that can be pasted into a shell.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,+@=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(12_345_678), "12,345,678");
        assert_eq!(
            (counted(1, "game"), counted(1_000, "game")),
            ("1 game".into(), "1,000 games".into())
        );
    }

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        assert_eq!(csv_cell("plain"), "plain");
        assert_eq!(csv_cell("a, \"b\""), "\"a, \"\"b\"\"\"");
    }

    #[test]
    fn a_cell_that_a_spreadsheet_would_compute_is_text_and_a_number_stays_one() {
        for formula in ["=1+2", "+cmd", "-2+3", "@SUM(A1)", "\tx", "-", "+-1"] {
            assert_eq!(csv_cell(formula), format!("'{formula}"));
        }
        assert_eq!(csv_cell("=HYPERLINK(\"a\",1)"), "\"'=HYPERLINK(\"\"a\"\",1)\"");
        assert_eq!(csv_cell("\r=1"), "\"'\r=1\"");
        for number in ["-1", "+3", "-0.25", "-1e6", "12", ""] {
            assert_eq!(csv_cell(number), number);
        }
    }

    #[test]
    fn paths_with_blanks_are_quoted() {
        assert_eq!(shell_word(Path::new("a/b.zst")), "a/b.zst");
        assert_eq!(shell_word(Path::new("a b's")), "'a b'\\''s'");
    }
}
