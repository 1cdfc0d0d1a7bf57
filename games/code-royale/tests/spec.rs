//! One test per statement of the contest's document, under its headings, in our words, in the
//! edition that follows it.
//!
//! Where the document is silent or slips (where `touchedSite` is sent, the queen's 200 HP in its
//! table) the README has the ruling, and the test here shows it.

#[allow(dead_code, reason = "each test file uses its own part of the helpers")]
mod common;

use std::time::Duration;

use common::{Match, NOTHING, barracks, creep, lines, mine, setup, site, tower, wire};
use quintain_code_royale::{
    CodeRoyale, Config, CreepKind, Event, Out, Point, Setup, Structure, Works,
};
use quintain_core::{
    Edition, Game, NoChance, Outbox, PerSeat, Protocol, Reply, Seat, Seats, Verdict,
};

fn start() -> Match {
    from(setup())
}

fn from(setup: Setup) -> Match {
    Match::new(Edition::Document, setup)
}

fn generated(seed: i64) -> Setup {
    CodeRoyale::generate(&Config::default(), seed)
}

/// Seeds far apart, since small neighbours draw alike.
fn seeds() -> impl Iterator<Item = i64> {
    (1..25).map(|number| number * 0x1234_5678_9abc)
}

fn works(game: &Match, site: usize) -> Option<Works> {
    game.game.plots()[site].structure.map(|structure| structure.works)
}

fn owner(game: &Match, site: usize) -> Option<Seat> {
    game.game.plots()[site].structure.map(|structure| structure.owner)
}

fn tower_hp(game: &Match, site: usize) -> i32 {
    match works(game, site) {
        Some(Works::Tower { hp, .. }) => hp,
        other => panic!("no tower: {other:?}"),
    }
}

fn creeps(game: &Match, seat: Seat) -> Vec<(CreepKind, i16)> {
    let creeps = game.game.creeps()[seat].as_slice().iter();
    creeps.map(|creep| (creep.kind, creep.hp)).collect()
}

fn place(game: &Match, seat: Seat, index: usize) -> Point {
    game.game.creeps()[seat].as_slice()[index].place
}

mod the_map {
    use super::*;

    #[test]
    fn it_is_1920_by_1000_with_the_origin_at_the_top_left() {
        let mut game = start();
        for _ in 0..60 {
            game.turn("MOVE -100 -100|TRAIN", "MOVE 5000 5000|TRAIN");
        }
        assert_eq!(game.queen(Seat::First), (30.0, 30.0));
        assert_eq!(game.queen(Seat::Second), (1890.0, 970.0));
    }

    #[test]
    fn it_has_circular_building_sites_inside() {
        for seed in seeds() {
            for site in generated(seed).sites {
                let radius = f64::from(site.radius);
                assert!(site.x - radius >= 0.0 && site.x + radius <= 1920.0);
                assert!(site.y - radius >= 0.0 && site.y + radius <= 1000.0);
            }
        }
    }
}

mod the_queen {
    use super::*;

    #[test]
    fn she_moves_60_units_a_turn_at_most() {
        let mut game = start();
        game.turn("MOVE 0 200|TRAIN", "MOVE 1710 840|TRAIN");
        assert_eq!(game.queen(Seat::First), (150.0, 200.0));
        assert_eq!(game.queen(Seat::Second), (1710.0, 840.0));
    }

    #[test]
    fn she_is_a_circle_of_radius_30() {
        let mut game = start();
        // The site's radius is 60: nearer than 90 to its centre she cannot stay.
        for _ in 0..3 {
            game.turn("MOVE 300 200|TRAIN", NOTHING);
        }
        let (x, y) = game.queen(Seat::First);
        let distance = Point::new(x, y).squared_distance(Point::new(300.0, 200.0)).sqrt();
        assert!((90.0..93.0).contains(&distance), "{distance}");
    }

    #[test]
    fn both_start_with_the_same_health_from_25_to_100() {
        let mut seen = Vec::new();
        for seed in seeds() {
            let [first, second] = generated(seed).players.0;
            assert_eq!(first.hp, second.hp);
            assert!((25..=100).contains(&first.hp));
            seen.push(first.hp);
        }
        assert!(seen.iter().min() < Some(&40) && seen.iter().max() > Some(&85));
    }

