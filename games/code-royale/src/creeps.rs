//! The armies: what each kind can do, and the list of a player's.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::Point;

/// The order is that of the wire's numbers, and that in which the kinds move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[repr(u8)]
pub enum CreepKind {
    Knight,
    Archer,
    Giant,
}

/// The document's table of armies, one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    /// Creeps per training.
    pub count: i32,
    /// Gold per training.
    pub cost: i32,
    /// Way per turn.
    pub speed: f64,
    /// How far beyond both rims it reaches.
    pub range: f64,
    pub radius: f64,
    /// How little it is pushed where two collide; a queen has 100.
    pub mass: f64,
    pub hp: i16,
    pub training_turns: u8,
}

const STATS: [Stats; 3] = [
    Stats {
        count: 4,
        cost: 80,
        speed: 100.0,
        range: 0.0,
        radius: 20.0,
        mass: 4.0,
        hp: 30,
        training_turns: 5,
    },
    Stats {
        count: 2,
        cost: 100,
        speed: 75.0,
        range: 200.0,
        radius: 25.0,
        mass: 9.0,
        hp: 45,
        training_turns: 8,
    },
    Stats {
        count: 1,
        cost: 140,
        speed: 50.0,
        range: 0.0,
        radius: 40.0,
        mass: 20.0,
        hp: 200,
        training_turns: 10,
    },
];

impl CreepKind {
    pub const ALL: [CreepKind; 3] = [CreepKind::Knight, CreepKind::Archer, CreepKind::Giant];

    #[inline]
    pub const fn stats(self) -> &'static Stats {
        &STATS[self as usize]
    }

    /// As it stands behind `BARRACKS-`.
    pub const fn word(self) -> &'static str {
        match self {
            CreepKind::Knight => "KNIGHT",
            CreepKind::Archer => "ARCHER",
            CreepKind::Giant => "GIANT",
        }
    }

    /// The inverse of [`CreepKind::word`].
    pub fn from_word(word: &str) -> Option<CreepKind> {
        CreepKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Creep {
    pub place: Point,
    /// Never below 0. A creep at 0 stands in the way until the dead are removed.
    pub hp: i16,
    /// Counts a player's creeps through the match, so that pictures know which is which.
    pub number: u16,
    pub kind: CreepKind,
}

impl Creep {
    #[inline]
    pub(crate) fn hurt(&mut self, damage: i32) {
        self.hp = (i32::from(self.hp) - damage).max(0) as i16;
    }
}

/// Creeps that a list holds without the heap. More than 48 living knights of one player would cost
/// 960 gold within the 30 turns that a knight lives; recorded matches have at most 45 creeps on
/// both sides together. All the gold of a field could buy some 400, so there is no small bound.
pub(crate) const CREEPS_INLINE: usize = 48;

/// The creeps of one player in the order of their creation. More than 48
/// move to the heap, and back when they are few again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creeps {
    inline: ArrayVec<Creep, CREEPS_INLINE>,
    /// All of them, or nothing.
    spill: Vec<Creep>,
}

impl Creeps {
    #[inline]
    pub fn as_slice(&self) -> &[Creep] {
        if self.spill.is_empty() { &self.inline } else { &self.spill }
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Creep] {
        if self.spill.is_empty() { &mut self.inline } else { &mut self.spill }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn push(&mut self, creep: Creep) {
        if self.spill.is_empty() {
            let Err(full) = self.inline.try_push(creep) else {
                return;
            };
            self.spill.extend(self.inline.drain(..));
            self.spill.push(full.element());
        } else {
            self.spill.push(creep);
        }
    }

    pub(crate) fn remove_dead(&mut self) {
        if self.spill.is_empty() {
            self.inline.retain(|creep| creep.hp > 0);
            return;
        }
        self.spill.retain(|creep| creep.hp > 0);
        if self.spill.len() <= CREEPS_INLINE {
            self.inline.extend(self.spill.drain(..));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn creep(number: u16) -> Creep {
        Creep { place: Point::default(), hp: (number % 3) as i16, number, kind: CreepKind::Knight }
    }

    #[test]
    fn a_crowd_keeps_its_order_on_the_heap_and_back() {
        let mut creeps = Creeps::default();
        let mut expected = Vec::new();
        for number in 0..100 {
            creeps.push(creep(number));
            expected.push(creep(number));
            assert_eq!(creeps.as_slice(), expected);
        }
        creeps.remove_dead();
        expected.retain(|creep| creep.hp > 0);
        assert_eq!(creeps.as_slice(), expected);
        for creep in &mut creeps.as_mut_slice()[..40] {
            creep.hurt(2);
        }
        for creep in &mut expected[..40] {
            creep.hp = 0;
        }
        creeps.remove_dead();
        expected.retain(|creep| creep.hp > 0);
        assert_eq!(creeps.as_slice(), expected);
        assert!(creeps.spill.is_empty() && !creeps.is_empty());
        creeps.push(creep(7));
        expected.push(creep(7));
        assert_eq!(creeps.as_slice(), expected);
    }

    #[test]
    fn health_stops_at_zero() {
        let mut creep = creep(2);
        creep.hurt(1);
        assert_eq!(creep.hp, 1);
        creep.hurt(10);
        assert_eq!(creep.hp, 0);
    }

    #[test]
    fn words_are_read_back_and_nothing_else_is() {
        for kind in CreepKind::ALL {
            assert_eq!(CreepKind::from_word(kind.word()), Some(kind));
        }
        for word in ["", "knight", "KNIGHT ", "QUEEN"] {
            assert_eq!(CreepKind::from_word(word), None);
        }
    }
}
