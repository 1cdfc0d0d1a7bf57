//! `quintain evaluate`: the evaluation of the hockey contest, from folders with a `run.sh` to marks.
//!
//! `teams.rs` finds the teams with the help of `teams_file.rs`, `network.rs` is where they meet,
//! `pairing.rs` plays two of them, `record.rs` keeps the games.

mod args;
mod network;
mod pairing;
mod record;
mod teams;
mod teams_file;

use std::io::Write as _;
use std::num::NonZero;
use std::time::{Duration, Instant};

use quintain_arena::results::{EvaluationReport, PairingEnd, PairingOutcome, PlayedEvaluation};
use quintain_arena::run::{RunError, look_up_run};
use quintain_arena::{Forgiveness, NewFolder, replays_of};
use quintain_core::PerSeat;
use quintain_links::{INTERRUPTED, tell_interrupts};
use quintain_record::{BotId, Occupant};
use quintain_referee::{Ask, Stop};
use quintain_registry::{AnyGame, MatchSpec, ReadyConfig};
use quintain_report::evaluation::{self as shown, EvaluationAdvice};
use quintain_store::{BotEntry, Run, RunPlan, Store};
use quintain_tournament::{Book, spoken};
use serde_json::{Value, json};

pub(crate) use self::args::EvaluateArgs;
use self::network::Network;
use self::pairing::{Hall, Limits, Part, recalled};
use self::record::Ledger;
use self::teams::Team;
use super::config::config_of;
use super::many::{Origin, how_to_go_on, run_failure};
use crate::args::OutputArg;
use crate::commands::unprotected::UnprotectedBots;
use crate::failure::Failure;
use crate::output::{counted, grouped, remark};
use crate::secret;
use crate::status_line::{StatusLine, say};
use crate::wrapped_output::wrapped_output;

/// How the limits of an evaluation are called in the settings of its run.
const GAMES_KEY: &str = "games";
const TIME_KEY: &str = "time-ms";
const GIVE_UP_KEY: &str = "give-up";