    #[test]
    fn at_0_health_her_player_has_lost() {
        let mut setup = setup();
        setup.players.0[0].hp = 1;
        setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 210.0, 250.0)];
        let mut game = from(setup);
        let events = game.turn(NOTHING, NOTHING);
        assert!(events.contains(&Event::QueenDied { seat: Seat::First }));
        let outcome = game.game.outcome().expect("over");
        assert_eq!(outcome.verdicts.0, [Verdict::Loss, Verdict::Win]);
        assert_eq!((outcome.scores.0, outcome.reason), ([0, 100], Out::DEAD_QUEEN));
    }

    #[test]
    fn two_queens_dead_in_one_turn_are_a_draw() {
        let mut setup = setup();
        for (player, (x, y)) in setup.players.0.iter_mut().zip([(1710.0, 850.0), (210.0, 250.0)]) {
            player.hp = 1;
            player.creeps = vec![creep(CreepKind::Knight, x, y)];
        }
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        let outcome = game.game.outcome().expect("over");
        assert_eq!(outcome.verdicts.0, [Verdict::Draw; 2]);
        assert_eq!(outcome.scores.0, [0, 0]);
    }
}

mod structures {
    use super::*;

    #[test]
    fn they_cost_nothing() {
        for structure in ["MINE", "TOWER", "BARRACKS-GIANT"] {
            let mut game = start();
            game.turn(&format!("BUILD 0 {structure}|TRAIN"), NOTHING);
            let income = i32::from(structure == "MINE");
            assert_eq!(game.gold(Seat::First), 100 + income);
            assert_eq!(owner(&game, 0), Some(Seat::First));
        }
    }

    #[test]
    fn a_queen_in_contact_with_a_site_can_build_there() {
        let mut game = start();
        assert_eq!(game.told(Seat::First)[0], "100 0");
        game.turn("BUILD 0 TOWER|TRAIN", "BUILD 0 TOWER|TRAIN");
        assert_eq!(owner(&game, 0), Some(Seat::First));
        assert_eq!(owner(&game, 5), None, "the other is far from 0 and walks");
    }

    #[test]
    fn touched_site_is_the_site_in_contact_or_minus_1() {
        let mut game = start();
        assert_eq!(game.told(Seat::Second)[0], "100 5");
        game.turn("MOVE 0 200|TRAIN", NOTHING);
        assert_eq!(game.told(Seat::First)[0], "100 -1");
    }

    #[test]
    fn a_barracks_trains_the_army_of_its_type() {
        for kind in CreepKind::ALL {
            let mut setup = setup();
            setup.players.0[0].gold = 140;
            setup.sites[0].structure = barracks(0, kind, None);
            let mut game = from(setup);
            game.turn("WAIT|TRAIN 0", NOTHING);
            game.wait(u32::from(kind.stats().training_turns) - 1);
            let count = kind.stats().count as usize;
            assert_eq!(creeps(&game, Seat::First), vec![(kind, kind.stats().hp); count]);
        }
    }

    #[test]
    fn a_barracks_can_train_one_turn_after_it_was_built() {
        let mut game = start();
        let events = game.turn("BUILD 0 BARRACKS-KNIGHT|TRAIN 0", NOTHING);
        assert!(events.iter().any(|event| matches!(event, Event::Warned { .. })));
        let events = game.turn("WAIT|TRAIN 0", NOTHING);
        assert!(events.iter().any(|event| matches!(event, Event::Trains { site: 0, .. })));
    }

    #[test]
    fn a_queen_destroys_the_enemys_barracks_on_contact() {
        let mut setup = setup();
        setup.sites[0].structure = barracks(1, CreepKind::Knight, Some(1));
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(works(&game, 0), None);
    }

    #[test]
    fn a_queen_replaces_her_own_structure_by_building_another() {
        let mut setup = setup();
        setup.sites[0].structure = mine(0, 2);
        let mut game = from(setup);
        game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
        assert!(matches!(works(&game, 0), Some(Works::Tower { .. })));
        game.turn("BUILD 0 BARRACKS-ARCHER|TRAIN", NOTHING);
        assert!(matches!(works(&game, 0), Some(Works::Barracks { .. })));
    }

    #[test]
    fn but_not_a_barracks_that_is_training() {
        let mut setup = setup();
        setup.sites[0].structure = barracks(0, CreepKind::Knight, Some(1));
        let mut game = from(setup);
        game.turn("BUILD 0 MINE|TRAIN", NOTHING);
        assert!(matches!(works(&game, 0), Some(Works::Barracks { .. })));
        assert!(game.game.outcome().is_none());
    }
}

mod towers {
    use super::*;

