//! What a position is worth, in hundredths of blocks.

use quintain_core::{Game, Seat};

use crate::{Car, Overdrive, Place, Powerup};

/// What a car is worth beyond the block on which it stands. The speeds are those after the usual steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// For speeds 0, 3, 5, 6, 8, 9, and 15 without a boost that lasts.
    pub(crate) speed: [i32; 7],
    /// For damages 0 to 5.
    pub(crate) damage: [i32; 6],
    /// What damage costs more if a boost is at hand.
    pub(crate) damage_with_boost: i32,
    /// For each round that a boost still lasts.
    pub(crate) boosting: i32,
    /// For the first of each powerup, and by how many hundredths each further one is worth less.
    pub(crate) held: [i32; Powerup::ALL.len()],
    pub(crate) further: [i32; Powerup::ALL.len()],
    /// Blocks before the line from which on powerups are worth less and less.
    pub(crate) fading: i32,
    /// By how many hundredths powerups are worth more far from the line, where a lead does not last.
    pub(crate) stock: i32,
    /// Blocks before the line from which on a race is played out, if there is time enough.
    pub(crate) end: i32,
    /// To be where an EMP of the other car reaches, and to have the other car where one's own does.
    pub(crate) emp_danger: i32,
    pub(crate) emp_chance: i32,
    /// The other car's share, in hundredths.
    pub(crate) rival: i32,
}

impl Weights {
    pub(crate) const USUAL: Weights = Weights {
        speed: [-1600, -800, -700, -300, -175, 0, 300],
        damage: [0, -118, -794, -1700, -2500, -3600],
        damage_with_boost: -500,
        boosting: 247,
        held: [50, 1321, 431, 350, 838],
        further: [50, 92, 80, 60, 85],
        fading: 150,
        stock: 100,
        end: 100,
        emp_danger: -200,
        emp_chance: 200,
        rival: 67,
    };

    /// What can be tuned one by one.
    pub(crate) const NAMES: [&'static str; 14] = [
        "SPEED_FIVE",
        "SPEED_EIGHT",
        "DAMAGE_ONE",
        "DAMAGE_TWO",
        "DAMAGE_WITH_BOOST",
        "BOOSTING",
        "BOOST",
        "LIZARD",
        "TWEET",
        "EMP",
        "EMP_DANGER",
        "RIVAL",
        "STOCK",
        "END",
    ];

    /// The weight of a name.
    pub(crate) fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "SPEED_FIVE" => &mut self.speed[2],
            "SPEED_EIGHT" => &mut self.speed[4],
            "DAMAGE_ONE" => &mut self.damage[1],
            "DAMAGE_TWO" => &mut self.damage[2],
            "DAMAGE_WITH_BOOST" => &mut self.damage_with_boost,
            "BOOSTING" => &mut self.boosting,
            "BOOST" => &mut self.held[Powerup::Boost as usize],
            "LIZARD" => &mut self.held[Powerup::Lizard as usize],
            "TWEET" => &mut self.held[Powerup::Tweet as usize],
            "EMP" => &mut self.held[Powerup::Emp as usize],
            "EMP_DANGER" => &mut self.emp_danger,
            "RIVAL" => &mut self.rival,
            "STOCK" => &mut self.stock,
            "END" => &mut self.end,
            _ => return None,
        })
    }

    fn car(&self, car: &Car, left: i32) -> i32 {
        let speed = match car.speed {
            0 => 0,
            1..=3 => 1,
            4 | 5 => 2,
            6 | 7 => 3,
            8 => 4,
            9..=14 => 5,
            _ => 6,
        };
        let boosting = if car.is_boosting && speed == 6 {
            self.boosting * (i32::from(car.boost_counter) - 1)
        } else {
            0
        };
        let mut lasting = self.damage[usize::from(car.damage).min(5)];
        if car.damage > 0 && car.powerups.has(Powerup::Boost) {
            lasting += self.damage_with_boost;
        }
        let far = (left - STOCK_NEAR).clamp(0, STOCK_FAR - STOCK_NEAR);
        let stock = 100 + self.stock * far / (STOCK_FAR - STOCK_NEAR);
        for powerup in Powerup::ALL {
            let mut each = self.held[powerup as usize] * stock / 100;
            for _ in 0..car.powerups.count(powerup).min(HELD_COUNTED) {
                lasting += each;
                each = each * self.further[powerup as usize] / 100;
            }
        }
        let lasting = if left < self.fading { lasting * left / self.fading } else { lasting };
        i32::from(car.place.block) * 100 + self.speed[speed] + boosting + lasting
    }

    /// What the position is worth to a seat. `to_line` is how far behind the end of the position the
    /// line is; `None` if the end is the line.
    pub(crate) fn position(&self, position: &Overdrive, seat: Seat, to_line: Option<i32>) -> i32 {
        if let (Some(outcome), None) = (position.outcome(), to_line) {
            let early = position.turn() as i32 * EARLIER;
            return if outcome.winner() == Some(seat) { WON - early } else { early - WON };
        }
        let length = i32::from(position.track().length()) + to_line.unwrap_or(0);
        let value = |car: &Car| self.car(car, length - i32::from(car.place.block));
        let cars = position.cars();
        let (own, other) = (&cars[seat], &cars[seat.other()]);
        let threats = self.emp_danger * i32::from(threatens(other, own))
            + self.emp_chance * i32::from(threatens(own, other));
        value(own) - value(other) * self.rival / 100 + threats
    }
}

/// Whether a car could use an EMP on the other.
fn threatens(car: &Car, other: &Car) -> bool {
    car.powerups.has(Powerup::Emp) && reaches(car.place, other.place)
}

/// Whether an EMP from one place hits a car on the other.
#[inline]
pub(crate) fn reaches(from: Place, to: Place) -> bool {
    from.lane.abs_diff(to.lane) <= 1 && to.block > from.block
}

/// Blocks before the line up to which powerups are worth no more than usual, and from which on they are worth most.
const STOCK_NEAR: i32 = 200;
const STOCK_FAR: i32 = 600;
/// More of one powerup than this are worth nothing more.
const HELD_COUNTED: usize = 12;
/// A race that is won, and what a round less is worth then.
const WON: i32 = 1_000_000;
const EARLIER: i32 = 1_000;
