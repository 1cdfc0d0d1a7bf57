//! Where the document and the original referee differ: four switches.
//!
//! Their names and values are spelled as in the headers of recorded matches, so a config reads like
//! one. Rules read a switch; nothing else knows which edition is played.

use quintain_core::Edition;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switches {
    /// How far ahead a player with 20 points must be for the victory to be decisive. The document:
    /// "at least 2 points apart"; the original has 1 in all of its history.
    pub score_gap: u8,
    pub parry_drug: ParryDrug,
    pub collision: Collision,
    #[serde(rename = "doping_at_0_0")]
    pub scoreless_doping: ScorelessDoping,
}

/// What `PARRY_DRUG` does beyond its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParryDrug {
    /// The document: it lowers the parry's distance by 5, so a parry reaches further, and counts as
    /// a drug like the others.
    #[serde(rename = "-5")]
    Counted,
    /// The original applies only drugs that add, so this one does nothing, is not counted and can
    /// never be doping.
    #[serde(rename = "inert")]
    Inert,
}

/// Which positions make the fencers collide. The number is how far the first must be beyond the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Collision {
    /// The original: also when they stand on the same spot.
    #[serde(rename = ">=")]
    SameSpot = 0,
    /// The document: when they have passed each other.
    #[serde(rename = ">")]
    Passed = 1,
}

/// Who is disqualified when somebody dopes before anyone has scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScorelessDoping {
    /// The document: only the doper. Non-combativity is judged after 200 turns.
    #[serde(rename = "doper -1")]
    DoperOnly,
    /// The original finds both non-combative.
    #[serde(rename = "both -1")]
    Both,
}

impl Switches {
    pub const DOCUMENT: Switches = Switches {
        score_gap: 2,
        parry_drug: ParryDrug::Counted,
        collision: Collision::Passed,
        scoreless_doping: ScorelessDoping::DoperOnly,
    };

    pub const ORIGINAL: Switches = Switches {
        score_gap: 1,
        parry_drug: ParryDrug::Inert,
        collision: Collision::SameSpot,
        scoreless_doping: ScorelessDoping::Both,
    };

    pub const fn of(edition: Edition) -> Switches {
        match edition {
            Edition::Document => Switches::DOCUMENT,
            Edition::Original => Switches::ORIGINAL,
        }
    }
}
