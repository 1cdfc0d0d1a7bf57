//! Collisions: who overlaps is pushed apart, the lighter one farther.
//!
//! There are two forms of the same pass. [`pass`] works on any list of circles and is what the
//! original does, step by step. [`Crowd`] is for play: sites that stand apart cannot move, so only
//! units are looked at, and for each only the sites in its neighbourhood. Both give the same bits.

use std::ops::Range;
use std::sync::Arc;

use arrayvec::ArrayVec;
use quintain_core::{PerSeat, Seat};

use super::{CodeRoyale, QUEEN_MASS, QUEEN_RADIUS};
use crate::creeps::CREEPS_INLINE;
use crate::field::{SITE_MARGIN, SITES_MAX, bits};
use crate::{Field, Point, Site};

/// Where collisions are resolved until none is left.
pub(crate) const RESOLVE_PASSES_MAX: u32 = 999;
/// Overlaps up to this much are none.
const OVERLAP_MIN: f64 = 1e-6;
/// Who is pushed goes this much farther than needed.
const PUSH_EXTRA: f64 = 1.0;
/// The same for a site pushed by a site, when a map is drawn.
const SITE_PUSH_EXTRA: f64 = 20.0;

/// A circle that can be pushed. One without a mass is a site: only other sites push it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) place: Point,
    pub(crate) radius: f64,
    pub(crate) mass: Option<f64>,
}

impl Body {
    pub(crate) fn queen(place: Point) -> Body {
        Body { place, radius: QUEEN_RADIUS, mass: Some(QUEEN_MASS) }
    }

    pub(crate) fn site(place: Point, radius: f64) -> Body {
        Body { place, radius, mass: None }
    }

    fn margin(&self) -> f64 {
        match self.mass {
            Some(_) => self.radius,
            None => self.radius + SITE_MARGIN,
        }
    }
}

/// Passes until one changes nothing.
pub(crate) fn resolve(bodies: &mut [Body], passes_max: u32) {
    for _ in 0..passes_max {
        if !pass(bodies, 0.0) {
            return;
        }
    }
}

/// Looks at every pair twice, with places updated at once. Returns whether anything was pushed; that
/// somebody was put back into the field does not count.
pub(crate) fn pass(bodies: &mut [Body], gap: f64) -> bool {
    let mut has_pushed = false;
    for index in 0..bodies.len() {
        let mut own = bodies[index];
        own.place = own.place.clamped(own.margin());
        let (before, rest) = bodies.split_at_mut(index);
        for other in before.iter_mut().chain(&mut rest[1..]) {
            has_pushed |= push_pair(&mut own, other, gap);
        }
        bodies[index] = own;
    }
    has_pushed
}

#[inline]
fn push_pair(own: &mut Body, other: &mut Body, gap: f64) -> bool {
    let apart = own.radius + other.radius + gap;
    let Some(overlap) = overlap(own.place, other.place, apart) else {
        return false;
    };
    let (own_push, other_push) = match (own.mass, other.mass) {
        (None, None) => {
            let push = site_push(overlap);
            (push, push)
        }
        (None, Some(_)) => (0.0, overlap + PUSH_EXTRA),
        (Some(_), None) => (overlap + PUSH_EXTRA, 0.0),
        (Some(own_mass), Some(other_mass)) => pushes(own_mass, other_mass, overlap),
    };
    let way = other.place.minus(own.place);
    own.place = own.place.minus(way.resized(own_push));
    other.place = other.place.plus(way.resized(other_push));
    true
}

/// How far each of two sites is pushed by the other.
#[inline]
pub(crate) fn site_push(overlap: f64) -> f64 {
    0.5 * overlap + SITE_PUSH_EXTRA
}

/// How much two circles overlap, if they do.
#[inline]
pub(crate) fn overlap(one: Point, other: Point, apart: f64) -> Option<f64> {
    let square = one.squared_distance(other);
    // Radii are whole numbers, so this square is exact and nothing near the limit is lost.
    if square >= apart * apart {
        return None;
    }
    let overlap = apart - square.sqrt();
    (overlap > OVERLAP_MIN).then_some(overlap)
}

/// The heavier one is pushed less.
#[inline]
fn pushes(own_mass: f64, its_mass: f64, overlap: f64) -> (f64, f64) {
    let both = own_mass + its_mass;
    let own = its_mass / both * overlap + PUSH_EXTRA;
    let its = own_mass / both * overlap + PUSH_EXTRA;
    (own, its)
}

