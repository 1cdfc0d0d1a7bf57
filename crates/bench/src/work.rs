//! What a server of games costs: many workers that report games which took no time, and a board on which a million games
//! have been played.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use quintain_arena::work::wire::{
    Claim, ClaimRequest, GoOn, NewJobs, OrderNumber, OrderRequest, Report, Reported, ReportedGame,
    Version,
};
use quintain_arena::work::{JobGame, Order, OrderedBot, OrderedMind, arena_of, play_game};
use quintain_core::{ConfigChoice, Edition, PerSeat};
use quintain_record::{BotId, MatchId};
use quintain_registry::find;
use quintain_remote::Client;
use quintain_store::work::{JobBoard, NewGame, NewOrder, NewResult, Terms, TokenKind};
use quintain_store::{Store, now_ms};
use tempfile::TempDir;

use crate::pages::{Served, processor_seconds, resident_bytes};
use crate::{Beside, Call, Means, Row};

const WORKERS: u32 = 200;
/// Games of a job, as of one that takes some seconds.
const JOB_GAMES: u32 = 16;
const JOBS: u32 = 2_000;
const GAMES: f64 = (JOBS * JOB_GAMES) as f64;
const ORGANISER: &str = "an-organiser-of-the-bench";
/// Beside a match in one process, so many milliseconds for each game.
const OVERHEAD_MS_MAX: f64 = 1.3;

const STORED_GAMES: u32 = 1_000_000;
const STORED_JOB_GAMES: u32 = 500;
const CLAIMS: u32 = 400;

/// What came of a crowd of workers.
pub(crate) struct Crowd {
    seconds: f64,
    /// What the server used of a processor. The processes of a PostgreSQL server are others.
    processor_seconds: f64,
    memory: f64,
    database: f64,
}

impl Crowd {
    /// Lets all of them play on a server whose board is in the store that is named, or in a temporary file.
    pub(crate) fn play(means: &Means<'_>) -> anyhow::Result<Crowd> {
        let folder = tempfile::tempdir()?;
        let store = Store::open(&place_in(means.store, &folder))?;
        let board = JobBoard::open(&store)?;
        for worker in 0..WORKERS {
            let name = format!("bench-{worker}");
            board.add_token(&name, TokenKind::Worker, &token_of(worker))?;
        }
        board.add_token("bench-organiser", TokenKind::Organiser, ORGANISER)?;
        let blobs = folder.path().join("blobs");
        let place = store.place();
        let call = Call::Serve { replays: None, store: Some(&place), blobs: Some(&blobs) };
        let served = Served::start_with(means, &call)?;
        let url = served.url();
        let memory = GameMemory::new(folder.path());
        let proven = |worker| prove(&url, worker, &memory);
        let clients = (0..WORKERS).map(proven).collect::<anyhow::Result<Vec<Client>>>()?;
        order_jobs(&url)?;
        let (empty, processor) = (store.bytes()?, processor_seconds(served.child())?);
        let started = Instant::now();
        let ends = thread::scope(|scope| {
            let memory = &memory;
            let work = |client| scope.spawn(move || work(client, memory));
            let workers: Vec<_> = clients.iter().map(work).collect();
            let ends = workers.into_iter().map(|worker| worker.join().expect("no panic"));
            ends.collect::<anyhow::Result<Vec<WorkEnd>>>()
        })?;
        let played: u32 = ends.iter().map(|end| end.jobs).sum();
        ensure!(played == JOBS, "expected {JOBS} jobs, found {played} reported");
        let last = ends.iter().map(|end| end.last).max().unwrap_or(started);
        Ok(Crowd {
            seconds: (last - started).as_secs_f64(),
            processor_seconds: processor_seconds(served.child())? - processor,
            memory: resident_bytes(served.child())?,
            database: store.bytes()?.saturating_sub(empty) as f64,
        })
    }

    /// Jobs that are claimed, reported and proven.
    pub(crate) fn jobs(&self) -> Row {
        Row::plain("work-jobs", f64::from(JOBS) / self.seconds, "jobs/s")
    }

