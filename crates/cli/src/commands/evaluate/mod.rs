//! `quintain evaluate`: the evaluation of the hockey contest, from folders with a `run.sh` to marks.
//!
//! The arena plays it; here are its arguments, what is said meanwhile, and what is shown of its report.

mod args;

use std::io::Write as _;
use std::num::NonZero;
use std::path::Path;

use quintain_arena::plan::{
    EvaluationLimits, EvaluationPlan, MatchSettings, TeamsError, find_teams, team_folders,
};
use quintain_arena::results::EvaluationReport;
use quintain_arena::run::{
    Progress, ReplayWish, RunError, RunMeans, run_evaluation, stored_evaluation,
};
use quintain_arena::{Concurrency, REPLAYS_FOLDER, RunEnd, cores};
use quintain_links::{end_interrupted, tell_interrupts};
use quintain_referee::{Ask, Stop};
use quintain_report::evaluation::{self as shown, EvaluationAdvice};

pub(crate) use self::args::EvaluateArgs;
use super::opened::{Opened, is_over, stay, watched};
use super::run_screen::RunScreen;
use crate::args::{OutputArg, build_folders};
use crate::failure::Failure;
use crate::output::{remark, say, wrapped_output};
use crate::secret;
use crate::words::{Origin, how_to_go_on, plan_failure, run_failure, this_command};

pub(super) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let mut means = means_of(args)?;
    let plan = plan_of(args, &means)?;
    let go_on = how_to_go_on(args.store.is_some());
    let failed = |error: RunError| run_failure(error, &go_on, &Origin::default());
    if args.standings {
        return print(args, &stored_evaluation(&plan, &means).map_err(failed)?, None);
    }
    let stop = Stop::default();
    // Before the store starts a thread, which would take the signal.
    stop_on_interrupt(&stop, go_on.clone())?;
    let mut screen = RunScreen::new(None, args.quiet);
    let opened = Opened::start_run(&args.open, game, &mut means)?;
    let play = |progress: &mut dyn Progress| run_evaluation(&plan, &means, progress, &stop);
    let played = watched(opened.as_ref(), &mut screen, play).map_err(failed)?;
    print(args, &played.report, screen.network.as_deref())?;
    if played.ended == RunEnd::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    stay(opened.as_ref(), &stop);
    Ok(())
}

fn plan_of(args: &EvaluateArgs, means: &RunMeans) -> Result<EvaluationPlan, Failure> {
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
    if !args.standings {
        let folders = team_folders(&args.teams).map_err(teams_failure)?;
        build_folders(&args.build.wish(), folders, means.sandbox.as_deref())?;
    }
    plan.teams = find_teams(&args.teams, args.teams_file.as_deref(), args.team_link())
        .map_err(teams_failure)?;
    let variables = args.pass_env.variables()?;
    plan.teams.iter_mut().for_each(|team| team.give(&variables));
    Ok(plan)
}

fn teams_failure(error: TeamsError) -> Failure {
    Failure::usage(error.to_string())
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
        concurrency: Concurrency::new(args.concurrency, Ask::InTurn, cores(), false)
            .map_err(|error| Failure::usage(format!("--concurrency: {error}")))?,
        signer: super::key::signer(args.sign.as_deref())?,
        command: Some(this_command()),
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
        OutputArg::Html => {
            quintain_server::evaluation_page(report, &advice).map_err(anyhow::Error::from)?
        }
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
        if is_over() {
            return;
        }
        if times == 1 {
            say("the running game is broken off; Ctrl-C again ends without a report");
            return;
        }
        say(&how_to_go_on);
        end_interrupted();
    })
}
