//! Each switch between the editions, in both of them, and the README's table of them.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use common::{Match, NOTHING, barracks, creep, mine, setup, site, tower};
use quintain_code_royale::{CodeRoyale, Creep, CreepKind, Event, Point, Setup, Switches, TurnEnd};
use quintain_core::{Edition, Game, Seat};
use quintain_testkit::edition_rows;

const README: &str = include_str!("../README.md");

/// The same in both editions: what comes out of the document's, then of the original's.
fn both<T>(mut play: impl FnMut(Edition) -> T) -> (T, T) {
    (play(Edition::Document), play(Edition::Original))
}

fn first_creep(game: &Match, seat: Seat) -> Option<Creep> {
    game.game.creeps()[seat].as_slice().first().copied()
}

#[test]
fn site_radius() {
    let (document, original) = both(|edition| {
        let config = common::config(edition);
        let sites = (1..40).flat_map(|n| CodeRoyale::generate(&config, n * 0x5_4321_1234).sites);
        sites.map(|site| site.radius).max()
    });
    assert!(document > Some(100) && document <= Some(110), "{document:?}");
    assert!(original > Some(85) && original <= Some(90), "{original:?}");
}

#[test]
fn crowded_maps() {
    // The least gap between two sites of a map, where 90 is wanted.
    let gap = |setup: &Setup| {
        let mut least = f64::INFINITY;
        for (index, one) in setup.sites.iter().enumerate() {
            for other in &setup.sites[index + 1..] {
                let distance =
                    Point::new(one.x, one.y).squared_distance(Point::new(other.x, other.y)).sqrt();
                least = least.min(distance - f64::from(one.radius + other.radius));
            }
        }
        least
    };
    // This seed gives the original a crowded map, and the document draws another.
    let (document, original) =
        both(|edition| gap(&CodeRoyale::generate(&common::config(edition), 2960)));
    assert!(original < 70.0, "{original}");
    assert!(document > 88.0, "{document}");
}

#[test]
fn riches_at_an_own_structure() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[1].structure = barracks(0, CreepKind::Knight, None);
        Match::new(edition, setup).site(Seat::First, 1)
    });
    assert_eq!(document, "-1 -1 2 0 0 0");
    assert_eq!(original, "200 3 2 0 0 0");
}

#[test]
fn rate_of_an_enemys_mine() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[0].structure = mine(1, 2);
        setup.sites[1].structure = mine(1, 3);
        let game = Match::new(edition, setup);
        (game.site(Seat::First, 0), game.site(Seat::First, 1), game.site(Seat::Second, 1))
    });
    assert_eq!(document.0, "200 3 0 1 -1 -1");
    assert_eq!(original.0, "200 3 0 1 2 -1");
    assert_eq!(document.1, "-1 -1 0 1 -1 -1");
    assert_eq!(original.1, "-1 -1 0 1 -1 -1");
    assert_eq!(document.2, "-1 -1 0 0 3 -1");
    assert_eq!(original.2, "200 3 0 0 3 -1");
}

/// The first queen between two sites that she both touches; 2 is nearer by its rim, 1 by its centre.
fn between() -> Setup {
    let mut setup = setup();
    setup.sites[1] = site(600.0, 500.0, 60);
    setup.sites[2] = site(825.0, 500.0, 100);
    setup.players.0[0].queen = (693.0, 500.0);
    setup
}

#[test]
fn touched_site_of_several() {
    let (document, original) =
        both(|edition| Match::new(edition, between()).told(Seat::First)[0].clone());
    assert_eq!(document, "100 2");
    assert_eq!(original, "100 -1");
    let mut level = between();
    level.sites[2].x = 826.0;
    level.players.0[0].queen = (693.0, 500.0);
    let (document, _) =
        both(|edition| Match::new(edition, level.clone()).told(Seat::First)[0].clone());
    assert_eq!(document, "100 1", "of equally near rims the lower id");
}

#[test]
fn collisions_after_a_movement() {
    let overlaps = |game: &Match| {
        let creeps = game.game.creeps()[Seat::First].as_slice();
        let mut count = 0;
        for (index, one) in creeps.iter().enumerate() {
            for other in &creeps[index + 1..] {
                count += usize::from(one.place.squared_distance(other.place) < 48.0 * 48.0);
            }
        }
        count
    };
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.players.0[0].creeps = (0..30)
            .map(|n| creep(CreepKind::Archer, 900.0 + f64::from(n % 6), 500.0 + f64::from(n / 6)))
            .collect();
        let mut game = Match::new(edition, setup);
        game.turn(NOTHING, NOTHING);
        overlaps(&game)
    });
    assert_eq!(document, 0);
    assert!(original > 0);
}

