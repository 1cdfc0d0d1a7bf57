//! What is kept of a match.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use quintain_core::{
    CodeError, ErrorKind, ErrorKinds, FaultCause, Outcome, PerSeat, Seat, Verdict, decode,
};
use serde::{Deserialize, Serialize};

use crate::{BotId, MatchId, Tag, micros};

/// A finished match with everything that is kept of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    pub head: MatchHead,
    /// What went wrong: one entry per seat and kind, in the order in which it was first seen.
    pub errors: Vec<SeatError>,
    /// Late answers that were the machine's fault, by attempt. Attempts before the last were thrown away;
    /// a void match lists all of its attempts.
    pub disturbances: Vec<Disturbance>,
    pub tags: Vec<Tag>,
}

/// The part of a match that is one row: all that a list needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHead {
    pub id: MatchId,
    pub seed: i64,
    /// Who had which seat.
    pub bots: PerSeat<BotId>,
    pub ending: Ending,
    pub turns: u32,
    /// The fingerprint of what was played, the same for matches that are copies of each other; `None` where
    /// it is not known.
    pub content: Option<u64>,
    /// As the caller wants to find it again; in a store best relative to the store's folder.
    pub replay: Option<String>,
    /// The SHA-256 of the replay when unpacked, in hexadecimal digits.
    pub replay_digest: Option<String>,
    /// What held the programs; `None` if they were trusted, or nobody knows any more.
    #[serde(default)]
    pub sandbox: Option<String>,
    #[serde(with = "micros", rename = "duration_us")]
    pub duration: Duration,
    pub answers: PerSeat<AnswerTimes>,
    /// Milliseconds since 1970.
    pub finished_ms: i64,
}

/// A match as a store lists it: its head, and how much there is of the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRow {
    /// Counts the matches of the run in the order in which they were recorded, from 1.
    pub number: u64,
    pub head: MatchHead,
    /// What each seat did wrong.
    pub errors: PerSeat<ErrorKinds>,
    /// How many disturbances there were.
    pub disturbed: u32,
}

/// As much of a match as results are counted by, so that a million of them are read quickly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// As in [`MatchRow`].
    pub number: u64,
    pub id: MatchId,
    pub bots: PerSeat<BotId>,
    /// Of the first seat: 2 if it won, 1 for a draw, 0 if it lost; -1 if both lost, `None` if the match is void.
    pub half_points: Option<i8>,
    /// What each seat did wrong.
    pub errors: PerSeat<ErrorKinds>,
    pub content: Option<u64>,
}

/// What a match counts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    Scored(Scored),
    /// Never scored, never played again, never hidden.
    Void(VoidReason),
}

/// The result of a match that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scored {
    pub verdicts: PerSeat<Verdict>,
    pub scores: PerSeat<i64>,
    /// The game's constant for it.
    pub reason: String,
}

/// Why a match counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VoidReason {
    /// The machine disturbed it each time.
    Disturbed,
    /// A bug of ours ended it.
    Aborted,
}

/// How long a seat took to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerTimes {
    pub count: u32,
    #[serde(with = "micros", rename = "total_us")]
    pub total: Duration,
    #[serde(with = "micros", rename = "worst_us")]
    pub worst: Duration,
}

/// How often a seat made one kind of error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatError {
    pub seat: Seat,
    pub kind: ErrorKind,
    pub times: u32,
    /// Why the first of them was made, where its kind leaves that open and it is known.
    pub cause: Option<FaultCause>,
    /// The first of them, in words.
    pub text: String,
}

/// An answer that was late because the machine was busy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disturbance {
    /// 1 for the first attempt at the match.
    pub attempt: u32,
    pub seat: Seat,
    /// Turns completed before the one that it was for.
    pub turn: u32,
    #[serde(with = "micros", rename = "limit_us")]
    pub limit: Duration,
    #[serde(with = "micros", rename = "wall_us")]
    pub wall: Duration,
    #[serde(with = "micros::option", rename = "cpu_us")]
    pub cpu: Option<Duration>,
    /// How long the bot was ready to run and had to wait for a processor.
    #[serde(with = "micros::option", rename = "waited_us")]
    pub waited: Option<Duration>,
    pub replay: Option<String>,
}

impl MatchRecord {
    /// What each seat did wrong.
    pub fn error_kinds(&self) -> PerSeat<ErrorKinds> {
        error_kinds(&self.errors)
    }

    /// The record as every store gives it back: whole microseconds, the mean of answers instead of their
    /// sum, no zero characters (PostgreSQL takes none).
    pub fn storable(&self) -> MatchRecord {
        let mut record = self.clone();
        let head = &mut record.head;
        head.duration = micros::whole(head.duration);
        head.answers = head.answers.map(|_, answers| answers.storable());
        remove_zeros(&mut head.replay);
        remove_zeros(&mut head.sandbox);
        if let Ending::Scored(scored) = &mut head.ending {
            scored.reason = without_zeros(&scored.reason);
        }
        for error in &mut record.errors {
            error.text = without_zeros(&error.text);
        }
        for disturbance in &mut record.disturbances {
            disturbance.limit = micros::whole(disturbance.limit);
            disturbance.wall = micros::whole(disturbance.wall);
            disturbance.cpu = disturbance.cpu.map(micros::whole);
            disturbance.waited = disturbance.waited.map(micros::whole);
            remove_zeros(&mut disturbance.replay);
        }
        for tag in &mut record.tags {
            (tag.name, tag.value) = (without_zeros(&tag.name), without_zeros(&tag.value));
        }
        record
    }
}

