//! What stays the same during a match, worked out once and shared by all its positions.

use crate::config::{Config, GameConfig, WORMS_MAX};
use crate::edition::{LavaEnd, Switches};
use crate::map;

#[derive(Debug, PartialEq)]
pub(crate) struct Field {
    pub config: Config,
    /// The same as text, for fingerprints.
    pub config_text: String,
    pub switches: &'static Switches,
    pub size: u8,
    /// The profession of each worm, as an index of [`Field::arms`].
    pub class_of: [u8; WORMS_MAX],
    pub arms: [Arms; 3],
    /// Rows of the cells outside each radius that lava ever leaves free, widest first.
    floods: Vec<Box<[u64]>>,
    /// For each round, one more than the index of its rows; 0 before lava begins.
    flood_of: Box<[u16]>,
    /// The round in which lava begins to rise.
    pub lava_from: u32,
    pub do_nothings_limit: u32,
}

/// What a profession's worms can do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arms {
    pub movement_range: u8,
    pub digging_range: u8,
    pub shot_damage: i32,
    /// How many cells a shot flies, straight and diagonally.
    pub shot_steps: [u8; 2],
    pub banana_range: i32,
    pub banana_radius: i32,
    /// Damage by the square of the distance.
    pub banana_damage: Box<[i32]>,
    pub snowball_range: i32,
    pub freeze_radius: u8,
    pub freeze_duration: i32,
}

impl Field {
    pub(crate) fn new(config: &Config) -> Field {
        let game = &config.game;
        let switches = Switches::of(config.edition);
        let mut class_of = [0; WORMS_MAX];
        let counts = game.classes().map(|class| class.count as usize);
        let ids = (0..).zip(counts).flat_map(|(class, count)| std::iter::repeat_n(class, count));
        for (slot, class) in class_of.iter_mut().zip(ids) {
            *slot = class;
        }
        let (floods, flood_of) = floods(game, switches.lava_end);
        Field {
            config: config.clone(),
            config_text: serde_json::to_string(config).expect("plain data"),
            switches,
            size: game.map_size as u8,
            class_of,
            arms: game.classes().map(Arms::new),
            floods,
            flood_of,
            lava_from: (f64::from(game.max_rounds) * game.battle_royale_start).ceil() as u32,
            do_nothings_limit: switches.do_nothings_limit(game),
        }
    }

    /// The rows of the cells that lava covers in this round, if it has begun.
    #[inline]
    pub(crate) fn flood(&self, round: u32) -> Option<&[u64]> {
        let index = *self.flood_of.get(round as usize)?;
        let rows = self.floods.get(usize::from(index.checked_sub(1)?))?;
        Some(rows)
    }
}

impl Arms {
    fn new(class: &crate::WormClass) -> Arms {
        let bananas = class.bananas;
        let snowballs = class.snowballs;
        let range = class.weapon.range;
        // The diagonal's k-th cell is k times the root of 2 away.
        let is_reached = |steps: &i64| {
            let beyond = i64::from(range) + 1;
            2 * steps * steps < beyond * beyond
        };
        let diagonal = (1..=i64::from(range)).take_while(is_reached).count();
        let radius = bananas.map_or(0, |bananas| bananas.damage_radius);
        Arms {
            movement_range: class.movement_range as u8,
            digging_range: class.digging_range as u8,
            shot_damage: class.weapon.damage,
            shot_steps: [range as u8, diagonal as u8],
            banana_range: bananas.map_or(0, |bananas| bananas.range),
            banana_radius: radius,
            banana_damage: banana_damage(bananas.map_or(0, |bananas| bananas.damage), radius),
            snowball_range: snowballs.map_or(0, |snowballs| snowballs.range),
            freeze_radius: snowballs.map_or(0, |snowballs| snowballs.freeze_radius) as u8,
            freeze_duration: snowballs.map_or(0, |snowballs| snowballs.freeze_duration),
        }
    }

    /// The damage at the square of a distance; `None` out of reach.
    #[inline]
    pub(crate) fn blast(&self, square: u32) -> Option<i32> {
        self.banana_damage.get(square as usize).copied()
    }
}

/// The peak in the middle, a share of it that falls evenly to nothing one cell beyond the radius.
fn banana_damage(peak: i32, radius: i32) -> Box<[i32]> {
    let reach = f64::from(radius + 1);
    let at = |square: i32| {
        let distance = f64::from(square).sqrt();
        (f64::from(peak) * (reach - distance) / reach + 0.5).floor() as i32
    };
    (0..=radius * radius).map(at).collect()
}

/// The part of the map that is free of lava in this round is a circle of this radius.
fn safe_radius(game: &GameConfig, lava_end: LavaEnd, round: u32) -> Option<f64> {
    let rounds = f64::from(game.max_rounds);
    let (start, end) = (rounds * game.battle_royale_start, rounds * game.battle_royale_end);
    let round = f64::from(round);
    // The quotient is below 0 where the end lies before the start, and none in the first round where
    // both are the same: then the original finds no cell beyond a radius that is no number.
    let progress = ((round - start) / (end - start)).clamp(0.0, 1.0);
    if round < start || progress.is_nan() {
        return None;
    }
    let half = f64::from(game.map_size / 2);
    Some(match lava_end {
        LavaEnd::ShrinksTo(radius) => half - (half - radius).max(0.0) * progress,
        LavaEnd::NeverBelow(radius) => (half * (1.0 - progress)).max(radius),
    })
}

