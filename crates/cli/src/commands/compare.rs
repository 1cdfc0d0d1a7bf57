//! `quintain compare`: is the new version better?

use std::io::Write as _;
use std::path::Path;

use clap::Args;
use quintain_arena::RunEnd;
use quintain_arena::plan::{ComparisonPlan, PlanError};
use quintain_arena::results::ComparisonReport;
use quintain_arena::run::{Progress, run_comparison};
use quintain_report::Advice;
use quintain_report::comparison::{self as shown, Troubled};
use quintain_tournament::Sprt;

use crate::args::{OpenArgs, examples};
use crate::failure::Failure;
use crate::output::{print_lines, remark, shell_word, wrapped_output};
use crate::words::{ON_REFUSAL, Origin, how_to_go_on, run_failure, stats_command};

use super::many::{ManyArgs, stop_on_interrupts};
use super::opened::{Opened, stay, watched};
use super::run_screen::RunScreen;

const COMPARE_HELP: &str = "\
Every seed is played twice, with the seats swapped. The games stop when a sequential test has \
    decided whether the new version is better by elo1 rather than by elo0, or the old one is, or \
    neither; or after --games. Alpha is the risk of finding a difference where there is none, beta \
    that of finding none where it is elo1. The 95% interval holds whenever the games are stopped. \
    Bots without luck of their own repeat their games: copies make nothing surer, and a test stops \
    where nothing else comes. If more than 3% of the games were void or played again there is no \
    verdict, unless you --force it. Replays of games in which a bot failed are kept in a new folder \
    of replays/; with --store or --replays all are.";

#[derive(Debug, Args)]
#[command(after_help = [COMPARE_HELP, examples::COMPARE].join("\n\n"))]
pub(crate) struct CompareArgs {
    /// The game, for instance fencing
    game: String,
    /// The old version: house:NAME, a folder, or a command line in quotes
    old: String,
    /// The new version
    new: String,
    /// Stop when the test has decided [default: 0,10,0.05,0.05 unless --games is given]
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Play this many games, or with --sprt at most this many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Print one JSON object at the end, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    open: OpenArgs,
    #[command(flatten)]
    many: ManyArgs,
}

pub(super) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let plan = plan_of(args)?;
    args.many.checked_config(game)?;
    let mut means = args.many.means(args.many.store.as_deref(), plan.settings.ask)?;
    args.many.build_bots([&plan.old, &plan.new], &means)?;
    let go_on = how_to_go_on(args.many.store.is_some());
    let stop = stop_on_interrupts(go_on.clone())?;
    let mut screen = RunScreen::new(args.games, args.many.quiet);
    let opened = Opened::start_run(&args.open, game, &mut means)?;
    let play = |progress: &mut dyn Progress| run_comparison(&plan, &means, progress, &stop);
    let played = watched(opened.as_ref(), &mut screen, play)
        .map_err(|error| run_failure(error, &go_on, &Origin::default()))?;
    let name = means.name.unwrap_or_else(|| plan.usual_name());
    print(args, &played.report, &name)?;
    if played.ended == RunEnd::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    stay(opened.as_ref(), &stop);
    Ok(())
}

fn plan_of(args: &CompareArgs) -> Result<ComparisonPlan, Failure> {
    let settings = args.many.settings(&args.game);
    let made = ComparisonPlan::new(settings, &args.old, &args.new);
    let mut plan = made.map_err(|error| match error {
        PlanError::Wrong { wrong, .. } => Failure::usage(wrong),
        PlanError::SameName { name } => {
            Failure::usage(format!("expected two different names, found `{name}` twice"))
        }
    })?;
    let variables = args.many.pass_env.variables()?;
    plan.old.give(&variables);
    plan.new.give(&variables);
    (plan.sprt, plan.games_max) = (args.sprt, args.games);
    Ok(plan)
}

/// `run` is what the games are called in the store, if they are kept.
fn print(args: &CompareArgs, report: &ComparisonReport, run: &str) -> Result<(), Failure> {
    let mut out = wrapped_output();
    if args.json {
        writeln!(out, "{}", shown::json(report))?;
        return Ok(());
    }
    let list = |games: Troubled<'_>| {
        let Some(store) = &args.many.store else { return String::new() };
        let option = match games {
            Troubled::By(bot) => format!("--bot {} --error", shell_word(Path::new(bot))),
            Troubled::Void => "--void".to_owned(),
            Troubled::Disturbed => "--disturbed".to_owned(),
        };
        format!("; list them: {}", stats_command(store, run, &option))
    };
    let advice = Advice { on_refusal: ON_REFUSAL, ..Advice::default() };
    Ok(print_lines(shown::lines(report, &advice, list), &mut out)?)
}
