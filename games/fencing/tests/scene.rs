//! Pictures hold what they must: unique ids, everything inside, buttons only for who is asked.

mod common;

use common::*;
use quintain_core::scene::{Eye, Form, Motion, Scene, Shape, Viewing, Window};
use quintain_core::{
    Game, NoChance, Notation, PerSeat, Replies, Reply, Sample, Seat, Spectate, SplitMix64,
};
use quintain_fencing::{Action, Event, FencerSetup, Fencing};
use quintain_testkit::{check_ids_are_unique, check_inside, points, scenes_after};

fn drawn(game: &Fencing, eye: Eye, last: &[Event]) -> Scene {
    let names = PerSeat(["Bob", "Malory"].map(str::to_owned));
    game.drawn(&Viewing { eye, names: &names, trail: &(), replies: &Replies::default(), last })
}

/// Every scene of a random match, drawn for a person who plays.
fn film(seed: u64) -> Vec<Scene> {
    let mut chance = SplitMix64::new(seed);
    let mut game = start(3);
    let mut scenes = vec![drawn(&game, Eye::Seat(Seat::First), &[])];
    while game.outcome().is_none() {
        let replies = PerSeat::from_fn(|seat| {
            let is_weak = fencer(&game, seat).energy < 7;
            let action = if is_weak { Action::Break } else { game.sample(seat, &mut chance) };
            game.to_act().contains(seat).then_some(Reply::Act(action))
        });
        let mut events = Vec::new();
        game.advance(&replies, &mut NoChance, &mut events);
        scenes.push(drawn(&game, Eye::Seat(Seat::First), &events));
    }
    scenes
}

#[test]
fn ids_are_unique_and_everything_lies_inside_the_picture() {
    let stage = start(3).stage();
    for scene in film(3) {
        check_ids_are_unique(&stage, &scene);
        check_inside(&stage, &scene);
    }
}

#[test]
fn who_is_asked_is_offered_every_command_of_the_league_with_its_cost() {
    for league in [1, 2, 3] {
        let offered = start(league).suggest(Seat::Second, "");
        let codes: Vec<&str> = Action::of_league(league).iter().map(|a| a.code()).collect();
        assert_eq!(offered.iter().map(|offer| offer.text.as_str()).collect::<Vec<_>>(), codes);
        assert!(offered.iter().all(|offer| offer.note.contains("energy ")), "{offered:?}");
    }
}

#[test]
fn a_lunge_is_as_long_as_it_reaches_and_nobody_glides_back_to_the_start() {
    let long = FencerSetup { lunge_distance_skill: 10, drug_count: 2, ..at(200) };
    let mut game = duel(long, at(250));
    let events = turn(&mut game, "LUNGE", "BREAK");
    let scene = drawn(&game, Eye::All, &events);
    let reaches = |shape: &Shape| points(shape).iter().any(|point| point.x == 250.0);
    let blades = scene.shapes.iter().filter(|shape| matches!(shape.form, Form::Line { .. }));
    assert!(blades.clone().any(|shape| reaches(shape) && points(shape)[0].x < 230.0));
    let events = respawn(&mut game);
    let scene = drawn(&game, Eye::All, &events);
    assert!(scene.shapes.iter().any(|shape| shape.motion == Motion::Jump));
}

#[test]
fn captions_say_what_comes_next_and_how_it_ended() {
    let caption = |game: &Fencing| drawn(game, Eye::All, &[]).caption;
    let mut game = duel(FencerSetup { score: 18, ..at(220) }, at(260));
    assert_eq!(caption(&game), "Bob 18 : 0 Malory");
    turn(&mut game, "LUNGE", "BREAK");
    assert_eq!(caption(&game), "both return to their places");
    respawn(&mut game);
    for _ in 0..3 {
        turn(&mut game, "WALK", "BREAK");
    }
    turn(&mut game, "LUNGE", "BREAK");
    assert_eq!(caption(&game), "Bob wins 20 to 0: decisive victory");
    let mut game = start(1);
    turn(&mut game, "DOUBLE_WALK", "DOUBLE_WALK");
    assert_eq!(caption(&game), "nobody wins 0 to 0: invalid command");
}