/// What each seat did wrong, by kind.
pub fn error_kinds(errors: &[SeatError]) -> PerSeat<ErrorKinds> {
    let of = |seat| errors.iter().filter(move |error| error.seat == seat);
    PerSeat::from_fn(|seat| of(seat).map(|error| error.kind).collect())
}

impl AnswerTimes {
    pub fn add(&mut self, wall: Duration) {
        self.count += 1;
        self.total += wall;
        self.worst = self.worst.max(wall);
    }

    pub fn mean(&self) -> Duration {
        if self.count == 0 { Duration::ZERO } else { self.total / self.count }
    }

    /// Times of which the mean is known, and not the sum.
    pub fn with_mean(count: u32, worst: Duration, mean: Duration) -> AnswerTimes {
        AnswerTimes { count, total: mean.saturating_mul(count), worst }
    }

    fn storable(self) -> AnswerTimes {
        let (worst, mean) = (micros::whole(self.worst), micros::whole(self.mean()));
        AnswerTimes::with_mean(self.count, worst, mean)
    }
}

impl Disturbance {
    /// By how much the answer was late.
    pub fn overrun(&self) -> Duration {
        self.wall.saturating_sub(self.limit)
    }
}

impl Ending {
    pub fn is_void(&self) -> bool {
        matches!(self, Ending::Void(_))
    }

    pub fn reason(&self) -> &str {
        match self {
            Ending::Scored(scored) => &scored.reason,
            Ending::Void(reason) => reason.code(),
        }
    }
}

impl From<&Outcome> for Scored {
    fn from(outcome: &Outcome) -> Scored {
        let Outcome { verdicts, scores, reason } = *outcome;
        Scored { verdicts, scores, reason: reason.to_owned() }
    }
}

impl VoidReason {
    pub const ALL: [VoidReason; 2] = [VoidReason::Disturbed, VoidReason::Aborted];

    /// The reason's name in stores and machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            VoidReason::Disturbed => "disturbed",
            VoidReason::Aborted => "aborted",
        }
    }
}

impl fmt::Display for VoidReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for VoidReason {
    type Err = CodeError;

    fn from_str(code: &str) -> Result<VoidReason, CodeError> {
        decode("why a game is void", code, VoidReason::ALL, VoidReason::code)
    }
}

fn remove_zeros(text: &mut Option<String>) {
    *text = text.as_deref().map(without_zeros);
}

fn without_zeros(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(turns: u32, text: &str, nanoseconds: u64, ending: Ending) -> MatchRecord {
        let span = Duration::from_nanos(nanoseconds);
        let text = text.to_owned();
        let answers = AnswerTimes { count: turns, total: span * 3, worst: span };
        let head = MatchHead {
            id: MatchId { seed_index: turns, ..MatchId::default() },
            seed: -5,
            bots: PerSeat([BotId(1), BotId(0)]),
            ending,
            turns,
            content: Some(u64::MAX),
            replay: Some(text.clone()),
            replay_digest: None,
            sandbox: Some("basic: session".to_owned()),
            duration: span,
            answers: PerSeat([answers, AnswerTimes::default()]),
            finished_ms: 1,
        };
        let (seat, kind) = (Seat::Second, ErrorKind::NotStarted);
        let error =
            SeatError { seat, kind, times: 2, cause: Some(FaultCause::Left), text: text.clone() };
        let disturbance = Disturbance {
            attempt: 1,
            seat,
            turn: 3,
            limit: span,
            wall: span,
            cpu: Some(span),
            waited: None,
            replay: None,
        };
        let tag = Tag { name: text.clone(), seat: None, turn: Some(7), value: text };
        MatchRecord { head, errors: vec![error], disturbances: vec![disturbance], tags: vec![tag] }
    }

    fn endings() -> impl Strategy<Value = Ending> {
        prop_oneof![
            Just(Ending::Void(VoidReason::Disturbed)),
            ".*".prop_map(|reason| {
                let verdicts = PerSeat([Verdict::Disqualified, Verdict::Win]);
                Ending::Scored(Scored { verdicts, scores: PerSeat([-1, 3]), reason })
            }),
        ]
    }

    proptest! {
        #[test]
        fn what_a_store_gives_back_is_stored_as_it_is(
            turns in 0..10_000_u32, text: String, nanoseconds in 0..1_u64 << 50, ending in endings(),
        ) {
            let stored = record(turns, &text, nanoseconds, ending).storable();
            prop_assert_eq!(&stored.storable(), &stored);
        }

        #[test]
        fn a_stored_record_survives_a_message(
            turns in 0..10_000_u32, text: String, nanoseconds in 0..1_u64 << 50, ending in endings(),
        ) {
            let stored = record(turns, &text, nanoseconds, ending).storable();
            let message = serde_json::to_string(&stored).expect("plain data");
            let read: MatchRecord = serde_json::from_str(&message).expect("what was written");
            prop_assert_eq!(read, stored);
        }
    }

    #[test]
    fn every_reason_for_a_void_match_has_a_name_of_its_own() {
        for reason in VoidReason::ALL {
            assert_eq!(reason.code().parse(), Ok(reason));
        }
        let error = "Disturbed".parse::<VoidReason>().expect_err("names are in small letters");
        let expected = "expected why a game is void (disturbed, aborted), got `Disturbed`";
        assert_eq!(error.to_string(), expected);
    }
}
