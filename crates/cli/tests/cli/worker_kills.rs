//! Workers, server, command and database are killed, paused and cut off at random moments: the games that come out are
//! those of a run on one machine, each once, and everything that the queue was asked and answered is something that the
//! model of its leases can do. `QUINTAIN_KILLS` says how often; a failure names its seed, and
//! `QUINTAIN_SEED` starts it there.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::SplitMix64;
use quintain_testkit::Postgres;
use quintain_testkit::leases::replay;

use crate::cable::Cable;
use crate::support::Running;
use crate::workers::{Arena, games_of, local, words};

/// As many as CI has time for.
const KILLS_USUAL: u64 = 8;
/// Games of each pair for every kill, so that there is always something to hit.
const GAMES_FOR_A_KILL: u64 = 6;
/// A pause is longer than a lease at times.
const PAUSE_MOST_MS: u64 = 4500;
const GAP_MOST_MS: u64 = 900;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn kills_and_pauses_change_no_game_on_sqlite() {
    Siege::begin(Arena::with_logs("arena.db"), None).run();
}

#[test]
fn kills_and_pauses_change_no_game_on_postgresql() {
    let Some(server) = Postgres::alone() else { return };
    Siege::begin(Arena::with_logs(&server.database("kills")), Some(server)).run();
}

/// What is done to the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Blow {
    KillWorker,
    PauseWorker,
    CutWorkerOff,
    KillServer,
    PauseServer,
    KillCommand,
    CutDatabaseOff,
    CrashDatabase,
}

impl Blow {
    const ALL: [Blow; 8] = [
        Blow::KillWorker,
        Blow::PauseWorker,
        Blow::CutWorkerOff,
        Blow::KillServer,
        Blow::PauseServer,
        Blow::KillCommand,
        Blow::CutDatabaseOff,
        Blow::CrashDatabase,
    ];

    fn needs_database(self) -> bool {
        matches!(self, Blow::CutDatabaseOff | Blow::CrashDatabase)
    }
}

const WORKERS: [&str; 2] = ["w1", "w2"];

struct Siege {
    database: Option<Postgres>,
    random: SplitMix64,
    seed: u64,
    kills: u64,
    games: u32,
    workers: Vec<Running>,
    command: Option<Running>,
    cables: Vec<Cable>,
    done: BTreeMap<Blow, u32>,
    arena: Arena,
}

impl Siege {
    fn begin(arena: Arena, database: Option<Postgres>) -> Siege {
        let seed = number("QUINTAIN_SEED").unwrap_or(1);
        let kills = number("QUINTAIN_KILLS").unwrap_or(KILLS_USUAL);
        let games = u32::try_from(2 + GAMES_FOR_A_KILL * kills).expect("not that many");
        arena.folder.ok(&local("here.db", games));
        let cables = vec![Cable::namespace_or_relay(arena.port()), Cable::relay(arena.port())];
        let mut siege = Siege {
            database,
            random: SplitMix64::new(seed),
            seed,
            kills,
            games,
            workers: Vec::new(),
            command: None,
            cables,
            done: BTreeMap::new(),
            arena,
        };
        siege.workers = (0..WORKERS.len()).map(|worker| siege.worker(worker)).collect();
        siege.command = Some(siege.call());
        siege
    }

    fn worker(&self, worker: usize) -> Running {
        let cable = &self.cables[worker];
        let url = cable.url(self.arena.port());
        self.arena.worker_by(&cable.prefix(), &url, WORKERS[worker])
    }

    fn call(&self) -> Running {
        self.arena.folder.start(&words(&self.arena.tournament("there.db", self.games)))
    }

    fn below(&mut self, most: u64) -> u64 {
        self.random.next_u64() % most
    }

    fn run(mut self) {
        for _ in 0..self.kills {
            let gap = self.below(GAP_MOST_MS);
            std::thread::sleep(Duration::from_millis(gap));
            self.strike();
        }
        let mut finished = self.command.take().expect("a command").finish();
        // One that gave a job up, since workers died with it three times, is called again.
        for _ in 0..10 {
            if finished.code != 0 {
                finished = self.call().finish();
            }
        }
        assert_eq!(finished.code, 0, "seed {}: {}", self.seed, finished.stderr);
        let (here, there) = ("here.db", "there.db");
        let (here, there) =
            (games_of(&self.arena.folder, here), games_of(&self.arena.folder, there));
        assert!(here == there, "seed {}: other games came out", self.seed);
        let replayed = replay(&self.arena.logs());
        let replayed = replayed.unwrap_or_else(|wrong| panic!("seed {}: {wrong}", self.seed));
        assert!(replayed.jobs > 0, "the log tells of no job");
        eprintln!("{} kills: {:?}; the model explains {replayed:?}", self.kills, self.done);
    }

    fn strike(&mut self) {
        let all = if self.database.is_some() { 8 } else { 6 };
        let blow = Blow::ALL[self.below(all) as usize];
        assert!(self.database.is_some() || !blow.needs_database(), "there is no database");
        *self.done.entry(blow).or_default() += 1;
        let victim = self.below(2) as usize;
        let pause = Duration::from_millis(self.below(PAUSE_MOST_MS));
        match blow {
            Blow::KillWorker => {
                let new = self.worker(victim);
                std::mem::replace(&mut self.workers[victim], new).kill();
            }
            Blow::PauseWorker => {
                self.workers[victim].signal("STOP");
                std::thread::sleep(pause);
                self.workers[victim].signal("CONT");
            }
            Blow::CutWorkerOff => {
                self.cables[victim].cut();
                std::thread::sleep(pause);
                self.cables[victim].mend();
            }
            Blow::KillServer => {
                self.arena.kill_server();
                self.arena.start();
            }
            Blow::PauseServer => {
                self.arena.signal_server("STOP");
                std::thread::sleep(pause);
                self.arena.signal_server("CONT");
            }
            Blow::KillCommand => {
                self.command.take().expect("a command").kill();
                self.command = Some(self.call());
            }
            Blow::CutDatabaseOff => self.database().cut_connections("kills"),
            Blow::CrashDatabase => self.database().crash(),
        }
    }

    fn database(&self) -> &Postgres {
        self.database.as_ref().expect("it was asked for")
    }
}
