//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

mod common;

use common::*;
use quintain_core::scene::{Area, Enter, Eye, Form, Mark, Scene, Shape, Stage, Viewing};
use quintain_core::{Game, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64};
use quintain_testkit::{check_ids_are_unique, check_inside, scenes_after};
use quintain_worms::{Config, Event, Setup, Terrain, Worms};

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &Worms, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail: &(), replies: &Replies::default(), last })
}

fn text(game: &Worms, eye: Eye) -> String {
    game.written(eye).plain()
}

/// The words of a scene.
fn words(scene: &Scene) -> Vec<&str> {
    let shapes = scene.shapes.iter();
    shapes
        .filter_map(|shape| match &shape.form {
            Form::Text(label) => Some(label.text.as_str()),
            _ => None,
        })
        .collect()
}

/// How many symbols of a name a scene has.
fn count(stage: &Stage, scene: &Scene, name: &str) -> usize {
    let is_named = |shape: &&Shape| matches!(shape.form, Form::Symbol { symbol, .. } if stage.symbols[usize::from(symbol)].name == name);
    scene.shapes.iter().filter(is_named).count()
}

/// More would make films heavy.
const SHAPES_MAX: usize = 300;

#[test]
fn ids_are_unique_and_everything_is_inside_in_every_scene() {
    for (seed, rounds) in [(8, 130), (9, 400)] {
        let config = Config::default();
        let mut game = Worms::new(&config, Worms::generate(&config, seed)).expect("playable");
        let (mut luck, mut events) = (SplitMix64::new(8), Vec::new());
        let stage = game.stage();
        while game.outcome().is_none() && game.turn() < rounds {
            let scene = drawn(&game, &events, Eye::All);
            check_ids_are_unique(&stage, &scene);
            check_inside(&stage, &scene);
            assert!(scene.shapes.len() <= SHAPES_MAX, "{}", scene.shapes.len());
            assert_eq!(scene.caption, format!("round {}", game.turn()), "no orders are known");
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            events.clear();
            game.advance(&replies, &mut luck, &mut events);
            for event in &events {
                assert!(!Worms::describe(event, &names()).contains('\n'));
            }
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
    let (stage, scene) = (game.game.stage(), drawn(&game.game, &events, Eye::All));
    let lines: Vec<(f64, f64, usize)> = scene
        .shapes
        .iter()
        .filter(|shape| shape.enter == Some(Enter::SHOT))
        .map(|shape| match &shape.form {
            Form::Line { points } => (points[0].x, points[points.len() - 1].x, points.len()),
            form => panic!("{form:?}"),
        })
        .collect();
    assert_eq!(lines.iter().filter(|line| **line == (6.0, 10.0, 2)).count(), 3, "{lines:?}");
    assert!(lines.contains(&(10.0, 12.0, 11)), "an arc: {lines:?}");
    assert_eq!((count(&stage, &scene, "banana"), count(&stage, &scene, "hit")), (1, 1));
    // The middle, four beside it, four at its corners, four beyond.
    for (damage, expected) in [("20", 1), ("13", 4), ("11", 4), ("7", 4)] {
        assert_eq!(words(&scene).iter().filter(|word| **word == damage).count(), expected);
    }
    assert!(words(&scene).contains(&"−15"), "8 by the shot and 7 by its own banana");
    let panel = scene.panels.iter().find(|panel| panel.change.is_some()).expect("a loss");
    assert_eq!((panel.name, panel.value.as_str()), ("2 agent", "85"));
    assert_eq!(panel.change.as_deref(), Some("−15"));
}

/// What a round did, and what is seen of it.
#[test]
fn each_kind_of_event_has_its_effect() {
    let stage = Match::document(setup()).game.stage();
    let after = |change: &dyn Fn(&mut Setup), orders: [&str; 2]| {
        let mut setup = setup();
        change(&mut setup);
        let mut game = Match::document(setup);
        let events = game.round(orders[0], orders[1]);
        drawn(&game.game, &events, Eye::All)
    };
    let quiet = |_: &mut Setup| {};
    let dirt = |setup: &mut Setup| paint(setup, 7, 12, Terrain::Dirt);
    assert_eq!(count(&stage, &after(&dirt, ["dig 7 12", "nothing"]), "crumbs"), 1);
    let moved = after(&quiet, ["move 7 12", "nothing"]);
    assert_eq!(count(&stage, &moved, "commando"), 3, "one of them a ghost");
    assert!(moved.shapes.iter().any(|shape| shape.enter == Some(Enter::TRAIL)));
    let agent = |setup: &mut Setup| {
        setup.players.0[0].active = 2;
        paint(setup, 9, 16, Terrain::Dirt);
        setup.packs.push(pack(10, 16));
    };
    let blast = after(&agent, ["banana 9 16", "nothing"]);
    assert_eq!((count(&stage, &blast, "shards"), count(&stage, &blast, "health pack")), (1, 0));
    let space = |setup: &mut Setup| {
        agent(setup);
        put(setup, Seat::First, 2, 2, 7);
    };
    let lost = after(&space, ["banana 0 4", "nothing"]);
    assert_eq!(count(&stage, &lost, "banana"), 1);
    assert!(!words(&lost).contains(&"13"), "nothing is hurt in deep space");
    let technologist = |setup: &mut Setup| {
        setup.players.0[0].active = 3;
        put(setup, Seat::Second, 1, 9, 20);
    };
    let snow = after(&technologist, ["snowball 10 20", "nothing"]);
    assert_eq!((count(&stage, &snow, "snowball"), count(&stage, &snow, "ice")), (1, 1));
    let weak = |setup: &mut Setup| {
        put(setup, Seat::Second, 1, 9, 12);
        setup.players.0[1].worms[0].hp = 8;
    };
    let dead = after(&weak, ["shoot E", "nothing"]);
    assert_eq!(count(&stage, &dead, "grave"), 1);
    assert!(words(&dead).contains(&"−8") && !words(&dead).contains(&"1: 0"));
    let pack = |setup: &mut Setup| setup.packs.push(pack(7, 12));
    let taken = after(&pack, ["move 7 12", "nothing"]);
    assert!(words(&taken).contains(&"+10") && words(&taken).contains(&"1: 160"));
    let near = |setup: &mut Setup| put(setup, Seat::Second, 1, 8, 12);
    let collided = after(&near, ["move 7 12", "move 7 12"]);
    assert_eq!(count(&stage, &collided, "hit"), 1);
    assert_eq!(words(&collided).iter().filter(|word| **word == "−20").count(), 2);
}

#[test]
fn a_dig_changes_the_rows_around_it_alone() {
    let mut setup = setup();
    for x in 4..20 {
        for y in 3..30 {
            paint(&mut setup, x, y, Terrain::Dirt);
        }
    }
    for (worm, y) in [(1, 12), (2, 16), (3, 20)] {
        put(&mut setup, Seat::First, worm, 22, y);
    }
    put(&mut setup, Seat::First, 1, 20, 12);
    let mut game = Match::document(setup);
    let rows = |scene: &Scene| -> Vec<u32> {
        scene.shapes.iter().map(|shape| shape.id).filter(|id| *id >= 0x0100_0000).collect()
    };
    let before = rows(&drawn(&game.game, &[], Eye::All));
    let events = game.round("dig 19 12", "nothing");
    let after = rows(&drawn(&game.game, &events, Eye::All));
    assert_eq!(before.len(), after.len());
    assert_eq!(after.iter().filter(|id| !before.contains(id)).count(), 3 * 3);
}

#[test]
fn a_lens_shows_worms_that_stand_side_by_side_far_from_all_of_them() {
    let scene = |x| {
        let mut setup = setup();
        put(&mut setup, Seat::Second, 1, x, 12);
        drawn(&Match::document(setup).game, &[], Eye::All)
    };
    assert!(scene(8).windows.wide.iter().all(|window| !window.is_round));
    let crowded = scene(7);
    let lens = crowded.windows.wide.iter().find(|window| window.is_round).expect("a lens");
    let middle = lens.view.x + lens.view.width / 2.0;
    assert_eq!((lens.plane, middle), (0, 6.5));
    assert!(lens.place.x > 0.5, "all worms but two stand on the left or in the middle");
    // Plates are beside the worms, with a line where they are crowded.
    let plates = crowded.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Text(label) => Some((label.plate?, shape.plane)),
        _ => None,
    });
    let plates: Vec<_> = plates.collect();
    assert_eq!(plates.len(), 6);
    assert!(plates.iter().all(|(_, plane)| *plane == 1), "a lens does not enlarge them");
    assert!(plates.iter().any(|(plate, _)| plate.is_round));
    assert!(plates.iter().any(|(plate, _)| !plate.is_round));
}

