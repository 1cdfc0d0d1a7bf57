//! Value iteration: what every bout of a league without drugs is worth, one turn longer each time.

use std::cmp::Ordering;

use super::matrix::ACTIONS_MAX;
use super::{After, Bout, Duel, STAKE, Solution, solve_matrix};
use crate::fencer::{ENERGY_START, PISTE_END};
use crate::setup::SPAWN;

/// Energies from 0 to the gauge.
pub(super) const ENERGIES: usize = ENERGY_START as usize + 1;
pub(super) const PAIRS_OF_ENERGIES: usize = ENERGIES * ENERGIES;

/// Where the fencers of a league without drugs can stand: multiples of a step, the first not beyond the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piste {
    /// Positions are multiples of this.
    pub step: i16,
}

impl Piste {
    /// All moves of league 1 are 20 long; one of league 2 is 30.
    pub fn of_league(league: u8) -> Piste {
        Piste { step: if league == 1 { 20 } else { 10 } }
    }

    fn places(self) -> usize {
        (PISTE_END / self.step) as usize + 1
    }

    /// How many bouts there are.
    pub fn bouts(self) -> usize {
        self.places() * (self.places() + 1) / 2 * PAIRS_OF_ENERGIES
    }

    /// The number of a bout.
    #[inline]
    pub fn index(self, bout: &Bout) -> usize {
        let [first, second] = bout.positions.map(|position| (position / self.step) as usize);
        let [own, others] = bout.energies.map(|energy| energy as usize);
        (second * (second + 1) / 2 + first) * PAIRS_OF_ENERGIES + own * ENERGIES + others
    }

    /// The bout of a number.
    pub fn bout(self, index: usize) -> Bout {
        let energies = [index / ENERGIES % ENERGIES, index % ENERGIES].map(|energy| energy as i16);
        let pair = index / PAIRS_OF_ENERGIES;
        let mut second = 0;
        while (second + 1) * (second + 2) / 2 <= pair {
            second += 1;
        }
        let places = [pair - second * (second + 1) / 2, second];
        Bout { positions: places.map(|place| place as i16 * self.step), energies }
    }

    /// All bouts in the order of their numbers.
    pub fn all(self) -> impl Iterator<Item = Bout> {
        (0..self.bouts()).map(move |index| self.bout(index))
    }

    /// The same bout seen from the other end: worth as much to the second as this to the first.
    pub fn mirrored(bout: &Bout) -> Bout {
        let [first, second] = bout.positions;
        let [own, others] = bout.energies;
        Bout { positions: [PISTE_END - second, PISTE_END - first], energies: [others, own] }
    }
}

/// Both back at their places.
pub(super) fn respawned(energies: [i16; 2]) -> Bout {
    Bout { positions: SPAWN.0, energies }
}

/// What each pair of actions gains the first, with `worth` telling what comes after: of a bout, and whether
/// it begins a turn later than the next.
pub(crate) struct Gains {
    pub(crate) rows: [usize; ACTIONS_MAX],
    pub(crate) columns: [usize; ACTIONS_MAX],
    pub(crate) counts: [usize; 2],
    pub(crate) gains: [[f32; ACTIONS_MAX]; ACTIONS_MAX],
}

impl Gains {
    #[inline]
    pub(crate) fn of(duel: &Duel, bout: &Bout, mut worth: impl FnMut(&Bout, bool) -> f32) -> Gains {
        let mut lists = [[0; ACTIONS_MAX]; 2];
        let mut counts = [0; 2];
        for seat in 0..2 {
            for action in
                (0..duel.actions()).filter(|&action| duel.can_pay(bout.energies[seat], action))
            {
                lists[seat][counts[seat]] = action;
                counts[seat] += 1;
            }
        }
        let [rows, columns] = lists;
        let mut gains = [[0.0; ACTIONS_MAX]; ACTIONS_MAX];
        for row in 0..counts[0] {
            for column in 0..counts[1] {
                gains[row][column] = match duel.after(bout, [rows[row], columns[column]]) {
                    After::Bout(next) => worth(&next, false),
                    After::Respawn { gained, energies } => {
                        f32::from(gained) + worth(&respawned(energies), true)
                    }
                    After::Forfeit { loser: 0 } => -STAKE,
                    After::Forfeit { .. } => STAKE,
                };
            }
        }
        Gains { rows, columns, counts, gains }
    }

    /// The equilibrium, its shares by actions.
    pub(crate) fn solve(&self) -> Solution {
        let [rows, columns] = self.counts;
        let found = solve_matrix(&self.gains[..rows], columns);
        let mut solution =
            Solution { worth: found.worth, first: [0.0; ACTIONS_MAX], second: [0.0; ACTIONS_MAX] };
        for row in 0..rows {
            solution.first[self.rows[row]] = found.first[row];
        }
        for column in 0..columns {
            solution.second[self.columns[column]] = found.second[column];
        }
        solution
    }
}

/// What every bout is worth, by the numbers of the piste: with 1, 2 and so on turns to play, each told to
/// `layer` with what the turn has changed at most, up to the number that is returned.
pub fn solve(
    duel: &Duel,
    piste: Piste,
    turns: usize,
    mut layer: impl FnMut(usize, &[f32], f32),
) -> Vec<f32> {
    let bouts: Vec<Bout> = piste.all().collect();
    let mut worths = vec![0.0; bouts.len()];
    // A respawn takes a turn of its own, so what follows it is worth what it was a turn before.
    let mut before = worths.clone();
    for turn in 1..=turns {
        let mut next = vec![0.0; bouts.len()];
        let mut change: f32 = 0.0;
        for (index, bout) in bouts.iter().enumerate() {
            let mirrored = piste.index(&Piste::mirrored(bout));
            let worth = |bout: &Bout, is_later: bool| {
                if is_later { before[piste.index(bout)] } else { worths[piste.index(bout)] }
            };
            next[index] = match mirrored.cmp(&index) {
                Ordering::Less => -next[mirrored],
                Ordering::Equal => 0.0,
                Ordering::Greater => Gains::of(duel, bout, worth).solve().worth as f32,
            };
            change = change.max((next[index] - worths[index]).abs());
        }
        before = std::mem::replace(&mut worths, next);
        layer(turn, &worths, change);
    }
    worths
}
