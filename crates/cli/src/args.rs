//! The command line.

mod one_bot;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use quintain_arena::plan::check_time_scale;
use quintain_arena::run::LISTEN;
use quintain_core::{Edition, read_duration};
use quintain_record::State;
use quintain_referee::Ask;
use serde_json::Value;

use crate::failure::Failure;

pub(crate) use one_bot::{CheckArgs, FeedArgs};

/// An arena for bot programming: plays bots against each other, proves what happened, shows it.
#[derive(Debug, Parser)]
#[command(name = "quintain", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the games with their editions, leagues and house bots
    Games(GamesArgs),
    /// Play one match
    Play(PlayArgs),
    /// Find out whether the new version of a bot is better than the old one
    Compare(crate::commands::CompareArgs),
    /// Play a tournament, or go on with one, and show the standings
    Tournament(crate::commands::TournamentArgs),
    /// Serve a game over TCP: whoever connects is seated, many tables at the same time
    Host(HostArgs),
    /// Evaluate teams as the hockey contest did: every pairing, points, marks
    Evaluate(crate::commands::EvaluateArgs),
    /// Show a replay: full screen on a terminal, plain text elsewhere
    Replay(ReplayArgs),
    /// Play replays again and name the first turn that differs
    Verify(VerifyArgs),
    /// Make a key with which replays are signed, or show its public part
    Key(KeyArgs),
    /// Ask a bot what it would answer in a turn of a replay
    Feed(FeedArgs),
    /// Check step by step whether a bot keeps to the protocol of a game
    Check(CheckArgs),
    /// List the games of a store behind a number, with their replays
    Stats(crate::commands::StatsArgs),
    /// Make a picture or a film of a replay
    Export(ExportArgs),
    /// Replay recorded matches of the original engines and compare everything
    Conform(ConformArgs),
    /// Run a house bot as a program of its own, over TCP or standard input and output
    Bot(BotArgs),
    /// Count the sequences of legal plies from the start, to check your own copy of the rules
    Perft(PerftArgs),
    /// Measure how fast everything is on this machine
    Bench(BenchArgs),
    /// Examine this machine: can its results be trusted, how many games at a time are safe
    Doctor(crate::commands::DoctorArgs),
    /// Print the completions for a shell
    Completions(CompletionsArgs),
    /// Write the man pages of all commands
    Man(ManArgs),
    /// Answer every line with the same line: the other end of bench's bare exchanges
    #[command(hide = true)]
    Echo(EchoArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GamesArgs {
    /// List what can be chosen about this game: its settings, and every other field of its config
    pub(crate) game: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

const BOT_HELP: &str = "\
A BOT is one of:
  house:NAME       a bot of ours, for instance house:greedy (see `quintain games`)
  FOLDER           a folder with a bot.json (of the Entelect contests) or a run.sh
  COMMAND          a command line in quotes, for instance \"python3 bot.py\"
  human            you, at this terminal
  tcp              the next client that connects
Write NAME=BOT to give it a name.

In games with state files (worms, overdrive) every program has a working folder of its own, which
is removed afterwards: a FOLDER is copied without the rounds of earlier matches, a COMMAND finds
links to everything in the current folder. Before each round the files rounds/N/state.json,
rounds/N/textMap.txt and rounds/N/state.txt are there when the line N is read; the answer is a line
C;N;COMMAND. With --state stdin the line N is followed by a line with the object of state.json, and
no files are written. QUINTAIN_STATE (files or stdin) tells a program which of both it is.";

const PLAY_HELP: &str = "\
The habits of brutaltester work too: -p1 BOT -p2 BOT -i SEED -l DIR -s.
League runners such as psyleague and cgarena can call `quintain play GAME BOT BOT --json` for each
of their games; see docs/src/runners.md.";

#[derive(Debug, Args)]
#[command(after_help = format!("{BOT_HELP}\n\n{PLAY_HELP}"))]
pub(crate) struct PlayArgs {
    /// The game, for instance hockey; with --from it can be left out
    #[arg(required_unless_present = "from")]
    game: Option<String>,
    /// Two bots, first seat first; without any, two house bots play
    #[arg(value_name = "BOT", num_args = 0..=2)]
    bots: Vec<String>,
    /// Go on from a turn of this replay: the turns before are played as they were recorded, and
    /// programs are told them
    #[arg(long, value_name = "REPLAY", requires = "turn")]
    #[arg(conflicts_with_all = ["seed", "league", "edition", "game_config", "limit", "set"])]
    pub(crate) from: Option<PathBuf>,
    /// The first turn that these bots play, as `quintain replay` numbers them
    #[arg(long, value_name = "N", requires = "from")]
    pub(crate) turn: Option<u32>,
    #[arg(long = "p1", value_name = "BOT", hide = true, requires = "second_bot")]
    #[arg(conflicts_with = "bots")]
    first_bot: Option<String>,
    #[arg(long = "p2", value_name = "BOT", hide = true, requires = "first_bot")]
    second_bot: Option<String>,
    /// The seed of everything random [default: drawn from the clock]. Neighbours share the queens'
    /// health in code-royale, and all from 2^30 on share one map in worms
    #[arg(long, short = 'i', value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<i64>,
    /// Play a second match with the same seed and the seats swapped
    #[arg(long, short)]
    pub(crate) swap: bool,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Write the replay to this file, compressed if its name ends in .zst [default: a new file in
    /// replays/]
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
    /// Write no replay
    #[arg(long, conflicts_with = "replay")]
    pub(crate) no_replay: bool,
    /// Sign the replay with this key, which `quintain key new` makes
    #[arg(long, value_name = "KEY", conflicts_with = "no_replay")]
    pub(crate) sign: Option<PathBuf>,
    /// Write the replay and the result as JSON to new files in this folder
    #[arg(long, short, value_name = "DIR", conflicts_with_all = ["replay", "no_replay"])]
    pub(crate) log_dir: Option<PathBuf>,
    /// How long a bot may take to become ready; in worms and overdrive, how much longer its first
    /// answer may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(crate) start_limit: Duration,
    /// Whether the bots of a match think at the same time, which takes a core for each
    #[arg(long, value_parser = named(Ask::ALL, Ask::name), value_name = "WAY", default_value = "in-turn")]
    pub(crate) ask: Ask,
    /// Where a `tcp` bot connects; `localhost:8023` listens on 127.0.0.1 and `[::1]`
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    pub(crate) listen: String,
    /// How programs are told the state, in games with state files
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) state: Option<StateArg>,
    #[command(flatten)]
    pub(crate) pass_env: PassEnvArgs,
    /// Keep only the newest N rounds of state files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep_rounds: Option<u32>,
    /// Write the match log of the original runner to this new folder (worms, overdrive)
    #[arg(long, value_name = "DIR", conflicts_with = "swap")]
    pub(crate) match_log: Option<PathBuf>,
    /// Give a person at the terminal (`human`) the game's time limit too, perhaps with --time-scale 50
    #[arg(long)]
    pub(crate) human_clock: bool,
    /// Print one JSON object as the result, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the sentence that says who won
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl PlayArgs {
    /// The game if it was named, and the bots, first seat first, however they were named. The
    /// game can be left out with --from, and what stands in its place is a bot then.
    pub(crate) fn words(&self, is_game: impl Fn(&str) -> bool) -> (Option<&str>, Vec<String>) {
        let (game, mut bots) = match &self.game {
            Some(word) if self.from.is_some() && !is_game(word) => (None, vec![word.clone()]),
            game => (game.as_deref(), Vec::new()),
        };
        match (&self.first_bot, &self.second_bot) {
            (Some(first), Some(second)) => bots.extend([first.clone(), second.clone()]),
            _ => bots.extend(self.bots.iter().cloned()),
        }
        (game, bots)
    }
}

/// Spells out `-p1` and `-p2` of `play`: players of CodinGame contests have them in their fingers
/// from brutaltester, and a short option has only one letter.
pub(crate) fn with_long_names(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    if args.get(1).is_none_or(|command| command != "play") {
        return args;
    }
    let options = args.iter_mut().skip(2).take_while(|arg| *arg != "--");
    for arg in options {
        let text = arg.to_string_lossy();
        if ["-p1", "-p2"].iter().any(|name| text == *name || text.starts_with(&format!("{name}=")))
        {
            let long = OsString::from_iter([OsStr::new("-"), arg]);
            *arg = long;
        }
    }
    args
}

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

/// The form of a report on many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputArg {
    Table,
    Csv,
    Json,
    Html,
}

impl OutputArg {
    pub(crate) fn name(self) -> &'static str {
        match self {
            OutputArg::Table => "table",
            OutputArg::Csv => "csv",
            OutputArg::Json => "json",
            OutputArg::Html => "html",
        }
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

#[derive(Debug, Args)]
pub(crate) struct HostArgs {
    /// The game, for instance hockey
    pub(crate) game: String,
    /// Where to listen; `localhost:8023` listens on 127.0.0.1 and `[::1]`
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    pub(crate) listen: String,
    /// Stop after this many games
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
    /// Play at most this many games at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tables: Option<u64>,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Where the replays go
    #[arg(long, value_name = "DIR", default_value = "test/output")]
    pub(crate) replays: PathBuf,
    /// Write no replays
    #[arg(long)]
    pub(crate) no_replays: bool,
    /// Sign the replays with this key, which `quintain key new` makes
    #[arg(long, value_name = "KEY", conflicts_with = "no_replays")]
    pub(crate) sign: Option<PathBuf>,
    /// Make a film of every game beside its replay
    #[arg(long, conflicts_with = "no_replays")]
    pub(crate) gif: bool,
    /// Print one JSON object per game
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A *.replay.jsonl.zst or *.jsonl file
    pub(crate) file: PathBuf,
    /// Print plain text even on a terminal
    #[arg(long)]
    pub(crate) text: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Replays
    #[arg(required_unless_present = "store", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify the replays of all games in this store too, and compare them with what it says
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Demand a signature of this public key: its text, or a file with it
    #[arg(long, value_name = "KEY")]
    pub(crate) signer: Option<String>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    pub(crate) command: KeyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Write a new private key, which only you can read, and print its public part
    New(KeyFile),
    /// Print the public part of a private key
    Show(KeyFile),
}

#[derive(Debug, Args)]
pub(crate) struct KeyFile {
    /// The private key
    #[arg(default_value = "quintain.key")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ConformArgs {
    /// Recorded matches, *.jsonl.gz or *.jsonl
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The replay
    pub(crate) replay: PathBuf,
    #[command(flatten)]
    pub(crate) target: ExportTarget,
    /// For a picture: the position after this many turns [default: the last]
    #[arg(long, value_name = "N", conflicts_with = "gif")]
    pub(crate) turn: Option<u32>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "800x600", value_parser = sheet_size)]
    pub(crate) size: (u32, u32),
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ExportTarget {
    /// Write a film of the whole match
    #[arg(long, value_name = "FILE")]
    pub(crate) gif: Option<PathBuf>,
    /// Write a picture of one position
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Write a picture of one position as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the match log of the original runner to this new folder (worms, overdrive)
    #[arg(long, value_name = "DIR")]
    pub(crate) match_log: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    /// The game, for instance hockey
    pub(crate) game: String,
    /// The house bot, for instance greedy
    pub(crate) bot: String,
    /// Connect to a host; without this the bot speaks on standard input and output
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Option<String>,
    /// What it calls itself [default: QUINTAIN_NAME, else the bot's name]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// How it is told the state, in games with state files [default: QUINTAIN_STATE, else files]
    #[arg(long, value_enum, value_name = "WAY", conflicts_with = "connect")]
    pub(crate) state: Option<StateArg>,
    /// How many games to play, one connection each
    #[arg(long, value_name = "N", default_value_t = 1, requires = "connect")]
    pub(crate) games: u64,
    /// The league that it plays in [default: unknown, and it keeps to what every league allows]
    #[arg(long, value_name = "N")]
    pub(crate) league: Option<u8>,
    /// The seed of its luck [default: taken from the clock]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// The game, for instance hockey
    pub(crate) game: String,
    /// How many plies to look ahead
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub(crate) depth: u32,
    /// The seed of the start
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    #[arg(value_parser = seed)]
    pub(crate) seed: i64,
    /// The league, for games that have some
    #[arg(long, value_name = "N")]
    pub(crate) league: Option<u8>,
    /// The rules of the game's document, or those of the published engine, bug for bug
    #[arg(long, value_parser = named(Edition::ALL, Edition::name), default_value = "document")]
    pub(crate) edition: Edition,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Only the rows whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Run one workload and nothing else, for instruction counters
    #[arg(long, value_name = "NAME", requires = "count")]
    pub(crate) workload: Option<String>,
    /// How many matches the workload plays
    #[arg(long, value_name = "N", requires = "workload")]
    pub(crate) count: Option<u64>,
    /// Where recorded matches are, for the rows that play them: a folder of them, or one with a
    /// folder for each game [default: games/GAME/tests/vectors]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) vectors: Option<PathBuf>,
    /// Where the rows that need a store of a million games fill one, which takes minutes: a file or
    /// a postgres address [default: a temporary file, with `--only store`]
    #[arg(long, value_name = "PLACE")]
    pub(crate) store: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder to write them to, for instance ~/.local/share/man/man1; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct EchoArgs {
    /// Connect to this address; without it, standard input and output
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Option<String>,
    /// Answer by the script in this file
    #[arg(long, value_name = "FILE", conflicts_with = "connect")]
    pub(crate) script: Option<PathBuf>,
    /// Say this line after every `--every` lines
    #[arg(long, value_name = "LINE", requires = "every", conflicts_with_all = ["connect", "script"])]
    pub(crate) say: Option<String>,
    #[arg(long, value_name = "N", requires = "say")]
    pub(crate) every: Option<NonZeroU32>,
}

pub(crate) fn seed(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("expected a whole number from {} to {}", i64::MIN, i64::MAX))
}

pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    read_duration(text).map_err(|expected| format!("expected {expected}"))
}

/// One of some values, by its name.
pub(crate) fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let meant = move |word: String| all.into_iter().find(|&one| name(one) == word);
    PossibleValuesParser::new(all.map(name)).map(move |word| meant(word).expect("it is possible"))
}

fn key_and_value(text: &str) -> Result<(String, Value), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), Value::from(value))),
        _ => Err("expected a key and its value, such as limit=500ms".to_owned()),
    }
}

pub(crate) fn time_scale(text: &str) -> Result<f64, String> {
    // What is no number is none of those that are sensible.
    Ok(check_time_scale(text.parse().unwrap_or(f64::NAN))?)
}

fn sheet_size(text: &str) -> Result<(u32, u32), String> {
    const EXPECTED: &str = "expected width and height from 160 to 4096, such as 800x600";
    let (width, height) = text.split_once('x').ok_or(EXPECTED)?;
    let parse = |text: &str| text.parse().ok().filter(|size| (160..=4096).contains(size));
    parse(width).zip(parse(height)).ok_or_else(|| EXPECTED.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
