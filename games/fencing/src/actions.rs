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
    Row { action, code, energy, energy_transfer, step, distance, drug, league, ability }
}

/// What two actions do to each other, as the rules use it: everything that follows from the table
/// alone is added up before any match begins, since in random play no branch could be foreseen.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct Exchange {
    pub(crate) energy: [i16; 2],
    /// Along the piste: the second seat's steps count downwards.
    pub(crate) step: [i16; 2],
    /// Up to which distance the seat touches, the other's parry included; below 0 without a lunge.
    pub(crate) reach: [i16; 2],
    /// What a parry that holds moves from the second seat to the first; below 0 the other way.
    pub(crate) transfer: i16,
}

/// Added to a position per unit of a move: the second fencer comes from the high end.
pub(crate) const FACING: [i16; 2] = [1, -1];
/// Below any distance, whatever drugs add to it.
const NO_REACH: i16 = -1000;
/// The place of an action that was not carried out.
const NOTHING: usize = TABLE.len();
const PLACES: usize = NOTHING + 1;

/// By the places of both actions in the table, the first seat's times 16.
const EXCHANGES: [Exchange; PLACES * PLACES] = {
    let mut exchanges = [Exchange::of([&IDLE, &IDLE]); PLACES * PLACES];
    let mut index = 0;
    while index < exchanges.len() {
        exchanges[index] = Exchange::of([row_at(index / PLACES), row_at(index % PLACES)]);
        index += 1;
    }
    exchanges
};

/// Costs nothing and does nothing: all that is left of an action once energy has run out.
const IDLE: Row = row(Action::Break, "", [0, 0, 0, 0, 0], 0, Ability::Break);

const fn row_at(place: usize) -> &'static Row {
    if place == NOTHING {
        return &IDLE;
    }
    assert!(TABLE[place].action as usize == place, "the table is in the order of the actions");
    &TABLE[place]
}

impl Exchange {
    /// `None` is an action that was not carried out.
    #[inline(always)]
    pub(crate) fn new(orders: [Option<Action>; 2]) -> Exchange {
        let place = |order: Option<Action>| order.map_or(NOTHING, |action| action as usize);
        let index = place(orders[0]) * PLACES + place(orders[1]);
        // The remainder changes nothing; it tells the compiler that the index is in range.
        EXCHANGES[index % EXCHANGES.len()]
    }

    const fn of([first, second]: [&Row; 2]) -> Exchange {
        Exchange {
            energy: [first.energy as i16, second.energy as i16],
            step: [first.step as i16 * FACING[0], second.step as i16 * FACING[1]],
            reach: [reach(first, second), reach(second, first)],
            transfer: transfer(second, first) - transfer(first, second),
        }
    }

    /// Adds a fencer's ability to the figure of its action. A drug's own ability is not used by it.
    #[inline]
    pub(crate) fn add_ability(&mut self, seat: usize, action: Action, ability: i16) {
        let usage = &USAGES[action as usize];
        self.energy[seat] += ability & usage.recovers;
        self.step[seat] += (ability & usage.moves) * FACING[seat];
        self.reach[seat] += ability & usage.strikes;
        self.reach[1 - seat] += ability & usage.guards;
    }
}

const fn reach(striker: &Row, defender: &Row) -> i16 {
    if striker.distance <= 0 {
        return NO_REACH;
    }
    let parry = if defender.distance < 0 { defender.distance } else { 0 };
    striker.distance as i16 + parry as i16
}

/// What the defender gains if its parry holds.
const fn transfer(striker: &Row, defender: &Row) -> i16 {
    if striker.distance > 0 { defender.energy_transfer as i16 } else { 0 }
}

/// Which figure of an action its ability is added to: all ones for that, none for the others.
#[derive(Clone, Copy)]
struct Usage {
    recovers: i16,
    moves: i16,
    strikes: i16,
    guards: i16,
}

const USAGES: [Usage; TABLE.len()] = {
    let mut usages = [Usage::of(&TABLE[0]); TABLE.len()];
    let mut place = 0;
    while place < TABLE.len() {
        usages[place] = Usage::of(&TABLE[place]);
        place += 1;
    }
    usages
};

impl Usage {
    const fn of(row: &Row) -> Usage {
        Usage {
            recovers: mask(row.energy > 0),
            moves: mask(row.step != 0),
            strikes: mask(row.distance > 0),
            guards: mask(row.distance < 0),
        }
    }
}

const fn mask(is_set: bool) -> i16 {
    if is_set { -1 } else { 0 }
}
