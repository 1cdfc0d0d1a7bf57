//! What a player can order, and what can be wrong with it.
//!
//! An answer is never thrown away as a whole: a line can lose its player the match and still have
//! built. So an action carries its wrong part, and the rules say what that costs.

use std::fmt;
use std::sync::Arc;

use crate::CreepKind;

/// Both lines of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub queen: QueenOrder,
    pub train: TrainOrder,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueenOrder {
    pub command: Command,
    /// Something follows the command. It is carried out, and costs the match.
    pub has_surplus: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Wait,
    Move {
        x: i32,
        y: i32,
    },
    /// A move without two integers.
    MoveUnreadable,
    /// `None` if nothing says what to build.
    Build {
        site: i32,
        blueprint: Option<Blueprint>,
    },
    /// A build without an integer for the site.
    BuildUnreadable,
    Unknown(Arc<str>),
}

/// What to build. It is judged only when it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blueprint {
    Mine,
    Tower,
    Barracks(CreepKind),
    /// The word alone.
    BarracksOfNothing,
    BarracksOfUnknown(Arc<str>),
    Unknown(Arc<str>),
}

/// The second line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrainOrder {
    /// Sites as they were named, whatever they are.
    Sites(Vec<i32>),
    /// The first word that is no integer.
    Unreadable(Arc<str>),
    /// Another line than that of a training.
    Missing,
}

impl Action {
    pub fn new(command: Command, sites: &[i32]) -> Action {
        Action {
            queen: QueenOrder { command, has_surplus: false },
            train: TrainOrder::Sites(sites.to_vec()),
        }
    }

    /// Nothing moves and nothing is trained.
    pub fn wait() -> Action {
        Action::new(Command::Wait, &[])
    }
}

/// Why an order is ignored. It costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    NotBarracks(i32),
    NotOwned(i32),
    IsTraining(i32),
    TrainedTwice,
    TooExpensive { gold: i64 },
    BuiltByEnemy,
    RebuiltInTraining,
}

/// Why a player has lost at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kill {
    /// No answer of two lines in time, or none at all any more.
    Late,
    TrainExpected,
    TrainUnreadable(Arc<str>),
    TrainNoSite(i32),
    MoveUnreadable,
    BuildUnreadable,
    BuildNoSite(i32),
    BuildWithoutType,
    UnknownCommand(Arc<str>),
    TooManyTokens(&'static str),
    UnknownStructure(Arc<str>),
    BarracksWithoutType,
    UnknownBarracks(Arc<str>),
}

/// The original's sentences, without the player's name before them.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NotBarracks(site) => write!(f, "Cannot spawn from {site}: not a barracks"),
            Warning::NotOwned(site) => write!(f, "Cannot spawn from {site}: not owned"),
            Warning::IsTraining(site) => write!(f, "Barracks {site} is training"),
            Warning::TrainedTwice => f.write_str("Training from some barracks more than once"),
            Warning::TooExpensive { gold } => {
                write!(f, "Training too many creeps ({gold} total gold requested)")
            }
            Warning::BuiltByEnemy => f.write_str("Cannot build: owned by enemy player"),
            Warning::RebuiltInTraining => f.write_str("Cannot rebuild: training is in progress"),
        }
    }
}

/// The original's sentences, without the player's name before them.
impl fmt::Display for Kill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kill::Late => f.write_str("Timeout!"),
            Kill::TrainExpected => f.write_str("Expected TRAIN on the second line"),
            Kill::TrainUnreadable(word) => write!(f, "Couldn't process siteId: {word}"),
            Kill::TrainNoSite(site) => write!(f, "No site with id = {site}"),
            Kill::MoveUnreadable => f.write_str("In MOVE command, x and y must be integers"),
            Kill::BuildUnreadable => f.write_str("Could not parse siteId"),
            Kill::BuildNoSite(site) => write!(f, "Site id {site} does not exist"),
            Kill::BuildWithoutType => f.write_str("Missing structure type in BUILD command"),
            Kill::UnknownCommand(word) => write!(f, "Didn't understand command: {word}"),
            Kill::TooManyTokens(command) => write!(f, "Too many tokens after {command} command"),
            Kill::UnknownStructure(word) => write!(f, "Invalid structure type: {word}"),
            Kill::BarracksWithoutType => f.write_str("BARRACKS type must be specified"),
            Kill::UnknownBarracks(word) => write!(f, "Invalid BARRACKS type: {word}"),
        }
    }
}
