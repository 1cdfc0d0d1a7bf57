//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

mod common;

use common::*;
use quintain_core::scene::{Area, Eye, Form, Scene, Shape, Viewing};
use quintain_core::{
    Arrow, Game, NoChance, Notation, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64,
};
use quintain_overdrive::{Config, Event, Overdrive, Surface, Trail};
use quintain_testkit::{check_ids_are_unique, scenes_after};

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &Overdrive, last: &[Event], eye: Eye) -> Scene {
    let (trail, replies) = (Trail::default(), Replies::default());
    game.drawn(&Viewing { eye, names: &names(), trail: &trail, replies: &replies, last })
}

#[test]
fn ids_are_unique_and_every_car_that_is_drawn_is_in_a_window() {
    let config = Config::default();
    let mut game = Overdrive::new(&config, Overdrive::generate(&config, 8)).expect("playable");
    let mut luck = SplitMix64::new(8);
    let stage = game.stage();
    let mut events = Vec::new();
    while game.outcome().is_none() {
        for eye in [Eye::All, Eye::Seat(FIRST), Eye::Seat(SECOND)] {
            let scene = drawn(&game, &events, eye);
            check_ids_are_unique(&stage, &scene);
            check_cars_are_seen(&game, &scene, eye);
        }
        let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
        events.clear();
        game.advance(&replies, &mut NoChance, &mut events);
    }
    assert!(drawn(&game, &events, Eye::All).caption.contains(" wins "));
}

/// A spectator sees both cars, a person at play the own one.
fn check_cars_are_seen(game: &Overdrive, scene: &Scene, eye: Eye) {
    for (seat, car) in game.cars().iter() {
        if ![Eye::All, Eye::Seat(seat)].contains(&eye) {
            continue;
        }
        let block = f64::from(car.place.block);
        for windows in [&scene.windows.wide, &scene.windows.narrow] {
            let shows = |view: Area| (view.x..=view.x + view.width).contains(&block);
            assert!(windows.iter().any(|window| window.plane == 0 && shows(window.view)));
        }
        let label = format!("speed {}, damage {}", car.speed, car.damage);
        let is_car = |shape: &Shape| {
            let is_there = matches!(shape.form, Form::Symbol { at, .. } if at.x == block);
            is_there && shape.label.as_ref().is_some_and(|text| text.contains(&label))
        };
        assert!(scene.shapes.iter().any(is_car), "the car is drawn");
    }
}

#[test]
fn cars_that_are_near_share_a_window_and_others_have_one_each() {
    for (second, expected) in [(112, 1), (113, 2), (1400, 2)] {
        let game = Race::document(setup(at(2, 100, 5), at(3, second, 5))).game;
        let windows = drawn(&game, &[], Eye::All).windows;
        let cameras = windows.wide.iter().filter(|window| window.plane == 0).count();
        assert_eq!(cameras, expected, "block {second}");
    }
}

#[test]
fn the_way_of_this_round_and_what_was_hit_are_seen() {
    let mut start = setup(at(2, 100, 8), at(3, 300, 5));
    lay(&mut start, 2, 104, Surface::Mud);
    let mut game = Race::document(start).game;
    let (scene, at_play) = scenes_after(&mut game, ["NOTHING", "NOTHING"], &mut NoChance);
    let words = |scene: &Scene| -> Vec<String> {
        let text = |shape: &Shape| match &shape.form {
            Form::Text(label) => Some(label.text.clone()),
            _ => None,
        };
        scene.shapes.iter().filter_map(text).collect()
    };
    assert!(words(&scene).contains(&"mud".to_owned()));
    let ghosts = scene.shapes.iter().filter(|shape| shape.style.opacity == 0.35);
    assert_eq!(ghosts.count(), 2, "both cars moved");
    assert!(!words(&at_play.0[1]).contains(&"mud".to_owned()), "the other is not told");
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
    let expected = ["block 100", "speed 5", "damage 0", "lane 2", "score 0", "oil 2", "boosts 0"];
    let [start, held] = [&of(FIRST)[..7], &of(FIRST)[7..]];
    assert_eq!(start, expected);
    assert_eq!(held, ["lizards 0", "tweets 0", "EMPs 1"]);
    assert_eq!(of(SECOND).last().map(String::as_str), Some("EMPs 0"));
}

#[test]
fn arrows_drive_where_the_picture_shows_it() {
    let game = Race::document(setup(with(at(2, 100, 5), &["TWEET"]), at(3, 300, 5))).game;
    let on = |arrow| {
        let suggested = game.suggest(FIRST, "").into_iter();
        suggested.filter(move |command| command.arrow == Some(arrow)).map(|command| command.text)
    };
    for (arrow, command) in [
        (Arrow::Right, "ACCELERATE"),
        (Arrow::Left, "DECELERATE"),
        (Arrow::Up, "TURN_LEFT"),
        (Arrow::Down, "TURN_RIGHT"),
    ] {
        assert_eq!(on(arrow).collect::<Vec<_>>(), [command]);
    }
    let truck = game.suggest(FIRST, "USE_TWEET ").into_iter().next().expect("a place for it");
    assert_eq!(truck.text, "USE_TWEET 3 306");
    assert_eq!(truck.aim, Some(Form::rectangle(305.5, 2.5, 1.0, 1.0)));
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
    let scene = race.game.drawn(&Viewing {
        eye: Eye::All,
        names: &names,
        trail: &Trail::default(),
        replies: &Replies::default(),
        last: &[],
    });
    assert!(scene.caption.chars().count() < 50, "{}", scene.caption);
}

#[test]
fn captions_and_deeds_tell_what_both_did() {
    let mut start = setup(with(at(2, 100, 5), &["OIL"]), at(3, 300, 5));
    lay(&mut start, 3, 303, Surface::Mud);
    let mut game = Race::document(start).game;
    let (scene, at_play) = scenes_after(&mut game, ["USE_OIL", "ACCELERATE"], &mut NoChance);
    let dropped = "drops oil at lane 2, block 100";
    let place = |seat: Seat| {
        let car = &game.cars()[seat];
        format!("to lane {}, block {} at speed {}", car.place.lane, car.place.block, car.speed)
    };
    assert_eq!(scene.deeds[FIRST], ["USE_OIL", dropped, &place(FIRST)]);
    assert_eq!(scene.deeds[SECOND], ["ACCELERATE", "hits mud", &place(SECOND)]);
    assert_eq!(scene.caption, "Anna: USE_OIL; Bert: ACCELERATE");
    for (seat, scene) in at_play.iter() {
        assert!(scene.deeds[seat.other()].is_empty(), "nobody is told what the other commanded");
    }
    assert_eq!(at_play[FIRST].caption, "Anna: USE_OIL");
    let (scene, _) = scenes_after(&mut game, ["DANCE", ""], &mut NoChance);
    assert_eq!(scene.deeds[FIRST][..2], ["no command", "invalid: an unknown command"]);
    let late = ["no answer", "did not answer in time", "invalid: no command"];
    assert_eq!(scene.deeds[SECOND][..3], late);
}
