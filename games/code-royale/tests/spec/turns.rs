//! How a turn goes, and how a match ends.

use super::*;

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
        for (answer, reason) in [("DANCE|TRAIN", Out::INVALID), ("", Out::SILENT)] {
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
