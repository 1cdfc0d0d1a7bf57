//! A house bot on the far side of the wire: it knows only the lines that a host sends.

use quintain_core::entelect::{RoundClient, TimeLimits};
use quintain_core::{Bot, Dialogue, Elapsed, House, HouseClient, Seat, Thinking};
use serde::Deserialize;

use crate::car::STATES_MAX;
use crate::figures::{LANES_MAX, LENGTH_MAX};
use crate::house::{Budget, Champion, Weights};
use crate::view::Numbers;
use crate::{
    Cell, Overdrive, OwnCar, Place, Powerup, Powerups, Rival, State, Switches, View, Window,
};

impl HouseClient for Overdrive {
    fn dialogue(bot: &str, _: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        Some(behind_lines(Overdrive::bot(bot, seed)?))
    }
}

/// The champion's search with a number of nodes and other weights than its own, for whoever looks for better
/// ones: `weight` is asked for each by its name, in the champion's units.
pub fn weighted(
    nodes: u64,
    mut weight: impl FnMut(&str) -> Option<i32>,
) -> Box<dyn Bot<Overdrive>> {
    let mut weights = Weights::USUAL;
    for name in Weights::NAMES {
        if let (Some(place), Some(value)) = (weights.named(name), weight(name)) {
            *place = value;
        }
    }
    Box::new(Champion::new(Budget::of(Some(nodes)), weights))
}

/// The same behind lines.
pub fn tunable(nodes: u64, weight: impl FnMut(&str) -> Option<i32>) -> Box<dyn Dialogue> {
    behind_lines(weighted(nodes, weight))
}

fn behind_lines(mut bot: Box<dyn Bot<Overdrive>>) -> Box<dyn Dialogue> {
    Box::new(RoundClient::new(move |round, line: &str, elapsed: &mut Elapsed<'_>| {
        let view = read_view(line).filter(|view| view.round == round)?;
        let limit = TimeLimits::default().limit(false);
        Some(bot.act(&view, &mut Thinking::new(elapsed, limit)).to_string())
    }))
}

/// `state.json`, as far as a bot needs it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    current_round: u32,
    max_rounds: u32,
    player: ShownPlayer,
    opponent: ShownOpponent,
    world_map: Vec<Vec<ShownBlock>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownPlayer {
    id: usize,
    position: ShownPosition,
    speed: u8,
    states_that_occurred_this_round: Vec<String>,
    powerups: Vec<String>,
    boosting: bool,
    boost_counter: u16,
    damage: u8,
    score: i32,
}

#[derive(Deserialize)]
struct ShownOpponent {
    position: ShownPosition,
    speed: u8,
}

#[derive(Deserialize)]
struct ShownPosition {
    y: u8,
    x: u16,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownBlock {
    position: ShownPosition,
    surface_object: u64,
    occupied_by_player_id: usize,
    is_occupied_by_cyber_truck: bool,
}

/// The view that a line of JSON shows. What cannot be a view is none, so that a bot can calculate
/// with what it is told.
fn read_view(line: &str) -> Option<View> {
    let shown: Shown = serde_json::from_str(line).ok()?;
    let player = shown.player;
    let seat = Seat::from_index(player.id.checked_sub(1)?)?;
    if player.states_that_occurred_this_round.len() > STATES_MAX {
        return None;
    }
    let states = player.states_that_occurred_this_round.iter();
    let powerups = player.powerups.iter().map(|name| Powerup::from_name(name));
    let window = read_window(&shown.world_map)?;
    let own = OwnCar {
        place: read_place(&player.position)?,
        speed: player.speed,
        damage: player.damage,
        score: player.score,
        is_boosting: player.boosting,
        boost_counter: player.boost_counter,
        states: states.map(|name| State::from_name(name)).collect::<Option<_>>()?,
        powerups: powerups.collect::<Option<Powerups>>()?,
    };
    window.get(own.place)?;
    Some(View {
        seat,
        round: shown.current_round,
        rounds_max: shown.max_rounds,
        own,
        opponent: Rival {
            place: read_place(&shown.opponent.position)?,
            speed: shown.opponent.speed,
        },
        window,
        numbers: Numbers::USUAL,
        // How the host hears matters to the host alone.
        prefix: Switches::DOCUMENT.prefix,
    })
}

fn read_place(position: &ShownPosition) -> Option<Place> {
    let (lanes, blocks) = (1..=LANES_MAX, 1..=LENGTH_MAX);
    let is_possible =
        lanes.contains(&i32::from(position.y)) && blocks.contains(&i32::from(position.x));
    is_possible.then_some(Place::new(position.y, position.x))
}

/// Lanes of one length, in order, with blocks that follow each other.
fn read_window(lanes: &[Vec<ShownBlock>]) -> Option<Window> {
    let first = lanes.first()?.first()?.position.x;
    let width = lanes.first()?.len();
    let mut cells = Vec::with_capacity(lanes.len() * width);
    for (number, lane) in (1_u8..).zip(lanes) {
        if lane.len() != width {
            return None;
        }
        for (block, shown) in (first..).zip(lane) {
            if read_place(&shown.position)? != Place::new(number, block) {
                return None;
            }
            let mut cell = Cell::new(Numbers::USUAL.surface(shown.surface_object)?);
            if shown.is_occupied_by_cyber_truck {
                cell = cell.with_truck();
            }
            let car = shown.occupied_by_player_id.checked_sub(1).and_then(Seat::from_index);
            cells.push(car.map_or(cell, |seat| cell.with_car(seat)));
        }
    }
    Some(Window { first_block: first, width, cells })
}

#[cfg(test)]
mod tests {
    use quintain_core::entelect::Rounds;
    use quintain_core::{Game, NoChance, Replies, Sample, SplitMix64, no_time};

    use super::*;
    use crate::Config;

    #[test]
    fn what_a_client_reads_is_what_a_bot_inside_would_see() {
        let config = Config::default();
        let mut game = Overdrive::new(&config, Overdrive::generate(&config, 5)).expect("playable");
        let mut luck = SplitMix64::new(5);
        while game.outcome().is_none() {
            for seat in Seat::BOTH {
                let line = game.shown(seat, |sheet, out| sheet.json_line(out));
                assert_eq!(read_view(&line), Some(game.view(seat)));
            }
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            game.advance(&replies, &mut NoChance, &mut ());
        }
    }

    #[test]
    fn a_client_answers_a_number_and_a_state() {
        let config = Config::default();
        let game = Overdrive::new(&config, Overdrive::generate(&config, 5)).expect("playable");
        let line = game.shown(Seat::Second, |sheet, out| sheet.json_line(out));
        let mut client = Overdrive::dialogue("greedy", "x", 1, None).expect("a house bot");
        let mut out = Vec::new();
        for heard in ["1", &line, "2", &line, "x", "1", "{}", "1", &line] {
            client.hear(heard, &mut no_time, &mut out);
        }
        assert_eq!(out, ["C;1;ACCELERATE", "C;1;ACCELERATE"]);
    }
}
