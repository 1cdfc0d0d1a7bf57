//! What a house thinks of a position.

use crate::{Game, Seat};

/// What a strong player expects of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<A> {
    /// For the seat that was asked about, from -1 (lost) to 1 (won).
    pub value: f64,
    /// How it goes on if both play well, beginning with the seat's own action. Empty where nothing is known.
    pub line: Vec<(Seat, A)>,
}

/// A game whose house can say what it thinks of a position. Where a game has no such thing, play-outs of its
/// house bots are asked instead.
pub trait Opine: Game {
    /// At this many positions looked at, so that it is the same on every machine.
    fn opinion(&self, seat: Seat, nodes: u64) -> Opinion<Self::Action>;
}
