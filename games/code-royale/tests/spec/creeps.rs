//! What barracks train.

use super::*;

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
