//! A turn, stage by stage.

pub(crate) mod build;
pub(crate) mod collide;
mod creeps;
pub(crate) mod income;
pub(crate) mod queens;
mod sample;
pub(crate) mod towers;
mod train;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::codingame::{FIRST_LIMIT, LIMIT};
use quintain_core::{
    Chance, Digest, Edition, FieldError, Forfeit, Game, Outcome, PerSeat, Replies, Reply, Seat,
    Seats, Setting, SetupError, Sink, Unit, Verdict,
};

use crate::{
    Action, Config, Creeps, Event, Field, Kill, League, Out, Plot, Point, Remover, SITES_MAX,
    Setup, Structure, Switches, TurnEnd, View, Works, map,
};

pub const TURNS_MAX: u32 = 200;
pub(crate) const GOLD_AT_START: i32 = 100;
pub(crate) const QUEEN_RADIUS: f64 = 30.0;
/// Of two units that collide each is pushed by the other's share of both masses; the document has
/// 100 for queens, 20 for giants, 9 for archers and 4 for knights. The original's are a hundred times
/// that, which gives the same shares to the last bit.
pub(crate) const QUEEN_MASS: f64 = 100.0;
pub(crate) const TOWER_HP_MAX: i32 = 800;

/// A position of Code Royale: below 4 KB, with what never changes about the sites shared.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeRoyale {
    field: Arc<Field>,
    switches: &'static Switches,
    config: Config,
    turn: u32,
    players: PerSeat<Player>,
    creeps: PerSeat<Creeps>,
    plots: [Plot; SITES_MAX],
    is_over: bool,
}

/// A player, without its creeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    pub gold: i32,
    /// The queen's health, never below 0.
    pub hp: i32,
    pub queen: Point,
    pub(crate) creeps_created: u16,
    /// Why it has lost, if it has.
    pub out: Option<Out>,
}

impl Player {
    /// The queen's health, or -1 for a player who lost by what it answered.
    fn score(&self) -> i64 {
        match self.out {
            Some(Out::Invalid | Out::Silent) => -1,
            Some(Out::DeadQueen) | None => i64::from(self.hp),
        }
    }
}

impl Game for CodeRoyale {
    const ID: &'static str = "code-royale";
    const TITLE: &'static str = "Code Royale";
    const ORIGIN: &'static str = "CodinGame contest 2018, by the authors of csj/code-royale";
    const TURN_NAME: &'static str = "turn";
    const EDITIONS: &'static [Edition] = &Edition::ALL;
    const SETTINGS: &'static [Setting] = &[
        Setting {
            name: "league",
            path: "league",
            raises: None,
            unit: Unit::Whole { from: 1, to: 4 },
            help: "which rules there are: towers from 2 on, mines from 3 on, weak queens in 4",
        },
        LIMIT,
        FIRST_LIMIT,
    ];
    const RULES_VERSION: u32 = 2;
    const FORFEITS: &'static [Forfeit] = &[Forfeit {
        reason: Out::INVALID,
        help: "an answer that cannot be read or that names a site that does not exist loses at once; what \
               is only impossible, such as a training without the gold for it, is warned of and costs \
               nothing",
    }];

    type Config = Config;
    type Setup = Setup;
    type Action = Action;
    type View = View;
    type Event = Event;

    fn config(edition: Edition) -> Config {
        Config { edition, ..Config::default() }
    }

    fn check(config: &Config) -> Result<(), FieldError> {
        config.time_limits.check()
    }

    fn generate(config: &Config, seed: i64) -> Setup {
        map::generate(config.league, Switches::of(config.edition), seed)
    }

    fn new(config: &Config, setup: Setup) -> Result<Self, SetupError> {
        Self::check(config)?;
        let parts = setup.to_parts()?;
        Ok(CodeRoyale {
            field: parts.field,
            switches: Switches::of(config.edition),
            config: config.clone(),
            turn: setup.turn,
            players: parts.players,
            creeps: parts.creeps,
            plots: parts.plots,
            is_over: false,
        })
    }

    fn turn(&self) -> u32 {
        self.turn
    }

    fn to_act(&self) -> Seats {
        if self.is_over { Seats::NONE } else { Seats::BOTH }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        self.config.time_limits.limit(self.turn == 0)
    }

    fn view(&self, seat: Seat) -> View {
        View::new(self, seat)
    }

    /// The document's order, "Ordre des actions d'un tour de jeu"; how a turn ends is a matter of
    /// the edition.
    fn advance(
        &mut self,
        replies: &Replies<Action>,
        _chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        assert!(!self.is_over, "a finished game goes no further");
        let mut builds = PerSeat::default();
        for seat in Seat::BOTH {
            builds[seat] = self.apply_orders(seat, &replies[seat], events);
        }
        self.apply_builds(builds, events);
        self.apply_movement();
        self.apply_attacks(events);
        self.apply_creeps_tear_down(events);
        if !self.switches.ruined_towers_fire {
            self.remove_ruins(events);
        }
        match self.switches.turn_end {
            TurnEnd::KindByKind => self.end_turn_kind_by_kind(events),
            TurnEnd::SiteBySite => self.end_turn_site_by_site(events),
        }
        self.check_queens(events);
        self.round_places();
        self.turn += 1;
        self.is_over = self.turn == TURNS_MAX || !self.are_both_active();
        if self.is_over {
            events.emit(Event::Ended);
        }
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Killed { kill: Kill::Late, .. } => None,
            Event::Killed { seat, .. } | Event::Warned { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over {
            return None;
        }
        let scores = self.players.map(|_, player| player.score());
        Some(Outcome {
            verdicts: PerSeat::from_fn(|seat| self.verdict(seat)),
            scores,
            reason: self.reason(),
        })
    }

    fn digest(&self, to: &mut Digest) {
        to.text(self.config.edition.name());
        to.u8(self.config.league.number());
        let limits = self.config.time_limits;
        to.u32(limits.first_ms).u32(limits.later_ms);
        to.u32(self.turn).u8(u8::from(self.is_over));
        for (seat, player) in self.players.iter() {
            to.i64(i64::from(player.gold)).i64(i64::from(player.hp));
            to.f64(player.queen.x).f64(player.queen.y);
            to.u32(u32::from(player.creeps_created));
            to.text(player.out.map_or("", Out::reason));
            let creeps = self.creeps[seat].as_slice();
            to.u32(creeps.len() as u32);
            for creep in creeps {
                to.f64(creep.place.x).f64(creep.place.y);
                to.i64(i64::from(creep.hp)).u32(u32::from(creep.number));
                to.u8(creep.kind as u8);
            }
        }
        for (site, plot) in self.field.sites().iter().zip(&self.plots) {
            to.f64(site.place.x).f64(site.place.y).f64(site.radius);
            to.u8(site.rate_max).i64(i64::from(plot.gold));
            digest_structure(plot.structure, to);
        }
    }
}

