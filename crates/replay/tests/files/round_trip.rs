//! Every field comes back as it was written.

use std::time::Duration;

use quintain_core::{Absence, Exit, Fault, Game as _, Outcome, ParseError, PerSeat, Seat, Verdict};
use quintain_referee::{Capped, Departure, Input, LateAnswer, StepRecord, Timing};
use quintain_replay::{RecordedStep, Writer, read};
use serde_json::{Value, json};

use crate::played::{header, start};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

/// Every fault that the referee can find.
fn faults() -> Vec<Fault> {
    let exits = [Exit::Code(0), Exit::Code(-3), Exit::Signal(11), Exit::Closed];
    let mut faults = vec![
        Fault::Late,
        Fault::Flooded,
        Fault::NotStarted(Absence::Silent),
        Fault::NotStarted(Absence::Refused),
    ];
    faults.extend(exits.map(Fault::Gone));
    faults.extend(exits.map(|exit| Fault::NotStarted(Absence::Left(exit))));
    faults
}

fn lines() -> Vec<Input> {
    let texts = ["north", "", "a\u{fffd}b\u{0}\u{1b}[31m", "\"quoted\"\\", "日本語\u{2028}"];
    let line = |(index, text): (usize, &&str)| Input::Line {
        seat: if index % 2 == 0 { FIRST } else { SECOND },
        asked: index % 3 == 0,
        line: (*text).to_owned(),
        at: Duration::from_micros(index as u64 * 1_000_003),
    };
    texts.iter().enumerate().map(line).collect()
}

fn full_record() -> StepRecord {
    let fault = |fault| Input::Fault { seat: SECOND, fault, after: Some(Duration::from_micros(7)) };
    let timing = |cpu: Option<u64>, waited: Option<u64>| Timing {
        wall: Duration::from_micros(1_234_567),
        given: Duration::from_micros(89),
        cpu: cpu.map(Duration::from_micros),
        waited: waited.map(Duration::from_micros),
    };
    let stderr =
        Capped { text: "Traceback:\n  oh \"no\"\u{1b}[0m\n".to_owned(), dropped: 99_999_999 };
    StepRecord {
        turn: 41,
        inputs: lines().into_iter().chain(faults().into_iter().map(fault)).collect(),
        draws: vec![0, 5, u32::MAX],
        dropped: PerSeat([0, 123_456]),
        answers: PerSeat([Some(timing(None, None)), Some(timing(Some(77), Some(5)))]),
        disturbed: PerSeat([false, true]),
        late: PerSeat([None, Some(late())]),
        stderr: PerSeat([Capped::default(), stderr]),
        meddling: PerSeat([vec!["put a pipe at rounds/9".to_owned()], Vec::new()]),
    }
}

fn departures() -> PerSeat<Departure> {
    PerSeat([
        Departure {
            exit: Some(Exit::Signal(9)),
            stderr: Capped { text: "last words".to_owned(), dropped: 0 },
            unprotected: None,
        },
        Departure::default(),
    ])
}

const OUTCOME: Outcome = Outcome {
    verdicts: PerSeat([Verdict::Win, Verdict::Disqualified]),
    scores: PerSeat([i64::MAX, -5]),
    reason: "a reason",
};

#[test]
fn every_field_comes_back_from_both_kinds_of_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["deep/er/match.jsonl", "match.replay.jsonl.zst"] {
        let path = folder.path().join(name);
        let mut writer = Writer::create(&path, header(), None).expect("a writer");
        assert_eq!(writer.path(), path);
        let (game, records) = (start(), [full_record(), StepRecord::default()]);
        for record in &records {
            writer.played(record, game.fingerprint());
        }
        writer.finish(&OUTCOME, 42, u64::MAX - 1, &departures()).expect("a whole file");

        let replay = read(&path).expect("a replay");
        assert_eq!(replay.header, header());
        let digest = game.fingerprint();
        let expected = records.map(|record| RecordedStep {
            record: StepRecord { late: PerSeat::default(), ..record },
            digest,
        });
        assert_eq!(replay.steps, expected, "{name}");
        assert_eq!((replay.cut, replay.damage), (None, None));
        let end = replay.end.expect("the match was finished");
        assert_eq!((end.turns, end.messages), (42, u64::MAX - 1));
        assert_eq!(end.verdicts.0, [Verdict::Win, Verdict::Disqualified]);
        assert_eq!((end.scores, end.reason.as_str()), (OUTCOME.scores, "a reason"));
        assert_eq!(end.exits, PerSeat([Some(Exit::Signal(9)), None]));
        assert_eq!(end.stderr[FIRST].text, "last words");
        assert_eq!(end.stderr[SECOND], Capped::default());
    }
}

#[test]
fn a_senseless_answer_names_what_was_expected() {
    let malformed = Fault::Malformed(ParseError::new("a direction", "up"));
    let record = StepRecord {
        inputs: vec![Input::Fault { seat: FIRST, fault: malformed, after: None }],
        ..StepRecord::default()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("match.jsonl");
    let mut writer = Writer::create(&path, header(), None).expect("a writer");
    writer.played(&record, 0);
    writer.break_off();
    let text = std::fs::read_to_string(path).expect("a file");
    let step: Value = serde_json::from_str(text.lines().last().expect("a step")).expect("JSON");
    let heard = &step["heard"][0];
    assert_eq!((&heard["fault"], &heard["expected"]), (&json!("malformed"), &json!("a direction")));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let occupied = folder.path().join("file");
    std::fs::write(&occupied, "").expect("a file");
    let path = occupied.join("match.jsonl");
    let error = Writer::create(&path, header(), None).err().expect("a file is no folder");
    let text = error.to_string();
    assert!(text.starts_with("cannot write ") && text.contains("match.jsonl"), "{text}");
}

/// What was measured is among the answers; the file only keeps that it was the machine's fault.
fn late() -> LateAnswer {
    LateAnswer {
        wall: Duration::from_millis(60),
        limit: Duration::from_millis(50),
        cpu: Duration::ZERO,
        cpu_age: Duration::ZERO,
        bot_waited: Duration::ZERO,
        referee_waited: Duration::from_millis(10),
        is_followed: true,
        is_chatty: false,
        is_crowded: false,
    }
}