/// Units that find room on the stack: all of a match whose creeps do.
const CROWD_INLINE: usize = 2 * CREEPS_INLINE + 2;

/// All units in the original's order: the first player's creeps, the second's, both queens.
pub(super) struct Crowd<'a> {
    x: &'a mut [f64],
    y: &'a mut [f64],
    radius: &'a mut [f64],
    mass: &'a mut [f64],
    creeps: PerSeat<usize>,
}

impl CodeRoyale {
    /// Lets somebody move all units, and then puts them where they are.
    pub(super) fn with_crowd(&mut self, change: impl FnOnce(&mut CodeRoyale, &mut Crowd<'_>)) {
        let creeps = self.creeps.as_ref().map(|_, creeps| creeps.len());
        let count = creeps[Seat::First] + creeps[Seat::Second] + 2;
        let mut inline = [0.0; 4 * CROWD_INLINE];
        let mut spill;
        let room = if count <= CROWD_INLINE {
            &mut inline[..4 * count]
        } else {
            spill = vec![0.0; 4 * count];
            &mut spill[..]
        };
        let (places, figures) = room.split_at_mut(2 * count);
        let (x, y) = places.split_at_mut(count);
        let (radius, mass) = figures.split_at_mut(count);
        let mut crowd = Crowd { x, y, radius, mass, creeps };
        self.fill(&mut crowd);
        change(self, &mut crowd);
        self.empty(&crowd);
    }

    /// Until nobody overlaps.
    pub(super) fn resolve_collisions(&mut self) {
        self.with_crowd(|game, crowd| crowd.resolve(&mut game.field, RESOLVE_PASSES_MAX));
    }

    fn fill(&self, crowd: &mut Crowd<'_>) {
        for seat in Seat::BOTH {
            let range = crowd.creeps_of(seat);
            for (index, creep) in range.zip(self.creeps[seat].as_slice()) {
                let stats = creep.kind.stats();
                crowd.set(index, creep.place, stats.radius, stats.mass);
            }
            let queen = self.players[seat].queen;
            crowd.set(crowd.queen_index(seat), queen, QUEEN_RADIUS, QUEEN_MASS);
        }
    }

    fn empty(&mut self, crowd: &Crowd<'_>) {
        for seat in Seat::BOTH {
            let range = crowd.creeps_of(seat);
            for (index, creep) in range.zip(self.creeps[seat].as_mut_slice()) {
                creep.place = crowd.place(index);
            }
            self.players[seat].queen = crowd.queen(seat);
        }
    }
}

fn moved(field: &Field, places: &[Point]) -> Arc<Field> {
    let sites = field.sites().iter().zip(places);
    Arc::new(Field::new(sites.map(|(&site, &place)| Site { place, ..site }).collect()))
}

impl Crowd<'_> {
    #[inline]
    pub(super) fn creeps_of(&self, seat: Seat) -> Range<usize> {
        let first = self.creeps[Seat::First];
        match seat {
            Seat::First => 0..first,
            Seat::Second => first..first + self.creeps[Seat::Second],
        }
    }

    #[inline]
    fn queen_index(&self, seat: Seat) -> usize {
        self.x.len() - 2 + seat.index()
    }

    #[inline]
    pub(super) fn queen(&self, seat: Seat) -> Point {
        self.place(self.queen_index(seat))
    }

    #[inline]
    pub(super) fn place(&self, index: usize) -> Point {
        Point::new(self.x[index], self.y[index])
    }

    #[inline]
    pub(super) fn set_place(&mut self, index: usize, place: Point) {
        (self.x[index], self.y[index]) = (place.x, place.y);
    }

    #[inline]
    pub(super) fn radius(&self, index: usize) -> f64 {
        self.radius[index]
    }

    fn set(&mut self, index: usize, place: Point, radius: f64, mass: f64) {
        self.set_place(index, place);
        (self.radius[index], self.mass[index]) = (radius, mass);
    }

    /// The nearest creep of a player, the first of several.
    pub(super) fn nearest_creep_of(&self, seat: Seat, place: Point) -> Option<usize> {
        let mut best = None;
        let mut best_distance = f64::INFINITY;
        for index in self.creeps_of(seat) {
            let distance = self.place(index).squared_distance(place);
            if distance < best_distance {
                (best, best_distance) = (Some(index), distance);
            }
        }
        best
    }

