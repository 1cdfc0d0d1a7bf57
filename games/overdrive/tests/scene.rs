//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

mod common;

use common::*;
use quintain_core::scene::{Eye, Scene, Viewing};
use quintain_core::{Game, NoChance, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64};
use quintain_overdrive::{Config, Event, Overdrive, Surface};
use quintain_testkit::{check_ids_are_unique, check_inside, clicks};

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &Overdrive, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail: &(), last })
}

#[test]
fn ids_are_unique_and_shapes_lie_inside_the_stage() {
    let config = Config::default();
    let mut game = Overdrive::new(&config, Overdrive::generate(&config, 8)).expect("playable");
    let mut luck = SplitMix64::new(8);
    let stage = game.stage();
    let mut events = Vec::new();
    while game.outcome().is_none() {
        for eye in [Eye::All, Eye::Seat(FIRST), Eye::Seat(SECOND)] {
            let scene = drawn(&game, &events, eye);
            check_ids_are_unique(&stage, &scene);
            check_inside(&stage, &scene);
        }
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
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
        (drawn(&game, &[], Eye::Seat(FIRST)), game.written(Eye::Seat(FIRST)))
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
    let clicks = |eye| clicks(&drawn(&game, &[], eye));
    let expected =
        ["ACCELERATE", "DECELERATE", "TURN_LEFT", "TURN_RIGHT", "NOTHING", "USE_OIL", "FIX"];
    assert_eq!(clicks(Eye::Seat(FIRST)), expected);
    assert!(clicks(Eye::All).is_empty());
}

#[test]
fn the_text_shows_the_bar_and_the_lanes_around_each_car() {
    let game = Race::document(setup(at(2, 100, 5), at(3, 1400, 5))).game;
    let plain = game.written(Eye::All).plain();
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
    let scene = race.game.drawn(&Viewing { eye: Eye::All, names: &names, trail: &(), last: &[] });
    assert!(scene.caption.chars().count() < 50, "{}", scene.caption);
}
