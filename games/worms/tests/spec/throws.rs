//! "Banana Bomb" and "Snowball".

use super::*;
use quintain_worms::Setup;

/// The agents and technologists of both are to act.
fn armed(active: [u8; 2]) -> Setup {
    let mut setup = setup();
    for (player, active) in setup.players.0.iter_mut().zip(active) {
        player.active = active;
    }
    setup
}

/// "The Banana Bomb has a maximum throw range of 5", "Banana Bombs can be thrown over dirt"
#[test]
fn bananas_fly_five_cells_over_dirt() {
    let mut setup = armed([2, 1]);
    paint(&mut setup, 7, 16, Terrain::Dirt);
    for (text, is_valid) in [
        ("banana 11 16", true),
        ("banana 12 16", false),
        ("banana 10 19", true),
        ("banana 10 20", true),
        ("banana 11 20", false),
    ] {
        let mut game = Match::document(setup.clone());
        assert_eq!(is_refused(&game.round(text, "shoot N"), FIRST), !is_valid, "{text}");
    }
}

/// "If a Banana Bomb is thrown into deep space, the Banana Bomb will be lost", and a snowball likewise
#[test]
fn throws_into_deep_space_are_lost() {
    let mut setup = armed([2, 3]);
    paint(&mut setup, 8, 16, Terrain::DeepSpace);
    paint(&mut setup, 24, 20, Terrain::DeepSpace);
    let mut game = Match::document(setup);
    game.round("banana 8 16", "snowball 24 20");
    assert_eq!((game.worm(FIRST, 2).bananas, game.worm(SECOND, 3).snowballs), (2, 2));
    assert_eq!((game.points(FIRST), game.points(SECOND)), (2, 2));
}

/// "Worms in the impact cell are dealt peak damage. Worms within the damage radius will be dealt less
/// damage, the further away"
#[test]
fn bananas_hurt_by_distance() {
    for (x, y, damage) in
        [(11, 16, 20), (12, 16, 13), (12, 17, 11), (13, 16, 7), (13, 17, 0), (11, 18, 7)]
    {
        let mut setup = armed([2, 1]);
        put(&mut setup, SECOND, 1, x, y);
        let mut game = Match::document(setup);
        game.round("banana 11 16", "nothing");
        assert_eq!(150 - game.worm(SECOND, 1).hp, damage, "{x} {y}");
        let expected = if damage == 0 { 2 } else { i64::from(2 * damage) };
        assert_eq!(game.points(FIRST), expected);
    }
}

/// "The Banana bomb will destroy any dirt in the damage radius. You will be rewarded the same score as if
/// you dug out all the affected dirt blocks"
#[test]
fn bananas_destroy_the_dirt_of_the_drawn_circle() {
    let mut setup = armed([2, 1]);
    for y in 10..23 {
        for x in 8..16 {
            paint(&mut setup, x, y, Terrain::Dirt);
        }
    }
    let mut game = Match::document(setup);
    game.round("banana 11 16", "nothing");
    assert_eq!(game.points(FIRST), 13 * 7);
    let drawn = ["#######", "###.###", "##...##", "#.....#", "##...##", "###.###", "#######"];
    for (row, y) in drawn.iter().zip(13..) {
        let line: String = (8..15).map(|x| game.terrain(x, y).letter()).collect();
        assert_eq!(&line, row);
    }
}

/// "If your opponent dug out 1 of these dirt blocks, your banana bomb will not get score for that block"
#[test]
fn dug_dirt_does_not_count_for_a_banana() {
    let mut setup = armed([2, 1]);
    for x in [10, 11] {
        paint(&mut setup, x, 16, Terrain::Dirt);
    }
    put(&mut setup, SECOND, 1, 11, 19);
    put(&mut setup, SECOND, 2, 12, 15);
    let mut both = setup.clone();
    both.players.0[1].active = 2;
    let mut game = Match::document(setup);
    game.round("banana 10 16", "nothing");
    assert_eq!(game.points(FIRST), 14);
    let mut game = Match::document(both);
    game.round("banana 10 16", "dig 11 16");
    assert_eq!(game.points(FIRST), 7);
}

