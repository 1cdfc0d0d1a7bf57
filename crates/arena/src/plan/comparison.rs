//! The plan of a comparison: is the new version better?

use std::time::Duration;

use quintain_record::Contestant;
use quintain_tournament::{Question, Sprt};
use serde::Serialize;

use super::{MatchSettings, PlanError, check_name};
use crate::occupant::{parse_contestant, split_name};
use crate::results::{as_milliseconds_if_known, as_text};

/// Everything that a comparison depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonPlan {
    pub settings: MatchSettings,
    pub old: Contestant,
    pub new: Contestant,
    /// The test; without one and without `games_max` it is the usual one.
    #[serde(serialize_with = "as_text")]
    pub sprt: Option<Sprt>,
    /// A test that is told of the games and ends nothing.
    #[serde(skip)]
    pub alongside: Option<Sprt>,
    /// How many games are played, or with a test at most.
    pub games_max: Option<u32>,
    /// For how long games are begun, in this session.
    #[serde(
        rename = "time_max_ms",
        serialize_with = "as_milliseconds_if_known",
        skip_serializing_if = "Option::is_none"
    )]
    pub time_max: Option<Duration>,
}

impl ComparisonPlan {
    /// Reads both bots. Unless they were given names, they are called what they are.
    ///
    /// # Errors
    /// Says what was expected in place of a bot or its name.
    pub fn new(settings: MatchSettings, old: &str, new: &str) -> Result<Self, PlanError> {
        let game = settings.game()?;
        let named = |text: &str, name: &'static str| -> Result<Contestant, PlanError> {
            let bot = parse_contestant(text, game, settings.state.unwrap_or_default());
            let mut bot = bot.map_err(|wrong| PlanError::wrong(name, wrong))?;
            if split_name(text).0.is_none() {
                bot.name = name.to_owned();
            }
            check_name(&bot.name).map_err(|wrong| PlanError::wrong(name, wrong))?;
            Ok(bot)
        };
        let (old, new) = (named(old, "old")?, named(new, "new")?);
        if old.name == new.name {
            return Err(PlanError::SameName { name: old.name });
        }
        Ok(ComparisonPlan::between(settings, old, new))
    }

    /// Of two bots that were read already, by the usual test.
    pub(crate) fn between(settings: MatchSettings, old: Contestant, new: Contestant) -> Self {
        let (sprt, alongside, games_max, time_max) = (None, None, None, None);
        ComparisonPlan { settings, old, new, sprt, alongside, games_max, time_max }
    }

    /// What its games are called in a store, unless they have a name.
    pub fn usual_name(&self) -> String {
        format!("compare {} {} {}", self.settings.game, self.old.name, self.new.name)
    }

    pub(crate) fn question(&self) -> Question {
        match (self.sprt, self.games_max) {
            (Some(test), _) => Question::Test(test),
            (None, Some(games)) => Question::Games(games),
            (None, None) => Question::Test(Sprt::default()),
        }
    }
}
