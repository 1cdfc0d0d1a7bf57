//! The bot that does anything.

use quintain_core::{Bot, Chance, SplitMix64, Thinking};

use super::{Lore, build, idle_barracks, nearest_site, unit_place};
use crate::geometry::{HEIGHT, WIDTH};
use crate::{Action, Blueprint, CodeRoyale, Command, CreepKind, View};

/// Any order that can be carried out. Every other building goes to the nearest site: who always goes
/// elsewhere never arrives.
pub(super) struct Random {
    chance: SplitMix64,
    lore: Lore,
}

impl Random {
    pub(super) fn new(seed: i64) -> Random {
        Random { chance: SplitMix64::new(seed as u64), lore: Lore::default() }
    }
}

impl Bot<CodeRoyale> for Random {
    fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> Action {
        self.lore.learn(view);
        let chance = &mut self.chance;
        let command = match chance.below(12) {
            0 => Command::Wait,
            1..=3 => Command::Move {
                x: chance.below(WIDTH as u32 + 1) as i32,
                y: chance.below(HEIGHT as u32 + 1) as i32,
            },
            _ => {
                let site = match chance.below(2) {
                    0 => nearest_site(view, unit_place(view.queen(view.seat)), |_| true),
                    _ => None,
                };
                let any = chance.below(view.sites.len() as u32) as usize;
                build(site.unwrap_or(any), self.blueprint())
            }
        };
        Action::new(command, &self.training(view))
    }

    fn watch(&mut self, view: &View, _: Option<&Action>) {
        self.lore.learn(view);
    }
}

impl Random {
    fn blueprint(&mut self) -> Blueprint {
        let known = if self.lore.has_mines { 5 } else { 2 };
        match self.chance.below(known) {
            0 => Blueprint::Barracks(CreepKind::Knight),
            1 => Blueprint::Barracks(CreepKind::Archer),
            2 => Blueprint::Barracks(CreepKind::Giant),
            3 => Blueprint::Tower,
            _ => Blueprint::Mine,
        }
    }

    fn training(&mut self, view: &View) -> Vec<i32> {
        let mut gold = view.gold;
        let mut sites = Vec::new();
        for (site, kind) in idle_barracks(view) {
            if kind.stats().cost <= gold && self.chance.below(2) == 0 {
                gold -= kind.stats().cost;
                sites.push(site as i32);
            }
        }
        sites
    }
}
