//! What the commands that play many games have in common: their options, the arena that follows from
//! them, how they are stopped, and what they say about games that went wrong.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quintain_arena::plan::{MatchSettings, check_name};
use quintain_arena::run::{Now, ReplayWish, RunError, RunMeans};
use quintain_arena::{Concurrency, PlayedGame, REPLAYS_FOLDER, cores};
use quintain_links::{INTERRUPTED, Quarters, tell_interrupts};
use quintain_record::{Ending, SeatError, VoidReason};
use quintain_referee::{Ask, Stop};
use quintain_registry::{AnyGame, ReadyConfig};
use quintain_report::words::did;
use quintain_store::address::without_password;

use super::config::plan_failure;
use crate::args::{PassEnvArgs, RulesArgs, StateArg, duration, named, seed};
use crate::failure::Failure;
use crate::output::shell_word;
use crate::status_line::say;

#[derive(Clone, Debug, Args)]
pub(crate) struct ManyArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The seed that those of all games follow from, spread over all that give different matches
    #[arg(long, value_name = "N", default_value = "1")]
    #[arg(allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: i64,
    /// Play this many games at a time [default: as many as have their cores to themselves]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) concurrency: Option<NonZero<usize>>,
    /// Play more games at a time than there are cores for, and say what came out even if many games
    /// were void or played again
    #[arg(long)]
    pub(crate) force: bool,
    /// Whether the bots of a game think one after the other, or at the same time on a core each
    #[arg(long, value_parser = named(Ask::ALL, Ask::name), value_name = "WAY", default_value = "in-turn")]
    pub(crate) ask: Ask,
    /// How long a bot may take to become ready; in worms and overdrive, how much longer its first
    /// answer may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(crate) start_limit: Duration,
    /// How programs are told the state, in games with state files
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) state: Option<StateArg>,
    #[command(flatten)]
    pub(crate) pass_env: PassEnvArgs,
    /// Keep the games in this file or database (postgres://USER@HOST/DATABASE), and go on with those
    /// that it holds
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE")]
    pub(crate) store_password_file: Option<PathBuf>,
    /// What the games are called in the store
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Keep all replays in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) replays: Option<PathBuf>,
    /// Keep no replays
    #[arg(long, conflicts_with = "replays")]
    pub(crate) no_replays: bool,
    /// Sign the replays with this key, which `quintain key new` makes
    #[arg(long, value_name = "KEY", conflicts_with = "no_replays")]
    pub(crate) sign: Option<PathBuf>,
    /// Show no progress while games are played
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl ManyArgs {
    /// Everything that can be wrong about a call is found here, before anything is written.
    pub(crate) fn checked_config(&self, game: &dyn AnyGame) -> Result<ReadyConfig, Failure> {
        let config = self.settings(game.facts().id).config(game).map_err(plan_failure)?;
        if let Some(name) = &self.name {
            check_name(name).map_err(|error| Failure::usage(format!("--name: {error}")))?;
        }
        Ok(config)
    }

    /// How every match is played.
    pub(crate) fn settings(&self, game: &str) -> MatchSettings {
        MatchSettings {
            game: game.to_owned(),
            rules: self.rules.rules(),
            ask: self.ask,
            start_limit: self.start_limit,
            state: self.state.map(|state| state.state(None)),
            seed: self.seed,
        }
    }

    /// What results do not depend on. `store` is where the games are kept, and `ask` how they are played.
    pub(crate) fn means(&self, store: Option<&str>, ask: Ask) -> Result<RunMeans, Failure> {
        let address = |place| crate::secret::address(place, self.store_password_file.as_deref());
        Ok(RunMeans {
            store: store.map(address).transpose()?,
            name: self.name.clone(),
            replays: match &self.replays {
                Some(folder) => ReplayWish::All(folder.clone()),
                None if self.no_replays => ReplayWish::None,
                None => ReplayWish::Usual,
            },
            concurrency: self.concurrency(ask)?,
            is_forced: self.force,
            signer: super::key::signer(self.sign.as_deref())?,
        })
    }

    pub(crate) fn concurrency(&self, ask: Ask) -> Result<Concurrency, Failure> {
        let made = Concurrency::new(self.concurrency, ask, cores(), self.force);
        made.map_err(|error| Failure::usage(format!("{error}; --force plays them all the same")))
    }
}

/// Makes a folder for replays unless it is there, or says why that cannot be.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
}

