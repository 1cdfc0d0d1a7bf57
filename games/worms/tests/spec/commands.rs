//! "The commands": move, dig, shoot, do nothing, select, and "Command Order".

use super::*;

/// "In every round each player can submit one command for their active worm. The active worm will be
/// determined by the game engine"
#[test]
fn the_active_worm_passes_on_and_skips_the_dead() {
    let mut setup = setup();
    setup.players.0[0].worms[1].hp = 0;
    let mut game = Match::document(setup);
    let mut active = Vec::new();
    for _ in 0..4 {
        active.push(game.game.players()[FIRST].active_id());
        game.round("shoot N", "shoot N");
    }
    assert_eq!(active, [1, 3, 1, 3]);
}

/// "All player commands are validated before executing any commands." A cell that is left in this round
/// was occupied (18).
#[test]
fn commands_are_judged_before_any_is_carried_out() {
    let mut setup = setup();
    put(&mut setup, SECOND, 1, 7, 12);
    let mut game = Match::document(setup);
    let events = game.round("move 7 12", "move 8 12");
    assert!(is_refused(&events, FIRST));
    assert_eq!((game.at(FIRST, 1), game.at(SECOND, 1)), ((6, 12), (8, 12)));
}

/// "Invalid commands (eg. Invalid syntax, moving to an occupied cell) result in the worm doing nothing."
#[test]
fn an_invalid_command_is_doing_nothing() {
    let mut setup = setup();
    put(&mut setup, FIRST, 2, 7, 12);
    for text in ["move 7 12", "go away", "move 7", "", "move 33 12"] {
        let mut game = Match::document(setup.clone());
        game.round(text, "shoot N");
        assert_eq!((game.at(FIRST, 1), game.do_nothings(FIRST)), ((6, 12), 1), "{text:?}");
    }
}

/// "Worms can move to any adjacent air cells (including diagonally)"
#[test]
fn a_worm_moves_to_the_eight_cells_around_it_and_no_further() {
    for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let mut game = Match::document(setup());
        let to = (6 + dx, 12 + dy);
        game.round(&format!("move {} {}", to.0, to.1), "shoot N");
        assert_eq!(game.at(FIRST, 1), (to.0 as u8, to.1 as u8));
    }
    let mut game = Match::document(setup());
    assert!(is_refused(&game.round("move 8 12", "shoot N"), FIRST));
}

/// "If two worms move to same cell in the same turn: Both worms will take damage. Worms will either swap
/// places or stay in their current positions (with an equal probability)"
#[test]
fn two_worms_that_meet_take_damage_and_swap_or_stay() {
    let mut setup = setup();
    put(&mut setup, SECOND, 1, 8, 12);
    for (draw, expected) in [(PUSHBACK, [(6, 12), (8, 12)]), (SWAP, [(8, 12), (6, 12)])] {
        let mut game = Match::document(setup.clone());
        game.chance = Loaded(draw);
        game.round("move 7 12", "move 7 12");
        assert_eq!([game.at(FIRST, 1), game.at(SECOND, 1)], expected);
        for seat in Seat::BOTH {
            assert_eq!((game.worm(seat, 1).hp, game.points(seat)), (130, 5));
        }
    }
    let mut chance = Worms::chance(1);
    let pushed = (0..1000).filter(|_| chance.below(2) == 1).count();
    assert!((450..550).contains(&pushed), "{pushed} of 1000 pushed back");
}

/// "Worms can dig any adjacent dirt cells (including diagonally). Digging a dirt cells will change its
/// type to air. Two worms digging the same cell in the same turn is a valid move"
#[test]
fn digging() {
    let mut setup = setup();
    for (x, y) in [(7, 13), (8, 12)] {
        paint(&mut setup, x, y, Terrain::Dirt);
    }
    put(&mut setup, SECOND, 1, 8, 14);
    let mut game = Match::document(setup.clone());
    game.round("dig 7 13", "dig 7 13");
    assert_eq!(game.terrain(7, 13), Terrain::Air);
    assert_eq!((game.points(FIRST), game.points(SECOND)), (7, 7));
    let mut game = Match::document(setup);
    assert!(is_refused(&game.round("dig 8 12", "shoot N"), FIRST), "too far away");
    assert!(is_refused(&game.round("select 1;dig 6 13", "shoot N"), FIRST), "no dirt");
}

/// "Shooting distance is measured in euclidean distance [...] round it downwards to the nearest integer
/// (floor), and check if it is less than or equal to the max range"
#[test]
fn shots_reach_four_cells_straight_and_three_diagonally() {
    for (x, y, direction, is_hit) in [
        (10, 12, "E", true),
        (11, 12, "E", false),
        (9, 15, "SE", true),
        (10, 16, "SE", false),
        (6, 8, "N", true),
        (3, 9, "NW", true),
    ] {
        let mut setup = setup();
        put(&mut setup, SECOND, 1, x, y);
        let mut game = Match::document(setup);
        game.round(&format!("shoot {direction}"), "nothing");
        let expected = if is_hit { (142, 16) } else { (150, 2) };
        assert_eq!((game.worm(SECOND, 1).hp, game.points(FIRST)), expected, "{x} {y}");
    }
}

/// "The first worm in range in the shooting direction will lose health equal to the weapon's damage", "Be
/// careful! Friendly fire could hit your own worms"
#[test]
fn the_first_worm_in_the_way_is_hit_also_an_own_one() {
    let mut setup = setup();
    put(&mut setup, FIRST, 2, 7, 12);
    put(&mut setup, SECOND, 1, 8, 12);
    let mut game = Match::document(setup);
    game.round("shoot E", "nothing");
    assert_eq!((game.worm(FIRST, 2).hp, game.worm(SECOND, 1).hp), (92, 150));
    assert_eq!(game.points(FIRST), -16);
}

