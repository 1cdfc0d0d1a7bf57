//! The rules: a round, stage by stage.

mod deed;
mod ending;
mod lava;
mod orders;
mod sample;
mod selects;
mod throws;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::{
    Chance, Digest, Edition, FieldError, Forfeit, Game, KotlinRandom, Luck, Outcome, PerSeat,
    Replies, Reply, Seat, Seats, Setting, SetupError, Sink, entelect,
};

use crate::action::{Action, Order};
use crate::cell::{Cell, Ground, MAP_SIZE_MAX, Terrain};
use crate::config::{Config, GameConfig, PACKS_MAX, WORMS_MAX};
use crate::edition::{DoNothingCounter, Frozen, PacksTaken};
use crate::event::{Ending, Event};
use crate::field::Field;
use crate::map;
use crate::setup::{PlayerSetup, Setup};
use crate::view::View;

pub use deed::{Deed, Echo, Selection};

/// A position between two rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Worms {
    field: Arc<Field>,
    /// Rounds played.
    round: u32,
    ground: Ground,
    packs: Packs,
    players: PerSeat<Player>,
    ending: Option<Ending>,
    /// Whether there can be lava on the map; follows from setup and round, and saves a search.
    has_lava: bool,
}

/// The health packs on the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packs {
    all: [Pack; PACKS_MAX],
    count: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pack {
    pub at: Cell,
    pub value: i32,
}

impl Packs {
    #[inline]
    pub fn as_slice(&self) -> &[Pack] {
        &self.all[..usize::from(self.count).min(PACKS_MAX)]
    }

    /// Removes the packs that `is_gone`, and keeps the order of the others.
    #[inline]
    fn remove(&mut self, mut is_gone: impl FnMut(&Pack) -> bool) {
        let mut kept = 0;
        for index in 0..self.as_slice().len() {
            let pack = self.all[index];
            if !is_gone(&pack) {
                self.all[kept] = pack;
                kept += 1;
            }
        }
        self.count = kept as u8;
    }
}

/// One side.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The points for commands, without those for health.
    pub command_score: i64,
    /// Rounds in a row without a command, by the edition's count.
    pub do_nothings: u32,
    /// How often it can still select a worm.
    pub tokens: i32,
    /// The index of the worm whose turn it is.
    pub(crate) active: u8,
    /// The index of the worm whose turn it was.
    pub(crate) previous: u8,
    pub(crate) last: Deed,
    worms: [Worm; WORMS_MAX],
    count: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worm {
    pub hp: i32,
    /// Where it is, or was last.
    pub at: Cell,
    /// Where it was before its last step.
    pub came_from: Cell,
    /// A dead worm stays until the end of the round in which it died.
    pub is_on_map: bool,
    /// Rounds until it hears again.
    pub frozen: i32,
    pub bananas: i32,
    pub snowballs: i32,
}

impl Worm {
    #[inline]
    pub fn is_alive(&self) -> bool {
        self.hp > 0
    }
}

impl Player {
    /// In the order of their ids, from 1.
    #[inline]
    pub fn worms(&self) -> &[Worm] {
        &self.worms[..usize::from(self.count).min(WORMS_MAX)]
    }

    #[inline]
    fn worms_mut(&mut self) -> &mut [Worm] {
        &mut self.worms[..usize::from(self.count).min(WORMS_MAX)]
    }

    /// The id of the worm whose turn it is.
    pub fn active_id(&self) -> u8 {
        self.active + 1
    }

    /// The id of the worm whose turn it was.
    pub fn previous_id(&self) -> u8 {
        self.previous + 1
    }

    /// The sum over living worms.
    pub fn health(&self) -> i64 {
        self.worms().iter().map(|worm| i64::from(worm.hp.max(0))).sum()
    }

    /// Points for commands, and the average health of all worms, living or not.
    pub fn score(&self) -> i64 {
        self.command_score + self.health() / i64::from(self.count)
    }

    fn has_living_worm(&self) -> bool {
        self.worms().iter().any(Worm::is_alive)
    }
}

/// What is known only while a round is played.
struct Round {
    /// Which seats shot or bombed each worm, a bit each.
    hurt_by: PerSeat<[u8; WORMS_MAX]>,
    /// Which worms a snowball hit.
    frozen_now: PerSeat<[bool; WORMS_MAX]>,
    /// The first mover: its index, and where it came from.
    moved: Option<(u8, Cell)>,
    /// The dirt that bananas destroyed, once one was thrown.
    blasted: Option<[u64; MAP_SIZE_MAX]>,
}

