//! The worths of all bouts of leagues 1 and 2, as they come with the crate.

use std::sync::OnceLock;

use super::codec::{decode, encode};
use super::solve::{ENERGIES, PAIRS_OF_ENERGIES};
use super::{Bout, Piste};

/// Worths are kept in steps of 1/512 of a point.
const STEPS: f32 = 512.0;
/// With so few turns left it matters how many there are.
pub const LAST_TURNS: usize = 24;
/// For that, fencers further apart are as far as this.
const DISTANCE_MAX: i16 = 200;

/// What every bout of a league without drugs is worth to the first fencer.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    piste: Piste,
    /// While the end is far away.
    worths: Vec<i16>,
    /// What is added with 1, 2 and so on turns left, by distance and energies.
    last: Vec<i16>,
}

impl Values {
    /// Those of a league that come with the crate.
    pub fn of_league(league: u8) -> &'static Values {
        static FIRST: OnceLock<Values> = OnceLock::new();
        static SECOND: OnceLock<Values> = OnceLock::new();
        let (values, bytes): (_, &[u8]) = match league {
            1 => (&FIRST, include_bytes!("../../data/league-1.worths")),
            _ => (&SECOND, include_bytes!("../../data/league-2.worths")),
        };
        values.get_or_init(|| {
            Values::from_bytes(Piste::of_league(league), bytes)
                .expect("the crate's own data are whole")
        })
    }

    /// Worths as a solver found them: with each number of turns from 1 to [`LAST_TURNS`], then with many.
    ///
    /// # Panics
    /// If there is not a worth for every bout.
    pub fn new(piste: Piste, last: &[Vec<f32>], worths: &[f32]) -> Values {
        assert!(
            worths.len() == piste.bouts() && last.len() == LAST_TURNS,
            "a worth for every bout"
        );
        let mut values = Values {
            piste,
            worths: worths.iter().map(|&worth| steps(worth)).collect(),
            last: Vec::new(),
        };
        for layer in last {
            for index in 0..layer_size(piste) {
                let bout = middle_bout(piste, index);
                let difference = |bout: &Bout| layer[piste.index(bout)] - worths[piste.index(bout)];
                let mirrored = Piste::mirrored(&bout);
                values.last.push(steps((difference(&bout) - difference(&mirrored)) / 2.0));
            }
        }
        values
    }

    pub fn piste(&self) -> Piste {
        self.piste
    }

    /// What a bout is worth with so many turns left.
    #[inline]
    pub fn worth(&self, bout: &Bout, turns_left: usize) -> f32 {
        let lasting = self.worths[self.piste.index(bout)];
        let added = match turns_left {
            0 => return 0.0,
            1..=LAST_TURNS => self.last[self.last_index(bout, turns_left)],
            _ => 0,
        };
        (f32::from(lasting) + f32::from(added)) / STEPS
    }

    fn last_index(&self, bout: &Bout, turns_left: usize) -> usize {
        let distance = (bout.positions[1] - bout.positions[0]).min(DISTANCE_MAX) / self.piste.step;
        let [own, others] = bout.energies.map(|energy| energy as usize);
        let energies = own * ENERGIES + others;
        (turns_left - 1) * layer_size(self.piste) + distance as usize * PAIRS_OF_ENERGIES + energies
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(&self.worths, |index| mirror_of(self.piste, index), &mut bytes);
        encode(&self.last, mirror_of_last, &mut bytes);
        bytes
    }

    /// The inverse of [`Values::to_bytes`]; `None` if these are not the bytes of such a piste.
    pub fn from_bytes(piste: Piste, bytes: &[u8]) -> Option<Values> {
        let bytes = &mut bytes.iter().copied();
        let worths = decode(piste.bouts(), |index| mirror_of(piste, index), bytes)?;
        let last = decode(LAST_TURNS * layer_size(piste), mirror_of_last, bytes)?;
        bytes.next().is_none().then_some(Values { piste, worths, last })
    }
}

fn steps(worth: f32) -> i16 {
    (worth * STEPS) as i16
}

fn layer_size(piste: Piste) -> usize {
    ((DISTANCE_MAX / piste.step) as usize + 1) * PAIRS_OF_ENERGIES
}

/// A bout about the middle of the piste, by its number among the distances and energies.
fn middle_bout(piste: Piste, index: usize) -> Bout {
    let distance = (index / PAIRS_OF_ENERGIES) as i16 * piste.step;
    let first = (crate::PISTE_END - distance) / 2 / piste.step * piste.step;
    let energies = [index / ENERGIES % ENERGIES, index % ENERGIES].map(|energy| energy as i16);
    Bout { positions: [first, first + distance], energies }
}

fn mirror_of(piste: Piste, index: usize) -> usize {
    piste.index(&Piste::mirrored(&piste.bout(index)))
}

/// The same distance with the energies exchanged.
fn mirror_of_last(index: usize) -> usize {
    let (own, others) = (index / ENERGIES % ENERGIES, index % ENERGIES);
    index - index % PAIRS_OF_ENERGIES + others * ENERGIES + own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collision;
    use crate::duel::{Duel, Gains};

    #[test]
    fn the_data_are_read_back_and_broken_data_are_refused() {
        let values = Values::of_league(1);
        let bytes = values.to_bytes();
        assert_eq!(Values::from_bytes(values.piste(), &bytes).as_ref(), Some(values));
        assert_eq!(Values::from_bytes(values.piste(), &bytes[1..]), None);
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Values::from_bytes(values.piste(), &longer), None);
    }

    /// A sample, solved anew: a bout is worth what its best mixtures lead to, as the data say of what follows.
    #[test]
    fn the_data_agree_with_the_rules() {
        for league in [1, 2] {
            let (values, duel) =
                (Values::of_league(league), Duel::plain(league, Collision::Passed));
            for bout in values.piste().all().step_by(211) {
                let gains = Gains::of(&duel, &bout, |next, _| values.worth(next, usize::MAX));
                let error = gains.solve().worth as f32 - values.worth(&bout, usize::MAX);
                assert!(error.abs() < 3.0 / STEPS, "{bout:?}: {error}");
            }
        }
    }

    #[test]
    fn a_bout_is_worth_as_much_to_one_as_it_costs_the_other() {
        for league in [1, 2] {
            let values = Values::of_league(league);
            for bout in values.piste().all().step_by(97) {
                let mirrored = Piste::mirrored(&bout);
                for turns in [1, 7, 200] {
                    let error = values.worth(&bout, turns) + values.worth(&mirrored, turns);
                    assert!(error.abs() < 1e-6, "{bout:?}");
                }
            }
        }
    }
}
