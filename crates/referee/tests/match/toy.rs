//! A tiny game: in each turn both seats name a number, and the higher one gets a point. With chance
//! a die is thrown on top, and before some turns the rules move alone.

use std::time::Duration;

use quintain_core::{
    Chance, Digest, Edition, Fault, FieldError, Framing, Game, Gone, Intake, LineEnds, Opening,
    Outbox, Outcome, ParseError, PerSeat, Protocol, Replies, Reply, Seat, Seats, Setting,
    SetupError, Sink, Spoken, Verdict,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Config;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) turns_max: u32,
    /// A die is thrown in every turn.
    pub(crate) has_die: bool,
    /// Before every turn the rules make a step in which nobody acts.
    pub(crate) has_pauses: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { turns_max: 3, has_die: false, has_pauses: false }
    }
}

/// `LEAVES_AT_ONCE` is what the game does with a seat that left.
#[derive(Clone, Debug)]
pub(crate) struct Toy<const LEAVES_AT_ONCE: bool> {
    setup: Setup,
    turn: u32,
    is_paused: bool,
    points: PerSeat<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Paused,
    Thrown(u32),
    Answered(Seat, Result<u32, Fault>),
    /// More than nine is illegal and must be said again.
    Refused(Seat),
}

impl<const LEAVES_AT_ONCE: bool> Game for Toy<LEAVES_AT_ONCE> {
    const ID: &'static str = "toy";
    const TITLE: &'static str = "Toy";
    const ORIGIN: &'static str = "this test";
    const TURN_NAME: &'static str = "turn";
    const EDITIONS: &'static [Edition] = &[Edition::Document];
    const SETTINGS: &'static [Setting] = &[];
    const RULES_VERSION: u32 = 1;
    const GONE: Gone = if LEAVES_AT_ONCE { Gone::AtOnce } else { Gone::AtDeadline };

    type Config = Config;
    type Setup = Setup;
    type Action = u32;
    type View = u32;
    type Event = Event;

    fn config(_edition: Edition) -> Config {
        Config
    }

    fn check(_config: &Config) -> Result<(), FieldError> {
        Ok(())
    }

    fn generate(_config: &Config, _seed: i64) -> Setup {
        Setup::default()
    }

    fn new(_config: &Config, setup: Setup) -> Result<Self, SetupError> {
        Ok(Toy { turn: 0, is_paused: setup.has_pauses, points: PerSeat([0, 0]), setup })
    }

    fn turn(&self) -> u32 {
        self.turn
    }

    fn to_act(&self) -> Seats {
        if self.is_paused || self.outcome().is_some() { Seats::NONE } else { Seats::BOTH }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        Duration::from_secs(1)
    }

    fn view(&self, _seat: Seat) -> u32 {
        self.turn
    }

    fn advance(
        &mut self,
        replies: &Replies<u32>,
        chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        if self.is_paused {
            assert_eq!(*replies, PerSeat([None, None]), "nobody was asked");
            self.is_paused = false;
            events.emit(Event::Paused);
            return;
        }
        let refused = |reply: &Option<Reply<u32>>| matches!(reply, Some(Reply::Act(10..)));
        if replies.0.iter().any(refused) {
            for (seat, _) in replies.iter().filter(|(_, reply)| refused(reply)) {
                events.emit(Event::Refused(seat));
            }
            return;
        }
        if self.setup.has_die {
            events.emit(Event::Thrown(chance.below(6)));
        }
        for (seat, reply) in replies.iter() {
            match reply {
                Some(Reply::Act(number)) => {
                    self.points[seat] += i64::from(*number);
                    events.emit(Event::Answered(seat, Ok(*number)));
                }
                Some(Reply::Fault(fault)) => events.emit(Event::Answered(seat, Err(*fault))),
                None => {}
            }
        }
        self.turn += 1;
        self.is_paused = self.setup.has_pauses;
    }

    fn refused(event: &Event) -> Option<Seat> {
        match *event {
            Event::Refused(seat) => Some(seat),
            _ => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn >= self.setup.turns_max).then_some(Outcome {
            verdicts: PerSeat([Verdict::Draw, Verdict::Draw]),
            scores: self.points,
            reason: "all turns were played",
        })
    }

    fn digest(&self, to: &mut Digest) {
        to.u32(self.turn).u8(u8::from(self.is_paused));
        to.i64(self.points.0[0]).i64(self.points.0[1]);
    }
}

/// `number` is an answer, `later TEXT` is heard again when its seat is asked, `more` is part of an
/// answer, `bad` is none.
pub(crate) struct Wire;

impl<const LEAVES_AT_ONCE: bool> Spoken for Toy<LEAVES_AT_ONCE> {
    type Protocol = Wire;
}

impl<const LEAVES_AT_ONCE: bool> Protocol<Toy<LEAVES_AT_ONCE>> for Wire {
    const FRAMING: Framing =
        Framing { line_ends_in: LineEnds::Any, line_end_out: "\n", line_bytes_max: 100 };

    fn new(_opening: &Opening) -> Self {
        Wire
    }

    fn start(&mut self, _views: &PerSeat<u32>, out: &mut Outbox) {
        for seat in Seat::BOTH {
            out.line(seat, "hello");
        }
    }

    fn prompt(&mut self, seat: Seat, turn: &u32, out: &mut Outbox) {
        out.line(seat, format!("turn {turn}"));
    }

    fn hear(&mut self, seat: Seat, asked: bool, line: &str, out: &mut Outbox) -> Intake<u32> {
        if let Ok(number) = line.parse() {
            if asked {
                return Intake::Action(number);
            }
            out.line(seat, "not now");
            return Intake::Ignored;
        }
        match line.strip_prefix("later ") {
            Some(_) if !asked => Intake::Later,
            Some(rest) => self.hear_again(seat, rest, out),
            None if line == "more" => Intake::More,
            None if line == "bad" && asked => Intake::Malformed(ParseError::new("a number", line)),
            None => Intake::Ignored,
        }
    }

    fn tell(&mut self, _events: &[Event], outcome: Option<&Outcome>, out: &mut Outbox) {
        if outcome.is_some() {
            for seat in Seat::BOTH {
                out.line(seat, "over");
            }
        }
    }

    fn say(&self, _view: &u32, action: &u32) -> Vec<String> {
        vec![action.to_string()]
    }
}

impl Wire {
    fn hear_again(&mut self, seat: Seat, line: &str, out: &mut Outbox) -> Intake<u32> {
        Protocol::<Toy<true>>::hear(self, seat, true, line, out)
    }
}
