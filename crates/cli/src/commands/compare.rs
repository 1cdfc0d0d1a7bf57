//! `quintain compare`: is the new version better?

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use quintain_arena::{
    Arena, Contestant, Ended, PlayedGame, Replays, Watcher, Wish, play_all, result_of, split_name,
};
use quintain_registry::AnyGame;
use quintain_store::{FaultCount, Filter, Run, Store};
use quintain_tournament::{
    Comparison, Form, NEW, OLD, Schedule, Seeds, Settings, Sprt, Strength, grouped, spoken,
};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::live::Live;
use crate::output::{HEADING, remark};

use super::many::{
    ManyArgs, begin, errors_as_json, errors_in_words, how_to_go_on, replays_of, stop_on_interrupts,
    troubles,
};

/// Where the replays of failed games go, unless told otherwise.
const REPLAY_FOLDER: &str = "replays";

/// As many as a schedule can count: the test ends it.
const GAMES_WITHOUT_LIMIT: u32 = u32::MAX - 1;

const COMPARE_HELP: &str = "\
Every seed is played twice, with the seats swapped. The games stop when a sequential test (SPRT) has
decided between a difference of elo0 and one of elo1, or after --games. Replays of games in which a
bot failed are kept in replays/; with --store or --replays all are.";

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
    let contestants = contestants(args, game)?;
    args.many.checked_options(game)?;
    let concurrency = args.many.concurrency()?;
    let go_on = how_to_go_on(args.many.store.is_some());
    let stop = stop_on_interrupts(go_on.clone())?;
    args.many.rehearse(game, &contestants, |_| String::new())?;
    let kept = open_store(args, game, &contestants)?;
    let replays = match &kept {
        Some((store, run)) => Replays::All(replays_of(store, &run.info().plan.name)),
        None => Replays::Troubled(PathBuf::from(REPLAY_FOLDER)),
    };
    let arena =
        args.many.arena(game, contestants, kept.as_ref().map(|(store, _)| store), replays)?;
    let mut schedule = schedule_of(args)?;
    let mut judge = Judge::new(args, &arena);
    if let Some((store, run)) = &kept {
        judge.recall(store, run, &mut schedule)?;
    }
    let ended = if judge.comparison.is_decided() {
        Ended::Enough
    } else {
        let run = kept.as_ref().map(|(_, run)| run);
        play_all(&arena, &mut schedule, run, concurrency, &stop, &mut judge)?
    };
    judge.live.clear();
    judge.comparison.finish();
    let time = match &kept {
        Some((store, run)) => store.played(run.id())?,
        None => judge.began.elapsed(),
    };
    judge.print(args, ended, time)?;
    if ended == Ended::Stopped {
        remark(go_on);
        return Err(Failure::Told);
    }
    Ok(())
}

/// Unless they were given names, they are called what they are.
fn contestants(args: &CompareArgs, game: &dyn AnyGame) -> Result<Vec<Contestant>, Failure> {
    let named = |text: &str, name: &str| -> Result<Contestant, Failure> {
        let mut contestant =
            Contestant::parse(text, game).map_err(|error| Failure::usage(error.to_string()))?;
        if split_name(text).0.is_none() {
            contestant.name = name.to_owned();
        }
        Ok(contestant)
    };
    let both = vec![named(&args.old, "old")?, named(&args.new, "new")?];
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
    let store = Store::open(place)?;
    let usual = || {
        let [old, new] = [&contestants[0].name, &contestants[1].name];
        format!("compare {} {old} {new}", args.game)
    };
    let name = args.many.name.clone().unwrap_or_else(usual);
    // How many games are played and what stops them may change: what was played still counts.
    let plan = args.many.run_plan(name, "compare", game, contestants, Map::new())?;
    let run = begin(&store, &plan)?;
    Ok(Some((store, run)))
}

fn schedule_of(args: &CompareArgs) -> Result<Schedule, Failure> {
    let games = args.games.unwrap_or(GAMES_WITHOUT_LIMIT);
    let seeds = Seeds::Derived(args.many.seed.cast_unsigned());
    Ok(Schedule::new(Settings { bots: 2, form: Form::RoundRobin, games, seeds })?)
}

/// Judges the games as they come in, and says how it stands.
struct Judge<'a> {
    arena: &'a Arena,
    comparison: Comparison,
    games_max: Option<u32>,
    began: Instant,
    /// In this session.
    played: u64,
    failed: Vec<Value>,
    live: Live,
}