fn floods(game: &GameConfig, lava_end: LavaEnd) -> (Vec<Box<[u64]>>, Box<[u16]>) {
    let size = game.map_size as u8;
    let mut floods: Vec<Box<[u64]>> = Vec::new();
    let mut last_square = None;
    let flood_of = (0..=game.max_rounds as u32).map(|round| {
        let Some(radius) = safe_radius(game, lava_end, round) else {
            return 0;
        };
        let square = square_within(radius);
        if last_square.replace(square) != Some(square) {
            floods.push(rows_beyond(size, square));
        }
        floods.len() as u16
    });
    let flood_of = flood_of.collect();
    (floods, flood_of)
}

/// The largest whole number whose root is within the radius: distances are roots of whole numbers.
fn square_within(radius: f64) -> u32 {
    let mut square = (radius * radius) as u32 + 1;
    while f64::from(square).sqrt() > radius {
        square -= 1;
    }
    square
}

/// The cells whose distance from the middle has a larger square.
fn rows_beyond(size: u8, square: u32) -> Box<[u64]> {
    let middle = map::centre(size).y;
    let row = |y: u8| {
        let dy = u32::from(middle.abs_diff(y));
        let Some(rest) = square.checked_sub(dy * dy) else {
            return u64::MAX;
        };
        let half_width = rest.isqrt().min(u32::from(middle));
        let free = ((1_u128 << (2 * half_width + 1)) - 1) << (u32::from(middle) - half_width);
        !(free as u64)
    };
    (0..size).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Ground;

    /// The same, cell by cell.
    #[test]
    fn rows_are_the_cells_beyond_the_radius() {
        for edition in quintain_core::Edition::ALL {
            for map_size in [9, 33, 40, 64] {
                let game = GameConfig { map_size, ..GameConfig::default() };
                let field = Field::new(&Config { edition, game, ..Config::default() });
                let centre = map::centre(field.size);
                for round in 0..=400 {
                    let rows = field.flood(round);
                    assert_eq!(rows.is_some(), round >= 100);
                    let Some(rows) = rows else { continue };
                    let lava_end = field.switches.lava_end;
                    let radius = safe_radius(&field.config.game, lava_end, round);
                    for cell in Ground::new(field.size).cells() {
                        let is_beyond = rows[usize::from(cell.y)] >> cell.x & 1 == 1;
                        let distance = f64::from(centre.square_to(cell)).sqrt();
                        assert_eq!(Some(is_beyond), radius.map(|radius| distance > radius));
                    }
                }
            }
        }
    }

    #[test]
    fn radii_are_those_of_both_editions() {
        let game = GameConfig::default();
        let check = |lava_end, round, expected| {
            assert_eq!(safe_radius(&game, lava_end, round), expected, "round {round}");
        };
        for (round, expected) in [(99, None), (100, Some(16.0)), (225, Some(8.0))] {
            check(LavaEnd::NeverBelow(3.0), round, expected);
        }
        for round in [304, 350, 400] {
            check(LavaEnd::NeverBelow(3.0), round, Some(3.0));
        }
        for (round, expected) in [(99, None), (100, Some(16.0)), (225, Some(10.0))] {
            check(LavaEnd::ShrinksTo(4.0), round, expected);
        }
        for round in [350, 400] {
            check(LavaEnd::ShrinksTo(4.0), round, Some(4.0));
        }
    }

    #[test]
    fn lava_that_ends_before_it_begins_stays_at_its_first_radius() {
        let game = |start, end| GameConfig {
            battle_royale_start: start,
            battle_royale_end: end,
            ..GameConfig::default()
        };
        for lava_end in [LavaEnd::NeverBelow(3.0), LavaEnd::ShrinksTo(4.0)] {
            let radius = |start, end, round| safe_radius(&game(start, end), lava_end, round);
            assert_eq!(
                [199, 200, 201, 400].map(|round| radius(0.5, 0.25, round)),
                [None, Some(16.0), Some(16.0), Some(16.0)]
            );
            let last = radius(0.25, 0.875, 400);
            assert_eq!([199, 200, 201].map(|round| radius(0.5, 0.5, round)), [None, None, last]);
        }
    }

    #[test]
    fn a_banana_hurts_less_the_further_away_it_lands() {
        let arms = &Field::new(&Config::default()).arms[1];
        let damage = [0, 1, 2, 4].map(|square| arms.blast(square));
        assert_eq!(damage, [Some(20), Some(13), Some(11), Some(7)]);
        assert_eq!(arms.blast(5), None);
        assert_eq!(arms.shot_steps, [4, 3]);
    }
}
