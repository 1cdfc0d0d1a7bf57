//! The figures beside the planet.

use quintain_core::Seat;
use quintain_core::scene::{Eye, Gauge, Panel, Scene};

use super::changes::Changes;
use crate::rules::{Worm, Worms};

/// By the index of a worm and its profession.
const WORMS: [[&str; 3]; 9] = [
    ["1 commando", "1 agent", "1 technologist"],
    ["2 commando", "2 agent", "2 technologist"],
    ["3 commando", "3 agent", "3 technologist"],
    ["4 commando", "4 agent", "4 technologist"],
    ["5 commando", "5 agent", "5 technologist"],
    ["6 commando", "6 agent", "6 technologist"],
    ["7 commando", "7 agent", "7 technologist"],
    ["8 commando", "8 agent", "8 technologist"],
    ["9 commando", "9 agent", "9 technologist"],
];

/// What the other has left to throw is not shown to a player.
pub(super) fn fill(game: &Worms, changes: &Changes, eye: Eye, scene: &mut Scene) {
    for (seat, player) in game.players().iter() {
        scene.panels.push(Panel::new(seat, "score", player.score()).decisive());
        for index in 0..player.worms().len() {
            scene.panels.push(worm_panel(game, changes, seat, index));
        }
        let health = Panel::new(seat, "health", player.health());
        scene.panels.push(changed(health, changes.all_words(seat)));
        scene.add_panel(seat, "selects", player.tokens);
        if eye != Eye::Seat(seat.other()) {
            let sum = |count: fn(&Worm) -> i32| -> i32 {
                player.worms().iter().filter(|worm| worm.is_alive()).map(count).sum()
            };
            scene.add_panel(seat, "bananas", sum(|worm| worm.bananas));
            scene.add_panel(seat, "snowballs", sum(|worm| worm.snowballs));
        }
    }
    scene.curve = game.players().as_ref().map(|_, player| player.health() as f64);
}

fn worm_panel(game: &Worms, changes: &Changes, seat: Seat, index: usize) -> Panel {
    let worm = &game.players()[seat].worms()[index];
    let max = f64::from(game.class_of(index).initial_hp);
    let gauge = Gauge { value: f64::from(worm.hp.max(0)), max, cells: 0 };
    let value = if worm.is_alive() { worm.hp.to_string() } else { "out".to_owned() };
    let panel = Panel::new(seat, WORMS[index][game.class_number(index)], value).with_gauge(gauge);
    changed(panel, changes.words(seat, index))
}

fn changed(panel: Panel, change: Option<String>) -> Panel {
    match change {
        Some(change) => panel.changed(change),
        None => panel,
    }
}
