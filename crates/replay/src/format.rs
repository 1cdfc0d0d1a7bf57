//! The lines of a replay file. Changing them is a change of format: raise [`FORMAT_VERSION`] and
//! keep reading the old ones.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::{
    Absence, Edition, Exit, Fault, Manner, Opening, Outcome, PerSeat, Seat, Verdict, printable,
};
use quintain_referee::{Capped, Departure, Input, StepRecord, Timing};
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
    /// What all times were multiplied by.
    pub time_scale: f64,
    /// What of that is for the speed of the machine, as a server measured it. 1 where nobody did.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub machine_scale: f64,
    /// Whether a seat was timed.
    pub clock: PerSeat<bool>,
    /// Milliseconds since 1970, when the match began.
    pub started_ms: u64,
    /// What held the programs: the level of the sandbox and the layers that it had. Nothing if they were
    /// trusted, and in files of versions that had no sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
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

/// A step as a replay holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedStep {
    /// Times are whole microseconds, and nothing is known of how an answer came to be late.
    pub record: StepRecord,
    /// Fingerprint of the position after the step.
    pub digest: u64,
}

/// One step.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepLine {
    /// Turns completed before the step.
    turn: u32,
    heard: Vec<InputLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    draws: Vec<u32>,
    /// Lines beyond the limit of a turn.
    #[serde(default, skip_serializing_if = "is_default")]
    dropped: PerSeat<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    answers: PerSeat<Option<AnswerTime>>,
    /// The seat's answer came late because the machine did not let it run in time.
    #[serde(default, skip_serializing_if = "is_default")]
    disturbed: PerSeat<bool>,
    #[serde(default, skip_serializing_if = "is_default", with = "stderr")]
    stderr: PerSeat<Capped>,
    /// What the seat's bot did to its state files and was put right.
    #[serde(default, skip_serializing_if = "is_default")]
    meddling: PerSeat<Vec<String>>,
    /// Fingerprint of the position after the step.
    #[serde(with = "hex")]
    digest: u64,
}

/// A line heard, or a fault.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum InputLine {
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
        exit: Option<Exit>,
        /// For a malformed answer: what was expected. The answer itself is a line before this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        /// How long after its question the seat was given up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after_us: Option<u64>,
    },
}

/// How long an answer took, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerTime {
    wall_us: u64,
    /// What of that the referee has used itself and does not count.
    #[serde(default, skip_serializing_if = "is_default")]
    given_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cpu_us: Option<u64>,
    /// How long the bot was ready to run and had to wait for a processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waited_us: Option<u64>,
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
    pub exits: PerSeat<Option<Exit>>,
    /// Error output after the last step.
    #[serde(default, skip_serializing_if = "is_default", with = "stderr")]
    pub stderr: PerSeat<Capped>,
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
    pub(crate) fn new(record: &StepRecord, digest: u64) -> Self {
        StepLine {
            turn: record.turn,
            heard: record.inputs.iter().map(InputLine::new).collect(),
            draws: record.draws.clone(),
            dropped: record.dropped,
            answers: record.answers.map(|_, timing| timing.map(AnswerTime::new)),
            disturbed: record.disturbed,
            stderr: record.stderr.clone(),
            meddling: record.meddling.clone(),
            digest,
        }
    }

    /// # Errors
    /// Something was heard that no referee can have heard.
    pub(crate) fn recorded(self) -> Result<RecordedStep, String> {
        let record = StepRecord {
            turn: self.turn,
            inputs: self.heard.into_iter().map(InputLine::input).collect::<Result<_, _>>()?,
            draws: self.draws,
            dropped: self.dropped,
            answers: self.answers.map(|_, time| time.map(AnswerTime::timing)),
            disturbed: self.disturbed,
            late: PerSeat::default(),
            stderr: self.stderr,
            meddling: self.meddling,
        };
        Ok(RecordedStep { record, digest: self.digest })
    }
}

impl InputLine {
    fn new(input: &Input) -> Self {
        match input {
            Input::Line { seat, asked, line, at } => InputLine::Line {
                seat: seat.index(),
                line: line.clone(),
                asked: *asked,
                at_us: micros(*at),
            },
            Input::Fault { seat, fault, after } => InputLine::Fault {
                seat: seat.index(),
                fault: fault.code().to_owned(),
                exit: match fault {
                    Fault::Gone(exit) | Fault::NotStarted(Absence::Left(exit)) => Some(*exit),
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

    fn input(self) -> Result<Input, String> {
        match self {
            InputLine::Line { seat, line, asked, at_us } => {
                let (seat, at) = (Seat::try_from(seat)?, Duration::from_micros(at_us));
                Ok(Input::Line { seat, asked, line, at })
            }
            InputLine::Fault { seat, fault, exit, after_us, .. } => Ok(Input::Fault {
                seat: Seat::try_from(seat)?,
                fault: fault_of(&fault, exit)?,
                after: after_us.map(Duration::from_micros),
            }),
        }
    }
}

/// The fault that the referee found, by its code.
fn fault_of(code: &str, exit: Option<Exit>) -> Result<Fault, String> {
    Ok(match code {
        "late" => Fault::Late,
        "gone" => Fault::Gone(exit.unwrap_or(Exit::Closed)),
        "flooded" => Fault::Flooded,
        "not-started" => Fault::NotStarted(exit.map_or(Absence::Silent, Absence::Left)),
        "refused" => Fault::NotStarted(Absence::Refused),
        "unstartable" => Fault::NotStarted(Absence::Unstartable),
        _ => return Err(format!("expected late, gone, flooded or not-started, found `{code}`")),
    })
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

    fn timing(self) -> Timing {
        Timing {
            wall: Duration::from_micros(self.wall_us),
            given: Duration::from_micros(self.given_us),
            cpu: self.cpu_us.map(Duration::from_micros),
            waited: self.waited_us.map(Duration::from_micros),
        }
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
            exits: left.as_ref().map(|_, departure| departure.exit),
            stderr: left.as_ref().map(|_, departure| departure.stderr.clone()),
            lines: None,
        }
    }
}

/// As times are kept.
pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn one() -> f64 {
    1.0
}

fn is_one(scale: &f64) -> bool {
    *scale == 1.0
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What bots wrote to their error output, and how much of it was not kept.
mod stderr {
    use std::borrow::Cow;

    use quintain_core::PerSeat;
    use quintain_referee::Capped;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct StderrLine<'a> {
        text: Cow<'a, str>,
        #[serde(default, skip_serializing_if = "super::is_default")]
        dropped_bytes: u64,
    }

    pub(super) fn serialize<S: Serializer>(
        value: &PerSeat<Capped>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let lines = value.as_ref().map(|_, capped| StderrLine {
            text: capped.text.as_str().into(),
            dropped_bytes: capped.dropped,
        });
        lines.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<PerSeat<Capped>, D::Error> {
        let lines = PerSeat::<StderrLine<'_>>::deserialize(from)?;
        let capped = |line: StderrLine<'_>| Capped {
            text: line.text.into_owned(),
            dropped: line.dropped_bytes,
        };
        Ok(lines.map(|_, line| capped(line)))
    }
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
