//! What happened in a step, and how a game ends.

use quintain_core::{Outcome, PerSeat, Seat, Verdict};

use crate::board::Node;
use crate::{Direction, Illegal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The puck moved. `next` is who throws after it; `None` if the throw ended the game.
    Threw { seat: Seat, from: Node, direction: Direction, to: Node, next: Option<Seat> },
    /// Nothing moved; the same seat is to throw and its clock runs on.
    Refused { seat: Seat, why: Illegal },
    /// The game is over. `last` threw last or, without a throw, failed to.
    Ended { ending: Ending, last: Seat },
}

/// How a game ended, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The puck lies in the net in which the winner scores, whoever threw it.
    Goal { winner: Seat },
    /// The loser threw the puck to where no free line is left.
    Checkmate { winner: Seat },
    /// The loser did not throw in time, or left.
    Timeout { winner: Seat },
    /// The loser could not be started or never gave a name.
    NeverReady { winner: Seat },
    /// Nobody could.
    NobodyReady,
}

impl Ending {
    pub const GOAL: &'static str = "a goal was made";
    pub const CHECKMATE: &'static str = "checkmate was achieved";
    pub const TIMEOUT: &'static str = "timeout";
    pub const NEVER_READY: &'static str = "never became ready";

    pub const fn winner(self) -> Option<Seat> {
        match self {
            Ending::Goal { winner }
            | Ending::Checkmate { winner }
            | Ending::Timeout { winner }
            | Ending::NeverReady { winner } => Some(winner),
            Ending::NobodyReady => None,
        }
    }

    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Goal { .. } => Ending::GOAL,
            Ending::Checkmate { .. } => Ending::CHECKMATE,
            Ending::Timeout { .. } => Ending::TIMEOUT,
            Ending::NeverReady { .. } | Ending::NobodyReady => Ending::NEVER_READY,
        }
    }

    /// A game won is one point.
    pub fn to_outcome(self) -> Outcome {
        match self.winner() {
            Some(winner) => Outcome::won(winner, self.reason()),
            None => Outcome {
                verdicts: PerSeat([Verdict::Loss; 2]),
                scores: PerSeat([0; 2]),
                reason: self.reason(),
            },
        }
    }
}
