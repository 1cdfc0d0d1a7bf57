//! The README's table of editions is what `edition.rs` says, and each row is played in both.

mod common;

use common::*;
use quintain_core::{Edition, Fault, Game, Intake, Outbox, Protocol};
use quintain_overdrive::{Action, CarSetup, Config, Overdrive, Setup, State, Surface, Switches};
use quintain_testkit::{check_editions, edition_rows};

const README: &str = include_str!("../README.md");

#[test]
fn the_readme_has_every_switch_with_the_values_of_both_editions() {
    check_editions(README, &Switches::DOCUMENT, &Switches::ORIGINAL);
    assert_eq!(edition_rows(README).len(), 11);
}

#[test]
fn the_edition_chosen_decides_the_switches() {
    for (edition, switches) in
        [(Edition::Document, Switches::DOCUMENT), (Edition::Original, Switches::ORIGINAL)]
    {
        assert_eq!(<Overdrive as Game>::config(edition).switches, switches);
        assert_eq!(Switches::of(edition), switches);
    }
    assert_eq!(Config::default().switches, Switches::DOCUMENT);
}

#[test]
fn a_config_and_a_setup_are_read_back_from_their_text() {
    let config = config(Edition::Original);
    let text = serde_json::to_string(&config).expect("plain data");
    assert_eq!(serde_json::from_str::<Config>(&text).expect("readable"), config);
    let start = r#"{"switches":{"invalid_command":"nothing","invalid_in_a_row_max":0,"#;
    assert!(text.starts_with(start), "{text}");
    let setup = Overdrive::generate(&config, 7);
    let text = serde_json::to_string(&setup).expect("plain data");
    assert_eq!(serde_json::from_str::<Setup>(&text).expect("readable"), setup);
}

/// Plays the same in both editions.
fn both(setup: Setup, play: impl Fn(&mut Race)) -> [Race; 2] {
    Edition::ALL.map(|edition| {
        let mut race = Race::new(edition, setup.clone());
        play(&mut race);
        race
    })
}

/// Plays one round in both editions.
fn once(setup: Setup, first: &str, second: &str) -> [Race; 2] {
    both(setup, |race| {
        race.round(first, second);
    })
}

#[test]
fn invalid_command() {
    for command in ["JUMP", "", "USE_TWEET x y", "USE_TWEET 1 0", "USE_BOOST", "TURN_LEFT"] {
        let races = once(setup(at(1, 100, 5), at(4, 100, 5)), command, "NOTHING");
        assert_eq!(races.each_ref().map(Race::scores), [[-5, 0], [0, 0]], "{command:?}");
        let way = if command == "TURN_LEFT" { 104 } else { 105 };
        assert!(races.iter().all(|race| race.place(FIRST) == (1, way)), "{command:?}");
    }
    for command in ["NOTHING", "DO_NOTHING", "accelerate", "FIX please", "FIX;JUMP"] {
        let races = once(setup(at(1, 100, 5), at(4, 100, 5)), command, "NOTHING");
        assert_eq!(races.map(|race| race.scores()), [[0, 0], [0, 0]], "{command:?}");
    }
    let races = both(setup(at(1, 100, 5), at(4, 100, 5)), |race| {
        race.missing(Fault::Late);
    });
    assert_eq!(races.map(|race| race.scores()), [[-5, 0], [0, 0]]);
}

#[test]
fn invalid_in_a_row_max() {
    let races = both(setup(at(1, 100, 0), at(4, 100, 0)), |race| {
        for _ in 0..20 {
            race.round("JUMP", "NOTHING");
        }
    });
    let outcomes = races.map(|race| race.game.outcome().map(|outcome| outcome.winner()));
    assert_eq!(outcomes, [Some(Some(SECOND)), None]);
}

