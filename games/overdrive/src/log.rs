//! What the original runner's match-log folder holds about a race.

use quintain_core::entelect::{RunnerLog, pretty_json};
use quintain_core::{Game, Seat};
use serde::Serialize;

use crate::{Car, Event, Overdrive, Place, Powerup};

/// Above this the engine's referee wants a person to look at the match.
const SCORE_SUSPICIOUS: i32 = 12_000;
const POWERUPS_SUSPICIOUS: usize = 1_500;

impl RunnerLog for Overdrive {
    const CSV_HEADER_END: &'static str = "\r\n";
    const STDERR_STICKS: bool = true;

    fn csv_header(&self) -> String {
        "Round,PlayerId,Position:Y,Position:X,Speed,State,Boosting,Boost-Counter,Damage,#Boosts,\
         #Oil,#Lizards,LastCyberTruck:Y,LastCyberTruck:X,#Tweets,#EMPs,Score"
            .to_owned()
    }

    /// The columns of the truck are empty until the first one is placed, and keep the last place when
    /// the truck is gone.
    fn csv_line(&self, seat: Seat) -> String {
        let car = &self.cars()[seat];
        let Place { lane, block } = car.place;
        let count = |powerup| car.powerups.count(powerup);
        let (truck_lane, truck_block) = match car.truck {
            Some(place) => (place.lane.to_string(), place.block.to_string()),
            None => (String::new(), String::new()),
        };
        format!(
            "{},{},{lane},{block},{},{},{},{},{},{},{},{},{truck_lane},{truck_block},{},{},{}",
            self.turn() + 1,
            id(seat),
            car.speed,
            car.states.latest_name(),
            car.is_boosting,
            car.boost_counter,
            car.damage,
            count(Powerup::Boost),
            count(Powerup::Oil),
            count(Powerup::Lizard),
            count(Powerup::Tweet),
            count(Powerup::Emp),
            car.score,
        )
    }

    /// Both cars and every block, laid out as `state.json` is. The keys differ from those.
    fn global_state(_before: &Self, after: &Self, _events: &[Event], out: &mut Vec<u8>) {
        let compact = serde_json::to_vec(&global(after)).expect("plain data");
        pretty_json(&compact, out);
    }

    fn remark_subject(_seat: Seat, name: &str) -> String {
        format!("Player {name}")
    }

    fn remarks(&self, out: &mut Vec<String>) {
        for (seat, car) in self.cars().iter() {
            if car.score > SCORE_SUSPICIOUS {
                out.push(format!("Player {} -> score {} is too high", id(seat), car.score));
            }
            if car.powerups.len() > POWERUPS_SUSPICIOUS {
                let count = car.powerups.len();
                out.push(format!("Player {} -> holds too many powerups: {count}", id(seat)));
            }
        }
        if i64::from(self.turn()) > i64::from(self.config().figures.max_rounds) {
            out.push("max rounds exceeded".to_owned());
        }
    }

    fn end_line(&self, seat: Seat, name: &str) -> String {
        let health = self.config().figures.default_health;
        format!("{name} - score:{} health:{health}", self.cars()[seat].score)
    }
}

fn id(seat: Seat) -> u32 {
    seat.index() as u32 + 1
}

/// `GlobalState.json`.
#[derive(Serialize)]
struct Global<'a> {
    players: [GlobalPlayer<'a>; 2],
    blocks: Vec<GlobalBlock>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GlobalPlayer<'a> {
    id: u32,
    position: Position,
    speed: u8,
    state: &'a str,
    states_that_occurred_this_round: Vec<&'a str>,
    powerups: Vec<&'a str>,
    boosting: bool,
    boost_counter: u16,
    damage: u8,
    score: i32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GlobalBlock {
    position: Position,
    surface_object: u8,
    occupied_by_player_with_id: u32,
    is_occupied_by_cyber_truck: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Position {
    lane: u8,
    block_number: u16,
}

impl From<Place> for Position {
    fn from(Place { lane, block }: Place) -> Position {
        Position { lane, block_number: block }
    }
}

fn global(game: &Overdrive) -> Global<'_> {
    let (track, numbers) = (game.track(), game.view(Seat::First).numbers);
    let lanes = 1..=track.lanes();
    let places = lanes.flat_map(|lane| (1..=track.length()).map(move |it| Place::new(lane, it)));
    let block = |place: Place| {
        let cell = game.block(place);
        GlobalBlock {
            position: place.into(),
            surface_object: numbers.surfaces[cell.surface() as usize],
            occupied_by_player_with_id: cell.car().map_or(u32::from(numbers.no_car), id),
            is_occupied_by_cyber_truck: cell.has_truck(),
        }
    };
    Global {
        players: Seat::BOTH.map(|seat| global_player(seat, &game.cars()[seat])),
        blocks: places.map(block).collect(),
    }
}

fn global_player(seat: Seat, car: &Car) -> GlobalPlayer<'_> {
    GlobalPlayer {
        id: id(seat),
        position: car.place.into(),
        speed: car.speed,
        state: car.states.latest_name(),
        states_that_occurred_this_round: car.states.as_slice().iter().map(|s| s.name()).collect(),
        powerups: car.powerups.iter().map(Powerup::name).collect(),
        boosting: car.is_boosting,
        boost_counter: car.boost_counter,
        damage: car.damage,
        score: car.score,
    }
}
