//! What a bout is worth where a search ends.

use crate::ENERGY_START;
use crate::duel::{Bout, Values};

/// What is believed of bouts that are not looked at more closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// As the tables say that come with the crate.
    Known,
    /// As it seems: energy is good, and so is room behind oneself.
    Guessed,
}

/// Points per unit of energy, up to what is of use.
const ENERGY: f32 = 0.04;
const ENERGY_WANTED: i16 = 14;
/// Points per step of the piste behind oneself.
const ROOM: f32 = 0.001;

impl Outlook {
    /// In points, for the first fencer, with so many turns left.
    pub(super) fn worth(self, bout: &Bout, league: u8, turns_left: usize) -> f32 {
        match self {
            Outlook::Known => {
                let energies = bout.energies.map(|energy| energy.min(ENERGY_START));
                let within = Bout { energies, ..*bout };
                Values::of_league(league).worth(&within, turns_left)
            }
            Outlook::Guessed => guess(bout),
        }
    }
}

fn guess(bout: &Bout) -> f32 {
    let [own, others] = bout.energies.map(|energy| f32::from(energy.min(ENERGY_WANTED)));
    let middle = f32::from(bout.positions[0] + bout.positions[1] - crate::PISTE_END);
    (own - others) * ENERGY + middle * ROOM
}
