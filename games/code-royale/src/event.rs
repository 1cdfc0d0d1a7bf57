//! What happened in a turn, and how a match ends for a player.

use quintain_core::Seat;

use crate::{CreepKind, Kill, Structure, Warning, Works};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An order was ignored.
    Warned { seat: Seat, warning: Warning },
    /// A player has lost at once.
    Killed { seat: Seat, kill: Kill },
    /// A queen was sent to a place, which she need not reach.
    Walks { seat: Seat, to: (i32, i32) },
    /// A queen is to build where she is not yet.
    Approaches { seat: Seat, site: usize },
    /// A training was paid for and begun.
    Trains { seat: Seat, site: usize, kind: CreepKind },
    /// A structure was built, or an old one made better.
    Built { seat: Seat, site: usize, works: Works },
    /// Both queens built on one site; this one's order was dropped.
    Contested { seat: Seat, site: usize },
    /// A structure is no more.
    Removed { site: usize, structure: Structure, by: Remover },
    /// A tower fired at somebody there.
    Shot { site: usize, owner: Seat, target: Target, at: (i32, i32), damage: i32 },
    /// An archer of this player hit an enemy's creep.
    Hit { seat: Seat, from: (i32, i32), at: (i32, i32), damage: i32 },
    /// A giant there beat a tower.
    Beaten { site: usize, from: (i32, i32), damage: i32 },
    /// Knights struck a queen this often.
    Struck { seat: Seat, damage: i32 },
    /// Creeps came out of a barracks.
    Spawned { seat: Seat, site: usize, kind: CreepKind },
    /// A creep of this player died there.
    Fell { seat: Seat, at: (i32, i32) },
    /// This many creeps of one player are gone.
    Died { seat: Seat, count: usize },
    /// A queen is dead.
    QueenDied { seat: Seat },
    /// The match is over.
    Ended,
}

/// What ended a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remover {
    Queen(Seat),
    Creep(Seat),
    /// A mine without gold.
    Exhaustion,
    /// A tower without health.
    Decay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Queen,
    /// By its number.
    Creep(u16),
}

/// Why a player is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    /// An invalid action.
    Invalid,
    /// No answer in time, or nobody there to give one.
    Silent,
    DeadQueen,
}

impl Out {
    pub const INVALID: &'static str = "invalid action";
    pub const SILENT: &'static str = "no answer";
    pub const DEAD_QUEEN: &'static str = "dead queen";
    pub const TURN_LIMIT: &'static str = "turn limit";

    pub const fn reason(self) -> &'static str {
        match self {
            Out::Invalid => Out::INVALID,
            Out::Silent => Out::SILENT,
            Out::DeadQueen => Out::DEAD_QUEEN,
        }
    }
}
