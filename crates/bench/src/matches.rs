//! How fast whole matches are, with bots that answer at once.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child as Process, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quintain_core::{ConfigChoice, PerSeat, Seat};
use quintain_links::{Child, HostSettings, Link, Quarters, RealWorld, TableMatch, host};
use quintain_record::{Contestant, Launch, Occupant, State};
use quintain_referee::{Ask, MatchRules, Stop};
use quintain_registry::{AnyGame, Decided, MatchReport, MatchSpec, Spectator};
use tempfile::TempPath;

use crate::{Beside, Call, Means, Row, bare, script, smallest_of};

const TRIES: u32 = 5;
/// Many short looks, one match each, see more quiet moments of the machine than few long ones.
const PROCESS_TRIES: u32 = 20;
/// Enough for a process to start and to wait for its first line, so that its start is not measured
/// together with the first answer.
pub(crate) const START_TIME: Duration = Duration::from_millis(50);
const TCP_GAMES: u64 = 200;
/// What all time limits are multiplied by: on a busy machine a figure is worse, and not missing because a bot
/// was late.
pub(crate) const PATIENCE: f64 = 100.0;
/// The bot that answers quickest.
pub(crate) const QUICK_BOT: &str = "random";

/// Microseconds per answer of a match between two processes that answer at once, replay written,
/// beside the same lines, or files, with nothing around them.
pub(crate) fn over_pipes(means: &Means<'_>, game: &dyn AnyGame) -> anyhow::Result<Row> {
    let rehearsed = script::rehearse(game)?;
    let folder = tempfile::tempdir()?;
    let files = PerSeat::from_fn(|seat| folder.path().join(format!("{}.json", seat.index())));
    for (seat, part) in rehearsed.parts.iter() {
        std::fs::write(&files[seat], serde_json::to_vec(&part.script)?)?;
    }
    let has_files = game.facts().abilities.state_files;
    let line_end = game.framing().line_end_out;
    let [value, bare] = smallest_of(PROCESS_TRIES, || {
        let played = play_processes(means, game, rehearsed.seed, &files)?;
        let bare = match has_files {
            true => bare::file_exchange_us(means, &rehearsed.parts, &files)?,
            false => bare::pipe_exchange_us(means, &rehearsed, &files, line_end)?,
        };
        Ok([played.answer_us(), bare])
    })?;
    let row = Row::plain(format!("{}-process", game.facts().id), value, "us/answer");
    Ok(row.beside(Beside {
        what: if has_files { "bare files and pipe exchange" } else { "bare pipe exchange" },
        value: bare,
        ratio: value / bare,
        ratio_max: 1.5,
    }))
}

/// Answers a second of matches between two TCP clients, beside a bare exchange with two clients.
pub(crate) fn over_tcp(means: &Means<'_>, game: &'static dyn AnyGame) -> anyhow::Result<Row> {
    let [answer, exchange] = smallest_of(TRIES, || {
        let (total, _) = host_clients(means, game)?;
        Ok([total.answer_us(), bare::tcp_exchange_us(means)?])
    })?;
    let row = Row::plain(format!("{}-tcp", game.facts().id), 1e6 / answer, "answers/s");
    Ok(row.beside(Beside {
        what: "bare exchange with two clients",
        value: 1e6 / exchange,
        ratio: answer / exchange,
        ratio_max: 2.0,
    }))
}

/// Whole games a second, from connect to close, one pair of clients.
pub(crate) fn tcp_games(means: &Means<'_>, game: &'static dyn AnyGame) -> anyhow::Result<Row> {
    let [seconds, _] = smallest_of(TRIES, || {
        let (_, elapsed) = host_clients(means, game)?;
        Ok([elapsed.as_secs_f64(), 0.0])
    })?;
    let name = format!("{}-tcp-games", game.facts().id);
    Ok(Row::plain(name, TCP_GAMES as f64 / seconds, "games/s"))
}

/// Answers of both bots, and the time from the first prompt to the last message. Where both are
/// asked, a turn is two exchanges.
#[derive(Clone, Copy, Default)]
struct Tally {
    answers: u64,
    time: Duration,
}

impl Tally {
    fn of(report: &MatchReport, time: Duration) -> Self {
        let answers = report.answers.0.iter().map(|stats| u64::from(stats.count)).sum();
        Tally { answers, time }
    }

    fn add(&mut self, other: Tally) {
        self.answers += other.answers;
        self.time += other.time;
    }

    fn answer_us(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.answers as f64
    }
}

/// Takes the time between the start and the end of a match, without starting and ending bots.
struct Stopwatch {
    started: Instant,
    time: Duration,
    on_over: Option<Box<dyn FnOnce(u64) + Send>>,
}

impl Stopwatch {
    fn new(on_over: Option<Box<dyn FnOnce(u64) + Send>>) -> Self {
        Stopwatch { started: Instant::now(), time: Duration::ZERO, on_over }
    }
}

