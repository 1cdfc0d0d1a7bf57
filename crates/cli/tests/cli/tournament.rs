//! Tournaments and comparisons through the real binary: what they print, what they keep, what they
//! refuse, and what is left when they are killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use quintain_core::SplitMix64;
use quintain_store::{Filter, Store};
use quintain_testkit::Postgres;

use crate::support::{Folder, binary, json};

const TWO: [&str; 4] = ["--bot", "a=house:random", "--bot", "b=house:greedy"];

fn tournament(folder: &Folder, more: &[&str]) -> crate::support::Finished {
    let words = [&["tournament", "--game", "hockey"], &TWO[..], more].concat();
    folder.run_words(&words, "")
}

#[test]
fn a_tournament_prints_tables_and_keeps_its_replays_beside_the_store() {
    let folder = Folder::new();
    let more = ["--games-per-pair", "4", "--store", "t.db"];
    let finished = tournament(&folder, &more);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("tournament-table", finished.stdout);
    assert_eq!(folder.list("t.replays").len(), 4);
    let again = tournament(&folder, &more);
    assert_eq!(again.stdout, finished.stdout, "nothing is left to play");
    let csv = tournament(&folder, &[&more[..], &["--output", "csv"]].concat());
    insta::assert_snapshot!("tournament-csv", csv.stdout);
    let html = tournament(&folder, &[&more[..], &["--output", "html"]].concat());
    assert!(html.stdout.starts_with("<!DOCTYPE html>") && html.stdout.contains("<td>a</td>"));
    assert!(!html.stdout.contains("http"), "the page needs nothing else");
    let replay = folder.path("t.replays").join(&folder.list("t.replays")[0]);
    folder.ok(&format!("verify {}", replay.display()));
}

#[test]
fn a_tournament_in_json_has_games_and_standings() {
    let folder = Folder::new();
    let finished = tournament(&folder, &["--games-per-pair", "6", "--output", "json"]);
    let report = json(&finished.stdout);
    assert_eq!(report["games"], 6);
    let best = &report["standings"][0];
    assert_eq!((best["bot"].as_str(), best["games"].as_u64()), (Some("b"), Some(6)));
    let sum = ["wins", "draws", "losses"].map(|key| best[key].as_u64().expect("a count"));
    assert_eq!(sum.iter().sum::<u64>(), 6);
    let number = |key: &str| best[key].as_f64().expect("a number");
    assert!(number("low") <= number("rating") && number("rating") <= number("high"));
    assert_eq!(best["errors"], 0);
}

#[test]
fn every_form_is_played_to_its_end_and_glicko_is_an_option() {
    let folder = Folder::new();
    let forms =
        [("round-robin", Some(12)), ("gauntlet", Some(6)), ("swiss", Some(8)), ("knockout", None)];
    for (form, games) in forms {
        let more = ["--bot", "c=house:random", "--bot", "d=house:greedy", "--form", form];
        let rest = ["--games-per-pair", "2", "--output", "json", "--rating", "glicko"];
        let finished = tournament(&folder, &[&more[..], &rest].concat());
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{form}");
        let report = json(&finished.stdout);
        assert_eq!(report["standings"].as_array().map(Vec::len), Some(4), "{form}");
        assert_eq!(report["rating"], "Glicko-2");
        match games {
            Some(games) => assert_eq!(report["games"], games, "{form}"),
            None => assert_eq!(report["standings"][0]["place"], 1),
        }
    }
}

#[test]
fn the_written_file_is_a_tournament() {
    let folder = Folder::new();
    let finished = folder.run("tournament init");
    assert_eq!(finished.code, 0);
    assert!(finished.stderr.contains("quintain tournament tournament.toml"));
    assert_eq!(folder.run("tournament init").code, 1, "nothing is overwritten");
    let report = json(&folder.ok("tournament tournament.toml --output json"));
    assert_eq!((report["games"].as_u64(), report["name"].as_str()), (Some(10), Some("tournament")));
    assert!(folder.path("tournament.db").exists());
}

#[test]
fn a_bad_file_is_refused_with_its_line_and_nothing_is_written() {
    let bots = "[[bot]]\nname = \"a\"\nrun = \"house:random\"\n";
    let check = |text: String, expected: &str| {
        let folder = Folder::new();
        folder.write("bad.toml", &text);
        let finished = folder.run("tournament bad.toml");
        assert_eq!((finished.code, finished.stdout.as_str()), (2, ""), "{text}");
        assert!(finished.stderr.contains(expected), "{expected}: {}", finished.stderr);
        assert_eq!(folder.list("."), ["bad.toml"], "nothing is half-written");
    };
    let head = "game = \"fencing\"\n";
    check(format!("{head}gmaes = 3\n{bots}"), "bad.toml:2: unknown key `gmaes`, expected one of");
    check(format!("game = \"chess\"\n{bots}"), "bad.toml:1: game: expected one of hockey");
    check(format!("{head}{bots}"), "bad.toml:4: expected at least two [[bot]]");
    check(
        format!("{head}{bots}{bots}"),
        "bad.toml:6: expected bots with different names, found `a` twice",
    );
    check(
        format!("{head}{bots}[[bot]]\nname = \"b\"\nrun = \"./no/such\"\n"),
        "bad.toml:7: bot `./no/such`",
    );
    check(format!("{head}{bots}[[bot]]\nname = \"b\"\n"), "bad.toml:5: missing key `run`");
    check(format!("{head}form = \"league\"\n{bots}{}", bots.replace('a', "b")), "bad.toml:");
    check(format!("{head}limit = 5\n"), "bad.toml:2: invalid type");
    check("game = \n".to_owned(), "bad.toml:1:");
}

