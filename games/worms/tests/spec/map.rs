//! "The Game" and "The Map".

use quintain_core::{SplitMix64, drawn_seed};
use quintain_worms::{Cell, Config};

use super::*;

/// "In a match 2 players with 3 worms each will play against each other."
#[test]
fn two_players_with_three_worms_each() {
    let game = Match::document(Worms::generate(&Config::default(), 5));
    for (_, player) in game.game.players().iter() {
        assert_eq!(player.worms().len(), 3);
        assert!(player.worms().iter().all(|worm| worm.is_on_map));
    }
}

/// "The goal is to be the last player with any conscious worms left."
#[test]
fn the_last_player_with_worms_wins_whatever_the_score() {
    let mut setup = setup();
    setup.players.0[0].command_score = 9999;
    for worm in &mut setup.players.0[0].worms {
        worm.hp = 0;
    }
    setup.players.0[0].worms[0].hp = 8;
    put(&mut setup, SECOND, 1, 6, 15);
    let mut game = Match::document(setup);
    game.round("nothing", "shoot N");
    assert_eq!((game.winner(), game.reason()), (Some(SECOND), Some("last player standing")));
}

/// "The game is played on a grid of 33x33 cells."
#[test]
fn the_grid_has_33_by_33_cells() {
    let game = Match::document(Worms::generate(&Config::default(), 5));
    assert_eq!(game.game.ground().cells().count(), 33 * 33);
}

/// "Air - worms can move into and shoot through air cells"
#[test]
fn air_is_walked_and_shot_through() {
    let mut setup = setup();
    put(&mut setup, SECOND, 1, 10, 12);
    let mut game = Match::document(setup);
    game.round("shoot E", "move 9 12");
    assert_eq!(game.at(SECOND, 1), (9, 12));
    assert_eq!(game.worm(SECOND, 1).hp, 142);
}

/// "Dirt - worms cannot move into or shoot through dirt cells, it has be dug out first"
#[test]
fn dirt_is_neither_walked_nor_shot_through() {
    let mut setup = setup();
    paint(&mut setup, 7, 12, Terrain::Dirt);
    put(&mut setup, SECOND, 1, 8, 12);
    let mut game = Match::document(setup);
    let events = game.round("move 7 12", "shoot W");
    assert!(is_refused(&events, FIRST));
    assert_eq!(game.worm(FIRST, 1).hp, 150);
}

/// "Deep Space - worms cannot interact with deep space cells"
#[test]
fn deep_space_is_neither_walked_dug_nor_shot_through() {
    let mut setup = setup();
    paint(&mut setup, 7, 12, Terrain::DeepSpace);
    put(&mut setup, SECOND, 1, 8, 12);
    let mut game = Match::document(setup);
    assert!(is_refused(&game.round("move 7 12", "shoot W"), FIRST));
    assert_eq!(game.worm(FIRST, 1).hp, 150);
    assert!(is_refused(&game.round("select 1;dig 7 12", "shoot N"), FIRST));
}

/// "Lava - worms can move and shoot into lava cells, worms will sustain damage every round that they are
/// in a lava cell" (5)
#[test]
fn lava_is_walked_and_shot_through_and_burns() {
    let mut setup = setup();
    paint(&mut setup, 7, 12, Terrain::Lava);
    paint(&mut setup, 8, 12, Terrain::Lava);
    put(&mut setup, SECOND, 1, 9, 12);
    let mut game = Match::document(setup);
    game.round("move 7 12", "shoot W");
    assert_eq!(game.worm(FIRST, 1).hp, 142);
    game.round("shoot W", "shoot N");
    assert_eq!(game.worm(FIRST, 1).hp, 139);
}

/// "Powerups are picked up when a worm moves onto a cell. A Healthpack will immediately restore 10 health
/// to the worm who picks it up."
#[test]
fn a_pack_is_ten_health_at_once() {
    let mut setup = setup();
    setup.packs.push(pack(7, 12));
    let mut game = Match::document(setup);
    game.round("move 7 12", "shoot N");
    assert_eq!((game.worm(FIRST, 1).hp, game.game.packs().len()), (160, 0));
    assert_eq!(game.points(FIRST), 5, "no points for it (15)");
}

/// A pack revives a worm that lost its last health in the same round (16).
#[test]
fn a_pack_revives() {
    let mut setup = setup();
    paint(&mut setup, 6, 12, Terrain::Lava);
    setup.players.0[0].worms[0].hp = 2;
    setup.packs.push(pack(7, 12));
    let mut game = Match::document(setup);
    game.round("move 7 12", "shoot N");
    assert_eq!(game.worm(FIRST, 1).hp, 9);
    assert!(game.worm(FIRST, 1).is_on_map);
}

/// "Every cell has a coordinate in the form X,Y starting from 0,0 in the top left corner and increasing
/// downwards and to the right."
#[test]
fn coordinates_grow_right_and_down() {
    let mut game = Match::document(setup());
    game.round("move 7 12", "move 26 13");
    assert_eq!((game.at(FIRST, 1), game.at(SECOND, 1)), ((7, 12), (26, 13)));
    let generated = Match::document(Worms::generate(&Config::default(), 5));
    assert_eq!(generated.game.ground().at(Cell::new(0, 0)), Terrain::DeepSpace);
    assert_eq!(generated.at(FIRST, 1), (24, 4));
}

/// How many of these seeds give different maps.
fn different_maps(seeds: impl Iterator<Item = i64>) -> usize {
    let config = Config::default();
    let map = |seed| Worms::generate(&config, seed).map;
    seeds.map(map).collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn seeds_below_their_bound_give_many_maps_and_those_beyond_one() {
    let bound = 1 << Worms::SEED_BITS;
    // The noise repeats itself every 768 seeds.
    for first in [0, bound / 4, bound - 768] {
        assert_eq!(different_maps(first..first + 768), 768, "from {first}");
    }
    let mut random = SplitMix64::new(1);
    let drawn = (0..200).map(|_| drawn_seed(Worms::SEED_BITS, random.next_u64()));
    assert!(different_maps(drawn) > 150);
    assert_eq!(different_maps((0..50).map(|number| bound + number * 20_000_003)), 1);
}