    /// A tower of 400 HP at (960, 200) of the first player, and a creep or nobody near it. Its
    /// range is sqrt(400000 / pi + 3600) = 361.
    fn shot_at(enemy: Option<(f64, f64)>, queen: (f64, f64)) -> (i32, i32) {
        let mut setup = setup();
        setup.sites[1].structure = tower(0, 400, 361);
        setup.players.0[1].queen = queen;
        let archer = |(x, y)| creep(CreepKind::Archer, x, y);
        setup.players.0[1].creeps = enemy.map(archer).into_iter().collect();
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        let lost = creeps(&game, Seat::Second).first().map_or(0, |creep| 45 - 1 - creep.1);
        (i32::from(lost), 100 - game.hp(Seat::Second))
    }

    #[test]
    fn damage_is_3_at_the_limit_of_the_range_and_grows_by_1_every_200_units() {
        // Archers walk to their own queen, who is so near that they stand still.
        let check = |distance: f64, damage: i32| {
            let archer = (960.0 + distance, 200.0);
            let queen = (960.0 + distance + 200.0, 200.0);
            assert_eq!(shot_at(Some(archer), queen), (damage, 0), "at {distance}");
        };
        check(360.0, 3);
        check(162.0, 3);
        check(161.0, 4);
        check(100.0, 4);
        assert_eq!(shot_at(Some((1322.0, 200.0)), (1522.0, 200.0)), (0, 0));
    }

    #[test]
    fn the_nearest_enemy_army_in_range_is_the_target() {
        let mut setup = setup();
        setup.sites[1].structure = tower(0, 400, 361);
        setup.players.0[1].queen = (960.0, 450.0);
        setup.players.0[1].creeps =
            vec![creep(CreepKind::Giant, 1250.0, 200.0), creep(CreepKind::Giant, 1160.0, 200.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        // Both come 50 nearer first; the one at 150 is hit for 4.
        assert_eq!(creeps(&game, Seat::Second), [(CreepKind::Giant, 199), (CreepKind::Giant, 195)]);
    }

    #[test]
    fn without_an_army_in_range_it_aims_at_the_queen_with_1_and_1_more_every_200_units() {
        assert_eq!(shot_at(None, (960.0, 560.0)), (0, 1));
        assert_eq!(shot_at(None, (960.0, 360.0)), (0, 2));
        assert_eq!(shot_at(None, (960.0, 562.0)), (0, 0));
        // With an army in range the queen is spared.
        assert_eq!(shot_at(Some((1260.0, 200.0)), (1260.0, 380.0)).1, 0);
    }

    #[test]
    fn towers_decay_until_they_are_gone() {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 9, 70);
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(tower_hp(&game, 0), 5);
        game.turn(NOTHING, NOTHING);
        assert_eq!(tower_hp(&game, 0), 1);
        game.turn(NOTHING, NOTHING);
        assert_eq!(works(&game, 0), None);
    }

    #[test]
    fn building_a_tower_again_makes_it_stronger_and_its_range_longer() {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 300, 200);
        let mut game = from(setup);
        game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
        let expected = ((396.0 * 1000.0 / std::f64::consts::PI) + 3600.0_f64).sqrt() as i32;
        assert_eq!(works(&game, 0), Some(Works::Tower { hp: 396, range: expected }));
    }
}

mod mines {
    use super::*;

    #[test]
    fn each_player_starts_with_100_gold() {
        for seed in seeds() {
            assert!(generated(seed).players.0.iter().all(|player| player.gold == 100));
        }
    }

    #[test]
    fn a_mine_gives_1_gold_a_turn_from_the_turn_it_is_built() {
        let mut game = start();
        game.turn("BUILD 0 MINE|TRAIN", NOTHING);
        assert_eq!(game.gold(Seat::First), 101);
        game.turn(NOTHING, NOTHING);
        assert_eq!((game.gold(Seat::First), game.game.plots()[0].gold), (102, 198));
    }

    #[test]
    fn building_it_again_raises_the_rate_by_1_up_to_the_sites_maximum() {
        let mut game = start();
        for rate in [1, 2, 3, 3] {
            game.turn("BUILD 0 MINE|TRAIN", NOTHING);
            assert_eq!(works(&game, 0), Some(Works::Mine { rate }));
        }
        assert_eq!(game.gold(Seat::First), 100 + 1 + 2 + 3 + 3);
    }

    #[test]
    fn the_maximum_is_between_1_and_5() {
        let all: Vec<u8> =
            seeds().flat_map(|seed| generated(seed).sites).map(|s| s.rate_max).collect();
        assert_eq!((all.iter().min(), all.iter().max()), (Some(&1), Some(&5)));
    }

    #[test]
    fn an_exhausted_mine_is_destroyed() {
        let mut setup = setup();
        setup.sites[0].gold = 3;
        setup.sites[0].structure = mine(0, 2);
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(game.gold(Seat::First), 102);
        game.turn(NOTHING, NOTHING);
        assert_eq!((game.gold(Seat::First), works(&game, 0)), (103, None));
    }

