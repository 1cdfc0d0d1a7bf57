//! Matches that are played one by one, and tables that whoever connects is seated at.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quintain_arena::run::LISTEN;
use quintain_referee::Ask;

use super::values::{duration, film_speed, named, replay_file, seed, sheet_size};
use super::{BuildArgs, OpenArgs, PassEnvArgs, RulesArgs, SandboxArgs, StateArg, examples};

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
