//! What a bot that searches thinks of a position, in points of the score.

use std::collections::VecDeque;

use quintain_core::{Seat, expectation};

use crate::action::Direction;
use crate::cell::{Cell, MAP_SIZE_MAX, Terrain};
use crate::house::choice::beside;
use crate::house::paths::Costs;
use crate::rules::{Player, Worms};
use crate::sight::Sight;

/// What health is worth beside its third in the score: whoever has more of it outlives the other.
const HEALTH_WORTH: f32 = 3.0;
/// How far a lead tilts that: the leader's own health is worth more by this share and the other's less, so
/// that it avoids fights while the other seeks them.
const LEAD_TILT: f32 = 0.7;
/// A lead that decides is this one, and so many points more for each round that is left.
const LEAD_AT_END: f32 = 40.0;
const LEAD_PER_ROUND: f32 = 4.0;
/// What is often won or lost again in each round that is left.
const SPREAD_PER_ROUND: f32 = 1.0;
const WORM_WORTH: f32 = 20.0;
/// What weapons and tokens are worth while they are kept; less towards the end.
const BANANA_WORTH: f32 = 60.0;
const SNOWBALL_WORTH: f32 = 15.0;
const TOKEN_WORTH: f32 = 6.0;
const KEPT_ROUNDS: f32 = 40.0;
/// What each round is worth that a worm will be frozen.
const FROZEN_COST: f32 = 3.0;
/// What each step costs to the nearest dirt, and of the nearest worm to a pack.
const DIRT_STEP_COST: f32 = 1.0;
const PACK_STEP_COST: f32 = 2.5;
const DIRT_STEPS_MAX: u8 = 8;
/// A worm where lava will be so soon is late, the more so the longer its way to the middle is.
const LAVA_ROUNDS: u32 = 12;
const LAVA_COST: f32 = 6.0;
const WAY_COST: f32 = 0.8;
/// The difference in points that makes half a victory.
const HALF_VICTORY: f32 = 250.0;

pub(super) struct Opinion {
    /// Steps to the nearest dirt, by cell.
    dirt_steps: Vec<u8>,
    to_middle: Costs,
    /// What a point of health is worth to each seat.
    health_worth: [f32; 2],
    /// What the position that is asked about is worth, to be compared with.
    base: f32,
}

impl Opinion {
    pub(super) fn new(game: &Worms, sight: &Sight) -> Opinion {
        let [first, second] = Seat::BOTH.map(|seat| game.players()[seat].score() as f32);
        let deciding = LEAD_AT_END + LEAD_PER_ROUND * rounds_left(game);
        let tilt = LEAD_TILT * ((first - second) / deciding).clamp(-1.0, 1.0);
        let mut opinion = Opinion {
            dirt_steps: dirt_steps(game),
            to_middle: Costs::to(sight, sight.centre()),
            health_worth: [HEALTH_WORTH * (1.0 + tilt), HEALTH_WORTH * (1.0 - tilt)],
            base: 0.0,
        };
        opinion.base = opinion.points(game);
        opinion
    }

    /// What the first player may expect where a search that began here found this on average.
    pub(super) fn expectation(&self, game: &Worms, found: f64) -> f64 {
        let gain = f64::from(HALF_VICTORY) * found / (1.0 - found.abs()).max(f64::EPSILON);
        let spread = f64::from(LEAD_AT_END + SPREAD_PER_ROUND * rounds_left(game));
        expectation((f64::from(self.base) + gain) / spread)
    }

    /// From -1, the first player loses, to 1, it wins; 0 is as good as the position that was asked about.
    #[inline]
    pub(super) fn of(&self, game: &Worms) -> f32 {
        let gain = (self.points(game) - self.base) / HALF_VICTORY;
        gain / (1.0 + gain.abs())
    }

    /// What the first player is ahead.
    fn points(&self, game: &Worms) -> f32 {
        self.side(game, Seat::First) - self.side(game, Seat::Second)
    }

    #[inline]
    fn side(&self, game: &Worms, seat: Seat) -> f32 {
        let player = &game.players()[seat];
        let kept = (rounds_left(game) / KEPT_ROUNDS).min(1.0);
        let mut points = player.score() as f32 + TOKEN_WORTH * kept * player.tokens as f32;
        let soon = game.field().flood((game.round_next() + LAVA_ROUNDS).min(last_round(game)));
        for worm in player.worms().iter().filter(|worm| worm.is_alive()) {
            points += WORM_WORTH + self.health_worth[seat.index()] * worm.hp as f32;
            points += BANANA_WORTH * kept * worm.bananas as f32;
            points += SNOWBALL_WORTH * kept * worm.snowballs as f32;
            points -= FROZEN_COST * worm.frozen as f32;
            points -= DIRT_STEP_COST * f32::from(self.dirt_steps[index(worm.at)]);
            let is_late = soon.is_some_and(|rows| {
                rows[usize::from(worm.at.y) % MAP_SIZE_MAX] >> (worm.at.x % 64) & 1 == 1
            });
            if is_late {
                let way = self.to_middle.from(worm.at).unwrap_or(0);
                points -= LAVA_COST + WAY_COST * way as f32;
            }
        }
        points - PACK_STEP_COST * pack_steps(game, player)
    }
}

fn last_round(game: &Worms) -> u32 {
    game.game_config().max_rounds as u32
}

fn rounds_left(game: &Worms) -> f32 {
    (last_round(game) + 1).saturating_sub(game.round_next()) as f32
}

fn index(cell: Cell) -> usize {
    usize::from(cell.y) % MAP_SIZE_MAX * MAP_SIZE_MAX + usize::from(cell.x) % MAP_SIZE_MAX
}

/// How far the player's nearest worm is from each pack, in all.
#[inline]
fn pack_steps(game: &Worms, player: &Player) -> f32 {
    let mut sum = 0;
    for pack in game.packs() {
        let living = player.worms().iter().filter(|worm| worm.is_alive());
        let nearest = living.map(|worm| worm.at.steps_to(pack.at)).min();
        sum += i32::from(nearest.unwrap_or(0));
    }
    sum as f32
}

/// Steps from each cell to a cell beside dirt, as far as they matter.
fn dirt_steps(game: &Worms) -> Vec<u8> {
    let mut steps = vec![DIRT_STEPS_MAX; MAP_SIZE_MAX * MAP_SIZE_MAX];
    let mut queue = VecDeque::new();
    for cell in game.ground().cells() {
        if game.ground().at(cell) == Terrain::Dirt {
            steps[index(cell)] = 0;
            queue.push_back(cell);
        }
    }
    while let Some(cell) = queue.pop_front() {
        let next_steps = steps[index(cell)] + 1;
        if next_steps >= DIRT_STEPS_MAX {
            break;
        }
        for direction in Direction::ALL {
            let Some(next) = beside(game, cell, direction) else {
                continue;
            };
            if game.ground().at(next).is_open() && steps[index(next)] > next_steps {
                steps[index(next)] = next_steps;
                queue.push_back(next);
            }
        }
    }
    steps
}