impl Game for Worms {
    const ID: &'static str = "worms";
    const TITLE: &'static str = "Worms";
    const ORIGIN: &'static str = "Entelect Challenge 2019, by Entelect";
    const TURN_NAME: &'static str = "round";
    const EDITIONS: &'static [Edition] = &Edition::ALL;
    const SETTINGS: &'static [Setting] = &entelect::SETTINGS;
    const RULES_VERSION: u32 = 3;
    const FORFEITS: &'static [Forfeit] = &[Forfeit {
        reason: Ending::Disqualified.reason(),
        help: "it did nothing for too many rounds in a row (maxDoNothings, usually 12): `nothing`, an \
               invalid command and no answer all count",
    }];
    /// From 2^30 on the noise has no fractions left, and all maps are one.
    const SEED_BITS: u32 = 30;

    type Config = Config;
    type Setup = Setup;
    type Action = Action;
    type View = View;
    type Event = Event;

    fn config(edition: Edition) -> Config {
        Config { edition, ..Config::default() }
    }

    fn check(config: &Config) -> Result<(), FieldError> {
        config.check()
    }

    fn check_seed(seed: i64) -> Result<(), FieldError> {
        entelect::check_seed(seed)
    }

    fn generate(config: &Config, seed: i64) -> Setup {
        map::generate(&config.game, seed)
    }

    fn new(config: &Config, setup: Setup) -> Result<Self, SetupError> {
        config.check()?;
        let ground = setup.to_ground(config)?;
        setup.check(config, &ground)?;
        let mut packs = Packs::default();
        for (slot, pack) in packs.all.iter_mut().zip(&setup.packs) {
            *slot = Pack { at: pack.at, value: pack.value };
            packs.count += 1;
        }
        let players = setup.players.as_ref().map(|_, player| Player::new(player));
        let field = Arc::new(Field::new(config));
        let has_lava = ground.cells().any(|cell| ground.at(cell) == Terrain::Lava);
        Ok(Worms { field, round: setup.round, ground, packs, players, ending: None, has_lava })
    }

    fn turn(&self) -> u32 {
        self.round
    }

    fn to_act(&self) -> Seats {
        if self.ending.is_some() { Seats::NONE } else { Seats::BOTH }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        self.field.config.time_limits.limit(self.round == 0)
    }

    fn view(&self, seat: Seat) -> View {
        View::new(self, seat)
    }

    /// The order of the original's round; the document's "Command Order" is inside.
    fn advance(
        &mut self,
        replies: &Replies<Action>,
        chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        assert!(self.ending.is_none(), "a finished match goes no further");
        const NOTHING_SAID: &Action = &Action::MISSING;
        let actions = replies.as_ref().map(|_, reply| match reply {
            Some(Reply::Act(action)) => action,
            Some(Reply::Fault(_)) => NOTHING_SAID,
            None => panic!("both players are asked every round"),
        });
        self.round += 1;
        let mut round = Round {
            hurt_by: PerSeat([[0; WORMS_MAX]; 2]),
            frozen_now: PerSeat([[false; WORMS_MAX]; 2]),
            moved: None,
            blasted: None,
        };
        self.apply_lava(events);
        if self.field.switches.frozen == Frozen::FourRounds {
            self.thaw(None);
        }
        let selected = self.apply_selects(actions, events);
        self.apply_orders(actions, selected, &mut round, chance, events);
        self.pass_turns();
        if self.field.switches.packs_taken == PacksTaken::AtRoundEnd {
            self.take_packs(events);
        }
        self.score_kills(&round, events);
        self.remove_fallen(events);
        if self.field.switches.frozen == Frozen::FiveRounds {
            self.thaw(Some(&round));
        }
        self.end_round(events);
    }

    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Refused { order: Order::Missing, .. } => None,
            Event::Refused { seat, .. } | Event::SelectRefused { seat, .. } => Some(*seat),
            _ => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(|ending| self.outcome_of(ending))
    }

    fn digest(&self, to: &mut Digest) {
        to.text(&self.field.config_text)
            .u32(self.round)
            .u8(self.ending.map_or(0, |ending| ending as u8 + 1));
        for y in 0..self.field.size {
            let (open, full) = self.ground.row(y);
            to.bytes(&open.to_le_bytes()).bytes(&full.to_le_bytes());
        }
        to.u8(self.packs.count);
        for pack in self.packs.as_slice() {
            to.u8(pack.at.x).u8(pack.at.y).i64(i64::from(pack.value));
        }
        for (_, player) in self.players.iter() {
            player.digest(to);
        }
    }

    /// One stream for the whole match, drawn from only when worms collide.
    fn chance(seed: i64) -> Box<dyn Luck> {
        Box::new(KotlinRandom::new(seed as i32))
    }
}

