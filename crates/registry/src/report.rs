//! What is known of a match when it is over.

use std::path::PathBuf;
use std::time::Duration;

use quintain_core::{Fault, Outcome, PerSeat, Seat};
use quintain_referee::Tag;
use quintain_replay::ReplayError;

#[derive(Debug)]
pub struct MatchReport {
    /// As they are shown.
    pub names: PerSeat<String>,
    /// As the bots are called on the wire.
    pub wire_names: PerSeat<String>,
    pub outcome: Outcome,
    pub turns: u32,
    pub seed: i64,
    /// One sentence: who won, and why.
    pub closing: String,
    /// Everything that the referee found, in order.
    pub faults: Vec<(Seat, Fault)>,
    pub answers: PerSeat<AnswerStats>,
    pub replay: Option<PathBuf>,
    /// The match counts, but its replay is not complete.
    pub replay_error: Option<ReplayError>,
    /// The last thing that each bot wrote to its error output.
    pub last_stderr: PerSeat<String>,
    /// What the bots said about themselves and the match.
    pub tags: Vec<Tag>,
}

/// How long a seat took to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerStats {
    pub count: u32,
    pub total: Duration,
    pub worst: Duration,
}

impl AnswerStats {
    pub fn add(&mut self, wall: Duration) {
        self.count += 1;
        self.total += wall;
        self.worst = self.worst.max(wall);
    }

    pub fn mean(&self) -> Duration {
        if self.count == 0 { Duration::ZERO } else { self.total / self.count }
    }
}
