//! What is known of games, house bots as programs, measurements, and what a shell wants of the program.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::values::seed;
use super::{StateArg, examples};

#[derive(Debug, Args)]
#[command(after_help = examples::GAMES)]
pub(crate) struct GamesArgs {
    /// List what can be chosen about this game: its settings, and every other field of its config
    pub(crate) game: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
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
