//! What a session of a run is to play where that is no part of what the run is: whoever goes on may wish for
//! another number of games, and whoever looks at the run wants to know the latest wish.

use quintain_store::RunInfo;
use quintain_tournament::{Question, RatingKind, Sprt};
use serde::{Deserialize, Serialize};

use super::ComparisonPlan;
use crate::results::EvaluatedTeam;

/// What is kept beside a run, as the JSON that a store holds. What a kind of run does not have is left out, and
/// what a later version may add is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct RunWish {
    /// Of a comparison: its test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<String>,
    /// Of a comparison: how many games are played, or with a test at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// Of a tournament: how many games two bots play when they meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_per_pair: Option<u32>,
    /// Of a tournament: how strength is computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rating: Option<String>,
    /// Of an evaluation: what it is of the whole mark, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Of an evaluation: what marks depend on beside games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<EvaluatedTeam>,
    /// The command that goes on with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl RunWish {
    /// The latest wish for a run; nothing is wished where none is stored that can be read.
    pub fn of(run: &RunInfo) -> RunWish {
        let wish = run.wish.as_deref().and_then(|wish| serde_json::from_str(wish).ok());
        wish.unwrap_or_default()
    }

    pub(crate) fn of_comparison(plan: &ComparisonPlan) -> RunWish {
        let sprt = match plan.question() {
            Question::Test(test) => Some(test.to_string()),
            Question::Games(_) => None,
        };
        RunWish { sprt, games: plan.games_max, ..RunWish::default() }
    }

    pub(crate) fn of_tournament(games_per_pair: u32, rating: RatingKind) -> RunWish {
        let (games_per_pair, rating) = (Some(games_per_pair), Some(rating.key().to_owned()));
        RunWish { games_per_pair, rating, ..RunWish::default() }
    }

    /// What a comparison is to answer.
    pub fn question(&self) -> Question {
        let sprt: Option<Sprt> = self.sprt.as_deref().and_then(|sprt| sprt.parse().ok());
        match (sprt, self.games) {
            (Some(test), _) => Question::Test(test),
            (None, Some(games)) => Question::Games(games),
            (None, None) => Question::Test(Sprt::default()),
        }
    }

    pub fn rating(&self) -> RatingKind {
        let named = |kind: &RatingKind| Some(kind.key()) == self.rating.as_deref();
        RatingKind::ALL.into_iter().find(named).unwrap_or(RatingKind::BradleyTerry)
    }

    /// As a store holds it.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("a wish has keys of text")
    }
}
