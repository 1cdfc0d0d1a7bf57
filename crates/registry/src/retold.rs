//! What is kept of a match, told again by its replay alone: whoever was sent a replay and a record need not believe
//! the record.

use quintain_core::Seat;
use quintain_record::SeatError;
use quintain_replay::{Reached, Recording, RerunError, rerun};

use crate::NoSpectator;
use crate::followers::MatchFollowers;
use crate::question::Asking;

/// What a replay says of its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retold {
    pub reached: Reached,
    /// The fingerprint of what was played; `None` if the replay ends before the match does.
    pub content: Option<u64>,
    /// What the bots did wrong, as [`MatchReport`](crate::MatchReport) has it.
    pub errors: Vec<SeatError>,
    /// Answers that were late because the machine was busy: whose, and turns completed before the one that it was for.
    pub disturbed: Vec<(Seat, u32)>,
}

pub(crate) fn retell<G: Asking>(recording: &mut dyn Recording) -> Result<Retold, RerunError> {
    let names = recording.header().shown_names();
    let mut nobody = NoSpectator;
    let mut followers = MatchFollowers::<G>::new(None, None, &mut nobody, names, false, None);
    let reached = rerun::<G>(recording, &mut followers)?;
    Ok(followers.retold(reached))
}
