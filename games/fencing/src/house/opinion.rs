//! What the champion thinks of a position.

use quintain_core::{Game, Opine, Seat, SplitMix64, expectation, unhurried};

use super::champion::Champion;
use crate::setup::SPAWN;
use crate::{Fencing, TURNS_MAX};

/// How many points are won or lost by chance in the last turn, and in more turns with their square root.
const SPREAD: f64 = 0.35;

impl Opine for Fencing {
    fn opinion(&self, nodes: u64) -> f64 {
        let mut view = self.view(Seat::First);
        if self.to_act().is_empty() {
            [view.own.position, view.opponent.position] = SPAWN.0;
        }
        let turns_left = TURNS_MAX.saturating_sub(self.turn()).max(1);
        let champion = Champion::new(Some(nodes), SplitMix64::new(0));
        let strategy = unhurried(|it| champion.strategy(&view, turns_left as usize, it));
        let lead = f64::from(view.own.points - view.opponent.points) + strategy.worth;
        expectation(lead / (SPREAD * f64::from(turns_left).sqrt()))
    }
}
