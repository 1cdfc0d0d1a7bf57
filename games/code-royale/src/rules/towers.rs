//! Towers: their range, their shots and their decay.

use std::f64::consts::PI;

use quintain_core::{Seat, Sink};

use super::CodeRoyale;
use crate::{Creep, Event, Point, Remover, Structure, Target, Works};

/// Health lost per turn.
const TOWER_DECAY: i32 = 4;
/// What one health covers.
const AREA_PER_HP: i32 = 1000;
const DAMAGE_TO_CREEP: i32 = 3;
const DAMAGE_TO_QUEEN: i32 = 1;
/// Damage grows by one for each of these that the target is nearer than the range.
const DAMAGE_STEP: f64 = 200.0;

/// The document's formula: what the health covers and the site itself make one circle.
pub(crate) fn range_of(hp: i32, site_radius: f64) -> i32 {
    let area = f64::from(hp * AREA_PER_HP) + PI * site_radius * site_radius;
    // The root of a negative area is no number, and that is cast to 0.
    (area / PI).sqrt() as i32
}

/// The creep nearest to a place, the first of several, and the square of its distance.
#[inline]
pub(super) fn nearest_creep(creeps: &[Creep], place: Point) -> Option<(usize, f64)> {
    let mut best = None;
    let mut best_distance = f64::INFINITY;
    for (index, creep) in creeps.iter().enumerate() {
        let distance = creep.place.squared_distance(place);
        if distance < best_distance {
            best_distance = distance;
            best = Some(index);
        }
    }
    best.map(|index| (index, best_distance))
}

impl CodeRoyale {
    /// A shot, then decay.
    pub(super) fn act_tower(
        &mut self,
        site: usize,
        owner: Seat,
        (hp, range): (i32, i32),
        events: &mut impl Sink<Event>,
    ) {
        let radius = self.field.sites()[site].radius;
        let range_now =
            if self.switches.range_follows_health { range_of(hp, radius) } else { range };
        self.fire(site, owner, range_now, events);
        let hp = hp - TOWER_DECAY;
        let range = range_of(hp, radius);
        self.plots[site].structure = Some(Structure { owner, works: Works::Tower { hp, range } });
        if hp <= 0 {
            self.remove_structure(site, Remover::Decay, events);
        }
    }

    /// At the nearest enemy creep, be it dead or alive; only if none is in range, at the queen.
    fn fire(&mut self, site: usize, owner: Seat, range: i32, events: &mut impl Sink<Event>) {
        let centre = self.field.sites()[site].place;
        let enemy = owner.other();
        let reach = f64::from(range) * f64::from(range);
        let creep = nearest_creep(self.creeps[enemy].as_slice(), centre);
        if let Some((index, distance)) = creep.filter(|&(_, distance)| distance < reach) {
            let damage = DAMAGE_TO_CREEP + self.growth(site, range, distance);
            let creep = &mut self.creeps[enemy].as_mut_slice()[index];
            creep.hurt(damage);
            let (target, at) = (Target::Creep(creep.number), creep.place.whole());
            events.emit(Event::Shot { site, owner, target, at, damage });
            return;
        }
        let distance = self.players[enemy].queen.squared_distance(centre);
        if distance < reach {
            let damage = DAMAGE_TO_QUEEN + self.growth(site, range, distance);
            self.players[enemy].hp = (self.players[enemy].hp - damage).max(0);
            let at = self.players[enemy].queen.whole();
            events.emit(Event::Shot { site, owner, target: Target::Queen, at, damage });
        }
    }

    /// What nearness adds to the damage.
    fn growth(&self, site: usize, range: i32, squared_distance: f64) -> i32 {
        let distance = squared_distance.sqrt();
        let nearness = if self.switches.damage_grows_from_rim {
            f64::from(range) - (distance - self.field.sites()[site].radius)
        } else {
            f64::from(range) - distance
        };
        (nearness / DAMAGE_STEP) as i32
    }

    /// Towers without health are gone before they can act.
    pub(super) fn remove_ruins(&mut self, events: &mut impl Sink<Event>) {
        for site in 0..self.field.sites().len() {
            if let Some(Structure { works: Works::Tower { hp, .. }, .. }) =
                self.plots[site].structure
                && hp <= 0
            {
                self.remove_structure(site, Remover::Decay, events);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_follows_the_documents_formula() {
        // 196 health on a site of radius 60: sqrt(196000 / pi + 3600).
        assert_eq!(range_of(196, 60.0), 256);
        assert_eq!(range_of(800, 60.0), 508);
        assert_eq!(range_of(0, 60.0), 60);
        assert_eq!(range_of(-80, 60.0), 0);
    }
}
