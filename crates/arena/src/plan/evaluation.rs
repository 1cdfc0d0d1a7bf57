//! The plan of an evaluation: teams, how they play, and how much of it.

use std::num::NonZero;
use std::time::Duration;

use quintain_core::{ConfigChoice, FieldError};
use quintain_referee::MatchRules;
use quintain_registry::{AnyGame, ReadyConfig};
use quintain_store::{BotEntry, RunPlan};
use serde_json::{Map, Value, json};

use super::Team;

/// How the limits of an evaluation are called in the settings of its run.
const GAMES_KEY: &str = "games";
const TIME_KEY: &str = "time-ms";
const GIVE_UP_KEY: &str = "give-up";

/// How long a team may take to give its name, unless told otherwise.
const START_LIMIT: Duration = Duration::from_secs(5);

/// Everything that marks depend on.
pub struct EvaluationPlan {
    /// One whose bots introduce themselves.
    pub game: &'static dyn AnyGame,
    pub config: ReadyConfig,
    pub rules: MatchRules,
    /// How long a team may take to give its name; `None` waits for ever.
    pub start_limit: Option<Duration>,
    pub teams: Vec<Team>,
    pub limits: EvaluationLimits,
    /// What this is of the whole mark, in percent.
    pub weight: Option<f64>,
}

/// How much of a pairing is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationLimits {
    pub games_max: u32,
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
    ///
    /// # Errors
    /// As [`quintain_registry::Playable::configure`].
    pub fn new(game: &'static dyn AnyGame, teams: Vec<Team>) -> Result<Self, FieldError> {
        Ok(EvaluationPlan {
            game,
            config: game.configure(&ConfigChoice::default())?,
            rules: MatchRules::default(),
            start_limit: Some(START_LIMIT),
            teams,
            limits: EvaluationLimits::default(),
            weight: None,
        })
    }

    /// What a run of this plan is in a store, so that who goes on with stored games means the same.
    /// `matches` says how they are played.
    pub fn identity(&self, name: String, matches: Map<String, Value>) -> RunPlan {
        let mut settings = matches;
        settings.insert(GAMES_KEY.to_owned(), json!(self.limits.games_max));
        let milliseconds = self.limits.time_max.as_secs_f64() * 1e3;
        settings.insert(TIME_KEY.to_owned(), json!(milliseconds));
        let give_up = self.limits.give_up_after.map_or(0, NonZero::get);
        settings.insert(GIVE_UP_KEY.to_owned(), json!(give_up));
        let entry = |team: &Team| BotEntry::new(team.name.clone(), team.command());
        RunPlan {
            name,
            kind: "evaluate".to_owned(),
            game: self.game.facts().id.to_owned(),
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
