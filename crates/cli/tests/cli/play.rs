//! `play` and its output.

use serde_json::Value;

use crate::support::{Folder, json, replay_lines};

#[test]
fn a_whole_match_on_the_console() {
    let folder = Folder::new();
    let said = folder.ok("play hockey house:greedy house:random --seed 3");
    insta::assert_snapshot!("play", said);
    let said = folder.ok("replay replays/hockey-greedy-vs-random-3.replay.jsonl.zst");
    insta::assert_snapshot!("replay", said);
}

#[test]
fn without_bots_the_best_house_bot_plays_itself() {
    let folder = Folder::new();
    let said = folder.ok("play hockey --seed 1 --quiet --no-replay");
    assert!(said.contains("greedy") && said.contains("greedy 2"), "{said}");
}

#[test]
fn quiet_says_only_who_won() {
    let folder = Folder::new();
    let said = folder.ok("play hockey house:greedy house:random --seed 3 --quiet");
    assert_eq!(said, "greedy beat random: a goal was made after 12 throws\n");
    assert_eq!(folder.list("replays").len(), 1, "the replay is written all the same");
}

#[test]
fn the_result_for_programs_is_one_line_of_json() {
    let folder = Folder::new();
    let said = folder.ok("play hockey a=house:greedy b=house:random --seed -3 --json");
    assert_eq!(said.lines().count(), 1);
    let result = json(&said);
    assert_eq!(result["seed"], -3);
    assert_eq!(result["bots"], serde_json::json!(["a", "b"]));
    assert_eq!(result["errors"], serde_json::json!([0, 0]));
    assert_eq!(result["faults"], serde_json::json!([]));
    let winner = result["winner"].as_u64().expect("a winner") as usize;
    assert_eq!((&result["ranks"][winner], &result["ranks"][1 - winner]), (&0.into(), &1.into()));
    assert_eq!((&result["scores"][winner], &result["scores"][1 - winner]), (&1.into(), &0.into()));
    assert!(result["reason"].is_string() && result["turns"].as_u64() > Some(0));
    for answers in result["answers"].as_array().expect("one per seat") {
        let worst = answers["worst_ms"].as_f64().expect("a number");
        let mean = answers["mean_ms"].as_f64().expect("a number");
        assert!(answers["count"].as_u64() > Some(0) && worst >= mean && mean >= 0.0, "{answers}");
    }
    let replay = result["replay"].as_str().expect("a path");
    assert!(folder.path(replay).is_file());
}

#[test]
fn without_a_replay_nothing_is_written() {
    let folder = Folder::new();
    let said = folder.ok("play hockey house:greedy house:random --seed 3 --no-replay");
    assert_eq!(said, "greedy beat random: a goal was made after 12 throws\n");
    assert!(folder.list(".").is_empty());
    let result = json(&folder.ok("play hockey --no-replay --json"));
    assert_eq!(result["replay"], Value::Null);
}

#[test]
fn an_older_replay_is_never_overwritten() {
    let folder = Folder::new();
    for _ in 0..3 {
        folder.ok("play hockey house:greedy house:random --seed 3");
    }
    let names = [
        "hockey-greedy-vs-random-3-2.replay.jsonl.zst",
        "hockey-greedy-vs-random-3-3.replay.jsonl.zst",
        "hockey-greedy-vs-random-3.replay.jsonl.zst",
    ];
    assert_eq!(folder.list("replays"), names);
}

#[test]
fn a_replay_goes_where_it_is_told_plain_or_compressed() {
    let folder = Folder::new();
    for name in ["some/where/a.jsonl", "b.replay.jsonl.zst"] {
        folder.ok(&format!("play hockey --seed 3 --replay {name}"));
        let is_compressed = folder.read(name).starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
        assert_eq!(is_compressed, name.ends_with(".zst"));
        assert!(folder.ok(&format!("verify {name}")).contains("verified: "));
        assert!(folder.ok(&format!("replay {name}")).starts_with("Paper Hockey: greedy against"));
        let told = folder.export(&format!("{name} --svg {name}.svg"));
        let picture = folder.read(&format!("{name}.svg"));
        assert!(picture.starts_with(b"<svg"));
        assert!(told.starts_with(&format!("wrote {name}.svg: throw ")), "{told}");
    }
}

fn digests(folder: &Folder, name: &str) -> Vec<Value> {
    let lines = replay_lines(&folder.read(name));
    lines.iter().map(|line| line["digest"].clone()).collect()
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let folder = Folder::new();
    for (name, seed) in [("a.jsonl", 5), ("b.jsonl", 5), ("c.jsonl", 6)] {
        let bots = "house:random house:random";
        folder.ok(&format!("play hockey {bots} --seed {seed} --replay {name}"));
    }
    let first = digests(&folder, "a.jsonl");
    assert!(first.len() > 5);
    assert_eq!(first, digests(&folder, "b.jsonl"));
    assert_ne!(first, digests(&folder, "c.jsonl"));
}

#[test]
fn the_header_says_what_was_chosen() {
    let folder = Folder::new();
    let choice = "--seed 9 --edition original --limit 500ms --time-scale 2 --no-clock";
    folder.ok(&format!("play hockey x=house:random y=house:greedy {choice} --replay a.jsonl"));
    let header = replay_lines(&folder.read("a.jsonl")).remove(0);
    assert_eq!(header["seed"], "9");
    assert_eq!(header["edition"], "original");
    assert_eq!(header["config"]["time_limit_ms"], 500);
    assert_eq!(header["time_scale"], 2.0);
    assert_eq!(header["clock"], serde_json::json!([false, false]));
    assert_eq!(header["bots"], serde_json::json!(["x", "y"]));
}

#[test]
fn a_replay_that_cannot_be_written_is_an_error_before_the_match() {
    let folder = Folder::new();
    folder.write("file", "");
    let finished = folder.run("play hockey --seed 3 --replay file/a.jsonl");
    assert_eq!((finished.code, finished.stdout.as_str()), (1, ""));
    assert!(finished.stderr.contains("cannot write file/a.jsonl: "), "{}", finished.stderr);
}