#[test]
fn a_narrow_screen_shows_the_fight_and_a_small_planet() {
    let mut game = Match::document(setup());
    let events = game.round("shoot N", "nothing");
    let scene = drawn(&game.game, &events, Eye::All);
    let [planet, words, small, map] = scene.windows.narrow[..] else {
        panic!("{:?}", scene.windows)
    };
    assert_eq!((planet.plane, words.plane, small.plane, map.plane), (0, 1, 0, 2));
    assert_eq!((map.view, map.place), (small.view, small.place));
    let on_map = scene.shapes.iter().filter(|shape| shape.plane == 2).count();
    assert_eq!(on_map, 6 + 1, "all worms and what is seen");
    assert_eq!((planet.view.width, planet.view), (16.0, words.view));
    let is_shown = |x: f64, y: f64| {
        let Area { x: left, y: top, width, height } = planet.view;
        (left..=left + width).contains(&x) && (top..=top + height).contains(&y)
    };
    assert!(is_shown(6.0, 12.0) && !is_shown(26.0, 12.0));
    assert!(small.is_round && small.view == game.game.stage().world);
}

#[test]
fn marks_tell_whose_they_are() {
    let (first, second) = (Seat::First, Seat::Second);
    let cases = [
        (Event::Died { seat: second, worm: 1 }, Some(Mark::loss(second, "worm down"))),
        (Event::Reminded { seat: first }, Some(Mark::warning(first, "does nothing"))),
        (Event::Disqualified { seat: first }, Some(Mark::fault(first, "disqualified"))),
        (Event::LavaRises, Some(Mark::common("lava"))),
        (Event::Scored { seat: first, points: 2 }, None),
    ];
    for (event, expected) in cases {
        assert_eq!(Worms::mark(&event), expected);
    }
    let events = Match::document(setup()).round("move 0 0", "select 9;nothing");
    let marks: Vec<Mark> = events.iter().filter_map(Worms::mark).collect();
    assert!(marks.contains(&Mark::warning(first, "invalid")), "{marks:?}");
    assert!(marks.iter().any(|mark| mark.seat == Some(second)), "{marks:?}");
}

