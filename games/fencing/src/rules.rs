//! The match: turns in which both are asked, and turns in which both go back to their places.
//!
//! What a turn does is in `rules/bout.rs`, stage by stage; what a match comes to in
//! `rules/verdict.rs`.

mod bout;
mod verdict;

use std::time::Duration;

use quintain_core::codingame::{FIRST_LIMIT, LIMIT, TimeLimits};
use quintain_core::{
    Chance, Digest, Edition, Enumerate, Fault, FieldError, Forfeit, Game, Outcome, PerSeat,
    Replies, Reply, Sample, Seat, Seats, Setting, SetupError, Sink, Unit,
};

pub(crate) use verdict::{POINTS_DECISIVE, is_decisive};

use crate::setup::SPAWN;
use crate::{
    Ability, Action, Config, Ending, Event, Fencer, Offence, Refusal, Setup, Switches, View,
};

/// A match has this many turns, respawns included: the original counts both (D8).
pub const TURNS_MAX: u32 = 200;

/// How seldom a random action is played without regard to its price.
const RASH_ONE_IN: u32 = 64;

/// A position of Fencing, without anything on the heap. Only this module and the batch, which plays
/// the same rules another way, write its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fencing {
    pub(crate) fencers: PerSeat<Fencer>,
    /// Turns played, respawns included.
    pub(crate) turn: u32,
    /// The last turn ended in a touch, a collision or outside. Unless the match is over, the next
    /// one puts both back and asks nobody.
    pub(crate) respawn: bool,
    pub(crate) is_over: bool,
    /// Nobody has answered yet.
    pub(crate) is_first_answer: bool,
    /// The number of commands in the league: those above it are further down the table.
    pub(crate) commands: u8,
    pub(crate) offences: PerSeat<Option<Offence>>,
    pub(crate) league: u8,
    pub(crate) switches: Switches,
    pub(crate) time_limits: TimeLimits,
}

const _: () = assert!(size_of::<Fencing>() <= 64, "a position fits into a line of the cache");

impl Game for Fencing {
    const ID: &'static str = "fencing";
    const TITLE: &'static str = "Fencing Esport";
    const ORIGIN: &'static str = "CodinGame, by Marc Gardent (marcgardent/Fencing-Esport-CG)";
    const TURN_NAME: &'static str = "turn";
    const EDITIONS: &'static [Edition] = &Edition::ALL;
    const SETTINGS: &'static [Setting] = &[
        Setting {
            name: "league",
            path: "league",
            raises: None,
            unit: Unit::OneOf(&["1", "2", "3"]),
            help: "which commands there are",
        },
        LIMIT,
        FIRST_LIMIT,
    ];
    const RULES_VERSION: u32 = 1;
    const FORFEITS: &'static [Forfeit] = &[
        Forfeit {
            reason: Ending::Offence(Offence::Forfeit).reason(),
            help: "an action cost more energy than the fencer had: every turn tells the energy, so \
                   compare it with what an action costs and BREAK to recover",
        },
        Forfeit {
            reason: Ending::Offence(Offence::Doping).reason(),
            help: "it took one drug too many: a match allows seven, and every turn tells how many were \
                   taken",
        },
        Forfeit {
            reason: Ending::Offence(Offence::Invalid).reason(),
            help: "a command that does not exist, or one of a higher league, loses the match at once",
        },
    ];

    type Config = Config;
    type Setup = Setup;
    type Action = Action;
    type View = View;
    type Event = Event;

    fn config(edition: Edition) -> Config {
        Config { switches: Switches::of(edition), ..Config::default() }
    }

    fn check(config: &Config) -> Result<(), FieldError> {
        config.check()
    }

    /// Always the same: the game has no luck.
    #[inline]
    fn generate(_config: &Config, _seed: i64) -> Setup {
        Setup::default()
    }

    fn new(config: &Config, setup: Setup) -> Result<Self, SetupError> {
        config.check()?;
        Ok(Fencing {
            fencers: setup.to_fencers(config)?,
            turn: setup.turn,
            respawn: setup.respawn,
            is_over: false,
            is_first_answer: true,
            commands: Action::of_league(config.league).len() as u8,
            offences: PerSeat([None, None]),
            league: config.league,
            switches: config.switches,
            time_limits: config.time_limits,
        })
    }

    #[inline]
    fn turn(&self) -> u32 {
        self.turn
    }

    /// Both, or nobody: in a respawn turn the original sends no input and reads no output.
    #[inline]
    fn to_act(&self) -> Seats {
        if self.respawn | self.is_over { Seats::NONE } else { Seats::BOTH }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        self.time_limits.limit(self.is_first_answer)
    }

    /// The document gives positions as `me: 200, opponent: 300` to both, so the second seat sees
    /// the piste from its other end.
    #[inline]
    fn view(&self, seat: Seat) -> View {
        let seen = |fencer: Fencer| match seat {
            Seat::First => fencer,
            Seat::Second => fencer.mirrored(),
        };
        View {
            own: seen(self.fencers[seat]),
            opponent: seen(self.fencers[seat.other()]),
            league: self.league,
        }
    }

    #[inline(always)]
    fn advance(
        &mut self,
        replies: &Replies<Action>,
        _chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        assert!(!self.is_over, "a finished match goes no further");
        self.turn += 1;
        if self.respawn {
            self.apply_respawn(events);
        } else {
            match self.judge(replies) {
                Some(actions) => self.play(actions, events),
                None => self.disqualify(replies, events),
            }
        }
    }

    fn refused(event: &Event) -> Option<Seat> {
        match *event {
            Event::Refused { seat, why: Refusal::Locked(_) | Refusal::Unreadable } => Some(seat),
            _ => None,
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.is_over { Some(self.result()) } else { None }
    }

    fn digest(&self, to: &mut Digest) {
        for (_, fencer) in self.fencers.iter() {
            for number in [fencer.position, fencer.energy, fencer.points] {
                to.i64(i64::from(number));
            }
            to.u8(fencer.drugs);
            for ability in Ability::ALL {
                to.i64(i64::from(fencer.abilities[ability]));
            }
        }
        to.u32(self.turn);
        to.u8(u8::from(self.respawn)).u8(u8::from(self.is_over)).u8(u8::from(self.is_first_answer));
        for (_, offence) in self.offences.iter() {
            to.u8(offence.map_or(0, |offence| offence as u8 + 1));
        }
        to.u8(self.league).u8(self.switches.score_gap).u8(self.switches.parry_drug as u8);
        to.u8(self.switches.collision as u8).u8(self.switches.scoreless_doping as u8);
        to.u32(self.time_limits.first_ms).u32(self.time_limits.later_ms);
    }
}