    /// Passes until one changes nothing.
    pub(super) fn resolve(&mut self, field: &mut Arc<Field>, passes_max: u32) {
        if !field.is_settled() {
            return self.resolve_with_sites(field, passes_max);
        }
        for _ in 0..passes_max {
            if !self.pass(field) {
                return;
            }
        }
    }

    /// One pass over units and sites. The sites' own turns come last, and since only units move
    /// then, each can be led past all sites by itself.
    fn pass(&mut self, field: &Field) -> bool {
        let count = self.x.len();
        let mut has_pushed = false;
        for index in 0..count {
            self.set_place(index, self.place(index).clamped(self.radius[index]));
            let mut from = 0;
            while let Some(other) = self.next_overlapped(index, from) {
                has_pushed |= self.push_units(index, other);
                from = other + 1;
            }
            has_pushed |= self.push_off_sites::<false>(index, field);
        }
        for index in 0..count {
            has_pushed |= self.push_off_sites::<true>(index, field);
        }
        has_pushed
    }

    /// The first unit from `from` on that overlaps this one.
    #[inline]
    fn next_overlapped(&self, index: usize, from: usize) -> Option<usize> {
        if from <= index
            && let Some(other) = self.first_overlapped(index, from..index)
        {
            return Some(other);
        }
        self.first_overlapped(index, from.max(index + 1)..self.x.len())
    }

    /// Four at a time, without a branch for each, since nearly always there is none.
    #[inline]
    fn first_overlapped(&self, index: usize, range: Range<usize>) -> Option<usize> {
        let (x, y, radius) = (self.x[index], self.y[index], self.radius[index]);
        let overlaps = |other_x: f64, other_y: f64, other_radius: f64| {
            let (x, y, apart) = (x - other_x, y - other_y, radius + other_radius);
            x * x + y * y < apart * apart
        };
        let start = range.start;
        let (xs, ys) = (&self.x[range.clone()], &self.y[range.clone()]);
        let radii = &self.radius[range];
        let fours = xs.as_chunks::<4>().0.iter();
        let fours = fours.zip(ys.as_chunks::<4>().0).zip(radii.as_chunks::<4>().0);
        for (chunk, ((xs, ys), radii)) in fours.enumerate() {
            let hits = [0, 1, 2, 3].map(|lane| overlaps(xs[lane], ys[lane], radii[lane]));
            if hits[0] | hits[1] | hits[2] | hits[3] {
                let lane = hits.iter().position(|&hit| hit);
                return lane.map(|lane| start + 4 * chunk + lane);
            }
        }
        let rest = xs.len() / 4 * 4;
        (rest..xs.len())
            .find(|&other| overlaps(xs[other], ys[other], radii[other]))
            .map(|other| start + other)
    }

    fn push_units(&mut self, index: usize, other: usize) -> bool {
        let (own, its) = (self.place(index), self.place(other));
        let apart = self.radius[index] + self.radius[other];
        let Some(overlap) = overlap(own, its, apart) else {
            return false;
        };
        let (own_push, its_push) = pushes(self.mass[index], self.mass[other], overlap);
        let way = its.minus(own);
        self.set_place(index, own.minus(way.resized(own_push)));
        self.set_place(other, its.plus(way.resized(its_push)));
        true
    }

    /// All sites in order, each with the unit where the one before has left it. Whose turn it is
    /// tells only where a unit at the very centre of a site goes.
    #[inline]
    fn push_off_sites<const SITES_TURN: bool>(&mut self, index: usize, field: &Field) -> bool {
        let mut near = field.near(self.place(index));
        let mut has_pushed = false;
        while let Some(number) = bits(near).next() {
            let (place, site) = (self.place(index), field.sites()[number]);
            let later = !0 << number << 1;
            if let Some(overlap) = overlap(place, site.place, self.radius[index] + site.radius) {
                let push = overlap + PUSH_EXTRA;
                let pushed = if SITES_TURN {
                    place.plus(place.minus(site.place).resized(push))
                } else {
                    place.minus(site.place.minus(place).resized(push))
                };
                self.set_place(index, pushed);
                near = field.near(self.place(index));
                has_pushed = true;
            }
            near &= later;
        }
        has_pushed
    }

