//! What is known of a match when it is over.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use quintain_core::{ErrorKind, ErrorKinds, Fault, Outcome, PerSeat, Seat};
use quintain_referee::{IntroductionLine, LateAnswer, TagList, Unprotected};
use quintain_replay::ReplayError;

#[derive(Debug)]
pub struct MatchReport {
    /// As they are shown.
    pub names: PerSeat<String>,
    /// As the bots are called on the wire.
    pub wire_names: PerSeat<String>,
    /// What was said before the match, in games whose bots introduce themselves.
    pub introduction: Vec<IntroductionLine>,
    pub outcome: Outcome,
    pub turns: u32,
    pub seed: i64,
    /// One sentence: who won, and why.
    pub closing: String,
    /// Everything that the referee found, in order.
    pub faults: Vec<(Seat, Fault)>,
    /// What the bots did wrong, as whoever counts errors counts them: what the referee found and what
    /// the rules refused, each kind of a seat once, in the order in which it was first seen.
    pub errors: Vec<SeatError>,
    pub answers: PerSeat<AnswerStats>,
    /// Late answers that were the machine's fault: the match should be played again.
    pub disturbed: Vec<Disturbed>,
    /// Why it could not be told of a bot whether the machine kept it waiting, so that late was late.
    pub unprotected: PerSeat<Option<Unprotected>>,
    /// For a match that goes on from a recorded one: the recorded turn, counted from 1, in which a bot
    /// was waited for in vain. It may not know what was played.
    pub behind: PerSeat<Option<u32>>,
    pub replay: Option<PathBuf>,
    /// The SHA-256 of the replay's lines; `None` if there is none, or not all of it.
    pub replay_digest: Option<String>,
    /// The match counts, but its replay is not complete.
    pub replay_error: Option<ReplayError>,
    /// The last thing that each bot wrote to its error output.
    pub last_stderr: PerSeat<String>,
    /// What the original runner's referee would remark, in games that have one. Any remark asks for
    /// a person to look at the match.
    pub remarks: Option<Vec<String>>,
    /// The match counts, but its match log is not complete.
    pub match_log_error: Option<io::Error>,
    /// What the bots said about themselves and the match.
    pub tags: TagList,
    /// The fingerprint of all positions and of the outcome: the same for two matches in which the same was
    /// played.
    pub content: u64,
}

/// One kind of error of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatError {
    pub seat: Seat,
    pub kind: ErrorKind,
    pub times: u32,
    /// The first of them, in words.
    pub text: String,
}

/// A late answer that was the machine's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disturbed {
    pub seat: Seat,
    /// Turns completed before the one that it was for.
    pub turn: u32,
    pub late: LateAnswer,
}

impl MatchReport {
    /// What each seat did wrong.
    pub fn error_kinds(&self) -> PerSeat<ErrorKinds> {
        let of = |seat| self.errors.iter().filter(move |error| error.seat == seat);
        PerSeat::from_fn(|seat| of(seat).map(|error| error.kind).collect())
    }
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
