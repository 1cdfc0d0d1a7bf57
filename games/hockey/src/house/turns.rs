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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quintain_core::{Chance, SplitMix64};

    use super::*;
    use crate::{Board, Landing};

    /// The ends of all turns, order by order of their throws.
    fn every_end(board: &Board, ends: &mut BTreeSet<Vec<u8>>, left: &mut u32) {
        for direction in board.exits(board.puck()).iter() {
            let mut next = *board;
            *left = left.saturating_sub(1);
            match next.throw(direction) {
                Landing::Passed => {
                    let mut end = next.free_bytes().to_vec();
                    end.extend([next.puck().x() as u8, next.puck().y() as u8]);
                    ends.insert(end);
                }
                Landing::Bounced if *left > 0 => every_end(&next, ends, left),
                _ => {}
            }
        }
    }

    #[test]
    fn turns_that_use_the_same_lines_are_one_and_none_is_missing() {
        let (mut compared, mut with_rebounds) = (0, 0);
        for seed in 0..300 {
            let mut chance = SplitMix64::new(seed);
            let mut board = Board::START;
            for _ in 0..chance.below(40) {
                let exits = board.exits(board.puck());
                let mut next = board;
                let landing = next.throw(exits.nth(chance.below(exits.count())));
                if matches!(landing, Landing::Passed | Landing::Bounced) {
                    board = next;
                }
            }
            let (mut ends, mut left) = (BTreeSet::new(), 20_000);
            every_end(&board, &mut ends, &mut left);
            if left == 0 {
                continue;
            }
            let mut turns = Turns::default();
            turns.find(&Rink::of(&board), &Nets::of(&board), &mut Seen::new(20_000), 20_000);
            assert!(turns.is_complete);
            assert_eq!(turns.ends.len(), ends.len(), "seed {seed}");
            compared += 1;
            with_rebounds += usize::from(ends.len() > 8);
            for end in &turns.ends {
                let mut played = board;
                let throws = turns.throws_to(end);
                for &direction in &throws[..throws.len() - 1] {
                    assert_eq!(played.throw(direction), Landing::Bounced);
                }
                assert_eq!(played.throw(throws[throws.len() - 1]), Landing::Passed);
                assert_eq!(Rink::of(&played), end.rink);
            }
        }
        assert!(compared > 200 && with_rebounds > 50, "{compared}, {with_rebounds}");
    }
}
