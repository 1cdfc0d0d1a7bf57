//! `quintain explain`: what a reader of a match is told.

use serde_json::Value;

use crate::support::{Folder, games, json};

/// Few positions, so that it is quick.
const EXPLAIN: &str = "explain a.jsonl --nodes 30";

fn played(game: &str, bots: &str) -> Folder {
    let folder = Folder::new();
    folder.run(&format!("play {game} {bots} --seed 7 --replay a.jsonl --quiet"));
    folder
}

#[test]
fn every_game_is_explained_and_always_alike() {
    for game in games() {
        let folder = played(game, "house:random house:greedy");
        let told = folder.ok(EXPLAIN);
        let first = told.lines().next().unwrap_or_default();
        assert!(first.starts_with("greedy beat random"), "{game}: {first}");
        assert!(told.contains("would have played"), "{game}: {told}");
        assert_eq!(folder.ok(EXPLAIN), told, "{game}");
        let data = json(&folder.ok(&format!("{EXPLAIN} --json")));
        let moments = data["moments"].as_array().expect("moments");
        assert!((1..=5).contains(&moments.len()), "{game}: {moments:?}");
        let values = data["values"].as_array().expect("values");
        let value = |value: &Value| value["value"].as_f64().expect("a number");
        assert!(values.iter().all(|at| value(at).abs() <= 1.0), "{game}: {values:?}");
        let end = values.last().map(value);
        assert!(end.is_some_and(|end| end < 0.0), "{game}: the second seat won, not {end:?}");
    }
}

#[test]
fn a_goal_given_away_is_a_moment() {
    let folder = played("hockey", "house:random house:greedy");
    let data = json(&folder.ok("explain a.jsonl --seat 1 --nodes 200 --json"));
    for moment in data["moments"].as_array().expect("moments") {
        assert_eq!(moment["seat"], 0, "{moment}");
        let [before, after] =
            ["before", "after"].map(|key| moment[key].as_f64().expect("a number"));
        assert!(after < before, "{moment}");
        assert!(moment["board"].as_array().is_some_and(|board| board.len() > 10), "{moment}");
        assert!(moment["better"]["line"][0][0].is_string(), "{moment}");
    }
}

#[test]
fn faults_are_told_with_the_very_input() {
    let folder = Folder::new();
    folder.write("bot.sh", "while read -r own && read -r other; do echo JUMP; done\n");
    let bots =
        ["play", "fencing", "jumper=bash bot.sh", "house:greedy", "--replay", "a.jsonl", "-q"];
    folder.run_words(&bots, "");
    let told = folder.ok(EXPLAIN);
    let lines: Vec<&str> = told.lines().collect();
    let fault = lines.iter().position(|line| line.starts_with("turn 1: ")).expect("a fault");
    assert!(lines[fault + 1].starts_with("  > "), "what it was sent: {told}");
    let answer = lines[fault..].iter().find(|line| line.starts_with("  < ")).expect("an answer");
    assert!(answer.starts_with("  < JUMP"), "{told}");
    let data = json(&folder.ok(&format!("{EXPLAIN} --json")));
    assert_eq!(data["faults"][0]["recorded"]["lines"][0], "JUMP");
    assert_eq!(data["faults"][0]["seat"], 0);
}

#[test]
fn a_page_shows_what_was_to_be_expected_on_its_seek_bar() {
    let folder = played("hockey", "house:random house:greedy");
    folder.ok(&format!("{EXPLAIN} --html a.html"));
    folder.export("a.jsonl --html b.html");
    let [explained, plain] = ["a.html", "b.html"].map(|name| folder.read(name));
    assert!(String::from_utf8_lossy(&explained).contains("</html>"));
    assert_ne!(explained, plain, "the game's own curve is another one");
}

#[test]
fn what_is_no_replay_is_refused_in_words() {
    let folder = Folder::new();
    folder.write("a.jsonl", "nonsense\n");
    assert_eq!(folder.run(EXPLAIN).code, 1);
    let seat = folder.run("explain a.jsonl --seat 3");
    assert_eq!(seat.code, 2);
    assert!(seat.stderr.contains("expected 1 or first, 2 or second"), "{}", seat.stderr);
}
