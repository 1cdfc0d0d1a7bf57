//! Those who watch a match while it is played, without its types.

use quintain_core::scene::{Eye, Frame, Stage};
use quintain_core::{Outcome, PerSeat, Seat};

use crate::Question;

/// What is known before the first frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmHead {
    pub title: &'static str,
    pub turn_name: &'static str,
    /// Safe to show.
    pub names: PerSeat<String>,
    pub stage: Stage,
    /// How long a turn takes at the usual speed.
    pub turn_ms: u32,
}

/// How a match was decided, before its connections are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    pub outcome: Outcome,
    /// As [`Spectate::standing`](quintain_core::Spectate::standing).
    pub standing: Option<PerSeat<i64>>,
    pub turns: u32,
    /// The number of the first message that is not part of the match, where messages have numbers.
    pub next_message_id: u64,
}

/// Watches a match. All methods have a default: watch what you like. Nobody wraps a spectator but [`Both`]; one
/// that passed on what it is told could lose a call.
pub trait Spectator: Send {
    /// Whether frames are wanted; drawing costs time that a fast match does not have.
    fn wants_frames(&self) -> bool {
        false
    }

    /// Whose eyes frames are for: each of them is shown every frame as it sees it.
    fn eyes(&self) -> Vec<Eye> {
        vec![Eye::All]
    }

    /// Whether somebody here answers for a seat and wants to be asked.
    fn answers_for(&self, _seat: Seat) -> bool {
        false
    }

    /// A seat that somebody here answers for is to act, in the position of the last frame.
    fn asked(&mut self, _question: Box<dyn Question>) {}

    /// All are seated: the first prompt follows.
    fn start(&mut self) {}

    /// Called before the first frame.
    fn begin(&mut self, _head: &FilmHead) {}

    /// The start, then the position after each step, as one of the eyes sees it.
    fn frame(&mut self, _eye: Eye, _frame: &Frame) {}

    /// The match is decided and everything has been said, but connections are still open.
    fn decided(&mut self, _end: &Decided) {}
}

/// Two who watch the same match, with the eyes of the first. Whoever is asked is the first as well.
pub struct Both(pub Box<dyn Spectator>, pub Box<dyn Spectator>);

impl Both {
    /// Those who want frames.
    fn framed(&mut self) -> impl Iterator<Item = &mut Box<dyn Spectator>> {
        [&mut self.0, &mut self.1].into_iter().filter(|one| one.wants_frames())
    }
}

impl Spectator for Both {
    fn wants_frames(&self) -> bool {
        self.0.wants_frames() || self.1.wants_frames()
    }

    fn eyes(&self) -> Vec<Eye> {
        self.0.eyes()
    }

    fn answers_for(&self, seat: Seat) -> bool {
        self.0.answers_for(seat)
    }

    fn asked(&mut self, question: Box<dyn Question>) {
        self.0.asked(question);
    }

    fn start(&mut self) {
        self.0.start();
        self.1.start();
    }

    fn begin(&mut self, head: &FilmHead) {
        self.framed().for_each(|one| one.begin(head));
    }

    fn frame(&mut self, eye: Eye, frame: &Frame) {
        self.framed().for_each(|one| one.frame(eye, frame));
    }

    fn decided(&mut self, end: &Decided) {
        self.0.decided(end);
        self.1.decided(end);
    }
}

/// Watches nothing.
pub struct NoSpectator;

impl Spectator for NoSpectator {}

/// Waits for the end and does nothing else.
impl<F: FnMut(&Decided) + Send> Spectator for F {
    fn decided(&mut self, end: &Decided) {
        self(end);
    }
}
