//! How far a server trusts its workers, and what it tells people and workers of it: real processes.

use quintain_arena::open_replay;
use quintain_replay::Recording as _;
use quintain_store::Store;
use quintain_store::work::JobBoard;

use crate::support::{Folder, json, sample};
use crate::workers::{Arena, games_of, local, said, words};

fn board(folder: &Folder) -> JobBoard {
    let store = Store::open(folder.path("arena.db").to_str().expect("text")).expect("a store");
    JobBoard::open(&store).expect("a board")
}

/// The body of a page.
fn page(arena: &Arena, path: &str) -> String {
    use std::io::{Read as _, Write as _};
    let address = arena.url.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(address).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("a page");
    answer
}

#[test]
fn whoever_waits_for_nobody_is_told_how_to_start_a_worker() {
    let arena = Arena::new("arena.db");
    arena.folder.ok(&local("here.db", 2));
    let mut running = arena.folder.start(&words(&arena.tournament("there.db", 2)));
    let line = running.wait_for_line("no worker is attached");
    let expected = format!("start one with `quintain worker --server {} --token-file", arena.url);
    assert!(line.contains(&expected), "{line}");
    let _worker = arena.worker("w1");
    running.wait_for_line("there is a worker now");
    let there = running.finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    assert_eq!(games_of(&arena.folder, "there.db"), games_of(&arena.folder, "here.db"));
}

#[test]
fn a_worker_in_quarantine_is_told_why_and_plays_again_when_it_is_lifted() {
    let arena = Arena::new("arena.db");
    let board = board(&arena.folder);
    board.note_worker("w1", "0.1.0", 2).expect("a store");
    board.quarantine("w1", "the canary game of seed 7: expected another end").expect("a store");
    let told = arena.worker("w1").finish();
    assert_eq!(told.code, 1);
    let expected = "this worker is in quarantine: the canary game of seed 7: expected another end; when that is \
                    mended, whoever runs the server lifts it with `quintain token lift w1`";
    assert!(told.stderr.contains(expected), "{}", told.stderr);
    let list = arena.folder.ok("token list --store arena.db");
    assert!(list.contains("times refused, in quarantine: the canary game"), "{list}");
    assert!(page(&arena, "/workers").contains("in quarantine"));
    said(&arena.folder, "token lift w1 --store arena.db");
    let again = arena.folder.run("token lift w1 --store arena.db");
    assert_eq!(again.code, 1);
    assert!(again.stderr.contains("there is no worker called w1 in quarantine"));
    let _worker = arena.worker("w1");
    let there = arena.folder.start(&words(&arena.tournament("there.db", 2))).finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
}

/// A bot that does not exist before it is built.
fn unbuilt(folder: &Folder, build: &str) {
    std::fs::create_dir(folder.path("bot")).expect("a folder");
    folder.write("bot/build.sh", build);
    folder.write("bot/run.sh", "exec bash ./made\n");
}

fn compare(arena: &Arena, bot: &str) -> Vec<String> {
    let words = format!(
        "compare fencing {bot} house:random --games 2 --store there.db --on {} --token-file ann.token --json",
        arena.url
    );
    words.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_bot_is_built_where_it_is_played_and_once() {
    let arena = Arena::new("arena.db");
    let source = "echo 'while read -r a && read -r b; do echo PARRY; done' > made; echo built here";
    unbuilt(&arena.folder, source);
    let _worker = arena.worker("w1");
    let played = arena.folder.start(&words(&compare(&arena, "bot"))).finish();
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert!(!arena.folder.path("bot/made").exists(), "nothing is built on this machine");
    let digest = said(&arena.folder, "pack bot").trim().to_owned();
    assert!(arena.folder.path("cache").join(&digest).join("made").exists());
    assert_eq!(arena.folder.read(&format!("cache/{digest}.log")), b"built here\n", "once");
    let report = json(&played.stdout);
    assert_eq!(report["errors"]["old"]["not-started"], 0, "{report}");
}

#[test]
fn a_build_that_fails_ends_the_run_with_its_log_which_people_are_shown() {
    let arena = Arena::new("arena.db");
    unbuilt(&arena.folder, "echo 'no such header: <fencing.h>'; exit 3");
    let _worker = arena.worker("w1");
    let played = arena.folder.start(&words(&compare(&arena, "bot"))).finish();
    assert_eq!(played.code, 1);
    for expected in ["bot old: it cannot be built", "exit code 3", "no such header: <fencing.h>"] {
        assert!(played.stderr.contains(expected), "{expected}: {}", played.stderr);
    }
    let shown = page(&arena, "/workers");
    assert!(shown.contains("no such header: &#60;fencing.h&#62;"), "{shown}");
}

#[test]
fn a_ladder_on_other_machines_is_the_one_on_this() {
    let arena = Arena::new("arena.db");
    let climb = "ladder fencing house:greedy --games 20 --quiet --json --no-replays";
    let here = json(&arena.folder.ok(climb));
    let (_w1, _w2) = (arena.worker("w1"), arena.worker("w2"));
    let words = format!("{climb} --on {} --token-file ann.token", arena.url);
    let there = arena.folder.start(&words.split(' ').collect::<Vec<_>>()).finish();
    assert_eq!(there.code, 0, "{}", there.stderr);
    let there = json(&there.stdout);
    for key in ["reached", "failed"] {
        assert_eq!(there[key], here[key], "{there}");
    }
}

#[test]
fn parameters_are_tuned_on_other_machines() {
    let arena = Arena::new("arena.db");
    arena.write_tunable_bot();
    let (_w1, _w2) = (arena.worker("w1"), arena.worker("w2"));
    let words = format!(
        "tune fencing bot=bot --params params.toml --iterations 3 --games 4 --proof-games 4 --no-clock --json \
         --on {} --token-file ann.token",
        arena.url
    );
    let tuned = arena.folder.start(&words.split_whitespace().collect::<Vec<_>>()).finish();
    assert_eq!(tuned.code, 0, "{}", tuned.stderr);
    let report = json(&tuned.stdout);
    assert_eq!(report["parameters"][0]["name"], "KNOB", "{report}");
    let played: u64 = board(&arena.folder)
        .workers()
        .expect("a store")
        .iter()
        .map(|worker| worker.games + worker.refused)
        .sum();
    assert!(played >= 3 * 4, "{played} games: {report}");
}

#[test]
fn the_factor_of_a_machine_is_in_its_replays_and_verified() {
    let arena = Arena::serving("arena.db", &["--scale-time", "0.5..3"]);
    let _worker = arena.worker("w1");
    let bot = sample("fencing", "python");
    let played = arena.folder.start(&words(&compare(&arena, &bot))).finish();
    assert_eq!(played.code, 0, "{}", played.stderr);
    assert!(arena.folder.ok("verify --store there.db").contains("2 verified"));
    let store =
        Store::open(arena.folder.path("there.db").to_str().expect("text")).expect("a store");
    let run = &store.runs().expect("runs")[0];
    for game in store.games(run.id, &quintain_store::Filter::default()) {
        let replay = game.expect("a game").head.replay.expect("a replay");
        let (replay, _) = open_replay(&arena.folder.path(&replay)).expect("a replay");
        let header = replay.header();
        assert_eq!(header.time_scale, header.machine_scale, "the run's own scale is 1");
        assert!((0.5..=3.0).contains(&header.machine_scale), "{}", header.machine_scale);
    }
}
