//! The match: rounds in which both cars are driven at the same time.
//!
//! `advance` names the stages of a round in their order; each has a file of its own in `rules/`.

mod collide;
mod commands;
mod effects;
mod finish;
mod sample;
mod trucks;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::{
    Chance, Digest, Edition, FieldError, Forfeit, Game, Outcome, PerSeat, Replies, Seat, Seats,
    Setting, SetupError, Sink, entelect,
};

use crate::course::Course;
use crate::track::Marks;
use crate::view::{Cell, Numbers, OwnCar, Rival, Window};
use crate::{
    Action, Car, Config, Ending, Event, Invalid, Place, Setup, Surface, Switches, Track, View,
};
use trucks::Queue;

/// A position of Overdrive.
#[derive(Clone, Debug, PartialEq)]
pub struct Overdrive {
    course: Arc<Course>,
    race: Race,
}

/// What changes during a match: the two cars and what they left on the track.
#[derive(Clone, Debug, PartialEq)]
struct Race {
    /// Rounds completed.
    round: u32,
    cars: PerSeat<Car>,
    marks: Marks,
    /// Tweets that were not settled, which only happens in the original's edition.
    queue: Queue,
    ending: Option<Ending>,
    winner: Option<Seat>,
    /// Nobody has answered yet.
    is_first_answer: bool,
}

/// Where a car is going in this round.
#[derive(Clone, Copy, Debug)]
struct Drive {
    start: Place,
    target: Place,
    /// A TURNING state was recorded.
    has_turned: bool,
    /// Repairing makes immune against trucks.
    is_fixing: bool,
    has_met_truck: bool,
    has_collided: bool,
}

impl Game for Overdrive {
    const ID: &'static str = "overdrive";
    const TITLE: &'static str = "Overdrive";
    const ORIGIN: &'static str = "Entelect Challenge 2020 (EntelectChallenge/2020-Overdrive)";
    const TURN_NAME: &'static str = "round";
    const EDITIONS: &'static [Edition] = &Edition::ALL;
    const SETTINGS: &'static [Setting] = &entelect::SETTINGS;
    const RULES_VERSION: u32 = 2;
    const FORFEITS: &'static [Forfeit] = &[Forfeit {
        reason: Ending::Disqualified.reason(),
        help: "too many invalid commands in a row, usually 20: a powerup that the car does not have, a \
               turn out of the track, a text that is no command and no answer all count",
    }];

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

    fn check_seed(seed: i64) -> Result<(), FieldError> {
        entelect::check_seed(seed)
    }

    fn generate(config: &Config, seed: i64) -> Setup {
        Setup::generate(config, seed)
    }

    fn new(config: &Config, setup: Setup) -> Result<Self, SetupError> {
        let course = Course::new(config, &setup)?;
        let mut marks = Marks::new(&course.track);
        for place in setup.truck_places(&config.figures)? {
            marks.add_truck(course.track.cell(place));
        }
        let race = Race {
            round: setup.round,
            cars: setup.cars(config)?,
            marks,
            queue: Queue::default(),
            ending: None,
            winner: None,
            is_first_answer: true,
        };
        Ok(Overdrive { course: Arc::new(course), race })
    }

    #[inline]
    fn turn(&self) -> u32 {
        self.race.round
    }

    #[inline]
    fn to_act(&self) -> Seats {
        if self.race.ending.is_some() { Seats::NONE } else { Seats::BOTH }
    }

    fn time_limit(&self, _seat: Seat) -> Duration {
        self.course.config.time_limits.limit(self.race.is_first_answer)
    }

    fn view(&self, seat: Seat) -> View {
        let (own, other) = (&self.race.cars[seat], &self.race.cars[seat.other()]);
        View {
            seat,
            round: self.race.round + 1,
            rounds_max: self.course.config.figures.max_rounds as u32,
            own: OwnCar {
                place: own.place,
                speed: own.speed,
                damage: own.damage,
                score: own.score,
                is_boosting: own.is_boosting,
                boost_counter: own.boost_counter,
                states: own.states,
                powerups: own.powerups.clone(),
            },
            opponent: Rival { place: other.place, speed: other.speed },
            window: self.window(own.place.block),
            numbers: Numbers {
                surfaces: self.course.numbers(),
                no_car: self.course.config.figures.empty_player as u8,
            },
            prefix: self.course.config.switches.prefix,
        }
    }

    fn advance(
        &mut self,
        replies: &Replies<Action>,
        _chance: &mut dyn Chance,
        events: &mut impl Sink<Event>,
    ) {
        self.race.advance(&self.course, replies, events);
    }

    fn refused(event: &Event) -> Option<Seat> {
        match *event {
            Event::Invalid { why: Invalid::Missing, .. } => None,
            Event::Invalid { seat, .. } => Some(seat),
            _ => None,
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.race.ending.map(|ending| self.race.result(ending))
    }

    fn digest(&self, to: &mut Digest) {
        to.i64(self.course.fingerprint as i64).u32(self.race.round);
        for (_, car) in self.race.cars.iter() {
            digest_car(car, to);
        }
        for (index, word) in self.race.marks.added() {
            to.u32(index as u32).i64(word as i64);
        }
        self.race.queue.digest(to);
        to.u8(self.race.ending.map_or(0, |ending| ending as u8 + 1));
        to.u8(self.race.winner.map_or(0, |seat| seat as u8 + 1));
        to.u8(u8::from(self.race.is_first_answer));
    }
}