/// "When both players throw a banana bomb onto the same area, both players will get score for the dirt
/// blocks destroyed as if their banana bomb was the first to hit"
#[test]
fn two_bananas_count_the_same_dirt() {
    let mut setup = armed([2, 2]);
    paint(&mut setup, 10, 16, Terrain::Dirt);
    put(&mut setup, SECOND, 2, 14, 16);
    let mut game = Match::document(setup);
    game.round("banana 10 16", "banana 10 16");
    assert_eq!((game.points(FIRST), game.points(SECOND)), (7, 7));
}

/// "The Banana bomb will destroy any powerups in the damage radius"; "The Snowball will not destroy
/// powerups"
#[test]
fn bananas_destroy_packs_and_snowballs_do_not() {
    let mut setup = armed([2, 3]);
    setup.packs = vec![pack(10, 16), pack(23, 20)];
    let mut game = Match::document(setup);
    game.round("banana 9 16", "snowball 23 20");
    assert_eq!(game.game.packs().iter().map(|pack| pack.at.x).collect::<Vec<_>>(), [23]);
}

/// "Be careful! Friendly fire will damage your own worms. You will be penalised with negative score"
#[test]
fn bananas_hurt_own_worms() {
    let mut game = Match::document(armed([2, 1]));
    game.round("banana 6 16", "nothing");
    assert_eq!((game.worm(FIRST, 2).hp, game.points(FIRST)), (80, -40));
}

/// "The Snowball has a maximum throw range of 5", "an effect radius of 1": a square
#[test]
fn snowballs_freeze_a_square() {
    let mut setup = armed([3, 1]);
    put(&mut setup, SECOND, 1, 10, 19);
    put(&mut setup, SECOND, 2, 12, 20);
    put(&mut setup, SECOND, 3, 13, 20);
    let mut game = Match::document(setup);
    game.round("snowball 11 20", "nothing");
    let frozen = [1, 2, 3].map(|id| game.worm(SECOND, id).frozen);
    assert_eq!((frozen, game.points(FIRST)), ([5, 5, 0], 34));
    let mut game = Match::document(armed([3, 1]));
    assert!(is_refused(&game.round("snowball 12 20", "nothing"), FIRST));
}

/// "frozen for 5 rounds. A frozen worm will not respond to any commands. These commands will not be
/// considered invalid, and will not penalise your score. You can still successfully issue a Select"
#[test]
fn frozen_worms_ignore_commands_at_no_cost() {
    let mut setup = setup();
    setup.players.0[0].worms[0].frozen = 5;
    for text in ["move 7 12", "rubbish", "move 30 30"] {
        let mut game = Match::document(setup.clone());
        game.round(text, "nothing");
        assert_eq!((game.at(FIRST, 1), game.points(FIRST)), ((6, 12), 0), "{text}");
        assert_eq!(game.worm(FIRST, 1).frozen, 4);
    }
    let mut game = Match::document(setup);
    game.round("select 2;move 7 16", "nothing");
    assert_eq!((game.at(FIRST, 2), game.points(FIRST)), ((7, 16), 5));
}

/// "Friendly fire will freeze your own worms. You will be penalised with negative points"
#[test]
fn snowballs_freeze_own_worms() {
    let mut game = Match::document(armed([3, 1]));
    game.round("snowball 6 20", "nothing");
    assert_eq!((game.worm(FIRST, 3).frozen, game.points(FIRST)), (5, -17));
}

/// "Agent: Trained to use Banana Bombs", "Technologist: Trained to use Snowballs"; "Health 150", "100"
#[test]
fn professions() {
    for (active, text, is_valid) in [
        (1, "banana 8 14", false),
        (2, "banana 8 14", true),
        (3, "banana 8 18", false),
        (1, "snowball 8 14", false),
        (2, "snowball 8 14", false),
        (3, "snowball 8 18", true),
    ] {
        let mut game = Match::document(armed([active, 1]));
        let is_refused = is_refused(&game.round(text, "nothing"), FIRST);
        assert_eq!(is_refused, !is_valid, "worm {active}: {text}");
        assert_eq!([1, 2, 3].map(|id| game.worm(SECOND, id).hp), [150, 100, 100]);
    }
}

/// Each has three.
#[test]
fn throws_run_out() {
    let mut game = Match::document(armed([2, 1]));
    for _ in 0..3 {
        assert!(!is_refused(&game.round("select 2;banana 9 16", "nothing"), FIRST));
    }
    assert!(is_refused(&game.round("select 2;banana 9 16", "nothing"), FIRST));
}
