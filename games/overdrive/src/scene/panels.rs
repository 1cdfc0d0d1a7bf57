//! The figures of each car.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Gauge, Panel, Scene};

use crate::{Overdrive, Powerup, Powerups};

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
        scene.add_panel(seat, "powerups", powerup_signs(&car.powerups));
        if car.is_boosting {
            scene.add_panel(seat, "boost left", car.boost_counter);
        }
    }
}

/// As short as a panel needs it: the signs of the track with their counts.
fn powerup_signs(powerups: &Powerups) -> String {
    let held = Powerup::ALL.into_iter().filter(|&powerup| powerups.has(powerup));
    let counted = held.map(|powerup| format!("{}{}", sign(powerup), powerups.count(powerup)));
    let list: Vec<String> = counted.collect();
    if list.is_empty() { "none".to_owned() } else { list.join(" ") }
}

fn sign(powerup: Powerup) -> char {
    match powerup {
        Powerup::Oil => 'O',
        Powerup::Boost => 'B',
        Powerup::Lizard => 'L',
        Powerup::Tweet => 'T',
        Powerup::Emp => 'E',
    }
}
