//! Replays every recorded match of the original engine, and recordings that were tampered with.

use quintain_core::entelect::{compact_json, pretty_json};
use quintain_overdrive::{Overdrive, WORKLOADS};
use quintain_testkit::{Vectors, check_recorded_workloads, replace};

const VECTORS: Vectors<Overdrive> = Vectors::of(env!("CARGO_MANIFEST_DIR"));

#[test]
fn every_recording_of_the_original_replays_without_a_difference() {
    assert_eq!(VECTORS.check_all().len(), 99);
}

/// The engine prints all its JSON alike, and recordings hold whole files of one kind.
#[test]
fn json_is_laid_out_as_in_every_recorded_state_file() {
    let recordings = VECTORS.all();
    let lines = recordings.iter().flat_map(|recording| &recording.lines);
    let with_files = lines.filter(|line| line.contains("\"raw\":"));
    let files = with_files.flat_map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let files = value["raw"].as_array().expect("one file per seat").clone();
        files.into_iter().map(|file| file.as_str().expect("a text").to_owned())
    });
    let files: Vec<String> = files.collect();
    assert_eq!(files.len(), 192, "those of all recordings that hold whole files");
    for file in files {
        let (mut compact, mut pretty) = (Vec::new(), Vec::new());
        compact_json(file.as_bytes(), &mut compact);
        pretty_json(&compact, &mut pretty);
        assert_eq!(String::from_utf8_lossy(&pretty), file);
    }
}

#[test]
fn the_workloads_for_measuring_play_every_whole_race_to_its_end() {
    let mut races = VECTORS.all();
    races.retain(|race| race.lines[1].contains("\"generated\":true"));
    races.retain(|race| !race.lines[0].contains("\"note\":\"fuzz\""));
    let lines = races.iter().flat_map(|race| &race.lines);
    let rounds = lines.filter(|line| line.contains("\"kind\":\"round\"")).count();
    let wanted = "a whole race on a generated map";
    check_recorded_workloads(&WORKLOADS, &races, rounds as u64, wanted);
    assert_eq!(races.len(), 22, "race, mixed and wild");
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    VECTORS.check_cut_off_anywhere("edge-emp-cone");
}

#[test]
fn a_changed_line_is_noticed_where_it_stands() {
    let check = |line: usize, from: &str, to: &str| {
        assert_eq!(VECTORS.noticed("race-01", replace(line, from, to)), line, "{from} -> {to}");
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
    let last = VECTORS.named("race-01").len();
    check(last, "\"winner\":0", "\"winner\":1");
    check(last, "\"scores\":[4", "\"scores\":[5");
    check(last, "\"rounds\":2", "\"rounds\":3");
    check(last, "\"refereeValid\":true", "\"refereeValid\":false");
}

#[test]
fn a_changed_seed_is_noticed_at_the_map_that_it_gives() {
    assert_eq!(VECTORS.noticed("race-01", replace(1, "\"seed\":12345", "\"seed\":12346")), 2);
}

#[test]
fn lines_out_of_order_are_noticed() {
    assert_eq!(VECTORS.noticed("edge-emp-cone", |lines| lines.swap(3, 4)), 4);
    assert_eq!(VECTORS.noticed("edge-emp-cone", |lines| drop(lines.remove(1))), 2);
    assert_eq!(VECTORS.noticed("edge-emp-cone", |lines| lines.swap(0, 1)), 1);
    let length = VECTORS.named("edge-emp-cone").len();
    assert_eq!(VECTORS.noticed("edge-emp-cone", |lines| lines.push(lines[0].clone())), length + 1);
    assert_eq!(VECTORS.noticed("edge-emp-cone", |lines| lines.insert(0, String::new())), 1);
}
