//! What is impossible about a setup, said in one way by all games.

use std::fmt;

use crate::FieldError;

/// A setup that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub String);

impl SetupError {
    pub fn new(expected: &str, got: impl fmt::Display) -> SetupError {
        SetupError(format!("expected {expected}, got {got}"))
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "impossible setup: {}", self.0)
    }
}

impl std::error::Error for SetupError {}

impl From<FieldError> for SetupError {
    fn from(error: FieldError) -> SetupError {
        SetupError(error.to_string())
    }
}

/// # Errors
/// What was expected and what was found, unless it holds.
pub fn require(holds: bool, expected: &str, got: impl fmt::Display) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(expected, got)) }
}

/// # Errors
/// If the number is below `low` or above `high`.
pub fn require_within<T: PartialOrd + fmt::Display>(
    what: &str,
    got: impl Into<T>,
    low: T,
    high: T,
) -> Result<(), SetupError> {
    let got = got.into();
    if low <= got && got <= high {
        return Ok(());
    }
    Err(SetupError::new(&format!("{what} from {low} to {high}"), got))
}