    #[test]
    fn queen_and_army_destroy_the_enemys_mine_on_contact() {
        let mut by_queen = setup();
        by_queen.sites[0].structure = mine(1, 1);
        let mut game = from(by_queen);
        game.turn(NOTHING, NOTHING);
        assert_eq!(works(&game, 0), None);

        let mut by_army = setup();
        by_army.sites[1].structure = mine(1, 1);
        by_army.players.0[0].creeps = vec![creep(CreepKind::Giant, 960.0, 301.0)];
        let mut game = from(by_army);
        game.turn(NOTHING, NOTHING);
        assert_eq!(works(&game, 1), None);
        assert_eq!(game.gold(Seat::Second), 100, "it is gone before it pays");
    }

    #[test]
    fn riches_are_known_only_within_300_of_the_queen() {
        let mut setup = setup();
        setup.sites[0] = site(500.0, 200.0, 60);
        setup.sites[0].structure = mine(0, 2);
        let at = |x: f64| {
            let mut setup = setup.clone();
            setup.players.0[0].queen = (x, 200.0);
            from(setup).site(Seat::First, 0)
        };
        assert_eq!(at(201.0), "200 3 0 0 2 -1");
        assert_eq!(at(200.0), "-1 -1 0 0 2 -1");
    }
}

mod armies {
    use super::*;

    #[test]
    fn they_lose_1_health_a_turn() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 600.0, 500.0)];
        let mut game = from(setup);
        game.wait(199);
        assert_eq!(creeps(&game, Seat::First), [(CreepKind::Giant, 1)]);
        game.wait(1);
        assert!(creeps(&game, Seat::First).is_empty());
    }

    #[test]
    fn the_table_of_armies() {
        let table = CreepKind::ALL.map(|kind| {
            let stats = kind.stats();
            (stats.cost, stats.count, stats.speed, stats.range, stats.hp, stats.training_turns)
        });
        assert_eq!(table[0], (80, 4, 100.0, 0.0, 30, 5));
        assert_eq!(table[1], (100, 2, 75.0, 200.0, 45, 8));
        assert_eq!(table[2], (140, 1, 50.0, 0.0, 200, 10));
        assert_eq!(CreepKind::ALL.map(|kind| kind.stats().radius), [20.0, 25.0, 40.0]);
    }

    #[test]
    fn knights_go_for_the_enemys_queen_and_strike_her_for_1() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Knight, 1710.0, 400.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(place(&game, Seat::First, 0), Point::new(1710.0, 500.0));
        game.wait(3);
        assert_eq!(game.hp(Seat::Second), 99);
        game.wait(1);
        assert_eq!(game.hp(Seat::Second), 98);
    }

    #[test]
    fn archers_go_for_the_nearest_army_and_shoot_2_or_10_at_giants() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Archer, 600.0, 500.0)];
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1300.0, 500.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(place(&game, Seat::First, 0), Point::new(675.0, 500.0));
        assert_eq!(creeps(&game, Seat::Second), [(CreepKind::Giant, 199)]);
        game.wait(5);
        // In range at last: 25 + 40 + 200.
        assert_eq!(place(&game, Seat::First, 0).x, 1035.0);
        assert_eq!(creeps(&game, Seat::Second)[0].1, 199 - 5 - 10);
    }

    #[test]
    fn archers_shoot_2_at_other_armies_and_never_at_the_queen() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Archer, 1600.0, 500.0)];
        setup.players.0[1].creeps = vec![creep(CreepKind::Archer, 1700.0, 500.0)];
        setup.players.0[1].queen = (1650.0, 600.0);
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(creeps(&game, Seat::First), [(CreepKind::Archer, 42)]);
        assert_eq!(creeps(&game, Seat::Second), [(CreepKind::Archer, 42)]);
        assert_eq!(game.hp(Seat::Second), 100);
    }

    #[test]
    fn giants_go_for_towers_and_beat_them_for_80() {
        let mut setup = setup();
        setup.sites[1].structure = tower(1, 400, 361);
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 960.0, 400.0)];
        setup.players.0[1].queen = (1000.0, 600.0);
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(place(&game, Seat::First, 0), Point::new(960.0, 350.0));
        assert_eq!(tower_hp(&game, 1), 396);
        game.turn(NOTHING, NOTHING);
        assert_eq!(tower_hp(&game, 1), 396 - 80 - 4);
        assert_eq!(game.hp(Seat::Second), 100);
    }
}

mod training {
    use super::*;

