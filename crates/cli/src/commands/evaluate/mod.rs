//! `quintain evaluate`: the evaluation of the hockey contest, from folders with a `run.sh` to marks.
//!
//! `teams.rs` finds the teams, `pairing.rs` plays two of them, `cut.rs` ends a game whose time is up,
//! `report.rs` says what came out.

mod cut;
mod pairing;
mod report;
mod teams;

use std::io::{IsTerminal as _, Write as _};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use quintain_core::{Options, PerSeat};
use quintain_links::{Door, INTERRUPTED, tell_interrupts};
use quintain_referee::Ask;
use quintain_registry::{MatchSpec, SeatSpec};
use quintain_tournament::{Book, BotId};

use self::pairing::{Hall, PairingReport};
use self::report::Evaluation;
use self::teams::Team;
use crate::args::{RulesArgs, duration};
use crate::bots::listen_failure;
use crate::failure::Failure;
use crate::output::grouped;

const HELP: &str = "\
Every folder in TEAMS is a team, called as the folder is. Its run.sh is started for every game, in its
own folder. It connects to the address of --listen, plays one game and ends. The team with the first
seat is started first, the other one once the first was welcomed, and the seats alternate.
QUINTAIN_NAME offers a name, QUINTAIN_HOST and QUINTAIN_PORT say where to connect.

A run.sh in which the word QUINTAIN_LINK stands can also talk on standard input and output: it is
started with QUINTAIN_LINK=stdio and does not connect (--link tcp lets all connect, --link stdio none).

A team that is not ready in time, leaves or does not answer in time loses that game. After --give-up
such games in a row the rest of a pairing is not played. When neither team is ready nobody wins. A game
that the end of the time cuts off does not count.";

/// What is evaluated, and how much of it.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct EvaluateArgs {
    /// The game: hockey
    game: String,
    /// A folder with a folder for each team
    teams: PathBuf,
    /// Games per pairing at most
    #[arg(long, value_name = "N", default_value = "50000")]
    games: NonZero<u32>,
    /// Time per pairing at most
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10m")]
    time: Duration,
    /// Give a pairing up after so many games in a row that were lost by a failure
    #[arg(long, value_name = "N", default_value = "10")]
    give_up: NonZero<u32>,
    /// How long a team may take to give its name
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    start_limit: Duration,
    /// Where the teams connect; `localhost:8023` listens on 127.0.0.1 and `[::1]`
    #[arg(long, value_name = "ADDRESS", default_value = "localhost:8023")]
    listen: String,
    /// How the teams talk
    #[arg(long, value_enum, value_name = "WAY", default_value = "auto")]
    link: LinkArg,
    #[command(flatten)]
    rules: RulesArgs,
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORM", default_value = "table")]
    output: OutputArg,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LinkArg {
    /// By what stands in run.sh
    Auto,
    /// All teams connect
    Tcp,
    /// All teams talk on standard input and output
    Stdio,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputArg {
    Table,
    Csv,
    Json,
}

pub(super) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    if !game.facts().has_lobby {
        let found = game.facts().id;
        return Err(Failure::usage(format!(
            "expected a game with an evaluation: hockey, found {found}"
        )));
    }
    let options =
        Options { start_limit: Some(args.start_limit), ..super::options_of(&args.rules)? };
    game.check_options(&options).map_err(|error| Failure::usage(error.to_string()))?;
    let teams = teams::find(&args.teams, args.link)?;
    let door = Door::open(&args.listen).map_err(|error| listen_failure(&args.listen, &error))?;
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_interrupt(&stop)?;
    let hall = Hall {
        game,
        spec: match_spec(args, &options),
        door: Arc::new(door),
        stop,
        games_max: args.games.get(),
        time_max: args.time,
        give_up_after: args.give_up.get(),
    };
    let evaluation = play_all(&hall, teams, !args.quiet && std::io::stderr().is_terminal())?;
    let mut out = anstream::stdout().lock();
    match args.output {
        OutputArg::Table => write!(out, "{}", evaluation.as_table())?,
        OutputArg::Csv => write!(out, "{}", evaluation.as_csv())?,
        OutputArg::Json => writeln!(out, "{}", evaluation.as_json())?,
    }
    Ok(())
}

/// The first Ctrl-C ends the running game and leads to the report, the second ends everything.
fn stop_on_interrupt(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    let stop = Arc::clone(stop);
    tell_interrupts(move |times| {
        stop.store(true, Ordering::Relaxed);
        if times > 1 {
            std::process::exit(INTERRUPTED);
        }
    })
}

fn match_spec(args: &EvaluateArgs, options: &Options) -> MatchSpec {
    let start_limit =
        (!args.rules.no_clock).then(|| args.start_limit.mul_f64(args.rules.time_scale));
    MatchSpec {
        options: options.clone(),
        seed: 0,
        seats: PerSeat::from_fn(|_| SeatSpec::remote(String::new())),
        rules: super::match_rules(&args.rules),
        ask: Ask::InTurn,
        start_limit: PerSeat([start_limit; 2]),
        opening: None,
        replay: None,
        match_log: None,
    }
}

/// Every team meets every other one.
fn play_all(hall: &Hall, teams: Vec<Team>, shows: bool) -> Result<Evaluation, Failure> {
    let count = u32::try_from(teams.len()).expect("a folder has fewer entries");
    let mut book = Book::new(count);
    let mut pairings: Vec<PairingReport> = Vec::new();
    let all: Vec<[BotId; 2]> = BotId::all(count)
        .flat_map(|one| {
            BotId::all(count).filter(move |other| one < *other).map(move |other| [one, other])
        })
        .collect();
    for (number, pair) in all.iter().enumerate() {
        if hall.is_stopped() {
            break;
        }
        let heading = format!("pairing {} of {}", number + 1, all.len());
        let mut progress = Progress::new(shows, heading);
        let number = u32::try_from(number).expect("as many pairings as pairs of teams");
        let report = hall.play_pairing(number, &teams, *pair, &mut book, &mut progress)?;
        progress.clear();
        pairings.push(report);
    }
    Ok(Evaluation {
        game: hall.game.facts().id,
        teams,
        book,
        pairings,
        pairings_planned: all.len(),
    })
}

/// A line on the terminal that is written again and again.
struct Progress {
    shows: bool,
    heading: String,
    begun: Instant,
    next: Instant,
}

impl Progress {
    const PAUSE: Duration = Duration::from_millis(200);

    fn new(shows: bool, heading: String) -> Progress {
        Progress { shows, heading, begun: Instant::now(), next: Instant::now() }
    }

    fn tell(&mut self, names: [&str; 2], games: u64, wins: [u64; 2], left: Duration) {
        if !self.shows || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + Self::PAUSE;
        let rate = games as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
        let line = format!(
            "{}: {} {} - {} {}, {} games, {rate:.0} a second, at most {minutes}:{seconds:02} left",
            self.heading,
            names[0],
            wins[0],
            wins[1],
            names[1],
            grouped(games)
        );
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", quintain_core::printable(&line));
    }

    fn clear(&self) {
        if self.shows {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
