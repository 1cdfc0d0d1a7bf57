//! Replays every recorded match of the original referee, and recordings that were tampered with.

use quintain_core::Conform;
use quintain_fencing::Fencing;
use quintain_testkit::{Vectors, replace};

const VECTORS: Vectors<Fencing> = Vectors::of(env!("CARGO_MANIFEST_DIR"));

#[test]
fn every_recording_replays_without_a_difference() {
    let recordings = VECTORS.check_all();
    let by_document = recordings.iter().filter(|it| it.lines[0].contains(r#""score_gap":2"#));
    assert_eq!((by_document.count(), recordings.len()), (22, 22 + 68));
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    VECTORS.check_cut_off_anywhere("orig-l1-invalid-both");
}

#[test]
fn every_member_of_a_turn_is_compared() {
    let changes = [
        (r#""turn":3"#, r#""turn":4"#),
        ("200 20 0 0 20", "200 20 0 0 21"),
        (r#""from":[["WALK"]"#, r#""from":[["BREAK"]"#),
        (r#""from":[["WALK"]"#, r#""from":[[]"#),
        (r#""pos":[220"#, r#""pos":[221"#),
        (r#""energy":[19"#, r#""energy":[18"#),
        (r#""points":[0"#, r#""points":[1"#),
        (r#""drugs":[0"#, r#""drugs":[1"#),
        (r#""cheater":[false"#, r#""cheater":[true"#),
        (r#""active":[true"#, r#""active":[false"#),
        (r#""respawn":false"#, r#""respawn":true"#),
        (r#""over":false"#, r#""over":true"#),
        ("frame:2", "frame:3"),
        ("$1 played WALK", "$1 played LUNGE"),
        (r#""tooltips":[]"#, r#""tooltips":["0|Parry!"]"#),
        (r#""tooltips":[]"#, r#""tooltips":[],"restart":true"#),
        (r#""tooltips":[]"#, r#""tooltips":[],"timeout":[false,false]"#),
        (r#""tooltips":[]"#, r#""tooltips":[],"more":1"#),
    ];
    for (from, to) in changes {
        assert_eq!(VECTORS.noticed("orig-l1-invalid-both", replace(4, from, to)), 4, "{to}");
    }
}

#[test]
fn every_member_of_the_result_but_its_label_is_compared() {
    let last = VECTORS.named("orig-l1-invalid-both").len();
    let changes = [
        (r#""winner":null"#, r#""winner":0"#),
        ("[-1,-1]", "[-1,0]"),
        (r#""points":[0,0]"#, r#""points":[0,1]"#),
        (r#""turns":4"#, r#""turns":5"#),
        ("$1(-1)", "$1(0)"),
        (r#""kind":"result""#, r#""kind":"end""#),
    ];
    for (from, to) in changes {
        assert_eq!(VECTORS.noticed("orig-l1-invalid-both", replace(last, from, to)), last, "{to}");
    }
    let mut lines = VECTORS.named("orig-l1-invalid-both");
    replace(last, "disqualified output", "somehow")(&mut lines);
    assert_eq!(Fencing::conform(&lines), Ok(()));
}

#[test]
fn a_recording_that_stops_needs_no_outcome() {
    let mut lines = VECTORS.named("orig-l1-invalid-both");
    lines.remove(4);
    let result = lines.last_mut().expect("a line");
    *result = result.replace("disqualified output: 0,1", "recording stopped");
    assert_eq!(Fencing::conform(&lines), Ok(()));
}

#[test]
fn the_header_decides_game_league_and_switches() {
    let change = |from, to| VECTORS.noticed("doc-l1-same-spot", replace(1, from, to));
    assert_eq!(change(r#""game":"fencing""#, r#""game":"hockey""#), 1);
    assert_eq!(change(r#""league":1"#, r#""league":4"#), 1);
    assert_eq!(change(r#""collision":">""#, r#""collision":"<""#), 1);
    assert_eq!(change(r#""score_gap":2"#, r#""score_gap":2,"other":1"#), 1);
    assert!(change(r#""collision":">""#, r#""collision":">=""#) > 1);
    let twice = |lines: &mut Vec<String>| lines.insert(1, lines[0].clone());
    assert_eq!(VECTORS.noticed("doc-l1-same-spot", twice), 2);
    assert_eq!(VECTORS.noticed("doc-l1-same-spot", |lines| drop(lines.remove(0))), 1);
}

#[test]
fn switches_that_a_header_leaves_out_are_the_originals() {
    let mut lines = VECTORS.named("orig-l1-same-spot");
    let header = lines[0].clone();
    let from = header.find(r#"{"score_gap""#).expect("the config");
    let to = header[from..].find('}').expect("its end") + from;
    lines[0] = format!("{}{{}}{}", &header[..from], &header[to + 1..]);
    assert_eq!(Fencing::conform(&lines), Ok(()));
}

#[test]
fn a_turn_after_the_end_and_a_missing_turn_are_noticed() {
    let lines = VECTORS.named("orig-l1-invalid-both");
    let (turns, last) = (lines.len() - 1, lines.len() - 2);
    let again = |lines: &mut Vec<String>| lines.insert(turns, lines[last].clone());
    assert_eq!(VECTORS.noticed("orig-l1-invalid-both", again), turns + 1);
    assert_eq!(VECTORS.noticed("orig-l1-invalid-both", |lines| drop(lines.remove(2))), 3);
    assert_eq!(VECTORS.noticed("orig-l1-invalid-both", |lines| drop(lines.remove(last))), turns);
    let surplus = |lines: &mut Vec<String>| lines.push(lines[turns].clone());
    assert_eq!(VECTORS.noticed("orig-l1-invalid-both", surplus), turns + 2);
}

#[test]
fn a_surplus_line_is_the_answer_to_the_next_question() {
    let mut lines = VECTORS.named("orig-l1-invalid-both");
    // Turn 1 says turn 2's command too, and turn 2 itself says nothing.
    replace(2, r#""from":[["BREAK"]"#, r#""from":[["BREAK","BREAK"]"#)(&mut lines);
    replace(3, r#""from":[["BREAK"]"#, r#""from":[[]"#)(&mut lines);
    assert_eq!(Fencing::conform(&lines), Ok(()));
}
