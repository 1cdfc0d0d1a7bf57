//! Replays every recorded match of the original server, and recordings that were tampered with.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use quintain_core::Conform;
use quintain_hockey::Hockey;

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

/// Replays a recording of which one line was changed, and returns where that was noticed.
fn noticed(name: &str, change: impl Fn(&mut Vec<String>)) -> (usize, String) {
    let mut lines = named(name);
    change(&mut lines);
    let difference = Hockey::conform(&lines).expect_err("the change must be noticed");
    (difference.line, difference.to_string())
}

fn replace(line: usize, from: &str, to: &str) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let changed = lines[line - 1].replace(from, to);
        assert_ne!(lines[line - 1], changed, "the test must change something");
        lines[line - 1] = changed;
    }
}

#[test]
fn every_recording_of_the_original_replays_without_a_difference() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).expect("the folder of recordings") {
        let path = entry.expect("an entry of the folder").path();
        if path.extension().is_some_and(|extension| extension == "gz") {
            let outcome = Hockey::conform(&recording(&path));
            assert_eq!(outcome, Ok(()), "{}", path.display());
            count += 1;
        }
    }
    assert_eq!(count, 71);
}

#[test]
fn a_recording_cut_off_anywhere_is_noticed_at_its_end() {
    let lines = named("doc-goal");
    for length in 0..lines.len() {
        let difference = Hockey::conform(&lines[..length]).expect_err("a part is not the whole");
        assert_eq!(difference.line, length + 1);
        assert_eq!(difference.got, "the end of the file");
    }
}

#[test]
fn a_broken_last_line_is_noticed() {
    let (line, text) = noticed("doc-goal", |lines| {
        let last = lines.last_mut().expect("a line");
        last.truncate(last.len() / 2);
    });
    assert_eq!(line, named("doc-goal").len(), "{text}");
}

#[test]
fn a_changed_message_is_noticed_where_it_stands() {
    let (line, text) = noticed("doc-messages", replace(18, "- 8", "- 9"));
    assert_eq!(line, 18);
    assert_eq!(
        text,
        "line 18: expected `Bob did go south - 9` to 1, got `Bob did go south - 8` to 1"
    );
    let (line, _) = noticed("doc-messages", replace(18, "\"to\":1", "\"to\":0"));
    assert_eq!(line, 18);
}

#[test]
fn a_missing_message_is_noticed_at_the_next_line() {
    let (line, _) = noticed("doc-messages", |lines| drop(lines.remove(21)));
    assert_eq!(line, 22);
}

#[test]
fn a_changed_position_after_a_move_is_noticed() {
    assert_eq!(noticed("doc-messages", replace(17, "[5,6]", "[5,7]")).0, 17);
    assert_eq!(noticed("doc-messages", replace(17, "\"active\":1", "\"active\":0")).0, 17);
    assert_eq!(noticed("doc-messages", replace(17, "\"north east\",", "")).0, 17);
}

#[test]
fn a_changed_kind_member_or_order_is_noticed() {
    assert_eq!(noticed("doc-messages", replace(2, "connect", "arrive")).0, 2);
    assert_eq!(noticed("doc-messages", replace(2, "\"from\":0", "\"whence\":0")).0, 2);
    assert_eq!(noticed("doc-messages", replace(2, "\"from\":0", "\"from\":0,\"to\":1")).0, 2);
    assert_eq!(noticed("doc-messages", replace(4, "\"name\"", "\"disconnect\"")).0, 4);
    assert_eq!(noticed("doc-messages", replace(1, "\"hockey\"", "\"worms\"")).0, 1);
    assert_eq!(noticed("doc-messages", replace(1, "\"config\":{}", "\"config\":{\"a\":1}")).0, 1);
    assert_eq!(noticed("doc-messages", |lines| drop(lines.remove(0))).0, 1);
    assert_eq!(noticed("doc-messages", |lines| lines.push(String::new())).0, 42);
    assert_eq!(noticed("doc-messages", |lines| lines.push(lines[1].clone())).0, 42);
}

#[test]
fn a_changed_clock_is_noticed() {
    let lines = named("timeout-first");
    let late = lines.iter().position(|line| line.contains("3.1")).expect("a late throw") + 1;
    assert_eq!(noticed("timeout-first", replace(late, "3.1", "1.95")).0, late + 1);
    for impossible in ["1.0", "-1.0", "1e300"] {
        assert_eq!(noticed("timeout-first", replace(late, "3.1", impossible)).0, late);
    }
}

#[test]
fn a_changed_result_is_noticed() {
    let last = named("doc-goal").len();
    assert_eq!(noticed("doc-goal", replace(last, "\"winner\":0", "\"winner\":1")).0, last);
    assert_eq!(noticed("doc-goal", replace(last, "[1,0]", "[0,1]")).0, last);
    assert_eq!(noticed("doc-goal", replace(last, "a goal", "no goal")).0, last);
    let session = named("session-a").len();
    assert_eq!(noticed("session-a", replace(session, "[3,1]", "[2,2]")).0, session);
    assert_eq!(noticed("session-a", replace(42, "Bot-76", "Team50")).0, 42);
    assert_eq!(noticed("session-a", |lines| drop(lines.remove(39))).0, 40);
}

#[test]
fn a_result_in_mid_game_is_noticed() {
    let (line, text) = noticed("doc-messages", replace(41, "unfinished: the", "a goal. The"));
    assert_eq!(line, 41);
    assert_eq!(text, "line 41: expected a finished game, got a game that goes on");
}
