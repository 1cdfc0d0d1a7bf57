//! What a search remembers of positions that it has seen.

use super::search::PROVEN;

/// Records that there is room for at least and at most.
const RECORDS_MIN: u64 = 1 << 8;
const RECORDS_MAX: u64 = 1 << 18;

/// How a remembered worth relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    /// What a search between `alpha` and `beta` says by its result.
    pub(super) fn of(worth: i32, [alpha, beta]: [i32; 2]) -> Bound {
        if worth >= beta {
            Bound::AtLeast
        } else if worth <= alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Wins are counted in turns from the position itself, not from where a search began.
    worth: i32,
    bound: Bound,
    depth: u8,
    /// The key of the best turn's end.
    pub(super) best: u64,
}

impl Record {
    pub(super) fn new(worth: i32, bound: Bound, depth: usize, ply: usize, best: u64) -> Record {
        Record { worth: from_here(worth, ply as i32), bound, depth: depth as u8, best }
    }

    /// The worth, if it is known well enough. What is proven holds for any depth.
    pub(super) fn settles(&self, depth: usize, ply: usize, [alpha, beta]: [i32; 2]) -> Option<i32> {
        if usize::from(self.depth) < depth && self.worth.abs() < PROVEN {
            return None;
        }
        let worth = from_here(self.worth, -(ply as i32));
        let is_settled = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => worth >= beta,
            Bound::AtMost => worth <= alpha,
        };
        is_settled.then_some(worth)
    }
}

fn from_here(worth: i32, ply: i32) -> i32 {
    if worth >= PROVEN {
        worth + ply
    } else if worth <= -PROVEN {
        worth - ply
    } else {
        worth
    }
}

/// One record for each place, the newest.
#[derive(Debug)]
pub(super) struct Memory {
    slots: Vec<Option<(u64, Record)>>,
    records: usize,
}

impl Memory {
    /// For a search of so many nodes.
    pub(super) fn new(nodes: u64) -> Memory {
        let records = (nodes / 4).clamp(RECORDS_MIN, RECORDS_MAX).next_power_of_two();
        Memory { slots: Vec::new(), records: records as usize }
    }

    pub(super) fn forget(&mut self) {
        self.slots.clear();
        self.slots.resize(self.records, None);
    }

    pub(super) fn get(&self, key: u64) -> Option<Record> {
        let (owner, record) = self.slots[self.place(key)]?;
        (owner == key).then_some(record)
    }

    pub(super) fn put(&mut self, key: u64, record: Record) {
        let place = self.place(key);
        self.slots[place] = Some((key, record));
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}
