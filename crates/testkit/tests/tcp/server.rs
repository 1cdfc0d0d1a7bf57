//! A hockey host on a port of its own, played as `quintain host` plays it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quintain_core::{ConfigChoice, Dialogue, PerSeat};
use quintain_links::{HostReport, HostSettings, TableMatch, host, listen};
use quintain_record::Occupant;
use quintain_referee::{Ask, MatchRules, Stop};
use quintain_registry::{AnyGame, Decided, MatchReport, MatchSpec, find};
use quintain_replay::Replay;
use tempfile::TempDir;

use crate::client::RawClient;

/// Far more than anything here takes, so that a busy machine does not fail a test.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// Held by every test that runs a host, alone by the one that measures times.
static MACHINE: RwLock<()> = RwLock::new(());

pub(crate) fn hockey() -> &'static dyn AnyGame {
    find("hockey").expect("hockey is registered")
}

/// A house bot of hockey that connects.
pub(crate) fn house_client(bot: &str, name: &str, seed: i64) -> Box<dyn Dialogue> {
    let make = hockey().facts().abilities.client.expect("its house bots can connect");
    make(bot, name, seed, None).expect("a house bot of that name")
}

/// The right to load the machine.
pub(crate) enum Turn {
    Shared { _guard: RwLockReadGuard<'static, ()> },
    Alone { _guard: RwLockWriteGuard<'static, ()> },
}

impl Turn {
    pub(crate) fn shared() -> Turn {
        Turn::Shared { _guard: MACHINE.read().unwrap_or_else(PoisonError::into_inner) }
    }

    pub(crate) fn alone() -> Turn {
        Turn::Alone { _guard: MACHINE.write().unwrap_or_else(PoisonError::into_inner) }
    }
}

/// A host that serves until it is stopped, and what it has played.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Stop,
    thread: JoinHandle<HostReport>,
    reports: Arc<Mutex<Vec<MatchReport>>>,
    /// The replays are gone when this is dropped.
    _replays: Arc<TempDir>,
}

/// Serves as many games at a time as there are pairs.
pub(crate) fn serve(time_limit: Duration) -> Server {
    serve_tables(time_limit, None)
}

/// The same with at most so many games at a time.
pub(crate) fn serve_tables(time_limit: Duration, tables_max: Option<usize>) -> Server {
    let listeners = listen("127.0.0.1:0").expect("a free port exists");
    let address = listeners[0].local_addr().expect("it is bound");
    let stop = Stop::default();
    let reports = Arc::new(Mutex::new(Vec::new()));
    let replays = Arc::new(tempfile::tempdir().expect("a temporary folder"));
    let table =
        HostedTable { time_limit, replays: Arc::clone(&replays), reports: Arc::clone(&reports) };
    let sign = stop.clone();
    let thread = std::thread::spawn(move || {
        let lobby = hockey().lobby(tables_max).expect("hockey has a lobby");
        let settings = HostSettings::default();
        let play = Arc::new(move |seated: TableMatch| table.play(seated));
        host(listeners, lobby, hockey().framing(), settings, &sign, play).expect("it waits")
    });
    Server { address, stop, thread, reports, _replays: replays }
}

impl Server {
    pub(crate) fn connect(&self) -> RawClient {
        RawClient::connect(self.address)
    }

    /// A client that has been asked for its name.
    pub(crate) fn greeted(&self) -> RawClient {
        let mut client = self.connect();
        client.expect("What's your name?\r\n");
        client
    }

    /// A client that was welcomed to this seat.
    pub(crate) fn named(&self, name: &str, seat: usize) -> RawClient {
        let mut client = self.greeted();
        client.say(&format!("{name}\r\n"));
        client.expect(&format!("Welcome, {name} you're player {seat}!\r\n"));
        client
    }

    /// Two clients that have been told that their game is on, with this number first.
    pub(crate) fn seated(&self, names: [&str; 2], first_id: u64) -> [RawClient; 2] {
        let mut clients = [self.named(names[0], 0), self.named(names[1], 1)];
        expect_start(&mut clients, names[0], first_id);
        clients
    }

