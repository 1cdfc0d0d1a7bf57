//! Where the document and the original engine differ: ten switches.
//!
//! Rules read a switch; nothing else knows which edition is played.

use quintain_core::Edition;
use quintain_core::entelect::Prefix;
use serde::Serialize;

use crate::config::GameConfig;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Switches {
    /// How many rounds of doing nothing beyond `maxDoNothings` - 1 are tolerated. The document: "If a
    /// player does nothing for 12 consecutive turns, their bot will be considered invalid"; the
    /// original disqualifies when the counter is above 12.
    pub do_nothings_tolerated_more: u32,
    pub do_nothing_counter: DoNothingCounter,
    pub frozen: Frozen,
    pub lava_end: LavaEnd,
    pub lava_hurts: LavaHurts,
    /// Whether every attack that hurts, freezes and digs nothing is a missed one. The document: "A
    /// missed attack gives 2 points"; the original pays for shots, and for throws into deep space.
    pub harmless_throws_pay: bool,
    pub packs_taken: PacksTaken,
    pub bad_select: BadSelect,
    pub disqualified: Disqualified,
    /// The document prints its examples with a blank before the prefix, as in "` C;5;select 1;dig 1 1`";
    /// the original's runner ignores such a line.
    pub prefix: Prefix,
}

/// When the count of rounds without a command changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DoNothingCounter {
    /// The document speaks of consecutive turns, and says that commands to a frozen worm "will not be
    /// considered invalid": one more if the command is missing, `nothing` or invalid, else none. A
    /// select alone never makes it none, any text but `nothing` to a frozen worm does.
    PerRound,
    /// The original counts each select and each command for itself, frozen or not.
    PerCommand,
}

/// How long a frozen worm ignores commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Frozen {
    /// The document: "frozen for 5 rounds". Commands are ignored if the worm was frozen when the round
    /// began; timers fall at the end of a round, except those set in it.
    FiveRounds,
    /// The original lets timers fall before the commands, so the fifth round is obeyed, and takes a
    /// timer at its full value for one that was set in the same round.
    FourRounds,
}

/// What remains free of lava.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LavaEnd {
    /// The document: at the end of the flood "a small circular region in the center of the map, with a
    /// radius of 4 cells". The radius shrinks evenly to it.
    ShrinksTo(f64),
    /// The original lets the radius shrink evenly to nothing, but never below this.
    NeverBelow(f64),
}

/// When a worm that stands in lava loses health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LavaHurts {
    /// The document: "worms will sustain damage every round that they are in a lava cell".
    EveryRound,
    /// The original looks for lava only from the round on in which it begins to rise. Before that there
    /// is lava only in positions made by hand.
    OnceItRises,
}

/// When health packs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PacksTaken {
    /// The document: "picked up when a worm moves onto a cell", "immediately".
    AfterMoves,
    /// The original: after all commands, so a banana can destroy a pack under a worm.
    AtRoundEnd,
}

/// What becomes of a select that fails, that cannot be read or that stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BadSelect {
    /// The document: "You must use this in combination with another action command", and an invalid
    /// command is one worm doing nothing: the whole answer is invalid.
    SpoilsAnswer,
    /// The original: a failed select costs its points and the rest is carried out by the active worm;
    /// one that cannot be read counts only as the last command; one alone is valid.
    Alone,
}

/// What becomes of a disqualified player when nobody else is left either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disqualified {
    /// The document: "their bot will be considered invalid and they will be disqualified from the
    /// match". The other one wins, however it stands; if both are, nobody does.
    NeverWins,
    /// The original: with nobody living the score decides among all players.
    ByScore,
}

impl Switches {
    pub const DOCUMENT: Switches = Switches {
        do_nothings_tolerated_more: 0,
        do_nothing_counter: DoNothingCounter::PerRound,
        frozen: Frozen::FiveRounds,
        lava_end: LavaEnd::ShrinksTo(4.0),
        lava_hurts: LavaHurts::EveryRound,
        harmless_throws_pay: true,
        packs_taken: PacksTaken::AfterMoves,
        bad_select: BadSelect::SpoilsAnswer,
        disqualified: Disqualified::NeverWins,
        prefix: Prefix::AfterWhiteSpace,
    };

    pub const ORIGINAL: Switches = Switches {
        do_nothings_tolerated_more: 1,
        do_nothing_counter: DoNothingCounter::PerCommand,
        frozen: Frozen::FourRounds,
        lava_end: LavaEnd::NeverBelow(3.0),
        lava_hurts: LavaHurts::OnceItRises,
        harmless_throws_pay: false,
        packs_taken: PacksTaken::AtRoundEnd,
        bad_select: BadSelect::Alone,
        disqualified: Disqualified::ByScore,
        prefix: Prefix::AtLineStart,
    };

    /// The count of rounds without a command that disqualifies.
    pub const fn do_nothings_limit(&self, config: &GameConfig) -> u32 {
        config.max_do_nothings as u32 + self.do_nothings_tolerated_more
    }

    pub const fn of(edition: Edition) -> &'static Switches {
        match edition {
            Edition::Document => &Switches::DOCUMENT,
            Edition::Original => &Switches::ORIGINAL,
        }
    }
}
