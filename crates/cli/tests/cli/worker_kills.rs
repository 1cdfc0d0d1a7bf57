//! Workers, server, command and database are killed, paused and cut off at random moments: the games that come out are
//! those of a run on one machine, each once, and everything that the queue was asked and answered is something that the
//! model of its leases can do. `QUINTAIN_KILLS=1000` says how often, in tournaments one after the other on the same
//! server; a failure names its seed, and `QUINTAIN_SEED` starts it there.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::SplitMix64;
use quintain_testkit::Postgres;
use quintain_testkit::leases::replay;

use crate::cable::Cable;
use crate::support::Running;
use crate::workers::{Arena, LEASE, games_of, local, words};

/// As many as CI has time for.
const KILLS_USUAL: u64 = 8;
/// Of one tournament, and its games of each pair: enough that there is always something to hit.
const KILLS_OF_ROUND: u64 = 8;
const GAMES: u32 = 50;
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

    fn takes_time(self) -> bool {
        matches!(self, Blow::PauseWorker | Blow::CutWorkerOff | Blow::PauseServer)
    }
}

const WORKERS: [&str; 2] = ["w1", "w2"];

struct Siege {
    database: Option<Postgres>,
    random: SplitMix64,
    seed: u64,
    kills: u64,
    /// The number of the tournament that is played.
    round: u32,
    workers: Vec<Running>,
    command: Option<Running>,
    cables: Vec<Cable>,
    done: BTreeMap<Blow, u32>,
    /// Pauses that were longer than a lease.
    outlasting: u32,
    arena: Arena,
}

impl Siege {
    fn begin(arena: Arena, database: Option<Postgres>) -> Siege {
        let seed = number("QUINTAIN_SEED").unwrap_or(1);
        let kills = number("QUINTAIN_KILLS").unwrap_or(KILLS_USUAL);
        arena.folder.ok(&local("here.db", GAMES));
        let cables = vec![Cable::namespace_or_relay(arena.port()), Cable::relay(arena.port())];
        let mut siege = Siege {
            database,
            random: SplitMix64::new(seed),
            seed,
            kills,
            round: 0,
            workers: Vec::new(),
            command: None,
            cables,
            done: BTreeMap::new(),
            outlasting: 0,
            arena,
        };
        siege.workers = (0..WORKERS.len()).map(|worker| siege.worker(worker)).collect();
        siege
    }

    fn worker(&self, worker: usize) -> Running {
        let cable = &self.cables[worker];
        let url = cable.url(self.arena.port());
        self.arena.worker_by(&cable.prefix(), &url, WORKERS[worker])
    }

    fn call(&self) -> Running {
        self.arena.folder.start(&words(&self.arena.tournament(&self.store(), GAMES)))
    }

    /// Where the games of this tournament are kept.
    fn store(&self) -> String {
        format!("there-{}.db", self.round)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.random.next_u64() % most
    }

    fn run(mut self) {
        let here = games_of(&self.arena.folder, "here.db");
        let mut left = self.kills;
        while left > 0 {
            self.round += 1;
            left -= self.play_round(left.min(KILLS_OF_ROUND));
            let there = games_of(&self.arena.folder, &self.store());
            let (seed, round) = (self.seed, self.round);
            assert!(here == there, "seed {seed}: other games came out of tournament {round}");
            self.arena.folder.remove_store(&self.store());
        }
        let replayed = replay(&self.arena.logs());
        let replayed = replayed.unwrap_or_else(|wrong| panic!("seed {}: {wrong}", self.seed));
        assert!(replayed.jobs > 0, "the log tells of no job");
        let Siege { kills, round, done, outlasting, .. } = &self;
        eprintln!(
            "{kills} kills in {round} tournaments: {done:?}, {outlasting} of them longer than a lease; \
             the model explains {replayed:?}"
        );
    }

    /// Plays a tournament, during which things happen so often at most; how often they did.
    fn play_round(&mut self, most: u64) -> u64 {
        self.command = Some(self.call());
        let mut blows = 0;
        while blows < most && self.command.as_mut().expect("a command").is_running() {
            let gap = self.below(GAP_MOST_MS);
            std::thread::sleep(Duration::from_millis(gap));
            self.strike();
            blows += 1;
        }
        let mut finished = self.command.take().expect("a command").finish();
        // One that gave a job up, since workers died with it three times, is called again.
        for _ in 0..10 {
            if finished.code != 0 {
                finished = self.call().finish();
            }
        }
        assert_eq!(finished.code, 0, "seed {}: {}", self.seed, finished.stderr);
        blows
    }

    fn strike(&mut self) {
        let all = if self.database.is_some() { 8 } else { 6 };
        let blow = Blow::ALL[self.below(all) as usize];
        assert!(self.database.is_some() || !blow.needs_database(), "there is no database");
        *self.done.entry(blow).or_default() += 1;
        let victim = self.below(2) as usize;
        let pause = Duration::from_millis(self.below(PAUSE_MOST_MS));
        if blow.takes_time() && pause > LEASE {
            self.outlasting += 1;
        }
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