impl Spectator for Stopwatch {
    fn start(&mut self) {
        self.started = Instant::now();
    }

    fn decided(&mut self, end: &Decided) {
        self.time = self.started.elapsed();
        if let Some(on_over) = self.on_over.take() {
            on_over(end.next_message_id);
        }
    }
}

pub(crate) fn spec(game: &dyn AnyGame, seed: i64, replay: Option<PathBuf>) -> MatchSpec {
    MatchSpec {
        config: game.configure(&ConfigChoice::default()).expect("the usual config"),
        seed,
        seats: PerSeat::from_fn(bench_bot),
        files: PerSeat::default(),
        rules: MatchRules { time_scale: PATIENCE, ..MatchRules::default() },
        ask: Ask::InTurn,
        start_limit: PerSeat([Some(Duration::from_secs(10)); 2]),
        opening: None,
        replay,
        match_log: None,
        sandbox: None,
        signer: None,
    }
}

/// A program that stands in for one.
fn bench_bot(seat: Seat) -> Occupant {
    let name = format!("bench {}", seat.index());
    Contestant::program(name, Launch::default(), State::default()).into()
}

/// A file for a replay, which is removed when this is dropped.
fn temporary_replay() -> std::io::Result<TempPath> {
    let file = tempfile::Builder::new().suffix(".replay.jsonl.zst").tempfile()?;
    Ok(file.into_temp_path())
}

fn play_processes(
    means: &Means<'_>,
    game: &dyn AnyGame,
    seed: i64,
    scripts: &PerSeat<PathBuf>,
) -> anyhow::Result<Tally> {
    let start = |seat: Seat| -> anyhow::Result<Link> {
        let launch = means.program.launch(&Call::Recite { script: &scripts[seat] });
        Ok(Link::process(match game.facts().abilities.state_files {
            true => Child::spawn_in(Quarters::empty()?, &launch, None)?,
            false => Child::spawn(&launch)?,
        }))
    };
    let links = PerSeat([start(Seat::First)?, start(Seat::Second)?]);
    std::thread::sleep(START_TIME);
    let mut world = RealWorld::new(game.framing(), links);
    let replay = temporary_replay()?;
    let mut watch = Stopwatch::new(None);
    let report =
        game.play(&spec(game, seed, Some(replay.to_path_buf())), &mut world, &mut watch)?;
    anyhow::ensure!(report.faults.is_empty(), "a bench bot failed: {}", report.closing);
    Ok(Tally::of(&report, watch.time))
}

/// Hosts games between two client processes: what was played, and how long all of it took.
fn host_clients(
    means: &Means<'_>,
    game: &'static dyn AnyGame,
) -> anyhow::Result<(Tally, Duration)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let lobby = game.lobby(None).expect("only games with a lobby are hosted");
    let played = Arc::new(Mutex::new((Tally::default(), None)));
    let results = Arc::clone(&played);
    let table = Arc::new(move |seated: TableMatch| {
        let result = play_hosted(game, seated);
        let mut results = results.lock().expect("no table panics while it holds the results");
        match result {
            Ok(tally) => results.0.add(tally),
            Err(error) => results.1 = Some(error),
        }
    });
    let started = Instant::now();
    let clients =
        [start_client(means, game, &address, "a")?, start_client(means, game, &address, "b")?];
    let settings = HostSettings { games_max: Some(TCP_GAMES), ..HostSettings::default() };
    host(vec![listener], lobby, game.framing(), settings, &Stop::default(), table)?;
    let elapsed = started.elapsed();
    for mut client in clients {
        client.kill()?;
        client.wait()?;
    }
    let mut played = played.lock().expect("all tables are over");
    match played.1.take() {
        Some(error) => Err(error),
        None => Ok((played.0, elapsed)),
    }
}

fn play_hosted(game: &dyn AnyGame, seated: TableMatch) -> anyhow::Result<Tally> {
    let TableMatch { opening, on_over, mut world, number, .. } = seated;
    let replay = temporary_replay()?;
    let mut spec = spec(game, number as i64, Some(replay.to_path_buf()));
    spec.opening = Some(opening);
    let mut watch = Stopwatch::new(Some(on_over));
    let report = game.play(&spec, &mut world, &mut watch)?;
    anyhow::ensure!(report.faults.is_empty(), "a bench client failed: {}", report.closing);
    Ok(Tally::of(&report, watch.time))
}

fn start_client(
    means: &Means<'_>,
    game: &dyn AnyGame,
    address: &str,
    name: &str,
) -> anyhow::Result<Process> {
    let (game, games) = (game.facts().id, TCP_GAMES);
    let mut command =
        means.program.command(&Call::Client { game, bot: QUICK_BOT, name, address, games });
    Ok(command.stdin(Stdio::null()).stderr(Stdio::null()).spawn()?)
}