#[test]
fn more_games_than_cores_are_refused_unless_forced() {
    let folder = Folder::new();
    let call = "compare hockey house:random house:greedy --games 2 --concurrency 4096";
    let finished = folder.run(call);
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("--force"), "{}", finished.stderr);
    assert!(folder.ok(&format!("{call} --force")).contains("after 2 games"));
}

#[test]
fn a_comparison_ends_with_a_sentence_or_an_object() {
    let folder = Folder::new();
    let text = folder.ok("compare hockey house:random house:greedy");
    assert!(text.starts_with("new is stronger: +"), "{text}");
    let object = json(&folder.ok("compare hockey house:random house:random --games 20 --json"));
    assert_eq!(object["games"], 20);
    for key in ["wins", "draws", "losses", "elo", "low", "high", "verdict", "errors", "seconds"] {
        assert!(!object[key].is_null(), "{key}");
    }
    assert!(object["llr"].is_null(), "no test was asked for");
    assert_eq!(object["verdict"], "no-difference-shown");
}

#[test]
fn failures_are_told_apart_and_can_be_shown_again() {
    let folder = Folder::new();
    let bots = [("true", "crash"), ("cat", "illegal"), ("sleep 60", "timeout")];
    for (bot, kind) in bots {
        let words = ["compare", "fencing", bot, "house:greedy", "--games", "2", "--json"];
        let finished = folder.run_words(&[&words[..], &["--limit", "50ms"]].concat(), "");
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        let object = json(&finished.stdout);
        assert_eq!(object["errors"]["old"][kind], 2, "{bot}: {}", finished.stdout);
        assert_eq!(object["errors"]["new"][kind], 0);
        assert_eq!((object["wins"].as_u64(), object["losses"].as_u64()), (Some(2), Some(0)));
        let (_, command) =
            finished.stderr.split_once("show it again: quintain ").expect("a command");
        let command = command.lines().next().expect("a line");
        assert!(!folder.ok(command).is_empty(), "{command}");
    }
}

#[test]
fn a_comparison_goes_on_with_what_is_stored_and_refuses_other_bots() {
    let folder = Folder::new();
    let call = "compare hockey old=house:random new=house:greedy --store c.db --json";
    assert_eq!(json(&folder.ok(&format!("{call} --games 4")))["games"], 4);
    assert_eq!(json(&folder.ok(&format!("{call} --games 10")))["games"], 10);
    let store = Store::open(folder.path("c.db").to_str().expect("a path")).expect("a store");
    assert_eq!(store.runs().expect("runs")[0].games, 10);
    let other = folder.run(&format!("{call} --games 4 --seed 2"));
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("seed was `1`, now `2`"), "{}", other.stderr);
}

#[test]
fn an_interrupted_tournament_says_how_to_go_on() {
    let folder = Folder::new();
    let words =
        ["tournament", "--game", "fencing", "--games-per-pair", "100000", "--store", "t.db"];
    let words = [&words[..], &TWO[..], &["--no-replays"]].concat();
    let running = folder.start(&words);
    wait_for_games(&folder.path("t.db"));
    running.interrupt();
    let finished = running.finish();
    assert_eq!(finished.code, 1);
    assert!(finished.stderr.contains("to go on: quintain tournament --game fencing"));
    assert!(finished.stdout.contains("of 100,000 games"), "{}", finished.stdout);
}

fn wait_for_games(path: &Path) {
    let place = path.to_str().expect("a path");
    for _ in 0..600 {
        let runs = Store::open_existing(place).and_then(|store| store.runs());
        if runs.is_ok_and(|runs| runs.first().is_some_and(|run| run.games > 0)) {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("no game was kept within half a minute");
}

#[test]
fn fifty_kills_leave_every_game_once_in_a_file() {
    let folder = Folder::new();
    kill_often(folder.path("t.db").to_str().expect("a path"), 5);
}

#[test]
fn fifty_kills_leave_every_game_once_on_a_server() {
    let Some(server) = Postgres::shared() else { return };
    kill_often(&server.database("kill_a_tournament"), 6);
}

/// Five bots, ten pairings, 200 games each: 2,000 games.
fn kill_often(store: &str, seed: u64) {
    const KILLS: u32 = 50;
    let mut chance = SplitMix64::new(seed);
    let mut was_killed = 0;
    for _ in 0..KILLS {
        let mut child = long_tournament(store).stdout(Stdio::null()).spawn().expect("the binary");
        thread::sleep(Duration::from_millis(chance.next_u64() % 120));
        child.kill().expect("it is ours");
        let status = child.wait().expect("it is ours");
        was_killed += u32::from(status.code().is_none());
    }
    assert!(was_killed > 10, "only {was_killed} kills hit a tournament that was not over");
    let output = long_tournament(store).output().expect("the binary");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = json(&String::from_utf8(output.stdout).expect("text"));
    assert_eq!((report["games"].as_u64(), report["planned"].as_u64()), (Some(2_000), Some(2_000)));
    let store = Store::open_existing(store).expect("the store");
    let run = store.runs().expect("runs").remove(0);
    let mut games: Vec<_> = store
        .games(run.id, &Filter::default())
        .map(|game| game.expect("a game").summary.identity)
        .collect();
    games.sort();
    games.dedup();
    assert_eq!(games.len(), 2_000, "every game is there, and once");
}

fn long_tournament(store: &str) -> Command {
    let mut command = Command::new(binary());
    command.args(["tournament", "--game", "hockey", "--games-per-pair", "200", "--no-replays"]);
    for name in ["a", "b", "c", "d", "e"] {
        command.args(["--bot", &format!("{name}=house:random")]);
    }
    command.args(["--store", store, "--output", "json"]).stdin(Stdio::null());
    command
}
