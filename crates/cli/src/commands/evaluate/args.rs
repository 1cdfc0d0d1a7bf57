//! The options of `quintain evaluate`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use quintain_arena::plan::TeamLink;
use quintain_arena::run::{LISTEN, NetworkWish};
use quintain_record::Admission;

use crate::args::{
    BuildArgs, OpenArgs, OutputArg, PassEnvArgs, RulesArgs, SandboxArgs, duration, examples,
};

const HELP: &str = "\
Every folder in TEAMS is a team, called as the folder is. Its run.sh is started for every game, \
    in its own folder. It connects to the address of --listen, plays one game and ends. The team \
    with the first seat is started first, the other one once the first was welcomed, and the seats \
    alternate. QUINTAIN_NAME offers a name, QUINTAIN_HOST and QUINTAIN_PORT say where to connect.

The 10% for run.sh are earned by a script that brings its team to the welcome at least once. A \
    team without a run.sh is started by the only executable file in its folder, or by what the \
    organiser writes about it in TEAMS/teams.toml (or --teams-file), where all lines can be left \
    out:
  [alpha]                           # the team
  command = \"java -jar alpha.jar\"   # started in its folder, in place of run.sh
  link = \"tcp\"                      # or \"stdio\"
  environment = { HEAP = \"1g\" }     # added to its environment
  script = true                     # the command runs its run.sh: the 10% can be earned

A run.sh in which the word QUINTAIN_LINK stands can also talk on standard input and output: it \
    is started with QUINTAIN_LINK=stdio and does not connect (--link tcp lets all connect, --link \
    stdio none).

Teams have no network but a loopback that they share with the host, where the system allows it \
    (--network auto). Where it does not, or with --connections any, they have the machine's, and to \
    shut them off is the organiser's job; --network none refuses to play then. With a network of \
    their own pairings are played side by side (-j), with the machine's they take turns.

Only a connection of a process that the team's run.sh started is taken for the team; others are \
    sent away, so that no team can take the seat of another one. For teams in containers, whose \
    processes cannot be seen from here, --connections any takes whoever comes first.

A team that is not ready in time, leaves or does not answer in time loses that game: a run.sh \
    that builds the program first may need a longer --start-limit, or is started once beforehand. \
    After --give-up such games in a row the rest of a pairing is not played. If one team failed in \
    all of them, the games that were not played count for the other one: as many as its other \
    pairings have on average. When neither team is ready nobody wins. A game that the end of the \
    time cuts off does not count.

With --store every finished game is kept, and the same command again goes on where it was \
    stopped.";

/// What is evaluated, and how much of it.
#[derive(Debug, Args)]
#[command(after_help = [HELP, examples::EVALUATE].join("\n\n"))]
// No game with an evaluation has leagues or a config file.
#[command(mut_arg("league", |arg| arg.hide(true)), mut_arg("game_config", |arg| arg.hide(true)))]
pub(crate) struct EvaluateArgs {
    /// The game: hockey
    pub(super) game: String,
    /// A folder with a folder for each team
    pub(super) teams: PathBuf,
    /// Games per pairing at most
    #[arg(long, value_name = "N", default_value = "50000")]
    pub(super) games: NonZero<u32>,
    /// Time per pairing at most
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10m")]
    pub(super) time: Duration,
    /// Give a pairing up after so many games in a row that were lost by a failure, and let the rest
    /// count for the team that was ready; 0: never
    #[arg(long, value_name = "N", default_value = "10")]
    pub(super) give_up: u32,
    /// What this evaluation is of the whole mark, in percent; the hockey contest: 4
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(super) weight: Option<f64>,
    /// What the organiser says about teams [default: TEAMS/teams.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub(super) teams_file: Option<PathBuf>,
    /// How long a team may take to give its name
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub(super) start_limit: Duration,
    /// Where the teams connect; `localhost:8023` listens on 127.0.0.1 and `[::1]`
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    pub(super) listen: String,
    /// How the teams talk
    #[arg(long, value_enum, value_name = "WAY", default_value = "auto")]
    pub(super) link: LinkArg,
    /// Whose connections are let in
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "own")]
    pub(super) connections: ConnectionsArg,
    /// The network of the teams
    #[arg(long, value_enum, value_name = "WHICH", default_value = "auto")]
    pub(super) network: NetworkArg,
    /// Play so many pairings at a time, each in a network of its own [default: as many as have their
    /// cores to themselves]
    #[arg(long, short = 'j', value_name = "N")]
    pub(super) concurrency: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(super) open: OpenArgs,
    #[command(flatten)]
    pub(super) pass_env: PassEnvArgs,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
    #[command(flatten)]
    pub(super) build: BuildArgs,
    #[command(flatten)]
    pub(super) rules: RulesArgs,
    /// Keep the games in this file or database (postgres://USER@HOST/DATABASE), and go on with those
    /// that it holds
    #[arg(long, value_name = "STORE")]
    pub(super) store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE")]
    pub(super) store_password_file: Option<PathBuf>,
    /// What the games are called in the store [default: evaluate GAME]
    #[arg(long, value_name = "NAME", requires = "store")]
    pub(super) name: Option<String>,
    /// Play nothing: show what is stored
    #[arg(long, requires = "store", conflicts_with_all = ["open", "serve"])]
    pub(super) standings: bool,
    /// Keep replays in this folder: of games in which a team failed, and some others [default: a
    /// folder beside the store, or a new one in replays/]
    #[arg(long, value_name = "DIR")]
    pub(super) replays: Option<PathBuf>,
    /// Keep the replay of every Nth game of a pairing too; 0: of none
    #[arg(long, value_name = "N", default_value = "1000")]
    pub(super) sample: u32,
    /// Keep no replays
    #[arg(long, conflicts_with = "replays")]
    pub(super) no_replays: bool,
    /// Sign the replays with this key, which `quintain key new` makes
    #[arg(long, value_name = "KEY", conflicts_with = "no_replays")]
    pub(super) sign: Option<PathBuf>,
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORM", default_value = "table")]
    pub(super) output: OutputArg,
    /// Print one JSON object, as --output json does
    #[arg(long, conflicts_with = "output")]
    pub(super) json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl EvaluateArgs {
    pub(super) fn admission(&self) -> Admission {
        match self.connections {
            ConnectionsArg::Own => Admission::Own,
            ConnectionsArg::Any => Admission::Any,
        }
    }

    pub(super) fn network_wish(&self) -> NetworkWish {
        match self.network {
            NetworkArg::Auto => NetworkWish::Auto,
            NetworkArg::None => NetworkWish::None,
            NetworkArg::Host => NetworkWish::Host,
        }
    }

    /// How all teams talk; `None`: each by what stands in its script.
    pub(super) fn team_link(&self) -> Option<TeamLink> {
        match self.link {
            LinkArg::Auto => None,
            LinkArg::Tcp => Some(TeamLink::Tcp),
            LinkArg::Stdio => Some(TeamLink::Stdio),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LinkArg {
    /// By what stands in run.sh
    Auto,
    /// All teams connect
    Tcp,
    /// All teams talk on standard input and output
    Stdio,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ConnectionsArg {
    /// Those of processes that the team's run.sh started
    Own,
    /// The first one after the team was started
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NetworkArg {
    /// None but a loopback, where the system allows it
    Auto,
    /// None but a loopback, or no evaluation
    None,
    /// That of this machine
    Host,
}

fn percent(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.strip_suffix('%').unwrap_or(text).parse().ok();
    let in_range = number.filter(|number| *number > 0.0 && *number <= 100.0);
    in_range
        .ok_or_else(|| "expected a part of the whole mark, more than 0 and at most 100".to_owned())
}
