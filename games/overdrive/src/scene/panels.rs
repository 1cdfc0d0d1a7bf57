//! The figures of each car.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Gauge, Panel, Scene};

use crate::{Overdrive, Powerup};

impl Overdrive {
    /// What is told of a car; of the other's, a person at play knows little.
    pub(super) fn add_panels(&self, seat: Seat, eye: Eye, scene: &mut Scene) {
        let car = &self.cars()[seat];
        let figures = &self.config().figures;
        scene.panels.push(Panel::new(seat, "block", car.place.block).decisive());
        let steps = figures.speeds();
        let step = steps.iter().filter(|&&speed| speed <= i32::from(car.speed)).count();
        let gauge = Gauge { value: step as f64, max: steps.len() as f64, cells: steps.len() as u8 };
        scene.panels.push(Panel::new(seat, "speed", car.speed).with_gauge(gauge));
        if eye == Eye::Seat(seat.other()) {
            return;
        }
        let damage_max = figures.damage_max_value;
        let gauge = Gauge {
            value: car.damage.into(),
            max: f64::from(damage_max.max(1)),
            cells: u8::try_from(damage_max).unwrap_or(0),
        };
        scene.panels.push(Panel::new(seat, "damage", car.damage).with_gauge(gauge));
        scene.add_panel(seat, "lane", car.place.lane);
        scene.add_panel(seat, "score", car.score);
        for powerup in Powerup::ALL {
            scene.add_panel(seat, held(powerup), car.powerups.count(powerup));
        }
        if car.is_boosting {
            scene.add_panel(seat, "boost left", car.boost_counter);
        }
    }
}

/// What a counter of powerups is called.
fn held(powerup: Powerup) -> &'static str {
    match powerup {
        Powerup::Oil => "oil",
        Powerup::Boost => "boosts",
        Powerup::Lizard => "lizards",
        Powerup::Tweet => "tweets",
        Powerup::Emp => "EMPs",
    }
}
