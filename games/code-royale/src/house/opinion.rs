//! What the champion thinks of a position.

use quintain_core::{Game, Opine, Seat, expectation, unhurried};

use super::beam::{Beam, Known};
use super::budget::Budget;
use super::judgement::Weights;
use super::waves::Waves;
use crate::{CodeRoyale, TURNS_MAX};

/// How many points of a judgement are often won or lost again, in the last turn and in a whole match.
const SPREAD_AT_END: f64 = 60.0;
const SPREAD: f64 = 400.0;

impl Opine for CodeRoyale {
    /// Both queens are led in turn, each as if the other stayed; what one could gain more is the difference.
    fn opinion(&self, nodes: u64) -> f64 {
        let [first, second] = Seat::BOTH.map(|seat| best_value(self, seat, nodes / 2));
        let left = f64::from(TURNS_MAX.saturating_sub(self.turn())) / f64::from(TURNS_MAX);
        expectation((first - second) / 2.0 / (SPREAD_AT_END + SPREAD * left))
    }
}

fn best_value(game: &CodeRoyale, seat: Seat, nodes: u64) -> f64 {
    let league = game.league();
    let known = Known { has_mines: league.has_mines(), has_towers: league.has_towers() };
    unhurried(|thinking| {
        let mut budget = Budget::new(nodes.max(1), None, thinking);
        let train = Waves::default().choose(game, seat, &mut budget);
        Beam::default().value(game, seat, (&train, known, Weights::of(league)), &mut budget)
    })
}
