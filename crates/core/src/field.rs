//! What is wrong with a wish, as data. Whoever took the wish names the field in his own words: the
//! command line by its flag, a file by its key and line.

use std::borrow::Cow;
use std::fmt;

/// What was wished, by its name in configs and plans: `league`, `limit`, `game.pushback`, `turn`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field(pub Cow<'static, str>);

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&'static str> for Field {
    fn from(name: &'static str) -> Field {
        Field(Cow::Borrowed(name))
    }
}

impl From<String> for Field {
    fn from(name: String) -> Field {
        Field(Cow::Owned(name))
    }
}

/// A wish that cannot be granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    pub field: Field,
    pub expected: String,
    pub found: String,
}

impl FieldError {
    pub fn new(
        field: impl Into<Field>,
        expected: impl Into<String>,
        found: impl fmt::Display,
    ) -> FieldError {
        FieldError { field: field.into(), expected: expected.into(), found: found.to_string() }
    }

    /// What is wrong, without the field.
    pub fn wrong(&self) -> String {
        format!("expected {}, got {}", self.expected, self.found)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.wrong())
    }
}

impl std::error::Error for FieldError {}
