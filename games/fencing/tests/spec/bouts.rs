//! Resolutions and assaults: what two actions do to each other.

use super::*;

mod resolutions {
    use super::*;

    #[test]
    fn energy_is_consumed_in_any_case() {
        // A miss, a drug that is one too many, a step off the piste: all are paid.
        let doped = FencerSetup { drug_count: 7, walk_skill: 35, ..at(0) };
        for (code, cost) in [("LUNGE", 5), ("WALK_DRUG", 5), ("RETREAT", 1)] {
            let mut game = duel(doped, at(300));
            turn(&mut game, code, "BREAK");
            assert_eq!(energy(&game)[0], 20 - cost, "{code}");
        }
        let mut game = duel(FencerSetup { energy: 2, ..at(220) }, at(260));
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(energy(&game)[0], -3);
    }

    #[test]
    fn who_runs_out_does_nothing_in_that_turn_but_can_be_touched() {
        let dry = FencerSetup { energy: 3, ..at(220) };
        for code in ["LUNGE", "DOUBLE_WALK", "WALK_DRUG"] {
            let mut game = duel(dry, at(260));
            let events = turn(&mut game, code, "LUNGE");
            assert!(events.contains(&Event::Exhausted { seat: Seat::First }));
            assert_eq!((points(&game), positions(&game)), ([0, 1], [220, 260]), "{code}");
            assert_eq!(fencer(&game, Seat::First).drugs, 0);
        }
        // A parry that cannot be paid holds nothing.
        let mut game = duel(FencerSetup { energy: 1, ..at(220) }, at(260));
        turn(&mut game, "PARRY", "LUNGE");
        assert_eq!((points(&game), energy(&game)), ([0, 1], [-1, 15]));
    }

    #[test]
    fn a_parry_can_exhaust_the_striker() {
        for (before, is_over) in [(5, true), (6, true), (7, false)] {
            let mut game = duel(FencerSetup { energy: before, ..at(200) }, at(300));
            turn(&mut game, "LUNGE", "PARRY");
            assert_eq!(game.outcome().is_some(), is_over, "energy {before}");
            assert_eq!(energy(&game)[0], before - 7);
        }
    }

    #[test]
    fn players_respawn_when_they_collide() {
        let mut game = duel(at(240), at(260));
        let events = turn(&mut game, "WALK", "WALK");
        assert!(events.contains(&Event::Collided));
        assert_eq!((points(&game), positions(&game)), ([0, 0], [260, 240]));
        assert_eq!(respawn(&mut game), [Event::Respawned]);
        assert_eq!((positions(&game), energy(&game)), ([200, 300], [19, 19]));
    }

    /// D4: by the letter they collide only beyond each other.
    #[test]
    fn players_on_the_same_spot_have_not_collided() {
        let mut game = duel(at(240), at(280));
        turn(&mut game, "WALK", "WALK");
        assert_eq!(positions(&game), [260, 260]);
        assert!(!game.is_respawn_due());
    }

    #[test]
    fn players_respawn_after_a_successful_assault() {
        let mut game = duel(at(220), at(260));
        turn(&mut game, "LUNGE", "BREAK");
        respawn(&mut game);
        assert_eq!((positions(&game), points(&game)), ([200, 300], [1, 0]));
    }

    #[test]
    fn a_parry_that_holds_or_a_miss_is_no_successful_assault() {
        for answer in ["PARRY", "BREAK"] {
            let mut game = duel(at(200), at(260));
            turn(&mut game, "LUNGE", answer);
            assert!(!game.is_respawn_due());
        }
    }

    #[test]
    fn players_respawn_when_one_is_outside() {
        let mut game = duel(at(10), at(300));
        turn(&mut game, "RETREAT", "BREAK");
        respawn(&mut game);
        assert_eq!(positions(&game), [200, 300]);
    }

    #[test]
    fn being_moved_outside_is_a_point_for_the_opponent() {
        let mut game = duel(at(10), at(300));
        let events = turn(&mut game, "RETREAT", "BREAK");
        assert!(events.contains(&Event::Outside { seat: Seat::First }));
        assert_eq!(points(&game), [0, 1]);
        let mut game = duel(at(10), at(490));
        turn(&mut game, "RETREAT", "RETREAT");
        assert_eq!(points(&game), [1, 1]);
        // Forwards over the far end is outside too, and the ends themselves are inside.
        let mut game = duel(at(470), at(480));
        turn(&mut game, "DOUBLE_WALK", "BREAK");
        assert_eq!(points(&game), [0, 1]);
        let mut game = duel(at(20), at(480));
        turn(&mut game, "RETREAT", "RETREAT");
        assert_eq!((points(&game), positions(&game)), ([0, 0], [0, 500]));
    }

    #[test]
    fn a_step_outside_spoils_the_assault_of_that_turn() {
        let mut game = duel(at(10), at(30));
        turn(&mut game, "RETREAT", "LUNGE");
        assert_eq!(points(&game), [0, 1]);
        let mut game = duel(at(10), at(490));
        turn(&mut game, "LUNGE", "RETREAT");
        assert_eq!((points(&game), energy(&game)), ([1, 0], [15, 19]));
    }

    #[test]
    fn lunge_against_lunge_scores_for_both() {
        let mut game = duel(at(220), at(260));
        turn(&mut game, "LUNGE", "LUNGE");
        assert_eq!(points(&game), [1, 1]);
    }
}

mod assaults {
    use super::*;

    /// D3: printed the wrong way round; one would touch only from afar.
    #[test]
    fn a_lunge_touches_up_to_its_distance() {
        let mut game = duel(at(200), at(241));
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(points(&game), [0, 0]);
        let mut game = duel(at(200), at(240));
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(points(&game), [1, 0]);
    }

    #[test]
    fn distance_is_measured_after_the_moves_and_without_a_sign() {
        let mut game = duel(at(200), at(260));
        turn(&mut game, "LUNGE", "WALK");
        assert_eq!(points(&game), [1, 0]);
        // The second walks through the first and is touched from behind.
        let mut game = duel(at(200), at(230));
        let events = turn(&mut game, "LUNGE", "DOUBLE_WALK");
        assert_eq!((points(&game), positions(&game)), ([1, 0], [200, 190]));
        assert!(events.contains(&Event::Collided));
    }

    #[test]
    fn a_parry_is_added_to_the_distance_of_the_lunge() {
        let long = FencerSetup { lunge_distance_skill: 5, drug_count: 1, ..at(200) };
        for (gap, is_touch) in [(5, true), (6, false)] {
            let mut game = duel(long, at(200 + gap));
            turn(&mut game, "LUNGE", "PARRY");
            assert_eq!(points(&game)[0] == 1, is_touch, "distance {gap}");
        }
    }

    #[test]
    fn a_parry_without_a_lunge_does_nothing() {
        let mut game = duel(at(220), at(260));
        turn(&mut game, "PARRY", "BREAK");
        assert_eq!((points(&game), energy(&game)), ([0, 0], [18, 20]));
    }
}