#[test]
fn own_oil() {
    // Held on its oil by a truck, then a turn out of the track, after which the engine counts the own
    // block again. By the document that block would not count either.
    let mut start = setup(with(at(1, 100, 5), &["OIL"]), at(4, 500, 5));
    start.trucks = vec![(1, 101)];
    let races = both(start, |race| {
        race.round("USE_OIL", "NOTHING");
        race.round("TURN_LEFT", "NOTHING");
    });
    assert_eq!(races[0].states(FIRST), ["NOTHING"]);
    assert_eq!(races[1].states(FIRST), ["TURNING_LEFT", "HIT_OIL"]);
}

#[test]
fn own_oil_is_that_of_the_last_to_drop_some() {
    // The second car pushes the first from block 111 back to its own oil on block 110.
    let start = |powerups: &[&str]| {
        let mut start = setup(with(at(2, 110, 3), powerups), at(1, 104, 8));
        start.trucks = vec![(2, 112)];
        start
    };
    let push = |race: &mut Race| {
        race.round("USE_OIL", "FIX");
        assert_eq!(race.place(FIRST), (2, 111));
        race.round("FIX", "TURN_RIGHT");
        assert_eq!((race.place(FIRST), race.place(SECOND)), ((2, 110), (1, 110)));
    };
    let states = both(start(&["OIL"]), push).map(|race| race.states(FIRST));
    assert_eq!(states, [vec!["FIXED_CAR"], vec!["FIXED_CAR", "HIT_OIL"]]);
    let strange = laid(start(&[]), &[(2, 110, Surface::OilSpill)]);
    let states = both(strange, push).map(|race| race.states(FIRST));
    assert_eq!(states, [vec!["FIXED_CAR", "HIT_OIL"], vec!["FIXED_CAR", "HIT_OIL"]]);
}

#[test]
fn lizard_use() {
    let start = setup(with(at(1, 100, 5), &["LIZARD"]), at(4, 100, 5));
    let scores = once(start, "USE_LIZARD", "NOTHING").map(|race| race.scores()[0]);
    assert_eq!(scores, [4, 0]);
}

#[test]
fn landing() {
    let places = |races: [Race; 2]| races.map(|race| (race.place(FIRST), race.place(SECOND)));
    // The first jumps onto the block that the second turns to.
    let start = setup(with(at(2, 100, 8), &["LIZARD"]), at(1, 100, 9));
    let landed = places(once(start, "USE_LIZARD", "TURN_RIGHT"));
    assert_eq!(landed, [((2, 107), (2, 108)), ((2, 108), (2, 107))]);
    // The second jumps, and gives way in both.
    let start = setup(at(1, 100, 9), with(at(2, 100, 8), &["LIZARD"]));
    let landed = places(once(start, "TURN_RIGHT", "USE_LIZARD"));
    assert_eq!(landed, [((2, 108), (2, 107)), ((2, 108), (2, 107))]);
    // Both jump: the one behind gives way, in the engine only if it is the first.
    let jumper = |block, speed| with(at(2, block, speed), &["LIZARD"]);
    let both_jump = |first, second| places(once(setup(first, second), "USE_LIZARD", "USE_LIZARD"));
    let landed = both_jump(jumper(100, 8), jumper(102, 6));
    assert_eq!(landed, [((2, 107), (2, 108)), ((2, 107), (2, 108))]);
    let landed = both_jump(jumper(102, 6), jumper(100, 8));
    assert_eq!(landed, [((2, 108), (2, 107)), ((2, 108), (2, 107))]);
    // The first drives under the second, which jumped from further ahead.
    let landed = places(once(setup(at(2, 100, 9), jumper(103, 6)), "NOTHING", "USE_LIZARD"));
    assert_eq!(landed, [((2, 109), (2, 108)), ((2, 108), (2, 109))]);
}

