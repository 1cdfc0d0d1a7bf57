//! What was written has left the process a second later.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use quintain_core::{Game as _, Seat};
use quintain_hockey::Hockey;
use quintain_referee::{Follower, Input, StepRecord};
use quintain_replay::{Replay, Writer, read};

use crate::played::{header, start};

fn write_step(writer: &mut Writer, turn: u32) {
    let line = Input::Line {
        seat: Seat::First,
        asked: true,
        line: "north".to_owned(),
        at: Duration::ZERO,
    };
    let record = StepRecord { turn, inputs: vec![line], ..StepRecord::default() };
    writer.played(&record, start().fingerprint());
}

/// What would be left if the process ended now.
fn left(path: &Path) -> Replay {
    let copy = path.with_extension("copy");
    std::fs::copy(path, &copy).expect("a copy");
    read(&copy).expect("a replay that ends early")
}

#[test]
fn steps_leave_the_process_within_a_second() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths = ["match.jsonl", "match.replay.jsonl.zst"].map(|name| folder.path().join(name));
    let mut writers =
        paths.each_ref().map(|path| Writer::create(path, header(), None).expect("a writer"));
    for path in &paths {
        assert_eq!(left(path).header, header(), "the header is there at once");
    }
    for turn in 0..3 {
        for writer in &mut writers {
            write_step(writer, turn);
        }
    }
    for _ in 0..11 {
        sleep(Duration::from_millis(100));
        for writer in &mut writers {
            Follower::<Hockey>::idle(writer);
        }
    }
    for path in &paths {
        let replay = left(path);
        assert_eq!(replay.steps.len(), 3, "{}", path.display());
        assert_eq!(replay.cut.as_deref(), Some("the file was cut off"));
        assert_eq!(replay.damage, None);
    }
    // A busy match is never idle: the next step flushes what is due.
    sleep(Duration::from_millis(600));
    for writer in &mut writers {
        write_step(writer, 3);
    }
    for path in &paths {
        assert_eq!(left(path).steps.len(), 4, "{}", path.display());
    }
}
