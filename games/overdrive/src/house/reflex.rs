//! What a car does without thinking: the command whose way looks best by what lies on it. It is quick
//! enough to stand for a driver many rounds ahead.

use quintain_core::Seat;

use crate::track::Counts;
use crate::{Action, Car, Overdrive, Place, Powerup, Surface};

/// What a way costs, in tenths of blocks.
const BLOCK: i32 = 10;
const MUD: i32 = 90;
const WALL: i32 = 220;
const TRUCK: i32 = 260;
const PICKUP: i32 = 30;
const BOOST_PICKUP: i32 = 80;
/// What a powerup is kept for: a way must be better by this much.
const LIZARD_KEPT: i32 = 50;
const BOOST_KEPT: i32 = 20;

/// The command, given what the car has. It never is an EMP: a driver who reckons with one in every round
/// dares not lead.
pub(crate) fn reflex(position: &Overdrive, seat: Seat) -> Action {
    let car = &position.cars()[seat];
    let course = position.course();
    let cap = course.cap[usize::from(car.damage)];
    let has_boost = car.powerups.has(Powerup::Boost);
    if car.damage >= 3 || car.damage > 0 && has_boost && !car.is_boosting {
        return Action::Fix;
    }
    let maximum = course.config.figures.maximum_speed as u8;
    let speed = if car.boost_counter == 1 { cap.min(maximum) } else { car.speed };
    let faster = course.faster[usize::from(speed)].min(cap).max(speed.min(cap));
    let lane = car.place.lane;
    let straight = way(position, car, lane, faster, false);
    let mut best = (straight, if faster > speed { Action::Accelerate } else { Action::Nothing });
    let mut offer = |worth: i32, action: Action| {
        if worth > best.0 {
            best = (worth, action);
        }
    };
    if speed > 1 && lane > 1 {
        offer(way(position, car, lane - 1, speed - 1, false), Action::TurnLeft);
    }
    if speed > 1 && lane < position.track().lanes() {
        offer(way(position, car, lane + 1, speed - 1, false), Action::TurnRight);
    }
    if has_boost && cap > maximum && car.boost_counter <= 1 {
        offer(way(position, car, lane, cap, false) - BOOST_KEPT, Action::UseBoost);
    }
    if car.powerups.has(Powerup::Lizard) {
        offer(way(position, car, lane, speed, true) - LIZARD_KEPT, Action::UseLizard);
    }
    best.1
}

/// What it is worth to drive so many blocks in a lane.
#[inline]
fn way(position: &Overdrive, car: &Car, lane: u8, distance: u8, jumps: bool) -> i32 {
    let (track, marks) = (position.track(), position.marks());
    let start = car.place.block;
    let end = start.saturating_add(u16::from(distance)).min(track.length());
    let begin = match jumps {
        true => end,
        false => (start + u16::from(lane == car.place.lane)).min(end),
    };
    let (first, last) = (track.cell(Place::new(lane, begin)), track.cell(Place::new(lane, end)));
    let mut counts = track.between(first, last);
    counts.add(track.laid_out(last));
    let length = last - first + 1;
    let mut worth = i32::from(end - start) * BLOCK;
    if counts.has(Counts::OBSTACLES) {
        for surface in counts.of(Counts::OBSTACLES) {
            worth -= if surface == Surface::Wall { WALL } else { MUD };
        }
    }
    if counts.has(Counts::PICKUPS) {
        for surface in counts.of(Counts::PICKUPS) {
            worth += if surface == Surface::Boost { BOOST_PICKUP } else { PICKUP };
        }
    }
    worth -= marks.oil(first, length).count_ones() as i32 * MUD;
    if marks.has_trucks() && marks.trucks(first, length) != 0 {
        worth -= TRUCK;
    }
    worth
}
