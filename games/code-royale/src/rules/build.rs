//! What queens build.

use quintain_core::{PerSeat, Seat, Sink};

use super::{CodeRoyale, TOWER_HP_MAX};
use crate::{Blueprint, CreepKind, Event, Kill, Structure, Works};

/// Of a new tower.
pub(crate) const TOWER_HP: i32 = 200;
const TOWER_HP_GROWTH: i32 = 100;

/// A queen at a site that she may build on, and what she means to build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build<'a> {
    pub(crate) site: usize,
    pub(crate) blueprint: &'a Blueprint,
}

impl CodeRoyale {
    /// On one site only one builds: the second player on even turns, the first on odd ones. What is
    /// dropped is not judged either.
    pub(super) fn apply_builds(
        &mut self,
        mut builds: PerSeat<Option<Build<'_>>>,
        events: &mut impl Sink<Event>,
    ) {
        if let [Some(first), Some(second)] = builds.0
            && first.site == second.site
        {
            let seat = if self.turn.is_multiple_of(2) { Seat::First } else { Seat::Second };
            builds[seat] = None;
            let site = first.site;
            events.emit(Event::Contested { seat, site });
        }
        for (seat, build) in builds.iter() {
            if let Some(build) = build
                && let Err(kill) = self.apply_build(seat, *build, events)
            {
                self.kill(seat, kill, events);
            }
        }
    }

    fn apply_build(
        &mut self,
        seat: Seat,
        build: Build<'_>,
        events: &mut impl Sink<Event>,
    ) -> Result<(), Kill> {
        let site = build.site;
        let old = self.plots[site].structure.map(|structure| structure.works);
        let works = match self.unlocked(build.blueprint)? {
            Plan::Mine => match old {
                Some(Works::Mine { rate }) => {
                    Works::Mine { rate: (rate + 1).min(self.field.sites()[site].rate_max) }
                }
                _ => Works::Mine { rate: 1 },
            },
            Plan::Tower => match old {
                Some(Works::Tower { hp, range }) => {
                    Works::Tower { hp: (hp + TOWER_HP_GROWTH).min(TOWER_HP_MAX), range }
                }
                _ => Works::Tower { hp: TOWER_HP, range: 0 },
            },
            Plan::Barracks(creep) => Works::Barracks { creep, training: None },
        };
        self.plots[site].structure = Some(Structure { owner: seat, works });
        events.emit(Event::Built { seat, site, works });
        Ok(())
    }

    /// What a league has not unlocked is as unknown as any other word.
    fn unlocked(&self, blueprint: &Blueprint) -> Result<Plan, Kill> {
        let league = self.config.league;
        match blueprint {
            Blueprint::Mine if league.has_mines() => Ok(Plan::Mine),
            Blueprint::Mine => Err(Kill::UnknownStructure("MINE".into())),
            Blueprint::Tower if league.has_towers() => Ok(Plan::Tower),
            Blueprint::Tower => Err(Kill::UnknownStructure("TOWER".into())),
            Blueprint::Barracks(CreepKind::Giant) if !league.has_towers() => {
                Err(Kill::UnknownBarracks(CreepKind::Giant.word().into()))
            }
            Blueprint::Barracks(creep) => Ok(Plan::Barracks(*creep)),
            Blueprint::BarracksOfNothing => Err(Kill::BarracksWithoutType),
            Blueprint::BarracksOfUnknown(word) => Err(Kill::UnknownBarracks(word.clone())),
            Blueprint::Unknown(word) => Err(Kill::UnknownStructure(word.clone())),
        }
    }
}

/// A blueprint that can be built.
enum Plan {
    Mine,
    Tower,
    Barracks(CreepKind),
}
