//! Replays every recorded match of the original engine, and recordings that were tampered with.

use quintain_testkit::{Vectors, check_recorded_workloads, replace};
use quintain_worms::{WORKLOADS, Worms};

const VECTORS: Vectors<Worms> = Vectors::of(env!("CARGO_MANIFEST_DIR"));

#[test]
fn every_recording_replays_without_a_difference() {
    assert_eq!(VECTORS.check_all().len(), 44);
}

#[test]
fn the_workloads_for_measuring_play_every_whole_match_to_its_end() {
    let mut matches = VECTORS.all();
    matches.retain(|one| {
        let is_complete = one.lines.last().is_some_and(|line| line.contains("\"complete\":true"));
        is_complete && one.lines[1].contains("\"generated\":true")
    });
    let lines = matches.iter().flat_map(|one| &one.lines);
    let rounds = lines.filter(|line| line.contains("\"kind\":\"round\"")).count();
    let wanted = "a whole match on a generated map";
    check_recorded_workloads(&WORKLOADS, &matches, rounds as u64, wanted);
    assert_eq!(matches.len(), 13);
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    VECTORS.check_cut_off_anywhere("s06-double-kill-k0");
}

#[test]
fn every_member_of_a_round_is_compared() {
    let round = 4;
    let value: serde_json::Value =
        serde_json::from_str(&VECTORS.named("s13-select-k0")[round - 1]).expect("JSON");
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
        assert_eq!(VECTORS.noticed("s13-select-k0", replace(round, from, to)), round, "{to}");
    }
    for pointer in ["state/0", "state/1", "text/1", "console/1", "csv/0", "global"] {
        let hash = value.pointer(&format!("/sha/{pointer}")).and_then(|hash| hash.as_str());
        let hash = hash.expect("a hash");
        assert_eq!(
            VECTORS.noticed("s13-select-k0", replace(round, hash, "0123")),
            round,
            "{pointer}"
        );
    }
}

#[test]
fn header_initial_and_result_are_compared() {
    let name = "m10-idler-center";
    let last = VECTORS.named(name).len();
    assert_eq!(VECTORS.noticed(name, replace(1, "\"game\":\"worms\"", "\"game\":\"golf\"")), 1);
    assert_eq!(VECTORS.noticed(name, replace(1, "\"config\":{}", "\"config\":{\"mapsize\":3}")), 1);
    assert_eq!(VECTORS.noticed(name, replace(2, "***#", "****")), 2);
    assert_eq!(VECTORS.noticed(name, replace(2, "\"hp\":150", "\"hp\":151")), 2);
    let changes = [
        ("\"winner\":1", "\"winner\":0"),
        ("\"rounds\":23", "\"rounds\":22"),
        ("\"tie\":false", "\"tie\":true"),
        ("\"complete\":true", "\"complete\":false"),
        ("\"health\":[350", "\"health\":[351"),
        ("@Round(13)", "@Round(14)"),
    ];
    for (from, to) in changes {
        assert_eq!(VECTORS.noticed(name, replace(last, from, to)), last, "{to}");
    }
    assert_eq!(
        VECTORS.noticed("maps", replace(2, "\"collisions\":\"sp", "\"collisions\":\"pp")),
        2
    );
}
