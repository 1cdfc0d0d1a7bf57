//! What a tournament costs the referee itself.

use std::time::Duration;

use anyhow::Context as _;
use quintain_arena::{
    Arena, Concurrency, Contestant, PlayedGame, Replays, StateFiles, StopRequest, Watcher, Wish,
    cores, play_all,
};
use quintain_core::{Manner, Options};
use quintain_links::Housing;
use quintain_referee::{Ask, MatchRules};
use quintain_registry::AnyGame;
use quintain_store::{BotEntry, RunPlan, Store};
use quintain_tournament::{Form, Schedule, Seeds, Settings};
use rustix::time::{ClockId, clock_gettime};

use crate::output::remark;

use super::matches::QUICK_BOT;
use super::{Beside, Row, bare, this_program};

const BOTS: u32 = 8;
/// Some two thousand games.
const GAMES_PER_PAIR: u32 = 72;
/// Enough of them to see what two starts and the lines of a game cost by themselves.
const BARE_GAMES: u32 = 100;

/// Milliseconds of processor time a game, without those of the bots: eight programs that answer at
/// once meet in a round robin, every game with its replay and committed to a file.
pub(super) fn own_cpu(game: &'static dyn AnyGame) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let arena = arena(game, Replays::All(folder.path().join("replays")))?;
    let store = Store::open(&folder.path().join("games.db").display().to_string())?;
    let entry = |bot: &Contestant| BotEntry::new(bot.name.clone(), bot.written.clone());
    let run = store.begin(&RunPlan {
        name: "bench".to_owned(),
        kind: "round-robin".to_owned(),
        game: game.facts().id.to_owned(),
        settings: "{}".to_owned(),
        bots: arena.contestants.iter().map(entry).collect(),
    })?;
    let seeds = Seeds::Derived(1);
    let settings = Settings { bots: BOTS, form: Form::RoundRobin, games: GAMES_PER_PAIR, seeds };
    let mut schedule = Schedule::new(settings)?;
    let concurrency = Concurrency::new(None, Ask::InTurn, cores(), false)?;
    let stop = StopRequest::default();
    let before = own_time();
    let mut turns = Turns(0);
    play_all(&arena, &mut schedule, Some(&run), concurrency, &stop, &mut turns)?;
    let used = own_time().saturating_sub(before);
    let (name, games) = (format!("{}-tournament", game.facts().id), schedule.finished() as f64);
    let turns = turns.0 as f64 / games;
    let memory = memory_mb_max()?;
    remark(format_args!(
        "{name}: {games} games of {turns:.0} turns, at most {memory} MB of memory"
    ));
    let value = used.as_secs_f64() * 1e3 / games;
    let answers = answers_a_turn(game) * turns;
    let bare = bare_cpu_ms(answers.round() as u32)?;
    let what = "bare starts and exchanges";
    let beside = Beside { what, value: bare, ratio: value / bare, ratio_max: 3.0 };
    Ok(Row::plain(name, value, "ms CPU/game").beside(beside))
}

/// In hockey one throws; in the other games both answer.
fn answers_a_turn(game: &dyn AnyGame) -> f64 {
    if game.facts().has_lobby { 1.0 } else { 2.0 }
}

/// Milliseconds of processor time for a game without a referee: two programs are started, and a line
/// goes to each in turn and comes back.
fn bare_cpu_ms(answers: u32) -> anyhow::Result<f64> {
    let before = own_time();
    for _ in 0..BARE_GAMES {
        let mut pair = [bare::Echo::start()?, bare::Echo::start()?];
        for answer in 0..answers {
            pair[(answer % 2) as usize].exchange()?;
        }
    }
    Ok(own_time().saturating_sub(before).as_secs_f64() * 1e3 / f64::from(BARE_GAMES))
}

fn arena(game: &'static dyn AnyGame, replays: Replays) -> anyhow::Result<Arena> {
    let program = this_program()?;
    let id = game.facts().id;
    let bot = |number: u32| {
        let text = format!("bot{number}='{program}' bot {id} {QUICK_BOT} --seed {number}");
        Contestant::parse(&text, game)
    };
    Ok(Arena {
        game,
        contestants: (0..BOTS).map(bot).collect::<Result<_, _>>()?,
        options: Options::default(),
        rules: MatchRules::default(),
        ask: Ask::InTurn,
        start_limit: Some(Duration::from_secs(5)),
        files: StateFiles { manner: Manner::Files, housing: Housing::default() },
        replays,
        store_folder: None,
    })
}

/// What this process has used, its bots not counted.
fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The most memory that this process has held at a time, its bots not counted.
fn memory_mb_max() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kilobytes = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    });
    Ok(kilobytes.context("the system does not say how much memory was used")? / 1024)
}

/// How long the games were: without that the price of one says little.
struct Turns(u64);

impl Watcher for Turns {
    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.0 += u64::from(game.kept.summary.turns);
        Wish::GoOn
    }
}
