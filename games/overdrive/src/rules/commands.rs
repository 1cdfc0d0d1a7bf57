//! The commands: what each does to its car before anything collides, and what makes it invalid.

use quintain_core::{PerSeat, Replies, Reply, Seat, Sink};

use super::{Drive, Race};
use crate::action::Tweet;
use crate::course::Course;
use crate::edition::{EmpState, InvalidCommand, LizardUse, PathStart};
use crate::{Action, Car, Event, Invalid, Place, Powerup, State};

/// What a reply comes to: a command that can be carried out, and what was wrong with the reply.
#[derive(Clone, Copy)]
struct Order {
    action: Action,
    invalid: Option<Invalid>,
}

impl Race {
    /// Performs both commands, the first player's first. Both are judged by the places at which the
    /// cars stood, so the order shows only in the states that an EMP leaves, and there only in the
    /// original's edition.
    #[inline]
    pub(super) fn apply_commands(
        &mut self,
        course: &Course,
        replies: &Replies<Action>,
        events: &mut impl Sink<Event>,
    ) -> PerSeat<Drive> {
        for car in &mut self.cars.0 {
            car.states.clear();
        }
        PerSeat([
            self.perform(course, Seat::First, &replies[Seat::First], events),
            self.perform(course, Seat::Second, &replies[Seat::Second], events),
        ])
    }

    #[inline]
    fn perform(
        &mut self,
        course: &Course,
        seat: Seat,
        reply: &Option<Reply<Action>>,
        events: &mut impl Sink<Event>,
    ) -> Drive {
        let order = self.order(course, seat, reply, events);
        let car = &mut self.cars[seat];
        tick_boost(course, seat, car, events);
        car.is_lizard = false;
        if order.invalid.is_some()
            && course.config.switches.invalid_command == InvalidCommand::Penalty
        {
            car.score += course.config.figures.invalid_command_penalty;
        }
        let mut drive = Drive {
            start: car.place,
            target: car.place,
            has_turned: false,
            is_fixing: false,
            has_met_truck: false,
            has_collided: false,
        };
        let distance = match order.action {
            Action::Accelerate => {
                car.speed = course.faster[usize::from(car.speed)].min(cap(course, car));
                car.states.push(State::Accelerating);
                car.speed
            }
            Action::Decelerate => {
                let slower = course.slower[usize::from(car.speed)];
                slow_down(seat, car, slower, events);
                car.states.push(State::Decelerating);
                car.speed
            }
            Action::TurnLeft => {
                let lane = car.place.lane - 1;
                turn(course, car, State::TurningLeft, lane, order, &mut drive)
            }
            Action::TurnRight => {
                let lane = car.place.lane + 1;
                turn(course, car, State::TurningRight, lane, order, &mut drive)
            }
            Action::Fix => {
                car.states.push(State::FixedCar);
                let repaired = course.config.figures.damage_repair_value as u8;
                car.damage = car.damage.saturating_sub(repaired);
                drive.is_fixing = true;
                0
            }
            Action::UseBoost => self.use_boost(course, seat),
            Action::UseOil => self.use_oil(course, seat, events),
            Action::UseLizard => self.use_lizard(course, seat),
            Action::UseTweet(tweet) => self.use_tweet(course, seat, tweet),
            Action::UseEmp => self.use_emp(course, seat, events),
            Action::Nothing | Action::Unreadable(_) => {
                car.states.push(State::Nothing);
                car.speed
            }
        };
        let length = course.track.length();
        drive.target.block = drive.start.block.saturating_add(u16::from(distance)).min(length);
        drive
    }

    /// All commands are validated before any is executed; whatever is invalid acts as NOTHING, but
    /// for a turn out of the track.
    #[inline(always)]
    fn order(
        &mut self,
        course: &Course,
        seat: Seat,
        reply: &Option<Reply<Action>>,
        events: &mut impl Sink<Event>,
    ) -> Order {
        let car = &mut self.cars[seat];
        let action = match reply {
            Some(Reply::Act(action)) => {
                events.emit(Event::Commanded { seat, action: *action });
                Some(*action)
            }
            Some(Reply::Fault(_)) | None => None,
        };
        let invalid = match action {
            Some(action) => invalid(course, car, action),
            None => Some(Invalid::Missing),
        };
        let Some(why) = invalid else {
            car.invalid_in_a_row = 0;
            return Order { action: action.unwrap_or(Action::Nothing), invalid };
        };
        car.invalid_in_a_row += 1;
        events.emit(Event::Invalid { seat, why });
        let action = match (why, action) {
            (Invalid::TurnOffTrack, Some(turn)) => turn,
            _ => Action::Nothing,
        };
        Order { action, invalid }
    }

    /// A powerup that the car has is used up, and pays.
    fn spend(&mut self, course: &Course, seat: Seat, powerup: Powerup) -> &mut Car {
        let car = &mut self.cars[seat];
        assert!(car.powerups.take(powerup), "a powerup not held makes a command invalid");
        if powerup != Powerup::Lizard || course.config.switches.lizard_use == LizardUse::Bonus {
            car.score += course.config.figures.use_powerup_bonus;
        }
        car
    }

    fn use_boost(&mut self, course: &Course, seat: Seat) -> u8 {
        let car = self.spend(course, seat, Powerup::Boost);
        car.speed = cap(course, car);
        car.is_boosting = true;
        car.boost_counter = course.config.figures.boost_duration as u16;
        car.states.push(State::UsedBoost);
        car.speed
    }

