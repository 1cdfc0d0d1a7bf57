//! Banana bombs and snowballs.

use quintain_core::{Seat, Sink};

use super::{Round, Worms};
use crate::cell::{Cell, MAP_SIZE_MAX, Terrain};
use crate::event::{Cause, Event, Missile, ThrowResult};

/// What a throw did.
#[derive(Default)]
struct Effect {
    points: i64,
    /// Whether it hurt, froze or dug anything.
    is_any: bool,
}

impl Worms {
    /// Returns what the throw is worth.
    pub(super) fn throw(
        &mut self,
        seat: Seat,
        index: u8,
        missile: Missile,
        at: Cell,
        round: &mut Round,
        events: &mut impl Sink<Event>,
    ) -> i64 {
        let worm = &mut self.players[seat].worms_mut()[usize::from(index)];
        let from = worm.at;
        match missile {
            Missile::Banana => worm.bananas -= 1,
            Missile::Snowball => worm.snowballs -= 1,
        }
        let result = if self.terrain(at) == Terrain::DeepSpace {
            ThrowResult::DeepSpace
        } else if self.occupant(at).is_some() {
            ThrowResult::Bullseye
        } else {
            ThrowResult::Terrain
        };
        events.emit(Event::Threw { seat, worm: index + 1, missile, from, at, result });
        let missed = i64::from(self.field.config.game.scores.missed_attack);
        if result == ThrowResult::DeepSpace {
            return missed;
        }
        let effect = match missile {
            Missile::Banana => self.explode(seat, usize::from(index), at, round, events),
            Missile::Snowball => self.freeze(seat, usize::from(index), at, round, events),
        };
        let is_missed = !effect.is_any && self.field.switches.harmless_throws_pay;
        if is_missed { missed } else { effect.points }
    }

    fn explode(
        &mut self,
        seat: Seat,
        thrower: usize,
        at: Cell,
        round: &mut Round,
        events: &mut impl Sink<Event>,
    ) -> Effect {
        let field = self.field.clone();
        let arms = &field.arms[usize::from(field.class_of[thrower]) % 3];
        let dirt = self.blast_dirt(at, arms.banana_radius, round, events);
        self.packs.remove(|pack| {
            let is_gone = arms.blast(at.square_to(pack.at)).is_some();
            if is_gone {
                events.emit(Event::PackDestroyed { at: pack.at });
            }
            is_gone
        });
        let scores = &field.config.game.scores;
        let mut effect = Effect { points: i64::from(scores.dig) * dirt, is_any: dirt > 0 };
        for victim in Seat::BOTH {
            for index in 0..self.players[victim].worms().len() {
                let worm = self.players[victim].worms()[index];
                let damage = arms.blast(at.square_to(worm.at));
                let (true, Some(damage)) = (worm.is_on_map, damage) else {
                    continue;
                };
                self.hurt(victim, index, damage, Cause::Banana(seat), round, events);
                let points = i64::from(scores.attack) * i64::from(damage);
                effect.points += if victim == seat { -points } else { points };
                effect.is_any |= damage > 0;
            }
        }
        effect
    }

    /// Turns dirt into air and counts it. What another banana destroyed in this round counts again:
    /// "both players will get score for the dirt blocks destroyed as if their banana bomb was the first
    /// to hit".
    fn blast_dirt(
        &mut self,
        at: Cell,
        radius: i32,
        round: &mut Round,
        events: &mut impl Sink<Event>,
    ) -> i64 {
        let blasted = round.blasted.get_or_insert([0; MAP_SIZE_MAX]);
        let mut dirt = 0;
        for dx in -radius..=radius {
            for dy in -radius..=radius {
                let (x, y) = (i32::from(at.x) + dx, i32::from(at.y) + dy);
                let is_near = dx * dx + dy * dy <= radius * radius;
                let Some(cell) = Cell::within(self.field.size, x, y).filter(|_| is_near) else {
                    continue;
                };
                let row = &mut blasted[usize::from(cell.y) % MAP_SIZE_MAX];
                let bit = 1 << (cell.x % 64);
                if self.ground.at(cell) == Terrain::Dirt || *row & bit != 0 {
                    *row |= bit;
                    self.ground.set(cell, Terrain::Air);
                    dirt += 1;
                    events.emit(Event::Blasted { at: cell });
                }
            }
        }
        dirt
    }

    fn freeze(
        &mut self,
        seat: Seat,
        thrower: usize,
        at: Cell,
        round: &mut Round,
        events: &mut impl Sink<Event>,
    ) -> Effect {
        let arms = &self.field.arms[usize::from(self.field.class_of[thrower]) % 3];
        let (radius, duration) = (arms.freeze_radius, arms.freeze_duration);
        let points = i64::from(self.field.config.game.scores.freeze);
        let mut effect = Effect::default();
        for victim in Seat::BOTH {
            for (index, worm) in self.players[victim].worms_mut().iter_mut().enumerate() {
                if !worm.is_on_map || worm.at.steps_to(at) > radius {
                    continue;
                }
                worm.frozen = duration;
                round.frozen_now[victim][index] = true;
                effect.points += if victim == seat { -points } else { points };
                effect.is_any = true;
                events.emit(Event::Frozen { seat: victim, worm: index as u8 + 1 });
            }
        }
        effect
    }
}