impl Fencing {
    /// Both fencers, with absolute positions.
    #[inline]
    pub fn fencers(&self) -> &PerSeat<Fencer> {
        &self.fencers
    }

    /// Whether the last turn ended in a touch, a collision or outside. If the match goes on, the
    /// next turn is a respawn.
    #[inline]
    pub fn is_respawn_due(&self) -> bool {
        self.respawn
    }

    /// What each player is disqualified for, non-combativity apart.
    pub fn offences(&self) -> &PerSeat<Option<Offence>> {
        &self.offences
    }

    pub fn league(&self) -> u8 {
        self.league
    }

    /// A position of the document's edition, for bots that try actions on what they see.
    pub(crate) fn between(first: Fencer, second: Fencer, league: u8) -> Fencing {
        Fencing {
            fencers: PerSeat([first, second]),
            turn: 0,
            respawn: false,
            is_over: false,
            is_first_answer: true,
            commands: Action::of_league(league).len() as u8,
            offences: PerSeat([None, None]),
            league,
            switches: Switches::DOCUMENT,
            time_limits: TimeLimits::default(),
        }
    }

    /// Both actions, if both answers are commands of the league.
    #[inline(always)]
    fn judge(&self, replies: &Replies<Action>) -> Option<PerSeat<Action>> {
        match &replies.0 {
            [Some(Reply::Act(first)), Some(Reply::Act(second))]
                if ((*first).max(*second) as u8) < self.commands =>
            {
                Some(PerSeat([*first, *second]))
            }
            _ => None,
        }
    }

    /// A missing or invalid answer ends the match before either action has any effect. Both are
    /// judged even if the first already failed.
    #[cold]
    fn disqualify(&mut self, replies: &Replies<Action>, events: &mut impl Sink<Event>) {
        for (seat, reply) in replies.iter() {
            let why = match reply {
                Some(Reply::Act(action)) if (*action as u8) < self.commands => {
                    events.emit(Event::Played { seat, action: *action });
                    continue;
                }
                Some(Reply::Act(action)) => Refusal::Locked(*action),
                Some(Reply::Fault(Fault::Malformed(_))) => Refusal::Unreadable,
                Some(Reply::Fault(_)) => Refusal::Silent,
                None => panic!("a seat to act was not asked"),
            };
            self.offences[seat] = Some(match why {
                Refusal::Locked(_) | Refusal::Unreadable => Offence::Invalid,
                Refusal::Silent => Offence::Silent,
            });
            events.emit(Event::Refused { seat, why });
        }
        self.end(events);
    }

    /// Back to the places of the start. Energy, points and drugs stay.
    #[inline]
    fn apply_respawn(&mut self, events: &mut impl Sink<Event>) {
        for (fencer, position) in self.fencers.0.iter_mut().zip(SPAWN.0) {
            fencer.position = position;
        }
        self.respawn = false;
        events.emit(Event::Respawned);
        if self.turn == TURNS_MAX {
            self.end(events);
        }
    }

    #[cold]
    fn end(&mut self, events: &mut impl Sink<Event>) {
        self.is_over = true;
        events.emit(Event::Ended { ending: self.conclusion() });
    }

    /// Why the match is over, once it is.
    pub fn ending(&self) -> Option<Ending> {
        self.is_over.then(|| self.conclusion())
    }
}

impl Sample for Fencing {
    /// Any command of the league. One that could lose the match at once is mostly exchanged for
    /// BREAK, or random matches would be over in five turns.
    #[inline]
    fn sample(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Action {
        let commands = u32::from(self.commands);
        let drawn = chance.below(commands * RASH_ONE_IN);
        let action = Action::ALL[(drawn % commands) as usize];
        let is_rash = drawn < commands;
        if is_rash || self.fencers[seat].can_afford(action) { action } else { Action::Break }
    }
}

impl Enumerate for Fencing {
    fn actions(&self, _seat: Seat, out: &mut Vec<Action>) {
        out.extend_from_slice(Action::of_league(self.league));
    }
}
