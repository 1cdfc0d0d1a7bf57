//! The organiser's choice about a game, as flags and keys say it.

use std::path::Path;
use std::time::Duration;

use quintain_core::{ConfigChoice, ConfigText};
use quintain_registry::{AnyGame, ReadyConfig};
use serde_json::{Map, Value};

use crate::args::RulesArgs;
use crate::failure::Failure;

/// How much longer a first answer may take, in games with a setting for it.
const START_LIMIT: &str = "start-limit";

/// The config that was asked for. `start_limit` is how long a bot may take to become ready, which its
/// first answer shows in games that have a setting for it.
pub(super) fn config_of(
    game: &dyn AnyGame,
    rules: &RulesArgs,
    start_limit: Option<Duration>,
) -> Result<ReadyConfig, Failure> {
    let mut choice = ConfigChoice::of(rules.edition.into());
    choice.file = rules.game_config.as_deref().map(read_config).transpose()?;
    for (key, value) in &rules.set {
        if choice.set.insert(key.clone(), value.clone()).is_some() {
            return Err(said_twice(key));
        }
    }
    let has_start_limit = game.facts().settings.iter().any(|row| row.name == START_LIMIT);
    if let Some(limit) = start_limit.filter(|_| has_start_limit && !is_set(&choice, START_LIMIT)) {
        choice = choice.with_time(START_LIMIT, limit);
    }
    if let Some(league) = rules.league {
        choice = once(choice, "league")?.with("league", league);
    }
    if let Some(limit) = rules.limit {
        choice = once(choice, "limit")?.with_time("limit", limit);
    }
    game.configure(&choice).map_err(Failure::field)
}

fn is_set(choice: &ConfigChoice, key: &str) -> bool {
    choice.set.contains_key(key)
}

/// The choice itself, if it says nothing about what has a flag of its own.
fn once(choice: ConfigChoice, key: &'static str) -> Result<ConfigChoice, Failure> {
    if is_set(&choice, key) { Err(said_twice(key)) } else { Ok(choice) }
}

fn said_twice(key: &str) -> Failure {
    Failure::Field { field: key.to_owned().into(), wrong: "expected once, found twice".to_owned() }
}

pub(super) fn read_config(path: &Path) -> Result<ConfigText, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(ConfigText { path: path.display().to_string(), text }),
        Err(error) => {
            let wrong = format!("cannot read {}: {error}", path.display());
            Err(Failure::Field { field: "game-config".into(), wrong })
        }
    }
}

/// The values that were set, as a run is compared with an earlier one; `None` if there are none.
pub(super) fn set_values(rules: &RulesArgs) -> Option<Value> {
    // A number is the same whether it was typed or stands in a file.
    let plain = |value: &Value| match value {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| value.clone()),
        value => value.clone(),
    };
    let values: Map<String, Value> =
        rules.set.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
    (!values.is_empty()).then_some(Value::Object(values))
}
