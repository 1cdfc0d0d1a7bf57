//! `quintain compare`: is the new version better?

mod judge;

use std::io::Write as _;
use std::path::Path;

use clap::Args;
use quintain_arena::results::{ComparisonFacts, ComparisonReport, comparison_report};
use quintain_arena::{Ended, Replays, parse_contestant, play_all, split_name};
use quintain_record::Contestant;
use quintain_registry::AnyGame;
use quintain_report::Advice;
use quintain_report::comparison::{self as shown, Troubled};
use quintain_store::{Run, RunInfo, Store};
use quintain_tournament::{Form, NEW, OLD, Schedule, Settings, Sprt};

use crate::failure::Failure;
use crate::output::{HEADING, file_name_part, remark, shell_word};
use crate::seating::nobody;

use super::many::{
    ManyArgs, ON_REFUSAL, begin, check_name, how_to_go_on, stats_command, stop_on_interrupts,
    stopped_by,
};
use super::replay_folder::{NewFolder, replays_of};
use super::seeds;
use judge::Judge;

/// As many as a schedule can count: the test ends it.
const GAMES_WITHOUT_LIMIT: u32 = u32::MAX - 1;

const COMPARE_HELP: &str = "\
Every seed is played twice, with the seats swapped. The games stop when a sequential test has
decided whether the new version is better by elo1 rather than by elo0, or the old one is, or
neither; or after --games. Alpha is the risk of finding a difference where there is none, beta
that of finding none where it is elo1. The 95% interval holds whenever the games are stopped.
Bots without luck of their own repeat their games: copies make nothing surer, and a test stops
where nothing else comes. If more than 3% of the games were void or played again there is no
verdict, unless you --force it. Replays of games in which a bot failed are kept in a new folder
of replays/; with --store or --replays all are.";

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
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
    many: ManyArgs,
}

pub(super) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let mut contestants = contestants(args, game)?;
    args.many.pass_on(&mut contestants)?;
    args.many.checked_config(game)?;
    let concurrency = args.many.concurrency()?;
    let go_on = how_to_go_on(args.many.store.is_some());
    let stop = stop_on_interrupts(go_on.clone())?;
    args.many.rehearse(game, &contestants, |_| String::new())?;
    let kept = open_store(args, game, &contestants)?;
    let folder = new_folder(args, game, &contestants, kept.is_some())?;
    let replays = match (&kept, &folder) {
        (Some((store, run)), _) => Replays::All(replays_of(store, run.info())),
        (None, Some(folder)) => Replays::Troubled(folder.path().to_owned()),
        (None, None) => Replays::None,
    };
    let arena =
        args.many.arena(game, contestants, kept.as_ref().map(|(store, _)| store), replays)?;
    let mut schedule = schedule_of(args, game, kept.as_ref().map(|(_, run)| run))?;
    let mut judge = Judge::new(args, &arena);
    if let Some((store, run)) = &kept {
        judge.recall(store, run, &mut schedule)?;
    }
    let ended = if judge.comparison.has_ended() || judge.is_hopeless() {
        Ended::Enough
    } else {
        let run = kept.as_ref().map(|(_, run)| run);
        let played = play_all(&arena, &mut schedule, run, concurrency, &stop, &mut judge);
        judge.clear();
        played.map_err(|error| stopped_by(&error, &go_on))?
    };
    judge.comparison.finish();
    let time = match &kept {
        Some((store, run)) => store.played(run.id())?,
        None => judge.elapsed(),
    };
    let report = comparison_report(
        &judge.comparison,
        &ComparisonFacts {
            game: game.facts().id,
            bots: [OLD, NEW].map(|bot| arena.name(bot)),
            failed: &judge.failed,
            disturbed: &judge.disturbed,
            is_forced: args.many.force,
            is_stopped: ended == Ended::Stopped,
            time,
        },
    );
    print(args, &report, kept.as_ref().map(|(_, run)| run.info()))?;
    if ended == Ended::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

/// `run` is `None` if nothing is kept.
fn print(
    args: &CompareArgs,
    report: &ComparisonReport,
    run: Option<&RunInfo>,
) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", shown::json(report))?;
        return Ok(());
    }
    let list = |games: Troubled<'_>| {
        let (Some(store), Some(run)) = (&args.many.store, run) else { return String::new() };
        let option = match games {
            Troubled::By(bot) => format!("--bot {} --error", shell_word(Path::new(bot))),
            Troubled::Void => "--void".to_owned(),
            Troubled::Disturbed => "--disturbed".to_owned(),
        };
        format!("; list them: {}", stats_command(store, &run.plan.name, &option))
    };
    let advice = Advice { on_refusal: ON_REFUSAL, ..Advice::default() };
    let mut lines = shown::lines(report, &advice, list).into_iter();
    let heading = lines.next().unwrap_or_default();
    writeln!(out, "{HEADING}{heading}{HEADING:#}")?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Where the replays of failed games go if nothing is said about replays.
fn new_folder(
    args: &CompareArgs,
    game: &dyn AnyGame,
    contestants: &[Contestant],
    is_kept: bool,
) -> Result<Option<NewFolder>, Failure> {
    if is_kept || args.many.replays.is_some() || args.many.no_replays {
        return Ok(None);
    }
    let [old, new] = [0, 1].map(|place| file_name_part(&contestants[place].name));
    NewFolder::make(&format!("compare-{}-{old}-{new}", game.facts().id)).map(Some)
}

/// Unless they were given names, they are called what they are.
fn contestants(args: &CompareArgs, game: &dyn AnyGame) -> Result<Vec<Contestant>, Failure> {
    let named = |text: &str, name: &str| -> Result<Contestant, Failure> {
        let mut contestant = parse_contestant(text, game, args.many.state()).map_err(nobody)?;
        if split_name(text).0.is_none() {
            contestant.name = name.to_owned();
        }
        Ok(contestant)
    };
    let both = vec![named(&args.old, "old")?, named(&args.new, "new")?];
    for bot in &both {
        check_name(&bot.name).map_err(Failure::usage)?;
    }
    if both[0].name == both[1].name {
        let name = &both[0].name;
        return Err(Failure::usage(format!("expected two different names, found `{name}` twice")));
    }
    Ok(both)
}

fn open_store(
    args: &CompareArgs,
    game: &dyn AnyGame,
    contestants: &[Contestant],
) -> Result<Option<(Store, Run)>, Failure> {
    let Some(place) = &args.many.store else { return Ok(None) };
    let store = Store::open(&args.many.address(place)?)?;
    let usual = || {
        let [old, new] = [&contestants[0].name, &contestants[1].name];
        format!("compare {} {old} {new}", args.game)
    };
    let name = args.many.name.clone().unwrap_or_else(usual);
    // How many games are played and what stops them may change: what was played still counts.
    let more = seeds::settings_of(&seeds::derived(args.many.seed, game));
    let plan = args.many.run_plan(name, "compare", game, contestants, more)?;
    let run = begin(&store, &plan)?;
    Ok(Some((store, run)))
}

/// `run` is the one to go on with.
fn schedule_of(
    args: &CompareArgs,
    game: &dyn AnyGame,
    run: Option<&Run>,
) -> Result<Schedule, Failure> {
    let games = args.games.unwrap_or(GAMES_WITHOUT_LIMIT);
    let seeds = seeds::derived(args.many.seed, game);
    let seeds = match run {
        Some(run) => seeds::of_run(seeds, run.info()),
        None => seeds,
    };
    Ok(Schedule::new(Settings { bots: 2, form: Form::RoundRobin, games, seeds })?)
}
