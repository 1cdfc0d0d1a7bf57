//! What spectators see: shapes that keep their identity, inside the picture.

use quintain_core::scene::{Eye, Form, Ink, Scene, Shape, Viewing};
use quintain_core::{Game, NoChance, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64};
use quintain_hockey::{Config, Direction, Event, Hockey, Setup, Trail};
use quintain_testkit::{check_ids_are_unique, check_inside, clicks};

fn names() -> PerSeat<String> {
    PerSeat(["Bob".to_owned(), "Malory".to_owned()])
}

fn drawn(game: &Hockey, trail: &Trail, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail, last })
}

/// Draws every position of a random game.
fn film(seed: u64) -> (Hockey, Vec<Scene>) {
    let mut game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let (mut trail, mut chance) = (Trail::default(), SplitMix64::new(seed));
    let mut scenes = vec![drawn(&game, &trail, &[], Eye::All)];
    while let Some(seat) = game.to_act().iter().next() {
        let replies = Replies::only(seat, game.sample(seat, &mut chance));
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        Hockey::follow(&mut trail, &events);
        scenes.push(drawn(&game, &trail, &events, Eye::All));
    }
    (game, scenes)
}

#[test]
fn ids_are_unique_and_every_throw_keeps_its_line() {
    let (game, scenes) = film(3);
    let stage = game.stage();
    for pair in scenes.windows(2) {
        let [before, after] = pair else { panic!("windows of two") };
        check_ids_are_unique(&stage, after);
        assert_eq!(after.shapes.len(), before.shapes.len() + 1, "one line for each throw");
        for shape in before.shapes.iter().filter(|shape| matches!(shape.form, Form::Line { .. })) {
            let kept = after.shapes.iter().find(|other| other.id == shape.id);
            let kept = kept.expect("lines stay");
            assert_eq!(kept.form, shape.form);
            assert_eq!(kept.style.stroke, shape.style.stroke);
        }
    }
}

#[test]
fn everything_lies_inside_the_picture() {
    let (game, scenes) = film(4);
    let stage = game.stage();
    for scene in &scenes {
        check_inside(&stage, scene);
    }
}

#[test]
fn a_line_has_its_throwers_colour_and_the_latest_is_broader() {
    let (_, scenes) = film(5);
    let throws = |scene: &Scene| -> Vec<Shape> {
        let is_line = |shape: &&Shape| matches!(shape.form, Form::Line { .. });
        scene.shapes.iter().filter(is_line).cloned().collect()
    };
    let lines = throws(&scenes[2]);
    assert_eq!(lines[0].style.stroke, Some(Ink::First));
    assert_eq!(lines[1].style.stroke, Some(Ink::Second));
    assert!(lines[1].style.stroke_width > lines[0].style.stroke_width);
}

#[test]
fn captions_name_the_players() {
    let (game, scenes) = film(6);
    assert_eq!(scenes[0].caption, "Bob to throw");
    let outcome = game.outcome().expect("the game is over");
    let winner = &names()[outcome.winner().expect("hockey has no draw")];
    let last = scenes.last().expect("a scene");
    assert_eq!(last.caption, format!("{winner} wins: {}", outcome.reason));
}

#[test]
fn a_person_to_throw_can_click_every_free_line_and_nobody_else_can() {
    let game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let clicks = |eye| clicks(&drawn(&game, &Trail::default(), &[], eye));
    assert_eq!(clicks(Eye::Seat(Seat::First)), Direction::ALL.map(|d| d.word().to_owned()));
    assert!(clicks(Eye::Seat(Seat::Second)).is_empty());
    assert!(clicks(Eye::All).is_empty());
}

#[test]
fn lines_used_before_the_match_are_drawn_once_each() {
    let setup = Setup::after(&[Direction::North, Direction::East]).expect("possible throws");
    let game = Hockey::new(&Config::default(), setup).expect("playable");
    let scene = drawn(&game, &Trail::default(), &[], Eye::All);
    let old = scene.shapes.iter().filter(|shape| shape.style.stroke == Some(Ink::Text));
    let old = old.filter(|shape| matches!(shape.form, Form::Line { .. }));
    assert_eq!(old.count(), 2);
}

#[test]
fn long_names_are_cut() {
    let game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
    let names = PerSeat(["x".repeat(9000), String::new()]);
    let trail = Trail::default();
    let scene = game.drawn(&Viewing { eye: Eye::All, names: &names, trail: &trail, last: &[] });
    assert!(scene.caption.chars().count() < 40, "{}", scene.caption);
}
