//! What lies on a car's way: obstacles, then pickups, then the finish line.

use quintain_core::{PerSeat, Seat, Sink};

use super::commands::{cap, slow_down};
use super::{Drive, Race, ones};
use crate::course::Course;
use crate::edition::{OwnOil, PathStart, PickupState};
use crate::track::Counts;
use crate::{Car, Event, Obstacle, State, Surface};

impl Race {
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
                let (middle, end) = self.on_the_way(course, seat, drive);
                let car = &mut self.cars[seat];
                if middle.has(Counts::OBSTACLES) || end.has(Counts::OBSTACLES) {
                    for counts in [middle, end] {
                        hit_all(course, seat, car, counts, events);
                    }
                }
                if middle.has(Counts::PICKUPS) || end.has(Counts::PICKUPS) {
                    for counts in [middle, end] {
                        pick_up_all(course, seat, car, counts, events);
                    }
                }
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

    /// What the car drives over before its last block, which is nothing if it jumps, and what lies on
    /// the last block.
    #[inline(always)]
    fn on_the_way(&self, course: &Course, seat: Seat, drive: &Drive) -> (Counts, Counts) {
        let Drive { start, target, .. } = *drive;
        let counts_start = match course.config.switches.path_start {
            PathStart::LaneChange => target.lane != start.lane,
            PathStart::TurnRecorded => drive.has_turned && !drive.has_collided,
        };
        let begin = match self.cars[seat].is_lizard {
            true => target.block,
            false => target.block.min(start.block + u16::from(!counts_start)),
        };
        let last = course.track.cell(target);
        let first = last - usize::from(target.block - begin);
        let mut middle = course.track.between(first, last);
        let mut end = Counts::one(course.track.laid_out(last));
        for bit in ones(self.marks.oil(first, last - first + 1)) {
            let cell = first + bit;
            let counts = if cell == last { &mut end } else { &mut middle };
            counts.remove(course.track.laid_out(cell));
            if !self.is_spared(course, seat, cell) {
                counts.add(Surface::OilSpill);
            }
        }
        (middle, end)
    }

    /// Whether oil that was dropped on a block is nothing to a car because it is its own.
    fn is_spared(&self, course: &Course, seat: Seat, cell: usize) -> bool {
        match course.config.switches.own_oil {
            OwnOil::SparesOwner => self.marks.is_oil_of_second(cell) == (seat == Seat::Second),
            OwnOil::SparesNobody => false,
        }
    }
}

/// First all mud, then all oil, then all walls: so they are numbered.
#[inline]
fn hit_all(
    course: &Course,
    seat: Seat,
    car: &mut Car,
    counts: Counts,
    events: &mut impl Sink<Event>,
) {
    for surface in counts.of(Counts::OBSTACLES) {
        let what = match surface {
            Surface::Mud => Obstacle::Mud,
            Surface::OilSpill => Obstacle::Oil,
            _ => Obstacle::Wall,
        };
        hit(course, seat, car, what, events);
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

/// Powerups stay on the track: anyone can collect them again. Those of one way are added kind by kind,
/// in the order of their numbers.
#[inline]
fn pick_up_all(
    course: &Course,
    seat: Seat,
    car: &mut Car,
    counts: Counts,
    events: &mut impl Sink<Event>,
) {
    for surface in counts.of(Counts::PICKUPS) {
        let powerup = surface.powerup().expect("only powerups are visited");
        car.powerups.push(powerup);
        car.score += course.config.figures.pickup_powerup_bonus;
        if course.config.switches.pickup_state == PickupState::Shown {
            car.states.insert_pickup();
        }
        events.emit(Event::PickedUp { seat, powerup });
    }
}
