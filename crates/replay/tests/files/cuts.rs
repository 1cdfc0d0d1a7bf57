//! Files that end early, anywhere.

use quintain_replay::{Reader, Replay, ReplayError};

use crate::played::{hockey, play, played_text};

fn parsed(bytes: &[u8]) -> Result<Replay, ReplayError> {
    Replay::of(&mut Reader::new(bytes)?)
}

#[test]
fn a_plain_file_may_end_at_every_byte() {
    let text = played_text(3);
    let whole = parsed(&text).expect("a whole replay");
    assert!(whole.cut.is_none() && whole.end.is_some() && whole.steps.len() > 5);
    // A line is complete when its last brace is there; the line end may be missing.
    let line_ends: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b'\n').collect();
    for length in 0..=text.len() {
        let complete = line_ends.iter().filter(|&&end| end <= length).count();
        let read = parsed(&text[..length]);
        if complete == 0 {
            assert!(matches!(read, Err(ReplayError::NoHeader { .. })), "{length} bytes");
            continue;
        }
        let replay = read.unwrap_or_else(|error| panic!("{length} bytes: {error}"));
        let steps = (complete - 1).min(whole.steps.len());
        assert_eq!(replay.steps, whole.steps[..steps], "{length} bytes");
        assert_eq!(replay.end.is_some(), complete == line_ends.len(), "{length} bytes");
        let expected = replay.end.is_none().then_some("the file was cut off");
        assert_eq!(replay.cut.as_deref(), expected, "{length} bytes");
        assert_eq!(replay.damage, None);
    }
    for &end in &line_ends {
        let replay = parsed(&text[..=end]).expect("whole lines");
        let ended = hockey().verify(&mut replay.playback()).expect("what is there is right");
        assert_eq!(ended.turn as usize, replay.steps.len(), "greedy and random never err");
        let film = hockey().film(&mut replay.playback()).expect("what is there can be shown");
        let cut = format!("ends after turn {}: the file was cut off", ended.turn);
        assert_eq!(film.ending == cut, ended.outcome.is_none(), "{}", film.ending);
    }
}

fn compressed_match() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("match.replay.jsonl.zst");
    play(&path, 3);
    std::fs::read(path).expect("the file was written")
}

#[test]
fn a_compressed_file_may_end_at_every_byte() {
    let bytes = compressed_match();
    let whole = parsed(&bytes).expect("a whole replay");
    assert!(whole.cut.is_none() && whole.damage.is_none());
    let mut with_header = 0;
    for length in 0..bytes.len() {
        match parsed(&bytes[..length]) {
            Err(ReplayError::NoHeader { .. }) => assert_eq!(with_header, 0, "{length} bytes"),
            Err(error) => panic!("{length} bytes: {error}"),
            Ok(replay) => {
                with_header += 1;
                assert!(whole.steps.starts_with(&replay.steps), "{length} bytes");
                assert_eq!(replay.cut.as_deref(), Some("the file was cut off"), "{length} bytes");
                assert_eq!(replay.damage, None, "{length} bytes");
            }
        }
    }
    assert!(with_header > bytes.len() / 3, "the header leaves the process at once");
}

/// By the reader, or by playing the match again.
#[test]
fn a_changed_bit_in_a_compressed_file_is_noticed() {
    let bytes = compressed_match();
    let whole = parsed(&bytes).expect("a whole replay");
    let (mut unreadable, mut salvaged) = (0, 0);
    for at in 4..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let Ok(replay) = parsed(&changed) else {
            unreadable += 1;
            continue;
        };
        let is_right = hockey().verify(&mut replay.playback()).is_ok();
        let is_noticed = replay.damage.is_some() || replay.cut.is_some() || !is_right;
        assert!(is_noticed || replay == whole, "byte {at}");
        salvaged += u32::from(replay.damage.is_some() && is_right && !replay.steps.is_empty());
    }
    assert!(unreadable > 0 && salvaged > 0, "{unreadable} {salvaged}");
}

#[test]
fn damage_is_told_apart_from_a_file_that_is_no_replay() {
    let mut bytes = compressed_match();
    bytes[9] ^= 0xff;
    let error = parsed(&bytes).expect_err("the header cannot be read").to_string();
    assert!(error.starts_with("the file is damaged: "), "{error}");
}

fn message(text: &str) -> String {
    parsed(text.as_bytes()).expect_err("no replay").to_string()
}

#[test]
fn what_is_no_replay_is_shown() {
    assert!(message("").contains("found nothing"));
    assert!(message("\n").contains("found an empty line"));
    assert!(message("hello\n").contains("found `hello`"));
    assert!(message("{\"kind\":\"step\"}\n").contains("\"kind\":\"header\" first"));
    let newer = "{\"kind\":\"header\",\"format\":999,\"something\":\"new\"}\n";
    assert!(message(newer).contains("expected replay format 2 or older, found 999"));
    let escape = message("\u{1b}[2J\u{7}\n");
    assert!(!escape.contains('\u{1b}') && !escape.contains('\u{7}'), "{escape:?}");
}

#[test]
fn a_strange_line_is_named_by_its_number() {
    let text = String::from_utf8(played_text(3)).expect("text");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[4] = "{\"kind\":\"step\",\"turn\":\"many\"}";
    let error = message(&(lines.join("\n") + "\n"));
    assert!(error.starts_with("line 5: expected a line of a replay, found `"), "{error}");
    let doubled = format!("{text}{text}");
    let behind = format!("line {}: expected nothing after the end, found ", lines.len() + 1);
    assert!(message(&doubled).starts_with(&behind));
    for garbage in ["\n", " ", "x", "{}"] {
        assert!(message(&format!("{text}{garbage}")).starts_with(&behind), "{garbage:?}");
    }
    let doubled = format!("{}{text}", text.lines().next().expect("a header").to_owned() + "\n");
    assert!(message(&doubled).contains("it is out of place"));
}
