//! What is kept of a game.

use std::fmt;
use std::time::Duration;

use quintain_core::{ErrorKind, ErrorKinds, PerSeat, Seat, Verdict};

/// Which game of a run this is, the same however often the run is begun again. A run has at most one
/// game of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    pub round: u32,
    /// Counts the pairings of the round.
    pub pairing: u32,
    /// Counts the seeds of the pairing; the two games of a seed are a pair.
    pub seed_index: u32,
    /// Whether this is the pair's game with the seats swapped.
    pub swapped: bool,
}

/// A finished game with everything that is kept of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    pub summary: Summary,
    /// What went wrong: one entry per seat and kind, in the order in which it was first seen.
    pub faults: Vec<FaultCount>,
    /// Attempts that were thrown away because the host was busy, in order. A void game lists all of
    /// its attempts.
    pub disturbances: Vec<Disturbance>,
    pub tags: Vec<Tag>,
}

/// The part of a game that is one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub identity: Identity,
    pub seed: i64,
    /// Who had which seat, as places in the run's list of bots.
    pub bots: PerSeat<u32>,
    pub ending: Ending,
    pub turns: u32,
    /// The fingerprint of what was played, the same for games that are copies of each other; `None` where
    /// it is not known.
    pub content: Option<u64>,
    /// As the caller wants to find it again; best relative to the store's folder.
    pub replay: Option<String>,
    /// The SHA-256 of the replay when unpacked, in hexadecimal digits.
    pub replay_digest: Option<String>,
    pub duration: Duration,
    pub answers: PerSeat<Answers>,
    /// Milliseconds since 1970.
    pub finished_ms: i64,
}

/// What a game counts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Scored {
        verdicts: PerSeat<Verdict>,
        scores: PerSeat<i64>,
        /// The game's constant for it.
        reason: String,
    },
    /// Never scored, never played again, never hidden.
    Void { reason: String },
}

/// How long a seat took to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    pub count: u32,
    pub worst: Duration,
    pub mean: Duration,
}

/// How often a seat made one kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    pub seat: Seat,
    pub kind: ErrorKind,
    pub times: u32,
    /// The first of them, in words.
    pub text: String,
}

/// An answer that was late because the host was busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disturbance {
    /// 1 for the first attempt at the game.
    pub attempt: u32,
    pub seat: Seat,
    pub turn: u32,
    pub limit: Duration,
    pub wall: Duration,
    pub cpu: Option<Duration>,
    /// How long the bot was ready to run and had to wait for a processor.
    pub waited: Option<Duration>,
    pub replay: Option<String>,
}

/// A value that a bot gave a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    /// The player it is about; `None` if it is about the match.
    pub seat: Option<Seat>,
    pub turn: Option<u32>,
    pub value: String,
}

/// A game as lists show it; [`crate::Store::game`] has the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Counts the games of the run in the order in which they were recorded, from 1.
    pub number: u64,
    pub summary: Summary,
    /// What each seat did wrong.
    pub errors: PerSeat<ErrorKinds>,
    /// How many disturbances there were.
    pub disturbed: u32,
}

/// A whole game with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbered {
    pub number: u64,
    pub game: Game,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity { round, pairing, seed_index, swapped } = self;
        let seats = if *swapped { ", seats swapped" } else { "" };
        write!(f, "round {round}, pairing {pairing}, seed {seed_index}{seats}")
    }
}

impl Ending {
    pub fn is_void(&self) -> bool {
        matches!(self, Ending::Void { .. })
    }

    pub fn reason(&self) -> &str {
        match self {
            Ending::Scored { reason, .. } | Ending::Void { reason } => reason,
        }
    }

    /// The column `result`: the first seat's half points, -1 if both lost.
    pub(crate) fn result(&self) -> Option<i64> {
        let Ending::Scored { verdicts, .. } = self else { return None };
        let rank = |seat| match verdicts[seat] {
            Verdict::Win => 2,
            Verdict::Draw => 1,
            Verdict::Loss | Verdict::Disqualified => 0_i64,
        };
        Some(match (rank(Seat::First), rank(Seat::Second)) {
            (0, 0) => -1,
            (first, second) => 1 + (first - second).signum(),
        })
    }
}

impl Game {
    /// The game as the database gives it back: whole microseconds, no zero characters (PostgreSQL
    /// takes none).
    pub(crate) fn storable(&self) -> Game {
        let mut game = self.clone();
        let summary = &mut game.summary;
        summary.duration = whole(summary.duration);
        for seat in Seat::BOTH {
            let answers = &mut summary.answers[seat];
            (answers.worst, answers.mean) = (whole(answers.worst), whole(answers.mean));
        }
        summary.replay = summary.replay.as_deref().map(without_zeros);
        match &mut summary.ending {
            Ending::Scored { reason, .. } | Ending::Void { reason } => {
                *reason = without_zeros(reason);
            }
        }
        for fault in &mut game.faults {
            fault.text = without_zeros(&fault.text);
        }
        for disturbance in &mut game.disturbances {
            disturbance.limit = whole(disturbance.limit);
            disturbance.wall = whole(disturbance.wall);
            disturbance.cpu = disturbance.cpu.map(whole);
            disturbance.waited = disturbance.waited.map(whole);
            disturbance.replay = disturbance.replay.as_deref().map(without_zeros);
        }
        for tag in &mut game.tags {
            (tag.name, tag.value) = (without_zeros(&tag.name), without_zeros(&tag.value));
        }
        game
    }
}

pub(crate) fn without_zeros(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Microseconds as a column holds them; half a million years are enough.
pub(crate) fn microseconds(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

fn whole(span: Duration) -> Duration {
    Duration::from_micros(microseconds(span).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_follows_the_ranks_and_tells_double_losses() {
        use Verdict::{Disqualified, Draw, Loss, Win};
        let result = |first, second| {
            let (verdicts, scores) = (PerSeat([first, second]), PerSeat([0, 0]));
            Ending::Scored { verdicts, scores, reason: String::new() }.result()
        };
        assert_eq!(result(Win, Loss), Some(2));
        assert_eq!(result(Win, Disqualified), Some(2));
        assert_eq!(result(Disqualified, Win), Some(0));
        assert_eq!(result(Draw, Draw), Some(1));
        assert_eq!(result(Loss, Disqualified), Some(-1));
        assert_eq!(Ending::Void { reason: String::new() }.result(), None);
    }
}