    fn resolve_with_sites(&mut self, field: &mut Arc<Field>, passes_max: u32) {
        let units = (0..self.x.len()).map(|index| Body {
            place: self.place(index),
            radius: self.radius[index],
            mass: Some(self.mass[index]),
        });
        let sites = field.sites().iter().map(|site| Body::site(site.place, site.radius));
        let mut bodies: Vec<Body> = units.chain(sites).collect();
        resolve(&mut bodies, passes_max);
        let (units, sites) = bodies.split_at(self.x.len());
        for (index, body) in units.iter().enumerate() {
            self.set_place(index, body.place);
        }
        let places: ArrayVec<Point, SITES_MAX> = sites.iter().map(|body| body.place).collect();
        if !places.iter().zip(field.sites()).all(|(&place, site)| place == site.place) {
            *field = moved(field, &places);
        }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Chance, Edition, Game, SplitMix64};

    use super::*;
    use crate::{Config, CreepKind, CreepSetup};

    /// A generated field with creeps in a heap, some of them on sites and outside.
    fn crowded(seed: i64, creeps: u32) -> CodeRoyale {
        let config = Config { edition: Edition::Original, ..Config::default() };
        let mut setup = CodeRoyale::generate(&config, seed);
        let mut luck = SplitMix64::new(seed as u64);
        let heap = (luck.below(1920), luck.below(1000));
        for index in 0..creeps {
            let x = f64::from(heap.0 + luck.below(300)) - 150.0;
            let y = f64::from(heap.1 + luck.below(300)) - 150.0;
            setup.players.0[index as usize % 2].creeps.push(CreepSetup {
                kind: CreepKind::ALL[luck.below(3) as usize],
                x,
                y,
                hp: 9,
            });
        }
        CodeRoyale::new(&config, setup).expect("playable")
    }

    fn bodies(game: &CodeRoyale) -> Vec<Body> {
        let creeps = Seat::BOTH.map(|seat| game.creeps[seat].as_slice()).concat();
        let mut bodies: Vec<Body> = creeps
            .iter()
            .map(|creep| Body {
                place: creep.place,
                radius: creep.kind.stats().radius,
                mass: Some(creep.kind.stats().mass),
            })
            .collect();
        bodies.extend(game.players.0.map(|player| Body::queen(player.queen)));
        let sites = game.field.sites().iter();
        bodies.extend(sites.map(|site| Body::site(site.place, site.radius)));
        bodies
    }

    #[test]
    fn a_crowd_moves_as_the_plain_list_does() {
        for seed in 0..60 {
            // The last ones do not fit on the stack.
            let mut game = crowded(seed * 7_777_777, 2 * seed as u32);
            let mut expected = bodies(&game);
            for passes_max in [1, 1, 3, RESOLVE_PASSES_MAX] {
                game.with_crowd(|game, crowd| crowd.resolve(&mut game.field, passes_max));
                resolve(&mut expected, passes_max);
                assert_eq!(bodies(&game), expected, "seed {seed}");
            }
        }
    }

    #[test]
    fn sites_that_overlap_are_pushed_apart_in_play() {
        let config = Config::default();
        let mut setup = CodeRoyale::generate(&config, 4);
        (setup.sites[1].x, setup.sites[1].y) = (setup.sites[0].x + 9.5, setup.sites[0].y);
        let mut game = CodeRoyale::new(&config, setup).expect("playable");
        let mut expected = bodies(&game);
        game.resolve_collisions();
        resolve(&mut expected, RESOLVE_PASSES_MAX);
        assert_eq!(bodies(&game), expected);
        assert!(game.field.is_settled() && game.field.rounded().is_some());
        game.round_places();
        assert!(game.field.rounded().is_none());
    }

    #[test]
    fn who_stands_on_a_sites_centre_goes_west_in_its_own_turn() {
        let mut game = crowded(11, 0);
        let site = game.field.sites()[0];
        game.players[Seat::First].queen = site.place;
        let mut expected = bodies(&game);
        game.with_crowd(|game, crowd| crowd.resolve(&mut game.field, 1));
        resolve(&mut expected, 1);
        assert_eq!(bodies(&game), expected);
        assert!(game.players[Seat::First].queen.x < site.place.x);
    }
}
