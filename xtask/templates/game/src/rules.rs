//! A turn, stage by stage.

use std::time::Duration;

use quintain_core::{
    AnswerTime, Chance, Consequence, Digest, Enumerate, Game, Outcome, PlainEvent, Replies,
    Sample, Seat, Seats, Setting, SetupError, Sink, plain_turn, require_within,
};
use serde::{Deserialize, Serialize};

/// In the heap at the start.
pub const STONES: u8 = 21;
/// In one turn.
pub const TAKEN_MAX: u8 = 3;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakeAway {
    stones: u8,
    active: Seat,
    turn: u32,
    time: AnswerTime,
    outcome: Option<Outcome>,
}

/// A position to start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub stones: u8,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { stones: STONES }
    }
}

/// What happened.
pub type Event = PlainEvent<u8>;

impl Game for TakeAway {
    const ID: &'static str = "take-away";
    const TITLE: &'static str = "Take Away";
    const ORIGIN: &'static str = "a game of our own";
    const TURN_NAME: &'static str = "turn";
    const SETTINGS: &'static [Setting] = AnswerTime::SETTINGS;
    const RULES_VERSION: u32 = 1;

    type Config = AnswerTime;
    type Setup = Setup;
    type Action = u8;
    /// Nothing is hidden.
    type View = TakeAway;
    type Event = Event;

    fn generate(_config: &AnswerTime, _seed: i64) -> Setup {
        Setup::default()
    }

    fn new(config: &AnswerTime, setup: Setup) -> Result<Self, SetupError> {
        require_within("stones", setup.stones, 1, STONES)?;
        let (stones, active, time) = (setup.stones, Seat::First, *config);
        Ok(TakeAway { stones, active, turn: 0, time, outcome: None })
    }

    fn turn(&self) -> u32 {
        self.turn
    }

    fn to_act(&self) -> Seats {
        if self.outcome.is_some() { Seats::NONE } else { Seats::only(self.active) }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        self.time.limit()
    }

    fn view(&self, _seat: Seat) -> TakeAway {
        *self
    }

    /// Who answers against the rules, or not at all, has lost.
    fn advance(
        &mut self,
        replies: &Replies<u8>,
        _chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        assert!(self.outcome.is_none(), "a finished game goes no further");
        let seat = self.active;
        let outcome = plain_turn(replies, seat, events, |&stones| self.take(seat, stones));
        self.outcome = outcome;
    }

    fn refused(event: &Event) -> Option<Seat> {
        event.refused()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn digest(&self, to: &mut Digest) {
        to.u8(self.stones).u8(self.active as u8).u32(self.turn).u32(self.time.time_limit_ms.get());
        to.text(self.outcome.map_or("", |outcome| outcome.reason));
    }
}

impl TakeAway {
    pub fn stones(&self) -> u8 {
        self.stones
    }

    /// Whose turn it is, or would be.
    pub fn active(&self) -> Seat {
        self.active
    }

    fn is_legal(&self, stones: u8) -> bool {
        (1..=TAKEN_MAX.min(self.stones)).contains(&stones)
    }

    /// The stones are gone; then the player has won, or it is the other's turn.
    fn take(&mut self, seat: Seat, stones: u8) -> Consequence {
        if !self.is_legal(stones) {
            return Consequence::Illegal;
        }
        self.stones -= stones;
        self.turn += 1;
        self.active = seat.other();
        if self.stones == 0 { Consequence::Ends(Outcome::won(seat, "last stone")) } else { Consequence::GoesOn }
    }
}

impl Enumerate for TakeAway {
    fn actions(&self, _seat: Seat, out: &mut Vec<u8>) {
        out.extend((1..=TAKEN_MAX).filter(|&stones| self.is_legal(stones)));
    }
}

impl Sample for TakeAway {
    fn sample(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> u8 {
        self.any_legal(seat, chance)
    }
}
