//! One replay of every format version, kept for ever: they stay readable and right.

use std::path::PathBuf;

use quintain_core::Fault;
use quintain_replay::{EntryLine, Replay, read};

use crate::played::hockey;

fn fixture(name: &str) -> Replay {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    read(&folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A house bot against a program that talks out of turn, sends words that are no moves, writes to
/// its error output and falls silent in the end.
#[test]
fn format_1_stays_readable() {
    for name in ["format-1.jsonl", "format-1.replay.jsonl.zst"] {
        let replay = fixture(name);
        assert_eq!(replay.header.format, 1);
        let ended = hockey()
            .verify(&mut replay.playback())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let end = replay.end.as_ref().expect("the match was finished");
        assert_eq!(end.turns, ended.turn);
        assert_eq!(end.reason, "timeout");
        let heard = || replay.steps.iter().flat_map(|step| &step.heard);
        assert!(heard().any(|entry| entry.fault() == Some(Fault::Late)));
        assert!(heard().any(|entry| matches!(entry, EntryLine::Line { asked: false, .. })));
        assert!(replay.steps.iter().any(|step| step.stderr.0.iter().any(|it| !it.text.is_empty())));
        let answers = replay.steps.iter().flat_map(|step| &step.answers.0).flatten();
        assert!(answers.clone().any(|answer| answer.cpu_us.is_some()));
        let film = hockey().film(&mut replay.playback()).expect("it can be shown");
        assert_eq!(film.frames.len(), replay.steps.len() + 1);
    }
}
