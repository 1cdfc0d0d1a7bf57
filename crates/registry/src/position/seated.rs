//! House bots that play on from a position.

use std::time::{Duration, Instant};

use quintain_core::{Bot, PerSeat, Thinking};

use super::played::{Position, Positioned};
use super::{AdvanceError, AnyPosition, Choice};

/// A position on whose seats house bots sit, who play on.
pub trait Seated {
    fn position(&self) -> &dyn AnyPosition;

    /// Asks those that are to act, and plays what they answer.
    ///
    /// # Errors
    /// The match is over.
    fn step(&mut self) -> Result<Answers, AdvanceError>;
}

/// What house bots answered in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// As the game's notation writes it; nothing where a seat was not to act.
    pub texts: PerSeat<Option<String>>,
    /// How long they thought, all in all.
    pub took: Duration,
}

/// A bot on each seat of a game's own type.
pub(super) struct AtSeats<G: Positioned> {
    pub(super) position: Position<G>,
    pub(super) bots: PerSeat<Box<dyn Bot<G>>>,
}

impl<G: Positioned> Seated for AtSeats<G> {
    fn position(&self) -> &dyn AnyPosition {
        &self.position
    }

    fn step(&mut self) -> Result<Answers, AdvanceError> {
        let game = &self.position.game;
        let begun = Instant::now();
        let actions = PerSeat::from_fn(|seat| {
            let asked = Instant::now();
            let mut elapsed = || asked.elapsed();
            let mut thinking = Thinking::new(&mut elapsed, game.time_limit(seat));
            let is_asked = game.to_act().contains(seat);
            is_asked.then(|| self.bots[seat].act(&game.view(seat), &mut thinking))
        });
        let took = begun.elapsed();
        let texts = actions.map(|_, action| action.as_ref().map(G::write));
        let choices = texts.as_ref().map(|_, text| text.as_deref().map(Choice::Text));
        self.position.advance(choices, None)?;
        Ok(Answers { texts, took })
    }
}
