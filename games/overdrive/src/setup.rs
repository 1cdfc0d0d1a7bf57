//! How a match starts: the organiser's choices, and the position.

use quintain_core::entelect::TimeLimits;
use quintain_core::{FieldError, PerSeat, Seat, SetupError, require_within};
use serde::{Deserialize, Serialize};

use crate::car::STATES_MAX;
use crate::map::draw_map;
use crate::{Car, Figures, Place, Powerup, State, Surface, Switches};

/// Beyond any race's score, and small enough never to overflow when counted on.
const SCORE_MAX: i32 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub switches: Switches,
    pub time_limits: TimeLimits,
    pub figures: Figures,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            switches: Switches::DOCUMENT,
            time_limits: TimeLimits::default(),
            figures: Figures::default(),
        }
    }
}

impl Config {
    pub(crate) fn check(&self) -> Result<(), FieldError> {
        self.time_limits.check()?;
        self.figures.check().map_err(|misfit| {
            FieldError::new(format!("figures.{}", misfit.key), misfit.expected, misfit.got)
        })
    }
}

/// A whole position, in the words of recorded matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Rounds played before.
    pub round: u32,
    /// One string of digits per lane, a digit per block.
    pub map: Vec<String>,
    pub players: PerSeat<CarSetup>,
    pub trucks: Vec<(u8, u16)>,
}

/// A car. What is left out is as at the start of a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CarSetup {
    pub lane: u8,
    pub block: u16,
    pub speed: u8,
    #[serde(default)]
    pub damage: u8,
    #[serde(default)]
    pub score: i32,
    #[serde(default)]
    pub powerups: Vec<String>,
    #[serde(default)]
    pub boosting: bool,
    #[serde(default)]
    pub boost_counter: u16,
    #[serde(default)]
    pub lizarding: bool,
    #[serde(default = "ready")]
    pub states: Vec<String>,
    /// Where its last tweet put a truck, which may be gone.
    #[serde(default)]
    pub truck: Option<(u8, u16)>,
}

fn ready() -> Vec<String> {
    vec![State::Ready.name().to_owned()]
}

impl Setup {
    pub(crate) fn generate(config: &Config, seed: i64) -> Setup {
        let figures = &config.figures;
        let lanes = draw_map(figures, seed);
        let written = |lane: &Vec<Surface>| -> String {
            lane.iter().map(|surface| char::from(surface.digit())).collect()
        };
        let car = |lane: i32, block: i32| CarSetup {
            score: figures.default_score,
            ..CarSetup::at(lane as u8, block as u16, figures.initial_speed as u8)
        };
        Setup {
            round: 0,
            map: lanes.iter().map(written).collect(),
            players: PerSeat([
                car(figures.player_one_start_lane, figures.player_one_start_block),
                car(figures.player_two_start_lane, figures.player_two_start_block),
            ]),
            trucks: Vec::new(),
        }
    }

    /// The track, if it is as large as the config says.
    pub(crate) fn lanes(&self, figures: &Figures) -> Result<Vec<Vec<Surface>>, SetupError> {
        let (count, length) = (figures.number_of_lanes as usize, figures.track_length as usize);
        if self.map.len() != count {
            return Err(SetupError::new(&format!("{count} lanes"), self.map.len()));
        }
        let read = |lane: &String| -> Result<Vec<Surface>, SetupError> {
            if lane.len() != length {
                return Err(SetupError::new(&format!("lanes of {length} blocks"), lane.len()));
            }
            let surfaces = lane.bytes().map(Surface::from_digit).collect::<Option<_>>();
            surfaces.ok_or_else(|| SetupError::new("digits from 0 to 9", "another character"))
        };
        self.map.iter().map(read).collect()
    }

    /// Both cars, if they can be there.
    pub(crate) fn cars(&self, config: &Config) -> Result<PerSeat<Car>, SetupError> {
        if i64::from(self.round) >= i64::from(config.figures.max_rounds) {
            let expected = format!("fewer than {} rounds", config.figures.max_rounds);
            return Err(SetupError::new(&expected, self.round));
        }
        let read = |seat: Seat| self.players[seat].to_car(config, self);
        Ok(PerSeat([read(Seat::First)?, read(Seat::Second)?]))
    }

    /// The trucks, each on a block of the track and on its own.
    pub(crate) fn truck_places(&self, figures: &Figures) -> Result<Vec<Place>, SetupError> {
        let mut places = Vec::new();
        for &(lane, block) in &self.trucks {
            let place = place_on(figures, lane, block)?;
            if places.contains(&place) {
                return Err(SetupError::new(
                    "one truck on a block",
                    format!("two on {lane}, {block}"),
                ));
            }
            places.push(place);
        }
        Ok(places)
    }
}

impl CarSetup {
    /// A sound car without anything.
    pub fn at(lane: u8, block: u16, speed: u8) -> CarSetup {
        CarSetup {
            lane,
            block,
            speed,
            damage: 0,
            score: 0,
            powerups: Vec::new(),
            boosting: false,
            boost_counter: 0,
            lizarding: false,
            states: ready(),
            truck: None,
        }
    }

    fn to_car(&self, config: &Config, setup: &Setup) -> Result<Car, SetupError> {
        let figures = &config.figures;
        let place = place_on(figures, self.lane, self.block)?;
        require_within("a lane", self.lane, figures.min_lane, figures.max_lane)?;
        if !figures.speeds().contains(&i32::from(self.speed)) {
            return Err(SetupError::new("a speed of the config", self.speed));
        }
        require_within("a damage", self.damage, 0, figures.damage_max_value)?;
        require_within("a score", self.score, -SCORE_MAX, SCORE_MAX)?;
        require_within("a boost counter", self.boost_counter, 0, figures.boost_duration)?;
        if self.boosting && self.boost_counter == 0 {
            return Err(SetupError::new("a boost counter while boosting", self.boost_counter));
        }
        if self.states.is_empty() || self.states.len() > STATES_MAX {
            return Err(SetupError::new(&format!("1 to {STATES_MAX} states"), self.states.len()));
        }
        let powerup = |name: &String| {
            Powerup::from_name(name).ok_or_else(|| SetupError::new("the name of a powerup", name))
        };
        let state = |name: &String| {
            State::from_name(name).ok_or_else(|| SetupError::new("the name of a state", name))
        };
        let truck = match self.truck {
            Some((lane, block)) => Some(place_on(figures, lane, block)?),
            None => None,
        };
        Ok(Car {
            place,
            speed: self.speed,
            damage: self.damage,
            is_boosting: self.boosting,
            is_lizard: self.lizarding,
            has_truck: self.truck.is_some_and(|truck| setup.trucks.contains(&truck)),
            boost_counter: self.boost_counter,
            score: self.score,
            truck,
            invalid_in_a_row: 0,
            states: self.states.iter().map(state).collect::<Result<_, _>>()?,
            powerups: self.powerups.iter().map(powerup).collect::<Result<_, _>>()?,
        })
    }
}

fn place_on(figures: &Figures, lane: u8, block: u16) -> Result<Place, SetupError> {
    require_within("a lane", lane, 1, figures.number_of_lanes)?;
    require_within("a block", block, 1, figures.track_length)?;
    Ok(Place::new(lane, block))
}
