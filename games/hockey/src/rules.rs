//! A throw, stage by stage.

use std::time::Duration;

use quintain_core::{
    Chance, Digest, Edition, Enumerate, Fault, FieldError, Forfeit, Game, Gone, Outcome, Replies,
    Reply, Sample, Seat, Seats, Setting, SetupError, Sink, Unit,
};

use crate::{Board, Config, Direction, Ending, Event, Illegal, Setup, View};

/// A position of Paper Hockey: 160 bytes without anything on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hockey {
    board: Board,
    ending: Option<Ending>,
    /// Legal throws so far.
    turn: u32,
    time_limit_ms: u32,
}

impl Game for Hockey {
    const ID: &'static str = "hockey";
    const TITLE: &'static str = "Paper Hockey";
    const ORIGIN: &'static str = "CS Games 2017, by the authors of Marx314/csgames_2017_ai";
    const TURN_NAME: &'static str = "throw";
    const EDITIONS: &'static [Edition] = &Edition::ALL;
    const SETTINGS: &'static [Setting] = &[Setting {
        name: "limit",
        path: "time_limit_ms",
        raises: None,
        unit: Unit::Time { least_ms: 1 },
        help: "time for a throw, counted from the throw before",
    }];
    const RULES_VERSION: u32 = 1;
    const FORFEITS: &'static [Forfeit] = &[Forfeit {
        reason: Ending::TIMEOUT,
        help: "a throw was refused and no other came in time: after a throw against the rules the clock \
               runs on until the puck is thrown along a free line",
    }];
    /// Nobody is told that a player left; it loses by the clock.
    const GONE: Gone = Gone::AtDeadline;

    type Config = Config;
    type Setup = Setup;
    type Action = Direction;
    type View = View;
    type Event = Event;

    fn config(edition: Edition) -> Config {
        Config { edition, ..Config::default() }
    }

    #[inline]
    fn check(config: &Config) -> Result<(), FieldError> {
        if config.time_limit_ms == 0 {
            return Err(FieldError::new("time_limit_ms", "more than 0 ms", 0));
        }
        Ok(())
    }

    /// Always the same: the game has no luck.
    #[inline]
    fn generate(_config: &Config, _seed: i64) -> Setup {
        Setup::default()
    }

    #[inline]
    fn new(config: &Config, setup: Setup) -> Result<Self, SetupError> {
        Self::check(config)?;
        let board = setup.to_board()?;
        Ok(Hockey { board, ending: None, turn: setup.turn, time_limit_ms: config.time_limit_ms })
    }

    /// Legal throws. A refused one does not count, so the clock is not restarted by it.
    #[inline]
    fn turn(&self) -> u32 {
        self.turn
    }

    #[inline]
    fn to_act(&self) -> Seats {
        match self.ending {
            None => Seats::only(self.board.active()),
            Some(_) => Seats::NONE,
        }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        Duration::from_millis(u64::from(self.time_limit_ms))
    }

    #[inline]
    fn view(&self, seat: Seat) -> View {
        View { board: self.board, seat }
    }

    /// Before the first throw a seat that never became ready loses, asked or not. Otherwise only
    /// the reply of the seat to throw counts.
    #[inline(always)]
    fn advance(
        &mut self,
        replies: &Replies<Direction>,
        _chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        assert!(self.ending.is_none(), "a finished game goes no further");
        let [first, second] = &replies.0;
        // Written per seat, since a reply that is looked up by seat is slower in random play.
        match self.board.active() {
            Seat::First => self.answer(first, second, events),
            Seat::Second => self.answer(second, first, events),
        }
    }

    fn refused(event: &Event) -> Option<Seat> {
        match *event {
            Event::Refused { seat, .. } => Some(seat),
            Event::Threw { .. } | Event::Ended { .. } => None,
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(Ending::to_outcome)
    }

    fn digest(&self, to: &mut Digest) {
        let puck = self.board.puck();
        to.bytes(self.board.free_bytes());
        to.i64(i64::from(puck.x())).i64(i64::from(puck.y()));
        to.u8(self.board.active() as u8);
        let winner = self.ending.and_then(Ending::winner);
        to.text(self.ending.map_or("", Ending::reason)).u8(winner.map_or(2, |seat| seat as u8));
        to.u32(self.turn).u32(self.time_limit_ms);
    }
}

