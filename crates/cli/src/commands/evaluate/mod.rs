//! `quintain evaluate`: the evaluation of the hockey contest, from folders with a `run.sh` to marks.
//!
//! `teams.rs` finds the teams with the help of `teams_file.rs`, `network.rs` is where they meet,
//! `pairing.rs` plays two of them, `record.rs` keeps the games, `report.rs` and `page.rs` say what came
//! out.

mod network;
mod page;
mod pairing;
mod record;
mod report;
mod teams;
mod teams_file;

use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use quintain_core::{Options, PerSeat};
use quintain_links::{INTERRUPTED, tell_interrupts};
use quintain_referee::Ask;
use quintain_registry::{AnyGame, MatchSpec, SeatSpec};
use quintain_store::{BotEntry, Run, RunPlan, Store};
use quintain_tournament::{Book, BotId, spoken};
use serde_json::{Value, json};

use self::pairing::{Ended, Hall, Limits, PairingReport, Part, recalled};
use self::record::Ledger;
use self::report::Evaluation;
use self::teams::Team;
use super::many::{how_to_go_on, look_up_run};
use super::shelf::{NewFolder, replays_of};
use crate::args::{LISTEN, OutputArg, PassEnvArgs, RulesArgs, duration};
use crate::failure::Failure;
use crate::live::{Live, say};
use crate::output::{counted, grouped, remark};
use crate::paper::paper;
use crate::secret;

const HELP: &str = "\
Every folder in TEAMS is a team, called as the folder is. Its run.sh is started for every game, in its
own folder. It connects to the address of --listen, plays one game and ends. The team with the first
seat is started first, the other one once the first was welcomed, and the seats alternate.
QUINTAIN_NAME offers a name, QUINTAIN_HOST and QUINTAIN_PORT say where to connect.

