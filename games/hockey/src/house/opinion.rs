//! What the champion thinks of a position.

use quintain_core::{Opine, Seat, expectation, unhurried};

use super::search::{Limits, PROVEN, Search};
use super::worth::Taste;
use crate::Hockey;

/// The worth of a lead that is often lost again.
const SPREAD: f64 = 300.0;

impl Opine for Hockey {
    fn opinion(&self, nodes: u64) -> f64 {
        let limits = Limits::nodes(nodes);
        let mut search = Search::new(Taste { salt: 0 }, &limits);
        let found = unhurried(|thinking| search.best(self.board(), limits, thinking));
        let own = match found.worth {
            worth if worth.abs() >= PROVEN => f64::from(worth.signum()),
            worth => expectation(f64::from(worth) / SPREAD),
        };
        if self.board().active() == Seat::First { own } else { -own }
    }
}
