//! The mixtures of a fencer who looks some turns ahead on top of the values, for all bouts at once.

use std::collections::BTreeMap;

use super::matrix::ACTIONS_MAX;
use super::{Bout, Duel, Gains, Values};

/// Looks so many turns ahead. What a bout is found to be worth with some turns left depends on what others
/// are with fewer, so layers are kept for as long as they are needed.
pub struct Ahead<'a> {
    duel: &'a Duel,
    values: &'a Values,
    turns: usize,
    /// By turns looked ahead and turns left.
    layers: BTreeMap<(usize, usize), Vec<f32>>,
}

impl<'a> Ahead<'a> {
    pub fn new(duel: &'a Duel, values: &'a Values, turns: usize) -> Ahead<'a> {
        Ahead { duel, values, turns, layers: BTreeMap::new() }
    }

    /// How often the first fencer should play which action in every bout with so many turns left, by the
    /// numbers of the piste. To be asked for more and more turns.
    pub fn mixtures(&mut self, turns_left: usize) -> Vec<[f32; ACTIONS_MAX]> {
        self.layers.retain(|&(_, left), _| left + 2 * self.turns >= turns_left);
        let (next, later) = self.after(self.turns, turns_left);
        let piste = self.values.piste();
        let worth = |bout: &Bout, is_later: bool| {
            self.layers[if is_later { &later } else { &next }][piste.index(bout)]
        };
        let mixture =
            |bout| Gains::of(self.duel, &bout, worth).solve().first.map(|share| share as f32);
        piste.all().map(mixture).collect()
    }

    /// Makes the layers on which one stands: that of the next turn, and that of the turn after a respawn.
    fn after(&mut self, ahead: usize, turns_left: usize) -> ((usize, usize), (usize, usize)) {
        let keys = [1, 2].map(|turns| (ahead - 1, turns_left.saturating_sub(turns)));
        for (ahead, turns_left) in keys {
            self.make(ahead, turns_left);
        }
        (keys[0], keys[1])
    }

    fn make(&mut self, ahead: usize, turns_left: usize) {
        if self.layers.contains_key(&(ahead, turns_left)) {
            return;
        }
        let piste = self.values.piste();
        let layer = if ahead == 0 || turns_left == 0 {
            piste.all().map(|bout| self.values.worth(&bout, turns_left)).collect()
        } else {
            let (next, later) = self.after(ahead, turns_left);
            let worth = |bout: &Bout, is_later: bool| {
                self.layers[if is_later { &later } else { &next }][piste.index(bout)]
            };
            piste
                .all()
                .map(|bout| Gains::of(self.duel, &bout, worth).solve().worth as f32)
                .collect()
        };
        self.layers.insert((ahead, turns_left), layer);
    }
}
