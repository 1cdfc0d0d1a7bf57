//! How everything stood before the latest turn, which the position has forgotten.

use quintain_core::{PerSeat, Seat};

use crate::{CodeRoyale, Player, Point};

/// Empty before the first turn.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    before: Option<Before>,
}

#[derive(Clone, Debug)]
pub(super) struct Before {
    pub(super) queens: PerSeat<QueenBefore>,
    /// By their numbers, which grow.
    creeps: PerSeat<Vec<(u16, Point)>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct QueenBefore {
    pub(super) place: Point,
    pub(super) hp: i32,
    pub(super) gold: i32,
}

impl Trail {
    pub(super) fn remember(&mut self, game: &CodeRoyale) {
        let queens = game.players().map(|_, Player { queen, hp, gold, .. }| QueenBefore {
            place: queen,
            hp,
            gold,
        });
        let creeps = game.creeps().as_ref().map(|_, creeps| {
            creeps.as_slice().iter().map(|creep| (creep.number, creep.place)).collect()
        });
        self.before = Some(Before { queens, creeps });
    }

    pub(super) fn before(&self) -> Option<&Before> {
        self.before.as_ref()
    }
}

impl Before {
    pub(super) fn creep(&self, seat: Seat, number: u16) -> Option<Point> {
        let creeps = &self.creeps[seat];
        let index = creeps.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        Some(creeps[index].1)
    }
}