/// A picture for one seat is the same whatever it may not know.
#[test]
fn a_private_picture_does_not_change_with_what_is_hidden() {
    let scene = |bananas, eye| {
        let mut setup = setup();
        setup.players.0[1].worms[1].bananas = Some(bananas);
        setup.players.0[1].do_nothings = bananas;
        let mut game = Match::document(setup);
        let events = game.round("move 7 12", "nothing");
        drawn(&game.game, &events, eye)
    };
    let first = Eye::Seat(Seat::First);
    assert_eq!(scene(1, first), scene(3, first));
    assert_ne!(scene(1, Eye::All), scene(3, Eye::All));
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
    assert_eq!(
        drawn(&game.game, &events, Eye::All).caption,
        "Anna wins 120 to 115: round limit: score"
    );
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
    assert_eq!(caption, "nobody wins 116 to 116: both disqualified");
}

#[test]
fn captions_and_deeds_tell_what_both_did() {
    let mut start = setup();
    paint(&mut start, 25, 12, Terrain::Dirt);
    put(&mut start, Seat::First, 2, 12, 12);
    put(&mut start, Seat::Second, 2, 12, 13);
    put(&mut start, Seat::Second, 3, 13, 14);
    let mut game = Match::document(start);
    let mut play = |first, second| {
        let (all, at_play) = scenes_after(&mut game.game, [first, second], &mut game.chance);
        let told = at_play.map(|seat, scene| scene.deeds[seat.other()].clone());
        (all.deeds.0, all.caption, told.0)
    };
    let (deeds, caption, told) = play("move 6 13", "dig 25 12");
    assert_eq!(deeds[0], ["move 6 13", "by worm 1, the commando", "score +5"]);
    assert_eq!(deeds[1], ["dig 25 12", "by worm 1, the commando", "score +7"]);
    assert_eq!(caption, "Anna: move 6 13; Bert: dig 25 12");
    assert_eq!(told, [["dig 25 12"], ["move 6 13"]]);
    let (deeds, caption, told) = play("banana 12 13", "shoot N");
    assert_eq!(deeds[0][..2], ["banana 12 13", "by worm 2, the agent"]);
    assert!(deeds[0][2].ends_with(" of it to itself"), "{deeds:?}");
    assert_eq!(deeds[1][..3], ["shoot N", "by worm 2, the agent", "hits worm 2 for 8"]);
    assert_eq!(caption, "Anna: banana 12 13; Bert: shoot N");
    assert_eq!(told, [["shoot N"], ["banana 12 13"]]);
    let (deeds, caption, told) = play("select 1;snowball 0 0", "");
    let invalid = "invalid: This worm is not technically adept in the arts of snowball fights";
    assert_eq!(deeds[0][..2], ["select 1; snowball 0 0", invalid]);
    assert_eq!(deeds[1][..2], ["no answer", "did not answer in time"]);
    assert_eq!(caption, "Anna: select 1; snowball 0 0; Bert: no answer");
    assert_eq!(told[1], ["select 1; invalid"], "as the state file has it");
}

#[test]
fn the_transcript_tells_moves_and_digs() {
    let mut start = setup();
    paint(&mut start, 25, 12, Terrain::Dirt);
    let events = Match::document(start).round("move 6 13", "dig 25 12");
    let told: Vec<String> = events.iter().map(|event| Worms::describe(event, &names())).collect();
    let told: Vec<&str> = told.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    assert_eq!(told, ["Anna's worm 1 moves to 6 13", "Bert's worm 1 digs at 25 12"]);
}
