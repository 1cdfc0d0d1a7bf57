//! Recorded matches of original engines, compared line by line with what this project makes of them.

use std::collections::VecDeque;
use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Fault, Game, Intake, Outbox, PerSeat, Protocol, Reply, Seat};

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

/// A recording as far as it has been compared. The default is one of which nothing has been read.
pub trait Transcript: Default {
    /// What a line of it can be.
    type Line: DeserializeOwned;

    /// Compares the next line, and says what comes after it; `None` if no such line can follow.
    ///
    /// # Errors
    /// The line is not what follows from those before it.
    fn compare(&mut self, line: Self::Line) -> Result<Option<Rest>, Mismatch>;
}

/// What comes after a line of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// More lines.
    Some,
    /// More lines, or the end.
    Any,
    /// The end.
    None,
}

/// The first line of a recorded match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedHeader {
    pub game: String,
    /// In games that have leagues.
    pub league: Option<u8>,
    pub seed: i64,
    pub players: PerSeat<String>,
    /// What differs from the original's defaults.
    pub config: Map<String, Value>,
    #[serde(rename = "source")]
    _source: Option<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

impl RecordedHeader {
    /// # Errors
    /// The match is one of another game.
    pub fn check_game<G: Game>(&self) -> Result<(), Mismatch> {
        same(self.game.as_str(), G::ID)
    }

    /// # Errors
    /// A choice in a game whose original leaves none.
    pub fn check_no_config(&self) -> Result<(), Mismatch> {
        match self.config.iter().next() {
            Some((name, value)) => {
                Err((format!("config {name} = {value}"), "no such choice".to_owned()))
            }
            None => Ok(()),
        }
    }
}

impl Difference {
    /// Compares a recording of a game line by line.
    ///
    /// # Errors
    /// The first difference, or the end of a recording that is not complete.
    pub fn first<G: Game, T: Transcript>(lines: &[String]) -> Result<(), Difference> {
        let (mut transcript, mut rest) = (T::default(), Rest::Some);
        for (text, line) in lines.iter().zip(1..) {
            let at_line = |(expected, got)| Difference { line, expected, got };
            let read = serde_json::from_str(text);
            let read = wanted(&format!("a line of a recording of {}", G::TITLE), read);
            let next = match rest {
                Rest::None => Ok(None),
                Rest::Some | Rest::Any => read.and_then(|line| transcript.compare(line)),
            };
            let misplaced = || ("another line in this place".to_owned(), text.clone());
            rest = next.and_then(|rest| rest.ok_or_else(misplaced)).map_err(at_line)?;
        }
        if rest != Rest::Some {
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

/// What a recording must give: `what` is expected, and why it is none is what was got.
///
/// # Errors
/// Both, if it is none.
pub fn wanted<T>(what: &str, got: Result<T, impl fmt::Display>) -> Result<T, Mismatch> {
    got.map_err(|error| (what.to_owned(), error.to_string()))
}

/// What a seat answers with lines that wait to be heard, and the last of them that it took; without an
/// answer in them it is late. What is left over waits for the next question.
pub fn recorded_answer<G: Game>(
    wire: &mut impl Protocol<G>,
    seat: Seat,
    waiting: &mut VecDeque<String>,
) -> (String, Reply<G::Action>) {
    let mut out = Outbox::default();
    while let Some(line) = waiting.pop_front() {
        match wire.hear(seat, true, &line, &mut out) {
            Intake::Action(action) => return (line, Reply::Act(action)),
            Intake::Malformed(error) => return (line, Reply::Fault(Fault::Malformed(error))),
            Intake::More | Intake::Ignored | Intake::Later => {}
        }
    }
    (String::new(), Reply::Fault(Fault::Late))
}

/// Whether a result with this reason stands for a recording that stops in the middle, for which no
/// outcome is required.
pub fn stops_early(reason: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["unfinished", "truncated", "recording stopped", "session"];
    BEGINNINGS.iter().any(|beginning| reason.starts_with(beginning))
}