/// What kept a run from being played, in words that say what can be done. A bot and a store may have been
/// named somewhere else than on the command line, with which messages begin then.
pub(crate) fn run_failure(error: RunError, go_on: &str, origin: &Origin<'_>) -> Failure {
    let advice = match &error {
        RunError::Plan(_) => {
            let RunError::Plan(error) = error else { unreachable!("it was looked at") };
            return plan_failure(error);
        }
        RunError::Start { place, .. } => {
            let bot = origin.bots.get(*place).map_or("", String::as_str);
            return Failure::usage(format!("{bot}{error}"));
        }
        RunError::Replays { .. } => return Failure::usage(format!("--replays: {error}")),
        RunError::NoSuchRun { .. } => return Failure::usage(format!("--name: {error}")),
        RunError::OtherBots { .. } => return Failure::usage(format!("--standings: {error}")),
        RunError::NoStore => {
            return Failure::usage("--standings: expected --store with the games");
        }
        RunError::Open(_) if !origin.store.is_empty() => {
            return Failure::Failed(anyhow::anyhow!("{}store: {error}", origin.store));
        }
        RunError::NewFolder(error) => {
            return Failure::Failed(anyhow::anyhow!(
                "cannot make a folder for replays in {REPLAYS_FOLDER}: {error}; --replays DIR keeps them \
                 elsewhere, --no-replays keeps none"
            ));
        }
        RunError::Changed { .. } => {
            "\nto go on with them, undo that; to begin anew beside them, add --name NAME".to_owned()
        }
        RunError::Record(_) => {
            "; play at least as many games for each pair as before, or add --name NAME to \
            begin anew beside them"
                .to_owned()
        }
        RunError::Play(_) => format!("\n{go_on}"),
        _ => return error.into(),
    };
    Failure::Failed(anyhow::anyhow!("{error}{advice}"))
}

/// Where things were named, as messages begin.
#[derive(Default)]
pub(crate) struct Origin<'a> {
    pub(crate) bots: &'a [String],
    /// Empty if nobody has to be told.
    pub(crate) store: &'a str,
}

/// Ctrl-C once lets the running games finish, twice abandons them. To be called before anything
/// starts a thread.
pub(crate) fn stop_on_interrupts(how_to_go_on: String) -> Result<Stop, Failure> {
    let stop = Stop::default();
    let request = stop.clone();
    tell_interrupts(move |times| {
        if times == 1 {
            request.no_more_matches();
            say("finishing the games that run; Ctrl-C again abandons them");
            return;
        }
        Quarters::remove_all();
        say(&how_to_go_on);
        std::process::exit(INTERRUPTED);
    })?;
    Ok(stop)
}

/// How to go on, as a command that can be pasted into a shell.
pub(crate) fn how_to_go_on(is_kept: bool) -> String {
    let words = std::env::args_os().skip(1).map(|word| {
        let word = word.to_string_lossy().into_owned();
        shell_word(without_password(&word).as_ref())
    });
    let words: Vec<String> = words.collect();
    let command = format!("quintain {}", words.join(" "));
    if is_kept {
        format!("to go on: {command}")
    } else {
        format!("nothing is kept without --store; to begin anew: {command} --store games.db")
    }
}

/// The command that lists the games of a run that an option of `stats` selects, as it can be pasted
/// into a shell.
pub(crate) fn stats_command(store: &str, run: &str, option: &str) -> String {
    let [store, run] = [&without_password(store), run].map(|word| shell_word(Path::new(word)));
    format!("quintain stats --store {store} --run {run} {option}")
}

/// What can be done where nothing is concluded from games.
pub(crate) const ON_REFUSAL: &str = "`quintain doctor` says how many games at a time are safe (-j), and \
    --force gives a verdict all the same";

/// What went wrong in a game, a sentence for each bot, with the command that shows it again.
pub(crate) fn troubles(now: &Now<'_>, game: &PlayedGame) -> Vec<String> {
    let head = &game.record.head;
    let (id, seed) = (head.id, head.seed);
    let again = game.replay.as_deref().map_or(String::new(), |path| {
        format!("; show it again: quintain replay {}", shell_word(path))
    });
    if let Ending::Void(reason) = head.ending {
        let why = match reason {
            VoidReason::Aborted => "a bug in quintain ended it",
            VoidReason::Disturbed => "this machine was too busy, each time it was played",
        };
        return vec![format!("game {id}, seed {seed}, is void: {why}{again}")];
    }
    let tell = |fault: &SeatError| {
        let name = now.name(head.bots[fault.seat]);
        let (did, text) = (did(fault.kind), &fault.text);
        format!("{name} {did} in game {id}, seed {seed}: {text}{again}")
    };
    game.record.errors.iter().map(tell).collect()
}
