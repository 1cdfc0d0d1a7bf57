//! How the command line names what libraries know by other names, and what it advises: everything that
//! names a flag beside the commands that have it.

use std::io::{self, ErrorKind};
use std::path::Path;

use quintain_arena::plan::PlanError;
use quintain_arena::run::{OpenNetwork, RunError};
use quintain_arena::{REPLAYS_FOLDER, SeatingError};
use quintain_core::Field;
use quintain_report::checked::CheckAdvice;
use quintain_report::machine::MachineAdvice;
use quintain_store::address::without_password;

use crate::failure::Failure;
use crate::output::shell_word;

/// What can be done where nothing is concluded from games.
pub(crate) const ON_REFUSAL: &str = "`quintain doctor` says how many games at a time are safe (-j), and \
    --force gives a verdict all the same";
/// What can be done for a bot that was not waited for any more.
pub(crate) const MORE_TIME: &str = "more time: --start-limit";
/// Where the lines are that are left out.
pub(crate) const ELSEWHERE: &str = "which --json shows";

pub(crate) const CHECK: CheckAdvice<'static> = CheckAdvice {
    on_slowness: "try --time-scale 10 to see whether it answers at all",
    elsewhere: ELSEWHERE,
};

pub(crate) const MACHINE: MachineAdvice<'static> = MachineAdvice {
    on_short_limits: "multiply them with --time-scale",
    in_turn: "--ask in-turn",
    together: "--ask together",
};

/// The fields that have a flag of their name. Every other one is a field of a game's config.
const FLAGS: [&str; 19] = [
    "bot",
    "challengers",
    "edition",
    "from",
    "game-config",
    "games-per-pair",
    "keep-rounds",
    "league",
    "limit",
    "match-log",
    "opponent",
    "pass-env",
    "rounds",
    "run",
    "seed",
    "start-limit",
    "state",
    "to",
    "turn",
];

/// The flag by which somebody wished what a field holds.
pub(crate) fn flag(field: &Field) -> String {
    if FLAGS.contains(&&*field.0) { format!("--{field}") } else { format!("--set {field}") }
}

/// What is wrong with a plan, to be told with the flag by which it was wished.
pub(crate) fn plan_failure(error: PlanError) -> Failure {
    match error {
        // It is no option where it can be wrong.
        PlanError::Wrong { field, wrong } if &*field.0 == "game" => Failure::usage(wrong),
        PlanError::Wrong { field, wrong } => Failure::Field { field, wrong },
        error => Failure::usage(error.to_string()),
    }
}

/// What kept a run from being played, in words that say what can be done. A bot and a store may have been
/// named somewhere else than on the command line, with which messages begin then.
pub(crate) fn run_failure(error: RunError, go_on: &str, origin: &Origin<'_>) -> Failure {
    let failed = |text: String| Failure::Failed(anyhow::anyhow!(text));
    match error {
        RunError::Plan(error) => plan_failure(error),
        RunError::Seating(error) => seating_failure(error),
        RunError::NoNetwork(why) => failed(format!(
            "--network none: the teams cannot have a network of their own: {}",
            why_open(&why)
        )),
        RunError::Start { place, .. } => {
            let bot = origin.bots.get(place).map_or("", String::as_str);
            Failure::usage(format!("{bot}{error}"))
        }
        RunError::Replays { .. } => Failure::usage(format!("--replays: {error}")),
        RunError::NoSuchRun { .. } | RunError::NoEvaluation { .. } => {
            Failure::usage(format!("--name: {error}"))
        }
        RunError::OtherBots { .. } => Failure::usage(format!("--standings: {error}")),
        RunError::NoStore => Failure::usage("--standings: expected --store with the games"),
        RunError::Open(_) if !origin.store.is_empty() => {
            failed(format!("{}store: {error}", origin.store))
        }
        RunError::NewFolder(error) => failed(format!(
            "cannot make a folder for replays in {REPLAYS_FOLDER}: {error}; --replays DIR keeps them \
             elsewhere, --no-replays keeps none"
        )),
        RunError::Changed { .. } => failed(format!(
            "{error}\nto go on with them, undo that; to begin anew beside them, add --name NAME"
        )),
        RunError::Record(_) => failed(format!(
            "{error}; play at least as many games for each pair as before, or add --name NAME to \
             begin anew beside them"
        )),
        RunError::Play(_) => failed(format!("{error}\n{go_on}")),
        error => error.into(),
    }
}

/// Where things were named, as messages begin.
#[derive(Default)]
pub(crate) struct Origin<'a> {
    pub(crate) bots: &'a [String],
    /// Empty if nobody has to be told.
    pub(crate) store: &'a str,
}

/// The command that runs, as it can be pasted into a shell.
pub(crate) fn this_command() -> String {
    let words = std::env::args_os().skip(1).map(|word| {
        let word = word.to_string_lossy().into_owned();
        shell_word(without_password(&word).as_ref())
    });
    let words: Vec<String> = words.collect();
    format!("quintain {}", words.join(" "))
}

/// How to go on, as a command that can be pasted into a shell.
pub(crate) fn how_to_go_on(is_kept: bool) -> String {
    let command = this_command();
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

/// Why somebody does not come to his seat.
pub(crate) fn seating_failure(error: SeatingError) -> Failure {
    match error {
        SeatingError::Listen { address, error } => listen_failure(&address, &error),
        SeatingError::NobodyCame { .. } => Failure::Failed(anyhow::anyhow!(
            "{error}; connect the client there while it is waited for, or give it longer with \
             --start-limit 5m"
        )),
        error => Failure::Failed(anyhow::anyhow!("{error}")),
    }
}

/// What an organiser has to know if the teams have the machine's network.
pub(crate) fn open_network(why: &OpenNetwork) -> String {
    let why = why_open(why);
    format!(
        "the teams can reach the network of this machine ({why}): to keep them off it is the \
         organiser's job"
    )
}

fn why_open(why: &OpenNetwork) -> String {
    match why {
        OpenNetwork::Wished => "--network host".to_owned(),
        OpenNetwork::Outsiders => "with --connections any they may come from outside".to_owned(),
        OpenNetwork::FarAddress => {
            "--listen names an address that only the machine's network has".to_owned()
        }
        OpenNetwork::Refused(_) => why.to_string(),
    }
}

/// A message that says what to do.
fn listen_failure(address: &str, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::AddrInUse => Failure::Failed(anyhow::anyhow!(
            "cannot listen on {address}: the address is in use; stop the other program or choose \
             another with --listen"
        )),
        ErrorKind::InvalidInput => Failure::usage(format!(
            "--listen: expected an address such as 127.0.0.1:8023 or localhost:8023, found \
             `{address}`"
        )),
        // The error names the address.
        _ => Failure::Failed(anyhow::anyhow!("{error}")),
    }
}
