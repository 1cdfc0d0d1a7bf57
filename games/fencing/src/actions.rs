//! The document's table of actions, in its order, and the same figures as the rules use them.

use crate::{Ability, Action};

/// One row of the document's raw data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub action: Action,
    /// The word that a bot writes.
    pub code: &'static str,
    pub energy: i8,
    pub energy_transfer: i8,
    /// The document's `move`, along the fencer's own facing.
    pub step: i8,
    pub distance: i8,
    /// What a drug adds to the ability.
    pub drug: i8,
    /// The first league that has it.
    pub league: u8,
    /// What is added to the action's figure; for a drug, what it changes.
    pub ability: Ability,
}

/// All actions. The three leagues have the first five, the first seven, and all fifteen.
#[rustfmt::skip]
pub const TABLE: [Row; 15] = {
    use Ability as A;
    use Action::*;
    [
        row(Break, "BREAK", [2, 0, 0, 0, 0], 1, A::Break),
        row(Walk, "WALK", [-1, 0, 20, 0, 0], 1, A::Walk),
        row(Retreat, "RETREAT", [-1, 0, -20, 0, 0], 1, A::Retreat),
        row(Lunge, "LUNGE", [-5, 0, 0, 40, 0], 1, A::LungeDistance),
        row(Parry, "PARRY", [-2, 2, 0, -40, 0], 1, A::ParryDistance),
        row(DoubleWalk, "DOUBLE_WALK", [-4, 0, 40, 0, 0], 2, A::DoubleWalk),
        row(DoubleRetreat, "DOUBLE_RETREAT", [-4, 0, -30, 0, 0], 2, A::DoubleRetreat),
        row(LungeDrug, "LUNGE_DRUG", [-5, 0, 0, 0, 5], 3, A::LungeDistance),
        row(ParryDrug, "PARRY_DRUG", [-5, 0, 0, 0, -5], 3, A::ParryDistance),
        row(EnergyMaxDrug, "ENERGY_MAX_DRUG", [-5, 0, 0, 0, 5], 3, A::EnergyMax),
        row(WalkDrug, "WALK_DRUG", [-5, 0, 0, 0, 5], 3, A::Walk),
        row(RetreatDrug, "RETREAT_DRUG", [-5, 0, 0, 0, 5], 3, A::Retreat),
        row(DoubleWalkDrug, "DOUBLE_WALK_DRUG", [-5, 0, 0, 0, 10], 3, A::DoubleWalk),
        row(DoubleRetreatDrug, "DOUBLE_RETREAT_DRUG", [-5, 0, 0, 0, 10], 3, A::DoubleRetreat),
        row(BreakDrug, "BREAK_DRUG", [-5, 0, 0, 0, 10], 3, A::Break),
    ]
};

/// The figures are energy, energy transfer, move, distance and drug, as in the document.
const fn row(
    action: Action,
    code: &'static str,
    [energy, energy_transfer, step, distance, drug]: [i8; 5],
    league: u8,
    ability: Ability,
) -> Row {
    Row {
        action,
        code,
        energy,
        energy_transfer,
        step,
        distance,
        drug,
        league,
        ability,
    }
}

/// A row as the rules use it: every action but a drug has one figure to which one ability is added,
/// and masks say what that sum is. So no action needs a branch, which in random play could not be
/// foreseen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    /// Energy that no ability changes.
    pub(crate) cost: i16,
    /// Recovery of BREAK, step of a move, distance of LUNGE or PARRY.
    pub(crate) figure: i16,
    /// Where the ability stands in [`Abilities`](crate::Abilities).
    pub(crate) ability: u16,
    /// All ones for BREAK, none otherwise; the next three likewise.
    pub(crate) recovers: i16,
    pub(crate) moves: i16,
    pub(crate) strikes: i16,
    pub(crate) guards: i16,
    /// What a successful parry takes from the striker and gives to the defender.
    pub(crate) transfer: i16,
}

/// One effect per action, by its number.
pub(crate) const EFFECTS: [Effect; TABLE.len()] = {
    let mut effects = [Effect::of(&TABLE[0]); TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        assert!(
            TABLE[index].action as usize == index,
            "the table is in the order of the actions"
        );
        effects[index] = Effect::of(&TABLE[index]);
        index += 1;
    }
    effects
};

impl Effect {
    const fn of(row: &Row) -> Effect {
        let recovers = row.energy > 0;
        // At most one of the three is not 0.
        let figure = if recovers {
            row.energy
        } else {
            row.step + row.distance
        };
        Effect {
            cost: if recovers { 0 } else { row.energy as i16 },
            figure: figure as i16,
            ability: row.ability as u16,
            recovers: mask(recovers),
            moves: mask(row.step != 0),
            strikes: mask(row.distance > 0),
            guards: mask(row.distance < 0),
            transfer: row.energy_transfer as i16,
        }
    }
}

const fn mask(is_set: bool) -> i16 {
    if is_set { -1 } else { 0 }
}
