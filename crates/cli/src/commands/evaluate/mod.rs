//! `quintain evaluate`: the evaluation of the hockey contest, from folders with a `run.sh` to marks.
//!
//! The arena plays it; here are its arguments, what is said meanwhile, and what is shown of its report.

mod args;

use std::io::Write as _;
use std::num::NonZero;
use std::path::Path;

use quintain_arena::plan::{EvaluationLimits, EvaluationPlan, MatchSettings, find_teams};
use quintain_arena::results::EvaluationReport;
use quintain_arena::run::{ReplayWish, RunError, RunMeans, run_evaluation, stored_evaluation};
use quintain_arena::{REPLAYS_FOLDER, RunEnd};
use quintain_links::{end_interrupted, tell_interrupts};
use quintain_referee::Stop;
use quintain_report::evaluation::{self as shown, EvaluationAdvice};

pub(crate) use self::args::EvaluateArgs;
use super::run_screen::RunScreen;
use crate::args::OutputArg;
use crate::failure::Failure;
use crate::output::remark;
use crate::secret;
use crate::status_line::say;
use crate::words::{Origin, how_to_go_on, plan_failure, run_failure};
use crate::wrapped_output::wrapped_output;

pub(super) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    super::game_named(&args.game)?;
    let plan = plan_of(args)?;
    let means = means_of(args)?;
    let go_on = how_to_go_on(args.store.is_some());
    let failed = |error: RunError| run_failure(error, &go_on, &Origin::default());
    if args.standings {
        return print(args, &stored_evaluation(&plan, &means).map_err(failed)?, None);
    }
    let stop = Stop::default();
    // Before the store starts a thread, which would take the signal.
    stop_on_interrupt(&stop, go_on.clone())?;
    let mut screen = RunScreen::new(None, args.quiet);
    let played = run_evaluation(&plan, &means, &mut screen, &stop).map_err(failed)?;
    print(args, &played.report, screen.network.as_deref())?;
    if played.ended == RunEnd::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

fn plan_of(args: &EvaluateArgs) -> Result<EvaluationPlan, Failure> {
    let mut plan = EvaluationPlan {
        settings: MatchSettings {
            rules: args.rules.rules(),
            start_limit: args.start_limit,
            ..MatchSettings::of(&args.game)
        },
        teams: Vec::new(),
        limits: EvaluationLimits {
            games_max: args.games.get(),
            time_max: args.time,
            give_up_after: NonZero::new(args.give_up),
        },
        weight: args.weight,
    };
    plan.check().map_err(plan_failure)?;
    plan.teams = find_teams(&args.teams, args.teams_file.as_deref(), args.team_link())
        .map_err(|error| Failure::usage(error.to_string()))?;
    let variables = args.pass_env.variables()?;
    plan.teams.iter_mut().for_each(|team| team.give(&variables));
    Ok(plan)
}

fn means_of(args: &EvaluateArgs) -> Result<RunMeans, Failure> {
    let address = |place: &String| secret::address(place, args.store_password_file.as_deref());
    let replays = args.replays.as_deref().or(Some(Path::new(REPLAYS_FOLDER)));
    let password = args.store_password_file.as_deref();
    let store = args.store.as_deref().map(Path::new);
    let hidden = [store, password, args.sign.as_deref(), replays, args.teams_file.as_deref()];
    Ok(RunMeans {
        sandbox: args.sandbox.sandbox(&hidden)?,
        store: args.store.as_ref().map(address).transpose()?,
        name: args.name.clone(),
        replays: ReplayWish::of(args.replays.as_deref(), args.no_replays),
        sample: NonZero::new(args.sample),
        listen: args.listen.clone(),
        admission: args.admission(),
        network: args.network_wish(),
        signer: super::key::signer(args.sign.as_deref())?,
        ..RunMeans::default()
    })
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
        end_interrupted();
    })
}
