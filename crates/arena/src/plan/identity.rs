//! What a run is in a store: who goes on with stored games must mean the same. The settings are a published
//! format, and what is not said has its key in them too.

use quintain_record::Contestant;
use quintain_store::{BotEntry, FILES, Run, RunPlan, Store, StoreError, digest};
use serde_json::{Map, Value, json};

use super::settings::read_config;
use super::{MatchSettings, seeds};
use crate::files::files_of;
use crate::run::RunError;

impl MatchSettings {
    /// The run of these settings. Of files it is their content that counts.
    pub(crate) fn run_plan(
        &self,
        name: String,
        kind: &str,
        contestants: &[Contestant],
        more: Map<String, Value>,
    ) -> Result<RunPlan, RunError> {
        let rules = &self.rules;
        let file = rules.game_config.as_deref().map(read_config).transpose()?;
        let mut settings = json!({
            "edition": rules.edition.name(),
            "league": rules.league,
            "game-config": file.map(|file| config_value(&file.text)),
            "limit-ms": rules.limit.map(|limit| limit.as_secs_f64() * 1e3),
            "time-scale": rules.time_scale,
            "clock": rules.clock,
            "start-limit-ms": self.start_limit.as_secs_f64() * 1e3,
            "seed": self.seed,
            "ask": self.ask.name(),
            "state": self.state.map(|state| state.name()),
            FILES: digests(contestants)?,
        });
        let object = settings.as_object_mut().expect("it was made as an object");
        object.extend(rules.set_values().map(|set| ("set".to_owned(), set)));
        object.extend(more);
        let entry = |contestant: &Contestant| {
            BotEntry::new(contestant.name.clone(), contestant.written.clone())
        };
        Ok(RunPlan {
            name,
            kind: kind.to_owned(),
            game: self.game.clone(),
            settings: settings.to_string(),
            bots: contestants.iter().map(entry).collect(),
        })
    }
}

/// A config file as it is compared with that of an earlier call: key by key where it is JSON.
fn config_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// The files that bots consist of, by what they are called in messages, with their digests.
fn digests(contestants: &[Contestant]) -> Result<Value, RunError> {
    let mut digests = Map::new();
    for bot in contestants {
        for (word, path) in files_of(bot) {
            let content = std::fs::read(&path)
                .map_err(|error| RunError::Unreadable { path: path.clone(), error })?;
            digests.insert(format!("{word} of bot {}", bot.name), digest(&content).into());
        }
    }
    Ok(Value::Object(digests))
}

/// Begins a run or goes on with it.
pub(crate) fn begin(store: &Store, plan: &RunPlan) -> Result<Run, RunError> {
    let plan = seeds::as_begun(plan, store)?;
    store.begin(&plan).map_err(|error| match error {
        StoreError::Changed { run, differences } => {
            RunError::Changed { store: store.place(), run, differences }
        }
        error => error.into(),
    })
}
