//! A random legal command, for random play.

use quintain_core::{Chance, Sample, Seat};

use super::Worms;
use crate::action::{Action, Direction, Order};

/// How often the worm is chosen by a select, if that is possible: one time of so many.
const SELECT_ONE_OF: u32 = 8;
/// How far away the targets of throws are drawn, at most.
const REACH: i32 = 5;
/// Draws of a target before it is left at doing nothing.
const DRAWS_MAX: u32 = 16;

impl Sample for Worms {
    fn sample(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Action {
        let player = &self.players[seat];
        let living: Vec<usize> =
            (0..player.worms().len()).filter(|&index| player.worms()[index].is_alive()).collect();
        let mut action = Action::of(Order::Nothing);
        let mut worm = usize::from(player.active);
        if player.tokens > 0 && chance.below(SELECT_ONE_OF) == 0 {
            worm = living[chance.below(living.len() as u32) as usize];
            action.select = Some(worm as i32 + 1);
        }
        for _ in 0..DRAWS_MAX {
            let order = self.draw_order(seat, worm, chance);
            if self.judge(seat, worm, &order).is_ok() {
                action.order = order;
                break;
            }
        }
        action
    }
}

impl Worms {
    /// A command that the worm may or may not be able to carry out.
    fn draw_order(&self, seat: Seat, worm: usize, chance: &mut (impl Chance + ?Sized)) -> Order {
        let at = self.players[seat].worms()[worm].at;
        let mut near = |reach: i32| {
            let mut draw =
                |middle: u8| i32::from(middle) - reach + chance.below(2 * reach as u32 + 1) as i32;
            (draw(at.x), draw(at.y))
        };
        let step = near(1);
        let far = near(REACH);
        match chance.below(12) {
            0 => Order::Nothing,
            1..=5 => Order::Move { x: step.0, y: step.1 },
            6..=8 => Order::Dig { x: step.0, y: step.1 },
            9 => Order::Shoot(Direction::ALL[chance.below(8) as usize]),
            10 => Order::Banana { x: far.0, y: far.1 },
            _ => Order::Snowball { x: far.0, y: far.1 },
        }
    }
}
