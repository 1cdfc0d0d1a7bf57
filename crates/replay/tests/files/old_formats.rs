//! One replay of every format version, kept for ever: they stay readable and right.

use std::path::PathBuf;

use quintain_core::Fault;
use quintain_referee::Input;
use quintain_replay::{Replay, read};

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
        let records = || replay.steps.iter().map(|step| &step.record);
        assert!(records().any(|step| step.faults().any(|(_, fault)| fault == Fault::Late)));
        let mut heard = records().flat_map(|step| &step.inputs);
        assert!(heard.any(|input| matches!(input, Input::Line { asked: false, .. })));
        assert!(records().any(|step| step.stderr.0.iter().any(|it| !it.text.is_empty())));
        let mut answers = records().flat_map(|step| &step.answers.0).flatten();
        assert!(answers.any(|answer| answer.cpu.is_some()));
        let film = hockey().film(&mut replay.playback()).expect("it can be shown");
        assert_eq!(film.frames.len(), replay.steps.len() + 1);
    }
}
