//! The figures beside the field.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Panel, Scene};

use super::Trail;
use crate::rules::income::FIXED_INCOME;
use crate::{CodeRoyale, SiteView, StructureView};

/// An opponent's gold is nobody's business.
pub(super) fn fill(
    game: &CodeRoyale,
    sites: &[SiteView],
    trail: &Trail,
    eye: Eye,
    scene: &mut Scene,
) {
    for (seat, player) in game.players().iter() {
        let before = trail.before().map(|before| before.queens[seat]);
        // Her ring is the bar of it.
        let health = Panel::new(seat, "HP", player.hp).decisive();
        scene.panels.push(changed(health, before.map(|before| player.hp - before.hp)));
        if eye != Eye::Seat(seat.other()) {
            let gold = Panel::new(seat, "gold", player.gold);
            scene.panels.push(changed(gold, before.map(|before| player.gold - before.gold)));
            scene.add_panel(seat, "income", format!("+{}", income(game, sites, seat)));
        }
        scene.add_panel(seat, "creeps", game.creeps()[seat].len());
    }
    scene.curve = game.players().map(|_, player| f64::from(player.hp));
}

fn changed(panel: Panel, change: Option<i32>) -> Panel {
    match change {
        None | Some(0) => panel,
        Some(change) if change < 0 => panel.changed(format!("−{}", -change)),
        Some(change) => panel.changed(format!("+{change}")),
    }
}

/// What a player gets in the next turn, as far as it is known how much is left in the ground.
fn income(game: &CodeRoyale, sites: &[SiteView], seat: Seat) -> i32 {
    if !game.league().has_mines() {
        return FIXED_INCOME;
    }
    let pay = |site: &SiteView| match site.structure {
        Some(StructureView::Mine { owner, rate: Some(rate) }) if owner == seat => {
            site.gold.map_or(i32::from(rate), |gold| gold.min(i32::from(rate)))
        }
        _ => 0,
    };
    sites.iter().map(pay).sum()
}
