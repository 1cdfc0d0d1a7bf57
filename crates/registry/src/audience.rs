//! Those who watch a match while it is played.

use quintain_core::PerSeat;
use quintain_core::scene::{Frame, Stage};

/// What is known before the first frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Programme {
    pub title: &'static str,
    pub turn_name: &'static str,
    /// Safe to show.
    pub names: PerSeat<String>,
    pub stage: Stage,
}

/// Watches a match. All methods have a default: watch what you like.
pub trait Audience {
    /// Whether frames are wanted; drawing costs time that a fast match does not have.
    fn wants_frames(&self) -> bool {
        false
    }

    /// All are seated: the first prompt follows.
    fn start(&mut self) {}

    /// Called before the first frame.
    fn begin(&mut self, _programme: &Programme) {}

    /// The start, then the position after each step.
    fn frame(&mut self, _frame: &Frame) {}

    /// The match is decided and everything has been said, but connections are still open.
    fn over(&mut self, _next_message_id: u64) {}
}

/// Waits for the end, to let in the next: [`Audience::over`] as a function, which is called once.
pub struct Doorkeeper<F>(Option<F>);

impl<F: FnOnce(u64)> Doorkeeper<F> {
    pub fn new(on_over: F) -> Self {
        Doorkeeper(Some(on_over))
    }
}

impl<F: FnOnce(u64)> Audience for Doorkeeper<F> {
    fn over(&mut self, next_message_id: u64) {
        if let Some(on_over) = self.0.take() {
            on_over(next_message_id);
        }
    }
}

/// An empty house.
pub struct Nobody;

impl Audience for Nobody {}
