//! Recorded matches of original engines, compared line by line with what this project makes of them.

use std::fmt;

use crate::Game;

/// A game that can replay a recorded match of its original engine.
pub trait Conform: Game {
    /// `lines` are the file's lines, the header first. All of them are compared.
    ///
    /// # Errors
    /// The first difference.
    fn conform(lines: &[String]) -> Result<(), Difference>;
}

/// The first place where a recorded match and this project disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Counted from 1.
    pub line: usize,
    pub expected: String,
    pub got: String,
}

/// What a recording shows, then what we have instead.
pub type Mismatch = (String, String);

/// A recording as far as it has been compared.
pub trait Transcript {
    /// Compares the next line.
    ///
    /// # Errors
    /// The line is not what follows from those before it.
    fn compare(&mut self, text: &str) -> Result<(), Mismatch>;

    /// Whether the recording may end here.
    fn is_complete(&self) -> bool;
}

impl Difference {
    /// Compares a recording line by line.
    ///
    /// # Errors
    /// The first difference, or the end of a recording that is not complete.
    pub fn first(lines: &[String], mut transcript: impl Transcript) -> Result<(), Difference> {
        for (index, text) in lines.iter().enumerate() {
            transcript.compare(text).map_err(|(expected, got)| Difference {
                line: index + 1,
                expected,
                got,
            })?;
        }
        if transcript.is_complete() {
            return Ok(());
        }
        let expected = "a result line".to_owned();
        Err(Difference { line: lines.len() + 1, expected, got: "the end of the file".to_owned() })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, got {}", self.line, self.expected, self.got)
    }
}

impl std::error::Error for Difference {}

/// Compares a part of a line.
///
/// # Errors
/// Both values, if they differ.
pub fn same<T: PartialEq + fmt::Debug + ?Sized>(recorded: &T, ours: &T) -> Result<(), Mismatch> {
    if recorded == ours { Ok(()) } else { Err((format!("{recorded:?}"), format!("{ours:?}"))) }
}

/// Whether a result with this reason stands for a recording that stops in the middle, for which no
/// outcome is required.
pub fn stops_early(reason: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["unfinished", "truncated", "recording stopped", "session"];
    BEGINNINGS.iter().any(|beginning| reason.starts_with(beginning))
}
