//! What happened in a round, and how a match ends.

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
        id: i32,
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
    /// `select`: the id in the select that spoilt the answer.
    Refused {
        seat: Seat,
        worm: u8,
        order: Order,
        select: Option<i32>,
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

/// Why a command is invalid. Two bytes: which places and ids are meant stands in the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text is no command; what is wrong with it follows from the text.
    Unreadable,
    OutOfMap,
    MoveTooFar,
    CannotMoveTo(Terrain),
    Occupied,
    NotDiggable(Terrain),
    TooFarToDig,
    NoBananaTraining,
    NoBananas,
    NoSnowballTraining,
    NoSnowballs,
    TooFarToThrow,
    NoTokens,
    NoSuchWorm,
    DeadWorm,
    /// The document's edition: a select that cannot be read spoils the answer.
    UnreadableSelect,
    /// The document's edition: a select needs a command.
    LonelySelect,
}

impl Refusal {
    /// The reason in the original's words. `select` is the id of a refused select.
    pub fn sentence(self, order: &Order, select: Option<i32>) -> String {
        let (x, y) = order.place().unwrap_or_default();
        let id = select.unwrap_or_default();
        match self {
            Refusal::Unreadable => order.complaint(),
            Refusal::OutOfMap => format!("{x} {y} out of map bounds"),
            Refusal::MoveTooFar => "Target too far away".to_owned(),
            Refusal::CannotMoveTo(terrain) => format!("Cannot move to {}", terrain.name()),
            Refusal::Occupied => "Target occupied".to_owned(),
            Refusal::NotDiggable(terrain) => format!("Cell type {} not diggable", terrain.name()),
            Refusal::TooFarToDig => format!("Cell {x} {y} too far away"),
            Refusal::NoBananaTraining => "This worm is not trained to use Banana bombs".to_owned(),
            Refusal::NoBananas => "No bananas bombs in inventory".to_owned(),
            Refusal::NoSnowballTraining => {
                "This worm is not technically adept in the arts of snowball fights".to_owned()
            }
            Refusal::NoSnowballs => "No snowballs bombs in inventory".to_owned(),
            Refusal::TooFarToThrow => format!("Cell {x} {y} is too far away"),
            Refusal::NoTokens => "Player has no selection tokens".to_owned(),
            Refusal::NoSuchWorm => format!("Worm with id {id} not found"),
            Refusal::DeadWorm => format!("Worm with id {id} not alive"),
            Refusal::UnreadableSelect => "Cannot read the select".to_owned(),
            Refusal::LonelySelect => "A select needs a command".to_owned(),
        }
    }
}

/// Why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One player did nothing for too long, and the other one has won.
    Disqualified,
    /// One player has worms left.
    LastStanding,
    /// Both lost their last worm in the same round.
    AllDead,
    RoundLimit,
    /// Both players did nothing for too long, and nobody has won.
    BothDisqualified,
    /// Nobody is left, for different reasons or because both did nothing for too long, and the score
    /// decides. Only in the original's edition.
    NobodyLeft,
}

impl Ending {
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Disqualified => "disqualified",
            Ending::LastStanding => "last player standing",
            Ending::AllDead => "all worms dead in the same round: score",
            Ending::RoundLimit => "round limit: score",
            Ending::BothDisqualified => "both disqualified",
            Ending::NobodyLeft => "nobody left in the match: score",
        }
    }
}