#[test]
fn tear_down() {
    let (document, original) = both(|edition| {
        let mut setup = between();
        setup.sites[1].structure = barracks(1, CreepKind::Knight, None);
        setup.sites[2].structure = mine(1, 1);
        let mut by_queen = Match::new(edition, setup.clone());
        by_queen.turn(NOTHING, NOTHING);
        setup.players.0[0].queen = (210.0, 200.0);
        setup.sites[1].structure = mine(1, 1);
        // A giant without a tower to go for stays where it is pushed to.
        setup.sites[1].x = 590.0;
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 691.0, 500.0)];
        setup.sites[2].x = 832.0;
        let mut by_creep = Match::new(edition, setup);
        by_creep.turn(NOTHING, NOTHING);
        [by_queen, by_creep]
            .map(|game| [1, 2].map(|site| game.game.plots()[site].structure.is_some()))
    });
    assert_eq!(document, [[false, false], [false, false]]);
    assert_eq!(original, [[false, true], [false, true]]);
}

#[test]
fn a_ruined_tower() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[1].structure = tower(1, 80, 300);
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 960.0, 301.0)];
        let mut game = Match::new(edition, setup);
        let events = game.turn(NOTHING, NOTHING);
        assert_eq!(game.game.plots()[1].structure, None);
        events.iter().any(|event| matches!(event, Event::Shot { .. }))
    });
    assert!(!document && original);
}

#[test]
fn range_of_a_shot() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.players.0[1].queen = (400.0, 200.0);
        let mut game = Match::new(edition, setup);
        game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
        let new = 100 - game.hp(Seat::Second);
        assert_eq!(game.site(Seat::First, 0), "200 3 1 0 196 256");
        game.turn(NOTHING, NOTHING);
        (new, 100 - game.hp(Seat::Second))
    });
    assert!(document.0 > 0 && original.0 == 0, "{document:?} {original:?}");
    assert!(document.1 > 0 && original.1 > 0);
}

#[test]
fn growth_of_damage() {
    // Range 361 on a site of radius 60, an archer that stands 200 away: (361 - 200) / 200 is below
    // one, (361 - 200 + 60) / 200 above.
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[1].structure = tower(0, 400, 361);
        setup.players.0[1].queen = (1360.0, 200.0);
        setup.players.0[1].creeps = vec![creep(CreepKind::Archer, 1160.0, 200.0)];
        let mut game = Match::new(edition, setup);
        game.turn(NOTHING, NOTHING);
        first_creep(&game, Seat::Second).map(|archer| 45 - 1 - archer.hp)
    });
    assert_eq!(document, Some(3));
    assert_eq!(original, Some(4));
}

/// A knight with its last health in the range of a tower of the second player that could also reach
/// the first queen.
#[test]
fn order_of_ageing_and_shooting() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[0].structure = tower(1, 400, 361);
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 420.0, 350.0)];
        setup.players.0[0].creeps[0].hp = 1;
        setup.sites[1].structure = barracks(0, CreepKind::Giant, Some(9));
        let mut game = Match::new(edition, setup);
        let events = game.turn(NOTHING, NOTHING);
        let at = |is_it: fn(&Event) -> bool| events.iter().position(is_it).expect("it happens");
        let spawned = at(|event| matches!(event, Event::Spawned { .. }));
        let died = at(|event| matches!(event, Event::Died { .. }));
        (died < spawned, first_creep(&game, Seat::First).map(|giant| giant.hp))
    });
    assert_eq!(document, (true, Some(200)), "shot, removed, and then another is created");
    assert_eq!(original, (false, Some(200)), "the dead stand in the way till the end");
}

#[test]
fn order_of_structures() {
    // A mine on a higher site than the barracks, a tower on a still higher one: the original lets
    // them act by their numbers, the document tower, barracks, mine.
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[1].structure = barracks(0, CreepKind::Giant, Some(9));
        setup.sites[2].gold = 1;
        setup.sites[2].structure = mine(1, 1);
        setup.sites[4].structure = tower(1, 404, 361);
        setup.players.0[0].queen = (960.0, 560.0);
        let mut game = Match::new(edition, setup);
        let events = game.turn(NOTHING, NOTHING);
        let order = events.iter().filter_map(|event| match event {
            Event::Spawned { .. } => Some('b'),
            Event::Shot { .. } => Some('t'),
            Event::Removed { .. } => Some('m'),
            _ => None,
        });
        order.collect::<String>()
    });
    assert_eq!(document, "tbm");
    assert_eq!(original, "bmt");
}

#[test]
fn the_corner() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.players.0[0].queen = (40.0, 40.0);
        let mut game = Match::new(edition, setup);
        game.turn("MOVE 0 0|TRAIN", NOTHING);
        game.queen(Seat::First)
    });
    // She is put back into the field by the collisions.
    assert_eq!(document, (30.0, 30.0));
    assert_eq!(original, (40.0, 40.0));
}

