//! One fencer: the twelve numbers of a line of the protocol.

use std::ops::{Index, IndexMut};

use crate::Action;

/// Positions of the piste.
pub const PISTE_END: i16 = 500;
/// The gauge at the start of a match, full.
pub const ENERGY_START: i16 = 20;
/// One drug more is doping.
pub const DRUGS_MAX: u8 = 7;

/// The state of one fencer. Everything but the position is kept over a respawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fencer {
    pub position: i16,
    /// Below 0 only when the match is over.
    pub energy: i16,
    /// The document's score.
    pub points: i16,
    pub drugs: u8,
    pub abilities: Abilities,
}

/// What a drug can change, in the order of the protocol's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ability {
    EnergyMax,
    Break,
    Walk,
    DoubleWalk,
    Retreat,
    DoubleRetreat,
    LungeDistance,
    ParryDistance,
}

impl Ability {
    pub const ALL: [Ability; 8] = [
        Ability::EnergyMax,
        Ability::Break,
        Ability::Walk,
        Ability::DoubleWalk,
        Ability::Retreat,
        Ability::DoubleRetreat,
        Ability::LungeDistance,
        Ability::ParryDistance,
    ];
}

/// The gauge's size and the seven skills. All stay within -35..=70.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities([i8; 8]);

impl Abilities {
    /// No drug taken.
    pub const START: Abilities = Abilities([ENERGY_START as i8, 0, 0, 0, 0, 0, 0, 0]);
}

impl Index<Ability> for Abilities {
    type Output = i8;

    #[inline]
    fn index(&self, ability: Ability) -> &i8 {
        &self.0[ability as usize]
    }
}

impl IndexMut<Ability> for Abilities {
    #[inline]
    fn index_mut(&mut self, ability: Ability) -> &mut i8 {
        &mut self.0[ability as usize]
    }
}

impl Fencer {
    /// A fencer at the start of a match.
    pub const fn new(position: i16) -> Fencer {
        Fencer { position, energy: ENERGY_START, points: 0, drugs: 0, abilities: Abilities::START }
    }

    #[inline]
    pub fn energy_max(&self) -> i16 {
        i16::from(self.abilities[Ability::EnergyMax])
    }

    /// The same fencer, seen from the other end of the piste.
    #[inline]
    pub fn mirrored(mut self) -> Fencer {
        self.position = PISTE_END - self.position;
        self
    }

    /// Whether an action neither dopes the fencer nor exhausts it, whatever the other does. BREAK
    /// never does.
    #[inline]
    pub fn can_afford(&self, action: Action) -> bool {
        let risk = match action {
            Action::Lunge => i16::from(Action::Parry.row().energy_transfer),
            _ => 0,
        };
        let is_paid = self.energy + i16::from(action.row().energy) >= risk;
        let is_clean = !action.is_drug() || self.drugs < DRUGS_MAX;
        is_paid && is_clean
    }
}
