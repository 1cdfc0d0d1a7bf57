//! What the original runner's match-log folder holds about a race.

use quintain_core::decimal::{push_number, push_signed};
use quintain_core::entelect::{RunnerLog, pretty_json};
use quintain_core::{Game, Seat};

use crate::render::truth;
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
            car.states.last().map_or("", |state| state.name()),
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
        let mut compact = Vec::new();
        global_object(after, &mut compact);
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

fn global_object(game: &Overdrive, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"players\":[");
    for (seat, car) in game.cars().iter() {
        out.extend_from_slice(if seat == Seat::First { b"" } else { b"," });
        global_player(seat, car, out);
    }
    out.extend_from_slice(b"],\"blocks\":[");
    let numbers = game.view(Seat::First).numbers;
    let track = game.track();
    for lane in 1..=track.lanes() {
        for block in 1..=track.length() {
            let cell = game.block(Place::new(lane, block));
            out.extend_from_slice(if (lane, block) == (1, 1) { b"{" } else { b",{" });
            global_position(Place::new(lane, block), out);
            out.extend_from_slice(b",\"surfaceObject\":");
            push_number(out, numbers.surfaces[cell.surface() as usize]);
            out.extend_from_slice(b",\"occupiedByPlayerWithId\":");
            push_number(out, cell.car().map_or(u32::from(numbers.no_car), id));
            out.extend_from_slice(b",\"isOccupiedByCyberTruck\":");
            out.extend_from_slice(truth(cell.has_truck()));
            out.push(b'}');
        }
    }
    out.extend_from_slice(b"]}");
}

fn global_player(seat: Seat, car: &Car, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    push_number(out, id(seat));
    out.push(b',');
    global_position(car.place, out);
    out.extend_from_slice(b",\"speed\":");
    push_number(out, car.speed);
    let state = car.states.last().map_or("", |state| state.name());
    out.extend_from_slice(b",\"state\":\"");
    out.extend_from_slice(state.as_bytes());
    out.extend_from_slice(b"\",\"statesThatOccurredThisRound\":[");
    words(car.states.as_slice().iter().map(|state| state.name()), out);
    out.extend_from_slice(b"],\"powerups\":[");
    words(car.powerups.iter().map(Powerup::name), out);
    out.extend_from_slice(b"],\"boosting\":");
    out.extend_from_slice(truth(car.is_boosting));
    out.extend_from_slice(b",\"boostCounter\":");
    push_number(out, car.boost_counter);
    out.extend_from_slice(b",\"damage\":");
    push_number(out, car.damage);
    out.extend_from_slice(b",\"score\":");
    push_signed(out, car.score);
    out.push(b'}');
}

fn global_position(place: Place, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"position\":{\"lane\":");
    push_number(out, place.lane);
    out.extend_from_slice(b",\"blockNumber\":");
    push_number(out, place.block);
    out.push(b'}');
}

fn words<'a>(words: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    for (index, word) in words.enumerate() {
        out.extend_from_slice(if index == 0 { b"\"" } else { b",\"" });
        out.extend_from_slice(word.as_bytes());
        out.push(b'"');
    }
}
