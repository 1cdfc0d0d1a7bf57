//! What happened in a round, and how a match ends.

use quintain_core::Seat;

use crate::{Action, Invalid, Place, Powerup};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// What a player commanded. The car may be unable to.
    Commanded {
        seat: Seat,
        action: Action,
    },
    /// A command that is invalid, in either edition; only the document's has a price for it.
    Invalid {
        seat: Seat,
        why: Invalid,
    },
    /// A boost ran out or was ended.
    BoostEnded {
        seat: Seat,
    },
    /// Oil was dropped.
    Oiled {
        seat: Seat,
        place: Place,
    },
    Hit {
        seat: Seat,
        what: Obstacle,
    },
    /// The car met the truck on this block.
    HitTruck {
        seat: Seat,
        place: Place,
    },
    HitEmp {
        seat: Seat,
    },
    PickedUp {
        seat: Seat,
        powerup: Powerup,
    },
    /// The rear car is stuck behind the other.
    RearEnded {
        seat: Seat,
    },
    /// Both wanted the same block from two sides.
    SideCollision,
    /// Put back after a jump of either car ended on the other.
    PutBack {
        seat: Seat,
    },
    /// A truck stands on a new block.
    TruckPlaced {
        seat: Seat,
        place: Place,
    },
    /// The place was taken, so the tweet is given back.
    TweetRefunded {
        seat: Seat,
        place: Place,
    },
    /// At the finish line, or the furthest when the rounds are over.
    Finished {
        seat: Seat,
    },
    /// Too many invalid commands in a row.
    Disqualified {
        seat: Seat,
    },
    Ended {
        ending: Ending,
    },
}

/// What lies on a block and hurts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    Mud,
    Oil,
    Wall,
}

/// Why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// One car is at the finish line.
    Finished,
    /// Both are: speed decides, then score, then the first player.
    BothFinished,
    /// The rounds are over and one car is ahead.
    RoundLimit,
    /// The rounds are over and the cars are level: decided as for two at the finish line.
    RoundLimitLevel,
    /// Too many invalid commands of one player.
    Disqualified,
    /// Too many invalid commands of both.
    RaceInvalid,
}

impl Ending {
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Finished => "finished",
            Ending::BothFinished => "both finished",
            Ending::RoundLimit => "max rounds",
            Ending::RoundLimitLevel => "max rounds, level on blocks",
            Ending::Disqualified => "disqualified",
            Ending::RaceInvalid => "race invalid",
        }
    }
}
