//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

mod common;

use common::*;
use quintain_core::scene::{Eye, Form, Scene, Viewing};
use quintain_core::{Game, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64};
use quintain_testkit::check_ids_are_unique;
use quintain_worms::{Config, Event, Terrain, Worms};

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &Worms, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail: &(), last })
}

fn text(game: &Worms, eye: Eye) -> String {
    game.written(eye).plain()
}

#[test]
fn ids_are_unique_in_every_scene() {
    let config = Config::default();
    let mut game = Worms::new(&config, Worms::generate(&config, 8)).expect("playable");
    let (mut luck, mut events) = (SplitMix64::new(8), Vec::new());
    let stage = game.stage();
    while game.outcome().is_none() && game.turn() < 130 {
        let scene = drawn(&game, &events, Eye::All);
        check_ids_are_unique(&stage, &scene);
        assert_eq!(scene.caption, format!("round {}", game.turn()));
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
        events.clear();
        game.advance(&replies, &mut luck, &mut events);
        for event in &events {
            assert!(!Worms::describe(event, &names()).contains('\n'));
        }
    }
}

#[test]
fn shots_and_throws_of_the_last_round_are_drawn() {
    let mut setup = setup();
    put(&mut setup, Seat::Second, 2, 10, 12);
    setup.players.0[1].active = 2;
    let mut game = Match::document(setup);
    let events = game.round("shoot E", "banana 12 12");
    let scene = drawn(&game.game, &events, Eye::All);
    let line = scene.shapes.iter().find_map(|shape| match &shape.form {
        Form::Line { points } => Some((points[0].x, points[1].x)),
        _ => None,
    });
    assert_eq!(line, Some((6.0, 10.0)));
    let blast = scene.shapes.iter().any(|shape| {
        matches!(&shape.form, Form::Circle { radius, centre } if *radius == 2.5 && centre.x == 12.0)
    });
    assert!(blast);
}

#[test]
fn a_player_is_not_shown_what_the_other_can_throw() {
    let game = Match::document(setup()).game;
    let count = |eye| {
        let scene = drawn(&game, &[], eye);
        let is_weapon = |name| ["bananas", "snowballs"].contains(&name);
        scene.panels.iter().filter(|panel| is_weapon(panel.name)).count()
    };
    assert_eq!((count(Eye::All), count(Eye::Seat(Seat::First))), (4, 2));
    assert_eq!(text(&game, Eye::All).matches("bananas").count(), 2);
    assert_eq!(text(&game, Eye::Seat(Seat::First)).matches("bananas").count(), 1);
}

#[test]
fn the_text_shows_terrain_worms_packs_and_players() {
    let mut setup = setup();
    paint(&mut setup, 8, 12, Terrain::Dirt);
    paint(&mut setup, 9, 12, Terrain::Lava);
    setup.packs.push(pack(10, 12));
    let text = text(&Match::document(setup).game, Eye::All);
    let row = text.lines().nth(12).expect("a row");
    assert!(row.contains("11··▓▓≈≈++"), "{row}");
    assert!(text.contains("player 1: score 116, health 350, tokens 5"));
    assert!(text.contains("* 1 Commando: health 150 at 6 12"));
}

#[test]
fn the_end_is_told() {
    let mut setup = setup();
    setup.round = 399;
    setup.players.0[0].command_score = 5;
    let mut game = Match::document(setup);
    let events = game.round("shoot N", "shoot N");
    assert_eq!(drawn(&game.game, &events, Eye::All).caption, "Anna wins: round limit: score");
}

#[test]
fn the_end_of_two_who_are_disqualified_is_no_draw() {
    let mut setup = setup();
    for player in &mut setup.players.0 {
        player.do_nothings = 11;
    }
    let mut game = Match::document(setup);
    let events = game.round("nothing", "nothing");
    let caption = drawn(&game.game, &events, Eye::All).caption;
    assert_eq!(caption, "nobody wins: both disqualified");
}
