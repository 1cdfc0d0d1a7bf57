//! The bot that searches: it plans a whole turn and throws it throw by throw.

use std::collections::VecDeque;

use quintain_core::{Bot, SplitMix64, Thinking};

use super::search::{Limits, Search};
use super::worth::Taste;
use crate::{Board, Direction, Hockey, View};

/// Searches when its turn begins and keeps to what it has planned, unless the board is not the one it
/// expected.
pub(super) struct Champion {
    search: Search,
    limits: Limits,
    plan: VecDeque<Direction>,
    expected: Board,
}

impl Champion {
    pub(super) fn new(limits: Limits, seed: i64) -> Champion {
        let salt = SplitMix64::new(seed as u64).next_u64();
        Champion {
            search: Search::new(Taste { salt }, &limits),
            limits,
            plan: VecDeque::new(),
            expected: Board::START,
        }
    }

    /// The next throw of the plan, if it goes on from this board.
    fn planned(&mut self, board: &Board) -> Option<Direction> {
        let direction = self.plan.pop_front().filter(|_| self.expected == *board)?;
        self.expected = *board;
        self.expected.throw(direction);
        Some(direction)
    }
}

impl Bot<Hockey> for Champion {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Direction {
        if let Some(direction) = self.planned(&view.board) {
            return direction;
        }
        let found = self.search.best(&view.board, self.limits, thinking);
        self.plan = found.throws.into();
        self.expected = view.board;
        let any = || view.board.exits(view.board.puck()).iter().next();
        self.planned(&view.board).or_else(any).expect("the player to throw has a free line")
    }
}
