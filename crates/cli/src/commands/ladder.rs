//! `quintain ladder`: how far does a bot climb, and how strong are the rungs?

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quintain_arena::RunEnd;
use quintain_arena::plan::{CalibrationPlan, LadderPart, LadderPlan, PlanError};
use quintain_arena::results::{LadderReport, LostOnRung};
use quintain_arena::run::{Progress, RunMeans, run_calibration, run_ladder};
use quintain_arena::scale::Scale;
use quintain_registry::AnyGame;
use quintain_report::ladder as shown;
use quintain_tournament::Sprt;

use crate::args::{OpenArgs, duration, examples};
use crate::failure::Failure;
use crate::output::{print_lines, remark, shell_word, wrapped_output};
use crate::words::{Origin, how_to_go_on, plan_failure, run_failure};
use quintain_arena::write_whole;

use super::many::{ManyArgs, stop_on_interrupts};
use super::opened::{Opened, stay, watched};
use super::run_screen::RunScreen;

const LADDER_HELP: &str = "\
The rungs are the game's house bots, weakest first. On each one the bot plays as `quintain compare` \
    does, until a sequential test says whether it is stronger; it climbs on while it is. With --store \
    the same call goes on where it was stopped. The Elo is that of the game's published scale, by \
    all games of the climb, with its 95% interval. Replays are kept in a new folder of replays/, so \
    that lost games can be looked at.

Without a BOT the published scale is shown. With --calibrate the rungs play each other, neighbours \
    and those two steps apart, and the scale that follows is written to the file --scale.";

#[derive(Debug, Args)]
#[command(after_help = [LADDER_HELP, examples::LADDER].join("\n\n"))]
pub(crate) struct LadderArgs {
    /// The game, for instance fencing
    game: String,
    /// Who climbs: house:NAME, a folder, or a command line in quotes
    bot: Option<String>,
    /// The rung to begin with [default: the weakest]
    #[arg(long, value_name = "RUNG")]
    from: Option<String>,
    /// The last rung [default: the strongest]
    #[arg(long, value_name = "RUNG")]
    to: Option<String>,
    /// Leave a rung when this test has decided [default: 0,100,0.05,0.05]
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    #[arg(requires = "bot")]
    sprt: Option<Sprt>,
    /// Play at most this many games on a rung; with --calibrate between neighbours [default there: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Let the rungs play each other and make a scale of it
    #[arg(long, conflicts_with = "bot")]
    calibrate: bool,
    /// With --calibrate, how long two rungs play at most [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = time_or_none, requires = "calibrate")]
    time: Option<Duration>,
    /// Measure by the scale in this file, and not by the published one; with --calibrate, write it there
    /// [default there: GAME-scale.toml]
    #[arg(long, value_name = "FILE")]
    scale: Option<PathBuf>,
    /// Draw the scale, and the bot on it, to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object at the end, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    open: OpenArgs,
    #[command(flatten)]
    many: ManyArgs,
}

/// A time, which may be none at all.
fn time_or_none(text: &str) -> Result<Duration, String> {
    if text == "0s" { Ok(Duration::ZERO) } else { duration(text) }
}

impl LadderArgs {
    fn part(&self) -> LadderPart {
        LadderPart { from: self.from.clone(), to: self.to.clone() }
    }
}

pub(super) fn run(args: &LadderArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    match &args.bot {
        Some(bot) => climb(args, game, bot),
        None if args.calibrate => calibrate(args, game),
        None => show(args, game),
    }
}

fn show(args: &LadderArgs, game: &dyn AnyGame) -> Result<(), Failure> {
    if args.open.is_wanted() {
        let wrong =
            "--open and --serve: expected a BOT or --calibrate, since nothing is played else";
        return Err(Failure::usage(wrong));
    }
    let Some(scale) = scale_for(args, game)? else {
        let id = game.facts().id;
        return Err(Failure::Failed(anyhow::anyhow!(
            "{id} has no published scale; to make one: quintain ladder {id} --calibrate"
        )));
    };
    print_scale(args, game, &scale)
}

fn climb(args: &LadderArgs, game: &dyn AnyGame, bot: &str) -> Result<(), Failure> {
    let mut plan = LadderPlan::new(args.many.settings(&args.game), bot).map_err(bot_failure)?;
    plan.bot.give(&args.many.pass_env.variables()?);
    (plan.part, plan.games_max) = (args.part(), args.games);
    plan.sprt = args.sprt.unwrap_or(plan.sprt);
    plan.rungs().map_err(plan_failure)?;
    let scale = scale_for(args, game)?;
    let (mut means, go_on) = prepared(args, game)?;
    args.many.build_bots([&plan.bot], &means)?;
    let stop = stop_on_interrupts(go_on.clone())?;
    let mut screen = RunScreen::new(args.games, args.many.quiet || args.json);
    let opened = Opened::start_run(&args.open, game, &mut means)?;
    let play =
        |progress: &mut dyn Progress| run_ladder(&plan, scale.as_ref(), &means, progress, &stop);
    let played = watched(opened.as_ref(), &mut screen, play)
        .map_err(|error| run_failure(error, &go_on, &Origin::default()))?;
    print_climb(args, &played.report)?;
    if let (Some(scale), Some(path)) = (&scale, &args.svg) {
        write_whole(path, shown::plot(scale, Some(&played.report)).as_bytes())?;
    }
    told(played.ended, go_on)?;
    stay(opened.as_ref(), &stop);
    Ok(())
}

