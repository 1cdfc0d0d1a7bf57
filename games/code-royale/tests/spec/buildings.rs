//! What queens build, and what it does.

use super::*;

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
