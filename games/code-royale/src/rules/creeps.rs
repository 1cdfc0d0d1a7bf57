//! What creeps do: walk, attack, tear down mines, grow old.

use quintain_core::{PerSeat, Seat, Sink};

use super::collide::Crowd;
use super::towers::nearest_creep;
use super::{CodeRoyale, QUEEN_RADIUS};
use crate::field::{CONTACT, bits};
use crate::{CreepKind, Event, Point, Remover, Structure, Works};

/// A movement is made in this many steps, with collisions after each.
const STEPS: u32 = 5;
/// Creeps aim this far before their target's centre.
const AIM: f64 = 3.0;
const KNIGHT_DAMAGE: i32 = 1;
const ARCHER_DAMAGE: i32 = 2;
const ARCHER_DAMAGE_TO_GIANT: i32 = 10;
const GIANT_DAMAGE: i32 = 80;

impl CodeRoyale {
    /// Knights first, then archers, then giants; within a kind the first player's, oldest first.
    pub(super) fn apply_movement(&mut self) {
        let towers = PerSeat::from_fn(|seat| self.structures(seat.other(), Works::is_tower));
        self.with_crowd(|game, crowd| {
            for step in 1..=STEPS {
                for kind in CreepKind::ALL {
                    for seat in Seat::BOTH {
                        if game.is_active(seat) {
                            game.walk(crowd, seat, kind, towers[seat]);
                        }
                    }
                }
                let passes_max = if step == STEPS { game.switches.movement_passes_max } else { 1 };
                crowd.resolve(&mut game.field, passes_max);
            }
        });
    }

    /// One step of every creep of a kind. `towers` are the enemy's, as a set of bits.
    fn walk(&self, crowd: &mut Crowd<'_>, seat: Seat, kind: CreepKind, towers: u32) {
        let step = kind.stats().speed / f64::from(STEPS);
        for index in crowd.creeps_of(seat) {
            if self.creeps[seat].as_slice()[index - crowd.creeps_of(seat).start].kind != kind {
                continue;
            }
            let place = crowd.place(index);
            let goal = match kind {
                CreepKind::Knight => knight_goal(crowd, place, seat),
                CreepKind::Archer => archer_goal(crowd, place, seat),
                CreepKind::Giant => self.nearest_of(towers, place),
            };
            if let Some(goal) = goal {
                crowd.set_place(index, place.towards(goal, step));
            }
        }
    }

    /// The centre of the nearest of these sites, the first of several.
    fn nearest_of(&self, sites: u32, place: Point) -> Option<Point> {
        let mut best = None;
        let mut best_distance = f64::INFINITY;
        for index in bits(sites) {
            let site = self.field.sites()[index].place;
            let distance = place.squared_distance(site);
            if distance < best_distance {
                (best, best_distance) = (Some(site), distance);
            }
        }
        best
    }