impl Player {
    fn new(setup: &PlayerSetup) -> Player {
        let mut worms = [Worm::default(); WORMS_MAX];
        for (worm, setup) in worms.iter_mut().zip(&setup.worms) {
            *worm = Worm {
                hp: setup.hp,
                at: setup.at,
                came_from: setup.came_from,
                is_on_map: setup.hp > 0,
                frozen: setup.frozen,
                bananas: setup.bananas.unwrap_or(0),
                snowballs: setup.snowballs.unwrap_or(0),
            };
        }
        Player {
            command_score: setup.command_score,
            do_nothings: setup.do_nothings as u32,
            tokens: setup.tokens,
            active: setup.active - 1,
            previous: setup.previous - 1,
            last: Deed::default(),
            worms,
            count: setup.worms.len() as u8,
        }
    }

    fn digest(&self, to: &mut Digest) {
        to.i64(self.command_score).u32(self.do_nothings).i64(i64::from(self.tokens));
        to.u8(self.active).u8(self.previous);
        self.last.digest(to);
        for worm in self.worms() {
            to.i64(i64::from(worm.hp)).u8(u8::from(worm.is_on_map));
            for cell in [worm.at, worm.came_from] {
                to.u8(cell.x).u8(cell.y);
            }
            for number in [worm.frozen, worm.bananas, worm.snowballs] {
                to.i64(i64::from(number));
            }
        }
    }
}

/// What can be seen of a position, for views, pictures and tests.
impl Worms {
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    pub fn packs(&self) -> &[Pack] {
        self.packs.as_slice()
    }

    pub fn players(&self) -> &PerSeat<Player> {
        &self.players
    }

    pub fn game_config(&self) -> &GameConfig {
        &self.field.config.game
    }

    pub fn edition(&self) -> Edition {
        self.field.config.edition
    }

    /// Did nothing for too long.
    pub fn is_disqualified(&self, seat: Seat) -> bool {
        self.players[seat].do_nothings >= self.field.do_nothings_limit
    }

    /// The cells that a snowball of this worm covers, column by column.
    pub(crate) fn snowball_square(&self, worm: u8, at: Cell) -> Vec<Cell> {
        let radius = i32::from(self.arms(usize::from(worm) - 1).freeze_radius);
        let (x, y) = (i32::from(at.x), i32::from(at.y));
        let columns = x - radius..=x + radius;
        let cells = columns.flat_map(|x| (y - radius..=y + radius).map(move |y| (x, y)));
        cells.filter_map(|(x, y)| Cell::within(self.field.size, x, y)).collect()
    }

    /// The round about to be played, or the last one if the match is over.
    pub(crate) fn round_next(&self) -> u32 {
        self.round + 1
    }

    pub(crate) fn packs_owned(&self) -> &Packs {
        &self.packs
    }

    pub(crate) fn field(&self) -> &Arc<Field> {
        &self.field
    }

    /// A player who is still in the match.
    #[inline]
    fn is_living(&self, seat: Seat) -> bool {
        !self.is_disqualified(seat) && self.players[seat].has_living_worm()
    }

    /// The worm that stands in the cell, dead or alive: its player and its index.
    #[inline]
    fn occupant(&self, cell: Cell) -> Option<(Seat, usize)> {
        for seat in Seat::BOTH {
            let stands = |worm: &Worm| worm.is_on_map && worm.at == cell;
            if let Some(index) = self.players[seat].worms().iter().position(stands) {
                return Some((seat, index));
            }
        }
        None
    }

    #[inline]
    fn terrain(&self, cell: Cell) -> Terrain {
        self.ground.at(cell)
    }

    fn counts_per_round(&self) -> bool {
        self.field.switches.do_nothing_counter == DoNothingCounter::PerRound
    }
}
