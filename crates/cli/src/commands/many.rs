//! What the commands that play many games have in common: their options, the arena that follows from
//! them, how they are stopped, and what they say about games that went wrong.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use quintain_arena::{
    Arena, ArenaError, Concurrency, Forgiveness, PlayedGame, Replays, cores, digests_of, try_start,
};
use quintain_core::printable;
use quintain_links::{INTERRUPTED, Quarters, tell_interrupts};
use quintain_record::{Contestant, Ending, SeatError, State, VoidReason};
use quintain_referee::{Ask, Stop};
use quintain_registry::{AnyGame, ReadyConfig};
use quintain_report::words::did;
use quintain_store::address::without_password;
use quintain_store::{BotEntry, FILES, Run, RunInfo, RunPlan, Store, StoreError, digest};
use serde_json::{Map, Value, json};

use super::config::{config_of, read_config, set_values};
use super::seeds;
use crate::args::{PassEnvArgs, RulesArgs, StateArg, duration, seed};
use crate::failure::Failure;
use crate::output::shell_word;
use crate::status_line::say;

#[derive(Debug, Args)]
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
    #[arg(long, value_enum, value_name = "WAY", default_value = "in-turn")]
    pub(crate) ask: AskArg,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AskArg {
    InTurn,
    Together,
}

impl From<AskArg> for Ask {
    fn from(ask: AskArg) -> Ask {
        match ask {
            AskArg::InTurn => Ask::InTurn,
            AskArg::Together => Ask::Together,
        }
    }
}

impl ManyArgs {
    /// Everything that can be wrong about a call is found here, before anything is written.
    pub(crate) fn checked_config(&self, game: &dyn AnyGame) -> Result<ReadyConfig, Failure> {
        let config = config_of(game, &self.rules, Some(self.start_limit))?;
        if let Some(name) = &self.name {
            check_name(name).map_err(|error| Failure::usage(format!("--name: {error}")))?;
        }
        super::check_has_files(game, "state", self.state.is_some())?;
        Ok(config)
    }

    /// Gives programs the variables that are passed on.
    pub(crate) fn pass_on(&self, contestants: &mut [Contestant]) -> Result<(), Failure> {
        let variables = self.pass_env.variables()?;
        for contestant in contestants {
            contestant.give(&variables);
        }
        Ok(())
    }

    /// The address of a store, with its password.
    pub(crate) fn address(&self, place: &str) -> Result<String, Failure> {
        crate::secret::address(place, self.store_password_file.as_deref())
    }

    pub(crate) fn concurrency(&self) -> Result<Concurrency, Failure> {
        let made = Concurrency::new(self.concurrency, self.ask.into(), cores(), self.force);
        made.map_err(|error| Failure::usage(format!("{error}; --force plays them all the same")))
    }

    /// How every match is played. `replays` are kept where nothing is said about them.
    pub(crate) fn arena(
        &self,
        game: &'static dyn AnyGame,
        contestants: Vec<Contestant>,
        store: Option<&Store>,
        replays: Replays,
    ) -> Result<Arena, Failure> {
        let start_limit = self.start_limit.mul_f64(self.rules.time_scale);
        let replays = match &self.replays {
            Some(folder) => Replays::All(folder.clone()),
            None if self.no_replays => Replays::None,
            None => replays,
        };
        Ok(Arena {
            game,
            digests: contestants.iter().map(digests_of).collect(),
            contestants,
            signer: super::key::signer(self.sign.as_deref())?,
            config: self.checked_config(game)?,
            rules: super::match_rules(&self.rules),
            ask: self.ask.into(),
            start_limit: (!self.rules.no_clock).then_some(start_limit),
            replays,
            forgiveness: Forgiveness::default(),
            store_folder: store.and_then(Store::folder),
        })
    }

    /// What results depend on: who goes on with stored games must mean the same. Of files it is their
    /// content that counts.
    pub(crate) fn run_plan(
        &self,
        name: String,
        kind: &str,
        game: &dyn AnyGame,
        contestants: &[Contestant],
        more: Map<String, Value>,
    ) -> Result<RunPlan, Failure> {
        let rules = &self.rules;
        let file = rules.game_config.as_deref().map(read_config).transpose()?;
        let edition: quintain_core::Edition = rules.edition.into();
        let mut settings = json!({
            "edition": edition.name(),
            "league": rules.league,
            "game-config": file.map(|file| config_value(&file.text)),
            "limit-ms": rules.limit.map(|limit| limit.as_secs_f64() * 1e3),
            "time-scale": rules.time_scale,
            "clock": !rules.no_clock,
            "start-limit-ms": self.start_limit.as_secs_f64() * 1e3,
            "seed": self.seed,
            "ask": Ask::from(self.ask).name(),
            "state": self.state.map(|state| state.state(None).name()),
            FILES: files_of(contestants)?,
        });
        let object = settings.as_object_mut().expect("it was made as an object");
        object.extend(set_values(rules).map(|set| ("set".to_owned(), set)));
        object.extend(more);
        let entry = |contestant: &Contestant| {
            BotEntry::new(contestant.name.clone(), contestant.written.clone())
        };
        Ok(RunPlan {
            name,
            kind: kind.to_owned(),
            game: game.facts().id.to_owned(),
            settings: settings.to_string(),
            bots: contestants.iter().map(entry).collect(),
        })
    }

