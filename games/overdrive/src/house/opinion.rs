//! What the champion thinks of a position.

use quintain_core::{Opine, Seat, expectation, unhurried};

use super::search::best_worth;
use super::worth::Weights;
use crate::Overdrive;

/// How many blocks are often won or lost again on the last one, and on more of them with their square root.
const SPREAD: f64 = 1.5;

impl Opine for Overdrive {
    /// Each car does its best in turn while the other drives by reflex; half of the difference is the lead.
    fn opinion(&self, nodes: u64) -> f64 {
        let weights = Weights::USUAL;
        let worth = |seat| unhurried(|it| best_worth(self, seat, &weights, nodes / 2, it));
        let [first, second] = Seat::BOTH.map(|seat| f64::from(worth(seat)));
        // A block counts for its own car, and by its share for the other one.
        let lead = (first - second) / f64::from(100 + weights.rival);
        let way = |seat: Seat| self.track().length() - self.cars()[seat].place.block;
        let left = f64::from(way(Seat::First).min(way(Seat::Second)).max(1));
        expectation(lead / (SPREAD * left.sqrt()))
    }
}