    /// What a game costs beside playing it, by the clock: to hand it out, to send it, to play it again and to write it
    /// down.
    pub(crate) fn game(&self) -> Row {
        Row::plain("work-game", self.seconds * 1e3 / GAMES, "ms/game").at_most(OVERHEAD_MS_MAX)
    }

    /// What of it the server's process computes.
    pub(crate) fn processor(&self) -> Row {
        Row::plain("work-processor", self.processor_seconds * 1e3 / GAMES, "ms/game")
    }

    pub(crate) fn memory(&self) -> Row {
        Row::plain("work-memory", self.memory / 1e6, "MB")
    }

    /// By what the database grew for each game that waits to be collected.
    pub(crate) fn size(&self) -> Row {
        Row::plain("work-size", self.database / 1e3 / GAMES, "kB/game")
    }
}

fn place_in(place: Option<&str>, folder: &TempDir) -> String {
    let file = || folder.path().join("arena.db").display().to_string();
    place.map_or_else(file, str::to_owned)
}

fn order() -> anyhow::Result<Order> {
    let game = find("fencing").context("fencing is a game")?;
    let config = game.configure(&ConfigChoice::default())?;
    let bot = |name: &str| OrderedBot {
        name: name.to_owned(),
        mind: OrderedMind::House { bot: name.to_owned() },
        files: Default::default(),
    };
    Ok(Order {
        game: "fencing".to_owned(),
        edition: Edition::default(),
        config: (*config.value).clone(),
        ask: "in-turn".to_owned(),
        time_scale: 1.0,
        machine_scale: 1.0,
        clock: true,
        start_limit_ms: 5000,
        bots: vec![bot("random"), bot("greedy")],
    })
}

/// All games of the bench have one seed, so that two of them stand for all.
fn game(job: u32, seed_index: u32, swapped: bool) -> JobGame {
    let bots = if swapped { [BotId(1), BotId(0)] } else { [BotId(0), BotId(1)] };
    JobGame {
        id: MatchId { round: job, pairing: 0, seed_index, swapped },
        bots: PerSeat(bots),
        seed: 7,
    }
}

fn job(number: u32) -> Vec<JobGame> {
    let pairs = 0..JOB_GAMES / 2;
    pairs.flat_map(|pair| [game(number, pair, false), game(number, pair, true)]).collect()
}

fn order_jobs(url: &str) -> anyhow::Result<()> {
    let client = Client::new(url, ORGANISER, None)?;
    // A database that was used before has other orders.
    let (version, key) = (Version::own(), format!("bench {}", now_ms()));
    let placed: OrderNumber =
        client.ask("/jobs/order", &OrderRequest { version, key, order: order()? })?;
    let numbers: Vec<u32> = (0..JOBS).collect();
    for some in numbers.chunks(200) {
        let jobs = NewJobs { jobs: some.iter().map(|number| job(*number)).collect() };
        client.post::<()>(&format!("/jobs/order/{}/jobs", placed.order), &jobs)?;
    }
    Ok(())
}

fn token_of(worker: u32) -> String {
    format!("token-{worker}-of-the-bench")
}

/// Games that were really played, once each: whoever is given one of them has it at once.
struct GameMemory<'a> {
    folder: &'a Path,
    known: Mutex<BTreeMap<(i64, bool), ReportedGame>>,
}

impl GameMemory<'_> {
    fn new(folder: &Path) -> GameMemory<'_> {
        GameMemory { folder, known: Mutex::default() }
    }

    fn play(&self, claim: &Claim, game: &JobGame) -> anyhow::Result<ReportedGame> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut played = match known.entry((claim.order_id, game.id.swapped)) {
            Entry::Occupied(entry) => entry.get().clone(),
            Entry::Vacant(entry) => entry.insert(self.really_play(claim, game)?).clone(),
        };
        played.record.head.id = game.id;
        Ok(played)
    }

    fn really_play(&self, claim: &Claim, game: &JobGame) -> anyhow::Result<ReportedGame> {
        let nobody = |_: &str| self.folder.to_owned();
        let arena = arena_of(&claim.order, &nobody, self.folder, None)?;
        let played = play_game(&arena, game)?;
        let replay = std::fs::read(played.replay.context("a replay is kept")?)?;
        Ok(ReportedGame { record: played.record, replay })
    }
}

