//! Those who are told of a match step by step, with the types of its game.

use quintain_core::{Game, Replies};

use crate::{Message, StepRecord};

/// Follows a match, while it is played or when it is played again: both tell the same. No method has a
/// default, so that a follower which passes on what it is told cannot lose anything.
pub trait Follower<G: Game> {
    /// All are seated, and the first question is about to leave with all that is said before it.
    fn begin(&mut self, game: &G, said: &[Message]);

    fn step(&mut self, step: &Step<'_, G>);

    /// Called now and then while nothing happens. Nobody thinks in a match that is played again.
    fn idle(&mut self);
}

/// A step, and what came of it.
pub struct Step<'a, G: Game> {
    /// After the step.
    pub game: &'a G,
    pub record: &'a StepRecord,
    /// What the step was played with.
    pub replies: &'a Replies<G::Action>,
    pub events: &'a [G::Event],
    /// What was said to the bots since the step before, in order across both seats: answers to what they
    /// said, what they are told of this step, and the questions that follow from it.
    pub said: &'a [Message],
}

/// Follows nothing: for those who only want the result.
impl<G: Game> Follower<G> for () {
    fn begin(&mut self, _game: &G, _said: &[Message]) {}

    fn step(&mut self, _step: &Step<'_, G>) {}

    fn idle(&mut self) {}
}
