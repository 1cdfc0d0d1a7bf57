//! What one step of a match leaves behind.

use std::time::Duration;

use quintain_core::{Fault, Item, PerSeat, Seat};

use crate::{Capped, LateAnswer};

/// Something that reached the table, in the order in which it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, decoded; `at` is a measurement.
    Line { seat: Seat, asked: bool, line: String, at: Duration },
    /// What kept a seat from answering, as the referee found it.
    /// `after` is a measurement: how long after its question it was given up, if it was asked.
    Fault { seat: Seat, fault: Fault, after: Option<Duration> },
}

impl Input {
    pub fn seat(&self) -> Seat {
        match self {
            Input::Line { seat, .. } | Input::Fault { seat, .. } => *seat,
        }
    }
}

/// How long a seat took to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    pub wall: Duration,
    /// What of that the referee has used itself and does not count.
    pub given: Duration,
    /// The processor time that the bot used, where the system counts it. Answers that came at once are
    /// not looked at for this.
    pub cpu: Option<Duration>,
    /// How long it was ready to run and had to wait for a processor. As above.
    pub waited: Option<Duration>,
}

/// One step, played or read from a replay: inputs first, then measurements. The digest of a match covers
/// the inputs only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepRecord {
    /// Turns completed before the step.
    pub turn: u32,
    pub inputs: Vec<Input>,
    pub draws: Vec<u32>,
    /// Lines beyond the limit of a turn: neither heard nor answered.
    pub dropped: PerSeat<u64>,
    /// Late ones too, if they came while somebody still waited for them.
    pub answers: PerSeat<Option<Timing>>,
    /// The answer came late because the machine did not let the bot run in time. The rules know
    /// only that it was late; whoever counts matches plays this one again.
    pub disturbed: PerSeat<bool>,
    /// What is known of an answer that was disturbed. Replays do not hold it.
    pub late: PerSeat<Option<LateAnswer>>,
    pub stderr: PerSeat<Capped>,
    /// What the bot did to its state files and was put right, in words.
    pub meddling: PerSeat<Vec<String>>,
}

impl StepRecord {
    /// What the referee found in the step.
    pub fn faults(&self) -> impl Iterator<Item = (Seat, Fault)> + '_ {
        self.inputs.iter().filter_map(|input| match input {
            Input::Fault { seat, fault, .. } => Some((*seat, *fault)),
            Input::Line { .. } => None,
        })
    }
}

/// Something said to a bot, as [`crate::Table`] hands it out.
pub type Message = (Seat, Item);