    /// Looks at what has been played so far.
    pub(crate) fn with_reports<T>(&self, look: impl FnOnce(&[MatchReport]) -> T) -> T {
        look(&self.reports.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Stops the host. No match may have been aborted, and every replay verifies.
    pub(crate) fn stop(self) -> Vec<Played> {
        self.stop.no_more_matches();
        let counts = self.thread.join().expect("the host does not panic");
        assert_eq!(counts.games_aborted, 0);
        let mut reports =
            std::mem::take(&mut *self.reports.lock().unwrap_or_else(PoisonError::into_inner));
        // In the order in which they began; they ended in any.
        reports.sort_by_key(|report| report.seed);
        assert_eq!(counts.games_finished, reports.len() as u64);
        reports.into_iter().map(Played::read).collect()
    }
}

/// A match that is over: what the host said of it, and its replay.
pub(crate) struct Played {
    pub(crate) report: MatchReport,
    pub(crate) replay: Replay,
}

impl Played {
    fn read(report: MatchReport) -> Played {
        let error = report.replay_error.as_ref();
        assert!(error.is_none(), "a replay is incomplete: {error:?}");
        let path = report.replay.as_ref().expect("every match has a replay");
        let replay = quintain_replay::read(path).expect("the replay can be read");
        hockey().verify(&mut replay.playback()).expect("the replay verifies");
        Played { report, replay }
    }

    pub(crate) fn first_message_id(&self) -> u64 {
        self.replay.header.first_message_id
    }

    /// The names on the wire.
    pub(crate) fn names(&self) -> [&str; 2] {
        self.replay.header.names.as_ref().0.map(String::as_str)
    }
}

/// The six lines with which a game starts, and the first prompt.
pub(crate) fn expect_start(clients: &mut [RawClient; 2], active: &str, first_id: u64) {
    let [first, second] = clients;
    let id = |offset: u64| first_id + offset;
    first.expect(&format!(
        "Game is on - {}\r\nball is at (5, 5) - {}\r\nyour goal is north - {}\r\n\
         {active} is active player - {}\r\n",
        id(0),
        id(2),
        id(4),
        id(6)
    ));
    second.expect(&format!(
        "Game is on - {}\r\nball is at (5, 5) - {}\r\nyour goal is south - {}\r\n",
        id(1),
        id(3),
        id(5)
    ));
}

pub(crate) fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long the threads of a process have run or wanted to. Unlike processor time alone, a busy
/// machine does not make it smaller.
pub(crate) fn busy_time(process: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    let busy_ns = |path: PathBuf| -> u64 {
        // A thread may end at any moment.
        let stat = std::fs::read_to_string(path.join("schedstat")).unwrap_or_default();
        let fields = stat.split_whitespace().take(2);
        fields.map(|field| field.parse::<u64>().expect("nanoseconds")).sum()
    };
    Duration::from_nanos(threads.flatten().map(|thread| busy_ns(thread.path())).sum())
}

/// What every match of a server is played with.
struct HostedTable {
    time_limit: Duration,
    replays: Arc<TempDir>,
    reports: Arc<Mutex<Vec<MatchReport>>>,
}

impl HostedTable {
    fn play(&self, seated: TableMatch) {
        let TableMatch { number, opening, on_over, mut world, .. } = seated;
        let spec = MatchSpec {
            config: hockey()
                .configure(&ConfigChoice::default().with_time("limit", self.time_limit))
                .expect("a possible limit"),
            seed: i64::try_from(number).expect("few matches are played"),
            seats: opening.names.clone().map(|_, name| Occupant::Client { name }),
            files: PerSeat::default(),
            rules: MatchRules::default(),
            ask: Ask::InTurn,
            start_limit: PerSeat([None, None]),
            opening: Some(opening),
            replay: Some(self.replay_path(number)),
            match_log: None,
            sandbox: None,
            signer: None,
        };
        let mut on_over = Some(on_over);
        let mut free_names = |end: &Decided| {
            if let Some(on_over) = on_over.take() {
                on_over(end.next_message_id);
            }
        };
        let report =
            hockey().play(&spec, &mut world, &mut free_names).expect("the match can be started");
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    fn replay_path(&self, number: u64) -> PathBuf {
        self.replays.path().join(format!("{number}.replay.jsonl.zst"))
    }
}