pub(super) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    if !game.facts().abilities.lobby {
        let found = game.facts().id;
        return Err(Failure::usage(format!(
            "expected a game with an evaluation: hockey, found {found}"
        )));
    }
    let config = config_of(game, &args.rules, Some(args.start_limit))?;
    let teams = teams::find(&args.teams, args.teams_file.as_deref(), args.link)?;
    if args.standings {
        return print(args, &stored(args, game, &teams)?.report(), None);
    }
    let go_on = how_to_go_on(args.store.is_some());
    let stop = Stop::default();
    // Before the store starts a thread, which would take the signal.
    stop_on_interrupt(&stop, go_on.clone())?;
    let (ground, network) = network::open(args)?;
    let hall = Hall {
        game,
        spec: match_spec(args, config)?,
        files: teams.iter().map(|team| team.digests(&ground)).collect(),
        ground,
        stop,
        limits: Limits {
            games_max: args.games.get(),
            time_max: args.time,
            give_up_after: NonZero::new(args.give_up),
        },
        ledger: open_ledger(args, game, &teams)?,
        forgiveness: Forgiveness::default(),
    };
    if let Some((store, run)) = &hall.ledger.store {
        hall.forgiveness.recall(store, *run)?;
    }
    let reach = network.as_ref().map(Network::reach);
    let report = PlayedEvaluation { network: reach, ..play_all(&hall, &teams, args)? }.report();
    print(args, &report, network.as_ref())?;
    if hall.is_stopped() && !report.is_complete {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

fn print(
    args: &EvaluateArgs,
    report: &EvaluationReport,
    network: Option<&Network>,
) -> Result<(), Failure> {
    let warning = network.and_then(Network::warning);
    let advice =
        EvaluationAdvice { more_time: "give more with --start-limit", network: warning.as_deref() };
    let text = match args.output {
        _ if args.json => format!("{}\n", shown::json(report, &advice)),
        OutputArg::Table => shown::tables(report, &advice),
        OutputArg::Csv => shown::csv(report),
        OutputArg::Json => format!("{}\n", shown::json(report, &advice)),
        OutputArg::Html => shown::page(report, &advice),
    };
    let mut out = wrapped_output();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The first Ctrl-C ends the running game and leads to the report, the second ends everything.
fn stop_on_interrupt(stop: &Stop, how_to_go_on: String) -> std::io::Result<()> {
    let stop = stop.clone();
    tell_interrupts(move |times| {
        stop.break_off();
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
    let mut settings = json!({
        "edition": edition.name(),
        "limit-ms": args.rules.limit.map(milliseconds),
        "time-scale": args.rules.time_scale,
        "clock": !args.rules.no_clock,
        "start-limit-ms": milliseconds(args.start_limit),
        GAMES_KEY: args.games,
        TIME_KEY: milliseconds(args.time),
        GIVE_UP_KEY: args.give_up,
    });
    if let Some(set) = args.rules.rules().set_values() {
        settings["set"] = set;
    }
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
        let folder = NewFolder::make(&format!("evaluate-{id}")).map_err(RunError::NewFolder);
        made = Some(folder.map_err(|error| run_failure(error, "", &Origin::default()))?);
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
    teams: &[Team],
) -> Result<PlayedEvaluation, Failure> {
    let place = args.store.as_deref().unwrap_or_default();
    let names = teams.iter().map(|team| team.name.as_str());
    let place = &secret::address(place, args.store_password_file.as_deref())?;
    let (store, info) = look_up_run(place, &run_name(args, game), names)
        .map_err(|error| run_failure(error, "", &Origin::default()))?;
    let limits = limits_in(&info.plan.settings).ok_or_else(|| {
        let (name, place) = (&info.plan.name, store.place());
        Failure::usage(format!("--name: expected an evaluation, found `{name}` in {place}"))
    })?;
    let store = Some((store, info.id));
    let ledger = Ledger { run: None, store, replays: None, _made: None, sample: None };
    let mut past = ledger.past()?;
    let last = past.keys().next_back().copied();
    let all = pairings_of(teams);
    let mut book = Book::new(team_count(teams));
    let mut pairings = Vec::new();
    for (number, pair) in (0..).zip(&all).take_while(|(number, _)| Some(*number) <= last) {
        let closed = if Some(number) == last { PairingEnd::Interrupted } else { PairingEnd::Time };
        let past = past.remove(&number).unwrap_or_default();
        let part = Part { number, teams: *pair, past, closed: Some(closed) };
        pairings.push(recalled(&ledger, &limits, teams, part, &mut book)?);
    }
    Ok(PlayedEvaluation {
        game: game.facts().id.to_owned(),
        tried: vec![None; teams.len()],
        teams: teams.iter().map(Team::evaluated).collect(),
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

fn match_spec(args: &EvaluateArgs, config: ReadyConfig) -> Result<MatchSpec, Failure> {
    let start_limit =
        (!args.rules.no_clock).then(|| args.start_limit.mul_f64(args.rules.time_scale));
    Ok(MatchSpec {
        config,
        seed: 0,
        seats: PerSeat::from_fn(|_| Occupant::Client { name: String::new() }),
        files: PerSeat::default(),
        rules: args.rules.rules().match_rules(),
        ask: Ask::InTurn,
        start_limit: PerSeat([start_limit; 2]),
        opening: None,
        replay: None,
        match_log: None,
        signer: super::key::signer(args.sign.as_deref())?,
    })
}

/// A pairing is over when a later one was begun.
fn play_all(hall: &Hall, teams: &[Team], args: &EvaluateArgs) -> Result<PlayedEvaluation, Failure> {
    let mut book = Book::new(team_count(teams));
    let mut pairings: Vec<PairingOutcome> = Vec::new();
    let all = pairings_of(teams);
    let mut past = hall.ledger.past()?;
    let last_begun = past.keys().next_back().copied();
    for (number, pair) in (0..).zip(&all) {
        let closed = match last_begun {
            Some(last) if number < last => Some(PairingEnd::Time),
            _ if hall.is_stopped() => break,
            _ => None,
        };
        let past = past.remove(&number).unwrap_or_default();
        let part = Part { number, teams: *pair, past, closed };
        let heading = format!("pairing {} of {}", number + 1, all.len());
        let later = u32::try_from(all.len() - pairings.len() - 1).unwrap_or(u32::MAX);
        let mut progress = Progress::new(!args.quiet, heading, args.time * later);
        let report = hall.play_pairing(teams, part, &mut book, &mut progress)?;
        progress.live.clear();
        pairings.push(report);
    }
    let mut evaluation = PlayedEvaluation {
        game: hall.game.facts().id.to_owned(),
        tried: vec![None; teams.len()],
        teams: teams.iter().map(Team::evaluated).collect(),
        book,
        pairings,
        pairings_planned: all.len(),
        games_max: hall.limits.games_max,
        weight: args.weight,
        network: None,
        replays: hall.ledger.replays.clone(),
    };
    try_the_uncalled(hall, teams, &mut evaluation)?;
    Ok(evaluation)
}

/// Who was never called, be it the only team, has its script started once: it may earn its share.
fn try_the_uncalled(
    hall: &Hall,
    teams: &[Team],
    evaluation: &mut PlayedEvaluation,
) -> Result<(), Failure> {
    for (team, entry) in BotId::all(team_count(teams)).zip(teams) {
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
    unprotected: UnprotectedBots,
    live: StatusLine,
}

impl Progress {
    fn new(shows: bool, heading: String, later: Duration) -> Progress {
        let (begun, live) = (Instant::now(), StatusLine::new());
        let unprotected = UnprotectedBots::default();
        Progress { shows, heading, begun, begun_with: None, later, unprotected, live }
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
