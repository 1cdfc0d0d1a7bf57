//! The command line.

mod build;
pub(crate) mod examples;
mod log;
mod meant;
mod one_bot;
mod open;
mod sandbox;
mod tournament_words;
mod unquoted;
mod values;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use quintain_arena::run::LISTEN;
use quintain_core::scene::Theme;
use quintain_core::{Edition, Seat};
use quintain_record::State;
use quintain_referee::Ask;
use quintain_server::ScaleLimits;
use serde_json::Value;

use crate::failure::Failure;

pub(crate) use build::{BuildArgs, build_bots, build_folders};
pub(crate) use log::LogArgs;
pub(crate) use meant::{meant, without_false_advice};
pub(crate) use one_bot::{CheckArgs, FeedArgs};
pub(crate) use open::OpenArgs;
pub(crate) use sandbox::{SandboxArgs, sandbox_for};
pub(crate) use tournament_words::tournament_words;
pub(crate) use unquoted::unquoted;
pub(crate) use values::{duration, named, seed, time_scale};
use values::{
    film_speed, key_and_value, origin, picture, replay_file, scale_limits, sheet_size, theme_name,
    turn_range,
};

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
    /// Find out how strong a bot is: it climbs a game's ladder of house bots
    Ladder(crate::commands::LadderArgs),
    /// Find the best values of a bot's parameters by games, and prove the gain
    Tune(crate::commands::TuneArgs),
    /// Play a tournament, or go on with one, and show the standings
    Tournament(crate::commands::TournamentArgs),
    /// Serve a game over TCP: whoever connects is seated, many tables at the same time
    Host(HostArgs),
    /// Evaluate teams as the hockey contest did: every pairing, points, marks
    Evaluate(crate::commands::EvaluateArgs),
    /// Show a replay: full screen on a terminal, plain text elsewhere, or in the browser
    Replay(ReplayArgs),
    /// Explain a match: how it ended, what went wrong, and where it turned
    Explain(ExplainArgs),
    /// Show the matches of a folder in the browser, with what each bot was sent and answered
    Serve(ServeArgs),
    /// Print the JSON Schema of a replay, a result, a plan or a scene, or of the API
    Schema(SchemaArgs),
    /// Play games for a server that hands them out
    Worker(crate::commands::WorkerArgs),
    /// Make, list and revoke the tokens of workers and organisers, and lift quarantines
    Token(crate::commands::TokenArgs),
    /// Pack the folder of a bot as it is sent to workers
    Pack(crate::commands::PackArgs),
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
    /// Make a picture, a film or a page of a replay
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
#[command(after_help = examples::GAMES)]
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

In games with state files (worms, overdrive) every program has a working folder of its own, \
    which is removed afterwards: a FOLDER is copied without the rounds of earlier matches, a COMMAND \
    finds links to everything in the current folder. Before each round the files \
    rounds/N/state.json, rounds/N/textMap.txt and rounds/N/state.txt are there when the line N is \
    read; the answer is a line C;N;COMMAND. With --state stdin the line N is followed by a line with \
    the object of state.json, and no files are written. QUINTAIN_STATE (files or stdin) tells a \
    program which of both it is.";

const PLAY_HELP: &str = "\
The habits of brutaltester work too: -p1 BOT -p2 BOT -i SEED -l DIR -s. League runners such as \
    psyleague and cgarena can call `quintain play GAME BOT BOT --json` for each of their games; see \
    docs/src/runners.md.";