    /// Nobody dies yet, so the order does not matter but for what spectators are told.
    pub(super) fn apply_attacks(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            if self.is_active(seat) {
                self.strike_queen(seat, events);
                self.attack_by_range(seat, events);
            }
        }
    }

    fn strike_queen(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        let enemy = seat.other();
        let queen = self.players[enemy].queen;
        let reach = CreepKind::Knight.stats().radius + QUEEN_RADIUS + CONTACT;
        let creeps = self.creeps[seat].as_slice().iter();
        let strikes = creeps
            .filter(|creep| creep.kind == CreepKind::Knight && creep.place.is_within(queen, reach))
            .count();
        if strikes > 0 {
            let damage = KNIGHT_DAMAGE * strikes as i32;
            self.players[enemy].hp = (self.players[enemy].hp - damage).max(0);
            events.emit(Event::Struck { seat: enemy, damage });
        }
    }

    /// Archers shoot at the nearest enemy creep, giants beat the first tower that they touch.
    fn attack_by_range(&mut self, seat: Seat, events: &mut impl Sink<Event>) {
        let enemy = seat.other();
        for index in 0..self.creeps[seat].len() {
            let creep = self.creeps[seat].as_slice()[index];
            match creep.kind {
                CreepKind::Knight => {}
                CreepKind::Archer => {
                    let nearest = nearest_creep(self.creeps[enemy].as_slice(), creep.place);
                    if let Some((target, distance)) = nearest
                        && let Some(damage) = self.shoot(enemy, target, distance)
                    {
                        let at = self.creeps[enemy].as_slice()[target].place.whole();
                        events.emit(Event::Hit { seat, from: creep.place.whole(), at, damage });
                    }
                }
                CreepKind::Giant => {
                    if let Some(site) = self.beat_tower(enemy, creep.place) {
                        let (from, damage) = (creep.place.whole(), GIANT_DAMAGE);
                        events.emit(Event::Beaten { site, from, damage });
                    }
                }
            }
        }
    }

    /// Returns the damage, if the target is reached.
    fn shoot(&mut self, enemy: Seat, target: usize, squared_distance: f64) -> Option<i32> {
        let target = &mut self.creeps[enemy].as_mut_slice()[target];
        let range = archer_reach(target.kind.stats().radius);
        let is_reached = if self.switches.archers_have_tolerance {
            squared_distance < (range + CONTACT) * (range + CONTACT)
        } else {
            // Archers stand still at the very limit of their range, so that counts.
            squared_distance <= range * range
        };
        let damage = match target.kind {
            CreepKind::Giant => ARCHER_DAMAGE_TO_GIANT,
            CreepKind::Knight | CreepKind::Archer => ARCHER_DAMAGE,
        };
        if !is_reached {
            return None;
        }
        target.hurt(damage);
        Some(damage)
    }

    /// Returns the tower's site.
    fn beat_tower(&mut self, enemy: Seat, place: Point) -> Option<usize> {
        let radius = CreepKind::Giant.stats().radius;
        for site in bits(self.field.near(place)) {
            if let Some(Structure { owner, works: Works::Tower { hp, .. } }) =
                &mut self.plots[site].structure
                && *owner == enemy
                && self.field.sites()[site].is_touched(place, radius)
            {
                *hp -= GIANT_DAMAGE;
                return Some(site);
            }
        }
        None
    }

    pub(super) fn apply_creeps_tear_down(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            let mines = self.structures(seat.other(), Works::is_mine);
            if mines == 0 || !self.is_active(seat) {
                continue;
            }
            for index in 0..self.creeps[seat].len() {
                let creep = self.creeps[seat].as_slice()[index];
                let radius = creep.kind.stats().radius;
                self.tear_down(creep.place, radius, mines, Remover::Creep(seat), events);
            }
        }
    }

    /// Creeps created this turn keep their health: they have not lived a turn yet.
    pub(super) fn apply_age(&mut self, creeps_before: &PerSeat<u16>) {
        for seat in Seat::BOTH {
            if self.is_active(seat) {
                for creep in self.creeps[seat].as_mut_slice() {
                    if creep.number < creeps_before[seat] {
                        creep.hurt(1);
                    }
                }
            }
        }
    }
}

fn archer_reach(target_radius: f64) -> f64 {
    let stats = CreepKind::Archer.stats();
    stats.radius + target_radius + stats.range
}

/// To the enemy's queen, until the rims meet.
#[inline]
fn knight_goal(crowd: &Crowd<'_>, place: Point, seat: Seat) -> Option<Point> {
    let queen = crowd.queen(seat.other());
    let reach = CreepKind::Knight.stats().radius + QUEEN_RADIUS;
    let is_far = place.squared_distance(queen) > reach * reach;
    is_far.then(|| aim(place, queen))
}

/// To the nearest enemy creep until it is in range. Without any, to the own queen.
fn archer_goal(crowd: &Crowd<'_>, place: Point, seat: Seat) -> Option<Point> {
    let (target, radius) = match crowd.nearest_creep_of(seat.other(), place) {
        Some(index) => (crowd.place(index), crowd.radius(index)),
        None => (crowd.queen(seat), QUEEN_RADIUS),
    };
    let reach = archer_reach(radius);
    let is_far = place.squared_distance(target) > reach * reach;
    is_far.then(|| aim(place, target))
}

#[inline]
fn aim(place: Point, target: Point) -> Point {
    target.plus(place.minus(target).resized(AIM))
}
