//! The lines of a replay file. Changing them is a change of format: raise [`FORMAT_VERSION`] and
//! keep reading the old ones.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::{
    Absence, Edition, Exit, Fault, Manner, Opening, Outcome, PerSeat, Seat, Verdict, printable,
};
use quintain_referee::{Capped, Departure, Entry, StepRecord, Timing};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Format 2 added what ties a file to itself and to its maker: what sat on the seats, how long a seat was
/// waited for, the digest of all lines, the signature.
pub const FORMAT_VERSION: u32 = 2;

/// Any line of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Line {
    Header(Box<Header>),
    Step(StepLine),
    End(EndLine),
    Signature(SignatureLine),
}

/// The first line: all that is needed to start the match again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub format: u32,
    /// The version of quintain that wrote the file.
    pub quintain: String,
    pub game: String,
    pub rules_version: u32,
    pub edition: Edition,
    pub config: Value,
    /// A string, since browsers cannot hold 64 bits in a number.
    #[serde(with = "text")]
    pub seed: i64,
    pub setup: Value,
    /// The setup is not the usual one of the seed: somebody chose it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub own_setup: bool,
    /// The names on the wire.
    pub names: PerSeat<String>,
    pub first_message_id: u64,
    /// How the seats were told the state, where there is a choice.
    #[serde(default, skip_serializing_if = "is_default")]
    pub manners: PerSeat<Manner>,
    /// What sat on the seats, as the organiser named it.
    pub bots: PerSeat<String>,
    /// The same as far as it can be told by its content.
    #[serde(default, skip_serializing_if = "is_default")]
    pub players: PerSeat<PlayerLine>,
    /// `in-turn` or `together`.
    pub ask: String,
    pub time_scale: f64,
    /// Whether a seat was timed.
    pub clock: PerSeat<bool>,
    /// Milliseconds since 1970, when the match began.
    pub started_ms: u64,
    /// The key of whoever answers for the file; then a signature is its last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// Where the first turns come from, if others have played them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
}

/// What sat on a seat: a house bot, a program of these files, or something that cannot be told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerLine {
    /// The name of a house bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// The files of a program, each by the word that names it, with the SHA-256 of its content.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// The match from which another one goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The name of its replay, as it was given.
    pub replay: String,
    /// The first turn that is not from there, counted from 1.
    pub turn: u32,
    /// Who played it, as they are shown.
    pub names: PerSeat<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLine {
    /// Turns completed before the step.
    pub turn: u32,
    pub heard: Vec<EntryLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<u32>,
    /// Lines beyond the limit of a turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dropped: PerSeat<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub answers: PerSeat<Option<AnswerTime>>,
    /// The seat's answer came late because the machine did not let it run in time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disturbed: PerSeat<bool>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub stderr: PerSeat<StderrLine>,
    /// What the seat's bot did to its state files and was put right.
    #[serde(default, skip_serializing_if = "is_default")]
    pub meddling: PerSeat<Vec<String>>,
    /// Fingerprint of the position after the step.
    #[serde(with = "hex")]
    pub digest: u64,
}

/// A line heard, or a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum EntryLine {
    Line {
        seat: usize,
        line: String,
        asked: bool,
        at_us: u64,
    },
    Fault {
        seat: usize,
        fault: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit: Option<ExitLine>,
        /// For a malformed answer: what was expected. The answer itself is a line before this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        /// How long after its question the seat was given up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after_us: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitLine {
    Code(i32),
    Signal(i32),
    Closed,
}

/// How long an answer took, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerTime {
    pub wall_us: u64,
    /// What of that the referee has used itself and does not count.
    #[serde(default, skip_serializing_if = "is_default")]
    pub given_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// How long the bot was ready to run and had to wait for a processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_us: Option<u64>,
}

/// What a bot wrote to its error output, and how much of it was not kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StderrLine {
    pub text: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub dropped_bytes: u64,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    pub turns: u32,
    pub verdicts: PerSeat<Verdict>,
    pub scores: PerSeat<i64>,
    pub reason: String,
    /// Fingerprint of every message sent to either bot.
    #[serde(with = "hex")]
    pub messages: u64,
    /// How a bot left by itself.
    #[serde(default)]
    pub exits: PerSeat<Option<ExitLine>>,
    /// Error output after the last step.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stderr: PerSeat<StderrLine>,
    /// SHA-256 of all lines before this one. From format 2 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
}

/// The line behind the end of a signed file. It covers all lines before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureLine {
    /// As in the header.
    pub signer: String,
    pub signature: String,
}

impl Header {
    pub fn opening(&self) -> Opening {
        let Header { names, first_message_id, manners, .. } = self;
        Opening { names: names.clone(), first_message_id: *first_message_id, manners: *manners }
    }