#[derive(Debug, Args)]
#[command(after_help = [BOT_HELP, PLAY_HELP, examples::PLAY].join("\n\n"))]
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
    #[arg(long, value_name = "FILE", value_parser = replay_file())]
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
    /// How long a bot may take to become ready, and a `tcp` client to connect; in worms and overdrive,
    /// how much longer its first answer may take [default: 5s, for a `tcp` client a minute]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) start_limit: Option<Duration>,
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
    #[command(flatten)]
    pub(crate) open: OpenArgs,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    #[command(flatten)]
    pub(crate) build: BuildArgs,
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
#[command(after_help = examples::HOST)]
// No game whose bots connect has leagues or a config file.
#[command(mut_arg("league", |arg| arg.hide(true)), mut_arg("game_config", |arg| arg.hide(true)))]
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
    /// Width of the films in pixels, or width and height, such as 800x600
    #[arg(long, value_name = "W[xH]", default_value = "800", value_parser = sheet_size)]
    #[arg(requires = "gif")]
    pub(crate) size: (u32, Option<u32>),
    /// How fast the films run. At 1x a turn takes 0.4 s
    #[arg(long, value_name = "F", default_value = "1x", value_parser = film_speed, requires = "gif")]
    pub(crate) speed: f64,
    /// Print one JSON object per game
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::REPLAY)]
pub(crate) struct ReplayArgs {
    /// A *.replay.jsonl.zst or *.jsonl file
    pub(crate) file: PathBuf,
    /// Print plain text even on a terminal
    #[arg(long)]
    pub(crate) text: bool,
    /// Show it in the browser: this match alone, on a free port of this machine, until Ctrl-C
    #[arg(long, conflicts_with = "text")]
    pub(crate) open: bool,
}

const EXPLAIN_HELP: &str = "\
A moment is a step after which a player could expect more or less than before, by what the champion's search \
    thinks of each position. The strongest house bot that does not use the clock, who has followed the match \
    from its seat, says what could have been played, and how it goes on. All of it follows from the \
    replay, so that everybody is told the same.";

#[derive(Debug, Args)]
#[command(after_help = [EXPLAIN_HELP, examples::EXPLAIN].join("\n\n"))]
pub(crate) struct ExplainArgs {
    /// A *.replay.jsonl.zst or *.jsonl file
    pub(crate) file: PathBuf,
    /// Look for the mistakes of this seat alone: 1 or first, 2 or second
    #[arg(long, value_name = "SEAT", value_parser = one_bot::seat)]
    pub(crate) seat: Option<Seat>,
    /// How many positions are looked at to judge one, and at most to say what could have been played
    /// [default: as many as take seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) nodes: Option<u64>,
    /// Write a page that shows the match as export --html does, with what was to be expected on its seek bar
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON object, with the value of every position
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = [SERVE_HELP, examples::SERVE].join("\n\n"))]
pub(crate) struct ServeArgs {
    /// Where to listen; `localhost:8080` listens on 127.0.0.1 and `[::1]`, port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,
    /// The folder with the replays, those in folders below it included
    #[arg(long, value_name = "DIR", default_value = quintain_arena::REPLAYS_FOLDER)]
    pub(crate) replays: PathBuf,
    /// Show the runs of this store too, and keep the jobs of workers in it: a file, or
    /// postgres://...
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE", requires = "store")]
    pub(crate) store_password_file: Option<PathBuf>,
    /// A name by which the server may be asked, beside its addresses and localhost
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// A site whose pages may embed matches, for instance `https://example.org`
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) embed: Vec<String>,
    /// Whoever knows the token in this file may begin matches, and nobody else; without one, whoever is
    /// on this machine
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Hand out games to workers, and take those of organisers: whoever has a token of the store
    #[arg(long, requires = "store")]
    pub(crate) workers: bool,
    /// Keep archives of bots in this folder, and replays until they are collected [default: beside the
    /// store]
    #[arg(long, value_name = "DIR", requires = "workers")]
    pub(crate) blobs: Option<PathBuf>,
    /// How long a worker may say nothing before its games are given to another one
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s", requires = "workers")]
    pub(crate) lease: Duration,
    /// Multiply time limits for the speed of each worker, between these [default: not at all]
    #[arg(long, value_name = "MIN..MAX", value_parser = scale_limits, requires = "workers")]
    pub(crate) scale_time: Option<ScaleLimits>,
    /// Speak HTTPS with this certificate, in PEM, those that vouch for it behind it
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

const SERVE_HELP: &str = "\
Pages, player and films come from this program alone; nothing is changed, nothing is fetched.
Only this machine is listened to unless --listen says otherwise, and whoever can reach the address
can see all replays of the folder. /embed/REPLAY shows a match in a page of yours; its parameters
are turn, speed, loop, theme, controls, autoplay and eye, and it tells that page TURN, GAME_OVER and
RESIZE. /api/v1/openapi.json describes what programs can ask for.";

