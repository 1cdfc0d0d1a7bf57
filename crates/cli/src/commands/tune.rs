//! `quintain tune`: which values of a bot's parameters are best?

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use quintain_arena::RunEnd;
use quintain_arena::plan::{Parameters, TunePlan};
use quintain_arena::results::TuneReport;
use quintain_arena::run::{RunError, run_tune};
use quintain_report::{Advice, comparison, tuning as shown};
use quintain_tournament::Sprt;

use crate::args::examples;
use crate::failure::Failure;
use crate::output::{print_lines, remark, wrapped_output};
use crate::words::{ON_REFUSAL, Origin, run_failure, this_command};
use quintain_arena::write_whole;

use super::many::{ManyArgs, stop_on_interrupts};
use super::run_screen::RunScreen;

const TUNE_HELP: &str = "\
The file lists the parameters, each a table of its name with start, min, max and step (how far apart \
    tries are; games should be able to tell), and `whole = true` where only whole numbers mean \
    something. `pass = \"environment\"` gives them as variables, `pass = \"arguments\"` as --NAME=VALUE \
    behind the words of the bot.

In each iteration all parameters are moved at once, up or down at random, and the bot so moved plays \
    the bot moved the other way: SPSA; see docs/src/tune.md. What was played is kept in a file, \
    and the same call goes on with it. In the end the tuned parameters play those of the \
    start until a sequential test has decided, with --store as `quintain compare` does.";

#[derive(Debug, Args)]
#[command(after_help = [TUNE_HELP, examples::TUNE].join("\n\n"))]
pub(crate) struct TuneArgs {
    /// The game, for instance fencing
    game: String,
    /// The bot: a folder, or a command line in quotes
    bot: String,
    /// The file with the parameters
    #[arg(long, value_name = "FILE")]
    params: PathBuf,
    /// How many times the parameters are moved
    #[arg(long, value_name = "N", default_value_t = TunePlan::ITERATIONS)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: u32,
    /// How many games are played in an iteration: two for each seed
    #[arg(long, value_name = "N", default_value_t = TunePlan::GAMES)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The file that the iterations are kept in [default: GAME-tune.jsonl]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Stop the proof when this test has decided [default: 0,10,0.05,0.05]
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Play at most this many games to prove the gain
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    proof_games: Option<u32>,
    /// Draw the curve of every parameter to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object at the end, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    many: ManyArgs,
}

pub(super) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let plan = plan_of(args)?;
    args.many.checked_config(game)?;
    let means = args.many.means(args.many.store.as_deref(), args.many.ask)?;
    args.many.build_bots([&plan.bot], &means)?;
    let usual = PathBuf::from(format!("{}-tune.jsonl", game.facts().id));
    let history = args.history.as_ref().unwrap_or(&usual);
    let go_on = format!("to go on: {}", this_command());
    let stop = stop_on_interrupts(go_on.clone())?;
    let mut screen = RunScreen::new(args.proof_games, args.many.quiet || args.json);
    let played = run_tune(&plan, history, &means, &mut screen, &stop)
        .map_err(|error| tune_failure(error, &go_on))?;
    if let Some(path) = &args.svg {
        write_whole(path, shown::plot(&played.report).as_bytes())?;
    }
    print(args, &played.report)?;
    if played.ended == RunEnd::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

fn plan_of(args: &TuneArgs) -> Result<TunePlan, Failure> {
    let parameters = Parameters::read(&args.params)
        .map_err(|error| Failure::usage(format!("--params: {error}")))?;
    let settings = args.many.settings(&args.game);
    let mut plan =
        TunePlan::new(settings, &args.bot, parameters).map_err(super::ladder::bot_failure)?;
    plan.bot.give(&args.many.pass_env.variables()?);
    (plan.iterations, plan.games, plan.proof_games) =
        (args.iterations, args.games, args.proof_games);
    plan.sprt = args.sprt.unwrap_or(plan.sprt);
    Ok(plan)
}

fn tune_failure(error: RunError, go_on: &str) -> Failure {
    match error {
        RunError::History(error) => Failure::usage(format!(
            "--history: {error}; another file begins anew, and the same call goes on with this one"
        )),
        error => run_failure(error, go_on, &Origin::default()),
    }
}

fn print(args: &TuneArgs, report: &TuneReport) -> Result<(), Failure> {
    let mut out = wrapped_output();
    if args.json {
        return Ok(writeln!(out, "{}", shown::json(report))?);
    }
    print_lines([shown::heading(report)], &mut out)?;
    out.flush()?;
    writeln!(out, "{}", shown::table(report))?;
    let advice = Advice { on_refusal: ON_REFUSAL, ..Advice::default() };
    let proof = report.proof.iter();
    let lines = proof.flat_map(|proof| comparison::lines(proof, &advice, |_| String::new()));
    Ok(print_lines(lines, &mut out)?)
}
