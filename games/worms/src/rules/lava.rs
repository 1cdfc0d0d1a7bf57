//! The beginning of a round: lava rises and burns, frozen worms thaw. And health packs.

use quintain_core::{Seat, Sink};

use super::{Round, Worms};
use crate::cell::Terrain;
use crate::edition::LavaHurts;
use crate::event::{Cause, Event};

impl Worms {
    /// The document's "Endgame".
    #[inline]
    pub(super) fn apply_lava(&mut self, events: &mut impl Sink<Event>) {
        if let Some(beyond) = self.field.flood(self.round) {
            self.ground.flood(beyond);
            self.has_lava = true;
            if self.field.flood(self.round - 1).is_none() {
                events.emit(Event::LavaRises);
            }
        }
        let is_hurting = match self.field.switches.lava_hurts {
            LavaHurts::EveryRound => true,
            LavaHurts::OnceItRises => self.round >= self.field.lava_from,
        };
        if self.has_lava && is_hurting {
            self.burn(events);
        }
    }

    #[inline]
    fn burn(&mut self, events: &mut impl Sink<Event>) {
        let damage = self.field.config.game.lava_damage;
        for seat in Seat::BOTH {
            for (worm, id) in self.players[seat].worms_mut().iter_mut().zip(1..) {
                if worm.is_alive() && self.ground.at(worm.at) == Terrain::Lava {
                    worm.hp -= damage;
                    events.emit(Event::Hurt { seat, worm: id, damage, cause: Cause::Lava });
                }
            }
        }
    }

    /// Timers of living worms fall by one, except of those that a snowball hit in this `round`.
    #[inline]
    pub(super) fn thaw(&mut self, round: Option<&Round>) {
        for seat in Seat::BOTH {
            for (index, worm) in self.players[seat].worms_mut().iter_mut().enumerate() {
                let is_hit = round.is_some_and(|round| round.frozen_now[seat][index]);
                if worm.is_alive() && !is_hit {
                    worm.frozen = (worm.frozen - 1).max(0);
                }
            }
        }
    }

    /// Whoever stands on a pack takes it, however little health it has. There is no limit to health.
    #[inline]
    pub(super) fn take_packs(&mut self, events: &mut impl Sink<Event>) {
        let players = &mut self.players;
        self.packs.remove(|pack| {
            for seat in Seat::BOTH {
                for (worm, id) in players[seat].worms_mut().iter_mut().zip(1..) {
                    if worm.is_on_map && worm.at == pack.at {
                        worm.hp += pack.value;
                        events.emit(Event::PackTaken { seat, worm: id, at: pack.at });
                        return true;
                    }
                }
            }
            false
        });
    }
}
