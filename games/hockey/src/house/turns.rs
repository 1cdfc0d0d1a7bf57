//! All whole turns of a position. Orders of throws that use the same lines and leave the puck at the same
//! node are one turn.

use quintain_core::Seat;

use super::rink::{Nets, Rink, Step};
use crate::Direction;

/// A position inside a turn, or at its end, and how it came about.
#[derive(Clone, Copy, Debug)]
struct Reached {
    rink: Rink,
    /// The place of the position before among those in which the turn goes on.
    from: u32,
    direction: u8,
}

/// A turn's end and what it is thought to be worth to whoever threw.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) rink: Rink,
    pub(super) worth: i32,
    from: u32,
    direction: u8,
}

/// The turns of one position, shortest first. Own goals and dead ends are left out: they are no way to go.
#[derive(Debug, Default)]
pub(super) struct Turns {
    open: Vec<Reached>,
    pub(super) ends: Vec<End>,
    /// Whether there is no turn beside these.
    pub(super) is_complete: bool,
}

impl Turns {
    /// Finds the turns from a position. Throws at most about `throws_max` times and returns how often.
    pub(super) fn find(
        &mut self,
        rink: &Rink,
        nets: &Nets,
        seen: &mut Seen,
        throws_max: usize,
    ) -> u64 {
        self.open.clear();
        self.ends.clear();
        self.is_complete = true;
        seen.forget();
        self.open.push(Reached { rink: *rink, from: 0, direction: 0 });
        let (mut next, mut throws) = (0, 0);
        while let Some(&Reached { rink, .. }) = self.open.get(next) {
            if throws >= throws_max {
                self.is_complete = false;
                break;
            }
            let mut exits = rink.exits();
            while exits != 0 {
                let direction = exits.trailing_zeros() as u8;
                exits &= exits - 1;
                throws += 1;
                self.try_throw(&rink, direction, next as u32, nets, seen);
            }
            next += 1;
        }
        throws as u64
    }

    #[inline]
    fn try_throw(&mut self, rink: &Rink, direction: u8, from: u32, nets: &Nets, seen: &mut Seen) {
        let mut rink = *rink;
        let step = rink.throw(direction, nets);
        if step == Step::DeadEnd || !seen.is_new(rink.key(Seat::First)) {
            return;
        }
        match step {
            Step::Passed => self.ends.push(End { rink, worth: 0, from, direction }),
            _ => self.open.push(Reached { rink, from, direction }),
        }
    }

    /// The throws that lead to an end.
    pub(super) fn throws_to(&self, end: &End) -> Vec<Direction> {
        let mut throws = vec![Direction::from_number(end.direction)];
        let mut place = end.from as usize;
        while place != 0 {
            throws.push(Direction::from_number(self.open[place].direction));
            place = self.open[place].from as usize;
        }
        throws.reverse();
        throws
    }

    /// The longest way found that goes on, for a position without a known end.
    pub(super) fn throws_on(&self) -> Vec<Direction> {
        let last = self.open.last().filter(|_| self.open.len() > 1);
        last.map_or(Vec::new(), |&Reached { rink, from, direction }| {
            self.throws_to(&End { rink, worth: 0, from, direction })
        })
    }
}

/// The positions that one search for turns has come across: a table with open addresses that is emptied
/// by counting on.
#[derive(Debug)]
pub(super) struct Seen {
    slots: Vec<(u64, u32)>,
    round: u32,
}

impl Seen {
    /// Room for so many throws.
    pub(super) fn new(throws: usize) -> Seen {
        Seen { slots: vec![(0, 0); (2 * throws + 16).next_power_of_two()], round: 0 }
    }

    fn forget(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill((0, 0));
            self.round = 1;
        }
    }

    #[inline]
    fn is_new(&mut self, key: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut place = key as usize & mask;
        loop {
            let slot = &mut self.slots[place];
            if slot.1 != self.round {
                *slot = (key, self.round);
                return true;
            }
            if slot.0 == key {
                return false;
            }
            place = (place + 1) & mask;
        }
    }
}
