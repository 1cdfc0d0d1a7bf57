//! Training: orders, progress and the creeps that come out.

use quintain_core::{Seat, Sink};

use super::CodeRoyale;
use crate::{Creep, CreepKind, Event, Kill, Point, Structure, TrainOrder, Warning, Works};

/// How far a new creep is set on its way to the enemy's queen.
const SPAWN_STEP: f64 = 30.0;

impl CodeRoyale {
    /// Pays for all trainings and begins them, or none of them.
    pub(super) fn apply_train(
        &mut self,
        seat: Seat,
        order: &TrainOrder,
        events: &mut impl Sink<Event>,
    ) -> Result<(), Kill> {
        let sites = match order {
            TrainOrder::Sites(sites) if sites.is_empty() => return Ok(()),
            TrainOrder::Sites(sites) => sites,
            TrainOrder::Unreadable(word) => return Err(Kill::TrainUnreadable(word.clone())),
            TrainOrder::Missing => return Err(Kill::TrainExpected),
        };
        if let Some(&site) = sites.iter().find(|&&site| self.site_index(site).is_none()) {
            return Err(Kill::TrainNoSite(site));
        }
        match self.price(seat, sites) {
            Ok(price) => {
                self.players[seat].gold -= price;
                for &site in sites {
                    self.begin_training(seat, site as usize, events);
                }
            }
            Err(warning) => events.emit(Event::Warned { seat, warning }),
        }
        Ok(())
    }

    /// The index of a site that a bot named.
    pub(super) fn site_index(&self, site: i32) -> Option<usize> {
        let index = usize::try_from(site).ok()?;
        (index < self.field.sites().len()).then_some(index)
    }

    /// What all trainings cost, if they are possible. Sites exist.
    fn price(&self, seat: Seat, sites: &[i32]) -> Result<i32, Warning> {
        let mut price: i64 = 0;
        for &site in sites {
            match self.plots[site as usize].structure {
                Some(Structure { owner, works: Works::Barracks { creep, training } }) => {
                    if owner != seat {
                        return Err(Warning::NotOwned(site));
                    }
                    if training.is_some() {
                        return Err(Warning::IsTraining(site));
                    }
                    price += i64::from(creep.stats().cost);
                }
                _ => return Err(Warning::NotBarracks(site)),
            }
        }
        let mut seen: u32 = 0;
        for &site in sites {
            if seen & 1 << site != 0 {
                return Err(Warning::TrainedTwice);
            }
            seen |= 1 << site;
        }
        if price > i64::from(self.players[seat].gold) {
            return Err(Warning::TooExpensive { gold: price });
        }
        Ok(price as i32)
    }

    fn begin_training(&mut self, seat: Seat, site: usize, events: &mut impl Sink<Event>) {
        if let Some(Structure { works: Works::Barracks { creep, training }, .. }) =
            &mut self.plots[site].structure
        {
            *training = Some(0);
            let kind = *creep;
            events.emit(Event::Trains { seat, site, kind });
        }
    }

    /// One more turn of training; with the last the creeps are there.
    pub(super) fn act_barracks(
        &mut self,
        site: usize,
        owner: Seat,
        (creep, done): (CreepKind, u8),
        events: &mut impl Sink<Event>,
    ) {
        let done = done + 1;
        let is_complete = done == creep.stats().training_turns;
        let training = (!is_complete).then_some(done);
        self.plots[site].structure =
            Some(Structure { owner, works: Works::Barracks { creep, training } });
        if is_complete {
            self.spawn(site, owner, creep, events);
        }
    }

    /// Each creep starts a little off the one before, away from the owner's corner, and then a step
    /// towards the enemy's queen. Then everybody finds a place.
    fn spawn(&mut self, site: usize, owner: Seat, kind: CreepKind, events: &mut impl Sink<Event>) {
        let centre = self.field.sites()[site].place;
        let queen = self.players[owner.other()].queen;
        let side = match owner {
            Seat::First => 1,
            Seat::Second => -1,
        };
        for index in 0..kind.stats().count {
            let shift = f64::from(side * index);
            let start = Point::new(centre.x + shift, centre.y + shift);
            let number = self.players[owner].creeps_created;
            self.players[owner].creeps_created += 1;
            self.creeps[owner].push(Creep {
                place: start.towards(queen, SPAWN_STEP),
                hp: kind.stats().hp,
                number,
                kind,
            });
        }
        self.resolve_collisions();
        events.emit(Event::Spawned { seat: owner, site, kind });
    }
}
