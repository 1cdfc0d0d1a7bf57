//! The cheapest way of a worm to a cell, through air, dirt and lava.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cell::{Cell, MAP_SIZE_MAX, Terrain};
use crate::sight::Sight;

/// Rounds that a cell costs; one of dirt must be dug first. Lava hurts, so it is worth a detour, and a
/// worm in the way may go away.
const AIR_COST: u32 = 2;
const DIRT_COST: u32 = 4;
const LAVA_COST: u32 = 9;
const WORM_COST: u32 = 8;

/// What it costs to come from each cell of the map to a goal.
pub(super) struct Costs {
    cells: Vec<u32>,
}

impl Costs {
    pub(super) fn to(sight: &Sight, goal: Cell) -> Costs {
        let mut costs = Costs { cells: vec![u32::MAX; MAP_SIZE_MAX * MAP_SIZE_MAX] };
        let mut queue = BinaryHeap::from([Reverse((0, goal))]);
        costs.cells[index(goal)] = 0;
        while let Some(Reverse((cost, cell))) = queue.pop() {
            if cost > costs.cells[index(cell)] {
                continue;
            }
            let Some(own) = cost_of(sight, cell) else {
                continue;
            };
            for next in sight.neighbours(cell) {
                if cost + own < costs.cells[index(next)] {
                    costs.cells[index(next)] = cost + own;
                    queue.push(Reverse((cost + own, next)));
                }
            }
        }
        costs
    }

    /// `None` if there is no way.
    pub(super) fn from(&self, cell: Cell) -> Option<u32> {
        Some(self.cells[index(cell)]).filter(|&cost| cost != u32::MAX)
    }

    /// The cell beside this one through which the way goes.
    pub(super) fn next(&self, sight: &Sight, from: Cell) -> Option<Cell> {
        let through = |cell: Cell| Some((self.from(cell)? + cost_of(sight, cell)?, cell));
        sight.neighbours(from).filter_map(through).min().map(|(_, cell)| cell)
    }
}

/// What it costs to enter a cell; `None` for deep space.
fn cost_of(sight: &Sight, cell: Cell) -> Option<u32> {
    let terrain = match sight.ground.at(cell) {
        Terrain::DeepSpace => return None,
        Terrain::Dirt => DIRT_COST,
        Terrain::Air => AIR_COST,
        Terrain::Lava => LAVA_COST,
    };
    Some(terrain + if sight.is_occupied(cell) { WORM_COST } else { 0 })
}

fn index(cell: Cell) -> usize {
    usize::from(cell.y) * MAP_SIZE_MAX + usize::from(cell.x)
}
