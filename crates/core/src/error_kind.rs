//! What a bot can do wrong in a match, by kind: the one list that whoever counts errors shares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Fault;

/// What a bot did wrong. The referee finds all of them but [`ErrorKind::Illegal`], which the rules
/// find too: see [`crate::Game::refused`]. All but [`ErrorKind::Meddling`], which no rules know, come
/// from a fault or a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// Its process ended or its connection was closed.
    Crash,
    /// It did not answer in time.
    Timeout,
    /// Its answer had no meaning, or the rules forbid it.
    Illegal,
    /// It sent more than the protocol allows.
    Flood,
    /// It could not be started, or never became ready for the match.
    NotStarted,
    /// It put something in the way of its state files, or took their folder away. That was put right.
    Meddling,
}

impl ErrorKind {
    pub const ALL: [ErrorKind; 6] = [
        ErrorKind::Crash,
        ErrorKind::Timeout,
        ErrorKind::Illegal,
        ErrorKind::Flood,
        ErrorKind::NotStarted,
        ErrorKind::Meddling,
    ];

    /// The kind's name in files, stores and machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            ErrorKind::Crash => "crash",
            ErrorKind::Timeout => "timeout",
            ErrorKind::Illegal => "illegal",
            ErrorKind::Flood => "flood",
            ErrorKind::NotStarted => "not-started",
            ErrorKind::Meddling => "meddling",
        }
    }
}

impl From<&Fault> for ErrorKind {
    fn from(fault: &Fault) -> ErrorKind {
        match fault {
            Fault::Gone(_) => ErrorKind::Crash,
            Fault::Late => ErrorKind::Timeout,
            Fault::Malformed(_) => ErrorKind::Illegal,
            Fault::Flooded => ErrorKind::Flood,
            Fault::NotStarted(_) => ErrorKind::NotStarted,
        }
    }
}

/// A text that names no kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorKindError {
    pub got: String,
}

impl fmt::Display for ErrorKindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = ErrorKind::ALL.map(ErrorKind::code).join(", ");
        write!(f, "expected a kind of error ({known}), got `{}`", self.got)
    }
}

impl std::error::Error for ErrorKindError {}

impl FromStr for ErrorKind {
    type Err = ErrorKindError;

    fn from_str(code: &str) -> Result<ErrorKind, ErrorKindError> {
        let named = ErrorKind::ALL.into_iter().find(|kind| kind.code() == code);
        named.ok_or_else(|| ErrorKindError { got: code.to_owned() })
    }
}

/// The kinds of error that a bot made in one match. As text they stand side by side with commas
/// between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorKinds(u8);

impl ErrorKinds {
    pub const NONE: ErrorKinds = ErrorKinds(0);

    pub fn insert(&mut self, kind: ErrorKind) {
        self.0 |= 1 << kind as u8;
    }

    pub const fn contains(self, kind: ErrorKind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In the order of [`ErrorKind::ALL`].
    pub fn iter(self) -> impl Iterator<Item = ErrorKind> {
        ErrorKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<ErrorKind> for ErrorKinds {
    fn from_iter<I: IntoIterator<Item = ErrorKind>>(kinds: I) -> ErrorKinds {
        let mut all = ErrorKinds::NONE;
        kinds.into_iter().for_each(|kind| all.insert(kind));
        all
    }
}

impl fmt::Display for ErrorKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<&str> = self.iter().map(ErrorKind::code).collect();
        f.write_str(&codes.join(","))
    }
}

impl FromStr for ErrorKinds {
    type Err = ErrorKindError;

    fn from_str(text: &str) -> Result<ErrorKinds, ErrorKindError> {
        text.split(',').filter(|code| !code.is_empty()).map(ErrorKind::from_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Absence, Exit, ParseError};

    #[test]
    fn every_kind_has_a_code_of_its_own_and_all_but_meddling_come_from_a_fault() {
        let error = ParseError::new("a number", "x");
        let faults = [
            (Fault::Gone(Exit::Closed), ErrorKind::Crash),
            (Fault::Late, ErrorKind::Timeout),
            (Fault::Malformed(error), ErrorKind::Illegal),
            (Fault::Flooded, ErrorKind::Flood),
            (Fault::NotStarted(Absence::Unstartable), ErrorKind::NotStarted),
        ];
        for (fault, kind) in faults {
            assert_eq!(ErrorKind::from(&fault), kind);
        }
        let listed = faults.map(|(_, kind)| kind).into_iter().chain([ErrorKind::Meddling]);
        assert!(listed.eq(ErrorKind::ALL));
        for kind in ErrorKind::ALL {
            assert_eq!(kind.code().parse(), Ok(kind));
        }
        let unknown = ErrorKind::from_str("sulking").expect_err("no kind");
        assert!(unknown.to_string().contains("crash, timeout, illegal"), "{unknown}");
    }

    #[test]
    fn a_set_of_kinds_survives_being_written() {
        let both: ErrorKinds = [ErrorKind::NotStarted, ErrorKind::Timeout].into_iter().collect();
        assert_eq!(both.to_string(), "timeout,not-started");
        assert_eq!(both.to_string().parse(), Ok(both));
        assert_eq!("".parse(), Ok(ErrorKinds::NONE));
        assert!(both.contains(ErrorKind::Timeout) && !both.contains(ErrorKind::Crash));
        assert!("timeout,sulking".parse::<ErrorKinds>().is_err());
    }
}
