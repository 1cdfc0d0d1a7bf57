//! Nothing in a file can do more harm than an error message.

use std::sync::LazyLock;

use proptest::prelude::*;
use quintain_registry::GAMES;
use quintain_replay::{Reader, Replay, ReplayError, read};
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

/// Something heard, by a seat that there is or by none, with a fault that there is or none.
fn heard() -> impl Strategy<Value = Value> {
    let codes = ["late", "gone", "flooded", "not-started", "refused", "malformed", "tired"];
    let exits = [json!(null), json!({ "code": 1 }), json!({ "signal": 9 }), json!("closed")];
    let fault =
        (0..3_usize, prop::sample::select(codes.to_vec()), prop::sample::select(exits.to_vec()));
    let fault = fault.prop_map(|(seat, fault, exit)| {
        let mut heard = json!({ "seat": seat, "fault": fault });
        if !exit.is_null() {
            heard["exit"] = exit;
        }
        heard
    });
    let words = ["north", "south west", "EAST", "nonsense", ""];
    let line = (0..3_usize, prop::sample::select(words.to_vec()), any::<bool>());
    let line = line.prop_map(
        |(seat, line, asked)| json!({ "seat": seat, "line": line, "asked": asked, "at_us": 0 }),
    );
    prop_oneof![fault, line]
}

fn step() -> impl Strategy<Value = Value> {
    let heard = prop::collection::vec(heard(), 0..4);
    let draws = prop::collection::vec(any::<u32>(), 0..2);
    (0..4_u32, heard, draws).prop_map(|(turn, heard, draws)| {
        let digest = "0000000000000000";
        json!({ "kind": "step", "turn": turn, "heard": heard, "draws": draws, "digest": digest })
    })
}

#[test]
fn what_no_referee_can_have_heard_is_no_line_of_a_replay() {
    let heard = [
        (json!({ "seat": 2, "fault": "late" }), "expected seat 0 or 1, got 2"),
        (
            json!({ "seat": 0, "fault": "tired" }),
            "expected late, gone, flooded or not-started, found `tired`",
        ),
    ];
    for (heard, reason) in heard {
        let step = json!({ "kind": "step", "turn": 0, "heard": [heard], "digest": "0" });
        let header = TEXT.split_inclusive(|byte| *byte == b'\n').next().expect("a header");
        let text = [header, step.to_string().as_bytes(), b"\n"].concat();
        let error = parsed(&text).expect_err("it cannot have been heard").to_string();
        assert!(error.starts_with("line 2: ") && error.ends_with(reason), "{error}");
    }
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
        let text = String::from_utf8_lossy(&TEXT);
        // Behind the header and so many steps.
        let mut lines: Vec<String> =
            text.lines().take(1 + at.index(REPLAY.steps.len())).map(str::to_owned).collect();
        lines.extend(steps.iter().map(Value::to_string));
        let text = lines.join("\n") + "\n";
        let mut reader = Reader::new(text.as_bytes()).expect("its header is as it was");
        prop_assert!(hockey().verify(&mut reader).is_err(), "no digest is 0");
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