#[test]
fn side_after_truck() {
    let mut start = setup(at(2, 101, 9), at(1, 103, 9));
    start.trucks = vec![(2, 107)];
    let places =
        once(start, "NOTHING", "TURN_RIGHT").map(|race| (race.place(FIRST), race.place(SECOND)));
    assert_eq!(places, [((2, 106), (1, 106)), ((2, 105), (1, 105))]);
    let start = setup(at(2, 100, 8), at(1, 100, 9));
    let places =
        once(start, "NOTHING", "TURN_RIGHT").map(|race| (race.place(FIRST), race.place(SECOND)));
    assert_eq!(places, [((2, 107), (1, 107)); 2], "without a truck it is one back in both");
}

fn tweeter(lane: u8, truck: Option<(u8, u16)>) -> CarSetup {
    CarSetup { truck, ..with(at(lane, 100, 3), &["TWEET", "TWEET", "TWEET"]) }
}

#[test]
fn trucks_wanted_twice_are_refunded_once_or_for_ever() {
    let races = both(setup(tweeter(1, None), tweeter(3, None)), |race| {
        race.round("USE_TWEET 4 200", "USE_TWEET 4 200");
        race.round("NOTHING", "NOTHING");
        race.round("NOTHING", "NOTHING");
    });
    assert_eq!(races.each_ref().map(Race::scores), [[0, 0], [-8, -8]]);
    assert_eq!(races.each_ref().map(|race| race.powerups(FIRST).len()), [3, 5]);
    assert_eq!(races.map(|race| race.game.tweets_left_over()), [0, 2]);
}

#[test]
fn trucks_that_move_away_still_take_their_place() {
    let mut start = setup(tweeter(1, Some((2, 200))), tweeter(3, Some((4, 300))));
    start.trucks = vec![(2, 200), (4, 300)];
    let trucks = once(start, "USE_TWEET 1 400", "USE_TWEET 2 200")
        .map(|race| (race.trucks(), race.scores()));
    let document = (vec![(1, 400), (4, 300)], [4, 0]);
    assert_eq!(trucks, [document, (vec![(1, 400), (2, 200)], [4, 4])]);
}

#[test]
fn trucks_tweeted_to_their_own_place_stay() {
    let mut start = setup(tweeter(1, Some((2, 200))), at(3, 100, 3));
    start.trucks = vec![(2, 200)];
    let races = once(start, "USE_TWEET 2 200", "NOTHING");
    assert!(races.iter().all(|race| race.trucks() == [(2, 200)]));
    let spent = races.map(|race| (race.powerups(FIRST).len(), race.scores()[0]));
    assert_eq!(spent, [(2, 4), (3, 0)], "spent by the document, refunded by the engine");
}

#[test]
fn trucks_that_are_destroyed_are_forgotten() {
    // The first one's truck is gone, and the other's stands where it was.
    let mut start = setup(tweeter(1, Some((2, 200))), tweeter(3, None));
    start.trucks = Vec::new();
    let races = both(start, |race| {
        race.round("NOTHING", "USE_TWEET 2 200");
        race.round("USE_TWEET 4 300", "NOTHING");
    });
    assert_eq!(races.map(|race| race.trucks()), [vec![(2, 200), (4, 300)], vec![(4, 300)]]);
}

#[test]
fn path_start_of_a_turn_out_of_the_track() {
    let start = laid(setup(at(1, 100, 5), at(4, 100, 5)), &[(1, 100, Surface::Mud)]);
    let states = once(start, "TURN_LEFT", "NOTHING").map(|race| race.states(FIRST));
    assert_eq!(states, [vec!["NOTHING"], vec!["TURNING_LEFT", "HIT_MUD"]]);
}

