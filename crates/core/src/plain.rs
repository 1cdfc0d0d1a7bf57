//! What a plain game needs no code of its own for: a config of one number, and the lines of a match in
//! which a question is some lines and an answer is one.

use std::marker::PhantomData;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    FieldError, Framing, Intake, Notation, Opening, Outbox, Protocol, Seat, Setting, Unit,
    codingame,
};

/// The config of a game in which nothing but the time for an answer can be chosen: a second, unless
/// something else is wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnswerTime {
    pub time_limit_ms: u32,
}

impl Default for AnswerTime {
    fn default() -> Self {
        AnswerTime { time_limit_ms: 1000 }
    }
}

impl AnswerTime {
    pub const SETTINGS: &'static [Setting] = &[Setting {
        name: "limit",
        path: "time_limit_ms",
        raises: None,
        unit: Unit::Time { least_ms: 1 },
        help: "time for an answer",
    }];

    /// # Errors
    /// If there is no time to answer at all.
    pub fn check(self) -> Result<(), FieldError> {
        match self.time_limit_ms {
            0 => Err(FieldError::new("time_limit_ms", "more than 0 ms", 0)),
            _ => Ok(()),
        }
    }

    pub fn limit(self) -> Duration {
        Duration::from_millis(u64::from(self.time_limit_ms))
    }
}

/// A game whose bots are told some lines when they are asked and answer with one.
pub trait Plain: Notation {
    /// What a person at the terminal can type, in a few words.
    const ANSWERS: &'static str;

    /// What a seat is told when it is asked.
    fn question(view: &Self::View) -> Vec<String>;
}

/// The protocol of a [`Plain`] game, with the line ends and limits of [`codingame`].
#[derive(Clone, Copy, Debug)]
pub struct PlainWire<G> {
    game: PhantomData<fn() -> G>,
}

impl<G: Plain> Protocol<G> for PlainWire<G> {
    const FRAMING: Framing = codingame::FRAMING;
    const ANSWERS: &'static str = G::ANSWERS;

    fn new(_opening: &Opening) -> Self {
        PlainWire { game: PhantomData }
    }

    fn prompt(&mut self, seat: Seat, view: &G::View, out: &mut Outbox) {
        for line in G::question(view) {
            out.line(seat, line);
        }
    }

    fn hear(&mut self, _: Seat, asked: bool, line: &str, _: &mut Outbox) -> Intake<G::Action> {
        if asked { G::read(line).into() } else { Intake::Later }
    }

    fn say(&self, _: &G::View, action: &G::Action) -> Vec<String> {
        vec![G::write(action)]
    }
}