#[test]
fn captions_and_deeds_tell_what_both_did() {
    let mut game = duel(at(220), at(260));
    let mut play = |first, second| {
        let (all, at_play) = scenes_after(&mut game, [first, second], &mut NoChance);
        assert!(at_play.0.iter().all(|scene| scene.deeds == all.deeds), "nothing is hidden");
        (all.deeds.0, all.caption)
    };
    let (deeds, caption) = play("BREAK", "WALK");
    assert_eq!(deeds, [vec!["BREAK"], vec!["WALK"]]);
    assert_eq!(caption, "Anna: BREAK; Bert: WALK");
    let (deeds, caption) = play("LUNGE", "PARRY");
    assert_eq!(deeds, [vec!["LUNGE", "is parried"], vec!["PARRY", "parries"]]);
    assert_eq!(caption, "Anna: LUNGE; Bert: PARRY");
    let (deeds, caption) = play("LUNGE", "BREAK");
    assert_eq!(deeds, [vec!["LUNGE", "touches"], vec!["BREAK", "is touched"]]);
    assert_eq!(caption, "Anna: LUNGE; Bert: BREAK");
    let mut game = duel(FencerSetup { energy: 1, ..at(220) }, at(260));
    let (scene, _) = scenes_after(&mut game, ["LUNGE", "BREAK"], &mut NoChance);
    assert_eq!(scene.deeds.0, [vec!["LUNGE", "no energy left for it"], vec!["BREAK"]]);
    let (scene, _) = scenes_after(&mut duel(at(220), at(260)), ["LUNGE", "DANCE"], &mut NoChance);
    assert_eq!(scene.deeds.0[1][0], "DANCE");
    assert!(scene.deeds.0[1].contains(&"disqualified: no command".to_owned()));
    let mut game = duel(at(220), at(260));
    let (scene, _) = scenes_after(&mut game, ["BREAK", ""], &mut NoChance);
    assert_eq!(scene.deeds.0[1][..2], ["no answer", "did not answer in time"]);
}

#[test]
fn panels_show_score_energy_and_drugs_of_both() {
    let scene =
        drawn(&duel(FencerSetup { energy: 7, score: 3, ..at(200) }, at(300)), Eye::All, &[]);
    let of = |seat| -> Vec<(&str, String)> {
        let panels = scene.panels.iter().filter(|panel| panel.seat == Some(seat));
        panels.map(|panel| (panel.name, panel.value.clone())).collect()
    };
    let expected = [("score", "3"), ("energy", "7 / 20"), ("drugs", "0"), ("position", "200")];
    assert_eq!(of(Seat::First), expected.map(|(name, value)| (name, value.to_owned())));
    assert_eq!(of(Seat::Second).len(), 4);
}

#[test]
fn the_camera_has_both_fencers_in_sight_and_cuts_no_number_of_the_piste() {
    for (first, second) in [(200, 300), (240, 260), (0, 500), (490, 500)] {
        let scene = drawn(&duel(at(first), at(second)), Eye::All, &[]);
        for windows in [&scene.windows.wide, &scene.windows.narrow] {
            let camera = windows.iter().find(|window| window.plane == 0).expect("a camera");
            let sight = camera.view.x..=camera.view.x + camera.view.width;
            assert!([first, second].iter().all(|&x| sight.contains(&f64::from(x))), "{sight:?}");
            for edge in [camera.view.x, camera.view.x + camera.view.width] {
                assert_eq!(edge.rem_euclid(20.0), 10.0, "midway between two numbers");
            }
        }
        let shows_all = |window: &Window| window.plane != 0 && window.view.width > 500.0;
        assert!(scene.windows.wide.iter().any(shows_all), "the small piste");
        assert_eq!(scene.windows.narrow.len(), 1, "a narrow stage is the fencers' alone");
    }
}

#[test]
fn every_event_is_seen() {
    let words = |first: FencerSetup, second: FencerSetup, orders: [&str; 2]| -> Vec<String> {
        let (scene, _) = scenes_after(&mut duel(first, second), orders, &mut NoChance);
        let text = |shape: &Shape| match &shape.form {
            Form::Text(label) => Some(label.text.clone()),
            _ => None,
        };
        scene.shapes.iter().filter_map(text).collect()
    };
    let check = |first, second, orders: [&str; 2], expected: &str| {
        let words = words(first, second, orders);
        assert!(words.iter().any(|word| word == expected), "{expected}: {words:?}");
    };
    let tired = FencerSetup { energy: 1, ..at(200) };
    let doped = FencerSetup { lunge_distance_skill: 35, drug_count: 7, ..at(200) };
    check(at(220), at(260), ["LUNGE", "BREAK"], "touch +1");
    check(at(220), at(260), ["LUNGE", "BREAK"], "LUNGE -5");
    check(at(220), at(260), ["LUNGE", "PARRY"], "parry, energy +2");
    check(at(5), at(260), ["RETREAT", "BREAK"], "outside");
    check(at(240), at(260), ["WALK", "WALK"], "collision");
    check(tired, at(300), ["LUNGE", "BREAK"], "out of energy");
    check(doped, at(300), ["WALK_DRUG", "BREAK"], "doping");
    check(at(200), at(300), ["DANCE", "BREAK"], "disqualified");
}
