//! Hears what a seat says without letting it have any effect.

use std::collections::VecDeque;
use std::time::Duration;

use quintain_core::{Fault, Intake, Outbox, ParseError, PerSeat, Protocol, Seat, Spoken};

/// What an answer was.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning<A> {
    Action(A),
    Malformed(ParseError),
    Missing(Fault),
}

/// An answer with the lines that it was made of, ignored ones included.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer<A> {
    pub(crate) lines: Vec<String>,
    /// Those of the lines that meant nothing.
    pub(crate) ignored: Vec<String>,
    pub(crate) meaning: Meaning<A>,
    pub(crate) wall: Option<Duration>,
}

/// A protocol that only listens: it tells when an answer is complete, and nothing comes of it.
pub(crate) struct AnswerReader<G: Spoken> {
    pub(crate) protocol: G::Protocol,
    /// Lines that will be heard again when their seat is asked.
    pub(crate) later: PerSeat<VecDeque<String>>,
    /// Of the answer that is awaited.
    lines: PerSeat<Vec<String>>,
    ignored: PerSeat<Vec<String>>,
}

impl<G: Spoken> AnswerReader<G> {
    pub(crate) fn new(protocol: G::Protocol) -> Self {
        AnswerReader {
            protocol,
            later: PerSeat::default(),
            lines: PerSeat::default(),
            ignored: PerSeat::default(),
        }
    }

    pub(crate) fn hear(
        &mut self,
        seat: Seat,
        asked: bool,
        line: &str,
        out: &mut Outbox,
    ) -> Option<Meaning<G::Action>> {
        if asked {
            self.lines[seat].push(line.to_owned());
        }
        match self.protocol.hear(seat, asked, line, out) {
            Intake::More => None,
            Intake::Ignored => {
                if asked {
                    self.ignored[seat].push(line.to_owned());
                }
                None
            }
            Intake::Later => {
                self.later[seat].push_back(line.to_owned());
                None
            }
            Intake::Action(action) => Some(Meaning::Action(action)),
            Intake::Malformed(error) => Some(Meaning::Malformed(error)),
        }
    }

    /// An answer that is complete.
    pub(crate) fn answer(
        &mut self,
        seat: Seat,
        meaning: Meaning<G::Action>,
        wall: Option<Duration>,
    ) -> Answer<G::Action> {
        let lines = std::mem::take(&mut self.lines[seat]);
        let ignored = std::mem::take(&mut self.ignored[seat]);
        Answer { lines, ignored, meaning, wall }
    }

    /// What came before the question can be the answer to it.
    pub(crate) fn prompt(&mut self, seat: Seat, view: &G::View) -> Option<Answer<G::Action>> {
        let mut out = Outbox::default();
        self.protocol.prompt(seat, view, &mut out);
        while let Some(line) = self.later[seat].pop_front() {
            if let Some(meaning) = self.hear(seat, true, &line, &mut out) {
                return Some(self.answer(seat, meaning, None));
            }
        }
        None
    }

    /// What was said for a step that is over belongs to no other.
    pub(crate) fn forget(&mut self) {
        self.lines = PerSeat::default();
        self.ignored = PerSeat::default();
    }
}