    /// Makes sure that games can be played before any result is written: every bot is started once
    /// and ended again, and there is room for the replays. `origin` says where a bot was named.
    pub(crate) fn rehearse(
        &self,
        game: &dyn AnyGame,
        contestants: &[Contestant],
        origin: impl Fn(usize) -> String,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.replays {
            make_folder(folder).map_err(|error| Failure::usage(format!("--replays: {error}")))?;
        }
        let has_files = game.facts().abilities.state_files;
        for (place, bot) in contestants.iter().enumerate() {
            try_start(bot, has_files).map_err(|error| {
                let (origin, name) = (origin(place), &bot.name);
                Failure::usage(format!("{origin}bot {name} (`{}`): {error}", bot.written))
            })?;
        }
        Ok(())
    }

    /// How programs are told the state.
    pub(crate) fn state(&self) -> State {
        self.state.map_or_else(State::default, |state| state.state(None))
    }
}

/// Makes a folder for replays unless it is there, or says why that cannot be.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
}

/// Refuses a name that would tear tables and terminals apart.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() || printable(name) != name {
        return Err(format!("expected a name, without control characters, found {name:?}"));
    }
    Ok(())
}

/// A config file as it is compared with that of an earlier call: key by key where it is JSON.
fn config_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// The files that bots consist of, by what they are called in messages, with their digests.
fn files_of(contestants: &[Contestant]) -> Result<Value, Failure> {
    let mut digests = Map::new();
    for bot in contestants {
        for (word, path) in quintain_arena::files_of(bot) {
            let content = std::fs::read(&path)
                .map_err(|error| anyhow::anyhow!("cannot read {}: {error}", path.display()))?;
            digests.insert(format!("{word} of bot {}", bot.name), digest(&content).into());
        }
    }
    Ok(Value::Object(digests))
}

/// Begins a run or goes on with it. If it was begun differently, says what has changed and what can
/// be done.
pub(crate) fn begin(store: &Store, plan: &RunPlan) -> Result<Run, Failure> {
    let plan = seeds::as_begun(plan, store)?;
    store.begin(&plan).map_err(|error| match error {
        StoreError::Changed { run, differences } => Failure::Failed(anyhow::anyhow!(
            "the games of run `{run}` in {} were played differently:\n  {}\nto go on with them, \
             undo that; to begin anew beside them, add --name NAME",
            store.place(),
            differences.join("\n  ")
        )),
        error => error.into(),
    })
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

/// A run with its store, for who only looks: whoever plays is not hindered, and what bots consist of
/// by now does not matter.
pub(crate) fn look_up_run<'a>(
    place: &str,
    name: &str,
    bots: impl Iterator<Item = &'a str>,
) -> Result<(Store, RunInfo), Failure> {
    let store = Store::open_existing(place)?;
    let Some(info) = store.find_run(name)? else {
        let runs = store.runs()?;
        let known: Vec<&str> = runs.iter().map(|run| run.plan.name.as_str()).collect();
        let (known, place) = (known.join(", "), store.place());
        return Err(Failure::usage(format!(
            "--name: expected a run of {place} ({known}), found `{name}`"
        )));
    };
    let stored: Vec<&str> = info.plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let given: Vec<&str> = bots.collect();
    if stored != given {
        let (stored, given) = (stored.join(", "), given.join(", "));
        return Err(Failure::usage(format!(
            "--standings: expected the bots of the games ({stored}), found {given}"
        )));
    }
    Ok((store, info))
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

/// What kept games from being played, with how to go on once that is mended.
pub(crate) fn stopped_by(error: &ArenaError, how_to_go_on: &str) -> Failure {
    Failure::Failed(anyhow::anyhow!("{error}\n{how_to_go_on}"))
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
pub(crate) fn troubles(arena: &Arena, game: &PlayedGame) -> Vec<String> {
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
        let name = arena.name(head.bots[fault.seat]);
        let (did, text) = (did(fault.kind), &fault.text);
        format!("{name} {did} in game {id}, seed {seed}: {text}{again}")
    };
    game.record.errors.iter().map(tell).collect()
}
