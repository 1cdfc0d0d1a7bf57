//! What a run is in a store: who goes on with stored games must mean the same. The settings are a published
//! format, and what is not said has its key in them too.

use quintain_record::{Contestant, State};
use quintain_store::{BotEntry, FILES, Run, RunPlan, Store, StoreError};
use serde_json::{Map, Value, json};

use super::settings::read_config;
use super::{MatchSettings, seeds};
use crate::files::files_of;
use crate::run::RunError;

impl MatchSettings {
    /// How matches are played, whoever plays them.
    pub(super) fn identity(&self) -> Map<String, Value> {
        let rules = &self.rules;
        let settings = [
            ("edition", json!(rules.edition.name())),
            ("limit-ms", json!(rules.limit.map(|limit| limit.as_secs_f64() * 1e3))),
            ("time-scale", json!(rules.time_scale)),
            ("clock", json!(rules.clock)),
            ("start-limit-ms", json!(self.start_limit.as_secs_f64() * 1e3)),
        ];
        let set = rules.set_values().map(|set| ("set", set));
        settings.into_iter().chain(set).map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// The run of these settings. Of files it is their content that counts.
    pub(crate) fn run_plan(
        &self,
        name: String,
        kind: &str,
        contestants: &[Contestant],
        more: Map<String, Value>,
    ) -> Result<RunPlan, RunError> {
        let file = self.rules.game_config.as_deref().map(read_config).transpose()?;
        let own = [
            ("league", json!(self.rules.league)),
            ("game-config", json!(file.map(|file| config_value(&file.text)))),
            ("seed", json!(self.seed)),
            ("ask", json!(self.ask.name())),
            ("state", json!(self.state.map(State::name))),
            (FILES, digests(contestants)?),
        ];
        let mut settings = self.identity();
        settings.extend(own.map(|(key, value)| (key.to_owned(), value)));
        settings.extend(more);
        let entry = |contestant: &Contestant| {
            BotEntry::new(contestant.name.clone(), contestant.written.clone())
        };
        Ok(RunPlan {
            name,
            kind: kind.to_owned(),
            game: self.game.clone(),
            settings: Value::Object(settings).to_string(),
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
        for file in files_of(bot) {
            let digest = file
                .digest()
                .map_err(|error| RunError::Unreadable { path: file.path.clone(), error })?;
            digests.insert(format!("{} of bot {}", file.word, bot.name), digest.into());
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