    fn rich() -> Setup {
        let mut setup = setup();
        setup.players.0[0].gold = 1000;
        for (index, kind) in [(1, CreepKind::Knight), (3, CreepKind::Archer), (4, CreepKind::Giant)]
        {
            setup.sites[index].structure = barracks(0, kind, None);
        }
        setup
    }

    #[test]
    fn all_named_barracks_begin_to_train() {
        let mut game = from(rich());
        let events = game.turn("WAIT|TRAIN 4 1 3", NOTHING);
        let trains = events.iter().filter(|event| matches!(event, Event::Trains { .. }));
        assert_eq!(trains.count(), 3);
    }

    #[test]
    fn the_total_price_is_paid_at_once() {
        let mut game = from(rich());
        game.turn("WAIT|TRAIN 4 1 3", NOTHING);
        assert_eq!(game.gold(Seat::First), 1000 - 80 - 100 - 140);
    }

    #[test]
    fn a_barracks_in_training_cannot_begin_again() {
        let mut game = from(rich());
        game.turn("WAIT|TRAIN 1", NOTHING);
        for _ in 0..4 {
            let events = game.turn("WAIT|TRAIN 1", NOTHING);
            assert!(events.iter().any(|event| matches!(event, Event::Warned { .. })));
        }
        game.turn("WAIT|TRAIN 1", NOTHING);
        assert_eq!(game.gold(Seat::First), 1000 - 160);
    }

    #[test]
    fn the_army_appears_around_the_barracks_in_the_last_turn_of_training_and_acts_in_the_next() {
        let mut game = from(rich());
        game.turn("WAIT|TRAIN 1", NOTHING);
        game.wait(3);
        assert!(creeps(&game, Seat::First).is_empty());
        game.wait(1);
        assert_eq!(creeps(&game, Seat::First), [(CreepKind::Knight, 30); 4]);
        let centre = Point::new(960.0, 200.0);
        for index in 0..4 {
            let distance = place(&game, Seat::First, index).squared_distance(centre).sqrt();
            assert!((79.0..130.0).contains(&distance), "{distance}");
        }
        let before = place(&game, Seat::First, 0);
        game.wait(1);
        assert!(place(&game, Seat::First, 0).squared_distance(before) > 90.0 * 90.0);
    }

    #[test]
    fn a_training_line_is_due_every_turn_and_may_be_empty() {
        let mut game = start();
        game.turn("WAIT|TRAIN", "WAIT|");
        let outcome = game.game.outcome().expect("over");
        assert_eq!(outcome.verdicts.0, [Verdict::Win, Verdict::Disqualified]);
    }
}

mod the_end {
    use super::*;

    #[test]
    fn after_200_turns_the_healthier_queen_has_won() {
        let mut setup = setup();
        setup.players.0[1].hp = 99;
        let mut game = from(setup);
        game.wait(199);
        assert!(game.game.outcome().is_none());
        game.wait(1);
        let outcome = game.game.outcome().expect("over");
        assert_eq!(outcome.verdicts.0, [Verdict::Win, Verdict::Loss]);
        assert_eq!((outcome.scores.0, outcome.reason), ([100, 99], Out::TURN_LIMIT));
        assert_eq!(game.game.to_act(), Seats::NONE);
    }

    #[test]
    fn equal_health_after_200_turns_is_a_draw() {
        let mut game = start();
        game.wait(200);
        assert_eq!(game.game.outcome().expect("over").verdicts.0, [Verdict::Draw; 2]);
    }

    #[test]
    fn an_invalid_action_or_no_answer_in_time_loses() {
        for (answer, reason) in [("DANCE|TRAIN", Out::INVALID), ("", Out::LATE)] {
            let mut game = start();
            game.turn(NOTHING, answer);
            let outcome = game.game.outcome().expect("over");
            assert_eq!(outcome.verdicts.0, [Verdict::Win, Verdict::Disqualified]);
            assert_eq!((outcome.scores.0, outcome.reason), ([100, -1], reason));
        }
    }

    #[test]
    fn the_first_answer_has_1000_ms_and_every_later_one_50() {
        let mut game = start();
        assert_eq!(game.game.time_limit(Seat::First), Duration::from_millis(1000));
        game.wait(1);
        assert_eq!(game.game.time_limit(Seat::Second), Duration::from_millis(50));
    }
}

mod order_of_a_turn {
    use super::*;

    #[test]
    fn both_are_told_the_same_state_and_asked_at_the_same_time() {
        let game = start();
        assert_eq!(game.game.to_act(), Seats::BOTH);
    }

