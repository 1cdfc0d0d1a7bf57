//! On a disk without room nothing is left that looks like a result, and nothing is promised.
//!
//! The disk is a small one in memory, which a shell mounts for itself alone. Where the system does not let it,
//! that is said and nothing is tried.

use std::process::Command;

use crate::support::{Finished, Folder, assert_calm, binary};

/// Room that is left on the disk.
const NONE: u32 = 0;
/// As much as the smallest file takes.
const ONE_PAGE: u32 = 4096;
/// Enough for a store without its tables.
const TWELVE_PAGES: u32 = 12 * ONE_PAGE;

/// Mounts the disk, writes `old.svg` to it, leaves so much room, runs the binary, and keeps what is there.
const SCRIPT: &str = "
set -eu
room=$1; shift
mkdir full kept
mount -t tmpfs -o size=64k none full
echo old > full/old.svg
head -c $((61440 - room)) /dev/zero > full/fill
code=0
\"$@\" || code=$?
rm full/fill
cp -r full/. kept
exit $code
";

/// What came of a call on such a disk, and a folder `kept` with what it left. `None` if there is none.
fn on_full_disk(room: u32, words: &str) -> Option<(Folder, Finished)> {
    let folder = Folder::new();
    folder.ok("play hockey house:greedy house:random --seed 3 --replay a.jsonl");
    folder.ok("play worms house:greedy house:random --seed 3 --replay w.jsonl");
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh", &room.to_string()])
        .arg(binary())
        .args(words.split_whitespace())
        .current_dir(folder.path("."))
        .output();
    let output = match output {
        Ok(output) if folder.path("kept/old.svg").exists() => output,
        other => {
            eprintln!("not tried, since no disk can be mounted here: {other:?}");
            return None;
        }
    };
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert_calm(&stderr);
    assert_eq!(folder.read("kept/old.svg"), b"old\n", "{words}: what was there is still there");
    Some((folder, Finished { code: output.status.code().unwrap_or(-1), stdout, stderr }))
}

#[test]
fn what_finds_no_room_leaves_nothing_and_says_so() {
    let cases = [
        (NONE, "play hockey house:greedy house:random --seed 3 --replay full/r.jsonl"),
        (NONE, "play hockey house:greedy house:random --seed 3 --replay full/r.jsonl.zst"),
        (NONE, "play worms --seed 3 --replay full/r.jsonl --match-log full/log"),
        (ONE_PAGE, "play worms --seed 3 --no-replay --match-log full/log"),
        (ONE_PAGE, "export w.jsonl --match-log full/log"),
        (NONE, "export a.jsonl --png full/a.png"),
        (ONE_PAGE, "export a.jsonl --png full/a.png"),
        (ONE_PAGE, "export a.jsonl --svg full/a.svg"),
        (ONE_PAGE, "export a.jsonl --svg full/old.svg"),
        (ONE_PAGE, "export a.jsonl --gif full/a.gif"),
        (NONE, "key new full/a.key"),
        (NONE, "tournament init full/t.toml"),
        (NONE, "compare hockey house:greedy house:random --games 2 --store full/s.db --no-replays"),
        (TWELVE_PAGES, "compare hockey house:greedy house:random --games 2 --store full/s.db"),
        (NONE, "check cat hockey --replay full/c.jsonl"),
    ];
    for (room, words) in cases {
        let Some((folder, finished)) = on_full_disk(room, words) else { return };
        assert_eq!(finished.code, 1, "{words}: {finished:?}");
        let is_told = ["No space left on device", "disk is full"]
            .iter()
            .any(|reason| finished.stderr.contains(reason));
        assert!(is_told && !finished.stderr.contains("wrote "), "{words}: {finished:?}");
        assert!(!finished.stdout.contains("full/"), "no false promise: {words}: {finished:?}");
        assert_eq!(folder.list("kept"), ["old.svg"], "{words}: {finished:?}");
    }
}

#[test]
fn man_pages_that_find_room_are_whole() {
    let Some((folder, finished)) = on_full_disk(2 * ONE_PAGE, "man full") else { return };
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(finished.stderr.contains("cannot write full/quintain-"), "{finished:?}");
    folder.ok("man whole");
    let pages = folder.list("kept");
    assert!(pages.len() > 1, "{pages:?}");
    for page in pages.iter().filter(|page| *page != "old.svg") {
        let [kept, whole] = ["kept", "whole"].map(|place| folder.read(&format!("{place}/{page}")));
        assert!(kept == whole, "{page}");
    }
}

#[test]
fn a_replay_that_finds_no_more_room_is_told_as_a_beginning_and_can_be_read() {
    let words = "play worms house:greedy house:random --seed 3 --replay full/r.jsonl.zst";
    let Some((folder, finished)) = on_full_disk(ONE_PAGE, words) else { return };
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(finished.stdout.contains("\nreplay of its beginning, for want of more: full/r."));
    assert!(!finished.stdout.contains("show it again"), "{finished:?}");
    assert!(finished.stderr.contains("the match was played, but: cannot write full/r.jsonl.zst"));
    let shown = folder.run("replay kept/r.jsonl.zst");
    assert!(shown.code == 0 && shown.stdout.contains("ends after turn "), "{shown:?}");
    let Some((_, told)) = on_full_disk(ONE_PAGE, &format!("{words} --json")) else { return };
    let result: serde_json::Value = serde_json::from_str(&told.stdout).expect("one object");
    assert_eq!((told.code, &result["replay"]), (1, &serde_json::Value::Null));
}

#[test]
fn a_result_that_finds_no_room_leaves_its_replay_alone() {
    let words = "play hockey house:greedy house:random --seed 3 --log-dir full/log";
    let Some((folder, finished)) = on_full_disk(ONE_PAGE, words) else { return };
    assert_eq!(finished.code, 1, "{finished:?}");
    let left = folder.list("kept/log");
    assert_eq!(left, ["hockey-greedy-vs-random-3.replay.jsonl.zst"], "{finished:?}");
    assert!(folder.ok(&format!("verify kept/log/{}", left[0])).contains("verified: "));
}

#[test]
fn games_whose_replays_find_no_room_are_not_kept() {
    let words = "tournament --game worms --bot a=house:greedy --bot b=house:random \
                 --games-per-pair 2 -j 1 --replays full/r --store s.db";
    let Some((folder, finished)) = on_full_disk(ONE_PAGE, words) else { return };
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(finished.stderr.contains("No space left on device"), "{finished:?}");
    assert!(finished.stderr.contains("to go on: quintain tournament"), "{finished:?}");
    assert_eq!(folder.list("kept/r"), [""; 0], "{finished:?}");
    let counted = folder.run("stats --store s.db --output json");
    let counted: serde_json::Value = serde_json::from_str(&counted.stdout).expect("one object");
    assert_eq!(counted["games"], serde_json::json!([]), "{counted}");
}

#[test]
fn a_report_that_finds_no_room_is_a_failure() {
    let folder = Folder::new();
    let tournament = "tournament --game hockey --bot a=house:greedy --bot b=house:random \
                      --games-per-pair 2 --no-replays --output";
    let calls = ["table", "csv", "json", "html"].map(|form| format!("{tournament} {form}"));
    let others = ["play hockey --seed 3 --no-replay", "play hockey --seed 3 --no-replay --json"];
    for words in calls.iter().map(String::as_str).chain(others) {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it is there");
        let output = Command::new(binary())
            .args(words.split_whitespace())
            .current_dir(folder.path("."))
            .stdout(full)
            .output()
            .expect("the binary can be started");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {stderr}");
        assert!(stderr.contains("No space left on device"), "{words}: {stderr}");
    }
}
