//! What happened in a round, and how a match ends.

use std::fmt;

use quintain_core::Seat;

use crate::action::{Direction, Order};
use crate::cell::{Cell, Terrain};

/// Worms are named by their ids, from 1.
///
/// What follows a command up to its [`Event::Scored`] is what the command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Lava comes onto the map for the first time.
    LavaRises,
    Selected {
        seat: Seat,
        worm: u8,
    },
    /// `worm` stays active.
    SelectRefused {
        seat: Seat,
        worm: u8,
        why: Refusal,
    },
    /// Did nothing. `is_chosen`: said so, instead of saying nothing.
    Idled {
        seat: Seat,
        worm: u8,
        is_chosen: bool,
    },
    Moved {
        seat: Seat,
        worm: u8,
        from: Cell,
        to: Cell,
    },
    /// Moved onto a worm that moved there in this round.
    Collided {
        seat: Seat,
        worm: u8,
        from: Cell,
        to: Cell,
        is_swap: bool,
    },
    Dug {
        seat: Seat,
        worm: u8,
        at: Cell,
    },
    /// `at` can be off the map.
    Shot {
        seat: Seat,
        worm: u8,
        direction: Direction,
        from: Cell,
        at: (i32, i32),
        result: ShotResult,
    },
    Threw {
        seat: Seat,
        worm: u8,
        missile: Missile,
        from: Cell,
        at: Cell,
        result: ThrowResult,
    },
    /// A banana destroyed the dirt here.
    Blasted {
        at: Cell,
    },
    /// A frozen worm did not hear.
    Ignored {
        seat: Seat,
        worm: u8,
        order: Order,
    },
    Refused {
        seat: Seat,
        worm: u8,
        order: Order,
        why: Refusal,
    },
    /// The end of a command, and what it was worth.
    Scored {
        seat: Seat,
        points: i64,
    },
    Hurt {
        seat: Seat,
        worm: u8,
        damage: i32,
        cause: Cause,
    },
    Frozen {
        seat: Seat,
        worm: u8,
    },
    PackTaken {
        seat: Seat,
        worm: u8,
        at: Cell,
    },
    PackDestroyed {
        at: Cell,
    },
    /// Somebody who hurt a worm that died in this round gets points for it, or loses them.
    KillScored {
        seat: Seat,
        points: i64,
    },
    Died {
        seat: Seat,
        worm: u8,
    },
    /// The third round in a row without a command: the referee makes a note.
    Reminded {
        seat: Seat,
    },
    Disqualified {
        seat: Seat,
    },
    Ended {
        ending: Ending,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShotResult {
    Hit,
    Blocked,
    OutOfRange,
}

impl ShotResult {
    pub const fn name(self) -> &'static str {
        match self {
            ShotResult::Hit => "HIT",
            ShotResult::Blocked => "BLOCKED",
            ShotResult::OutOfRange => "OUT_OF_RANGE",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missile {
    Banana,
    Snowball,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThrowResult {
    /// Somebody stood in the very cell.
    Bullseye,
    Terrain,
    DeepSpace,
}

impl ThrowResult {
    pub const fn name(self) -> &'static str {
        match self {
            ThrowResult::Bullseye => "BULLSEYE",
            ThrowResult::Terrain => "TERRAIN",
            ThrowResult::DeepSpace => "DEEP_SPACE",
        }
    }
}

/// What hurt a worm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Lava,
    Collision,
    Shot(Seat),
    Banana(Seat),
}

/// Why a command is invalid. Displayed in the original's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no command; what is wrong with it follows from the text.
    Unreadable,
    OutOfMap {
        x: i32,
        y: i32,
    },
    MoveTooFar,
    CannotMoveTo(Terrain),
    Occupied,
    NotDiggable(Terrain),
    TooFarToDig(Cell),
    NoBananaTraining,
    NoBananas,
    NoSnowballTraining,
    NoSnowballs,
    TooFarToThrow(Cell),
    NoTokens,
    NoSuchWorm(i32),
    DeadWorm(i32),
    /// The document's edition: a select that cannot be read spoils the answer.
    UnreadableSelect,
    /// The document's edition: a select needs a command.
    LonelySelect,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unreadable => f.write_str("Unknown command"),
            Refusal::OutOfMap { x, y } => write!(f, "{x} {y} out of map bounds"),
            Refusal::MoveTooFar => f.write_str("Target too far away"),
            Refusal::CannotMoveTo(terrain) => write!(f, "Cannot move to {}", terrain.name()),
            Refusal::Occupied => f.write_str("Target occupied"),
            Refusal::NotDiggable(terrain) => {
                write!(f, "Cell type {} not diggable", terrain.name())
            }
            Refusal::TooFarToDig(Cell { x, y }) => write!(f, "Cell {x} {y} too far away"),
            Refusal::NoBananaTraining => {
                f.write_str("This worm is not trained to use Banana bombs")
            }
            Refusal::NoBananas => f.write_str("No bananas bombs in inventory"),
            Refusal::NoSnowballTraining => {
                f.write_str("This worm is not technically adept in the arts of snowball fights")
            }
            Refusal::NoSnowballs => f.write_str("No snowballs bombs in inventory"),
            Refusal::TooFarToThrow(Cell { x, y }) => write!(f, "Cell {x} {y} is too far away"),
            Refusal::NoTokens => f.write_str("Player has no selection tokens"),
            Refusal::NoSuchWorm(id) => write!(f, "Worm with id {id} not found"),
            Refusal::DeadWorm(id) => write!(f, "Worm with id {id} not alive"),
            Refusal::UnreadableSelect => f.write_str("Cannot read the select"),
            Refusal::LonelySelect => f.write_str("A select needs a command"),
        }
    }
}

/// Why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At least one player did nothing for too long.
    Disqualified,
    /// One player has worms left.
    LastStanding,
    /// Both lost their last worm in the same round.
    AllDead,
    RoundLimit,
}

impl Ending {
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Disqualified => "disqualified",
            Ending::LastStanding => "last player standing",
            Ending::AllDead => "all worms dead in the same round: score",
            Ending::RoundLimit => "round limit: score",
        }
    }
}
