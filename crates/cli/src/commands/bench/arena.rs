//! What a tournament costs the referee itself.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use quintain_arena::{
    Arena, Concurrency, Forgiveness, PlayedGame, Replays, Watcher, Wish, cores, parse_contestant,
    play_all,
};
use quintain_core::ConfigChoice;
use quintain_core::measure::Stub;
use quintain_links::Quarters;
use quintain_record::{Contestant, State};
use quintain_referee::{Ask, Stop};
use quintain_registry::AnyGame;
use quintain_store::{BotEntry, RunPlan, Store};
use quintain_tournament::{Form, Schedule, Seeds, Settings};
use rustix::time::{ClockId, clock_gettime};

use crate::output::remark;

use super::matches::{QUICK_BOT, patient_rules};
use super::{Beside, Row, bare, script, stub_words, this_program};

const BOTS: u32 = 8;
/// Some two thousand games.
const GAMES_PER_PAIR: u32 = 72;
/// Enough of them to see what two starts and the lines of a game cost by themselves.
const BARE_GAMES: u32 = 100;
/// What a store writes at least.
const PAGE_BYTES: usize = 4096;

/// What a game between two stubs may cost the referee, on any machine of today.
const STUB_GAME_MS_MAX: f64 = 3.0;

/// Milliseconds of processor time a game, without those of the bots: eight programs that play at
/// random meet in a round robin, every game with its replay and committed to a file; beside bare
/// starts, exchanges and files.
pub(super) fn random_bots(game: &'static dyn AnyGame) -> anyhow::Result<Row> {
    let id = game.facts().id;
    let cost = own_cost(game, |number| format!("bot {id} {QUICK_BOT} --seed {number}"))?;
    let bare = bare_cpu_ms(game, &cost)?;
    let what = "bare starts, exchanges and files";
    let beside = Beside { what, value: bare, ratio: cost.game_ms / bare, ratio_max: 1.5 };
    let row = Row::plain(format!("{id}-tournament"), cost.game_ms, "ms CPU/game").beside(beside);
    cost.tell_of(&row);
    Ok(row)
}

/// The same with eight stubs.
pub(super) fn stubs(game: &'static dyn AnyGame, stub: Stub) -> anyhow::Result<Row> {
    let cost = own_cost(game, |_| stub_words(stub))?;
    let name = format!("{}-tournament-stubs", game.facts().id);
    let row = Row::plain(name, cost.game_ms, "ms CPU/game").at_most(STUB_GAME_MS_MAX);
    cost.tell_of(&row);
    Ok(row)
}

/// What a tournament took, the bots not counted.
struct Cost {
    games: u64,
    /// On average.
    turns: f64,
    game_ms: f64,
    /// On average.
    replay_bytes: usize,
    memory_mb: u64,
}

impl Cost {
    /// Without the length of the games the price of one says little.
    fn tell_of(&self, row: &Row) {
        let Cost { games, turns, memory_mb, .. } = self;
        let name = &row.name;
        remark(format_args!(
            "{name}: {games} games of {turns:.0} turns, at most {memory_mb} MB of memory"
        ));
    }
}

