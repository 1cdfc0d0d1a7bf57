//! Where the document is silent the original decides, in both editions.

mod common;

use common::*;
use quintain_core::entelect::RunnerLog;
use quintain_core::{Edition, Seat};
use quintain_worms::{Config, Event, GameConfig, Setup, Terrain};

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

/// A round in both editions: the match after it, what happened and what the referee noted.
fn round(setup: &Setup, first: &str, second: &str) -> [(Match, Vec<Event>, Vec<String>); 2] {
    Edition::ALL.map(|edition| {
        let mut game = Match::new(edition, setup.clone());
        let events = game.round(first, second);
        let mut notes = Vec::new();
        game.game.remarks(&mut notes);
        (game, events, notes)
    })
}

/// The first player has idled twice, and has one worm, where a banana of the second can reach it.
fn idler(health: i32) -> Setup {
    let mut setup = setup();
    setup.players[FIRST].do_nothings = 2;
    setup.players[FIRST].active = 3;
    setup.players[FIRST].previous = 2;
    for worm in &mut setup.players[FIRST].worms[..2] {
        worm.hp = 0;
    }
    setup.players[FIRST].worms[2].hp = health;
    setup.players[SECOND].active = 2;
    put(&mut setup, FIRST, 3, 12, 16);
    put(&mut setup, SECOND, 2, 16, 16);
    setup
}

#[test]
fn the_third_round_without_a_command_is_noted() {
    for (_, events, notes) in round(&idler(100), "nothing", "shoot N") {
        assert!(events.contains(&Event::Reminded { seat: FIRST }));
        assert_eq!(notes, ["DoNothingsCount for @Player(1) reached a count of 3 @Round(1)"]);
    }
}

#[test]
fn who_is_out_of_the_match_at_the_end_of_the_round_is_not_noted() {
    for (game, events, notes) in round(&idler(10), "nothing", "banana 12 16") {
        assert_eq!(game.winner(), Some(SECOND));
        assert!(!events.contains(&Event::Reminded { seat: FIRST }));
        assert_eq!(notes, [""; 0]);
    }
}

#[test]
fn who_falls_and_is_revived_by_a_pack_is_noted() {
    let mut setup = idler(5);
    setup.packs.push(pack(12, 16));
    for (game, events, notes) in round(&setup, "nothing", "shoot W") {
        assert_eq!(game.worm(FIRST, 3).hp, 5 - 8 + 10);
        assert!(events.contains(&Event::Reminded { seat: FIRST }));
        assert_eq!(notes.len(), 1);
    }
}

#[test]
fn a_select_makes_the_worm_that_was_current_the_previous_one_at_once() {
    let mut setup = idler(10);
    setup.players[FIRST].worms[1].hp = 5;
    put(&mut setup, FIRST, 2, 12, 17);
    for (game, ..) in round(&setup, "select 2;nothing", "banana 12 16") {
        assert_eq!(game.winner(), Some(SECOND));
        assert_eq!(game.game.players()[FIRST].active_id(), 2);
        assert_eq!(game.game.players()[FIRST].previous_id(), 3);
    }
}

#[test]
fn a_select_of_a_player_who_plays_on_leaves_the_selected_worm_as_the_previous_one() {
    for (game, ..) in round(&setup(), "select 2;shoot N", "shoot N") {
        assert_eq!(game.game.players()[FIRST].active_id(), 3);
        assert_eq!(game.game.players()[FIRST].previous_id(), 2);
    }
}

#[test]
fn a_config_whose_lava_ends_before_it_begins_is_played() {
    let text = r#"{"battleRoyaleStart":0.5,"battleRoyaleEnd":0.25}"#;
    let game = GameConfig::from_json(text).expect("playable");
    for edition in Edition::ALL {
        let config = Config { edition, game: game.clone(), ..Config::default() };
        let mut setup = setup();
        for (round, is_flooded) in [(198, false), (199, true), (399, true)] {
            setup.round = round;
            let mut game = Match::with(&config, setup.clone());
            game.round("shoot N", "shoot N");
            // The radius is 16 from the first round of lava to the last.
            let found = [[16, 0], [12, 0]].map(|[x, y]| game.terrain(x, y) == Terrain::Lava);
            assert_eq!(found, [false, is_flooded], "{edition:?}, round {}", round + 1);
        }
    }
}

/// The first player's turn is that of a dead worm, within reach of a shot to the west.
fn dead_mover(health: i32) -> Setup {
    let mut setup = setup();
    setup.players[FIRST].worms[0].hp = health;
    put(&mut setup, SECOND, 1, 10, 12);
    setup
}

#[test]
fn a_dead_worm_that_moves_stands_on_the_map_for_that_round() {
    for (game, events, _) in round(&dead_mover(-3), "move 7 12", "shoot W") {
        assert_eq!(game.at(FIRST, 1), (7, 12));
        let hurt = |event: &Event| matches!(event, Event::Hurt { seat: FIRST, worm: 1, .. });
        assert!(events.iter().any(hurt), "the shot hits it");
        assert_eq!(game.worm(FIRST, 1).hp, -3 - 8);
        assert!(!game.worm(FIRST, 1).is_on_map, "it is removed again");
    }
}

#[test]
fn a_dead_worm_that_moves_onto_a_pack_is_revived() {
    let mut setup = dead_mover(-3);
    setup.packs.push(pack(7, 12));
    for (game, ..) in round(&setup, "move 7 12", "shoot N") {
        assert_eq!(game.worm(FIRST, 1).hp, 7);
        assert!(game.worm(FIRST, 1).is_on_map);
        assert!(game.game.packs().is_empty());
    }
}

#[test]
fn a_dead_worm_that_does_not_move_stays_off_the_map() {
    for (game, events, _) in round(&dead_mover(-3), "nothing", "shoot W") {
        let hurt = |event: &Event| matches!(event, Event::Hurt { .. });
        assert!(!events.iter().any(hurt), "the shot flies through where it lay");
        assert_eq!(game.worm(FIRST, 1).hp, -3);
    }
}