fn calibrate(args: &LadderArgs, game: &dyn AnyGame) -> Result<(), Failure> {
    let mut plan = CalibrationPlan::new(args.many.settings(&args.game));
    plan.part = args.part();
    plan.rungs().map_err(plan_failure)?;
    plan.games = args.games.unwrap_or(plan.games);
    plan.time_max = args.time.unwrap_or(plan.time_max);
    let (mut means, go_on) = prepared(args, game)?;
    let stop = stop_on_interrupts(go_on.clone())?;
    let mut screen = RunScreen::new(None, args.many.quiet || args.json);
    let opened = Opened::start_run(&args.open, game, &mut means)?;
    let play = |progress: &mut dyn Progress| run_calibration(&plan, &means, progress, &stop);
    let played = watched(opened.as_ref(), &mut screen, play)
        .map_err(|error| run_failure(error, &go_on, &Origin::default()))?;
    if let Some(scale) = &played.report.scale {
        let usual = PathBuf::from(format!("{}-scale.toml", game.facts().id));
        let path = args.scale.as_ref().unwrap_or(&usual);
        write_whole(path, scale.text().as_bytes())?;
        print_scale(args, game, scale)?;
        shown::weak_steps(scale).iter().for_each(remark);
        remark(format!("the scale is in {}", path.display()));
    }
    told(played.ended, go_on)?;
    stay(opened.as_ref(), &stop);
    Ok(())
}

/// Everything that can be wrong about the call is found before anything is played.
fn prepared(args: &LadderArgs, game: &dyn AnyGame) -> Result<(RunMeans, String), Failure> {
    args.many.checked_config(game)?;
    let means = args.many.means(args.many.store.as_deref(), args.many.ask)?;
    Ok((means, how_to_go_on(args.many.store.is_some())))
}

/// How a run ended, for who called it.
fn told(ended: RunEnd, go_on: String) -> Result<(), Failure> {
    if ended == RunEnd::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

/// The bot stands in the call as it is, without an option.
pub(super) fn bot_failure(error: PlanError) -> Failure {
    match error {
        PlanError::Wrong { field, wrong } if &*field.0 == "bot" => Failure::usage(wrong),
        error => plan_failure(error),
    }
}

/// The scale in the file, or the published one. One that cannot be read is told, and nobody is measured.
fn scale_for(args: &LadderArgs, game: &dyn AnyGame) -> Result<Option<Scale>, Failure> {
    let Some(path) = &args.scale else {
        return Scale::of(game).or_else(|error| {
            remark(format!("the published scale of {}: {error}", game.facts().id));
            Ok(None)
        });
    };
    let wrong = |wrong: String| Failure::usage(format!("--scale: {wrong}"));
    let text = std::fs::read_to_string(path)
        .map_err(|error| wrong(format!("cannot read {}: {error}", path.display())))?;
    let scale = Scale::read(&text, game.facts().id);
    scale.map(Some).map_err(|error| wrong(format!("{}: {error}", path.display())))
}

fn print_climb(args: &LadderArgs, report: &LadderReport) -> Result<(), Failure> {
    let mut out = wrapped_output();
    if args.json {
        return Ok(writeln!(out, "{}", shown::json(report))?);
    }
    print_lines(shown::lines(report), &mut out)?;
    out.flush()?;
    writeln!(out, "{}", shown::table(report))?;
    let show = |lost: &LostOnRung| {
        let replay = shell_word(Path::new(lost.lost.replay.as_deref()?));
        Some(format!("quintain replay {replay}"))
    };
    Ok(print_lines(shown::lost_lines(report, &show), &mut out)?)
}

fn print_scale(args: &LadderArgs, game: &dyn AnyGame, scale: &Scale) -> Result<(), Failure> {
    let house = game.facts().house_bots;
    if let Some(path) = &args.svg {
        write_whole(path, shown::plot(scale, None).as_bytes())?;
    }
    let mut out = wrapped_output();
    if args.json {
        return Ok(writeln!(out, "{}", shown::scale_json(scale, house))?);
    }
    writeln!(out, "{}", shown::scale_table(scale, house))?;
    Ok(print_lines(shown::scale_lines(scale, house), &mut out)?)
}