    #[test]
    fn training_then_queens_then_structures() {
        // Paid before the mine pays; the queen builds where she stood, not where she goes.
        let mut setup = setup();
        setup.players.0[0].gold = 79;
        setup.sites[0].structure = mine(0, 1);
        setup.sites[1].structure = barracks(0, CreepKind::Knight, None);
        let mut game = from(setup);
        game.turn("WAIT|TRAIN 1", NOTHING);
        assert_eq!(game.gold(Seat::First), 80, "one too few when it was ordered");
    }

    #[test]
    fn armies_move_before_they_attack() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Knight, 1710.0, 660.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(game.hp(Seat::Second), 99);
    }

    #[test]
    fn structures_built_this_turn_act() {
        let mut setup = setup();
        setup.players.0[1].creeps = vec![creep(CreepKind::Archer, 400.0, 250.0)];
        let mut game = from(setup);
        game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
        assert_eq!(tower_hp(&game, 0), 196);
        assert!(creeps(&game, Seat::Second)[0].1 < 44, "the new tower has fired");
    }

    #[test]
    fn towers_fire_and_the_dead_are_removed_before_barracks_create() {
        let mut setup = setup();
        setup.sites[1].structure = tower(0, 400, 361);
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 1200.0, 200.0)];
        setup.players.0[1].creeps[0].hp = 3;
        setup.sites[2].structure = barracks(1, CreepKind::Giant, Some(9));
        let mut game = from(setup);
        let events = game.turn(NOTHING, NOTHING);
        let position =
            |is_it: fn(&Event) -> bool| events.iter().position(is_it).expect("it happens");
        let shot = position(|event| matches!(event, Event::Shot { .. }));
        let died = position(|event| matches!(event, Event::Died { .. }));
        let spawned = position(|event| matches!(event, Event::Spawned { .. }));
        assert!(shot < died && died < spawned, "{events:?}");
    }

    #[test]
    fn new_armies_show_the_tables_health() {
        let mut setup = setup();
        setup.sites[1].structure = barracks(0, CreepKind::Knight, Some(4));
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(creeps(&game, Seat::First), [(CreepKind::Knight, 30); 4]);
    }

    #[test]
    fn ageing_comes_last_so_the_last_health_still_strikes() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Knight, 1710.0, 748.0)];
        setup.players.0[0].creeps[0].hp = 1;
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(game.hp(Seat::Second), 99);
        assert!(creeps(&game, Seat::First).is_empty());
    }
}

mod collisions {
    use super::*;

    #[test]
    fn units_cannot_share_a_space_at_the_end_of_a_turn() {
        let mut setup = setup();
        setup.players.0[0].creeps =
            (0..12).map(|n| creep(CreepKind::Knight, 1500.0 + f64::from(n), 500.0)).collect();
        let mut game = from(setup);
        for _ in 0..8 {
            game.turn(NOTHING, NOTHING);
            let mut circles: Vec<(Point, f64)> = Vec::new();
            for seat in Seat::BOTH {
                let creeps = game.game.creeps()[seat].as_slice().iter();
                circles.extend(creeps.map(|creep| (creep.place, creep.kind.stats().radius)));
                circles.push((game.game.players()[seat].queen, 30.0));
            }
            for (index, (one, radius)) in circles.iter().enumerate() {
                for (other, other_radius) in &circles[index + 1..] {
                    let distance = one.squared_distance(*other).sqrt();
                    // Rounding moves each by less than one unit.
                    assert!(distance > radius + other_radius - 1.5, "{distance}");
                }
            }
        }
    }

    #[test]
    fn sites_do_not_move_and_push_units_off() {
        let mut setup = setup();
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 310.0, 200.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(game.game.field().sites()[0].place, Point::new(300.0, 200.0));
        let giant = place(&game, Seat::Second, 0);
        assert!(giant.squared_distance(Point::new(300.0, 200.0)) >= 99.0 * 99.0);
    }

    #[test]
    fn the_lighter_of_two_is_moved_farther() {
        let mut setup = setup();
        setup.players.0[0].queen = (600.0, 500.0);
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 660.0, 500.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        // 10 overlap: the queen takes a sixth of it, the giant the rest, each one unit more.
        let (queen, _) = game.queen(Seat::First);
        let giant = place(&game, Seat::First, 0).x;
        assert_eq!((queen, giant), (597.0, 669.0));
    }

    #[test]
    fn a_wave_of_armies_can_push_a_queen() {
        let mut setup = setup();
        setup.players.0[1].queen = (1200.0, 500.0);
        setup.players.0[0].creeps =
            (0..8).map(|n| creep(CreepKind::Knight, 1100.0, 420.0 + 20.0 * f64::from(n))).collect();
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert!(game.queen(Seat::Second).0 > 1200.0);
    }
}

mod contact {
    use super::*;