impl<'a> Judge<'a> {
    fn new(args: &CompareArgs, arena: &'a Arena) -> Judge<'a> {
        let sprt = match (args.sprt, args.games) {
            (None, None) => Some(Sprt::default()),
            (sprt, _) => sprt,
        };
        Judge {
            arena,
            comparison: Comparison::new(sprt),
            games_max: args.games,
            began: Instant::now(),
            played: 0,
            failed: Vec::new(),
            live: Live::new(),
        }
    }

    /// Takes what was played before. Games beyond --games are of a longer comparison.
    fn recall(&mut self, store: &Store, run: &Run, schedule: &mut Schedule) -> Result<(), Failure> {
        for listed in store.games(run.id(), &Filter::default()) {
            let result = result_of(&listed?);
            if schedule.record(&result).is_ok() {
                self.comparison.add(&result);
            }
        }
        Ok(())
    }

    /// The most important parts first.
    fn line(&self) -> Vec<String> {
        let estimate = self.comparison.estimate();
        let games = grouped(self.comparison.results().games());
        let rate = self.played as f64 / self.began.elapsed().as_secs_f64();
        let mut parts = vec![
            format!("{games} games"),
            format!("{:.1}%", 100.0 * estimate.score),
            Strength(estimate).to_string(),
        ];
        if let (Some(sprt), Some(llr)) = (self.comparison.sprt(), self.comparison.llr()) {
            parts.push(format!("LLR {llr:.2} ({:.2} to {:.2})", sprt.lower(), sprt.upper()));
        }
        if let Some(left) = self.time_left(rate) {
            parts.push(format!("{} left", spoken(left)));
        }
        parts.push(format!("{rate:.1}/s"));
        parts.push(format!("superior {:.1}%", 100.0 * estimate.superiority));
        parts
    }

    /// A guess, where there is ground for one: by the games that are missing, or by how far the test
    /// has come.
    fn time_left(&self, rate: f64) -> Option<Duration> {
        const ENOUGH_TO_GUESS: f64 = 0.05;
        let judged = self.comparison.results().games() as f64;
        let by_games = self.games_max.map(|games| f64::from(games) - judged);
        let by_test = self.comparison.sprt().zip(self.comparison.llr()).and_then(|(sprt, llr)| {
            let bound = if llr > 0.0 { sprt.upper() } else { sprt.lower() };
            let done = llr / bound;
            (done > ENOUGH_TO_GUESS).then(|| judged * (1.0 - done) / done)
        });
        let games = match (by_games, by_test) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        Duration::try_from_secs_f64(games / rate).ok()
    }

    /// `time` is that of all sessions, as the games are.
    fn print(&self, args: &CompareArgs, ended: Ended, time: Duration) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if args.json {
            writeln!(out, "{}", self.as_json(time, ended))?;
            return Ok(());
        }
        let [old, new] = [OLD, NEW].map(|bot| self.arena.name(bot));
        let sentence = self.comparison.sentence(old, new, time);
        writeln!(out, "{HEADING}{sentence}{HEADING:#}")?;
        let tally = self.comparison.tally(NEW);
        let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
        writeln!(out, "{new}: {wins} won, {draws} drawn, {losses} lost")?;
        if let (Some(sprt), Some(llr)) = (self.comparison.sprt(), self.comparison.llr()) {
            let (lower, upper) = (sprt.lower(), sprt.upper());
            let state = if self.comparison.is_decided() { "decided" } else { "undecided" };
            writeln!(out, "test {sprt}: {state}, LLR {llr:.2} ({lower:.2} to {upper:.2})")?;
        }
        for bot in [OLD, NEW] {
            let errors = errors_in_words(&self.comparison.tally(bot).errors);
            if !errors.is_empty() {
                writeln!(out, "{}: {errors}", self.arena.name(bot))?;
            }
        }
        if self.comparison.void() > 0 {
            writeln!(out, "void games, which count for nothing: {}", self.comparison.void())?;
        }
        Ok(())
    }

    fn as_json(&self, time: Duration, ended: Ended) -> Value {
        let (tally, estimate) = (self.comparison.tally(NEW), self.comparison.estimate());
        let errors = |bot| errors_as_json(&self.comparison.tally(bot).errors);
        json!({
            "game": self.arena.game.facts().id,
            "old": self.arena.name(OLD),
            "new": self.arena.name(NEW),
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "score": estimate.score,
            "elo": estimate.elo,
            "low": estimate.low,
            "high": estimate.high,
            "superiority": estimate.superiority,
            "llr": self.comparison.llr(),
            "sprt": self.comparison.sprt().map(ToString::to_string),
            "decided": self.comparison.is_decided(),
            "verdict": self.comparison.finding().code(),
            "errors": { "old": errors(OLD), "new": errors(NEW) },
            "failed": self.failed,
            "void": self.comparison.void(),
            "stopped": ended == Ended::Stopped,
            "seconds": time.as_secs_f64(),
        })
    }
}

impl Watcher for Judge<'_> {
    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.played += 1;
        self.comparison.add(&game.result);
        for trouble in troubles(self.arena, game) {
            self.live.say(trouble);
        }
        self.failed.extend(failures(self.arena, game));
        if self.comparison.is_decided() { Wish::Enough } else { Wish::GoOn }
    }

    fn tick(&mut self, _running: u64) {
        if self.live.is_due() {
            self.live.show(&self.line());
        }
    }
}

/// The failures of a game for programs.
fn failures(arena: &Arena, game: &PlayedGame) -> Vec<Value> {
    let failure = |fault: &FaultCount| {
        json!({
            "bot": arena.name(game.result.bots[fault.seat]),
            "error": fault.kind.code(),
            "times": fault.times,
            "text": fault.text,
            "game": game.result.id.to_string(),
            "seed": game.kept.summary.seed,
            "replay": game.replay,
        })
    };
    game.kept.faults.iter().map(failure).collect()
}
