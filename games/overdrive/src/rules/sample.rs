//! Random play.

use quintain_core::{Chance, Sample, Seat};

use super::Overdrive;
use crate::{Action, Place};

/// Commands that need nothing but the lane.
const DRIVING: [Action; 6] = [
    Action::Nothing,
    Action::Accelerate,
    Action::Decelerate,
    Action::Fix,
    Action::TurnLeft,
    Action::TurnRight,
];
const USING: [Action; 4] = [Action::UseBoost, Action::UseOil, Action::UseLizard, Action::UseEmp];

impl Sample for Overdrive {
    /// Any valid command, each powerup held as likely as a way to drive.
    fn sample(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Action {
        let car = &self.race.cars[seat];
        let figures = &self.course.config.figures;
        let mut actions = [Action::Nothing; DRIVING.len() + USING.len() + 1];
        let mut count = 0;
        let mut add = |action: Action| {
            actions[count] = action;
            count += 1;
        };
        for action in DRIVING {
            let leaves = match action {
                Action::TurnLeft => i32::from(car.place.lane) <= figures.min_lane,
                Action::TurnRight => i32::from(car.place.lane) >= figures.max_lane,
                _ => false,
            };
            if !leaves {
                add(action);
            }
        }
        let somewhere = Place::new(
            chance.below(u32::from(self.course.track.lanes())) as u8 + 1,
            chance.below(u32::from(self.course.track.length())) as u16 + 1,
        );
        for action in USING.into_iter().chain([Action::tweet(somewhere)]) {
            if action.powerup().is_some_and(|powerup| car.powerups.has(powerup)) {
                add(action);
            }
        }
        actions[chance.below(count as u32) as usize]
    }
}
