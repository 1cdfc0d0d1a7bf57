//! What spectators see: shapes that keep their identity, and no secrets for a person at play.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use common::{Match, NOTHING, barracks, creep, mine, setup, tower};
use quintain_code_royale::{
    CodeRoyale, Config, CreepKind, Event, Remover, Setup, Structure, Trail, Warning, Works,
};
use quintain_core::scene::{
    CAPTION_LETTERS_MAX, Enter, Eye, Form, Leave, Mark, Scene, Shape, Stage, Viewing,
};
use quintain_core::{
    Edition, Game, NoChance, PerSeat, Replies, Sample, Seat, Spectate, SplitMix64,
};
use quintain_testkit::{check_ids_are_unique, check_inside, scenes_after};

fn names() -> PerSeat<String> {
    PerSeat(["Anna".to_owned(), "Bert".to_owned()])
}

fn drawn(game: &CodeRoyale, last: &[Event], eye: Eye) -> Scene {
    drawn_after(game, &Trail::default(), last, eye)
}

fn drawn_after(game: &CodeRoyale, trail: &Trail, last: &[Event], eye: Eye) -> Scene {
    game.drawn(&Viewing { eye, names: &names(), trail, replies: &Replies::default(), last })
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
fn ids_are_unique_everything_is_inside_and_a_creep_keeps_its_own() {
    for seed in [8, 9, 10] {
        let config = Config::default();
        let mut game =
            CodeRoyale::new(&config, CodeRoyale::generate(&config, seed)).expect("playable");
        let mut luck = SplitMix64::new(8);
        let stage = game.stage();
        let (mut events, mut trail) = (Vec::new(), Trail::default());
        while game.outcome().is_none() {
            let scene = drawn_after(&game, &trail, &events, Eye::All);
            check_ids_are_unique(&stage, &scene);
            check_inside(&stage, &scene);
            assert!(scene.shapes.len() <= SHAPES_MAX, "{}", scene.shapes.len());
            let is_creep = |shape: &&Shape| (100_000..300_000).contains(&shape.id);
            let creeps: usize = game.creeps().0.iter().map(|creeps| creeps.len()).sum();
            assert_eq!(scene.shapes.iter().filter(is_creep).count(), creeps);
            let replies = Replies::of(game.to_act(), |seat| game.sample(seat, &mut luck));
            events.clear();
            game.remember(&mut trail);
            game.advance(&replies, &mut NoChance, &mut events);
        }
        let caption = drawn(&game, &events, Eye::All).caption;
        assert!(caption.contains(" wins ") || caption.starts_with("draw "), "{caption}");
    }
}

#[test]
fn a_shot_is_a_line_from_the_tower_to_its_target_and_its_loss_a_number() {
    let mut setup = setup();
    setup.sites[1].structure = tower(0, 400, 361);
    setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1160.0, 200.0)];
    let mut game = Match::new(Edition::Document, setup);
    let events = game.turn(NOTHING, NOTHING);
    let scene = drawn(&game.game, &events, Eye::All);
    let is_beam = |shape: &&Shape| shape.enter == Some(Enter::SHOT);
    let beams = scene.shapes.iter().filter(is_beam).map(|shape| match &shape.form {
        Form::Line { points } => (points[0].x, points[1].x),
        form => panic!("{form:?}"),
    });
    let giant = game.game.creeps()[Seat::Second].as_slice()[0].place.x;
    assert_eq!(beams.collect::<Vec<_>>(), [(960.0, giant); 3]);
    let damage = events.iter().find_map(|event| match event {
        Event::Shot { damage, .. } => Some(format!("−{damage}")),
        _ => None,
    });
    assert!(words(&scene).contains(&damage.expect("a shot").as_str()));
}

