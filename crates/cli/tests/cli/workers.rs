//! Games that other machines play: a server, its workers and the commands whose games it hands out, as real processes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use quintain_record::{Ending, MatchId};
use quintain_store::{Filter, Store};
use quintain_testkit::Postgres;

use crate::support::{Folder, Running, games_in, sample, wait_until};

/// A server with a board, and the tokens of a worker and an organiser.
pub(crate) struct Arena {
    pub(crate) folder: Folder,
    server: Option<Running>,
    store: String,
    /// Further words of the server.
    options: &'static [&'static str],
    /// The port stays when the server is started again.
    listen: String,
    pub(crate) url: String,
    /// How many logs there are, if logs are written.
    logs: Option<u32>,
}

impl Arena {
    pub(crate) fn new(store: &str) -> Arena {
        Arena::serving(store, &[])
    }

    pub(crate) fn serving(store: &str, options: &'static [&'static str]) -> Arena {
        Arena::open(store, options, "127.0.0.1:0", None)
    }

    /// One that other networks reach and that writes down every question and every answer.
    pub(crate) fn with_logs(store: &str) -> Arena {
        Arena::open(store, &["--log", "json", "--log-level", "debug"], "0.0.0.0:0", Some(0))
    }

    fn open(
        store: &str,
        options: &'static [&'static str],
        listen: &str,
        logs: Option<u32>,
    ) -> Arena {
        let folder = Folder::new();
        for (name, kind) in [("w1", ""), ("w2", ""), ("ann", " --organiser")] {
            let word = said(&folder, &format!("token add {name}{kind} --store {store}"));
            folder.write(&format!("{name}.token"), word);
        }
        let (listen, url, store) = (listen.to_owned(), String::new(), store.to_owned());
        let mut arena = Arena { folder, server: None, store, options, listen, url, logs };
        arena.start();
        arena
    }

    pub(crate) fn start(&mut self) {
        let lease = format!("{}s", LEASE.as_secs());
        let words = ["serve", "--workers", "--store", &self.store, "--lease", &lease];
        let words = [&words[..], &["--listen", &self.listen], self.options].concat();
        let line = match self.logs {
            None => {
                let mut server = self.folder.start(&words);
                let line = server.wait_for_line(SERVED_ON);
                self.server = Some(server);
                line
            }
            Some(number) => {
                self.logs = Some(number + 1);
                let to_file = format!("exec \"$0\" \"$@\" 2> {}", log_name(number));
                self.server = Some(self.folder.start_by(&["sh", "-c", &to_file], &words));
                wait_until("the server listens", || self.log(number).contains(SERVED_ON));
                let log = self.log(number);
                log.lines().find(|line| line.contains(SERVED_ON)).expect("it was there").to_owned()
            }
        };
        let address = line.rsplit("http://").next().expect("an address").trim().to_owned();
        self.url = format!("http://127.0.0.1:{}", port_of(&address));
        self.listen = address;
    }

    fn log(&self, number: u32) -> String {
        let bytes = std::fs::read(self.folder.path(&log_name(number))).unwrap_or_default();
        // Whoever is killed may have written half a letter.
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What all servers have written, one after the other.
    pub(crate) fn logs(&self) -> Vec<String> {
        (0..self.logs.unwrap_or(0)).map(|number| self.log(number)).collect()
    }

    pub(crate) fn port(&self) -> u16 {
        port_of(&self.listen)
    }

    pub(crate) fn signal_server(&self, name: &str) {
        self.server.as_ref().expect("a server").signal(name);
    }

    pub(crate) fn kill_server(&mut self) {
        self.server.take().expect("a server").kill();
    }

    pub(crate) fn worker(&self, name: &str) -> Running {
        self.worker_by(&[], &self.url, name)
    }

    /// A worker that is started by other words and knows the server by another address.
    pub(crate) fn worker_by(&self, prefix: &[&str], url: &str, name: &str) -> Running {
        let token = format!("{name}.token");
        let words = ["worker", "--server", url, "--token-file", &token, "--slots", "2"];
        // Nobody reads what it says.
        let words = [&words[..], &["--cache", "cache", "--quiet"]].concat();
        self.folder.start_by(prefix, &words)
    }

    /// The words of a tournament whose games the server hands out.
    pub(crate) fn tournament(&self, store: &str, games: u32) -> Vec<String> {
        let words = format!("{} --on {} --token-file ann.token", local(store, games), self.url);
        words.split(' ').map(str::to_owned).collect()
    }

    /// A folder `bot` that fences better with a higher `KNOB`, and `params.toml`, by which that is tuned.
    pub(crate) fn write_tunable_bot(&self) {
        std::fs::create_dir(self.folder.path("bot")).expect("a folder");
        let bot = "while read -r a && read -r b; do [ \"$KNOB\" -gt 5 ] && echo LUNGE || echo BREAK; done";
        self.folder.write("bot/run.sh", bot);
        let params = "pass = \"environment\"\n[KNOB]\nstart = 4\nmin = 0\nmax = 10\nstep = 3\nwhole = true\n";
        self.folder.write("params.toml", params);
    }
}

