//! Where the document and the original engine differ: eleven switches.
//!
//! Rules read a switch; nothing else knows which edition is played. `D1` to `D26` are the numbers of
//! the disagreements in the README.

use quintain_core::Edition;
use quintain_core::entelect::Prefix;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switches {
    /// D1, D3. The document: "Issuing and invalid command will reduce your score by 5"; the engine
    /// never looks at its penalty.
    pub invalid_command: InvalidCommand,
    /// D2. The document: "Too many invalid commands will invalidate the race", which is taken to be
    /// this many in a row; the engine has no such count. 0 is never.
    pub invalid_in_a_row_max: u32,
    pub own_oil: OwnOil,
    pub lizard_use: LizardUse,
    pub landing: Landing,
    pub side_after_truck: SideAfterTruck,
    pub trucks: Trucks,
    pub path_start: PathStart,
    pub pickup_state: PickupState,
    pub emp_state: EmpState,
    /// The document of Worms prints its examples of answers with a blank before the prefix; the runner
    /// of both games ignores such a line.
    pub prefix: Prefix,
}

/// What an invalid command costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InvalidCommand {
    /// The config's penalty, once a round.
    Penalty,
    Nothing,
}

/// Whether oil hurts the car that dropped it (D5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnOil {
    /// The document: "Any car that passes through it (except you)". The owner of a spill is the last
    /// to drop oil there.
    SparesOwner,
    /// The engine does not remember who dropped it.
    SparesNobody,
}

/// What using a lizard scores (D6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LizardUse {
    /// The document: "Using a powerup will increase your score by 4".
    Bonus,
    /// The engine forgets this one.
    NoBonus,
}

/// Who is put back when a jump ends where the other car comes to stand (D11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Landing {
    /// The document: "your car will be put back". If both jumped, the one that started behind.
    Jumper,
    /// The engine: the second player, unless the first was behind in the same lane.
    SecondPlayer,
}

/// Where cars stand that meet beside each other because of a truck (case 2 of the tweet).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SideAfterTruck {
    /// The document's picture: each in its own lane on the block behind the truck.
    CommonBlock,
    /// The engine: one block further back, as in any side collision.
    OneBack,
}

/// How tweets are settled (D18, D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trucks {
    /// The document: a truck has an owner, and both tweets are judged by the trucks that stand before
    /// either is placed.
    Owned,
    /// The engine: one tweet after the other, the place remembered outlives the truck, and two tweets
    /// to one place are refunded round after round.
    Queued,
}

/// Where the path begins whose obstacles count (D13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathStart {
    /// The document: "The first block the bot moves will be directly to the left"; a car that stays
    /// in its lane begins with the next block, and an off-track turn has done NOTHING.
    LaneChange,
    /// The engine: whoever was recorded as turning and has not collided begins with its own block.
    TurnRecorded,
}

/// Whether a pickup shows among the round's states (D8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PickupState {
    /// The document lists PICKED_UP_POWERUP: one entry per pickup, before the round's first hit.
    Shown,
    /// The engine never sets it.
    Hidden,
}

/// Where HIT_EMP stands among the states of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmpState {
    /// The document: "no bot has a command preference or precedence over the other", and HIT_EMP is the
    /// "state player is in after being hit by an emp". It follows the states of both commands.
    AfterCommands,
    /// The engine records it with the command that fires, and performs the first player's command
    /// first: the second player's own command comes after the hit and becomes its state.
    WithCommand,
}

impl Switches {
    pub const DOCUMENT: Switches = Switches {
        invalid_command: InvalidCommand::Penalty,
        invalid_in_a_row_max: 20,
        own_oil: OwnOil::SparesOwner,
        lizard_use: LizardUse::Bonus,
        landing: Landing::Jumper,
        side_after_truck: SideAfterTruck::CommonBlock,
        trucks: Trucks::Owned,
        path_start: PathStart::LaneChange,
        pickup_state: PickupState::Shown,
        emp_state: EmpState::AfterCommands,
        prefix: Prefix::AfterWhiteSpace,
    };

    pub const ORIGINAL: Switches = Switches {
        invalid_command: InvalidCommand::Nothing,
        invalid_in_a_row_max: 0,
        own_oil: OwnOil::SparesNobody,
        lizard_use: LizardUse::NoBonus,
        landing: Landing::SecondPlayer,
        side_after_truck: SideAfterTruck::OneBack,
        trucks: Trucks::Queued,
        path_start: PathStart::TurnRecorded,
        pickup_state: PickupState::Hidden,
        emp_state: EmpState::WithCommand,
        prefix: Prefix::AtLineStart,
    };

    pub const fn of(edition: Edition) -> Switches {
        match edition {
            Edition::Document => Switches::DOCUMENT,
            Edition::Original => Switches::ORIGINAL,
        }
    }
}