    /// The names as they are shown: what the organiser called a bot and, if it calls itself
    /// otherwise, what it calls itself. Control characters are replaced.
    pub fn shown_names(&self) -> PerSeat<String> {
        PerSeat::from_fn(|seat| {
            let (bot, name) = (&self.bots[seat], &self.names[seat]);
            let shown = if bot == name { name.clone() } else { format!("{bot} ({name})") };
            printable(&shown).into_owned()
        })
    }
}

impl StepLine {
    pub fn new(record: &StepRecord, digest: u64) -> Self {
        StepLine {
            turn: record.turn,
            heard: record.entries.iter().map(EntryLine::new).collect(),
            draws: record.draws.clone(),
            dropped: record.dropped,
            answers: PerSeat::from_fn(|seat| record.answers[seat].map(AnswerTime::new)),
            disturbed: record.disturbed.map(|_, late| late.is_some()),
            stderr: PerSeat::from_fn(|seat| StderrLine::new(&record.stderr[seat])),
            meddling: record.meddling.clone(),
            digest,
        }
    }
}

impl EntryLine {
    fn new(entry: &Entry) -> Self {
        match entry {
            Entry::Line { seat, asked, line, at } => EntryLine::Line {
                seat: seat.index(),
                line: line.clone(),
                asked: *asked,
                at_us: micros(*at),
            },
            Entry::Fault { seat, fault, after } => EntryLine::Fault {
                seat: seat.index(),
                fault: fault.code().to_owned(),
                exit: match fault {
                    Fault::Gone(exit) | Fault::NotStarted(Absence::Left(exit)) => {
                        Some(ExitLine::new(*exit))
                    }
                    _ => None,
                },
                expected: match fault {
                    Fault::Malformed(error) => Some(error.expected.to_owned()),
                    _ => None,
                },
                after_us: after.map(micros),
            },
        }
    }

    pub fn seat(&self) -> Option<Seat> {
        match self {
            EntryLine::Line { seat, .. } | EntryLine::Fault { seat, .. } => Seat::from_index(*seat),
        }
    }

    /// The fault that the referee found; `None` for a line, or for a name that is no fault.
    pub fn fault(&self) -> Option<Fault> {
        let EntryLine::Fault { fault, exit, .. } = self else {
            return None;
        };
        match fault.as_str() {
            "late" => Some(Fault::Late),
            "gone" => Some(Fault::Gone(exit.map_or(Exit::Closed, ExitLine::exit))),
            "flooded" => Some(Fault::Flooded),
            "not-started" => {
                let left = exit.map(|exit| Absence::Left(exit.exit()));
                Some(Fault::NotStarted(left.unwrap_or(Absence::Silent)))
            }
            "refused" => Some(Fault::NotStarted(Absence::Refused)),
            "unstartable" => Some(Fault::NotStarted(Absence::Unstartable)),
            _ => None,
        }
    }
}

impl ExitLine {
    pub fn new(exit: Exit) -> Self {
        match exit {
            Exit::Code(code) => ExitLine::Code(code),
            Exit::Signal(signal) => ExitLine::Signal(signal),
            Exit::Closed => ExitLine::Closed,
        }
    }

    pub fn exit(self) -> Exit {
        match self {
            ExitLine::Code(code) => Exit::Code(code),
            ExitLine::Signal(signal) => Exit::Signal(signal),
            ExitLine::Closed => Exit::Closed,
        }
    }
}

impl AnswerTime {
    fn new(timing: Timing) -> Self {
        AnswerTime {
            wall_us: micros(timing.wall),
            given_us: micros(timing.given),
            cpu_us: timing.cpu.map(micros),
            waited_us: timing.waited.map(micros),
        }
    }
}

impl StderrLine {
    fn new(capped: &Capped) -> Self {
        StderrLine { text: capped.text.clone(), dropped_bytes: capped.dropped }
    }
}

impl EndLine {
    pub fn new(outcome: &Outcome, turns: u32, messages: u64, left: &PerSeat<Departure>) -> Self {
        EndLine {
            turns,
            verdicts: outcome.verdicts,
            scores: outcome.scores,
            reason: outcome.reason.to_owned(),
            messages,
            exits: PerSeat::from_fn(|seat| left[seat].exit.map(ExitLine::new)),
            stderr: PerSeat::from_fn(|seat| StderrLine::new(&left[seat].stderr)),
            lines: None,
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A fingerprint as sixteen hexadecimal digits.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{value:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16)
            .map_err(|_| D::Error::custom(format!("expected hexadecimal digits, found `{text}`")))
    }
}

/// An integer as text.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &i64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format!("expected an integer, found `{text}`")))
    }
}
