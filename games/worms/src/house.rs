//! The house bots: one that does anything, one with a plan, mixtures of the two, and those that search.

mod choice;
mod greedy;
mod memory;
mod opinion;
mod paths;
mod playout;
mod search;

use quintain_core::entelect::{RoundClient, TimeLimits};
use quintain_core::{
    Bot, Chance, Coin, Dialogue, Elapsed, House, HouseBot, HouseClient, Level, Opine, SplitMix64,
    Thinking, half_greedy, unhurried,
};

use crate::action::{Action, Direction, Order};
use crate::cell::{Cell, Terrain};
use crate::command;
use crate::house::search::Search;
use crate::rules::Worms;
use crate::sight::{Fighter, Sight, Throw};
use crate::view::View;

/// How a house bot decides, whether it is inside the process or behind the wire.
trait Mind: Send {
    fn decide(&mut self, sight: &Sight, thinking: &mut Thinking<'_>) -> Action;

    /// Sees what somebody else answers to.
    fn watch(&mut self, _sight: &Sight) {}
}

/// Whoever has no memory and answers at once.
impl<F: FnMut(&Sight) -> Action + Send> Mind for F {
    fn decide(&mut self, sight: &Sight, _: &mut Thinking<'_>) -> Action {
        self(sight)
    }
}

impl Opine for Worms {
    fn opinion(&self, nodes: u64) -> f64 {
        unhurried(|thinking| Search::new(Some(nodes), 0).expectation(self, thinking))
    }
}

impl House for Worms {
    const BOTS: &'static [HouseBot] = &[
        HouseBot::at_once("random", "gives any command that can be carried out"),
        half_greedy!(5, "rounds"),
        half_greedy!(10, "rounds"),
        half_greedy!(15, "rounds"),
        half_greedy!(20, "rounds"),
        half_greedy!(27, "rounds"),
        half_greedy!(35, "rounds"),
        half_greedy!(43, "rounds"),
        half_greedy!(52, "rounds"),
        half_greedy!(62, "rounds"),
        half_greedy!(70, "rounds"),
        half_greedy!(79, "rounds"),
        half_greedy!(89, "rounds"),
        HouseBot::at_once("greedy", "shoots who can be hit, else digs and walks by a plan"),
        HouseBot::searching("search-1k", "plays 1,000 rounds in its mind before it answers", 1_000),
        HouseBot::searching(
            "search-10k",
            "plays 10,000 rounds in its mind before it answers",
            10_000,
        ),
        HouseBot::searching(
            "search-100k",
            "plays 100,000 rounds in its mind before it answers",
            100_000,
        ),
        HouseBot::by_the_clock(
            "champion",
            "plays rounds in its mind for as long as its time allows",
        ),
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Worms>>> {
        Some(Box::new(Inside(mind(name, seed)?)))
    }
}

/// On the far side of the wire it knows only the lines that a host sends.
impl HouseClient for Worms {
    fn dialogue(bot: &str, _: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        let mut mind = mind(bot, seed)?;
        let answer = move |_, line: &str, elapsed: &mut Elapsed<'_>| {
            let limit = TimeLimits::default().limit(false);
            let action = mind.decide(&Sight::of_json(line)?, &mut Thinking::new(elapsed, limit));
            Some(command::write(&action))
        };
        Some(Box::new(RoundClient::new(answer)))
    }
}

/// A mind that is shown views.
struct Inside(Box<dyn Mind>);

impl Bot<Worms> for Inside {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        self.0.decide(&Sight::of_view(view), thinking)
    }

    fn watch(&mut self, view: &View, _: Option<&Action>) {
        self.0.watch(&Sight::of_view(view));
    }
}

fn mind(name: &str, seed: i64) -> Option<Box<dyn Mind>> {
    let mut random = Random { chance: SplitMix64::new(seed as u64) };
    Some(match Worms::level(name)? {
        Level::Random => Box::new(move |sight: &Sight| random.decide(sight)),
        Level::Greedy => Box::new(greedy::decide),
        Level::Mixture { percent } => {
            let mut coin = Coin::new(percent, seed);
            Box::new(
                move |sight: &Sight| {
                    if coin.is_strong() { greedy::decide(sight) } else { random.decide(sight) }
                },
            )
        }
        Level::HalfSearch { percent } => {
            let (coin, search) = (Coin::new(percent, seed), Search::new(Some(1_000), seed));
            Box::new(HalfSearch { coin, search })
        }
        Level::Search(rounds) => Box::new(Search::new(rounds, seed)),
    })
}

/// Searches now and then, and is greedy else.
struct HalfSearch {
    coin: Coin,
    search: Search,
}

impl Mind for HalfSearch {
    fn decide(&mut self, sight: &Sight, thinking: &mut Thinking<'_>) -> Action {
        let searched = self.search.decide(sight, thinking);
        if self.coin.is_strong() { searched } else { greedy::decide(sight) }
    }

    fn watch(&mut self, sight: &Sight) {
        self.search.watch(sight);
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
