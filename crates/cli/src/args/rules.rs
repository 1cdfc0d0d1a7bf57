//! How a match is played, whatever command plays it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use quintain_core::Edition;
use quintain_record::State;
use serde_json::Value;

use super::values::{duration, key_and_value, named, time_scale};
use crate::failure::Failure;

/// What is chosen about the rules of a match.
#[derive(Clone, Debug, Args)]
pub(crate) struct RulesArgs {
    /// The league, for games that have some
    #[arg(long, value_name = "N")]
    pub(crate) league: Option<u8>,
    /// The rules of the game's document, or those of the published engine, bug for bug
    #[arg(long, value_parser = named(Edition::ALL, Edition::name), default_value = "document")]
    pub(crate) edition: Edition,
    /// The config file of the original engine, for games that have one (worms, overdrive)
    #[arg(long, value_name = "FILE")]
    pub(crate) game_config: Option<PathBuf>,
    /// The time limit per turn, for instance 500ms or 2s [default: the game's]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) limit: Option<Duration>,
    /// Another field of the game's config, by a name or path that `quintain games GAME` lists. Can be
    /// repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub(crate) set: Vec<(String, Value)>,
    /// Multiply all time limits
    #[arg(long, value_name = "F", default_value = "1", value_parser = time_scale)]
    pub(crate) time_scale: f64,
    /// Turn the clock off, for debugging
    #[arg(long)]
    pub(crate) no_clock: bool,
}

/// What bots are given of this program's environment beside the little that all are given.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PassEnvArgs {
    /// Give bots this variable too; they have a small clean environment otherwise (see
    /// docs/src/bots.md). Can be repeated
    #[arg(long = "pass-env", value_name = "NAME")]
    pub(crate) names: Vec<String>,
}

impl PassEnvArgs {
    /// The variables with their values.
    pub(crate) fn variables(&self) -> Result<Vec<(String, String)>, Failure> {
        let variable = |name: &String| match std::env::var(name) {
            Ok(value) => Ok((name.clone(), value)),
            Err(error) => {
                let expected = "expected a variable of this environment";
                let wrong = format!("{expected}, found `{name}`: {error}");
                Err(Failure::Field { field: "pass-env".into(), wrong })
            }
        };
        self.names.iter().map(variable).collect()
    }
}

/// How a program is told the state: in files, then a line that names them, or on standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StateArg {
    Files,
    Stdin,
}

impl StateArg {
    /// As it is meant for programs that keep so many rounds.
    pub(crate) fn state(self, keep_rounds: Option<u32>) -> State {
        match self {
            StateArg::Files => State::Files { keep_rounds },
            StateArg::Stdin => State::Stdin,
        }
    }
}
