//! "Endgame".

use super::*;

fn at_round(round: u32) -> quintain_worms::Setup {
    let mut setup = setup();
    setup.round = round - 1;
    setup
}

fn lava(game: &Match) -> usize {
    game.game.ground().cells().filter(|&cell| game.terrain(cell.x, cell.y) == Terrain::Lava).count()
}

/// "From round 100 lava will slowly creep onto the edges of the map" (24)
#[test]
fn lava_begins_in_round_100() {
    let mut game = Match::document(at_round(99));
    game.round("shoot N", "shoot N");
    assert_eq!(lava(&game), 0);
    let events = game.round("shoot N", "shoot N");
    assert!(lava(&game) > 0 && events.contains(&Event::LavaRises));
    let mut last = lava(&game);
    for _ in 0..20 {
        game.round("shoot N", "shoot N");
        assert!(lava(&game) >= last);
        last = lava(&game);
    }
}

/// "At round 350 lava will have filled the entire map except for a small circular region in the center of
/// the map, with a radius of 4 cells"
#[test]
fn at_round_350_a_circle_of_four_cells_is_left() {
    for round in [350, 399] {
        let mut game = Match::document(at_round(round));
        game.round("shoot N", "shoot N");
        for cell in game.game.ground().cells() {
            let (dx, dy) = (i32::from(cell.x) - 16, i32::from(cell.y) - 16);
            let is_free = dx * dx + dy * dy <= 16;
            let terrain = game.terrain(cell.x, cell.y);
            assert!(terrain == Terrain::DeepSpace || is_free == (terrain == Terrain::Air));
        }
    }
}

/// "Air cells are replaced by lava cells. Dirt cells are not replaced. Deep space cells are not replaced"
#[test]
fn only_air_is_replaced() {
    let mut setup = at_round(350);
    paint(&mut setup, 3, 16, Terrain::Dirt);
    paint(&mut setup, 4, 16, Terrain::DeepSpace);
    let mut game = Match::document(setup);
    game.round("shoot N", "shoot N");
    let found = [2, 3, 4].map(|x| game.terrain(x, 16));
    assert_eq!(found, [Terrain::Lava, Terrain::Dirt, Terrain::DeepSpace]);
}

/// "When a digging worm forms new air cell in the flooded region, it is replaced by lava at the start of
/// the next round. The same happens for destroyed dirt cells via a Banana Bomb"
#[test]
fn new_air_in_the_flooded_region_becomes_lava_in_the_next_round() {
    let mut setup = at_round(300);
    paint(&mut setup, 7, 12, Terrain::Dirt);
    paint(&mut setup, 24, 16, Terrain::Dirt);
    setup.players.0[1].active = 2;
    let mut game = Match::document(setup);
    game.round("dig 7 12", "banana 24 16");
    assert_eq!([game.terrain(7, 12), game.terrain(24, 16)], [Terrain::Air; 2]);
    game.round("shoot N", "shoot N");
    assert_eq!([game.terrain(7, 12), game.terrain(24, 16)], [Terrain::Lava; 2]);
}

/// "Any worm standing on top of a lava cell, will sustain 3 damage every round". A fall by lava alone pays
/// nobody.
#[test]
fn lava_takes_three_health_a_round() {
    let mut setup = at_round(300);
    setup.players.0[0].worms[1].hp = 6;
    let mut game = Match::document(setup);
    game.round("shoot W", "shoot E");
    assert_eq!([1, 2].map(|id| game.worm(FIRST, id).hp), [147, 3]);
    game.round("shoot W", "shoot E");
    assert_eq!((game.worm(FIRST, 2).hp, game.worm(FIRST, 2).is_on_map), (0, false));
    assert_eq!((game.points(FIRST), game.points(SECOND)), (4, 4));
}