/// What a knight loses in a turn at whose end an archer has walked up to this far from it, rim to
/// rim. The knight stands still, since it is at its queen.
fn lost_to_an_archer_at(edition: Edition, gap: f64) -> i16 {
    let speed = CreepKind::Archer.stats().speed;
    let radii = CreepKind::Archer.stats().radius + CreepKind::Knight.stats().radius;
    let mut setup = setup();
    setup.players.0[0].queen = (1000.0, 500.0);
    setup.players.0[0].creeps = vec![creep(CreepKind::Archer, 950.0 - radii - gap - speed, 500.0)];
    setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 950.0, 500.0)];
    let mut game = Match::new(edition, setup);
    game.turn(NOTHING, NOTHING);
    let knight = first_creep(&game, Seat::Second).expect("it has health left");
    CreepKind::Knight.stats().hp - knight.hp
}

#[test]
fn archers_reach_200_or_with_the_tolerance_of_a_contact_205() {
    let lost = |gap| both(|edition| lost_to_an_archer_at(edition, gap));
    // One is the age of a turn, two are the arrow.
    assert_eq!(lost(199.0), (3, 3));
    assert_eq!(lost(200.0), (3, 3));
    assert_eq!(lost(201.0), (1, 3));
    assert_eq!(lost(204.0), (1, 3));
    assert_eq!(lost(205.0), (1, 1));
}

#[test]
fn the_dead_of_a_killed_player() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        let mut knight = creep(CreepKind::Knight, 960.0, 500.0);
        knight.hp = 2;
        setup.players.0[0].creeps = vec![knight];
        setup.players.0[1].creeps = vec![creep(CreepKind::Archer, 960.0, 600.0)];
        let mut game = Match::new(edition, setup);
        game.turn("FLY|TRAIN", NOTHING);
        first_creep(&game, Seat::First).map(|knight| knight.hp)
    });
    assert_eq!(document, None);
    assert_eq!(original, Some(0));
}

#[test]
fn a_tower_that_melts_away_fires_in_both() {
    let (document, original) = both(|edition| {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 4, 100);
        setup.sites[0].radius = 110;
        setup.players.0[0].queen = (150.0, 200.0);
        setup.players.0[1].queen = (300.0, 205.0);
        let mut game = Match::new(edition, setup);
        let events = game.turn(NOTHING, NOTHING);
        assert!(game.game.plots()[0].structure.is_none());
        events.iter().filter(|event| matches!(event, Event::Removed { .. })).count()
    });
    assert_eq!((document, original), (1, 1));
}

/// Every switch by its name, with its value as the README prints it. Naming all fields here makes
/// the compiler ask for a new one.
fn table(switches: &Switches) -> Vec<(&'static str, String)> {
    let Switches {
        site_radius_max,
        map_redraws_max,
        riches_shown_at_own_structure,
        enemy_rate_shown,
        touched_is_nearest_of_several,
        movement_passes_max,
        all_contacts_tear_down,
        ruined_towers_fire,
        range_follows_health,
        damage_grows_from_rim,
        turn_end,
        archers_have_tolerance,
        dead_of_killed_are_removed,
        origin_is_reachable,
    } = *switches;
    let yes_no = |value: bool| if value { "yes" } else { "no" }.to_owned();
    let turn_end = match turn_end {
        TurnEnd::KindByKind => "kind by kind",
        TurnEnd::SiteBySite => "site by site",
    };
    vec![
        ("site_radius_max", site_radius_max.to_string()),
        ("map_redraws_max", map_redraws_max.to_string()),
        ("riches_shown_at_own_structure", yes_no(riches_shown_at_own_structure)),
        ("enemy_rate_shown", yes_no(enemy_rate_shown)),
        ("touched_is_nearest_of_several", yes_no(touched_is_nearest_of_several)),
        ("movement_passes_max", movement_passes_max.to_string()),
        ("all_contacts_tear_down", yes_no(all_contacts_tear_down)),
        ("ruined_towers_fire", yes_no(ruined_towers_fire)),
        ("range_follows_health", yes_no(range_follows_health)),
        ("damage_grows_from_rim", yes_no(damage_grows_from_rim)),
        ("turn_end", turn_end.to_owned()),
        ("archers_have_tolerance", yes_no(archers_have_tolerance)),
        ("dead_of_killed_are_removed", yes_no(dead_of_killed_are_removed)),
        ("origin_is_reachable", yes_no(origin_is_reachable)),
    ]
}

#[test]
fn the_readmes_table_is_that_of_the_switches() {
    let ours = table(&Switches::DOCUMENT).into_iter().zip(table(&Switches::ORIGINAL));
    let ours: Vec<[String; 3]> = ours
        .map(|((name, document), (_, original))| [name.to_owned(), document, original])
        .collect();
    assert_eq!(edition_rows(README), ours);
}

#[test]
fn an_edition_is_its_switches() {
    assert_eq!(*Switches::of(Edition::Document), Switches::DOCUMENT);
    assert_eq!(*Switches::of(Edition::Original), Switches::ORIGINAL);
}
