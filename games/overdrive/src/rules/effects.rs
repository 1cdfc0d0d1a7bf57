//! What lies on a car's way: obstacles, then pickups, then the finish line.

use quintain_core::{PerSeat, Seat, Sink};

use super::commands::{cap, slow_down};
use super::{Drive, Overdrive, ones};
use crate::course::Course;
use crate::edition::{OwnOil, PathStart, PickupState};
use crate::{Car, Event, Obstacle, Place, Powerup, State, Surface};

/// How many there are of each surface on a way.
type Counts = [u8; Surface::ALL.len()];

/// In this order a round's pickups are added, and its obstacles met.
const PICKUPS: [Surface; 5] =
    [Surface::OilItem, Surface::Boost, Surface::Lizard, Surface::Tweet, Surface::Emp];

impl Overdrive {
    #[inline]
    pub(super) fn apply_effects(
        &mut self,
        course: &Course,
        drives: &PerSeat<Drive>,
        events: &mut impl Sink<Event>,
    ) {
        for seat in Seat::BOTH {
            let drive = &drives[seat];
            if drive.target != drive.start {
                let middle = self.middle(course, seat, drive);
                let last = self.surface_for(course, seat, course.track.cell(drive.target));
                let car = &mut self.cars[seat];
                if let Some(middle) = &middle {
                    hit_all(course, seat, car, middle, events);
                }
                let mut end = Counts::default();
                end[last as usize] = 1;
                hit_all(course, seat, car, &end, events);
                if let Some(middle) = &middle {
                    pick_up_all(course, seat, car, middle, events);
                }
                pick_up_all(course, seat, car, &end, events);
            }
            let car = &mut self.cars[seat];
            car.place = drive.target;
            if car.place.block == course.track.length() {
                car.states.push(State::Finished);
                events.emit(Event::Finished { seat });
            }
            car.speed = car.speed.min(cap(course, car));
        }
    }

    /// What the car drives over before its last block; `None` if there is nothing, as in a jump.
    #[inline]
    fn middle(&self, course: &Course, seat: Seat, drive: &Drive) -> Option<Counts> {
        let Drive { start, target, .. } = *drive;
        let counts_start = match course.config.switches.path_start {
            PathStart::LaneChange => target.lane != start.lane,
            PathStart::TurnRecorded => drive.has_turned && !drive.has_collided,
        };
        let begin = start.block + u16::from(!counts_start);
        if self.cars[seat].is_lizard || begin >= target.block {
            return None;
        }
        let first = course.track.cell(Place::new(target.lane, begin));
        let length = usize::from(target.block - begin);
        let filled = course.track.filled(first, length) | self.marks.oil(first, length);
        if filled == 0 {
            return None;
        }
        let mut counts = Counts::default();
        for bit in ones(filled) {
            counts[self.surface_for(course, seat, first + bit) as usize] += 1;
        }
        Some(counts)
    }

    /// What a block is for a car: its own oil may be nothing to it.
    #[inline]
    fn surface_for(&self, course: &Course, seat: Seat, cell: usize) -> Surface {
        if !self.marks.is_oil(cell) {
            return course.track.laid_out(cell);
        }
        let is_own = self.marks.is_oil_of_second(cell) == (seat == Seat::Second);
        match course.config.switches.own_oil {
            OwnOil::SparesOwner if is_own => Surface::Empty,
            OwnOil::SparesOwner | OwnOil::SparesNobody => Surface::OilSpill,
        }
    }
}

/// First all mud, then all oil, then all walls.
#[inline]
fn hit_all(
    course: &Course,
    seat: Seat,
    car: &mut Car,
    counts: &Counts,
    events: &mut impl Sink<Event>,
) {
    for (surface, what) in [
        (Surface::Mud, Obstacle::Mud),
        (Surface::OilSpill, Obstacle::Oil),
        (Surface::Wall, Obstacle::Wall),
    ] {
        for _ in 0..counts[surface as usize] {
            hit(course, seat, car, what, events);
        }
    }
}

/// Speed walks down the ladder hit by hit; what the damage allows counts at the end of the way.
fn hit(course: &Course, seat: Seat, car: &mut Car, what: Obstacle, events: &mut impl Sink<Event>) {
    let figures = &course.config.figures;
    let (damage, score, state) = match what {
        Obstacle::Mud => (figures.damage_mud, figures.hit_mud_score_penalty, State::HitMud),
        Obstacle::Oil => (figures.damage_oil, figures.hit_oil_score_penalty, State::HitOil),
        Obstacle::Wall => (figures.damage_wall, figures.hit_wall_score_penalty, State::HitWall),
    };
    let speed = match what {
        Obstacle::Mud | Obstacle::Oil => course.stuck[usize::from(car.speed)],
        Obstacle::Wall => course.struck(car.speed),
    };
    car.damage = (i32::from(car.damage) + damage).min(figures.damage_max_value) as u8;
    slow_down(seat, car, speed, events);
    car.states.push(state);
    car.score += score;
    events.emit(Event::Hit { seat, what });
}

/// Powerups stay on the track: anyone can collect them again.
#[inline]
fn pick_up_all(
    course: &Course,
    seat: Seat,
    car: &mut Car,
    counts: &Counts,
    events: &mut impl Sink<Event>,
) {
    for (surface, powerup) in PICKUPS.into_iter().zip(Powerup::ALL) {
        for _ in 0..counts[surface as usize] {
            car.powerups.push(powerup);
            car.score += course.config.figures.pickup_powerup_bonus;
            if course.config.switches.pickup_state == PickupState::Shown {
                car.states.insert_pickup();
            }
            events.emit(Event::PickedUp { seat, powerup });
        }
    }
}
