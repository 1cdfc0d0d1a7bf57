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
    Bot, Chance, Dialogue, Effort, Elapsed, House, HouseBot, HouseClient, SplitMix64, Thinking,
};

use crate::action::{Action, Direction, Order};
use crate::cell::{Cell, Terrain};
use crate::command;
use crate::house::search::Search;
use crate::rules::Worms;
use crate::sight::{Fighter, Sight, Throw};
use crate::view::View;

/// How a house bot decides.
type Mind = Box<dyn FnMut(&Sight, &mut Thinking<'_>) -> Action + Send>;

/// A bot without a plan beyond the round.
const fn quick(name: &'static str, about: &'static str) -> HouseBot {
    HouseBot { name, about, effort: Effort::AtOnce }
}

/// A bot that plays like greedy in so many of a hundred rounds.
macro_rules! mixture {
    ($share:literal) => {
        quick(
            concat!("greedy-", $share),
            concat!("plays like greedy in ", $share, " of 100 rounds, like random in the others"),
        )
    };
}

/// The champion's search, limited to so many rounds an answer.
const fn searcher(name: &'static str, about: &'static str, rounds: u64) -> HouseBot {
    HouseBot { name, about, effort: Effort::Nodes(rounds) }
}

impl House for Worms {
    const BOTS: &'static [HouseBot] = &[
        quick("random", "gives any command that can be carried out"),
        mixture!(5),
        mixture!(10),
        mixture!(15),
        mixture!(20),
        mixture!(27),
        mixture!(35),
        mixture!(43),
        mixture!(52),
        mixture!(62),
        mixture!(74),
        mixture!(87),
        quick("greedy", "shoots who can be hit, else digs and walks by a plan"),
        searcher("search-1k", "plays 1,000 rounds in its mind before it answers", 1_000),
        searcher("search-10k", "plays 10,000 rounds in its mind before it answers", 10_000),
        searcher("search-100k", "plays 100,000 rounds in its mind before it answers", 100_000),
        HouseBot {
            name: "champion",
            about: "plays rounds in its mind for as long as its time allows",
            effort: Effort::Clock,
        },
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
            let action = mind(&Sight::of_json(line)?, &mut Thinking::new(elapsed, limit));
            Some(command::write(&action))
        };
        Some(Box::new(RoundClient::new(answer)))
    }
}

/// A mind that is shown views.
struct Inside(Mind);

impl Bot<Worms> for Inside {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        (self.0)(&Sight::of_view(view), thinking)
    }
}

fn mind(name: &str, seed: i64) -> Option<Mind> {
    let HouseBot { effort, .. } = Worms::BOTS.iter().find(|bot| bot.name == name)?;
    let mut random = Random { chance: SplitMix64::new(seed as u64) };
    let share = match name {
        "random" => 0,
        "greedy" => 100,
        _ => match name.strip_prefix("greedy-") {
            Some(share) => share.parse().ok()?,
            None => {
                let mut search = Search::new(*effort, seed);
                return Some(Box::new(move |sight, thinking| search.decide(sight, thinking)));
            }
        },
    };
    Some(Box::new(move |sight, _| {
        let is_greedy = share == 100 || share > 0 && random.chance.below(100) < share;
        if is_greedy { greedy::decide(sight) } else { random.decide(sight) }
    }))
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
