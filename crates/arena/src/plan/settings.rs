//! How every match of a run is played.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::{ConfigChoice, ConfigText, Edition, PerSeat, did_you_mean};
use quintain_record::{Occupant, State};
use quintain_referee::{Ask, MatchRules};
use quintain_registry::{AnyGame, GAMES, MatchSpec, ReadyConfig, find, known_games};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::PlanError;
use crate::results::{as_milliseconds, as_milliseconds_if_known};

/// How much longer a first answer may take, in games with a setting for it.
const START_LIMIT: &str = "start-limit";

/// What is said about the rules of a game, and about its clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameRules {
    pub edition: Edition,
    pub league: Option<u8>,
    /// A file of the original runner, in games that have one.
    pub game_config: Option<PathBuf>,
    /// The time for an answer.
    #[serde(rename = "limit_ms", serialize_with = "as_milliseconds_if_known")]
    pub limit: Option<Duration>,
    /// Any other field of the config, by its name.
    pub set: Vec<(String, Value)>,
    /// What all times are multiplied by.
    pub time_scale: f64,
    /// Whether bots have a time limit at all.
    pub clock: bool,
}

impl Default for GameRules {
    fn default() -> Self {
        GameRules {
            edition: Edition::Document,
            league: None,
            game_config: None,
            limit: None,
            set: Vec::new(),
            time_scale: 1.0,
            clock: true,
        }
    }
}

impl GameRules {
    /// The config that is asked for. `start_limit` is how long a bot may take to become ready, which its
    /// first answer shows in games that have a setting for it.
    ///
    /// # Errors
    /// A field that the game does not have, a value that it cannot have, or one said twice.
    pub fn config(
        &self,
        game: &dyn AnyGame,
        start_limit: Option<Duration>,
    ) -> Result<ReadyConfig, PlanError> {
        let mut choice = ConfigChoice::of(self.edition);
        choice.file = self.game_config.as_deref().map(read_config).transpose()?;
        for (key, value) in &self.set {
            if choice.set.insert(key.clone(), value.clone()).is_some() {
                return Err(said_twice(key));
            }
        }
        let has_start_limit = game.facts().settings.iter().any(|row| row.name == START_LIMIT);
        let is_set = |choice: &ConfigChoice, key: &str| choice.set.contains_key(key);
        if let Some(limit) =
            start_limit.filter(|_| has_start_limit && !is_set(&choice, START_LIMIT))
        {
            choice = choice.with_time(START_LIMIT, limit);
        }
        if let Some(league) = self.league {
            choice = once(choice, "league")?.with("league", league);
        }
        if let Some(limit) = self.limit {
            choice = once(choice, "limit")?.with_time("limit", limit);
        }
        Ok(game.configure(&choice)?)
    }

    pub fn match_rules(&self) -> MatchRules {
        MatchRules {
            time_scale: self.time_scale,
            clock: PerSeat([self.clock; 2]),
            ..MatchRules::default()
        }
    }

    /// The values that were set, as a run is compared with an earlier one; `None` if there are none.
    pub fn set_values(&self) -> Option<Value> {
        // A number is the same whether it was typed or stands in a file.
        let plain = |value: &Value| match value {
            Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| value.clone()),
            value => value.clone(),
        };
        let values: Map<String, Value> =
            self.set.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
        (!values.is_empty()).then_some(Value::Object(values))
    }
}

/// The choice itself, if it says nothing about what has a name of its own.
fn once(choice: ConfigChoice, key: &'static str) -> Result<ConfigChoice, PlanError> {
    if choice.set.contains_key(key) { Err(said_twice(key)) } else { Ok(choice) }
}

fn said_twice(key: &str) -> PlanError {
    PlanError::wrong(key.to_owned(), "expected once, found twice")
}

/// # Errors
/// Says what was expected.
pub fn check_time_scale(scale: f64) -> Result<f64, &'static str> {
    let is_sensible = (1e-3..=1e4).contains(&scale);
    is_sensible.then_some(scale).ok_or("expected a number from 0.001 to 10000")
}

pub(super) fn read_config(path: &Path) -> Result<ConfigText, PlanError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(ConfigText { path: path.display().to_string(), text }),
        Err(error) => {
            let wrong = format!("cannot read {}: {error}", path.display());
            Err(PlanError::wrong("game-config", wrong))
        }
    }
}

fn game_named(id: &str) -> Result<&'static dyn AnyGame, PlanError> {
    find(id).ok_or_else(|| {
        let known = known_games();
        let meant = did_you_mean(id, GAMES.iter().map(|game| game.facts().id));
        PlanError::wrong("game", format!("expected one of {known}, found `{id}`{meant}"))
    })
}

/// How every match of a run is played: what results depend on, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchSettings {
    pub game: String,
    pub rules: GameRules,
    #[serde(serialize_with = "by_name")]
    pub ask: Ask,
    /// How long a bot may take to become ready.
    #[serde(rename = "start_limit_ms", serialize_with = "as_milliseconds")]
    pub start_limit: Duration,
    /// How programs are told the state, in games with state files.
    pub state: Option<State>,
    /// The seed that those of all games follow from.
    pub seed: i64,
}

fn by_name<S: Serializer>(ask: &Ask, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ask.name())
}

impl MatchSettings {
    /// How long a bot usually may take to become ready.
    pub const START_LIMIT: Duration = Duration::from_secs(5);

    /// The usual ones of a game.
    pub fn of(game: &str) -> MatchSettings {
        MatchSettings {
            game: game.to_owned(),
            rules: GameRules::default(),
            ask: Ask::InTurn,
            start_limit: MatchSettings::START_LIMIT,
            state: None,
            seed: 1,
        }
    }

    /// # Errors
    /// There is no such game.
    pub fn game(&self) -> Result<&'static dyn AnyGame, PlanError> {
        game_named(&self.game)
    }

    /// # Errors
    /// As [`GameRules::config`], and if something is said about state files that the game does not have.
    pub fn config(&self, game: &dyn AnyGame) -> Result<ReadyConfig, PlanError> {
        let config = self.rules.config(game, Some(self.start_limit))?;
        if let Some(state) = self.state.filter(|_| !game.facts().abilities.state_files) {
            let found = game.facts().id;
            let wrong = format!("expected a game with state files, found {found}");
            let is_kept = matches!(state, State::Files { keep_rounds: Some(_) });
            return Err(PlanError::wrong(if is_kept { "keep-rounds" } else { "state" }, wrong));
        }
        Ok(config)
    }

    /// A match by these settings. Nothing is kept of it.
    pub(crate) fn spec(
        &self,
        config: ReadyConfig,
        seed: i64,
        seats: PerSeat<Occupant>,
    ) -> MatchSpec {
        MatchSpec {
            config,
            seed,
            seats,
            files: PerSeat::default(),
            rules: self.rules.match_rules(),
            ask: self.ask,
            start_limit: PerSeat([self.scaled_start_limit(); 2]),
            opening: None,
            replay: None,
            match_log: None,
            signer: None,
            sandbox: None,
        }
    }

    /// How long a bot is really waited for; `None`: for ever.
    pub fn scaled_start_limit(&self) -> Option<Duration> {
        self.scaled(self.start_limit)
    }

    /// How long something is really waited for; `None`: for ever.
    pub(crate) fn scaled(&self, limit: Duration) -> Option<Duration> {
        self.rules.clock.then(|| limit.mul_f64(self.rules.time_scale))
    }
}
