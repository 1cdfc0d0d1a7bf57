//! Random play.

use quintain_core::{Chance, Sample, Seat};

use super::CodeRoyale;
use crate::geometry::{HEIGHT, WIDTH};
use crate::{Action, Blueprint, Command, CreepKind, Structure, TrainOrder, Works};

/// Of so many queens' orders one is to wait and three are to walk; the others are to build.
const ORDERS: u32 = 12;

impl Sample for CodeRoyale {
    /// Orders that can be carried out, or at least cost nothing.
    fn sample(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Action {
        let command = match chance.below(ORDERS) {
            0 => Command::Wait,
            1..=3 => Command::Move {
                x: chance.below(WIDTH as u32 + 1) as i32,
                y: chance.below(HEIGHT as u32 + 1) as i32,
            },
            _ => self.sample_build(seat, chance),
        };
        let mut action = Action::new(command, &[]);
        action.train = TrainOrder::Sites(self.sample_training(seat, chance));
        action
    }
}

impl CodeRoyale {
    /// Any site, every other time the nearest, since a queen who always goes elsewhere never arrives;
    /// and any structure that the league has.
    fn sample_build(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Command {
        const BLUEPRINTS: [Blueprint; 5] = [
            Blueprint::Barracks(CreepKind::Knight),
            Blueprint::Barracks(CreepKind::Archer),
            Blueprint::Barracks(CreepKind::Giant),
            Blueprint::Tower,
            Blueprint::Mine,
        ];
        let unlocked = match (self.config.league.has_towers(), self.config.league.has_mines()) {
            (false, _) => 2,
            (true, false) => 4,
            (true, true) => 5,
        };
        let site = match chance.below(2) {
            0 => self.field.nearest(self.players[seat].queen).unwrap_or(0),
            _ => chance.below(self.field.sites().len() as u32) as usize,
        };
        Command::Build {
            site: site as i32,
            blueprint: Some(BLUEPRINTS[chance.below(unlocked) as usize].clone()),
        }
    }

    /// Each idle barracks with even chances, as long as there is gold.
    fn sample_training(&self, seat: Seat, chance: &mut (impl Chance + ?Sized)) -> Vec<i32> {
        let mut gold = self.players[seat].gold;
        let mut sites = Vec::new();
        for (site, plot) in self.plots.iter().enumerate() {
            if let Some(Structure { owner, works: Works::Barracks { creep, training: None } }) =
                plot.structure
                && owner == seat
                && creep.stats().cost <= gold
                && chance.below(2) == 0
            {
                gold -= creep.stats().cost;
                sites.push(site as i32);
            }
        }
        sites
    }
}
