//! What came of a climb, and of the games that make a scale.

use quintain_tournament::{Finding, KnownOpponent, Rating, RatingSettings, rate_among};
use serde::{Serialize, Serializer};

use super::{ComparisonReport, LostMatch, is_refused};
use crate::scale::{Scale, ScaleGaps};

/// Everything that is shown of a climb.
#[derive(Clone, Debug, Serialize)]
pub struct LadderReport {
    pub game: String,
    pub bot: String,
    /// By which rules was played.
    pub rules: String,
    /// The strongest rung that the bot is shown to be stronger than.
    pub reached: Option<String>,
    /// The rung at which the climb ended; `None` if the bot beats them all, or was stopped.
    pub failed: Option<String>,
    /// Those that were played, weakest first.
    pub rungs: Vec<RungReport>,
    /// How many rungs the ladder has.
    pub rungs_of_the_ladder: usize,
    /// The bot on the published scale, by all of its games on rungs that the scale knows.
    #[serde(serialize_with = "rating_as_data")]
    pub rating: Option<Rating>,
    pub scale: Option<ScaleHead>,
    /// Lost games to look at, those of the strongest rung first.
    pub lost: Vec<LostOnRung>,
    #[serde(rename = "stopped")]
    pub is_stopped: bool,
}

/// A rung and what came of its games.
#[derive(Clone, Debug, Serialize)]
pub struct RungReport {
    pub rung: String,
    /// On the published scale.
    pub elo: Option<f64>,
    pub outcome: RungOutcome,
    /// The rung is its old version, the bot its new one.
    pub comparison: ComparisonReport,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RungOutcome {
    /// The bot is stronger.
    Passed,
    /// That it is stronger was not shown.
    Failed,
    /// The machine disturbed too many games for a verdict.
    Refused,
    /// Somebody stopped it before.
    Stopped,
}

/// What is said of a scale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScaleHead {
    pub date: String,
    pub machine: String,
    pub rules: String,
    pub games: u64,
    pub anchor: String,
    pub gaps: ScaleGaps,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostOnRung {
    pub rung: String,
    #[serde(flatten)]
    pub lost: LostMatch,
}

/// A scale and what it rests on.
#[derive(Clone, Debug)]
pub struct CalibrationReport {
    /// `None` if it was stopped before all rungs had met.
    pub scale: Option<Scale>,
    /// The weaker rung is the old version.
    pub meetings: Vec<ComparisonReport>,
}

impl RungOutcome {
    pub(crate) fn of(comparison: &ComparisonReport) -> RungOutcome {
        if is_refused(comparison.doubt.as_ref()) {
            RungOutcome::Refused
        } else if comparison.finding == Finding::NewIsStronger {
            RungOutcome::Passed
        } else if comparison.is_stopped {
            RungOutcome::Stopped
        } else {
            RungOutcome::Failed
        }
    }
}

/// The rating of a bot that climbed, by its games on the rungs that the scale knows.
pub(crate) fn rating_on(scale: &Scale, rungs: &[RungReport]) -> Option<Rating> {
    let known = rungs.iter().filter_map(|rung| {
        let ComparisonReport { results, different_games: different, .. } = rung.comparison;
        Some(KnownOpponent { rating: scale.rung(&rung.rung)?.elo, results, different })
    });
    let known: Vec<KnownOpponent> = known.collect();
    rate_among(&known, &RatingSettings::default())
}

/// The lost games of all rungs, those of the strongest first.
pub(crate) fn lost_games(rungs: &[RungReport]) -> Vec<LostOnRung> {
    let on_rung = |rung: &RungReport| {
        let name = rung.rung.clone();
        let lost = rung.comparison.lost.clone().into_iter();
        lost.map(move |lost| LostOnRung { rung: name.clone(), lost })
    };
    rungs.iter().rev().flat_map(on_rung).collect()
}

fn rating_as_data<S: Serializer>(
    rating: &Option<Rating>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Data {
        elo: f64,
        low: f64,
        high: f64,
    }
    let data = rating.map(|Rating { value: elo, low, high }| Data { elo, low, high });
    data.serialize(serializer)
}