/// `words` gives what follows the name of this program in the command line of a bot.
fn own_cost(game: &'static dyn AnyGame, words: impl Fn(u32) -> String) -> anyhow::Result<Cost> {
    let folder = tempfile::tempdir()?;
    // What a new file costs on a disk depends on how many others were deleted there a minute ago, so
    // replays are kept where state files are, in memory if there is some.
    let quarters = Quarters::empty()?;
    let replays = quarters.folder().join("rounds");
    let arena = arena(game, Replays::All(replays.clone()), words)?;
    let store = Store::open(&folder.path().join("games.db").display().to_string())?;
    let entry = |bot: &Contestant| BotEntry::new(bot.name.clone(), bot.written.clone());
    let run = store.begin(&RunPlan {
        name: "bench".to_owned(),
        kind: "round-robin".to_owned(),
        game: game.facts().id.to_owned(),
        settings: "{}".to_owned(),
        bots: arena.contestants.iter().map(entry).collect(),
    })?;
    let seeds = Seeds::Derived { from: 1, bits: 31 };
    let settings = Settings { bots: BOTS, form: Form::RoundRobin, games: GAMES_PER_PAIR, seeds };
    let mut schedule = Schedule::new(settings)?;
    let concurrency = Concurrency::new(None, Ask::InTurn, cores(), false)?;
    let stop = Stop::default();
    let before = own_time();
    let mut turns = Turns(0);
    play_all(&arena, &mut schedule, Some(&run), concurrency, &stop, &mut turns)?;
    let used = own_time().saturating_sub(before);
    let games = schedule.finished();
    Ok(Cost {
        games,
        turns: turns.0 as f64 / games as f64,
        game_ms: used.as_secs_f64() * 1e3 / games as f64,
        replay_bytes: usize::try_from(bytes_below(&replays)? / games)?,
        memory_mb: memory_mb_max()?,
    })
}

/// In hockey one throws; in the other games both answer.
fn answers_a_turn(game: &dyn AnyGame) -> f64 {
    if game.facts().abilities.lobby { 1.0 } else { 2.0 }
}

/// How much is in the files of a folder and of those inside it.
fn bytes_below(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { bytes_below(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

/// Milliseconds of processor time for a game without a referee: two programs are started, each in turn
/// is told as much as in the game and answers, a file as large as a replay is written, and a page of
/// another file reaches the disk, as it must for a game that is not to be lost.
fn bare_cpu_ms(game: &dyn AnyGame, cost: &Cost) -> anyhow::Result<f64> {
    let answers = (answers_a_turn(game) * cost.turns).round() as u32;
    let (lines, bytes) = script::rehearse(game)?.question(game.framing().line_end_out);
    let (every, question) = (lines.to_string(), question(lines, bytes));
    let (folder, quarters) = (tempfile::tempdir()?, Quarters::empty()?);
    let mut kept = File::create(folder.path().join("kept"))?;
    let replay = vec![b'.'; cost.replay_bytes];
    let before = own_time();
    for number in 0..BARE_GAMES {
        let start = || bare::Partner::start(&["--say", "answer", "--every", &every]);
        let mut pair = [start()?, start()?];
        for answer in 0..answers {
            pair[(answer % 2) as usize].answer(&question)?;
        }
        std::fs::write(quarters.folder().join(format!("rounds/{number}")), &replay)?;
        kept.write_all(&[b'.'; PAGE_BYTES])?;
        kept.sync_data()?;
    }
    Ok(own_time().saturating_sub(before).as_secs_f64() * 1e3 / f64::from(BARE_GAMES))
}

/// So many lines, of so many bytes together.
fn question(lines: usize, bytes: usize) -> Vec<u8> {
    let mut question = vec![b'.'; bytes.max(lines) - lines];
    question.resize(question.len() + lines, b'\n');
    question
}

fn arena(
    game: &'static dyn AnyGame,
    replays: Replays,
    words: impl Fn(u32) -> String,
) -> anyhow::Result<Arena> {
    let program = this_program()?;
    let bot = |number| {
        let text = format!("bot{number}='{program}' {}", words(number));
        parse_contestant(&text, game, State::default())
    };
    Ok(Arena {
        game,
        contestants: (0..BOTS).map(bot).collect::<Result<_, _>>()?,
        digests: (0..BOTS).map(|_| BTreeMap::new()).collect(),
        config: game.configure(&ConfigChoice::default()).expect("the usual config"),
        rules: patient_rules(),
        ask: Ask::InTurn,
        start_limit: Some(Duration::from_secs(5)),
        replays,
        forgiveness: Forgiveness::default(),
        store_folder: None,
        signer: None,
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

/// How long the games were.
struct Turns(u64);

impl Watcher for Turns {
    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.0 += u64::from(game.record.head.turns);
        Wish::GoOn
    }
}
