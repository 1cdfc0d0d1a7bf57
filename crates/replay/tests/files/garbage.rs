//! Nothing in a file can do more harm than an error message.

use std::sync::LazyLock;

use proptest::prelude::*;
use quintain_registry::GAMES;
use quintain_replay::{EntryLine, ExitLine, Reader, Replay, ReplayError, StepLine, read};
use serde_json::{Value, json};

use crate::played::{hockey, play_of, played_text};

static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| played_text(3));
static REPLAY: LazyLock<Replay> = LazyLock::new(|| parsed(&TEXT).expect("a whole replay"));

fn parsed(bytes: &[u8]) -> Result<Replay, ReplayError> {
    Replay::of(&mut Reader::new(bytes)?)
}

/// Reads and plays it; what comes of it does not matter.
fn survives(bytes: &[u8]) {
    if let Ok(replay) = parsed(bytes) {
        let _ = hockey().verify(&mut replay.playback());
    }
}

fn entry() -> impl Strategy<Value = EntryLine> {
    let codes = ["late", "gone", "flooded", "not-started", "refused", "malformed", "tired"];
    let exits = [None, Some(ExitLine::Code(1)), Some(ExitLine::Signal(9)), Some(ExitLine::Closed)];
    let fault =
        (0..3_usize, prop::sample::select(codes.to_vec()), prop::sample::select(exits.to_vec()));
    let fault = fault.prop_map(|(seat, fault, exit)| EntryLine::Fault {
        seat,
        fault: fault.to_owned(),
        exit,
        expected: None,
        after_us: None,
    });
    let words = ["north", "south west", "EAST", "nonsense", ""];
    let line = (0..3_usize, prop::sample::select(words.to_vec()), any::<bool>());
    let line = line.prop_map(|(seat, line, asked)| EntryLine::Line {
        seat,
        line: line.to_owned(),
        asked,
        at_us: 0,
    });
    prop_oneof![fault, line]
}

fn step() -> impl Strategy<Value = StepLine> {
    let heard = prop::collection::vec(entry(), 0..4);
    let draws = prop::collection::vec(any::<u32>(), 0..2);
    (0..4_u32, heard, draws).prop_map(|(turn, heard, draws)| StepLine {
        turn,
        heard,
        draws,
        dropped: Default::default(),
        disturbed: Default::default(),
        answers: Default::default(),
        stderr: Default::default(),
        meddling: Default::default(),
        digest: 0,
    })
}

/// The places of all numbers in a value.
fn numbers_in(value: &Value, path: &str, places: &mut Vec<String>) {
    match value {
        Value::Number(_) => places.push(path.to_owned()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                numbers_in(item, &format!("{path}/{index}"), places);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                numbers_in(field, &format!("{path}/{key}"), places);
            }
        }
        _ => {}
    }
}

/// A setup is made from the config and the seed, and compared: whatever stands there, that is safe.
#[test]
fn no_number_in_a_header_does_harm() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut tried = 0;
    for game in GAMES {
        let path = folder.path().join("match.jsonl");
        play_of(*game, &path, 3);
        let replay = read(&path).expect("a whole replay");
        let parts = json!({ "config": replay.header.config, "setup": replay.header.setup });
        let mut places = Vec::new();
        numbers_in(&parts, "", &mut places);
        for (place, number) in places.iter().flat_map(|place| [(place, -1), (place, 1_000_000_007)])
        {
            let mut parts = parts.clone();
            *parts.pointer_mut(place).expect("a number") = json!(number);
            let mut changed =
                Replay { header: replay.header.clone(), steps: Vec::new(), ..replay.clone() };
            changed.header.config = parts["config"].take();
            changed.header.setup = parts["setup"].take();
            assert!(game.verify(&mut changed.playback()).is_err(), "{place}: {number}");
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn any_bytes_that_look_compressed(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        bytes.splice(0..0, [0x28, 0xb5, 0x2f, 0xfd]);
        survives(&bytes);
    }

    #[test]
    fn a_replay_with_some_bytes_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut text = TEXT.clone();
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        survives(&text);
    }

    #[test]
    fn a_replay_with_other_steps(
        at in any::<prop::sample::Index>(),
        steps in prop::collection::vec(step(), 1..4),
    ) {
        let mut replay = REPLAY.clone();
        let at = at.index(replay.steps.len());
        replay.steps.truncate(at);
        replay.steps.extend(steps);
        prop_assert!(hockey().verify(&mut replay.playback()).is_err(), "no digest is 0");
    }

    #[test]
    fn a_header_with_another_setup(
        which in prop::sample::select(vec!["config", "setup"]),
        key in any::<prop::sample::Index>(),
        value in prop_oneof![
            Just(serde_json::Value::Null),
            any::<i64>().prop_map(serde_json::Value::from),
            (-2..12_i64).prop_map(serde_json::Value::from),
            ".{0,10}".prop_map(serde_json::Value::from),
            prop::collection::vec(any::<u8>(), 0..9).prop_map(serde_json::Value::from),
        ],
    ) {
        let mut replay = REPLAY.clone();
        let part = match which {
            "config" => &mut replay.header.config,
            _ => &mut replay.header.setup,
        };
        let object = part.as_object_mut().expect("an object");
        let keys: Vec<String> = object.keys().cloned().collect();
        object.insert(keys[key.index(keys.len())].clone(), value);
        let _ = hockey().verify(&mut replay.playback());
        let _ = hockey().film(&mut replay.playback());
    }
}
