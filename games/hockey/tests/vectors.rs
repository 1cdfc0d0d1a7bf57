//! Replays every recorded match of the original server, and recordings that were tampered with.

use quintain_hockey::Hockey;
use quintain_testkit::{Vectors, replace};

const VECTORS: Vectors<Hockey> = Vectors::of(env!("CARGO_MANIFEST_DIR"));

#[test]
fn every_recording_of_the_original_replays_without_a_difference() {
    assert_eq!(VECTORS.check_all().len(), 71);
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    VECTORS.check_cut_off_anywhere("doc-goal");
}

#[test]
fn a_broken_last_line_is_noticed() {
    let difference = VECTORS.difference("doc-goal", |lines| {
        let last = lines.last_mut().expect("a line");
        last.truncate(last.len() / 2);
    });
    assert_eq!(difference.line, VECTORS.named("doc-goal").len(), "{difference}");
}

#[test]
fn a_changed_message_is_noticed_where_it_stands() {
    let difference = VECTORS.difference("doc-messages", replace(18, "- 8", "- 9"));
    assert_eq!(
        difference.to_string(),
        "line 18: expected `Bob did go south - 9` to 1, got `Bob did go south - 8` to 1"
    );
    assert_eq!(VECTORS.noticed("doc-messages", replace(18, "\"to\":1", "\"to\":0")), 18);
}

#[test]
fn a_missing_message_is_noticed_at_the_next_line() {
    assert_eq!(VECTORS.noticed("doc-messages", |lines| drop(lines.remove(21))), 22);
}

#[test]
fn a_changed_position_after_a_move_is_noticed() {
    assert_eq!(VECTORS.noticed("doc-messages", replace(17, "[5,6]", "[5,7]")), 17);
    assert_eq!(VECTORS.noticed("doc-messages", replace(17, "\"active\":1", "\"active\":0")), 17);
    assert_eq!(VECTORS.noticed("doc-messages", replace(17, "\"north east\",", "")), 17);
}

#[test]
fn a_changed_kind_member_or_order_is_noticed() {
    assert_eq!(VECTORS.noticed("doc-messages", replace(2, "connect", "arrive")), 2);
    assert_eq!(VECTORS.noticed("doc-messages", replace(2, "\"from\":0", "\"whence\":0")), 2);
    assert_eq!(VECTORS.noticed("doc-messages", replace(2, "\"from\":0", "\"from\":0,\"to\":1")), 2);
    assert_eq!(VECTORS.noticed("doc-messages", replace(4, "\"name\"", "\"disconnect\"")), 4);
    assert_eq!(VECTORS.noticed("doc-messages", replace(1, "\"hockey\"", "\"worms\"")), 1);
    assert_eq!(
        VECTORS.noticed("doc-messages", replace(1, "\"config\":{}", "\"config\":{\"a\":1}")),
        1
    );
    assert_eq!(VECTORS.noticed("doc-messages", |lines| drop(lines.remove(0))), 1);
    assert_eq!(VECTORS.noticed("doc-messages", |lines| lines.push(String::new())), 42);
    assert_eq!(VECTORS.noticed("doc-messages", |lines| lines.push(lines[1].clone())), 42);
}

#[test]
fn a_changed_clock_is_noticed() {
    let lines = VECTORS.named("timeout-first");
    let late = lines.iter().position(|line| line.contains("3.1")).expect("a late throw") + 1;
    assert_eq!(VECTORS.noticed("timeout-first", replace(late, "3.1", "1.95")), late + 1);
    for impossible in ["1.0", "-1.0", "1e300"] {
        assert_eq!(VECTORS.noticed("timeout-first", replace(late, "3.1", impossible)), late);
    }
}

#[test]
fn a_changed_result_is_noticed() {
    let last = VECTORS.named("doc-goal").len();
    assert_eq!(VECTORS.noticed("doc-goal", replace(last, "\"winner\":0", "\"winner\":1")), last);
    assert_eq!(VECTORS.noticed("doc-goal", replace(last, "[1,0]", "[0,1]")), last);
    assert_eq!(VECTORS.noticed("doc-goal", replace(last, "a goal", "no goal")), last);
    let session = VECTORS.named("session-a").len();
    assert_eq!(VECTORS.noticed("session-a", replace(session, "[3,1]", "[2,2]")), session);
    assert_eq!(VECTORS.noticed("session-a", replace(42, "Bot-76", "Team50")), 42);
    assert_eq!(VECTORS.noticed("session-a", |lines| drop(lines.remove(39))), 40);
}

#[test]
fn a_result_in_mid_game_is_noticed() {
    let change = replace(41, "unfinished: the", "a goal. The");
    let text = VECTORS.difference("doc-messages", change).to_string();
    assert_eq!(text, "line 41: expected a finished game, got a game that goes on");
}
