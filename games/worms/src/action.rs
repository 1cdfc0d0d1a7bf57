//! What a player can command, well-formed or not.

use std::fmt;
use std::sync::Arc;

use quintain_core::entelect::NO_COMMAND;

use crate::command;

/// A player's whole answer for a round: what remains of its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The id in the last select that could be read.
    pub select: Option<i32>,
    /// Whether there was a select that could not be read.
    pub has_unreadable_select: bool,
    /// The last piece that is not a select, or a select that could not be read.
    pub order: Order,
}

impl Action {
    /// No answer at all.
    pub const MISSING: Action =
        Action { select: None, has_unreadable_select: false, order: Order::Missing };

    /// A command for the worm whose turn it is.
    pub const fn of(order: Order) -> Action {
        Action { select: None, has_unreadable_select: false, order }
    }
}

/// What a worm is told to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// There was no answer.
    Missing,
    /// There was an answer without a command in it.
    Absent,
    Nothing,
    Move {
        x: i32,
        y: i32,
    },
    Dig {
        x: i32,
        y: i32,
    },
    Banana {
        x: i32,
        y: i32,
    },
    Shoot(Direction),
    Snowball {
        x: i32,
        y: i32,
    },
    /// A text that is no command.
    Unreadable(Arc<str>),
}

impl Order {
    /// Where it points to, if it points to a cell.
    pub const fn place(&self) -> Option<(i32, i32)> {
        match *self {
            Order::Move { x, y }
            | Order::Dig { x, y }
            | Order::Banana { x, y }
            | Order::Snowball { x, y } => Some((x, y)),
            _ => None,
        }
    }

    /// What is wrong with a text that is no command, in the original's words.
    pub(crate) fn complaint(&self) -> String {
        match self {
            Order::Unreadable(piece) => command::complaint(piece),
            _ => command::complaint(NO_COMMAND),
        }
    }
}

/// One of the eight winds, clockwise from the top of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
}

impl Direction {
    pub const ALL: [Direction; 8] = [
        Direction::N,
        Direction::NE,
        Direction::E,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::W,
        Direction::NW,
    ];

    /// A step of one cell.
    #[inline]
    pub const fn step(self) -> (i32, i32) {
        const STEPS: [(i32, i32); 8] =
            [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        STEPS[self as usize]
    }

    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    pub const fn name(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self as usize]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
