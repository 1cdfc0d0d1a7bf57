//! Replays every recorded match of the original engine, and recordings that were tampered with.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use quintain_core::{Conform, Recording, Source};
use quintain_overdrive::{Overdrive, WORKLOADS};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

fn recording(path: &Path) -> Vec<String> {
    let file = File::open(path).expect("the recording is there");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("the recording is gzip'd text");
    text.lines().map(str::to_owned).collect()
}

fn named(name: &str) -> Vec<String> {
    recording(&folder().join(format!("{name}.jsonl.gz")))
}

fn paths() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder of recordings");
    entries.map(|entry| entry.expect("an entry of the folder").path()).collect()
}

#[test]
fn every_recording_of_the_original_replays_without_a_difference() {
    let mut differences = Vec::new();
    for path in paths() {
        if let Err(difference) = Overdrive::conform(&recording(&path)) {
            let mut text = format!("{}: {difference}", path.display());
            text.truncate(text.floor_char_boundary(2_000));
            differences.push(text);
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(paths().len(), 98);
}

#[test]
fn the_workloads_for_measuring_play_every_whole_race_to_its_end() {
    let is_whole = |lines: &Vec<String>| lines[1].contains("\"generated\":true");
    let races: Vec<Vec<String>> =
        paths().iter().map(|path| recording(path)).filter(is_whole).collect();
    let rounds = races.iter().flatten().filter(|line| line.contains("\"kind\":\"round\"")).count();
    for workload in &WORKLOADS {
        let Source::Recordings(prepare) = workload.source else {
            panic!("{}: expected recordings", workload.name);
        };
        let recordings =
            races.iter().map(|lines| Recording { name: String::new(), lines: lines.clone() });
        let prepared = prepare(&mut { recordings }).expect("all of them end as they should");
        assert_eq!(prepared.round(), 22, "race, mixed and wild");
        assert_eq!(prepared.play(22), rounds as u64);
        let none = prepare(&mut std::iter::empty()).err().expect("nothing to play").to_string();
        assert_eq!(none, "expected a whole race on a generated map among the recordings, got none");
    }
}

/// Replays a recording that was changed, and returns the line where that was noticed.
fn noticed(name: &str, change: impl Fn(&mut Vec<String>)) -> usize {
    let mut lines = named(name);
    change(&mut lines);
    Overdrive::conform(&lines).expect_err("the change must be noticed").line
}

fn replace(line: usize, from: &str, to: &str) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let changed = lines[line - 1].replacen(from, to, 1);
        assert_ne!(lines[line - 1], changed, "the test must change something");
        lines[line - 1] = changed;
    }
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    let lines = named("edge-emp-cone");
    for length in 0..lines.len() {
        let difference = Overdrive::conform(&lines[..length]).expect_err("a part is not the whole");
        assert_eq!(difference.line, length + 1);
        assert_eq!(difference.got, "the end of the file");
    }
}

#[test]
fn a_changed_line_is_noticed_where_it_stands() {
    let check = |line: usize, from: &str, to: &str| {
        assert_eq!(noticed("race-01", replace(line, from, to)), line, "{from} -> {to}");
    };
    check(1, "overdrive", "hockey");
    check(1, "\"config\":{}", "\"config\":{\"BOOST\":1}");
    check(1, "\"seed\":12345", "\"seed\":123456789012");
    check(2, "\"lanes\":4", "\"lanes\":5");
    check(2, "\"trackLength\":1500", "\"trackLength\":1501");
    check(2, "\"map\":[\"0", "\"map\":[\"1");
    check(2, "\"speed\":5", "\"speed\":6");
    check(2, "\"id\":1", "\"id\":2");
    check(3, "\"round\":1", "\"round\":2");
    check(3, "\"maxRounds\":600", "\"maxRounds\":601");
    check(3, "\"surfaceObject\":7", "\"surfaceObject\":8");
    check(3, "TURN_RIGHT\"", "NOTHING\"");
    check(3, "\"random\":[]", "\"random\":[1]");
    check(3, "\"changed\":[]", "\"changed\":[[1,1,2]]");
    check(3, "\"stagedTrucks\":0", "\"stagedTrucks\":2");
    check(3, "\"trucks\":[]", "\"trucks\":[[1,9]]");
    check(3, "\"full\"", "\"fool\"");
    for member in ["text", "csv", "raw", "console"] {
        let from = format!("\"{member}\":[\"");
        check(3, &from, &format!("{from}x"));
    }
    let last = named("race-01").len();
    check(last, "\"winner\":0", "\"winner\":1");
    check(last, "\"scores\":[4", "\"scores\":[5");
    check(last, "\"rounds\":2", "\"rounds\":3");
    check(last, "\"refereeValid\":true", "\"refereeValid\":false");
}

#[test]
fn a_changed_seed_is_noticed_at_the_map_that_it_gives() {
    assert_eq!(noticed("race-01", replace(1, "\"seed\":12345", "\"seed\":12346")), 2);
}

#[test]
fn lines_out_of_order_are_noticed() {
    assert_eq!(noticed("edge-emp-cone", |lines| lines.swap(3, 4)), 4);
    assert_eq!(noticed("edge-emp-cone", |lines| drop(lines.remove(1))), 2);
    assert_eq!(noticed("edge-emp-cone", |lines| lines.swap(0, 1)), 1);
    let length = named("edge-emp-cone").len();
    assert_eq!(noticed("edge-emp-cone", |lines| lines.push(lines[0].clone())), length + 1);
    assert_eq!(noticed("edge-emp-cone", |lines| lines.insert(0, String::new())), 1);
}
