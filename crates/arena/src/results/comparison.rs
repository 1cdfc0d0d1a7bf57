//! What came of a comparison: the finding, and what it rests on.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use quintain_core::ErrorKind;
use quintain_record::{BotId, MatchRecord, SeatError};
use quintain_tournament::{
    Comparison, DisturbedGames, ErrorCounts, Estimate, Evidence, Finding, NEW, OLD, PairedResults,
    Sprt, Tally,
};
use serde::{Serialize, Serializer};

use super::{DisturbedAnswer, DisturbedBot, Doubt, disturbed_bots};

/// Everything that is shown of a comparison. Wins, draws and losses are those of the new version, as is the
/// difference in strength.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonReport {
    pub game: String,
    pub old: String,
    pub new: String,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub both_lost: u64,
    pub different_games: u64,
    /// Whether it was stopped since the bots only repeated themselves.
    #[serde(rename = "nothing_new")]
    pub is_exhausted: bool,
    pub score: f64,
    pub elo: f64,
    pub low: f64,
    pub high: f64,
    /// The evidence for the first answer to the test.
    pub llr: Option<f64>,
    /// How much there is and how much is needed for each answer to the test; nothing without one.
    #[serde(serialize_with = "by_answer")]
    pub evidence: Vec<Evidence>,
    #[serde(serialize_with = "as_text")]
    pub sprt: Option<Sprt>,
    #[serde(rename = "decided")]
    pub is_decided: bool,
    #[serde(skip)]
    pub finding: Finding,
    /// After how many games a test that went along had shown that the new version is stronger.
    #[serde(skip)]
    pub stronger_after: Option<u64>,
    /// Where it is there the finding may be left out.
    #[serde(skip)]
    pub doubt: Option<Doubt>,
    pub errors: ErrorsOfBoth,
    pub failed: Vec<FailedMatch>,
    /// The first games that the new version lost.
    #[serde(skip)]
    pub lost: Vec<LostMatch>,
    /// The games of the new version in pairs.
    #[serde(skip)]
    pub results: PairedResults,
    pub void: u64,
    pub played_again: u64,
    pub disturbed: Vec<DisturbedAnswer>,
    pub disturbed_bots: Vec<DisturbedBot>,
    #[serde(rename = "stopped")]
    pub is_stopped: bool,
    /// What all sessions took together.
    #[serde(rename = "seconds", serialize_with = "as_seconds")]
    pub time: Duration,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct ErrorsOfBoth {
    pub old: ErrorCounts,
    pub new: ErrorCounts,
}

/// What a bot did wrong in a match.
#[derive(Clone, Debug, Serialize)]
pub struct FailedMatch {
    pub bot: String,
    pub error: ErrorKind,
    pub times: u32,
    pub text: String,
    pub game: String,
    pub seed: i64,
    pub replay: Option<String>,
}

/// A game that a bot lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostMatch {
    pub game: String,
    pub seed: i64,
    pub replay: Option<String>,
}

/// What is known of a comparison beside the results of its matches.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonFacts<'a> {
    pub game: &'a str,
    /// The names of the old version and of the new one.
    pub bots: [&'a str; 2],
    pub failed: &'a [FailedMatch],
    pub lost: &'a [LostMatch],
    pub disturbed: &'a [DisturbedAnswer],
    /// How many games count only since they were played again.
    pub played_again: u64,
    /// Whether a verdict is wanted however many games were disturbed.
    pub is_forced: bool,
    /// Whether somebody stopped it.
    pub is_stopped: bool,
    /// That of all sessions, as the games are.
    pub time: Duration,
}

pub fn comparison_report(comparison: &Comparison, facts: &ComparisonFacts<'_>) -> ComparisonReport {
    let Tally { wins, draws, losses, both_lost, .. } = *comparison.tally(NEW);
    let Estimate { score, elo, low, high, .. } = comparison.estimate();
    let evidence = comparison.evidence();
    let disturbed = disturbed_games(comparison, facts.played_again);
    let [old, new] = facts.bots.map(str::to_owned);
    ComparisonReport {
        game: facts.game.to_owned(),
        old,
        new,
        games: comparison.tally(NEW).games(),
        wins,
        draws,
        losses,
        both_lost,
        different_games: comparison.different_games(),
        is_exhausted: comparison.is_exhausted(),
        score,
        elo,
        low,
        high,
        llr: evidence.first().map(|evidence| evidence.value),
        evidence,
        sprt: comparison.sprt().copied(),
        is_decided: comparison.is_decided(),
        finding: comparison.finding(),
        stronger_after: comparison.stronger_after(),
        doubt: Doubt::of(disturbed, facts.is_forced),
        errors: ErrorsOfBoth {
            old: comparison.tally(OLD).errors,
            new: comparison.tally(NEW).errors,
        },
        failed: facts.failed.to_vec(),
        lost: facts.lost.to_vec(),
        results: *comparison.results(),
        void: comparison.void(),
        played_again: disturbed.again,
        disturbed: facts.disturbed.to_vec(),
        disturbed_bots: disturbed_bots(facts.disturbed),
        is_stopped: facts.is_stopped,
        time: facts.time,
    }
}

/// How many games of a comparison the machine disturbed, of which so many count only since they were played again.
pub fn disturbed_games(comparison: &Comparison, again: u64) -> DisturbedGames {
    let void = comparison.void();
    let games = comparison.results().games() + void + comparison.surplus();
    DisturbedGames { games, void, again }
}

/// What the bots of a match did wrong; `name` gives the name of a bot.
pub fn failures_in(
    game: &MatchRecord,
    name: impl Fn(BotId) -> String,
    replay: Option<&Path>,
) -> Vec<FailedMatch> {
    let head = &game.head;
    let failure = |error: &SeatError| FailedMatch {
        bot: name(head.bots[error.seat]),
        error: error.kind,
        times: error.times,
        text: error.text.clone(),
        game: head.id.to_string(),
        seed: head.seed,
        replay: replay.map(|path| path.display().to_string()),
    };
    game.errors.iter().map(failure).collect()
}

impl ComparisonReport {
    /// The strength of the new version relative to the old one.
    pub fn estimate(&self) -> Estimate {
        let ComparisonReport { games, score, elo, low, high, .. } = *self;
        Estimate { games, score, elo, low, high }
    }
}

fn by_answer<S: Serializer>(evidence: &[Evidence], serializer: S) -> Result<S::Ok, S::Error> {
    let entry = |evidence: &Evidence| {
        let amounts = BTreeMap::from([("value", evidence.value), ("needed", evidence.needed)]);
        (evidence.answer.code(), amounts)
    };
    match evidence {
        [] => serializer.serialize_none(),
        evidence => serializer.collect_map(evidence.iter().map(entry)),
    }
}

pub(crate) fn as_text<S: Serializer>(
    test: &Option<Sprt>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    test.as_ref().map(ToString::to_string).serialize(serializer)
}

pub(crate) fn as_text_always<S: Serializer>(test: &Sprt, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(test)
}

fn as_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    time.as_secs_f64().serialize(serializer)
}
