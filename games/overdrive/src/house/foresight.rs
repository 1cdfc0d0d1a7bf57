//! What a bot expects of its next two commands: the real rules, played on what it sees.

use quintain_core::{Game, NoChance, PerSeat, Replies, Seat};

use crate::{
    Action, Car, CarSetup, Config, Figures, Overdrive, OwnCar, Place, Powerup, Setup, Surface,
    Switches, View,
};

/// The visible part of the track as a race of its own. The own car sits on the first seat.
pub(crate) struct Foresight {
    position: Overdrive,
    /// Out of sight the other car is left where it is.
    is_rival_near: bool,
}

/// Blocks beyond what is seen, taken to be empty: enough for two rounds.
const BEYOND: usize = 40;

/// What a position is worth.
const BLOCK: i32 = 10;
/// Speed is blocks of the rounds to come.
const SPEED: i32 = 15;
/// So are the speeds that damage takes away, and for longer.
const CAP: i32 = 25;
/// A repair is worth less the less it changes, and more with a boost in hand.
const BOOST_CAP: i32 = 8;
const POWERUP: i32 = 8;
const SCORE: i32 = 1;
const FINISH: i32 = 2_000;

impl Foresight {
    /// `None` if what is seen cannot be a race by the usual numbers.
    pub(crate) fn new(view: &View) -> Option<Foresight> {
        let window = &view.window;
        let lanes: Vec<String> = window.lanes().map(lane_digits).collect();
        let length = lanes.first()?.len();
        let first = window.first_block;
        let shifted = |block: u16| block.saturating_sub(first).saturating_add(1);
        let rival = view.opponent.place;
        let is_rival_near = window.get(rival).is_some();
        let rival_block = match rival.block < first {
            true => 1,
            false => shifted(rival.block).min(length as u16 - 1),
        };
        let mut trucks = Vec::new();
        for (lane, cells) in (1..).zip(window.lanes()) {
            let with_truck = (1..).zip(cells).filter(|(_, cell)| cell.has_truck());
            trucks.extend(with_truck.map(|(block, _)| (lane, block)));
        }
        let players = PerSeat([
            own_setup(&view.own, shifted(view.own.place.block)),
            CarSetup::at(rival.lane, rival_block, view.opponent.speed),
        ]);
        let rounds_max = Figures::default().max_rounds as u32;
        let position = playable(0, rounds_max, lanes, players, trucks)?;
        Some(Foresight { position, is_rival_near })
    }

    /// What the best second command makes of a first one.
    pub(crate) fn worth(&self, command: Action, commands: &[Action]) -> i32 {
        let Some(once) = self.after(&self.position, command) else {
            return i32::MIN;
        };
        if once.outcome().is_some() {
            return self.value(&once);
        }
        let next = commands.iter().filter_map(|&second| self.after(&once, second));
        next.map(|twice| self.value(&twice)).max().unwrap_or(i32::MIN)
    }

    /// The position after a round in which the other car goes straight on.
    fn after(&self, position: &Overdrive, command: Action) -> Option<Overdrive> {
        // Places are those of the window here.
        let command = match command {
            Action::UseTweet(_) => Action::tweet(Place::new(1, 1)),
            other => other,
        };
        let is_held = |powerup: Powerup| position.cars()[Seat::First].powerups.has(powerup);
        if !command.powerup().is_none_or(is_held) {
            return None;
        }
        let rival = if self.is_rival_near { Action::Nothing } else { Action::Fix };
        let mut position = position.clone();
        let replies = Replies::both(command, rival);
        position.advance(&replies, &mut NoChance, &mut ());
        Some(position)
    }

    fn value(&self, position: &Overdrive) -> i32 {
        let [own, rival] = &position.cars().0;
        let finish = match position.outcome().map(|outcome| outcome.winner()) {
            Some(Some(Seat::First)) => FINISH,
            Some(_) => -FINISH,
            None => 0,
        };
        let way = |car: &Car| i32::from(car.place.block) * BLOCK + i32::from(car.speed) * SPEED;
        let cap = usable_speed(own.damage) * CAP
            + i32::from(own.powerups.has(Powerup::Boost)) * (5 - i32::from(own.damage)) * BOOST_CAP;
        let held = own.powerups.len().min(12) as i32 * POWERUP;
        finish + way(own) + cap + held + own.score * SCORE - way(rival) / 2
    }
}

/// A part of a track as a race of its own, by the usual numbers; `None` if it cannot be one.
pub(crate) fn playable(
    round: u32,
    rounds_max: u32,
    map: Vec<String>,
    players: PerSeat<CarSetup>,
    trucks: Vec<(u8, u16)>,
) -> Option<Overdrive> {
    let lanes = map.len() as i32;
    let figures = Figures {
        number_of_lanes: lanes,
        max_lane: lanes,
        track_length: map.first()?.len() as i32,
        max_rounds: rounds_max as i32,
        player_two_start_lane: lanes,
        player_two_start_block: 2,
        ..Figures::default()
    };
    let config = Config { switches: Switches::DOCUMENT, figures, ..Config::default() };
    Overdrive::new(&config, Setup { round, map, players, trucks }).ok()
}

/// The own car on a block of such a part.
pub(crate) fn own_setup(own: &OwnCar, block: u16) -> CarSetup {
    CarSetup {
        damage: own.damage,
        score: own.score,
        powerups: own.powerups.iter().map(|held| held.name().to_owned()).collect(),
        boosting: own.is_boosting,
        boost_counter: own.boost_counter,
        ..CarSetup::at(own.place.lane, block, own.speed)
    }
}

/// The highest speed without a boost.
fn usable_speed(damage: u8) -> i32 {
    match damage {
        0 | 1 => 9,
        2 => 8,
        3 => 6,
        4 => 3,
        _ => 0,
    }
}

/// A lane as far as it is seen, and empty blocks up to a line that no car reaches in two rounds.
/// Behind a finish line there is nothing.
fn lane_digits(cells: &[crate::Cell]) -> String {
    let mut digits: String = cells.iter().map(|cell| char::from(cell.surface().digit())).collect();
    if cells.last().is_none_or(|cell| cell.surface() != Surface::FinishLine) {
        digits.extend(std::iter::repeat_n('0', BEYOND));
    }
    digits
}
