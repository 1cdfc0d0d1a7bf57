//! Names of values in files, stores and machine-readable output, read back.

use std::fmt;

/// A text that is none of the codes for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// What it should name, and the codes that there are.
    pub expected: String,
    pub got: String,
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got `{}`", self.expected, self.got)
    }
}

impl std::error::Error for CodeError {}

/// Which of `all` a code stands for.
///
/// # Errors
/// It is the code of none of them; `what` says what it should name.
pub fn decode<T: Copy, const N: usize>(
    what: &str,
    code: &str,
    all: [T; N],
    code_of: fn(T) -> &'static str,
) -> Result<T, CodeError> {
    all.into_iter().find(|&one| code_of(one) == code).ok_or_else(|| CodeError {
        expected: format!("{what} ({})", all.map(code_of).join(", ")),
        got: code.to_owned(),
    })
}