fn digest_structure(structure: Option<Structure>, to: &mut Digest) {
    let Some(Structure { owner, works }) = structure else {
        to.u8(2);
        return;
    };
    to.u8(owner as u8);
    match works {
        Works::Mine { rate } => to.u8(0).u8(rate),
        Works::Tower { hp, range } => to.u8(1).i64(i64::from(hp)).i64(i64::from(range)),
        Works::Barracks { creep, training } => {
            to.u8(2).u8(creep as u8).u8(training.map_or(0, |done| done + 1))
        }
    };
}

/// What can be seen of a position, for views, pictures and tests.
impl CodeRoyale {
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// One for each site of the field.
    pub fn plots(&self) -> &[Plot] {
        &self.plots[..self.field.sites().len()]
    }

    pub fn players(&self) -> &PerSeat<Player> {
        &self.players
    }

    pub fn creeps(&self) -> &PerSeat<Creeps> {
        &self.creeps
    }

    pub fn league(&self) -> League {
        self.config.league
    }

    pub(crate) fn switches(&self) -> &'static Switches {
        self.switches
    }
}

impl CodeRoyale {
    /// Training first, then the queen. Returns what she builds, which comes when both have ordered.
    fn apply_orders<'a>(
        &mut self,
        seat: Seat,
        reply: &'a Option<Reply<Action>>,
        events: &mut impl Sink<Event>,
    ) -> Option<build::Build<'a>> {
        let action = match reply {
            Some(Reply::Act(action)) => action,
            Some(Reply::Fault(_)) => {
                self.kill(seat, Kill::Late, events);
                return None;
            }
            None => panic!("both players are asked every turn"),
        };
        if let Err(kill) = self.apply_train(seat, &action.train, events) {
            self.kill(seat, kill, events);
            return None;
        }
        let (build, kill) = self.apply_queen(seat, &action.queen, events);
        if let Some(kill) = kill {
            self.kill(seat, kill, events);
        }
        build
    }

    /// The player has lost. Its structures act on for the rest of the turn, nothing else of it does.
    fn kill(&mut self, seat: Seat, kill: Kill, events: &mut impl Sink<Event>) {
        let out = match kill {
            Kill::Late => Out::Silent,
            _ => Out::Invalid,
        };
        self.players[seat].out.get_or_insert(out);
        events.emit(Event::Killed { seat, kill });
    }

    fn is_active(&self, seat: Seat) -> bool {
        self.players[seat].out.is_none()
    }

    fn are_both_active(&self) -> bool {
        Seat::BOTH.into_iter().all(|seat| self.is_active(seat))
    }

    /// The document's end of a turn.
    fn end_turn_kind_by_kind(&mut self, events: &mut impl Sink<Event>) {
        let creeps_before = self.players.map(|_, player| player.creeps_created);
        self.apply_queens_tear_down(events);
        self.act_all(Works::is_tower, events);
        self.remove_dead(events);
        self.act_all(Works::is_barracks, events);
        self.act_all(Works::is_mine, events);
        self.apply_fixed_income();
        self.apply_age(&creeps_before);
        self.remove_dead(events);
    }

    /// The original's end of a turn.
    fn end_turn_site_by_site(&mut self, events: &mut impl Sink<Event>) {
        let creeps_before = self.players.map(|_, player| player.creeps_created);
        self.apply_age(&creeps_before);
        self.apply_queens_tear_down(events);
        self.act_all(|_| true, events);
        self.apply_fixed_income();
        self.remove_dead(events);
    }

    /// What stands on the sites does its work, by the number of the site, if it is meant.
    fn act_all(&mut self, is_meant: impl Fn(&Works) -> bool, events: &mut impl Sink<Event>) {
        for site in 0..self.field.sites().len() {
            let structure = &self.plots[site].structure;
            if structure.as_ref().is_some_and(|structure| is_meant(&structure.works)) {
                self.act(site, events);
            }
        }
    }

    /// What stands on the site does its work.
    #[inline]
    fn act(&mut self, site: usize, events: &mut impl Sink<Event>) {
        let Some(Structure { owner, works }) = self.plots[site].structure else {
            return;
        };
        match works {
            Works::Mine { rate } => self.act_mine(site, owner, rate, events),
            Works::Tower { hp, range } => self.act_tower(site, owner, (hp, range), events),
            Works::Barracks { creep, training } => {
                if let Some(done) = training {
                    self.act_barracks(site, owner, (creep, done), events);
                }
            }
        }
    }

    fn remove_structure(&mut self, site: usize, by: Remover, events: &mut impl Sink<Event>) {
        if let Some(structure) = self.plots[site].structure.take() {
            events.emit(Event::Removed { site, structure, by });
        }
    }

    fn remove_dead(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            if !self.switches.dead_of_killed_are_removed && !self.is_active(seat) {
                continue;
            }
            let before = self.creeps[seat].len();
            for dead in self.creeps[seat].as_slice().iter().filter(|creep| creep.hp == 0) {
                events.emit(Event::Fell { seat, at: dead.place.whole() });
            }
            self.creeps[seat].remove_dead();
            let count = before - self.creeps[seat].len();
            if count > 0 {
                events.emit(Event::Died { seat, count });
            }
        }
    }

    fn check_queens(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            if self.is_active(seat) && self.players[seat].hp == 0 {
                self.players[seat].out = Some(Out::DeadQueen);
                events.emit(Event::QueenDied { seat });
            }
        }
    }

    /// Units and sites stand on whole numbers between turns.
    fn round_places(&mut self) {
        for seat in Seat::BOTH {
            let player = &mut self.players[seat];
            player.queen = player.queen.rounded();
            for creep in self.creeps[seat].as_mut_slice() {
                creep.place = creep.place.rounded();
            }
        }
        if let Some(rounded) = self.field.rounded() {
            self.field = Arc::clone(rounded);
        }
    }

    fn verdict(&self, seat: Seat) -> Verdict {
        let (own, other) = (self.players[seat].score(), self.players[seat.other()].score());
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => Verdict::Win,
            std::cmp::Ordering::Equal => Verdict::Draw,
            std::cmp::Ordering::Less if own < 0 => Verdict::Disqualified,
            std::cmp::Ordering::Less => Verdict::Loss,
        }
    }

    /// What ended the match; of two things the one that weighs more.
    fn reason(&self) -> &'static str {
        let is_out = |out| Seat::BOTH.into_iter().any(|seat| self.players[seat].out == Some(out));
        [Out::Invalid, Out::Silent, Out::DeadQueen]
            .into_iter()
            .find(|&out| is_out(out))
            .map_or(Out::TURN_LIMIT, Out::reason)
    }
}
