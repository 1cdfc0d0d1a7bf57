//! A match that goes on from a turn of a recorded one.

use std::collections::VecDeque;

use quintain_core::{Chance, PerSeat, Seat, Spoken};
use quintain_referee::{Follower, Incoming, Meeting, Step, Table, World};
use quintain_replay::{
    Header, Origin, RecordedStep, Recording, ReplayError, RerunError, Tail, rerun,
};

use crate::feed::{FeedError, why_last};
use crate::feeder::{FeedLimit, Feeder};
use crate::{MatchError, MatchSpec};

/// Where a match goes on.
pub struct Branch<'a> {
    /// What was played before.
    pub recording: &'a mut dyn Recording,
    /// What the replay is called in the header of the new one.
    pub source: String,
    /// The first turn that is played anew, counted from 1.
    pub turn: u32,
    /// Whether a bot behind the world lives through the turns before. A person just joins.
    pub is_fed: PerSeat<bool>,
}

impl Branch<'_> {
    /// # Errors
    /// There is no such turn, or the replay does not hold up to there.
    pub(crate) fn check<G: Spoken>(&mut self) -> Result<(), MatchError> {
        let turn = self.turn;
        let mut before = self.before()?;
        let reached = rerun::<G>(&mut before, &mut ())?;
        if reached.outcome.is_some() {
            let why = ", since the match was over then";
            return Err(FeedError::no_turn(turn, reached.turn, why).into());
        }
        if turn == 0 || !before.is_reached {
            let (last, tail) = before.last_turn()?;
            // A match that broke off can go on where it did.
            let last = if tail.end.is_some() { last } else { last.saturating_add(1) };
            if turn == 0 || turn > last {
                return Err(FeedError::no_turn(turn, last, &why_last(&tail)).into());
            }
        }
        Ok(())
    }

    /// The steps that belong to the turns before, from the first on.
    fn before(&mut self) -> Result<Before<'_>, ReplayError> {
        self.recording.rewind()?;
        let turn = self.turn;
        Ok(Before {
            recording: self.recording,
            turn,
            last: 0,
            is_reached: false,
            tail: Tail::default(),
        })
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin { replay: self.source.clone(), turn: self.turn, names: self.header().shown_names() }
    }

    pub(crate) fn header(&self) -> &Header {
        self.recording.header()
    }

    /// Brings the table to the turn, and the bots with it.
    /// Returns what was heard for what follows, and who has not caught up.
    pub(crate) fn catch_up<G: Spoken>(
        &mut self,
        spec: &MatchSpec,
        table: &mut Table<G>,
        meeting: &Meeting,
        world: &mut dyn World,
        chance: &mut dyn Chance,
        follower: &mut dyn Follower<G>,
    ) -> Result<CaughtUp, RerunError> {
        let limits = PerSeat::from_fn(|seat| self.limit(spec, meeting, seat));
        let mut nobody = |_, _| {};
        let header = self.header().clone();
        let mut feeder = Feeder::new(table, &header, &meeting.opening, limits, world, &mut nobody);
        follower.begin(&feeder.table.game, feeder.table.said());
        let mut before = self.before()?;
        let mut index = 0;
        while let Some(step) = before.next_step()? {
            let heard = feeder.hear(&step, index)?;
            for seat in Seat::BOTH {
                // Nobody wants to know; this only forgets what was said.
                let _ = feeder.question(seat);
            }
            feeder.finish(&heard, index, chance)?;
            let table = &*feeder.table;
            follower.step(&Step {
                game: &table.game,
                record: &heard.record,
                replies: table.answered(),
                events: table.events(),
                said: table.said(),
            });
            index += 1;
        }
        Ok(CaughtUp { behind: feeder.behind(), early: feeder.leave() })
    }

    fn limit(&self, spec: &MatchSpec, meeting: &Meeting, seat: Seat) -> Option<FeedLimit> {
        let is_fed =
            self.is_fed[seat] && spec.seats[seat].is_outside() && meeting.absent[seat].is_none();
        is_fed.then(|| FeedLimit { patience: spec.start_limit[seat].map(|limit| CATCH_UP * limit) })
    }
}

/// A recording up to a turn.
struct Before<'a> {
    recording: &'a mut dyn Recording,
    /// Counted from 1.
    turn: u32,
    /// The turn of the last step that was read, counted from 1.
    last: u32,
    /// There is a step of the turn or of a later one.
    is_reached: bool,
    /// Nothing ends here.
    tail: Tail,
}

impl Before<'_> {
    /// The last turn of the whole recording, and how it ends.
    fn last_turn(mut self) -> Result<(u32, Tail), ReplayError> {
        while let Some(step) = self.recording.next_step()? {
            self.last = step.record.turn.saturating_add(1);
        }
        Ok((self.last, self.recording.tail().clone()))
    }
}

impl Recording for Before<'_> {
    fn header(&self) -> &Header {
        self.recording.header()
    }

    fn next_step(&mut self) -> Result<Option<RecordedStep>, ReplayError> {
        if self.is_reached {
            return Ok(None);
        }
        let Some(step) = self.recording.next_step()? else { return Ok(None) };
        self.last = step.record.turn.saturating_add(1);
        self.is_reached = self.last >= self.turn;
        Ok(Some(step).filter(|_| !self.is_reached))
    }

    fn tail(&self) -> &Tail {
        &self.tail
    }

    fn rewind(&mut self) -> Result<(), ReplayError> {
        (self.last, self.is_reached) = (0, false);
        self.recording.rewind()
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