/// How long a worker of these tests holds a job without saying anything.
pub(crate) const LEASE: Duration = Duration::from_secs(3);

const SERVED_ON: &str = "with a token are served on http://";

fn log_name(number: u32) -> String {
    format!("server-{number}.log")
}

fn port_of(address: &str) -> u16 {
    address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("an address with a port")
}

/// What a call prints that tells something besides.
pub(crate) fn said(folder: &Folder, words: &str) -> String {
    let finished = folder.run(words);
    assert_eq!(finished.code, 0, "{words}: {}", finished.stderr);
    finished.stdout
}

/// The same on this machine.
pub(crate) fn local(store: &str, games: u32) -> String {
    format!(
        "tournament --game fencing --bot a=house:greedy --bot b=house:random --bot c=house:search-1k \
         --games-per-pair {games} --store {store} --output json --quiet"
    )
}

/// What was played, without what differs from machine to machine.
pub(crate) type Games = BTreeMap<MatchId, (i64, Ending, u32, Option<u64>)>;

pub(crate) fn games_of(folder: &Folder, store: &str) -> Games {
    let store = Store::open_existing(folder.path(store).to_str().expect("text")).expect("a store");
    let runs = store.runs().expect("runs");
    let [run] = runs.as_slice() else { panic!("expected one run, found {}", runs.len()) };
    let mut games = Games::new();
    for listed in store.games(run.id, &Filter::default()) {
        let head = listed.expect("a game").head;
        assert!(head.replay.is_some(), "its replay came along");
        let game = (head.seed, head.ending, head.turns, head.content);
        assert_eq!(games.insert(head.id, game), None, "a game is there twice");
    }
    games
}

pub(crate) fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn a_tournament_on_other_machines_is_the_one_on_this() {
    let arena = Arena::new("arena.db");
    arena.folder.ok(&local("here.db", 6));
    let (_w1, _w2) = (arena.worker("w1"), arena.worker("w2"));
    let there = arena.folder.start(&words(&arena.tournament("there.db", 6))).finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
    assert!(arena.folder.ok("verify --store there.db").contains("18 verified"));
    let tokens = arena.folder.ok("token list --store arena.db");
    let played = |name: &str| {
        let line = tokens.lines().find(|line| line.starts_with(name)).expect("it is listed");
        assert!(line.contains("\tworker\tgood\t2 slots, "), "{line}");
        assert!(line.ends_with("(0 void, 0 disturbed), 0 jobs failed, 0 times refused"), "{line}");
        let (_, rest) = line.split_once("slots, ").expect("it was looked for");
        rest.split(' ').next().and_then(|games| games.parse().ok()).unwrap_or(0)
    };
    assert_eq!(played("w1") + played("w2"), 18, "{tokens}");
    // All else that was known of them at the server is gone.
    assert!(arena.folder.list("arena.blobs/replays").is_empty());
}

#[test]
fn postgresql_hands_out_games_too() {
    let Some(server) = Postgres::shared() else { return };
    let arena = Arena::new(&server.database("workers"));
    arena.folder.ok(&local("here.db", 4));
    let _worker = arena.worker("w1");
    let there = arena.folder.start(&words(&arena.tournament("there.db", 4))).finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
    let queue = "SELECT COUNT(*) FROM pgmq.q_quintain_jobs";
    assert_eq!(server.query("workers", queue), "0", "nothing is left in the queue");
    let canaries = "SELECT COUNT(*) FROM work_canaries WHERE wrong IS NULL AND took_us > 0";
    wait_until("a canary of each slot is proven", || server.query("workers", canaries) == "2");
}

#[test]
fn a_folder_travels_to_whoever_plays_it() {
    let arena = Arena::new("arena.db");
    let _worker = arena.worker("w1");
    let bot = sample("fencing", "python");
    let words = format!(
        "compare fencing {bot} house:random --games 4 --store there.db --on {} --token-file ann.token --json",
        arena.url
    );
    let words: Vec<&str> = words.split(' ').collect();
    let played = arena.folder.start(&words).finish();
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert_eq!(games_of(&arena.folder, "there.db").len(), 4);
    assert_eq!(arena.folder.list("arena.blobs/bots").len(), 1);
    let digest = said(&arena.folder, &format!("pack {bot}"));
    assert_eq!(arena.folder.list("arena.blobs/bots"), [digest.trim()]);
    assert!(arena.folder.path("cache").join(digest.trim()).is_dir(), "it is kept by its digest");
}

#[test]
fn a_command_line_cannot_travel() {
    let arena = Arena::new("arena.db");
    let words = ["compare", "fencing", "cat -u", "house:random", "--on", &arena.url];
    let refused =
        arena.folder.start(&[&words[..], &["--token-file", "ann.token"]].concat()).finish();
    assert_eq!(refused.code, 1);
    let expected =
        "bot old (`cat -u`): expected a house bot or a folder with a bot.json or a run.sh";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
}

