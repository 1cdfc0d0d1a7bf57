//! Actions, what drugs change of them, and the table of the raw data.

use super::*;

mod actions {
    use super::*;

    #[test]
    fn both_choose_one_action_at_the_same_time() {
        let mut game = start(1);
        assert_eq!(game.to_act(), quintain_core::Seats::BOTH);
        turn(&mut game, "WALK", "RETREAT");
        assert_eq!(positions(&game), [220, 320]);
        assert_eq!(game.turn(), 1);
    }

    /// Energy before and after, and how far the fencer went, for both seats.
    fn check(code: &str, energy_change: i16, step: i16) {
        let low = |position| FencerSetup { energy: 10, ..at(position) };
        let mut game = duel(low(200), low(300));
        turn(&mut game, code, "BREAK");
        assert_eq!(energy(&game)[0], 10 + energy_change, "{code}");
        assert_eq!(positions(&game), [200 + step, 300], "{code}");
        let mut game = duel(low(200), low(300));
        turn(&mut game, "BREAK", code);
        assert_eq!(energy(&game)[1], 10 + energy_change, "{code}");
        assert_eq!(positions(&game), [200, 300 - step], "{code}");
    }

    #[test]
    fn break_gives_2_energy() {
        check("BREAK", 2, 0);
    }

    #[test]
    fn walk_costs_1_and_moves_20() {
        check("WALK", -1, 20);
    }

    #[test]
    fn retreat_costs_1_and_moves_20_back() {
        check("RETREAT", -1, -20);
    }

    #[test]
    fn lunge_costs_5_and_reaches_40() {
        check("LUNGE", -5, 0);
        for (gap, is_touch) in [(0, true), (39, true), (40, true), (41, false)] {
            let mut game = duel(at(200), at(200 + gap));
            turn(&mut game, "LUNGE", "BREAK");
            assert_eq!(points(&game)[0] == 1, is_touch, "distance {gap}");
        }
    }

    #[test]
    fn parry_costs_2_shortens_by_40_and_transfers_2() {
        check("PARRY", -2, 0);
        let mut game = duel(at(200), FencerSetup { energy: 10, ..at(220) });
        turn(&mut game, "LUNGE", "PARRY");
        assert_eq!((points(&game), energy(&game)), ([0, 0], [20 - 5 - 2, 10 - 2 + 2]));
        let mut game = duel(at(200), at(200));
        turn(&mut game, "LUNGE", "PARRY");
        assert_eq!((points(&game), energy(&game)), ([1, 0], [15, 18]));
    }

    #[test]
    fn double_walk_costs_4_and_moves_40() {
        check("DOUBLE_WALK", -4, 40);
    }

    #[test]
    fn double_retreat_costs_4_and_moves_30_back() {
        check("DOUBLE_RETREAT", -4, -30);
    }

    #[test]
    fn drugs_cost_5_and_change_one_ability() {
        let expected = [
            ("LUNGE_DRUG", Ability::LungeDistance, 5),
            ("PARRY_DRUG", Ability::ParryDistance, -5),
            ("ENERGY_MAX_DRUG", Ability::EnergyMax, 5),
            ("WALK_DRUG", Ability::Walk, 5),
            ("RETREAT_DRUG", Ability::Retreat, 5),
            ("DOUBLE_WALK_DRUG", Ability::DoubleWalk, 10),
            ("DOUBLE_RETREAT_DRUG", Ability::DoubleRetreat, 10),
            ("BREAK_DRUG", Ability::Break, 10),
        ];
        for (code, changed, by) in expected {
            check(code, -5, 0);
            let mut game = start(3);
            let before = fencer(&game, Seat::First);
            turn(&mut game, code, "BREAK");
            let after = fencer(&game, Seat::First);
            assert_eq!(after.drugs, 1, "{code}");
            for ability in Ability::ALL {
                let change = if ability == changed { by } else { 0 };
                let got = after.abilities[ability] - before.abilities[ability];
                assert_eq!(got, change, "{code} {ability:?}");
            }
        }
    }

    #[test]
    fn energy_stays_within_the_gauge() {
        let mut game = duel(FencerSetup { energy: 19, ..at(200) }, at(300));
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(energy(&game), [20, 20]);
    }

    #[test]
    fn move_stays_within_the_piste() {
        for (position, code, end) in [(10, "RETREAT", 0), (10, "DOUBLE_RETREAT", 0)] {
            let mut game = duel(at(position), at(300));
            turn(&mut game, code, "BREAK");
            assert_eq!(positions(&game)[0], end);
        }
        let mut game = duel(at(480), at(500));
        turn(&mut game, "DOUBLE_WALK", "BREAK");
        assert_eq!(positions(&game)[0], 500);
    }

    /// D9: only against a lunge that does not touch, at any distance, and not kept at the cap.
    #[test]
    fn energy_transfer_goes_from_the_striker_to_the_one_who_parries() {
        let mut game = duel(at(0), at(500));
        let events = turn(&mut game, "PARRY", "LUNGE");
        assert!(events.contains(&Event::Parried { defender: Seat::First }));
        assert_eq!(energy(&game), [20, 13]);
        let mut game = start(1);
        turn(&mut game, "PARRY", "PARRY");
        assert_eq!(energy(&game), [18, 18]);
        let full = FencerSetup { energy: 20, energy_max: 20, ..at(300) };
        let mut game = duel(at(200), full);
        turn(&mut game, "LUNGE", "PARRY");
        assert_eq!(energy(&game), [13, 20]);
    }
}