    #[test]
    fn two_units_touch_if_their_rims_are_less_than_5_apart() {
        // The knight's 20, the queen's 30 and 5: strictly below 55. An archer's place is kept by
        // its range, a knight's is not: it walks up to the rim.
        let built = |distance: f64| {
            let mut setup = setup();
            setup.players.0[0].queen = (300.0 - distance, 200.0);
            let mut game = from(setup);
            game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
            owner(&game, 0).is_some()
        };
        assert!(built(94.99) && !built(95.0));
    }

    #[test]
    fn the_second_player_builds_on_even_turns_and_the_first_on_odd_ones() {
        for (turn, builder) in [(0, Seat::Second), (1, Seat::First), (2, Seat::Second)] {
            let mut setup = setup();
            setup.turn = turn;
            setup.players.0[1].queen = (390.0, 200.0);
            let mut game = from(setup);
            game.turn("BUILD 0 TOWER|TRAIN", "BUILD 0 TOWER|TRAIN");
            assert_eq!(owner(&game, 0), Some(builder), "turn {turn}");
        }
    }
}

mod building_sites {
    use super::*;

    #[test]
    fn they_come_in_pairs_with_equal_attributes() {
        for seed in seeds() {
            for pair in generated(seed).sites.chunks(2) {
                let [one, other] = pair else { panic!("an even number of sites") };
                assert_eq!((one.radius, one.rate_max), (other.radius, other.rate_max));
                assert_eq!(one.gold, other.gold);
            }
        }
    }

    #[test]
    fn gold_rate_and_radius_are_in_their_ranges_with_a_bonus_near_the_centre() {
        let (mut radii, mut bonuses) = (Vec::new(), [0; 3]);
        for site in seeds().flat_map(|seed| generated(seed).sites) {
            let distance = Point::new(site.x, site.y).squared_distance(Point::new(960.0, 500.0));
            let bonus = usize::from(distance < 250_000.0) + usize::from(distance < 40_000.0);
            let gold = site.gold - 50 * bonus as i32;
            assert!((200..=250).contains(&gold), "{site:?}");
            assert!((1..=3).contains(&(site.rate_max - bonus as u8)), "{site:?}");
            radii.push(site.radius);
            bonuses[bonus] += 1;
        }
        assert!(bonuses.iter().all(|&count| count > 0));
        let (smallest, largest) = (radii.iter().min(), radii.iter().max());
        assert!(smallest < Some(&65) && smallest >= Some(&60));
        assert!(largest > Some(&90) && largest <= Some(&110));
    }
}

mod health_of_a_tower {
    use super::*;

    #[test]
    fn a_new_tower_has_200_and_its_range_follows_the_formula() {
        let mut game = start();
        game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
        // What is shown has lost this turn's 4: sqrt((196 * 1000 + pi * 60^2) / pi).
        assert_eq!(game.site(Seat::First, 0), "200 3 1 0 196 256");
    }

    #[test]
    fn smaller_sites_reach_farther_beyond_their_rim() {
        let beyond = |radius: i32| {
            let mut setup = setup();
            setup.sites[1] = site(960.0, 300.0, radius);
            setup.sites[1].structure = tower(0, 404, 1);
            let mut game = from(setup);
            game.turn(NOTHING, NOTHING);
            match works(&game, 1) {
                Some(Works::Tower { range, .. }) => range - radius,
                other => panic!("no tower: {other:?}"),
            }
        };
        assert!(beyond(60) > beyond(110));
    }

    #[test]
    fn mending_adds_100_up_to_800_and_every_turn_takes_4() {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 650, 1);
        let mut game = from(setup);
        for hp in [746, 796, 796] {
            game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
            assert_eq!(tower_hp(&game, 0), hp);
        }
    }

    #[test]
    fn a_queen_mends_faster_than_a_giant_destroys() {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 200, 1);
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 401.0, 200.0)];
        let mut game = from(setup);
        for turn in 1..=5 {
            game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
            assert_eq!(tower_hp(&game, 0), 200 + 16 * turn);
        }
    }
}

mod input {
    use super::*;

    #[test]
    fn before_the_match_the_number_of_sites_and_id_x_y_radius_of_each() {
        let game = start();
        let mut out = Outbox::default();
        wire().start(&game.game.views(), &mut out);
        let lines = lines(out);
        assert_eq!(lines.len(), 2 * 7);
        assert_eq!(lines[..3], ["6", "0 300 200 60", "1 960 200 60"]);
        assert_eq!(lines[..7], lines[7..], "coordinates are the same for both");
    }

