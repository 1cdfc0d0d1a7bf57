//! The commands that look at one bot: feed and check.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quintain_core::Seat;

use quintain_arena::run::LISTEN;

use super::{BuildArgs, PassEnvArgs, RulesArgs, SandboxArgs, StateArg, duration, examples, seed};

const FEED_HELP: &str = "\
The bot is told exactly what the seat was told in the replay, from the start and through the \
    same protocol, with the clock off, so that a debugger can be used. Its answers to earlier \
    questions are heard and dropped; the recorded ones count. Turns are numbered as `quintain \
    replay` shows them. A BOT is what `quintain play` takes, except human.";
const CHECK_HELP: &str = "Exit code 0 if no fault was found, 1 if the bot failed.";

#[derive(Debug, Args)]
#[command(after_help = [FEED_HELP, examples::FEED].join("\n\n"))]
pub(crate) struct FeedArgs {
    /// The replay
    pub(crate) replay: PathBuf,
    /// The bot that is asked in place of the recorded one
    pub(crate) bot: String,
    /// The turn whose answer is shown beside the recorded one
    #[arg(long, value_name = "N", required_unless_present = "all")]
    pub(crate) turn: Option<u32>,
    /// The seat of the bot: 1 or first, 2 or second
    #[arg(long, value_name = "SEAT", value_parser = seat)]
    pub(crate) seat: Seat,
    /// Show every answer beside the recorded one, up to --turn if that is given
    #[arg(long)]
    pub(crate) all: bool,
    /// How the bot is told the state, in games with state files [default: as it was recorded, else
    /// files]
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) state: Option<StateArg>,
    /// Where a `tcp` bot connects
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    pub(crate) listen: String,
    /// How long the bot may take to become ready, and a `tcp` client to connect [default: a minute]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) start_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) pass_env: PassEnvArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) build: BuildArgs,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

#[derive(Debug, Args)]
#[command(after_help = [CHECK_HELP, examples::CHECK].join("\n\n"))]
pub(crate) struct CheckArgs {
    /// The bot: a folder or a command in quotes
    pub(crate) bot: String,
    /// The game, for instance hockey
    pub(crate) game: String,
    /// How many of the first turns are shown in full
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) turns: u32,
    /// The seat of the bot: 1 or first, 2 or second
    #[arg(long, value_name = "SEAT", value_parser = seat, default_value = "first")]
    pub(crate) seat: Seat,
    /// The seed of the match
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: i64,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// How long the bot may take to become ready, and a `tcp` client to connect; in worms and
    /// overdrive, how much longer its first answer may take [default: 5s, for a `tcp` client a minute]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) start_limit: Option<Duration>,
    /// How the bot is told the state, in games with state files
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) state: Option<StateArg>,
    /// Where a `tcp` bot connects
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    pub(crate) listen: String,
    /// Keep the replay of the match in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pass_env: PassEnvArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) build: BuildArgs,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

pub(super) fn seat(text: &str) -> Result<Seat, String> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "first" | "p1" => Ok(Seat::First),
        "2" | "second" | "p2" => Ok(Seat::Second),
        _ => Err("expected 1 or first, 2 or second".to_owned()),
    }
}