#[derive(Debug, Args)]
#[command(after_help = examples::SCHEMA)]
pub(crate) struct SchemaArgs {
    /// What is described
    #[arg(value_parser = PossibleValuesParser::new(quintain_server::SCHEMA_NAMES))]
    pub(crate) name: String,
}

#[derive(Debug, Args)]
#[command(after_help = examples::VERIFY)]
pub(crate) struct VerifyArgs {
    /// Replays
    #[arg(required_unless_present = "store", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Verify the replays of all games in this store too, and compare them with what it says
    #[arg(long, value_name = "STORE")]
    pub(crate) store: Option<String>,
    /// Demand a signature of this key: its public text, or a file with the key
    #[arg(long, value_name = "KEY")]
    pub(crate) signer: Option<String>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::KEY)]
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
#[command(after_help = examples::CONFORM)]
pub(crate) struct ConformArgs {
    /// Recorded matches, *.jsonl.gz or *.jsonl
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXPORT)]
#[command(
    override_usage = "quintain export [OPTIONS] REPLAY --gif|--html|--png|--svg|--match-log TO"
)]
pub(crate) struct ExportArgs {
    /// The replay
    pub(crate) replay: PathBuf,
    #[command(flatten)]
    pub(crate) target: ExportTarget,
    /// For a picture: the position after this many turns [default: the last]
    #[arg(long, value_name = "N", conflicts_with = "gif")]
    pub(crate) turn: Option<u32>,
    /// Width and height in pixels, such as 1400x900; a width alone makes the picture as high as the game
    /// wants it
    #[arg(long, value_name = "W[xH]", default_value = "800", value_parser = sheet_size)]
    pub(crate) size: (u32, Option<u32>),
    /// Whether the picture is for a light room or a dark one
    #[arg(long, value_parser = named([Theme::Light, Theme::Dark], theme_name))]
    #[arg(default_value = "light")]
    pub(crate) theme: Theme,
    /// For a film: how fast it runs. At 1x a turn takes 0.4 s
    #[arg(long, value_name = "F", default_value = "1x", value_parser = film_speed, requires = "gif")]
    pub(crate) speed: f64,
    /// For a film: the turns that it shows, for instance 10..40, 10.. or ..40 [default: all]
    #[arg(long, value_name = "A..B", value_parser = turn_range, requires = "gif")]
    pub(crate) turns: Option<(u32, u32)>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct ExportTarget {
    /// Write a film of the match
    #[arg(long, value_name = "FILE", value_parser = picture("gif"))]
    pub(crate) gif: Option<PathBuf>,
    /// Write a page that shows the match and needs no network: the player is inside of it
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a picture of one position
    #[arg(long, value_name = "FILE", value_parser = picture("png"))]
    pub(crate) png: Option<PathBuf>,
    /// Write a picture of one position as SVG
    #[arg(long, value_name = "FILE", value_parser = picture("svg"))]
    pub(crate) svg: Option<PathBuf>,
    /// Write the match log of the original runner to this new folder (worms, overdrive)
    #[arg(long, value_name = "DIR")]
    pub(crate) match_log: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::BOT)]
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
#[command(after_help = examples::PERFT)]
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
#[command(after_help = examples::BENCH)]
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
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MAN)]
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_that_can_be_parsed() {
        let command = Arguments::command();
        for shown in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = shown.get_name();
            let help = shown.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
            assert!(!examples.is_empty(), "{name} has no examples");
            for call in examples.replace("\\\n", "").lines() {
                assert!(call.trim().starts_with(&format!("quintain {name}")), "{name}: {call}");
                // What follows is the shell's.
                let call = call.split(" > ").next().unwrap_or_default();
                let words = call.split(['"', '\'']).enumerate().flat_map(|(index, part)| {
                    let is_quoted = index % 2 == 1;
                    if is_quoted { vec![part] } else { part.split_whitespace().collect() }
                });
                let parsed = Arguments::try_parse_from(words);
                assert!(parsed.is_ok(), "{call}: {parsed:?}");
            }
        }
    }
}