    #[test]
    fn every_turn_gold_and_touched_site_come_first() {
        // The document shows `touchedSite` before the match, where it would be useless; it comes
        // every turn beside the gold, as all bots read it.
        assert_eq!(start().told(Seat::First)[0], "100 0");
    }

    #[test]
    fn a_site_without_a_structure() {
        assert_eq!(start().site(Seat::First, 0), "200 3 -1 -1 -1 -1");
        assert_eq!(start().site(Seat::First, 5), "-1 -1 -1 -1 -1 -1");
    }

    #[test]
    fn a_mine_shows_its_rate_to_its_owner_only() {
        let mut setup = setup();
        setup.sites[0].structure = mine(1, 2);
        setup.sites[1].structure = mine(0, 3);
        let game = from(setup);
        assert_eq!(game.site(Seat::First, 0), "200 3 0 1 -1 -1");
        assert_eq!(game.site(Seat::Second, 0), "-1 -1 0 0 2 -1");
        assert_eq!(game.site(Seat::First, 1), "-1 -1 0 0 3 -1");
    }

    #[test]
    fn a_tower_shows_its_health_and_range() {
        let mut setup = setup();
        setup.sites[1].structure = tower(1, 300, 310);
        let game = from(setup);
        assert_eq!(game.site(Seat::First, 1), "-1 -1 1 1 300 310");
        assert_eq!(game.site(Seat::Second, 1), "-1 -1 1 0 300 310");
    }

    #[test]
    fn a_barracks_shows_the_turns_it_is_busy_and_its_army() {
        let mut setup = setup();
        setup.sites[1].structure = barracks(0, CreepKind::Knight, None);
        setup.sites[2].structure = barracks(1, CreepKind::Giant, Some(3));
        let mut game = from(setup);
        assert_eq!(game.site(Seat::First, 2), "-1 -1 2 1 7 2");
        assert_eq!(game.site(Seat::First, 1), "-1 -1 2 0 0 0");
        let mut left = Vec::new();
        game.turn("WAIT|TRAIN 1", NOTHING);
        for _ in 0..5 {
            left.push(game.site(Seat::First, 1));
            game.wait(1);
        }
        let expected = [4, 3, 2, 1, 0].map(|turns| format!("-1 -1 2 0 {turns} 0"));
        assert_eq!(left, expected);
    }

    #[test]
    fn units_are_x_y_owner_type_health_and_include_both_queens() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Archer, 500.0, 400.0)];
        setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 900.0, 500.0)];
        let game = from(setup);
        let units = |seat| game.told(seat)[7..].to_vec();
        let first =
            ["4", "500 400 0 1 45", "210 200 0 -1 100", "900 500 1 0 30", "1710 800 1 -1 100"];
        assert_eq!(units(Seat::First), first);
        let second =
            ["4", "500 400 1 1 45", "210 200 1 -1 100", "900 500 0 0 30", "1710 800 0 -1 100"];
        assert_eq!(units(Seat::Second), second);
    }
}

mod output {
    use super::*;

    #[test]
    fn wait_does_nothing() {
        let mut game = start();
        game.turn("WAIT|TRAIN", "WAIT|TRAIN");
        assert_eq!(game.queen(Seat::First), (210.0, 200.0));
    }

    #[test]
    fn build_from_afar_walks_to_the_site() {
        let mut game = start();
        game.turn("BUILD 3 MINE|TRAIN", NOTHING);
        let (x, y) = game.queen(Seat::First);
        assert!(x > 210.0 && y > 255.0 && works(&game, 3).is_none());
    }

    #[test]
    fn each_structure_has_its_word() {
        let table = [
            ("TOWER", Works::Tower { hp: 196, range: 256 }),
            ("MINE", Works::Mine { rate: 1 }),
            ("BARRACKS-KNIGHT", Works::Barracks { creep: CreepKind::Knight, training: None }),
            ("BARRACKS-ARCHER", Works::Barracks { creep: CreepKind::Archer, training: None }),
            ("BARRACKS-GIANT", Works::Barracks { creep: CreepKind::Giant, training: None }),
        ];
        for (word, works) in table {
            let mut game = start();
            game.turn(&format!("BUILD 0 {word}|TRAIN"), NOTHING);
            let structure = game.game.plots()[0].structure;
            assert_eq!(structure, Some(Structure { owner: Seat::First, works }));
        }
    }

    #[test]
    fn a_finished_game_goes_no_further() {
        let mut game = start();
        game.turn("", "");
        let replies = PerSeat::from_fn(|_| Some(Reply::Act(quintain_code_royale::Action::wait())));
        let result = std::panic::catch_unwind(move || {
            game.game.advance(&replies, &mut NoChance, &mut ());
        });
        assert!(result.is_err());
    }
}