#[test]
fn a_killed_worker_loses_nothing() {
    let arena = Arena::new("arena.db");
    arena.folder.ok(&local("here.db", 40));
    let running = arena.folder.start(&words(&arena.tournament("there.db", 40)));
    let first = arena.worker("w1");
    let store = arena.folder.path("there.db").display().to_string();
    wait_until("games come back", || games_in(&store) > 0);
    first.kill();
    let _second = arena.worker("w2");
    let there = running.finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
}

#[test]
fn a_server_that_is_killed_is_waited_for() {
    let mut arena = Arena::new("arena.db");
    arena.folder.ok(&local("here.db", 40));
    let running = arena.folder.start(&words(&arena.tournament("there.db", 40)));
    let _worker = arena.worker("w1");
    let store = arena.folder.path("there.db").display().to_string();
    wait_until("games come back", || games_in(&store) > 0);
    arena.kill_server();
    std::thread::sleep(Duration::from_millis(700));
    arena.start();
    let there = running.finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
}

#[test]
fn a_command_that_is_killed_goes_on_where_it_was() {
    let arena = Arena::new("arena.db");
    arena.folder.ok(&local("here.db", 40));
    let _worker = arena.worker("w1");
    let store = arena.folder.path("there.db").display().to_string();
    let call = arena.tournament("there.db", 40);
    let running = arena.folder.start(&words(&call));
    wait_until("games come back", || games_in(&store) > 0);
    running.kill();
    let there = arena.folder.start(&words(&call)).finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
}

#[test]
fn ctrl_c_ends_with_whole_pairs_and_the_same_command_goes_on() {
    let arena = Arena::new("arena.db");
    arena.folder.ok(&local("here.db", 60));
    let worker = arena.worker("w1");
    let store = arena.folder.path("there.db").display().to_string();
    let call = arena.tournament("there.db", 60);
    let running = arena.folder.start(&words(&call));
    wait_until("games come back", || games_in(&store) > 0);
    running.interrupt();
    let stopped = running.finish();
    assert_eq!(stopped.code, 1, "{}", stopped.stderr);
    assert!(stopped.stderr.contains("to go on: quintain tournament"), "{}", stopped.stderr);
    let games = games_of(&arena.folder, "there.db");
    assert!(games.keys().all(|id| games.contains_key(&id.partner())), "half a pair is there");
    let there = arena.folder.start(&words(&call)).finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
    worker.interrupt();
    assert_eq!(worker.finish().code, 0);
}

#[test]
fn a_decided_test_takes_back_what_it_handed_out() {
    let arena = Arena::new("arena.db");
    let _worker = arena.worker("w1");
    let words = format!(
        "compare fencing house:random house:greedy --sprt 0,50,0.05,0.05 --on {} --token-file ann.token --json",
        arena.url
    );
    let words: Vec<&str> = words.split(' ').collect();
    let played = arena.folder.start(&words).finish();
    assert_eq!(played.code, 0, "{}", played.stderr);
    let began = Instant::now();
    wait_until("the board is empty", || {
        let store = Store::open(arena.folder.path("arena.db").to_str().expect("text"));
        let board =
            quintain_store::work::JobBoard::open(&store.expect("a store")).expect("a board");
        board.length().expect("a length") == 0
    });
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn whoever_has_no_good_token_is_refused_in_words() {
    let arena = Arena::new("arena.db");
    let refused = |call: &str, code: i32, expected: &str| {
        let call = call.replace("URL", &arena.url);
        let finished = arena.folder.run(&call);
        assert_eq!(finished.code, code, "{call}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{call}: {}", finished.stderr);
    };
    let worker = "worker --server URL --cache cache --token-file";
    let stranger =
        "expected the token of a worker (Authorization: Bearer TOKEN), found none that is good";
    refused(&format!("{worker} ann.token"), 1, stranger);
    arena.folder.write("bad.token", "quintain-0\n");
    refused(&format!("{worker} bad.token"), 1, stranger);
    said(&arena.folder, "token revoke w1 --store arena.db");
    refused(&format!("{worker} w1.token"), 1, stranger);
    assert_eq!(
        arena.folder.ok("token list --store arena.db"),
        "ann\torganiser\tgood\nw1\tworker\trevoked\nw2\tworker\tgood\n"
    );
    refused("token revoke w1 --store arena.db", 1, "there is no good token called w1");
    refused("token add w2 --store arena.db", 1, "there is a token called w2");
    refused(&format!("{worker} missing.token"), 2, "--token-file: cannot read missing.token");
    arena.folder.write("empty.token", "");
    refused(&format!("{worker} empty.token"), 2, "expected a token in one line, found nothing");
    refused(
        "worker --server arena --token-file w2.token",
        2,
        "--server: expected the address of a server",
    );
    let organiser =
        "compare fencing house:random house:greedy --games 2 --on URL --token-file w2.token";
    refused(organiser, 1, "expected the token of an organiser");
}
