//! What a seat answered when it was asked, or what kept it from answering.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{PerSeat, Seat, Seats};

/// A seat's answer to one question of the referee.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<A> {
    Act(A),
    Fault(Fault),
}

/// `Some` exactly for the seats that were asked.
pub type Replies<A> = PerSeat<Option<Reply<A>>>;

impl<A> Replies<A> {
    /// The action of the seat that alone was asked.
    #[inline]
    pub fn only(seat: Seat, action: A) -> Self {
        // Written as a choice between two values and not as a store at a computed place, so that rules
        // which look at the active seat's reply see through it.
        let reply = Some(Reply::Act(action));
        match seat {
            Seat::First => PerSeat([reply, None]),
            Seat::Second => PerSeat([None, reply]),
        }
    }

    /// The actions of both seats.
    #[inline]
    pub fn both(first: A, second: A) -> Self {
        PerSeat([Some(Reply::Act(first)), Some(Reply::Act(second))])
    }

    /// What each of these seats does, usually those of [`Game::to_act`](crate::Game::to_act).
    #[inline]
    pub fn of(asked: Seats, mut act: impl FnMut(Seat) -> A) -> Self {
        PerSeat::from_fn(|seat| asked.contains(seat).then(|| Reply::Act(act(seat))))
    }
}

/// Why there is no action. The referee detects a fault, the rules decide what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text has no meaning in the protocol; nothing of it has any effect.
    Malformed(ParseError),
    /// No answer before the deadline.
    Late,
    /// The bot's process ended or its connection was closed.
    Gone(Exit),
    /// A line longer than the protocol allows; the bot's output is not read any further.
    Flooded,
    /// The bot never became ready for the match.
    NotStarted(Absence),
}

/// Why a bot never became ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It gave no name in time.
    Silent,
    /// It left before it had a name.
    Left(Exit),
    /// What it said cannot be a name.
    Refused,
    /// The system could not start it.
    Unstartable,
}

impl Fault {
    /// The fault's name in files and machine-readable output.
    pub fn code(&self) -> &'static str {
        match self {
            Fault::Malformed(_) => "malformed",
            Fault::Late => "late",
            Fault::Gone(_) => "gone",
            Fault::Flooded => "flooded",
            Fault::NotStarted(Absence::Refused) => "refused",
            Fault::NotStarted(Absence::Unstartable) => "unstartable",
            Fault::NotStarted(_) => "not-started",
        }
    }
}

impl Fault {
    /// Whether the seat will never answer again.
    pub fn is_lasting(&self) -> bool {
        matches!(self, Fault::Gone(_) | Fault::Flooded | Fault::NotStarted(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Malformed(error) => write!(f, "sent an answer without meaning: {error}"),
            Fault::Late => f.write_str("did not answer in time"),
            Fault::Gone(exit) => write!(f, "was gone: {exit}"),
            Fault::Flooded => f.write_str("sent a line longer than the protocol allows"),
            Fault::NotStarted(Absence::Silent) => f.write_str("gave no name in time"),
            Fault::NotStarted(Absence::Left(exit)) => write!(f, "left before the match: {exit}"),
            Fault::NotStarted(Absence::Refused) => f.write_str("gave a name that cannot be used"),
            Fault::NotStarted(Absence::Unstartable) => f.write_str("could not be started"),
        }
    }
}

/// How a bot left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exit {
    /// The process ended with this code.
    Code(i32),
    /// The process was ended by this signal.
    Signal(i32),
    /// Its output was closed while the process lives on, or nothing more is known.
    Closed,
    /// It wanted more of the machine than it may have, and was ended for that or could not go on.
    Limit(Limit),
}

/// What of the machine a bot may have only so much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    Memory,
    Processes,
    Disk,
    Cpu,
    Output,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Memory => "more memory than it may use",
            Limit::Processes => "more processes than it may have",
            Limit::Disk => "more room for files than it may take",
            Limit::Cpu => "more processor time than it may use",
            Limit::Output => "more error output than it may write",
        })
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "its process ended with exit code {code}"),
            Exit::Signal(signal) => write!(f, "its process was ended by signal {signal}"),
            Exit::Closed => f.write_str("its connection was closed"),
            Exit::Limit(limit) => write!(f, "it wanted {limit}"),
        }
    }
}

/// A text that a protocol cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub expected: &'static str,
    pub got: Excerpt,
}

impl ParseError {
    pub fn new(expected: &'static str, got: &str) -> ParseError {
        ParseError { expected, got: Excerpt::new(got) }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let got = self.got.as_str();
        write!(f, "expected {}, got `{}`", self.expected, crate::printable(got))
    }
}

impl std::error::Error for ParseError {}

/// The beginning of a text. It owns nothing, so that replies are plain values and dropping one
/// costs a search nothing; the whole line stands in the replay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; Excerpt::BYTES_MAX],
    length: u8,
}

impl Excerpt {
    const BYTES_MAX: usize = 47;

    /// As much of the text as fits, in whole characters.
    pub fn new(text: &str) -> Self {
        let length = text.floor_char_boundary(Self::BYTES_MAX);
        let mut bytes = [0; Self::BYTES_MAX];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        Excerpt { bytes, length: length as u8 }
    }

    pub fn as_str(&self) -> &str {
        let bytes = &self.bytes[..usize::from(self.length)];
        std::str::from_utf8(bytes).expect("an excerpt is cut between characters")
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_cut_between_characters() {
        assert_eq!(Excerpt::new("north").as_str(), "north");
        let long = "é".repeat(40);
        assert_eq!(Excerpt::new(&long).as_str(), "é".repeat(23));
        let error = ParseError::new("a direction", "a\u{1b}b");
        assert_eq!(error.to_string(), "expected a direction, got `a\u{fffd}b`");
    }
}