/// What a turn did, and what is seen of it.
#[test]
fn each_kind_of_event_has_its_effect() {
    let stage = Match::new(Edition::Document, setup()).game.stage();
    let after = |change: &dyn Fn(&mut Setup), orders: [&str; 2]| {
        let mut setup = setup();
        change(&mut setup);
        let mut game = Match::new(Edition::Document, setup);
        let events = game.turn(orders[0], orders[1]);
        drawn(&game.game, &events, Eye::All)
    };
    let check = |change: &dyn Fn(&mut Setup), orders, expected: &[&str]| {
        let scene = after(change, orders);
        for word in expected {
            assert!(words(&scene).contains(word), "{word} in {:?}", words(&scene));
        }
        scene
    };
    let quiet = [NOTHING; 2];
    check(&|_| {}, ["BUILD 0 MINE|TRAIN", NOTHING], &["built"]);
    let raise = |setup: &mut Setup| setup.sites[0].structure = tower(0, 200, 100);
    check(&raise, ["BUILD 0 TOWER|TRAIN", NOTHING], &["raised"]);
    let better = |setup: &mut Setup| setup.sites[0].structure = mine(0, 1);
    check(&better, ["BUILD 0 MINE|TRAIN", NOTHING], &["rate 2"]);
    let knights = |training| {
        move |setup: &mut Setup| setup.sites[1].structure = barracks(0, CreepKind::Knight, training)
    };
    check(&knights(None), ["WAIT|TRAIN 1", NOTHING], &["−80 gold", "4 turns"]);
    let scene = check(&knights(Some(4)), quiet, &[]);
    assert_eq!(count(&stage, &scene, "knight"), 4 + 1, "with the one above the door");
    check(&|_| {}, ["WAIT|TRAIN 0", NOTHING], &["warned"]);
    check(&|_| {}, ["DANCE|TRAIN", NOTHING], &["out"]);
    let torn = |setup: &mut Setup| setup.sites[0].structure = mine(1, 1);
    check(&torn, quiet, &["torn down"]);
    let ruin = |setup: &mut Setup| setup.sites[1].structure = tower(0, 4, 100);
    check(&ruin, quiet, &["in ruins"]);
    let beaten = |setup: &mut Setup| {
        setup.sites[1].structure = tower(0, 400, 361);
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1061.0, 200.0)];
    };
    let scene = check(&beaten, quiet, &["−80"]);
    assert_eq!(count(&stage, &scene, "hit"), 1);
    let archers = |setup: &mut Setup| {
        setup.players.0[0].creeps = vec![creep(CreepKind::Archer, 960.0, 500.0)];
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1160.0, 500.0)];
    };
    check(&archers, quiet, &["−10"]);
    let struck = |setup: &mut Setup| {
        setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 210.0, 251.0)];
    };
    check(&struck, quiet, &["−1", "99"]);
    let dead = |setup: &mut Setup| {
        struck(setup);
        setup.players.0[0].hp = 1;
    };
    check(&dead, quiet, &["dead"]);
}

#[test]
fn who_moved_has_a_trail_and_a_queen_leaves_her_ghost() {
    let mut setup = setup();
    setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 960.0, 500.0)];
    let mut game = Match::new(Edition::Document, setup);
    let mut trail = Trail::default();
    game.game.remember(&mut trail);
    let events = game.turn("MOVE 210 300|TRAIN", NOTHING);
    let scene = drawn_after(&game.game, &trail, &events, Eye::All);
    let is_trail = |shape: &&Shape| shape.enter == Some(Enter::TRAIL);
    let ends = scene.shapes.iter().filter(is_trail).map(|shape| match &shape.form {
        Form::Line { points } => [(points[0].x, points[0].y), (points[1].x, points[1].y)],
        form => panic!("{form:?}"),
    });
    let ends: Vec<_> = ends.collect();
    assert_eq!(ends[0], [(210.0, 200.0), (210.0, 260.0)]);
    assert_eq!((ends.len(), ends[1][0]), (2, (960.0, 500.0)));
    let is_ghost = |shape: &&Shape| {
        matches!(shape.form, Form::Circle { centre, .. } if (centre.x, centre.y) == (210.0, 200.0))
            && shape.leave == Leave::SLOWLY
    };
    assert_eq!(scene.shapes.iter().filter(is_ghost).count(), 1);
    let panels = |name| scene.panels.iter().find(move |panel| panel.name == name);
    assert_eq!(panels("gold").and_then(|panel| panel.change.as_deref()), None);
    assert!(panels("HP").is_some_and(|panel| panel.is_decisive && panel.value == "100"));
    assert_eq!(scene.curve, PerSeat([100.0, 100.0]));
}