impl Hockey {
    /// The rink, the puck and whose throw it is.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    #[inline(always)]
    fn answer(
        &mut self,
        active: &Option<Reply<Direction>>,
        idle: &Option<Reply<Direction>>,
        events: &mut impl Sink<Event>,
    ) {
        if is_unready(idle) {
            return self.give_up_idle(is_unready(active), events);
        }
        match active {
            Some(Reply::Act(direction)) => self.judge(*direction, events),
            Some(Reply::Fault(fault)) => self.charge(fault, events),
            None => panic!("the seat to throw was not asked"),
        }
    }

    /// A throw needs a free line. Without one nothing changes and the same seat tries again.
    #[inline]
    fn judge(&mut self, direction: Direction, events: &mut impl Sink<Event>) {
        if self.board.exits(self.board.puck()).contains(direction) {
            self.throw(direction, events);
        } else {
            self.refuse(direction, events);
        }
    }

    #[inline]
    fn throw(&mut self, direction: Direction, events: &mut impl Sink<Event>) {
        let (seat, from) = (self.board.active(), self.board.puck());
        let landing = self.board.throw(direction);
        self.turn += 1;

        let ending = match landing {
            Landing::Passed | Landing::Bounced => None,
            Landing::Goal(winner) => Some(Ending::Goal { winner }),
            Landing::DeadEnd => Some(Ending::Checkmate { winner: seat.other() }),
        };
        let next = ending.is_none().then_some(self.board.active());
        events.emit(Event::Threw { seat, from, direction, to: self.board.puck(), next });
        if let Some(ending) = ending {
            self.end(ending, seat, events);
        }
    }

    #[cold]
    fn refuse(&self, direction: Direction, events: &mut impl Sink<Event>) {
        let why = if Board::has_line(self.board.puck(), direction) {
            Illegal::Used(direction)
        } else {
            Illegal::Wall(direction)
        };
        events.emit(Event::Refused { seat: self.board.active(), why });
    }

    /// What a missing answer costs the seat to throw: the game, unless it did answer something.
    #[cold]
    fn charge(&mut self, fault: &Fault, events: &mut impl Sink<Event>) {
        let seat = self.board.active();
        let winner = seat.other();
        match fault {
            Fault::Malformed(_) => {
                events.emit(Event::Refused { seat, why: Illegal::Unreadable });
            }
            Fault::Late | Fault::Gone(_) | Fault::Flooded => {
                self.end(Ending::Timeout { winner }, seat, events);
            }
            Fault::NotStarted(_) => self.end(Ending::NeverReady { winner }, seat, events),
        }
    }

    #[cold]
    fn give_up_idle(&mut self, nobody_ready: bool, events: &mut impl Sink<Event>) {
        let active = self.board.active();
        let ending =
            if nobody_ready { Ending::NobodyReady } else { Ending::NeverReady { winner: active } };
        self.end(ending, active.other(), events);
    }

    fn end(&mut self, ending: Ending, last: Seat, events: &mut impl Sink<Event>) {
        self.ending = Some(ending);
        events.emit(Event::Ended { ending, last });
    }
}

/// Where a throw left the puck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// In the net in which this seat scores, whoever threw.
    Goal(Seat),
    /// On a node without a free line: whoever threw is checkmated.
    DeadEnd,
    /// On a wall or a visited node: the same player throws again.
    Bounced,
    /// On a fresh node: the turn passes.
    Passed,
}

impl Board {
    /// The line is used up and the puck moves; then goal, checkmate, bounce or the other's turn.
    /// After a throw that ended the game it is as if the turn had passed.
    #[inline]
    pub fn throw(&mut self, direction: Direction) -> Landing {
        let is_fresh = self.slide(direction);
        if self.puck().is_net() || self.exits(self.puck()).is_empty() {
            return self.land_last();
        }
        self.pass_turn(is_fresh);
        if is_fresh { Landing::Passed } else { Landing::Bounced }
    }

    /// The throw ends the game.
    #[cold]
    fn land_last(&mut self) -> Landing {
        self.pass_turn(true);
        match self.puck().net() {
            Some(scorer) => Landing::Goal(scorer),
            None => Landing::DeadEnd,
        }
    }
}

#[inline]
fn is_unready(reply: &Option<Reply<Direction>>) -> bool {
    matches!(reply, Some(Reply::Fault(Fault::NotStarted(_))))
}

impl Sample for Hockey {
    #[inline]
    fn sample(&self, _seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Direction {
        let exits = self.board.exits(self.board.puck());
        exits.nth(chance.below(exits.count()))
    }
}

impl Enumerate for Hockey {
    fn actions(&self, _seat: Seat, out: &mut Vec<Direction>) {
        out.extend(self.board.exits(self.board.puck()).iter());
    }
}
