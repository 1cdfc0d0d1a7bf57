//! The plan of an evaluation: teams, how they play, and how much of it.

use std::num::NonZero;
use std::time::Duration;

use quintain_registry::{AnyGame, ReadyConfig};
use quintain_store::{BotEntry, RunPlan};
use serde::Serialize;
use serde_json::{Value, json};

use super::{MatchSettings, PlanError, RunWish, Team};
use crate::results::as_milliseconds;

/// How the limits of an evaluation are called in the settings of its run.
const GAMES_KEY: &str = "games";
const TIME_KEY: &str = "time-ms";
const GIVE_UP_KEY: &str = "give-up";

/// Everything that marks depend on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvaluationPlan {
    /// Of a game whose bots introduce themselves. The seed means nothing.
    pub settings: MatchSettings,
    pub teams: Vec<Team>,
    pub limits: EvaluationLimits,
    /// What this is of the whole mark, in percent.
    pub weight: Option<f64>,
}

/// How much of a pairing is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EvaluationLimits {
    pub games_max: u32,
    #[serde(rename = "time_max_ms", serialize_with = "as_milliseconds")]
    pub time_max: Duration,
    /// Games in a row that were lost by a failure; `None`: however many.
    pub give_up_after: Option<NonZero<u32>>,
}

/// Those of the hockey contest.
impl Default for EvaluationLimits {
    fn default() -> Self {
        EvaluationLimits {
            games_max: 50_000,
            time_max: Duration::from_secs(600),
            give_up_after: NonZero::new(10),
        }
    }
}

impl EvaluationPlan {
    /// The usual evaluation of these teams.
    pub fn new(game: &str, teams: Vec<Team>) -> Self {
        let (settings, limits) = (MatchSettings::of(game), EvaluationLimits::default());
        EvaluationPlan { settings, teams, limits, weight: None }
    }

    /// # Errors
    /// The game has no evaluation, or cannot have these rules.
    pub fn check(&self) -> Result<(&'static dyn AnyGame, ReadyConfig), PlanError> {
        let game = self.settings.game()?;
        let facts = game.facts();
        if !facts.abilities.lobby {
            let wrong = format!("expected a game with an evaluation: hockey, found {}", facts.id);
            return Err(PlanError::wrong("game", wrong));
        }
        Ok((game, self.settings.config(game)?))
    }

    /// What marks depend on beside what a run of this plan is.
    pub(crate) fn wish(&self) -> RunWish {
        let teams = self.teams.iter().map(Team::evaluated).collect();
        RunWish { weight: self.weight, teams, ..RunWish::default() }
    }

    /// What its games are called in a store, unless they have a name.
    pub fn usual_name(&self) -> String {
        format!("evaluate {}", self.settings.game)
    }

    /// What a run of this plan is in a store, so that who goes on with stored games means the same.
    pub(crate) fn identity(&self, name: String) -> RunPlan {
        let mut settings = self.settings.identity();
        settings.insert(GAMES_KEY.to_owned(), json!(self.limits.games_max));
        let milliseconds = self.limits.time_max.as_secs_f64() * 1e3;
        settings.insert(TIME_KEY.to_owned(), json!(milliseconds));
        let give_up = self.limits.give_up_after.map_or(0, NonZero::get);
        settings.insert(GIVE_UP_KEY.to_owned(), json!(give_up));
        let entry = |team: &Team| BotEntry::new(team.name.clone(), team.command());
        RunPlan {
            name,
            kind: "evaluate".to_owned(),
            game: self.settings.game.clone(),
            settings: Value::Object(settings).to_string(),
            bots: self.teams.iter().map(entry).collect(),
        }
    }
}

impl EvaluationLimits {
    /// The limits among the settings of a stored run; `None` if that is no evaluation.
    pub fn of_run(plan: &RunPlan) -> Option<EvaluationLimits> {
        let settings: Value = serde_json::from_str(&plan.settings).ok()?;
        let number = |key: &str| settings[key].as_u64()?.try_into().ok();
        let milliseconds = settings[TIME_KEY].as_f64()?;
        Some(EvaluationLimits {
            games_max: number(GAMES_KEY)?,
            time_max: Duration::try_from_secs_f64(milliseconds / 1e3).ok()?,
            give_up_after: NonZero::new(number(GIVE_UP_KEY)?),
        })
    }
}
