//! The plan of a tuning: a bot, and its parameters in a file.
//!
//! ```toml
//! pass = "environment"   # or "arguments": --NAME=VALUE behind those of the bot
//!
//! [depth_weight]
//! start = 1.0
//! min = 0.0
//! max = 5.0
//! step = 0.25
//! whole = false
//! ```

use std::path::Path;

use quintain_record::{Contestant, Mind};
use quintain_tournament::{Knob, Sprt};
use serde::{Deserialize, Serialize};

use super::toml::{FileTable, PlanFileError, Source};
use super::{ComparisonPlan, MatchSettings, PlanError};
use crate::occupant::parse_contestant;

/// How a bot is told its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassParameters {
    /// Variables of its environment.
    #[default]
    Environment,
    /// `--NAME=VALUE`, behind its other arguments.
    Arguments,
}

impl PassParameters {
    const ALL: [PassParameters; 2] = [PassParameters::Environment, PassParameters::Arguments];

    fn name(self) -> &'static str {
        match self {
            PassParameters::Environment => "environment",
            PassParameters::Arguments => "arguments",
        }
    }
}

/// A parameter and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub knob: Knob,
}

/// The parameters of a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    pub pass: PassParameters,
    pub list: Vec<Parameter>,
}

/// Everything that a tuning depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    pub settings: MatchSettings,
    pub bot: Contestant,
    pub parameters: Parameters,
    pub iterations: u32,
    /// How many games are played in an iteration.
    pub games: u32,
    /// What proves the gain in the end.
    pub sprt: Sprt,
    /// How many games it may take; `None`: until it is decided.
    pub proof_games: Option<u32>,
}

impl Parameters {
    /// # Errors
    /// Says what was expected, with the line.
    pub fn read(path: &Path) -> Result<Parameters, PlanFileError> {
        let source = Source::read("file with the parameters", path)?;
        let mut table = source.table()?;
        let pass = table.choice("pass", PassParameters::ALL, PassParameters::name)?;
        let mut list = Vec::new();
        for (name, table) in table.rest("a table for each parameter")? {
            list.push(parameter(&source, name, table)?);
        }
        if list.is_empty() {
            return Err(source.wrong_end("expected a parameter, such as [depth], found none"));
        }
        Ok(Parameters { pass: pass.unwrap_or_default(), list })
    }

    pub fn knobs(&self) -> Vec<Knob> {
        self.list.iter().map(|parameter| parameter.knob).collect()
    }
}

fn parameter(
    source: &Source,
    name: String,
    mut table: FileTable<'_>,
) -> Result<Parameter, PlanFileError> {
    let wrong = |wrong: String| source.wrong_line(&name, format!("{name}: {wrong}"));
    let mut number = |key: &'static str| match table.number(key)? {
        Some(number) if number.is_finite() => Ok(number),
        found => Err(wrong(match found {
            Some(found) => format!("{key}: expected a finite number, found {found}"),
            None => format!("missing key `{key}`"),
        })),
    };
    let (start, min, max, step) =
        (number("start")?, number("min")?, number("max")?, number("step")?);
    let is_whole = table.truth("whole")?;
    table.end()?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.chars().all(is_name) || name.is_empty() {
        return Err(wrong("expected a name of letters, digits, `_` and `-`".to_owned()));
    }
    if !(min <= start && start <= max && min < max) {
        return Err(wrong(format!(
            "expected start between min and max, found {start} and {min} to {max}"
        )));
    }
    let least = if is_whole { 1.0 } else { 0.0 };
    if !(step > 0.0 && step >= least && step <= max - min) {
        let expected = if is_whole { "a step of at least 1" } else { "a step above 0" };
        return Err(wrong(format!("expected {expected} and at most max - min, found {step}")));
    }
    Ok(Parameter { name, knob: Knob { start, min, max, step, is_whole } })
}

impl TunePlan {
    pub const ITERATIONS: u32 = 100;
    /// Two seeds, each from both seats.
    pub const GAMES: u32 = 4;

    /// # Errors
    /// Says what was expected in place of the bot.
    pub fn new(
        settings: MatchSettings,
        bot: &str,
        parameters: Parameters,
    ) -> Result<TunePlan, PlanError> {
        let game = settings.game()?;
        let bot = parse_contestant(bot, game, settings.state.unwrap_or_default())?;
        if matches!(bot.mind, Mind::House { .. }) {
            let wrong = format!(
                "expected a program, which can be given parameters, found the house bot `{}`",
                bot.written
            );
            return Err(PlanError::wrong("bot", wrong));
        }
        let (iterations, games) = (TunePlan::ITERATIONS, TunePlan::GAMES);
        let (sprt, proof_games) = (Sprt::default(), None);
        Ok(TunePlan { settings, bot, parameters, iterations, games, sprt, proof_games })
    }

    /// The bot with these values of its parameters.
    pub(crate) fn bot_with(&self, name: &str, values: &[f64]) -> Contestant {
        let mut bot = Contestant { name: name.to_owned(), ..self.bot.clone() };
        let given = self.parameters.list.iter().zip(values);
        let given = given.map(|(parameter, value)| (parameter.name.clone(), written(*value)));
        match self.parameters.pass {
            PassParameters::Environment => bot.give(&given.collect::<Vec<_>>()),
            PassParameters::Arguments => {
                if let Mind::Program(program) = &mut bot.mind {
                    let arguments = given.map(|(name, value)| format!("--{name}={value}"));
                    program.launch.args.extend(arguments);
                }
            }
        }
        bot
    }

    /// The games of an iteration. Each has seeds of its own.
    pub(crate) fn iteration(&self, number: u32, [minus, plus]: [Contestant; 2]) -> ComparisonPlan {
        let mut settings = self.settings.clone();
        settings.seed = settings.seed.wrapping_add(1 + i64::from(number));
        let games_max = Some(self.games);
        ComparisonPlan { games_max, ..ComparisonPlan::between(settings, minus, plus) }
    }

    /// The games that prove the gain.
    pub(crate) fn proof(&self, start: &[f64], tuned: &[f64]) -> ComparisonPlan {
        let (old, new) = (self.bot_with("start", start), self.bot_with("tuned", tuned));
        ComparisonPlan {
            sprt: Some(self.sprt),
            games_max: self.proof_games,
            ..ComparisonPlan::between(self.settings.clone(), old, new)
        }
    }
}

/// A number as bots are given it: millionths are exact enough.
pub(crate) fn written(value: f64) -> String {
    ((value * 1e6).round() / 1e6).to_string()
}
