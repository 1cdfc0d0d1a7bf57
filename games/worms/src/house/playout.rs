//! How a match goes on in a bot's mind beyond the commands that it weighs: both shoot and throw at whom
//! they can hit, and otherwise dig and walk about.

use quintain_core::{Seat, SplitMix64};

use crate::action::Direction;
use crate::cell::{Cell, Terrain};
use crate::house::choice::{Choice, Deed, arms_of, beside, is_deaf, is_free, line_of_fire};
use crate::map;
use crate::rules::{Worm, Worms};

/// A shot that would hit is fired so often, of 256 times.
const SHOT_OF_256: u64 = 224;
/// A throw at an enemy in reach is done so often, of 256 times.
const THROW_OF_256: u64 = 96;

/// What the player's worm does.
#[inline]
pub(super) fn choose(game: &Worms, seat: Seat, chance: &mut SplitMix64) -> Choice {
    let player = &game.players()[seat];
    let index = usize::from(player.active);
    let worm = &player.worms()[index];
    let random = chance.next_u64();
    let deed = if is_deaf(game, worm) {
        Deed::Shoot(Direction::N)
    } else {
        attack(game, seat, index, random).unwrap_or_else(|| wander(game, worm, random >> 16))
    };
    Choice { worm: player.active, is_selected: false, deed }
}

#[inline]
fn attack(game: &Worms, seat: Seat, index: usize, random: u64) -> Option<Deed> {
    let worm = &game.players()[seat].worms()[index];
    let enemies = game.players()[seat.other()].worms();
    if random & 255 < SHOT_OF_256 {
        let mut target: Option<(i32, Direction)> = None;
        for enemy in enemies.iter().filter(|enemy| enemy.is_alive()) {
            if target.is_some_and(|(hp, _)| hp <= enemy.hp) {
                continue;
            }
            if let Some(direction) = line_of_fire(game, index, worm.at, enemy.at) {
                target = Some((enemy.hp, direction));
            }
        }
        if let Some((_, direction)) = target {
            return Some(Deed::Shoot(direction));
        }
    }
    if worm.bananas + worm.snowballs > 0 && random >> 8 & 255 < THROW_OF_256 {
        return throw(game, seat, index);
    }
    None
}

/// A throw at an enemy that does not reach an own worm.
fn throw(game: &Worms, seat: Seat, index: usize) -> Option<Deed> {
    let worm = &game.players()[seat].worms()[index];
    let arms = arms_of(game, index);
    let is_banana = worm.bananas > 0;
    let range = if is_banana { arms.banana_range } else { arms.snowball_range };
    let radius = if is_banana { arms.banana_radius as u8 } else { arms.freeze_radius };
    let is_meant = |enemy: &&Worm| {
        enemy.is_alive() && enemy.frozen == 0 && worm.at.is_in_range(enemy.at, range)
    };
    let enemy = game.players()[seat.other()].worms().iter().find(is_meant)?;
    let is_near = |own: &Worm| own.is_alive() && own.at.steps_to(enemy.at) <= radius;
    if game.players()[seat].worms().iter().any(is_near) {
        return None;
    }
    Some(if is_banana { Deed::Banana(enemy.at) } else { Deed::Snowball(enemy.at) })
}

/// A dig or a step in any direction; out of lava if the worm is in it, else not into it.
#[inline]
fn wander(game: &Worms, worm: &Worm, random: u64) -> Deed {
    let ground = game.ground();
    let is_in_lava = ground.at(worm.at) == Terrain::Lava;
    let centre = map::centre(ground.size());
    let first = (random & 7) as usize;
    for turn in 0..8 {
        let direction = Direction::ALL[(first + 3 * turn) % 8];
        let Some(cell) = beside(game, worm.at, direction) else {
            continue;
        };
        let leads_in = |cell: Cell| cell.square_to(centre) < worm.at.square_to(centre);
        match ground.at(cell) {
            Terrain::DeepSpace => {}
            Terrain::Dirt if !is_in_lava || leads_in(cell) => return Deed::Dig(cell),
            Terrain::Dirt => {}
            Terrain::Lava if !is_in_lava || !leads_in(cell) => {}
            _ if is_free(game, cell) => return Deed::Move(cell),
            _ => {}
        }
    }
    Deed::Shoot(Direction::N)
}
