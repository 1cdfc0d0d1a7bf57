//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use common::{Match, NOTHING, creep, mine, setup, tower};
use quintain_code_royale::{CodeRoyale, Config, CreepKind, Event};
use quintain_core::scene::{Eye, Form, Ink, Scene, Viewing};
use quintain_core::{
    Edition, Game, NoChance, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64,
};
use quintain_testkit::check_ids_are_unique;

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &CodeRoyale, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail: &(), last })
}

#[test]
fn ids_are_unique_and_a_creep_keeps_its_own() {
    let config = Config::default();
    let mut game = CodeRoyale::new(&config, CodeRoyale::generate(&config, 8)).expect("playable");
    let mut luck = SplitMix64::new(8);
    let stage = game.stage();
    assert_eq!(stage.background.len(), 25);
    let mut events = Vec::new();
    while game.outcome().is_none() {
        let scene = drawn(&game, &events, Eye::All);
        check_ids_are_unique(&stage, &scene);
        let circles = scene.shapes.iter().filter(|shape| shape.id >= 1000).count();
        let creeps: usize = game.creeps().0.iter().map(|creeps| creeps.len()).sum();
        assert_eq!(circles, creeps);
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
        events.clear();
        game.advance(&replies, &mut NoChance, &mut events);
    }
    let caption = drawn(&game, &events, Eye::All).caption;
    assert!(caption.contains(" wins: ") || caption.starts_with("draw: "), "{caption}");
}

#[test]
fn a_shot_is_a_line_from_the_tower_to_its_target() {
    let mut setup = setup();
    setup.sites[1].structure = tower(0, 400, 361);
    setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1160.0, 200.0)];
    let mut game = Match::new(Edition::Document, setup);
    let events = game.turn(NOTHING, NOTHING);
    let scene = drawn(&game.game, &events, Eye::All);
    let shots = scene.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Line { points } => Some((points[0].x, points[1].x)),
        _ => None,
    });
    let giant = game.game.creeps()[Seat::Second].as_slice()[0].place.x;
    assert_eq!(shots.collect::<Vec<_>>(), [(960.0, giant)]);
    assert!(scene.shapes.iter().any(|shape| shape.style.stroke == Some(Ink::Accent)));
}

#[test]
fn a_person_at_play_sees_what_a_bot_would_be_told() {
    let mut setup = setup();
    setup.sites[5].structure = mine(1, 3);
    let game = Match::new(Edition::Document, setup).game;
    let figures = |eye| -> Vec<String> {
        let shapes = drawn(&game, &[], eye).shapes.into_iter();
        shapes
            .filter_map(|shape| match shape.form {
                Form::Text { text, .. } => Some(text),
                _ => None,
            })
            .collect()
    };
    assert!(figures(Eye::All).contains(&"+3".to_owned()));
    assert!(figures(Eye::Seat(Seat::Second)).contains(&"+3".to_owned()));
    assert!(figures(Eye::Seat(Seat::First)).contains(&"+?".to_owned()));
    let gold = |eye| {
        let panels = drawn(&game, &[], eye).panels;
        panels.into_iter().filter(|panel| panel.name == "gold").count()
    };
    assert_eq!((gold(Eye::All), gold(Eye::Seat(Seat::First))), (2, 1));
    let text = |eye| game.written(eye).plain();
    assert!(text(Eye::All).contains("m+3") && text(Eye::Seat(Seat::First)).contains("m+?"));
}

#[test]
fn the_text_is_25_rows_of_80_columns() {
    let game = Match::new(Edition::Document, setup()).game;
    let text = game.written(Eye::All);
    assert_eq!(text.lines.len(), 25);
    for line in &text.lines {
        let width: usize = line.iter().map(|span| span.text.chars().count()).sum();
        assert_eq!(width, 80);
    }
    assert_eq!(text.plain().matches('Q').count(), 2);
}

#[test]
fn long_names_are_cut() {
    let mut setup = setup();
    setup.turn = 199;
    setup.players.0[0].hp = 1;
    let mut game = Match::new(Edition::Document, setup);
    game.wait(1);
    let names = PerSeat([String::new(), "x".repeat(9000)]);
    let scene = game.game.drawn(&Viewing { eye: Eye::All, names: &names, trail: &(), last: &[] });
    assert!(scene.caption.chars().count() < 50, "{}", scene.caption);
}
