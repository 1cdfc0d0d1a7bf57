//! What a bot can do wrong in a match, by kind: the one list that whoever counts errors shares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Absence, CodeError, Exit, Fault, Limit, decode};

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
    /// It wanted more memory than it may use.
    Memory,
    /// It wanted more processes than it may have.
    Processes,
    /// It wanted more room for files than it may take.
    Disk,
    /// It wanted more processor time than it may use.
    Cpu,
    /// It wrote more error output than it may.
    Output,
}

impl ErrorKind {
    pub const ALL: [ErrorKind; 11] = [
        ErrorKind::Crash,
        ErrorKind::Timeout,
        ErrorKind::Illegal,
        ErrorKind::Flood,
        ErrorKind::NotStarted,
        ErrorKind::Meddling,
        ErrorKind::Memory,
        ErrorKind::Processes,
        ErrorKind::Disk,
        ErrorKind::Cpu,
        ErrorKind::Output,
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
            ErrorKind::Memory => "memory",
            ErrorKind::Processes => "processes",
            ErrorKind::Disk => "disk",
            ErrorKind::Cpu => "cpu",
            ErrorKind::Output => "output",
        }
    }
}

impl From<&Fault> for ErrorKind {
    fn from(fault: &Fault) -> ErrorKind {
        match fault {
            Fault::Gone(Exit::Limit(limit))
            | Fault::NotStarted(Absence::Left(Exit::Limit(limit))) => (*limit).into(),
            Fault::Gone(_) => ErrorKind::Crash,
            Fault::Late => ErrorKind::Timeout,
            Fault::Malformed(_) => ErrorKind::Illegal,
            Fault::Flooded => ErrorKind::Flood,
            Fault::NotStarted(_) => ErrorKind::NotStarted,
        }
    }
}

impl From<Limit> for ErrorKind {
    fn from(limit: Limit) -> ErrorKind {
        match limit {
            Limit::Memory => ErrorKind::Memory,
            Limit::Processes => ErrorKind::Processes,
            Limit::Disk => ErrorKind::Disk,
            Limit::Cpu => ErrorKind::Cpu,
            Limit::Output => ErrorKind::Output,
        }
    }
}

/// Why a bot made an error, where its kind leaves that open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultCause {
    /// Its answer had no meaning in the protocol.
    Malformed,
    /// It gave no name in time.
    Silent,
    /// It left before it had a name.
    Left,
    /// What it said cannot be a name.
    Refused,
    /// The system could not start it.
    Unstartable,
}

impl FaultCause {
    pub const ALL: [FaultCause; 5] = [
        FaultCause::Malformed,
        FaultCause::Silent,
        FaultCause::Left,
        FaultCause::Refused,
        FaultCause::Unstartable,
    ];

    /// `None` where the kind of the error says it.
    pub fn of(fault: &Fault) -> Option<FaultCause> {
        match fault {
            Fault::Malformed(_) => Some(FaultCause::Malformed),
            Fault::NotStarted(Absence::Silent) => Some(FaultCause::Silent),
            Fault::NotStarted(Absence::Left(_)) => Some(FaultCause::Left),
            Fault::NotStarted(Absence::Refused) => Some(FaultCause::Refused),
            Fault::NotStarted(Absence::Unstartable) => Some(FaultCause::Unstartable),
            Fault::Late | Fault::Gone(_) | Fault::Flooded => None,
        }
    }

    /// The cause's name in stores and machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            FaultCause::Malformed => "malformed",
            FaultCause::Silent => "silent",
            FaultCause::Left => "left",
            FaultCause::Refused => "refused",
            FaultCause::Unstartable => "unstartable",
        }
    }
}

impl FromStr for ErrorKind {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<ErrorKind, CodeError> {
        decode("a kind of error", code, ErrorKind::ALL, ErrorKind::code)
    }
}

impl FromStr for FaultCause {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<FaultCause, CodeError> {
        decode("why an error was made", code, FaultCause::ALL, FaultCause::code)
    }
}

/// The kinds of error that a bot made in one match. As text they stand side by side with commas
/// between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorKinds(u16);

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
    type Err = CodeError;

    fn from_str(text: &str) -> Result<ErrorKinds, CodeError> {
        text.split(',').filter(|code| !code.is_empty()).map(ErrorKind::from_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParseError;

    #[test]
    fn every_kind_has_a_code_of_its_own_and_all_but_meddling_come_from_a_fault() {
        let error = ParseError::new("a number", "x");
        let faults = [
            (Fault::Gone(Exit::Closed), ErrorKind::Crash),
            (Fault::Late, ErrorKind::Timeout),
            (Fault::Malformed(error), ErrorKind::Illegal),
            (Fault::Flooded, ErrorKind::Flood),
            (Fault::NotStarted(Absence::Unstartable), ErrorKind::NotStarted),
            (Fault::Gone(Exit::Limit(Limit::Memory)), ErrorKind::Memory),
            (Fault::Gone(Exit::Limit(Limit::Processes)), ErrorKind::Processes),
            (Fault::NotStarted(Absence::Left(Exit::Limit(Limit::Disk))), ErrorKind::Disk),
            (Fault::Gone(Exit::Limit(Limit::Cpu)), ErrorKind::Cpu),
            (Fault::Gone(Exit::Limit(Limit::Output)), ErrorKind::Output),
        ];
        for (fault, kind) in faults {
            assert_eq!(ErrorKind::from(&fault), kind);
        }
        let mut listed: Vec<ErrorKind> = faults.into_iter().map(|(_, kind)| kind).collect();
        listed.push(ErrorKind::Meddling);
        listed.sort();
        assert_eq!(listed, ErrorKind::ALL);
        for kind in ErrorKind::ALL {
            assert_eq!(kind.code().parse(), Ok(kind));
        }
        for cause in FaultCause::ALL {
            assert_eq!(cause.code().parse(), Ok(cause));
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