mod abilities {
    use super::*;

    #[test]
    fn energy_max_increases_the_gauge() {
        let big = FencerSetup { energy: 24, energy_max: 25, drug_count: 1, ..at(200) };
        let mut game = duel(big, at(300));
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(energy(&game), [25, 20]);
    }

    #[test]
    fn energy_max_drug_does_not_widen_the_gauge_of_its_own_turn() {
        let mut game = start(3);
        turn(&mut game, "ENERGY_MAX_DRUG", "BREAK");
        assert_eq!(energy(&game), [15, 20]);
        assert_eq!(fencer(&game, Seat::First).energy_max(), 25);
    }

    #[test]
    fn break_skill_is_added_to_the_recovery() {
        let rested = FencerSetup { energy: 1, break_skill: 10, drug_count: 1, ..at(200) };
        let mut game = duel(rested, at(300));
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(energy(&game)[0], 13);
    }

    #[test]
    fn lunge_skill_is_added_to_the_lunge() {
        let long = FencerSetup { lunge_distance_skill: 10, drug_count: 2, ..at(200) };
        for (gap, is_touch) in [(50, true), (51, false)] {
            let mut game = duel(long, at(200 + gap));
            turn(&mut game, "LUNGE", "BREAK");
            assert_eq!(points(&game)[0] == 1, is_touch, "distance {gap}");
        }
    }

    #[test]
    fn parry_skill_is_added_to_the_parry_and_makes_it_hold_further() {
        let firm =
            |position| FencerSetup { parry_distance_skill: -10, drug_count: 2, ..at(position) };
        let long = FencerSetup { lunge_distance_skill: 20, drug_count: 4, ..at(200) };
        for (gap, is_touch) in [(10, true), (11, false)] {
            let mut game = duel(long, firm(200 + gap));
            turn(&mut game, "LUNGE", "PARRY");
            assert_eq!(points(&game)[0] == 1, is_touch, "distance {gap}");
        }
        // A plain parry is beaten on the same spot; this one is not.
        let mut game = duel(at(200), firm(200));
        turn(&mut game, "LUNGE", "PARRY");
        assert_eq!(points(&game), [0, 0]);
    }

    #[test]
    fn walk_skills_are_added_to_the_moves() {
        let quick = FencerSetup { walk_skill: 5, double_walk_skill: 10, drug_count: 2, ..at(100) };
        for (code, end) in [("WALK", 125), ("DOUBLE_WALK", 150)] {
            let mut game = duel(quick, at(300));
            turn(&mut game, code, "BREAK");
            assert_eq!(positions(&game)[0], end, "{code}");
        }
    }

    /// D6: "increases", yet the skill is positive and added to a negative move. It is added.
    #[test]
    fn retreat_skills_are_added_to_the_moves_and_make_them_shorter() {
        let ends = |skill, double, drugs| {
            ["RETREAT", "DOUBLE_RETREAT"].map(|code| {
                let fencer = FencerSetup {
                    retreat_skill: skill,
                    double_retreat_skill: double,
                    drug_count: drugs,
                    ..at(200)
                };
                let mut game = duel(fencer, at(300));
                turn(&mut game, code, "BREAK");
                positions(&game)[0]
            })
        };
        assert_eq!(ends(5, 10, 2), [185, 180]);
        assert_eq!(ends(20, 30, 7), [200, 200]);
        assert_eq!(ends(35, 0, 7), [215, 170]);
        assert_eq!(ends(0, 70, 7), [180, 240]);
    }
}

mod raw_data {
    use super::*;

    /// Code, energy, energy transfer, move, distance, drug, league: the document's three tables.
    #[test]
    fn the_table_is_the_documents() {
        let expected = "\
            BREAK +2 0 0 0 0 1
            WALK -1 0 +20 0 0 1
            RETREAT -1 0 -20 0 0 1
            LUNGE -5 0 0 +40 0 1
            PARRY -2 2 0 -40 0 1
            DOUBLE_WALK -4 0 +40 0 0 2
            DOUBLE_RETREAT -4 0 -30 0 0 2
            LUNGE_DRUG -5 0 0 0 +5 3
            PARRY_DRUG -5 0 0 0 -5 3
            ENERGY_MAX_DRUG -5 0 0 0 +5 3
            WALK_DRUG -5 0 0 0 +5 3
            RETREAT_DRUG -5 0 0 0 +5 3
            DOUBLE_WALK_DRUG -5 0 0 0 +10 3
            DOUBLE_RETREAT_DRUG -5 0 0 0 +10 3
            BREAK_DRUG -5 0 0 0 +10 3";
        for (row, line) in TABLE.iter().zip(expected.lines()) {
            let (code, figures) = line.trim().split_once(' ').expect("a row");
            let numbers: Vec<i8> =
                figures.split(' ').map(|figure| figure.parse().expect("a number")).collect();
            let ours = [row.energy, row.energy_transfer, row.step, row.distance, row.drug];
            assert_eq!((row.code, &ours[..]), (code, &numbers[..5]));
            assert_eq!(i16::from(row.league), i16::from(numbers[5]), "{code}");
        }
        assert_eq!(expected.lines().count(), TABLE.len());
    }
}
