//! The house bots: one that does anything, and one with a plan.

mod greedy;
mod paths;

use quintain_core::entelect::RoundClient;
use quintain_core::{Bot, Chance, Dialogue, House, HouseClient, SplitMix64};

use crate::action::{Action, Direction, Order};
use crate::cell::{Cell, Terrain};
use crate::command;
use crate::rules::Worms;
use crate::sight::{Fighter, Sight, Throw};
use crate::view::View;

/// How a house bot decides.
type Mind = Box<dyn FnMut(&Sight) -> Action + Send>;

impl House for Worms {
    const NAMES: &'static [&'static str] = &["random", "greedy"];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Worms>>> {
        let mut mind = mind(name, seed)?;
        Some(Box::new(move |view: &View| mind(&Sight::of_view(view))))
    }
}

/// On the far side of the wire it knows only the lines that a host sends.
impl HouseClient for Worms {
    fn dialogue(bot: &str, _: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        let mut mind = mind(bot, seed)?;
        let answer = move |_, line: &str| Some(command::write(&mind(&Sight::of_json(line)?)));
        Some(Box::new(RoundClient::new(answer)))
    }
}

fn mind(name: &str, seed: i64) -> Option<Mind> {
    let mut random = Random { chance: SplitMix64::new(seed as u64) };
    match name {
        "random" => Some(Box::new(move |sight| random.decide(sight))),
        "greedy" => Some(Box::new(greedy::decide)),
        _ => None,
    }
}

/// Any command that can be carried out; more steps and digs than shots, more shots than throws.
struct Random {
    chance: SplitMix64,
}

/// Draws of a target before another command is drawn.
const TARGET_DRAWS_MAX: u32 = 8;

impl Random {
    fn decide(&mut self, sight: &Sight) -> Action {
        let worm = &sight.own[sight.active];
        let steps: Vec<Cell> =
            sight.neighbours(worm.at).filter(|&cell| can_step(sight, worm, cell)).collect();
        let digs: Vec<Cell> =
            sight.neighbours(worm.at).filter(|&cell| can_dig(sight, worm, cell)).collect();
        let thrown = |throw: &Throw| throw.count > 0;
        let order = match self.chance.below(12) {
            0..=5 if !steps.is_empty() => move_to(self.pick(&steps)),
            6..=8 if !digs.is_empty() => dig(self.pick(&digs)),
            10 if let Some(bananas) = worm.bananas.filter(thrown) => self
                .target(sight, worm.at, bananas.range)
                .map_or(Order::Nothing, |at| Order::Banana { x: at.0, y: at.1 }),
            11 if let Some(snowballs) = worm.snowballs.filter(thrown) => self
                .target(sight, worm.at, snowballs.range)
                .map_or(Order::Nothing, |at| Order::Snowball { x: at.0, y: at.1 }),
            _ => Order::Shoot(Direction::ALL[self.chance.below(8) as usize]),
        };
        Action::of(order)
    }

    fn pick(&mut self, cells: &[Cell]) -> Cell {
        cells[self.chance.below(cells.len() as u32) as usize]
    }

    fn target(&mut self, sight: &Sight, from: Cell, range: i32) -> Option<(i32, i32)> {
        for _ in 0..TARGET_DRAWS_MAX {
            let mut draw = || self.chance.below(2 * range as u32 + 1) as i32 - range;
            let at = sight.beside(from, (draw(), draw()));
            if let Some(at) = at.filter(|&at| from.is_in_range(at, range)) {
                return Some((i32::from(at.x), i32::from(at.y)));
            }
        }
        None
    }
}

/// Whether the worm can step onto a cell beside it.
pub(crate) fn can_step(sight: &Sight, worm: &Fighter, cell: Cell) -> bool {
    worm.movement_range > 0 && sight.ground.at(cell).is_open() && !sight.is_occupied(cell)
}

/// Whether the worm can dig out a cell beside it.
pub(crate) fn can_dig(sight: &Sight, worm: &Fighter, cell: Cell) -> bool {
    worm.digging_range > 0 && sight.ground.at(cell) == Terrain::Dirt
}

pub(crate) fn move_to(cell: Cell) -> Order {
    Order::Move { x: i32::from(cell.x), y: i32::from(cell.y) }
}

pub(crate) fn dig(cell: Cell) -> Order {
    Order::Dig { x: i32::from(cell.x), y: i32::from(cell.y) }
}
