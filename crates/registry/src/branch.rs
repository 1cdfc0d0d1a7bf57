//! A match that goes on from a turn of a recorded one.

use std::collections::VecDeque;

use quintain_core::{Chance, Game, PerSeat, Protocol, Seat};
use quintain_referee::{Incoming, Meeting, Table, World};
use quintain_replay::{Header, Origin, Replay, RerunError, StepLine, rerun};

use crate::feed::{FeedError, last_turn};
use crate::feeder::{Diet, Feeder, steps_before};
use crate::{MatchError, MatchSpec, SeatKind};

/// Where a match goes on.
#[derive(Clone, Debug)]
pub struct Branch {
    /// What was played before.
    pub replay: Replay,
    /// What the replay is called in the header of the new one.
    pub source: String,
    /// The first turn that is played anew, counted from 1.
    pub turn: u32,
    /// Whether a bot behind the world lives through the turns before. A person just joins.
    pub is_fed: PerSeat<bool>,
}

impl Branch {
    /// # Errors
    /// There is no such turn, or the replay does not hold up to there.
    pub(crate) fn check<G: Game, P: Protocol<G>>(&self) -> Result<(), MatchError> {
        let (last, why) = last_turn(&self.replay);
        // A match that broke off can go on where it did.
        let last = if self.replay.end.is_some() { last } else { last + 1 };
        if self.turn == 0 || self.turn > last {
            return Err(FeedError::NoTurn { turn: self.turn, last, why }.into());
        }
        let before = Replay {
            steps: steps_before(&self.replay, self.turn).to_vec(),
            end: None,
            ..self.replay.clone()
        };
        let ended = rerun::<G, P>(&before, &mut ())?;
        match ended.outcome {
            None => Ok(()),
            Some(_) => {
                let why = ", since the match was over then".to_owned();
                Err(FeedError::NoTurn { turn: self.turn, last: ended.turn, why }.into())
            }
        }
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin {
            replay: self.source.clone(),
            turn: self.turn,
            names: self.replay.header.shown_names(),
        }
    }

    pub(crate) fn header(&self) -> &Header {
        &self.replay.header
    }

    /// Brings the table to the turn, and the bots with it: `record` is called after every step.
    /// Returns what was heard for what follows, and who has not caught up.
    pub(crate) fn catch_up<G: Game, P: Protocol<G>>(
        &self,
        spec: &MatchSpec,
        table: &mut Table<G, P>,
        meeting: &Meeting,
        world: &mut dyn World,
        chance: &mut dyn Chance,
        mut record: impl FnMut(&G, &StepLine, &[G::Event]),
    ) -> Result<CaughtUp, RerunError> {
        let diets = PerSeat::from_fn(|seat| self.diet(spec, meeting, seat));
        let mut nobody = |_, _| {};
        let header = self.header();
        let mut feeder = Feeder::new(table, header, &meeting.opening, diets, world, &mut nobody);
        for (index, step) in steps_before(&self.replay, self.turn).iter().enumerate() {
            let heard = feeder.hear(step, index)?;
            for seat in Seat::BOTH {
                // Nobody wants to know; this only forgets what was said.
                let _ = feeder.question(seat);
            }
            feeder.finish(&heard, index, Some(chance))?;
            record(&feeder.table.game, &heard, feeder.table.events());
        }
        Ok(CaughtUp { behind: feeder.behind(), early: feeder.leave() })
    }

    fn diet(&self, spec: &MatchSpec, meeting: &Meeting, seat: Seat) -> Option<Diet> {
        let is_fed = self.is_fed[seat]
            && spec.seats[seat].kind == SeatKind::Remote
            && meeting.absent[seat].is_none();
        is_fed.then(|| Diet { patience: spec.start_limit[seat].map(|limit| CATCH_UP * limit) })
    }
}

/// What came of living through the turns before.
pub(crate) struct CaughtUp {
    pub(crate) early: VecDeque<Incoming>,
    /// The turn, counted from 1, in which a bot was waited for in vain.
    pub(crate) behind: PerSeat<Option<u32>>,
}

/// The turns before are no race: what lets a bot become ready also lets it catch up, and a little
/// more, since it has to think. So many times that limit is how long each answer is waited for.
pub const CATCH_UP: u32 = 2;