/// "When a worm's health is 0 or lower, it will fall unconscious and be removed from the map"
#[test]
fn a_worm_without_health_leaves_the_map() {
    let mut setup = setup();
    put(&mut setup, SECOND, 1, 8, 12);
    setup.players.0[1].worms[0].hp = 8;
    let mut game = Match::document(setup);
    game.round("shoot E", "shoot N");
    assert_eq!((game.worm(SECOND, 1).hp, game.worm(SECOND, 1).is_on_map), (0, false));
}

/// "If a player does nothing for 12 consecutive turns, their bot will be considered invalid and they will
/// be disqualified from the match." "Any invalid commands will also be considered as doing nothing."
#[test]
fn twelve_rounds_of_nothing_disqualify() {
    let mut game = Match::document(setup());
    for text in ["nothing", "", "rubbish", "move 0 0", ";", "select 2", "NOTHING now", "x", "x"] {
        game.round(text, "shoot N");
    }
    game.round("nothing", "shoot N");
    game.round("nothing", "shoot N");
    assert_eq!((game.do_nothings(FIRST), game.reason()), (11, None));
    game.round("nothing", "shoot N");
    assert_eq!((game.winner(), game.reason()), (Some(SECOND), Some("disqualified")));
    let mut game = Match::document(setup());
    for _ in 0..11 {
        game.round("nothing", "shoot N");
    }
    game.round("shoot N", "shoot N");
    assert_eq!(game.do_nothings(FIRST), 0);
}

/// The document does not say how often: five times (14).
#[test]
fn five_selects_a_match() {
    let mut game = Match::document(setup());
    for left in (0..5).rev() {
        assert!(!is_refused(&game.round("select 2;shoot W", "shoot N"), FIRST));
        assert_eq!(game.game.players()[FIRST].tokens, left);
    }
    let points = game.points(FIRST);
    assert!(is_refused(&game.round("select 2;shoot W", "shoot N"), FIRST));
    assert_eq!((game.points(FIRST), game.game.players()[FIRST].tokens), (points - 4, 0));
}

/// "You can only select a living worm", "{command} is any of the above mentioned commands", "This will
/// override the selected worm for your player, meaning that in the next round your selected worm index
/// will start cycling from this selected worm"
#[test]
fn selecting() {
    let mut game = Match::document(setup());
    game.round("select 2;move 7 16", "select 3;dig 0 0");
    assert_eq!(game.at(FIRST, 2), (7, 16));
    assert_eq!(game.game.players()[FIRST].active_id(), 3);
    let tokens = game.game.players().as_ref().map(|_, player| player.tokens);
    assert_eq!(tokens.0, [4, 4]);
    let mut dead = setup();
    dead.players.0[0].worms[1].hp = 0;
    let mut game = Match::document(dead);
    game.round("select 2;shoot N", "shoot N");
    assert_eq!((game.points(FIRST), game.game.players()[FIRST].tokens), (-4, 5));
}

/// "A worm cannot move into a cell that another worm is digging open in this round", "A worm can dig open
/// a path for another worm's shot"
#[test]
fn digs_come_after_moves_and_before_shots() {
    let mut setup = setup();
    paint(&mut setup, 7, 12, Terrain::Dirt);
    put(&mut setup, SECOND, 1, 8, 12);
    let mut game = Match::document(setup.clone());
    assert!(is_refused(&game.round("move 7 12", "dig 7 12"), FIRST));
    let mut game = Match::document(setup);
    game.round("shoot E", "dig 7 12");
    assert_eq!(game.worm(SECOND, 1).hp, 142);
}

/// "A worm can move into range of another worm's shot", "A worm can move out of range of another worm's
/// shot"
#[test]
fn moves_come_before_shots() {
    let mut setup = setup();
    put(&mut setup, SECOND, 1, 11, 12);
    let mut game = Match::document(setup);
    game.round("shoot E", "move 10 12");
    assert_eq!(game.worm(SECOND, 1).hp, 142);
    game.round("select 1;shoot E", "select 1;move 10 13");
    assert_eq!(game.worm(SECOND, 1).hp, 142);
}

/// "Any issued command that is valid at the start of the round, will be executed": "your worm can still
/// throw a snowball" (17)
#[test]
fn a_worm_that_falls_still_acts() {
    let mut setup = setup();
    put(&mut setup, FIRST, 2, 10, 10);
    put(&mut setup, SECOND, 3, 14, 10);
    setup.players.0[0].active = 2;
    setup.players.0[1].active = 3;
    setup.players.0[1].worms[2].hp = 5;
    let mut game = Match::document(setup);
    game.round("banana 14 10", "snowball 10 10");
    assert!(!game.worm(SECOND, 3).is_on_map);
    assert_eq!(game.worm(FIRST, 2).frozen, 5);
}

/// "These commands will not be considered invalid", of the commands to a frozen worm.
#[test]
fn refused_commands_are_counted_and_those_to_frozen_worms_are_not() {
    let counted = |setup: &quintain_worms::Setup, text: &str| {
        let events = Match::document(setup.clone()).round(text, "nothing");
        events.iter().filter_map(Worms::refused).collect::<Vec<_>>()
    };
    let mut setup = setup();
    for text in ["move 33 12", "go away", "dig 8 12", "banana 8 12", "select 9;shoot N"] {
        assert_eq!(counted(&setup, text), [FIRST], "{text}");
    }
    assert_eq!(counted(&setup, "shoot N"), []);
    setup.players.0[0].worms[0].frozen = 5;
    assert_eq!(counted(&setup, "move 33 12"), []);
}