#[test]
fn a_queen_in_a_corner_is_seen_whole() {
    let mut setup = setup();
    setup.players.0[0].queen = (30.0, 30.0);
    let game = Match::new(Edition::Document, setup).game;
    let scene = drawn(&game, &[], Eye::All);
    let is_hers = |shape: &&Shape| shape.label.as_deref() == Some("Anna's queen, 100 HP");
    let rings = scene.shapes.iter().filter(is_hers).filter_map(|shape| match shape.form {
        Form::Circle { centre, radius } => Some((centre.x - radius, centre.y - radius)),
        _ => None,
    });
    let rings: Vec<_> = rings.collect();
    assert!(!rings.is_empty());
    assert!(rings.iter().all(|&(left, top)| left >= 0.0 && top >= 0.0), "{rings:?}");
}

#[test]
fn effects_of_two_turns_in_a_row_are_different_shapes() {
    let mut setup = setup();
    setup.sites[1].structure = tower(0, 400, 361);
    setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1160.0, 200.0)];
    let mut game = Match::new(Edition::Document, setup);
    let mut beams = || -> Vec<u32> {
        let events = game.turn(NOTHING, NOTHING);
        let scene = drawn(&game.game, &events, Eye::All);
        let beams = scene.shapes.iter().filter(|shape| shape.enter == Some(Enter::SHOT));
        beams.map(|shape| shape.id).collect()
    };
    let (one, two) = (beams(), beams());
    assert!(one.len() == 3 && two.len() == 3 && one.iter().all(|id| !two.contains(id)));
}

#[test]
fn a_person_at_play_sees_what_a_bot_would_be_told() {
    let mut setup = setup();
    setup.sites[5].structure = mine(1, 3);
    let game = Match::new(Edition::Document, setup).game;
    let stage = game.stage();
    let coins = |eye| {
        let scene = drawn(&game, &[], eye);
        let ids = scene.shapes.iter().map(|shape| shape.id).filter(|id| (1100..1400).contains(id));
        (ids.count(), words(&scene).contains(&"+?"))
    };
    assert_eq!(coins(Eye::All), (3, false));
    assert_eq!(coins(Eye::Seat(Seat::Second)), (3, false));
    assert_eq!(coins(Eye::Seat(Seat::First)), (1, true));
    assert_eq!(count(&stage, &drawn(&game, &[], Eye::Seat(Seat::First)), "mine"), 1);
    let panels = |eye, name| {
        let panels = drawn(&game, &[], eye).panels;
        panels.into_iter().filter(|panel| panel.name == name).count()
    };
    for name in ["gold", "income"] {
        assert_eq!((panels(Eye::All, name), panels(Eye::Seat(Seat::First), name)), (2, 1));
    }
    let text = |eye| game.written(eye).plain();
    assert!(text(Eye::All).contains("m+3") && text(Eye::Seat(Seat::First)).contains("m+?"));
}

/// A picture for one seat is the same whatever it may not know.
#[test]
fn a_private_picture_does_not_change_with_what_is_hidden() {
    for edition in Edition::ALL {
        let scene = |hidden: bool, eye| {
            let mut setup = setup();
            setup.sites[5].structure = mine(1, 1);
            setup.sites[4].structure = mine(1, 2);
            if hidden {
                setup.players.0[1].gold = 999;
                setup.sites[4].gold = 77;
                setup.sites[4].rate_max = 5;
                setup.sites[4].structure = mine(1, 3);
                setup.sites[5].structure = mine(1, 2);
            }
            let mut game = Match::new(edition, setup);
            let mut trail = Trail::default();
            game.game.remember(&mut trail);
            // One warning is the same as none to the other, and a rate of 2 the same as one of 3.
            let train = if hidden { "TRAIN 5" } else { "TRAIN" };
            let events = game.turn(NOTHING, &format!("BUILD 5 MINE|{train}"));
            drawn_after(&game.game, &trail, &events, eye)
        };
        let first = Eye::Seat(Seat::First);
        assert_eq!(scene(false, first), scene(true, first));
        assert_ne!(scene(false, Eye::All), scene(true, Eye::All));
    }
}