impl Race {
    #[inline]
    fn advance(
        &mut self,
        course: &Course,
        replies: &Replies<Action>,
        events: &mut impl Sink<Event>,
    ) {
        assert!(self.ending.is_none(), "a finished match goes no further");
        self.round += 1;
        self.is_first_answer = false;
        let mut drives = self.apply_commands(course, replies, events);
        self.apply_emps(course, &mut drives, events);
        self.apply_trucks(course, &mut drives, events);
        self.apply_collisions(course, &mut drives, events);
        self.apply_effects(course, &drives, events);
        self.apply_tweets(course, events);
        self.apply_round_limit(course, events);
        self.judge(course, events);
    }
}

fn digest_car(car: &Car, to: &mut Digest) {
    digest_place(Some(car.place), to);
    to.u8(car.speed).u8(car.damage).u8(u8::from(car.is_boosting)).u8(u8::from(car.is_lizard));
    to.u8(u8::from(car.has_truck)).u32(u32::from(car.boost_counter)).i64(i64::from(car.score));
    digest_place(car.truck, to);
    to.u32(car.invalid_in_a_row);
    for &state in car.states.as_slice() {
        to.u8(state as u8);
    }
    to.u8(u8::MAX).u32(car.powerups.len() as u32);
    for powerup in car.powerups.iter() {
        to.u8(powerup as u8);
    }
}

fn digest_place(place: Option<Place>, to: &mut Digest) {
    let place = place.unwrap_or(Place::new(0, 0));
    to.u8(place.lane).u32(u32::from(place.block));
}

impl Overdrive {
    pub fn config(&self) -> &Config {
        &self.course.config
    }

    /// The track as it was laid out.
    pub fn track(&self) -> &Track {
        &self.course.track
    }

    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    pub(crate) fn marks(&self) -> &Marks {
        &self.race.marks
    }

    pub fn cars(&self) -> &PerSeat<Car> {
        &self.race.cars
    }

    /// Every truck on the track, lane by lane.
    pub fn trucks(&self) -> Vec<Place> {
        let length = usize::from(self.course.track.length());
        let place = |cell| Place::new((cell / length + 1) as u8, (cell % length + 1) as u16);
        self.race.marks.truck_cells().map(place).collect()
    }

    /// What lies on a block now.
    pub fn surface(&self, place: Place) -> Surface {
        let cell = self.course.track.cell(place);
        if self.race.marks.is_oil(cell) {
            Surface::OilSpill
        } else {
            self.course.track.laid_out(cell)
        }
    }

    /// How many tweets the original's engine would look at again in the next round.
    pub fn tweets_left_over(&self) -> usize {
        self.race.queue.len()
    }

    pub fn ending(&self) -> Option<Ending> {
        self.race.ending
    }

    /// A block with all that is on it. Where two cars share the first block, the second shows.
    pub(crate) fn block(&self, place: Place) -> Cell {
        let mut cell = Cell::new(self.surface(place));
        if self.race.marks.is_truck(self.course.track.cell(place)) {
            cell = cell.with_truck();
        }
        for (seat, car) in self.race.cars.iter() {
            if car.place == place {
                cell = cell.with_car(seat);
            }
        }
        cell
    }

    /// All lanes around a block, as far as the config lets a player see.
    pub(crate) fn window(&self, block: u16) -> Window {
        let (figures, track) = (&self.course.config.figures, &self.course.track);
        let first = i32::from(block).saturating_sub(figures.backward_visibility).max(1) as u16;
        let last = (i32::from(block) + figures.forward_visibility).min(i32::from(track.length()));
        let width = (last - i32::from(first) + 1) as usize;
        let mut cells = Vec::with_capacity(width * usize::from(track.lanes()));
        for lane in 1..=track.lanes() {
            let begin = track.cell(Place::new(lane, first));
            let laid_out = &track.surfaces()[begin..begin + width];
            let row = cells.len();
            cells.extend(laid_out.iter().map(|&surface| Cell::new(surface)));
            self.add_marks(begin, &mut cells[row..]);
        }
        for (seat, car) in self.race.cars.iter() {
            if let Some(column) = car.place.block.checked_sub(first)
                && usize::from(column) < width
            {
                let index = (usize::from(car.place.lane) - 1) * width + usize::from(column);
                cells[index] = cells[index].with_car(seat);
            }
        }
        Window { first_block: first, width, cells }
    }

    /// Puts oil and trucks on a row of blocks that begins with this cell.
    fn add_marks(&self, begin: usize, row: &mut [Cell]) {
        const RUN: usize = 64;
        for (number, cells) in row.chunks_mut(RUN).enumerate() {
            let from = begin + number * RUN;
            for bit in ones(self.race.marks.oil(from, cells.len())) {
                cells[bit] = Cell::new(Surface::OilSpill);
            }
            for bit in ones(self.race.marks.trucks(from, cells.len())) {
                cells[bit] = cells[bit].with_truck();
            }
        }
    }
}

/// The places of the bits that are set, the lowest first.
#[inline]
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (bit < u64::BITS as usize).then_some(bit)
    })
}
