//! `state.json` written plainly, with serde, against the writer that keeps rows from round to round.

mod common;

use common::*;
use quintain_core::{
    Edition, Game, Item, Manner, Opening, Outbox, PerSeat, Protocol, Replies, Sample, Seat,
    SplitMix64,
};
use quintain_worms::{Cell, Side, View, Wire, WormView, Worms};
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State<'a> {
    current_round: u32,
    max_rounds: i32,
    pushback_damage: i32,
    lava_damage: i32,
    map_size: i32,
    current_worm_id: u8,
    consecutive_do_nothing_count: u32,
    my_player: Player<'a>,
    opponents: [Player<'a>; 1],
    map: Vec<Vec<Square<'a>>>,
    visualizer_events: [u8; 0],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Player<'a> {
    id: usize,
    score: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    health: Option<i64>,
    current_worm_id: u8,
    remaining_worm_selections: i32,
    previous_command: &'a str,
    worms: Vec<Worm<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Worm<'a> {
    id: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    player_id: Option<usize>,
    health: i32,
    position: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    weapon: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    banana_bombs: Option<Bananas>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snowballs: Option<Snowballs>,
    digging_range: i32,
    movement_range: i32,
    rounds_until_unfrozen: i32,
    profession: &'a str,
}

#[derive(Serialize)]
struct Place {
    x: u8,
    y: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Bananas {
    damage: i32,
    range: i32,
    count: i32,
    damage_radius: i32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Snowballs {
    freeze_duration: i32,
    range: i32,
    count: i32,
    freeze_radius: i32,
}

#[derive(Serialize)]
struct Square<'a> {
    x: u8,
    y: u8,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    occupier: Option<Worm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    powerup: Option<Powerup>,
}

#[derive(Serialize)]
struct Powerup {
    #[serde(rename = "type")]
    kind: &'static str,
    value: i32,
}

fn worm<'a>(view: &'a View, worm: &WormView, owner: Option<Seat>) -> Worm<'a> {
    let class = view.class(worm);
    let arsenal = worm.arsenal;
    let weapon = serde_json::json!({"damage": class.weapon.damage, "range": class.weapon.range});
    Worm {
        id: worm.id,
        player_id: owner.map(|seat| seat.index() + 1),
        health: worm.hp,
        position: Place { x: worm.at.x, y: worm.at.y },
        weapon: arsenal.map(|_| weapon),
        banana_bombs: arsenal.zip(class.bananas).map(|(arsenal, it)| Bananas {
            damage: it.damage,
            range: it.range,
            count: arsenal.bananas,
            damage_radius: it.damage_radius,
        }),
        snowballs: arsenal.zip(class.snowballs).map(|(arsenal, it)| Snowballs {
            freeze_duration: it.freeze_duration,
            range: it.range,
            count: arsenal.snowballs,
            freeze_radius: it.freeze_radius,
        }),
        digging_range: class.digging_range,
        movement_range: class.movement_range,
        rounds_until_unfrozen: worm.frozen,
        profession: &class.profession_name,
    }
}

fn player<'a>(view: &'a View, side: &'a Side, command: &'a str, is_own: bool) -> Player<'a> {
    Player {
        id: side.seat.index() + 1,
        score: side.score,
        health: is_own.then_some(side.health),
        current_worm_id: side.active_id,
        remaining_worm_selections: side.tokens,
        previous_command: command,
        worms: side.worms().iter().map(|it| worm(view, it, None)).collect(),
    }
}

/// `commands`: the previous ones, own and opponent's.
fn plain(view: &View, commands: [&str; 2]) -> String {
    let config = view.config();
    let square = |cell: Cell| Square {
        x: cell.x,
        y: cell.y,
        kind: view.ground.at(cell).name(),
        occupier: view.occupant(cell).map(|(seat, it)| worm(view, it, Some(seat))),
        powerup: view
            .packs()
            .iter()
            .find(|pack| pack.at == cell)
            .map(|pack| Powerup { kind: "HEALTH_PACK", value: pack.value }),
    };
    let size = view.ground.size();
    let state = State {
        current_round: view.round,
        max_rounds: config.max_rounds,
        pushback_damage: config.pushback_damage,
        lava_damage: config.lava_damage,
        map_size: config.map_size,
        current_worm_id: view.own.active_id,
        consecutive_do_nothing_count: view.do_nothings,
        my_player: player(view, &view.own, commands[0], true),
        opponents: [player(view, &view.opponent, commands[1], false)],
        map: (0..size).map(|y| (0..size).map(|x| square(Cell::new(x, y))).collect()).collect(),
        visualizer_events: [],
    };
    let text = serde_json::to_string(&state).expect("plain data");
    // The original's library also escapes what has a meaning in HTML.
    ['<', '>', '&', '=', '\'', '\u{2028}', '\u{2029}']
        .into_iter()
        .fold(text, |text, letter| text.replace(letter, &format!("\\u{:04x}", letter as u32)))
}

fn written(wire: &mut Wire, view: &View) -> String {
    let mut out = Outbox::default();
    wire.prompt(view.seat, view, &mut out);
    match out.0.pop() {
        Some((_, Item::Line(line))) => line,
        other => panic!("expected the line of JSON, found {other:?}"),
    }
}

fn lines() -> Wire {
    let manners = PerSeat([Manner::Lines; 2]);
    Wire::new(&Opening { manners, ..Opening::new(PerSeat::default()) })
}

/// The previous command in a state, as text.
fn previous(json: &str, pointer: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    value.pointer(pointer).and_then(|text| text.as_str()).expect("a text").to_owned()
}

fn check(wire: &mut Wire, game: &Worms) {
    for seat in Seat::BOTH {
        let view = game.view(seat);
        let json = written(wire, &view);
        let own = previous(&json, "/myPlayer/previousCommand");
        let other = previous(&json, "/opponents/0/previousCommand");
        assert_eq!(json, plain(&view, [&own, &other]), "round {}", view.round);
    }
}

#[test]
fn both_writers_agree_in_every_round_of_random_matches() {
    for edition in Edition::ALL {
        let config = quintain_worms::Config { edition, ..Default::default() };
        let mut game = Worms::new(&config, Worms::generate(&config, 11)).expect("playable");
        let (mut luck, mut wire) = (SplitMix64::new(3), lines());
        while game.outcome().is_none() && game.turn() < 160 {
            if game.turn().is_multiple_of(4) {
                check(&mut wire, &game);
            }
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            game.advance(&replies, &mut luck, &mut ());
        }
    }
}

#[test]
fn texts_of_bots_are_escaped_alike() {
    let mut setup = setup();
    for worm in &mut setup.players.0[0].worms {
        worm.frozen = 9;
    }
    setup.packs.push(pack(6, 20));
    let mut game = Match::document(setup);
    for text in ["a\"<b>&'=\\", "tab\there", "x\u{1}\u{7f}é\u{2028}😀", "größe"] {
        game.round(text, "shoot N");
        check(&mut lines(), &game.game);
        let json = written(&mut lines(), &game.game.view(Seat::First));
        assert!(previous(&json, "/myPlayer/previousCommand").contains(text), "{text:?}");
    }
}
