//! One file per command.

mod aftermath;
mod bench;
mod bot;
mod check;
mod compare;
mod config;
mod conform;
mod doctor;
mod elsewhere;
mod evaluate;
mod explain;
mod export;
mod feed;
mod games;
mod host;
mod key;
mod ladder;
mod man;
mod many;
mod opened;
mod pack;
mod perft;
mod play;
mod replay;
mod run_screen;
mod schema;
mod serve;
mod stats;
mod token;
mod tournament;
mod tune;
mod verify;
mod worker;

use std::io::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::CommandFactory as _;
use quintain_arena::OpenReplayError;
use quintain_core::{SplitMix64, did_you_mean, drawn_seed};
use quintain_registry::{AnyGame, GAMES, find, known_games};
use quintain_replay::{Reader, ReplayError, RerunError};

use crate::args::{Arguments, Command, CompletionsArgs};
use crate::failure::Failure;

pub(crate) use compare::CompareArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use evaluate::EvaluateArgs;
pub(crate) use ladder::LadderArgs;
pub(crate) use pack::PackArgs;
pub(crate) use stats::StatsArgs;
pub(crate) use token::TokenArgs;
pub(crate) use tournament::TournamentArgs;
pub(crate) use tune::TuneArgs;
pub(crate) use worker::WorkerArgs;

pub(crate) fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Games(args) => games::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Ladder(args) => ladder::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Host(args) => host::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Worker(args) => worker::run(&args),
        Command::Token(args) => token::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Key(args) => key::run(&args),
        Command::Feed(args) => feed::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions(&args),
        Command::Man(args) => man::run(&args),
        Command::Echo(args) => bench::run_echo(&args),
    }
}

fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "quintain", &mut text);
    Ok(std::io::stdout().write_all(&text)?)
}

/// The replay in a file, and its game. What is wrong with it is told with its name.
fn open_replay(path: &Path) -> Result<(Reader<'static>, &'static dyn AnyGame), Failure> {
    quintain_arena::open_replay(path).map_err(|error| match error {
        // The error names the file.
        OpenReplayError::Read(ReplayError::Open { .. }) => error.into(),
        error => Failure::Failed(anyhow::anyhow!("{}: {error}", path.display())),
    })
}

fn game_named(id: &str) -> Result<&'static dyn AnyGame, Failure> {
    find(id).ok_or_else(|| {
        let (known, meant) = (known_games(), did_you_mean(id, GAMES.iter().map(|g| g.facts().id)));
        Failure::usage(format!("expected a game of this list: {known}, found `{id}`{meant}"))
    })
}

/// Refuses an option about state files where the game has none.
fn check_has_files(
    game: &dyn AnyGame,
    option: &'static str,
    is_given: bool,
) -> Result<(), Failure> {
    let facts = game.facts();
    if is_given && !facts.abilities.state_files {
        let wrong = format!("expected a game with state files, found {}", facts.id);
        return Err(Failure::Field { field: option.into(), wrong });
    }
    Ok(())
}

/// A replay that was edited, or is of other rules, is named with what differs in it.
fn not_the_same(replay: &Path, error: &RerunError) -> Failure {
    Failure::Failed(anyhow::anyhow!("{} cannot be played again: {error}", replay.display()))
}

/// A seed for who does not care.
fn seed_from_clock(game: &dyn AnyGame) -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let random = SplitMix64::new(since.as_nanos() as u64).next_u64();
    drawn_seed(game.facts().seed_bits, random)
}
