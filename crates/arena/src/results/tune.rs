//! What came of a tuning.

use serde::{Deserialize, Serialize};

use super::ComparisonReport;

/// Everything that is shown of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct TuneReport {
    pub game: String,
    pub bot: String,
    pub parameters: Vec<TunedParameter>,
    pub iterations: Vec<TuneIteration>,
    pub iterations_planned: u32,
    /// The tuned parameters against those of the start; `None` if it did not come to that.
    pub proof: Option<ComparisonReport>,
    #[serde(rename = "stopped")]
    pub is_stopped: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedParameter {
    pub name: String,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    pub tuned: f64,
    /// Before each iteration and after the last one.
    pub path: Vec<f64>,
}

/// What came of an iteration: a line of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneIteration {
    /// From 1.
    pub iteration: u32,
    /// The share of the points of the bot that was moved one way against the one moved the other way.
    pub score: f64,
    pub games: u64,
    /// The values after it.
    pub values: Vec<f64>,
}

/// How far a tuning is.
#[derive(Clone, Copy, Debug)]
pub struct TuneNow<'a> {
    pub names: &'a [String],
    pub latest: &'a TuneIteration,
    pub planned: u32,
}
