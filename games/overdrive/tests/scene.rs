//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

mod common;

use common::*;
use quintain_core::scene::{Eye, Form, Scene, TextScene, Watch};
use quintain_core::{Game, NoChance, PerSeat, Reply, Sample, Seat, Spectate, SplitMix64};
use quintain_overdrive::{Config, Event, Overdrive, Surface};

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &Overdrive, last: &[Event], eye: Eye) -> Scene {
    let mut scene = Scene::default();
    game.draw(&Watch { eye, names: &names(), trail: &(), last }, &mut scene);
    scene
}

fn points(form: &Form) -> Vec<(f64, f64)> {
    match form {
        Form::Circle { centre, .. } => vec![(centre.x, centre.y)],
        Form::Line { points } | Form::Polygon { points } => {
            points.iter().map(|point| (point.x, point.y)).collect()
        }
        Form::Text { at, .. } => vec![(at.x, at.y)],
    }
}

#[test]
fn ids_are_unique_and_shapes_lie_inside_the_stage() {
    let config = Config::default();
    let mut game = Overdrive::new(&config, Overdrive::generate(&config, 8)).expect("playable");
    let mut luck = SplitMix64::new(8);
    let (background, world) = (game.stage().background, game.stage().world);
    let mut events = Vec::new();
    while game.outcome().is_none() {
        for eye in [Eye::All, Eye::Seat(FIRST), Eye::Seat(SECOND)] {
            let scene = drawn(&game, &events, eye);
            let mut ids: Vec<u32> = background.iter().chain(&scene.shapes).map(|s| s.id).collect();
            ids.sort_unstable();
            assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
            for (x, y) in scene.shapes.iter().flat_map(|shape| points(&shape.form)) {
                assert!(x >= world.x && x <= world.x + world.width, "x {x}");
                assert!(y >= world.y && y <= world.y + world.height, "y {y}");
            }
        }
        let replies = PerSeat::from_fn(|seat| Some(Reply::Act(game.sample(seat, &mut luck))));
        events.clear();
        game.advance(&replies, &mut NoChance, &mut events);
    }
    assert!(drawn(&game, &events, Eye::All).caption.contains(" wins: "));
}

#[test]
fn a_person_at_play_sees_what_a_bot_would_be_told() {
    let shown = |change: &dyn Fn(&mut quintain_overdrive::Setup)| {
        let mut start = setup(at(2, 100, 5), at(3, 300, 5));
        change(&mut start);
        let game = Race::document(start).game;
        let mut text = TextScene::default();
        game.text(Eye::Seat(FIRST), &mut text);
        (drawn(&game, &[], Eye::Seat(FIRST)), text)
    };
    let usual = shown(&|_| {});
    for block in [94, 121, 300] {
        assert_eq!(shown(&|start| lay(start, 2, block, Surface::Wall)), usual);
        assert_eq!(shown(&|start| start.trucks = vec![(2, block)]), usual);
    }
    assert_ne!(shown(&|start| lay(start, 2, 120, Surface::Wall)), usual);
    assert_eq!(shown(&|start| start.players.0[1].damage = 3), usual);
    assert_eq!(shown(&|start| start.players.0[1].score = 3), usual);
    assert_eq!(shown(&|start| start.players.0[1].powerups = vec!["EMP".to_owned()]), usual);
    assert_ne!(shown(&|start| start.players.0[1].speed = 6), usual, "this is told");
}

#[test]
fn panels_are_all_for_a_spectator() {
    let car = with(at(2, 100, 5), &["OIL", "EMP", "OIL"]);
    let game = Race::document(setup(car, at(3, 300, 5))).game;
    let panels = drawn(&game, &[], Eye::All).panels;
    let of = |seat: Seat| -> Vec<String> {
        let own = panels.iter().filter(|panel| panel.seat == Some(seat));
        own.map(|panel| format!("{} {}", panel.name, panel.value)).collect()
    };
    let expected = ["block 100", "speed 5", "damage 0", "score 0", "powerups O2 E1"];
    assert_eq!(of(FIRST), expected);
    assert_eq!(of(SECOND).last().map(String::as_str), Some("powerups none"));
}

#[test]
fn buttons_send_commands_that_can_be_given() {
    let game = Race::document(setup(with(at(2, 100, 5), &["OIL"]), at(3, 300, 5))).game;
    let sends = |eye| -> Vec<String> {
        drawn(&game, &[], eye).shapes.into_iter().filter_map(|shape| shape.sends).collect()
    };
    let expected =
        ["ACCELERATE", "DECELERATE", "TURN_LEFT", "TURN_RIGHT", "NOTHING", "USE_OIL", "FIX"];
    assert_eq!(sends(Eye::Seat(FIRST)), expected);
    assert!(sends(Eye::All).is_empty());
}

#[test]
fn the_text_shows_the_bar_and_the_lanes_around_each_car() {
    let game = Race::document(setup(at(2, 100, 5), at(3, 1400, 5))).game;
    let mut text = TextScene::default();
    game.text(Eye::All, &mut text);
    let plain = text.plain();
    let lines: Vec<&str> = plain.lines().collect();
    assert_eq!(lines.len(), 13);
    assert_eq!(lines[0].chars().count(), 62);
    assert_eq!(lines[4], "[░░░░░1░░░░░░░░░░░░░░░░░░░░]");
    assert_eq!(lines[11], "[░░░░░2░░░░░░░░░░░░░░░░░░░░]");
}

#[test]
fn long_names_are_cut() {
    let mut race = Race::document(setup(at(1, 1499, 5), at(3, 300, 5)));
    race.round("NOTHING", "NOTHING");
    let names = PerSeat(["x".repeat(9000), String::new()]);
    let mut scene = Scene::default();
    let watch = Watch { eye: Eye::All, names: &names, trail: &(), last: &[] };
    race.game.draw(&watch, &mut scene);
    assert!(scene.caption.chars().count() < 50, "{}", scene.caption);
}