/// A worker that has played its canary, without which it is given nothing.
fn prove(url: &str, worker: u32, memory: &GameMemory<'_>) -> anyhow::Result<Client> {
    let client = Client::new(url, &token_of(worker), None)?;
    ensure!(play_one(&client, memory)?, "expected a canary for a new worker, found nothing");
    Ok(client)
}

/// What one worker did.
struct WorkEnd {
    jobs: u32,
    /// When its last report was answered.
    last: Instant,
}

/// One worker, whose games take no time.
fn work(client: &Client, memory: &GameMemory<'_>) -> anyhow::Result<WorkEnd> {
    let mut end = WorkEnd { jobs: 0, last: Instant::now() };
    while play_one(client, memory)? {
        end = WorkEnd { jobs: end.jobs + 1, last: Instant::now() };
    }
    Ok(end)
}

/// Claims a job and reports it; `false` if there is none.
fn play_one(client: &Client, memory: &GameMemory<'_>) -> anyhow::Result<bool> {
    let request = ClaimRequest { version: Version::own(), slots: 1, session: String::new() };
    let Some(claim) = client.post::<Claim>("/jobs/claim", &request)? else { return Ok(false) };
    let games = claim.games.iter().map(|game| memory.play(&claim, game));
    let what = Reported::Played(games.collect::<anyhow::Result<_>>()?);
    let GoOn { go_on } = client.ask("/jobs/report", &Report { lease: claim.lease, what })?;
    ensure!(go_on, "expected that a report is counted, found that it is not");
    Ok(true)
}

/// What a claim and its report cost on a board on which many games have been played, beside an empty one.
pub(crate) fn growth(means: &Means<'_>) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let board = JobBoard::open(&Store::open(&place_in(means.store, &folder))?)?;
    board.note_worker("bench", "0", 1)?;
    let order = board.place_order(&NewOrder {
        key: &format!("growth {}", now_ms()),
        owner: "bench",
        body: "{}",
        is_timed: false,
    })?;
    let add = |first: u32, jobs: u32, games: u32| -> anyhow::Result<()> {
        for number in first..first + jobs {
            let id = |pair| MatchId { round: number, pairing: 0, seed_index: pair, swapped: false };
            let game = |pair| NewGame { id: id(pair), body: id(pair).to_string() };
            board.add_jobs(order, &[(0..games).map(game).collect()])?;
        }
        Ok(())
    };
    let play = |jobs: u32| -> anyhow::Result<f64> {
        let started = Instant::now();
        for _ in 0..jobs {
            play_job(&board)?;
        }
        Ok(started.elapsed().as_secs_f64() * 1e3 / f64::from(jobs))
    };
    add(0, CLAIMS, 2)?;
    let empty = play(CLAIMS)?;
    let filling = Instant::now();
    let large = STORED_GAMES / STORED_JOB_GAMES;
    add(CLAIMS, large, STORED_JOB_GAMES)?;
    play(large)?;
    (means.tell)(format_args!("{STORED_GAMES} games were reported in {:.0?}", filling.elapsed()));
    add(CLAIMS + large, CLAIMS, 2)?;
    let full = play(CLAIMS)?;
    let (what, ratio) = ("an empty board", full / empty);
    let beside = Beside { what, value: empty, ratio, ratio_max: 1.5 };
    Ok(Row::plain("work-growth", full, "ms/job").beside(beside))
}

/// Claims a job and reports it at once.
fn play_job(board: &JobBoard) -> anyhow::Result<()> {
    let claimed = board.claim("bench", Duration::from_secs(60), Terms::default())?;
    let claimed = claimed.context("a job waits")?;
    let result = |game: &String| -> anyhow::Result<NewResult> {
        let game = game.parse().ok().context("the board has what it was given")?;
        Ok(NewResult {
            game,
            body: "{}".to_owned(),
            is_void: false,
            is_disturbed: false,
            half_points: None,
        })
    };
    let results = claimed.games.iter().map(result).collect::<anyhow::Result<Vec<_>>>()?;
    board.complete("bench", claimed.lease, &results)?;
    Ok(())
}
