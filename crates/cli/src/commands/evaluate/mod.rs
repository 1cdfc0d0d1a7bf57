//! `quintain evaluate`: the evaluation of the hockey contest, from folders with a `run.sh` to marks.
//!
//! The arena plays it; here are its arguments, what is said meanwhile, and what is shown of its report.

mod args;
mod network;
mod progress;

use std::io::Write as _;
use std::num::NonZero;
use std::time::Duration;

use quintain_arena::plan::{EvaluationLimits, EvaluationPlan, LinkWish, Team, find_teams};
use quintain_arena::results::EvaluationReport;
use quintain_arena::run::{
    EvaluationMeans, RunError, TeamHost, look_up_run, run_evaluation, stored_evaluation,
};
use quintain_arena::{NewFolder, replays_of};
use quintain_links::{INTERRUPTED, tell_interrupts};
use quintain_referee::Stop;
use quintain_registry::AnyGame;
use quintain_report::evaluation::{self as shown, EvaluationAdvice};
use quintain_store::{Run, Store};
use serde_json::{Map, Value, json};

pub(crate) use self::args::EvaluateArgs;
use self::args::LinkArg;
use self::progress::Progress;
use super::config::config_of;
use crate::args::OutputArg;
use crate::failure::Failure;
use crate::output::remark;
use crate::secret;
use crate::status_line::say;
use crate::words::{Origin, how_to_go_on, run_failure};
use crate::wrapped_output::wrapped_output;

pub(super) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    if !game.facts().abilities.lobby {
        let found = game.facts().id;
        return Err(Failure::usage(format!(
            "expected a game with an evaluation: hockey, found {found}"
        )));
    }
    let config = config_of(game, &args.rules, Some(args.start_limit))?;
    let link = match args.link {
        LinkArg::Auto => LinkWish::Auto,
        LinkArg::Tcp => LinkWish::Tcp,
        LinkArg::Stdio => LinkWish::Stdio,
    };
    let teams = find_teams(&args.teams, args.teams_file.as_deref(), link)
        .map_err(|error| Failure::usage(error.to_string()))?;
    if args.standings {
        return print(args, &stored(args, game, &teams)?, None);
    }
    let go_on = how_to_go_on(args.store.is_some());
    let stop = Stop::default();
    // Before the store starts a thread, which would take the signal.
    stop_on_interrupt(&stop, go_on.clone())?;
    let (host, warning) = network::open(args)?;
    let plan = EvaluationPlan {
        game,
        config,
        rules: args.rules.rules().match_rules(),
        start_limit: (!args.rules.no_clock)
            .then(|| args.start_limit.mul_f64(args.rules.time_scale)),
        teams,
        limits: EvaluationLimits {
            games_max: args.games.get(),
            time_max: args.time,
            give_up_after: NonZero::new(args.give_up),
        },
        weight: args.weight,
    };
    let (means, _made) = open_means(args, &plan, host)?;
    let mut progress = Progress::new(&plan, !args.quiet);
    let report = run_evaluation(&plan, &means, &mut progress, &stop)?;
    print(args, &report, warning.as_deref())?;
    if stop.is_asked() && !report.is_complete {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

fn print(
    args: &EvaluateArgs,
    report: &EvaluationReport,
    network: Option<&str>,
) -> Result<(), Failure> {
    let advice = EvaluationAdvice { more_time: "give more with --start-limit", network };
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

/// Where games and replays are kept; the new folder, if one was made, is removed in the end unless
/// something was left in it.
fn open_means(
    args: &EvaluateArgs,
    plan: &EvaluationPlan,
    host: TeamHost,
) -> Result<(EvaluationMeans, Option<NewFolder>), Failure> {
    let signer = super::key::signer(args.sign.as_deref())?;
    let address = |place: &String| secret::address(place, args.store_password_file.as_deref());
    let address = args.store.as_ref().map(address).transpose()?;
    let store = address.as_deref().map(Store::open).transpose()?;
    let identity = plan.identity(run_name(args, plan.game), how_it_is_played(args));
    let run = store.as_ref().map(|store| store.begin(&identity)).transpose()?;
    let beside_store = || Some(replays_of(store.as_ref()?, run.as_ref()?.info()));
    let mut made = None;
    let replays = match args.no_replays {
        true => None,
        false => args.replays.clone().or_else(beside_store),
    };
    if replays.is_none() && !args.no_replays {
        let stem = format!("evaluate-{}", plan.game.facts().id);
        let folder = NewFolder::make(&stem).map_err(RunError::NewFolder);
        made = Some(folder.map_err(|error| run_failure(error, "", &Origin::default()))?);
    }
    let replays = replays.or_else(|| Some(made.as_ref()?.path().to_owned()));
    let store = store.zip(run.as_ref().map(Run::id));
    let sample = NonZero::new(args.sample);
    Ok((EvaluationMeans { host, run, store, replays, sample, signer }, made))
}

/// As the settings of a run keep it.
fn how_it_is_played(args: &EvaluateArgs) -> Map<String, Value> {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let settings = [
        ("edition", json!(args.rules.edition.name())),
        ("limit-ms", json!(args.rules.limit.map(milliseconds))),
        ("time-scale", json!(args.rules.time_scale)),
        ("clock", json!(!args.rules.no_clock)),
        ("start-limit-ms", json!(milliseconds(args.start_limit))),
    ];
    let set = args.rules.rules().set_values().map(|set| ("set", set));
    settings.into_iter().chain(set).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn run_name(args: &EvaluateArgs, game: &dyn AnyGame) -> String {
    args.name.clone().unwrap_or_else(|| format!("evaluate {}", game.facts().id))
}

fn stored(
    args: &EvaluateArgs,
    game: &dyn AnyGame,
    teams: &[Team],
) -> Result<EvaluationReport, Failure> {
    let place = args.store.as_deref().unwrap_or_default();
    let names = teams.iter().map(|team| team.name.as_str());
    let place = &secret::address(place, args.store_password_file.as_deref())?;
    let (store, info) = look_up_run(place, &run_name(args, game), names)
        .map_err(|error| run_failure(error, "", &Origin::default()))?;
    let limits = EvaluationLimits::of_run(&info.plan).ok_or_else(|| {
        let (name, place) = (&info.plan.name, store.place());
        Failure::usage(format!("--name: expected an evaluation, found `{name}` in {place}"))
    })?;
    let stored = &(store, info.id);
    Ok(stored_evaluation(game.facts().id, teams, &limits, args.weight, stored)?)
}