#[test]
fn path_start_of_a_turn_that_ends_behind_the_other() {
    // Both turn to one lane, and the rear car catches up.
    let start = laid(setup(at(2, 100, 9), at(2, 103, 5)), &[(3, 100, Surface::Mud)]);
    let states = once(start, "TURN_RIGHT", "TURN_RIGHT").map(|race| race.states(FIRST));
    assert_eq!(states, [vec!["TURNING_RIGHT", "HIT_MUD"], vec!["TURNING_RIGHT"]]);
    // A side collision leaves the car in its lane: the block that it turned to is not on its way.
    let start = laid(setup(at(1, 100, 6), at(3, 100, 6)), &[(2, 100, Surface::Mud)]);
    let states = once(start, "TURN_RIGHT", "TURN_LEFT").map(|race| race.states(FIRST));
    assert_eq!(states, [vec!["TURNING_RIGHT"], vec!["TURNING_RIGHT"]]);
}

#[test]
fn pickup_state() {
    let what = [(1, 101, Surface::Boost), (1, 103, Surface::Mud), (1, 105, Surface::Emp)];
    let start = laid(setup(at(1, 100, 5), at(4, 100, 5)), &what);
    let states = once(start, "NOTHING", "NOTHING").map(|race| race.states(FIRST));
    let picked = "PICKED_UP_POWERUP";
    assert_eq!(states, [vec!["NOTHING", picked, picked, "HIT_MUD"], vec!["NOTHING", "HIT_MUD"]]);
    // An EMP can stand first.
    let what = [(1, 299, Surface::Boost)];
    let mut start = laid(setup(with(at(2, 100, 5), &["EMP"]), at(1, 300, 5)), &what);
    start.trucks = vec![(1, 300)];
    let states = once(start, "USE_EMP", "NOTHING").map(|race| race.states(SECOND));
    let with_pickup = vec!["NOTHING", picked, "HIT_EMP", "HIT_CYBER_TRUCK"];
    assert_eq!(states, [with_pickup, vec!["HIT_EMP", "NOTHING", "HIT_CYBER_TRUCK"]]);
}

#[test]
fn emp_state() {
    // Either car is hit by the other's EMP while it uses its own oil.
    let victim = || with(at(2, 300, 9), &["OIL"]);
    let shooter = || with(at(2, 100, 5), &["EMP"]);
    let states = once(setup(victim(), shooter()), "USE_OIL", "USE_EMP");
    let hit_last = (vec!["USED_OIL", "HIT_EMP"], State::HitEmp);
    for race in states {
        assert_eq!((race.states(FIRST), race.state(FIRST)), hit_last);
    }
    let states = once(setup(shooter(), victim()), "USE_EMP", "USE_OIL")
        .map(|race| (race.states(SECOND), race.state(SECOND)));
    assert_eq!(states, [hit_last, (vec!["HIT_EMP", "USED_OIL"], State::UsedOil)]);
    // The end of a boost and a truck on the own block keep their places around it.
    let boosting = || CarSetup { boosting: true, boost_counter: 1, ..at(2, 300, 9) };
    let mut start = setup(shooter(), boosting());
    start.trucks = vec![(2, 300)];
    let states = once(start, "USE_EMP", "FIX").map(|race| race.states(SECOND));
    let original = vec!["HIT_EMP", "NOTHING", "FIXED_CAR"];
    assert_eq!(states, [vec!["NOTHING", "FIXED_CAR", "HIT_EMP"], original]);
}

#[test]
fn prefix() {
    for (line, expected) in [
        (" C;1;FIX", [Intake::Action(Action::Fix), Intake::Ignored]),
        ("\t  C;1;FIX", [Intake::Action(Action::Fix), Intake::Ignored]),
        ("C;1;FIX", [Intake::Action(Action::Fix), Intake::Action(Action::Fix)]),
        (" C;2;FIX", [Intake::Ignored, Intake::Ignored]),
    ] {
        let heard = both(setup(at(1, 1, 5), at(4, 1, 5)), |_| {}).map(|race| {
            let mut wire = wire();
            told(&mut wire, &race.game.view(FIRST));
            wire.hear(FIRST, true, line, &mut Outbox::default())
        });
        assert_eq!(heard, expected, "{line:?}");
    }
}
