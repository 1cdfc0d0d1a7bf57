//! Replays every recorded match of the original engine, and recordings that were tampered with.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use quintain_core::{Conform, Recording, Source};
use quintain_worms::{WORKLOADS, Worms};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

fn recording(path: &Path) -> Vec<String> {
    let file = File::open(path).expect("the recording is there");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("the recording is gzip'd text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_recording_replays_without_a_difference() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).expect("the folder of recordings") {
        let path = entry.expect("an entry of the folder").path();
        let result = Worms::conform(&recording(&path));
        assert!(result.is_ok(), "{}: {:.3000}", path.display(), format!("{result:?}"));
        count += 1;
    }
    assert_eq!(count, 41);
}

#[test]
fn the_workloads_for_measuring_play_every_whole_match_to_its_end() {
    let entries = fs::read_dir(folder()).expect("the folder of recordings");
    let is_whole = |lines: &Vec<String>| {
        let result = lines.last().is_some_and(|line| line.contains("\"complete\":true"));
        result && lines[1].contains("\"generated\":true")
    };
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let matches: Vec<Vec<String>> = paths.map(|path| recording(&path)).filter(is_whole).collect();
    let rounds = matches.iter().flatten().filter(|line| line.contains("\"kind\":\"round\""));
    let rounds = rounds.count() as u64;
    for workload in &WORKLOADS {
        let Source::Recordings(prepare) = workload.source else {
            panic!("{}: expected recordings", workload.name);
        };
        let name = String::new();
        let recordings =
            matches.iter().map(|lines| Recording { name: name.clone(), lines: lines.clone() });
        let prepared = prepare(&mut { recordings }).expect("all of them end as they should");
        assert_eq!(prepared.round(), matches.len() as u64);
        assert_eq!(prepared.play(prepared.round()), rounds);
        let none = prepare(&mut std::iter::empty()).err().expect("nothing to play").to_string();
        assert_eq!(
            none,
            "expected a whole match on a generated map among the recordings, got none"
        );
    }
    assert_eq!(matches.len(), 13);
}

fn named(name: &str) -> Vec<String> {
    recording(&folder().join(format!("{name}.jsonl.gz")))
}

/// Replays a recording of which one text was replaced, and returns the line that was blamed.
fn noticed(name: &str, line: usize, from: &str, to: &str) -> usize {
    let mut lines = named(name);
    let changed = lines[line - 1].replacen(from, to, 1);
    assert_ne!(lines[line - 1], changed, "the test must change something: {from}");
    lines[line - 1] = changed;
    Worms::conform(&lines).expect_err("the change must be noticed").line
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    let lines = named("s06-double-kill-k0");
    for length in 0..lines.len() {
        let difference = Worms::conform(&lines[..length]).expect_err("a part is not the whole");
        assert_eq!(difference.line, length + 1);
        assert_eq!(difference.got, "the end of the file");
    }
}

#[test]
fn every_member_of_a_round_is_compared() {
    let round = 4;
    let value: serde_json::Value =
        serde_json::from_str(&named("s13-select-k0")[round - 1]).expect("JSON");
    let changes = [
        ("\"round\":2", "\"round\":3"),
        ("\"currentRound\":2", "\"currentRound\":3"),
        ("\"commands\":[\"select 2;shoot E\"", "\"commands\":[\"select 2;shoot W\""),
        ("\"random\":[]", "\"random\":[\"swap\"]"),
        ("Selected Worm", "Chosen Worm"),
        ("GameError - Player 2, worm 1", "GameError - Player 2, worm 2"),
        ("\"commandScore\":7", "\"commandScore\":8"),
        ("\"cells\":[]", "\"cells\":[[1,1,\".\"]]"),
        ("\"packs\":[]", "\"packs\":[[1,1,10]]"),
        ("\"occupied\":[[7,13", "\"occupied\":[[8,13"),
        ("@01 Match Details", "@01 Match"),
        ("My Player:H=", "My Player: H="),
        ("2,move,", "2,dig,"),
    ];
    for (from, to) in changes {
        assert_eq!(noticed("s13-select-k0", round, from, to), round, "{to}");
    }
    for pointer in ["state/0", "state/1", "text/1", "console/1", "csv/0", "global"] {
        let hash = value.pointer(&format!("/sha/{pointer}")).and_then(|hash| hash.as_str());
        let hash = hash.expect("a hash");
        assert_eq!(noticed("s13-select-k0", round, hash, "0123"), round, "{pointer}");
    }
}

#[test]
fn header_initial_and_result_are_compared() {
    let name = "m10-idler-center";
    let last = named(name).len();
    assert_eq!(noticed(name, 1, "\"game\":\"worms\"", "\"game\":\"golf\""), 1);
    assert_eq!(noticed(name, 1, "\"config\":{}", "\"config\":{\"mapsize\":3}"), 1);
    assert_eq!(noticed(name, 2, "***#", "****"), 2);
    assert_eq!(noticed(name, 2, "\"hp\":150", "\"hp\":151"), 2);
    let changes = [
        ("\"winner\":1", "\"winner\":0"),
        ("\"rounds\":23", "\"rounds\":22"),
        ("\"tie\":false", "\"tie\":true"),
        ("\"complete\":true", "\"complete\":false"),
        ("\"health\":[350", "\"health\":[351"),
        ("@Round(13)", "@Round(14)"),
    ];
    for (from, to) in changes {
        assert_eq!(noticed(name, last, from, to), last, "{to}");
    }
    assert_eq!(noticed("maps", 2, "\"collisions\":\"sp", "\"collisions\":\"pp"), 2);
}