#[test]
fn marks_tell_whose_they_are() {
    let structure = Structure { owner: Seat::Second, works: Works::Mine { rate: 1 } };
    let torn = |by| Event::Removed { site: 1, structure, by };
    let warned = Event::Warned { seat: Seat::First, warning: Warning::BuiltByEnemy };
    let cases = [
        (warned, Some(Mark::warning(Seat::First, "warned"))),
        (Event::QueenDied { seat: Seat::Second }, Some(Mark::loss(Seat::Second, "dead queen"))),
        (torn(Remover::Queen(Seat::First)), Some(Mark::loss(Seat::Second, "torn down"))),
        (torn(Remover::Decay), Some(Mark::loss(Seat::Second, "tower lost"))),
        (torn(Remover::Exhaustion), None),
        (Event::Ended, None),
    ];
    for (event, expected) in cases {
        assert_eq!(CodeRoyale::mark(&event), expected);
    }
}

#[test]
fn captions_and_deeds_tell_what_both_ordered_and_what_came_of_it() {
    let mut setup = setup();
    setup.sites[1].structure = barracks(0, CreepKind::Knight, None);
    setup.sites[2].structure = barracks(1, CreepKind::Giant, None);
    setup.players.0[0].gold = 100;
    setup.players.0[1].gold = 100;
    let mut game = Match::new(Edition::Document, setup).game;
    let orders = ["MOVE 500 600\nTRAIN 1", "BUILD 0 MINE\nTRAIN 2"];
    let (scene, at_play) = scenes_after(&mut game, orders, &mut NoChance);
    let [first, second] = &scene.deeds.0;
    assert_eq!(first[..], ["MOVE 500 600, TRAIN 1", "knights in training at site 1"]);
    let warned = "warned: Training too many creeps (140 total gold requested)";
    assert_eq!(second[..], ["BUILD 0 MINE, TRAIN 2", warned, "walks to site 0"]);
    assert_eq!(scene.caption, "Anna: MOVE 500 600, TRAIN 1; Bert: BUILD 0 MINE, TRAIN 2");
    for (seat, scene) in at_play.iter() {
        assert!(scene.deeds[seat.other()].is_empty(), "nobody is told what the other ordered");
        assert_eq!(scene.deeds[seat].len(), 2 + seat.index());
    }
    assert_eq!(at_play.0[1].caption, "Bert: BUILD 0 MINE, TRAIN 2");
    let (scene, _) = scenes_after(&mut game, ["WAIT\nTRAIN", ""], &mut NoChance);
    assert_eq!(scene.deeds.0[0][0], "WAIT");
    assert_eq!(scene.deeds.0[1][..3], ["no answer", "did not answer in time", "out: Timeout!"]);
}

#[test]
fn the_transcript_tells_where_queens_go() {
    let mut game = Match::new(Edition::Document, setup());
    let events = game.turn("MOVE 500 600|TRAIN", "BUILD 0 MINE|TRAIN");
    let told: Vec<String> =
        events.iter().map(|event| CodeRoyale::describe(event, &names())).collect();
    let expected = ["Anna's queen walks towards 500 600", "Bert's queen walks towards site 0"];
    assert_eq!(told, expected);
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
    let scene = game.game.drawn(&Viewing {
        eye: Eye::All,
        names: &names,
        trail: &Trail::default(),
        replies: &Replies::default(),
        last: &[],
    });
    assert!(scene.caption.chars().count() <= CAPTION_LETTERS_MAX, "{}", scene.caption);
}
