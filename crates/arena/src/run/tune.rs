//! Tunes the parameters of a bot by games, and proves the gain. Iterations are kept in a file of lines, so that
//! a tuning goes on where it was stopped; the proof is a comparison, which a store keeps.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use quintain_referee::Stop;
use quintain_tournament::{Spsa, Tries};
use serde::{Deserialize, Serialize};

use super::{Progress, ReplayWish, RunError, RunMeans, RunResult, run_comparison};
use crate::plan::{PassParameters, TunePlan, written};
use crate::results::{TuneIteration, TuneNow, TuneReport, TunedParameter};
use crate::slots::RunEnd;

/// What is wrong with the file of a tuning.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("cannot use {}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("expected the history of a tuning in {}, found line {line}: {wrong}", path.display())]
    Line { path: PathBuf, line: usize, wrong: String },
    #[error("{} is the history of another tuning: {what} differs", path.display())]
    Other { path: PathBuf, what: &'static str },
}

/// Tunes until all iterations are played, or it is stopped; then the tuned parameters play those of the start.
///
/// # Errors
/// The history cannot be used, or as [`run_comparison`].
pub fn run_tune(
    plan: &TunePlan,
    history: &Path,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<TuneReport>, RunError> {
    let seed = plan.settings.seed.cast_unsigned();
    let mut spsa = Spsa::new(plan.parameters.knobs(), plan.iterations, seed);
    let mut history = History::open(history, &Head::of(plan))?;
    for iteration in &history.iterations {
        spsa.settle(iteration.score);
    }
    let quiet = RunMeans { store: None, name: None, replays: ReplayWish::None, ..means.clone() };
    let names: Vec<String> =
        plan.parameters.list.iter().map(|parameter| parameter.name.clone()).collect();
    while !spsa.is_over() && !stop.is_asked() {
        let Tries { plus, minus } = spsa.tries();
        let bots = [plan.bot_with("minus", &minus), plan.bot_with("plus", &plus)];
        let played = run_comparison(&plan.iteration(spsa.done(), bots), &quiet, &mut (), stop)?;
        if played.ended == RunEnd::Stopped {
            break;
        }
        spsa.settle(played.report.score);
        let values = spsa.path().last().cloned().unwrap_or_default();
        let (score, games) = (played.report.score, played.report.games);
        let latest = TuneIteration { iteration: spsa.done(), score, games, values };
        history.add(&latest)?;
        progress.tuned(&TuneNow { names: &names, latest: &latest, planned: plan.iterations });
    }
    progress.over();
    let mut report = report_of(plan, &spsa, history.iterations);
    if !spsa.is_over() {
        report.is_stopped = true;
        return Ok(RunResult { report, ended: RunEnd::Stopped });
    }
    let start: Vec<f64> = report.parameters.iter().map(|parameter| parameter.start).collect();
    let tuned: Vec<f64> = report.parameters.iter().map(|parameter| parameter.tuned).collect();
    let played = run_comparison(&plan.proof(&start, &tuned), means, progress, stop)?;
    report.is_stopped = played.ended == RunEnd::Stopped;
    report.proof = Some(played.report);
    Ok(RunResult { report, ended: played.ended })
}

fn report_of(plan: &TunePlan, spsa: &Spsa, iterations: Vec<TuneIteration>) -> TuneReport {
    let tuned = spsa.tuned();
    let parameter = |index: usize| {
        let parameter = &plan.parameters.list[index];
        TunedParameter {
            name: parameter.name.clone(),
            start: parameter.knob.start,
            min: parameter.knob.min,
            max: parameter.knob.max,
            tuned: written(tuned[index]).parse().unwrap_or(tuned[index]),
            path: spsa.path().iter().map(|values| values[index]).collect(),
        }
    };
    TuneReport {
        game: plan.settings.game.clone(),
        bot: plan.bot.name.clone(),
        parameters: (0..plan.parameters.list.len()).map(parameter).collect(),
        iterations,
        iterations_planned: plan.iterations,
        proof: None,
        is_stopped: false,
    }
}

/// What a tuning is: its first line. Whoever goes on must mean the same.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    game: String,
    bot: String,
    rules: serde_json::Value,
    pass: PassParameters,
    /// Name, start, least, greatest and step of each.
    parameters: Vec<(String, [f64; 4], bool)>,
    iterations: u32,
    games: u32,
    seed: i64,
}

impl Head {
    fn of(plan: &TunePlan) -> Head {
        let parameter = |parameter: &crate::plan::Parameter| {
            let knob = &parameter.knob;
            let numbers = [knob.start, knob.min, knob.max, knob.step];
            (parameter.name.clone(), numbers, knob.is_whole)
        };
        Head {
            game: plan.settings.game.clone(),
            bot: plan.bot.written.clone(),
            rules: serde_json::json!(plan.settings.rules),
            pass: plan.parameters.pass,
            parameters: plan.parameters.list.iter().map(parameter).collect(),
            iterations: plan.iterations,
            games: plan.games,
            seed: plan.settings.seed,
        }
    }

    /// What differs first from that of an earlier call.
    fn difference(&self, other: &Head) -> Option<&'static str> {
        let same = [
            ("the game", self.game == other.game),
            ("the bot", self.bot == other.bot),
            ("a rule", self.rules == other.rules),
            ("how parameters are passed", self.pass == other.pass),
            ("a parameter", self.parameters == other.parameters),
            ("the number of iterations", self.iterations == other.iterations),
            ("the number of games", self.games == other.games),
            ("the seed", self.seed == other.seed),
        ];
        same.into_iter().find(|(_, is_same)| !is_same).map(|(what, _)| what)
    }
}

/// The file of a tuning: its head, and a line for each iteration.
struct History {
    path: PathBuf,
    file: File,
    iterations: Vec<TuneIteration>,
}

impl History {
    /// Begins one, or goes on with it. A last line that was cut off is played again.
    fn open(path: &Path, head: &Head) -> Result<History, HistoryError> {
        let path = path.to_owned();
        let failed = |error| HistoryError::File { path: path.clone(), error };
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(failed)?,
        };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines();
        if let Some(first) = lines.next() {
            let found: Head = parsed(&path, 1, first)?;
            if let Some(what) = head.difference(&found) {
                return Err(HistoryError::Other { path, what });
            }
        }
        let iterations = lines.zip(2..).map(|(line, number)| parsed(&path, number, line));
        let iterations = iterations.collect::<Result<Vec<TuneIteration>, _>>()?;
        let open = OpenOptions::new().create(true).write(true).truncate(false).open(&path);
        let mut file = open.map_err(failed)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(failed)?;
        let mut history = History { path, file, iterations };
        if whole.is_empty() {
            history.write(&serde_json::json!(head).to_string())?;
        }
        Ok(history)
    }

    fn add(&mut self, iteration: &TuneIteration) -> Result<(), HistoryError> {
        self.write(&serde_json::json!(iteration).to_string())?;
        self.iterations.push(iteration.clone());
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), HistoryError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| HistoryError::File { path: self.path.clone(), error })
    }
}

fn parsed<T: for<'a> Deserialize<'a>>(
    path: &Path,
    line: usize,
    text: &str,
) -> Result<T, HistoryError> {
    serde_json::from_str(text).map_err(|error| HistoryError::Line {
        path: path.to_owned(),
        line,
        wrong: error.to_string(),
    })
}
