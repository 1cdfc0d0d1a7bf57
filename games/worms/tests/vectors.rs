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