    fn use_oil(&mut self, course: &Course, seat: Seat, events: &mut impl Sink<Event>) -> u8 {
        let car = self.spend(course, seat, Powerup::Oil);
        car.states.push(State::UsedOil);
        let (place, speed) = (car.place, car.speed);
        self.marks.drop_oil(course.track.cell(place), seat == Seat::Second);
        events.emit(Event::Oiled { seat, place });
        speed
    }

    fn use_lizard(&mut self, course: &Course, seat: Seat) -> u8 {
        let car = self.spend(course, seat, Powerup::Lizard);
        car.states.push(State::UsedLizard);
        car.is_lizard = true;
        car.speed
    }

    fn use_tweet(&mut self, course: &Course, seat: Seat, tweet: Tweet) -> u8 {
        let car = self.spend(course, seat, Powerup::Tweet);
        car.states.push(State::UsedTweet);
        let (truck, speed) = (car.truck, car.speed);
        self.queue.push(seat, Place::new(tweet.lane as u8, tweet.block as u16), truck);
        speed
    }

    /// Hits the opponent if it is far enough ahead, in the same lane or in one beside it.
    fn use_emp(&mut self, course: &Course, seat: Seat, events: &mut impl Sink<Event>) -> u8 {
        let figures = &course.config.figures;
        let car = self.spend(course, seat, Powerup::Emp);
        car.states.push(State::UsedEmp);
        let (own, speed) = (car.place, car.speed);
        let victim = &mut self.cars[seat.other()];
        let is_near = own.lane.abs_diff(victim.place.lane) <= 1;
        let gap = i32::from(victim.place.block) - i32::from(own.block);
        if is_near && gap > figures.emp_block_gap {
            victim.states.push(State::HitEmp);
            victim.score += figures.hit_emp_score_penalty;
            events.emit(Event::HitEmp { seat: seat.other() });
        }
        speed
    }

    /// A car hit by an EMP does not move. Whatever else its command did stands.
    #[inline]
    pub(super) fn apply_emps(
        &mut self,
        course: &Course,
        drives: &mut PerSeat<Drive>,
        events: &mut impl Sink<Event>,
    ) {
        for seat in Seat::BOTH {
            let car = &mut self.cars[seat];
            if car.states.as_slice().contains(&State::HitEmp) {
                if course.config.switches.emp_state == EmpState::AfterCommands {
                    car.states.put_last(State::HitEmp);
                }
                drives[seat].target = drives[seat].start;
                slow_down(seat, car, course.struck(car.speed), events);
            }
        }
    }
}

/// What is wrong with a command, given the car.
#[inline(always)]
fn invalid(course: &Course, car: &Car, action: Action) -> Option<Invalid> {
    let figures = &course.config.figures;
    match action {
        Action::Unreadable(why) => Some(Invalid::Unreadable(why)),
        Action::TurnLeft if i32::from(car.place.lane) <= figures.min_lane => {
            Some(Invalid::TurnOffTrack)
        }
        Action::TurnRight if i32::from(car.place.lane) >= figures.max_lane => {
            Some(Invalid::TurnOffTrack)
        }
        Action::UseTweet(Tweet { lane, block })
            if !(1..=figures.number_of_lanes).contains(&lane)
                || !(1..=figures.track_length).contains(&block) =>
        {
            Some(Invalid::OffTrack)
        }
        action => {
            let powerup = action.powerup()?;
            (!car.powerups.has(powerup)).then_some(Invalid::NotHeld(powerup))
        }
    }
}

/// Changes lanes if there is one, and returns how far the car drives. A car that stands cannot turn.
#[inline(always)]
fn turn(
    course: &Course,
    car: &mut Car,
    turning: State,
    lane: u8,
    order: Order,
    drive: &mut Drive,
) -> u8 {
    let is_off_track = order.invalid.is_some();
    let records_turn =
        !is_off_track || course.config.switches.path_start == PathStart::TurnRecorded;
    if car.speed == 0 {
        car.states.push(State::Nothing);
        return 0;
    }
    car.states.push(if records_turn { turning } else { State::Nothing });
    drive.has_turned = records_turn;
    if !is_off_track {
        drive.target.lane = lane;
    }
    car.speed.saturating_sub(course.config.figures.change_lane_penalty as u8)
}

/// A boost counts down before each command. When it runs out the speed becomes the highest without
/// one, which can be faster than a boost that was taken with damage.
#[inline]
fn tick_boost(course: &Course, seat: Seat, car: &mut Car, events: &mut impl Sink<Event>) {
    if !car.is_boosting {
        return;
    }
    car.boost_counter -= 1;
    if car.boost_counter == 0 {
        car.is_boosting = false;
        car.speed = cap(course, car).min(course.config.figures.maximum_speed as u8);
        car.states.push(State::Nothing);
        events.emit(Event::BoostEnded { seat });
    }
}

/// The highest speed that the damage allows.
#[inline]
pub(super) fn cap(course: &Course, car: &Car) -> u8 {
    course.cap[usize::from(car.damage)]
}

/// Any slowing ends a boost, even one that leaves the speed as it is.
#[inline]
pub(super) fn slow_down(seat: Seat, car: &mut Car, speed: u8, events: &mut impl Sink<Event>) {
    if car.is_boosting {
        events.emit(Event::BoostEnded { seat });
    }
    car.speed = speed;
    car.is_boosting = false;
    car.boost_counter = 0;
}
