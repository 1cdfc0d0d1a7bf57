//! What happened in a turn, and how a match ends.

use quintain_core::Seat;

use crate::{Action, Refusal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A valid answer. If the other's is not, it has no effect.
    Played { seat: Seat, action: Action },
    /// An answer that disqualifies.
    Refused { seat: Seat, why: Refusal },
    /// Energy fell below 0: the action was not carried out.
    Exhausted { seat: Seat },
    /// An eighth drug.
    Doped { seat: Seat },
    /// The striker's lunge arrived.
    Touched { striker: Seat },
    /// The defender's parry held; energy went over to it.
    Parried { defender: Seat },
    /// Moved off the piste, which is a point for the other.
    Outside { seat: Seat },
    /// The fencers met or passed each other. No point.
    Collided,
    /// A turn in which nobody is asked and both go back to their places.
    Respawned,
    /// The match is over.
    Ended { ending: Ending },
}

/// What disqualifies one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offence {
    /// An invalid command.
    Invalid,
    /// No answer in time.
    Silent,
    /// Energy below 0.
    Forfeit,
    Doping,
}

/// Why a match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The offence of the first seat that has one. The other may have another.
    Offence(Offence),
    /// Enough points, and far enough ahead.
    Decisive,
    /// Two hundred turns have been played.
    TurnLimit,
    /// As many turns, and nobody has scored.
    NonCombativity,
}

impl Ending {
    pub const fn reason(self) -> &'static str {
        match self {
            Ending::Offence(Offence::Invalid) => "invalid command",
            Ending::Offence(Offence::Silent) => "no answer",
            Ending::Offence(Offence::Forfeit) => "forfeit, out of energy",
            Ending::Offence(Offence::Doping) => "doping",
            Ending::Decisive => "decisive victory",
            Ending::TurnLimit => "turn limit",
            Ending::NonCombativity => "non-combativity",
        }
    }
}
