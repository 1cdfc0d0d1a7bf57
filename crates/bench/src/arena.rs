//! What a tournament costs the referee itself.

use std::fs::File;
use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use quintain_arena::plan::TournamentDraft;
use quintain_arena::run::{Now, Progress, ReplayWish, RunHead, RunMeans, run_tournament};
use quintain_arena::{PlayedGame, Wish};
use quintain_core::measure::Stub;
use quintain_links::Quarters;
use quintain_referee::Stop;
use quintain_registry::AnyGame;
use rustix::time::{ClockId, clock_gettime};

use crate::matches::{PATIENCE, QUICK_BOT};
use crate::{Beside, Call, Means, Row, bare, script};

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
pub(crate) fn random_bots(means: &Means<'_>, game: &dyn AnyGame) -> anyhow::Result<Row> {
    let id = game.facts().id;
    let bot = |seed| Call::Bot { game: id, bot: QUICK_BOT, seed };
    let cost = own_cost(means, game, bot)?;
    let bare = bare_cpu_ms(means, game, &cost)?;
    let what = "bare starts, exchanges and files";
    let beside = Beside { what, value: bare, ratio: cost.game_ms / bare, ratio_max: 1.5 };
    let row = Row::plain(format!("{id}-tournament"), cost.game_ms, "ms CPU/game").beside(beside);
    cost.tell_of(means, &row);
    Ok(row)
}

/// The same with eight stubs.
pub(crate) fn stubs(means: &Means<'_>, game: &dyn AnyGame, stub: Stub) -> anyhow::Result<Row> {
    let cost = own_cost(means, game, |_| Call::Say(stub))?;
    let name = format!("{}-tournament-stubs", game.facts().id);
    let row = Row::plain(name, cost.game_ms, "ms CPU/game").at_most(STUB_GAME_MS_MAX);
    cost.tell_of(means, &row);
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
    fn tell_of(&self, means: &Means<'_>, row: &Row) {
        let Cost { games, turns, memory_mb, .. } = self;
        let name = &row.name;
        (means.tell)(format_args!(
            "{name}: {games} games of {turns:.0} turns, at most {memory_mb} MB of memory"
        ));
    }
}

/// `bot` says what the program does as the bot of a number.
fn own_cost<'a>(
    means: &Means<'_>,
    game: &dyn AnyGame,
    bot: impl Fn(u32) -> Call<'a>,
) -> anyhow::Result<Cost> {
    let folder = tempfile::tempdir()?;
    // What a new file costs on a disk depends on how many others were deleted there a minute ago, so
    // replays are kept where state files are, in memory if there is some.
    let quarters = Quarters::empty()?;
    let mut draft = TournamentDraft::of(game.facts().id);
    draft.settings.rules.time_scale = PATIENCE;
    draft.bots = (0..BOTS)
        .map(|number| format!("bot{number}={}", means.program.line(&bot(number))))
        .collect();
    draft.games_per_pair = Some(GAMES_PER_PAIR);
    let kept = RunMeans {
        store: Some(folder.path().join("games.db").display().to_string()),
        replays: ReplayWish::All(quarters.folder().join("rounds")),
        ..RunMeans::default()
    };
    let mut meter = Meter::default();
    run_tournament(&draft.plan()?, &kept, &mut meter, &Stop::default())?;
    let Meter { games, turns, replay_bytes, used, .. } = meter;
    Ok(Cost {
        games,
        turns: turns as f64 / games as f64,
        game_ms: used.as_secs_f64() * 1e3 / games as f64,
        replay_bytes: usize::try_from(replay_bytes / games)?,
        memory_mb: memory_mb_max()?,
    })
}

/// What the games of a run took of this process, from the first to the last.
#[derive(Default)]
struct Meter {
    games: u64,
    turns: u64,
    replay_bytes: u64,
    before: Duration,
    used: Duration,
}

impl Progress for Meter {
    fn begun(&mut self, _: &RunHead<'_>) {
        self.before = own_time();
    }

    fn played(&mut self, game: &PlayedGame, _: &Now<'_>) -> Wish {
        self.games += 1;
        self.turns += u64::from(game.record.head.turns);
        let replay = game.replay.as_deref().and_then(|path| path.metadata().ok());
        self.replay_bytes += replay.map_or(0, |replay| replay.len());
        Wish::GoOn
    }

    fn over(&mut self) {
        self.used = own_time().saturating_sub(self.before);
    }
}

/// In hockey one throws; in the other games both answer.
fn answers_a_turn(game: &dyn AnyGame) -> f64 {
    if game.facts().abilities.lobby { 1.0 } else { 2.0 }
}

/// Milliseconds of processor time for a game without a referee: two programs are started, each in turn
/// is told as much as in the game and answers, a file as large as a replay is written, and a page of
/// another file reaches the disk, as it must for a game that is not to be lost.
fn bare_cpu_ms(means: &Means<'_>, game: &dyn AnyGame, cost: &Cost) -> anyhow::Result<f64> {
    let answers = (answers_a_turn(game) * cost.turns).round() as u32;
    let (lines, bytes) = script::rehearse(game)?.question(game.framing().line_end_out);
    let question = question(lines, bytes);
    let partner = Call::Say(Stub { line: "answer", lines_heard: u32::try_from(lines)? });
    let (folder, quarters) = (tempfile::tempdir()?, Quarters::empty()?);
    let mut kept = File::create(folder.path().join("kept"))?;
    let replay = vec![b'.'; cost.replay_bytes];
    let before = own_time();
    for number in 0..BARE_GAMES {
        let start = || bare::Partner::start(means, &partner);
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