The 10% for run.sh are earned by a script that brings its team to the welcome at least once. A team
without a run.sh is started by the only executable file in its folder, or by what the organiser writes
about it in TEAMS/teams.toml (or --teams-file), where all lines can be left out:
  [alpha]                                # the team
  command = \"java -jar alpha.jar\"      # started in its folder, in place of run.sh
  link = \"tcp\"                         # or \"stdio\"
  environment = { HEAP = \"1g\" }        # added to its environment
  script = true                          # the command runs its run.sh: the 10% can be earned

A run.sh in which the word QUINTAIN_LINK stands can also talk on standard input and output: it is
started with QUINTAIN_LINK=stdio and does not connect (--link tcp lets all connect, --link stdio none).

Teams have no network but a loopback that they share with the host, where the system allows it
(--network auto). Where it does not, or with --connections any, they have the machine's, and to shut
them off is the organiser's job; --network none refuses to play then.

Only a connection of a process that the team's run.sh started is taken for the team; others are sent
away, so that no team can take the seat of another one. For teams in containers, whose processes cannot
be seen from here, --connections any takes whoever comes first.

A team that is not ready in time, leaves or does not answer in time loses that game: a run.sh that builds
the program first may need a longer --start-limit, or is started once beforehand. After --give-up
such games in a row the rest of a pairing is not played. If one team failed in all of them, the games
that were not played count for the other one: as many as its other pairings have on average. When
neither team is ready nobody wins. A game that the end of the time cuts off does not count.

With --store every finished game is kept, and the same command again goes on where it was stopped.";

/// How the limits of an evaluation are called in the settings of its run.
const GAMES_KEY: &str = "games";
const TIME_KEY: &str = "time-ms";
const GIVE_UP_KEY: &str = "give-up";

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
    /// Give a pairing up after so many games in a row that were lost by a failure, and let the rest
    /// count for the team that was ready; 0: never
    #[arg(long, value_name = "N", default_value = "10")]
    give_up: u32,
    /// What this evaluation is of the whole mark, in percent; the hockey contest: 4
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    weight: Option<f64>,
    /// What the organiser says about teams [default: TEAMS/teams.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    teams_file: Option<PathBuf>,
    /// How long a team may take to give its name
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    start_limit: Duration,
    /// Where the teams connect; `localhost:8023` listens on 127.0.0.1 and `[::1]`
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    listen: String,
    /// How the teams talk
    #[arg(long, value_enum, value_name = "WAY", default_value = "auto")]
    link: LinkArg,
    /// Whose connections are let in
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "own")]
    connections: ConnectionsArg,
    /// The network of the teams
    #[arg(long, value_enum, value_name = "WHICH", default_value = "auto")]
    network: NetworkArg,
    #[command(flatten)]
    pass_env: PassEnvArgs,
    #[command(flatten)]
    rules: RulesArgs,
    /// Keep the games in this file or database (postgres://USER@HOST/DATABASE), and go on with those
    /// that it holds
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Read the password of the database from the first line of this file [default: PGPASSWORD, or
    /// the file of PGPASSFILE]
    #[arg(long, value_name = "FILE")]
    store_password_file: Option<PathBuf>,
    /// What the games are called in the store [default: evaluate GAME]
    #[arg(long, value_name = "NAME", requires = "store")]
    name: Option<String>,
    /// Play nothing: show what is stored
    #[arg(long, requires = "store")]
    standings: bool,
    /// Keep replays in this folder: of games in which a team failed, and some others [default: a
    /// folder beside the store, or a new one in replays/]
    #[arg(long, value_name = "DIR")]
    replays: Option<PathBuf>,
    /// Keep the replay of every Nth game of a pairing too; 0: of none
    #[arg(long, value_name = "N", default_value = "1000")]
    sample: u32,
    /// Keep no replays
    #[arg(long, conflicts_with = "replays")]
    no_replays: bool,
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORM", default_value = "table")]
    output: OutputArg,
    /// Print one JSON object, as --output json does
    #[arg(long, conflicts_with = "output")]
    json: bool,
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
enum ConnectionsArg {
    /// Those of processes that the team's run.sh started
    Own,
    /// The first one after the team was started
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NetworkArg {
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
    let teams = teams::find(&args.teams, args.teams_file.as_deref(), args.link)?;
    if args.standings {
        return print(args, &stored(args, game, teams)?);
    }
    let go_on = how_to_go_on(args.store.is_some());
    let stop = Arc::new(AtomicBool::new(false));
    // Before the store starts a thread, which would take the signal.
    stop_on_interrupt(&stop, go_on.clone())?;
    let (ground, network) = network::open(args)?;
    let hall = Hall {
        game,
        spec: match_spec(args, &options),
        ground,
        stop,
        limits: Limits {
            games_max: args.games.get(),
            time_max: args.time,
            give_up_after: NonZero::new(args.give_up),
        },
        ledger: open_ledger(args, game, &teams)?,
    };
    let evaluation = Evaluation { network, ..play_all(&hall, teams, args)? };
    print(args, &evaluation)?;
    if hall.is_stopped() && !evaluation.is_complete() {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

fn print(args: &EvaluateArgs, evaluation: &Evaluation) -> Result<(), Failure> {
    let text = match args.output {
        _ if args.json => format!("{}\n", evaluation.as_json()),
        OutputArg::Table => evaluation.as_table(),
        OutputArg::Csv => evaluation.as_csv(),
        OutputArg::Json => format!("{}\n", evaluation.as_json()),
        OutputArg::Html => page::page(evaluation),
    };
    let mut out = paper();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The first Ctrl-C ends the running game and leads to the report, the second ends everything.
fn stop_on_interrupt(stop: &Arc<AtomicBool>, how_to_go_on: String) -> std::io::Result<()> {
    let stop = Arc::clone(stop);
    tell_interrupts(move |times| {
        stop.store(true, Ordering::Relaxed);
        if times == 1 {
            say("the running game is broken off; Ctrl-C again ends without a report");
            return;
        }
        say(&how_to_go_on);
        std::process::exit(INTERRUPTED);
    })
}

/// What results depend on is part of the run: who goes on with stored games must mean the same.
fn open_ledger(args: &EvaluateArgs, game: &dyn AnyGame, teams: &[Team]) -> Result<Ledger, Failure> {
    let id = game.facts().id;
    let name = run_name(args, game);
    let address = |place: &String| secret::address(place, args.store_password_file.as_deref());
    let address = args.store.as_ref().map(address).transpose()?;
    let store = address.as_deref().map(Store::open).transpose()?;
    let edition: quintain_core::Edition = args.rules.edition.into();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let settings = json!({
        "edition": edition.name(),
        "limit-ms": args.rules.limit.map(milliseconds),
        "time-scale": args.rules.time_scale,
        "clock": !args.rules.no_clock,
        "start-limit-ms": milliseconds(args.start_limit),
        GAMES_KEY: args.games,
        TIME_KEY: milliseconds(args.time),
        GIVE_UP_KEY: args.give_up,
    });
    let entry = |team: &Team| BotEntry::new(team.name.clone(), team.command());
    let plan = RunPlan {
        name,
        kind: "evaluate".to_owned(),
        game: id.to_owned(),
        settings: settings.to_string(),
        bots: teams.iter().map(entry).collect(),
    };
    let run = store.as_ref().map(|store| store.begin(&plan)).transpose()?;
    let beside_store = || Some(replays_of(store.as_ref()?, run.as_ref()?.info()));
    let mut made = None;
    let replays = match args.no_replays {
        true => None,
        false => args.replays.clone().or_else(beside_store),
    };
    if replays.is_none() && !args.no_replays {
        made = Some(NewFolder::make(&format!("evaluate-{id}"))?);
    }
    let replays = replays.or_else(|| Some(made.as_ref()?.path().to_owned()));
    let store = store.zip(run.as_ref().map(Run::id));
    Ok(Ledger { run, store, replays, _made: made, sample: NonZero::new(args.sample) })
}

fn run_name(args: &EvaluateArgs, game: &dyn AnyGame) -> String {
    args.name.clone().unwrap_or_else(|| format!("evaluate {}", game.facts().id))
}

/// What is in the store, by the limits that the games were played with. Whoever plays is not hindered.
fn stored(
    args: &EvaluateArgs,
    game: &'static dyn AnyGame,
    teams: Vec<Team>,
) -> Result<Evaluation, Failure> {
    let place = args.store.as_deref().unwrap_or_default();
    let names = teams.iter().map(|team| team.name.as_str());
    let place = &secret::address(place, args.store_password_file.as_deref())?;
    let (store, info) = look_up_run(place, &run_name(args, game), names)?;
    let limits = limits_in(&info.plan.settings).ok_or_else(|| {
        let (name, place) = (&info.plan.name, store.place());
        Failure::usage(format!("--name: expected an evaluation, found `{name}` in {place}"))
    })?;
    let store = Some((store, info.id));
    let ledger = Ledger { run: None, store, replays: None, _made: None, sample: None };
    let mut past = ledger.past()?;
    let last = past.keys().next_back().copied();
    let all = pairings_of(&teams);
    let mut book = Book::new(team_count(&teams));
    let mut pairings = Vec::new();
    for (number, pair) in (0..).zip(&all).take_while(|(number, _)| Some(*number) <= last) {
        let closed = if Some(number) == last { Ended::Interrupted } else { Ended::Time };
        let past = past.remove(&number).unwrap_or_default();
        let part = Part { number, teams: *pair, past, closed: Some(closed) };
        pairings.push(recalled(&ledger, &limits, &teams, part, &mut book)?);
    }
    Ok(Evaluation {
        game: game.facts().id,
        tried: vec![None; teams.len()],
        teams,
        book,
        pairings,
        pairings_planned: all.len(),
        games_max: limits.games_max,
        weight: args.weight,
        network: None,
        replays: None,
    })
}

/// The limits among the settings of a stored run; `None` if that is no evaluation.
fn limits_in(settings: &str) -> Option<Limits> {
    let settings: Value = serde_json::from_str(settings).ok()?;
    let number = |key: &str| settings[key].as_u64()?.try_into().ok();
    let milliseconds = settings[TIME_KEY].as_f64()?;
    Some(Limits {
        games_max: number(GAMES_KEY)?,
        time_max: Duration::try_from_secs_f64(milliseconds / 1e3).ok()?,
        give_up_after: NonZero::new(number(GIVE_UP_KEY)?),
    })
}

fn team_count(teams: &[Team]) -> u32 {
    u32::try_from(teams.len()).expect("a folder has fewer entries")
}

/// Every team meets every other one.
fn pairings_of(teams: &[Team]) -> Vec<[BotId; 2]> {
    let count = team_count(teams);
    let with_later = |one: BotId| {
        BotId::all(count).filter(move |other| one < *other).map(move |other| [one, other])
    };
    BotId::all(count).flat_map(with_later).collect()
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

/// A pairing is over when a later one was begun.
fn play_all(hall: &Hall, teams: Vec<Team>, args: &EvaluateArgs) -> Result<Evaluation, Failure> {
    let mut book = Book::new(team_count(&teams));
    let mut pairings: Vec<PairingReport> = Vec::new();
    let all = pairings_of(&teams);
    let mut past = hall.ledger.past()?;
    let last_begun = past.keys().next_back().copied();
    for (number, pair) in (0..).zip(&all) {
        let closed = match last_begun {
            Some(last) if number < last => Some(Ended::Time),
            _ if hall.is_stopped() => break,
            _ => None,
        };
        let past = past.remove(&number).unwrap_or_default();
        let part = Part { number, teams: *pair, past, closed };
        let heading = format!("pairing {} of {}", number + 1, all.len());
        let later = u32::try_from(all.len() - pairings.len() - 1).unwrap_or(u32::MAX);
        let mut progress = Progress::new(!args.quiet, heading, args.time * later);
        let report = hall.play_pairing(&teams, part, &mut book, &mut progress)?;
        progress.live.clear();
        pairings.push(report);
    }
    let mut evaluation = Evaluation {
        game: hall.game.facts().id,
        tried: vec![None; teams.len()],
        teams,
        book,
        pairings,
        pairings_planned: all.len(),
        games_max: hall.limits.games_max,
        weight: args.weight,
        network: None,
        replays: hall.ledger.replays.clone(),
    };
    try_the_uncalled(hall, &mut evaluation)?;
    Ok(evaluation)
}

/// Who was never called, be it the only team, has its script started once: it may earn its share.
fn try_the_uncalled(hall: &Hall, evaluation: &mut Evaluation) -> Result<(), Failure> {
    for team in BotId::all(team_count(&evaluation.teams)) {
        let entry = &evaluation.teams[team.index()];
        if hall.is_stopped() || !entry.runs_script() || evaluation.welcomed(team).is_some() {
            continue;
        }
        evaluation.tried[team.index()] = Some(hall.is_welcomed(entry)?);
    }
    Ok(())
}

/// How far a pairing is, while it is played.
struct Progress {
    shows: bool,
    heading: String,
    begun: Instant,
    begun_with: Option<u64>,
    /// What the later pairings take at most.
    later: Duration,
    live: Live,
}

impl Progress {
    fn new(shows: bool, heading: String, later: Duration) -> Progress {
        let (begun, live) = (Instant::now(), Live::new());
        Progress { shows, heading, begun, begun_with: None, later, live }
    }

    fn tell(&mut self, names: [&str; 2], games: u64, wins: [u64; 2], left: Duration) {
        let before = *self.begun_with.get_or_insert(games - 1);
        if !self.shows || !self.live.is_due() {
            return;
        }
        let rate = (games - before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let [one, other] = names;
        let score = format!("{one} {} - {} {other}", grouped(wins[0]), grouped(wins[1]));
        self.live.show(&[
            quintain_core::printable(&format!("{}: {score}", self.heading)).into_owned(),
            counted(games, "game"),
            format!("{rate:.0}/s"),
            format!("at most {} left", spoken(left)),
            format!("{} with all pairings", spoken(left + self.later)),
        ]);
    }
}
