//! One test per statement of the document, under its headings, in the document's edition. Each test
//! is named by the statement; `D1` to `D13` are the places where it disagrees with the original or
//! with itself.

mod common;

use std::time::Duration;

use common::*;
use quintain_core::{
    Exit, Fault, Game, Intake, Item, Opening, Options, Outbox, PerSeat, Protocol, Seat, Verdict,
};
use quintain_fencing::{
    Ability, Action, Event, FencerSetup, Fencing, Offence, Refusal, Setup, Switches, TABLE, Wire,
};

mod cautions {
    use super::*;

    #[test]
    fn leagues_two_and_three_add_rules_and_league_three_is_the_last() {
        assert_eq!(Fencing::LEAGUES, [1, 2, 3]);
        assert_eq!(
            [1, 2, 3].map(|league| Action::of_league(league).len()),
            [5, 7, 15]
        );
    }

    #[test]
    fn variables_of_the_next_leagues_are_sent_in_every_league() {
        for league in [1, 2, 3] {
            let lines = prompt(&start(league), Seat::First);
            assert!(lines.iter().all(|line| line.split(' ').count() == 12));
        }
    }
}

mod the_goal {
    use super::*;

    #[test]
    fn touching_the_opponent_scores() {
        let mut game = duel(at(220), at(260));
        let events = turn(&mut game, "LUNGE", "BREAK");
        assert!(events.contains(&Event::Touched {
            striker: Seat::First
        }));
        assert_eq!(points(&game), [1, 0]);
    }

    #[test]
    fn energy_has_to_be_managed() {
        let mut game = start(1);
        turn(&mut game, "WALK", "BREAK");
        assert_eq!(energy(&game), [19, 20]);
    }

    #[test]
    fn twenty_points_end_the_match() {
        let mut game = duel(
            FencerSetup {
                score: 19,
                ..at(220)
            },
            at(260),
        );
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(points(&game), [20, 0]);
        assert_eq!(reason(&game), "decisive victory");
    }
}

mod victory_conditions {
    use super::*;

    #[test]
    fn more_points_at_the_end_win() {
        let last = Setup {
            turn: 199,
            ..setup(
                FencerSetup {
                    score: 3,
                    ..at(200)
                },
                at(300),
            )
        };
        let mut game = new(1, Switches::DOCUMENT, last);
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(scores(&game), [1, 0]);
        assert_eq!(verdicts(&game), [Verdict::Win, Verdict::Loss]);
        assert_eq!(reason(&game), "turn limit");
    }

    #[test]
    fn twenty_points_are_decisive_only_two_points_apart() {
        let score = |own, other| {
            let mut game = duel(
                FencerSetup {
                    score: own,
                    ..at(220)
                },
                FencerSetup {
                    score: other,
                    ..at(260)
                },
            );
            turn(&mut game, "LUNGE", "BREAK");
            game.outcome().is_some()
        };
        assert!(score(19, 18));
        assert!(!score(19, 19));
        assert!(!score(18, 0));
        assert!(score(24, 23));
        assert!(!score(24, 24));
    }
}

mod defeat_conditions {
    use super::*;

    #[test]
    fn fewer_points_at_the_end_lose() {
        let last = Setup {
            turn: 199,
            ..setup(
                at(200),
                FencerSetup {
                    score: 1,
                    ..at(300)
                },
            )
        };
        let mut game = new(1, Switches::DOCUMENT, last);
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(scores(&game), [0, 1]);
    }

    #[test]
    fn forfeit_is_running_out_of_energy() {
        let mut game = duel(
            FencerSetup {
                energy: 0,
                ..at(200)
            },
            at(300),
        );
        turn(&mut game, "WALK", "BREAK");
        assert_eq!(game.offences().0, [Some(Offence::Forfeit), None]);
        assert_eq!(
            (scores(&game), reason(&game)),
            ([-1, 1], "forfeit, out of energy")
        );
    }

    /// D7: the range of the input begins at 0, so 0 can be played with.
    #[test]
    fn energy_zero_is_not_out_of_energy() {
        let mut game = duel(
            FencerSetup {
                energy: 5,
                ..at(200)
            },
            at(300),
        );
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(energy(&game), [0, 20]);
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn non_combativity_is_no_point_for_anyone_in_200_turns() {
        let mut game = start(1);
        for played in 0..200 {
            assert_eq!((game.turn(), game.outcome()), (played, None));
            turn(&mut game, "BREAK", "BREAK");
        }
        assert_eq!(
            (scores(&game), reason(&game)),
            ([-1, -1], "non-combativity")
        );
        assert_eq!(verdicts(&game), [Verdict::Disqualified; 2]);
    }

    /// D8: the document does not say whether respawns count among the 200 turns. They do.
    #[test]
    fn respawn_turns_count() {
        let mut game = new(
            1,
            Switches::DOCUMENT,
            Setup {
                turn: 198,
                ..setup(at(220), at(260))
            },
        );
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(game.outcome(), None);
        respawn(&mut game);
        assert_eq!((game.turn(), scores(&game)), (200, [1, 0]));
        assert_eq!(positions(&game), [200, 300]);
        let mut game = new(
            1,
            Switches::DOCUMENT,
            Setup {
                turn: 199,
                ..setup(at(220), at(260))
            },
        );
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!((scores(&game), positions(&game)), ([1, 0], [220, 260]));
    }

    #[test]
    fn no_answer_in_due_time_disqualifies() {
        for silence in [Fault::Late, Fault::Gone(Exit::Code(1)), Fault::Flooded] {
            let mut game = start(1);
            let events = fault(&mut game, "WALK", silence);
            let why = Refusal::Silent;
            assert!(events.contains(&Event::Refused {
                seat: Seat::Second,
                why
            }));
            assert_eq!(
                (scores(&game), reason(&game)),
                ([1, -1], "no answer in time")
            );
            assert_eq!(positions(&game), [200, 300], "neither action is applied");
        }
    }

    /// D10: the platform gives 1000 ms for the first answer.
    #[test]
    fn due_time_is_50_ms_after_the_first_answer() {
        let mut game = start(1);
        for seat in Seat::BOTH {
            assert_eq!(game.time_limit(seat), Duration::from_millis(1000));
        }
        turn(&mut game, "BREAK", "BREAK");
        for seat in Seat::BOTH {
            assert_eq!(game.time_limit(seat), Duration::from_millis(50));
        }
    }

    #[test]
    fn an_invalid_command_disqualifies() {
        let mut wire = wire();
        let Intake::Malformed(error) = hear(&mut wire, "JUMP") else {
            panic!("JUMP is no command")
        };
        let mut game = start(3);
        let events = fault(&mut game, "WALK", Fault::Malformed(error));
        let why = Refusal::Unreadable;
        assert!(events.contains(&Event::Refused {
            seat: Seat::Second,
            why
        }));
        assert_eq!((scores(&game), reason(&game)), ([1, -1], "invalid command"));
        assert_eq!((positions(&game), energy(&game)), ([200, 300], [20, 20]));
    }

    #[test]
    fn doping_is_more_than_seven_drugs() {
        let mut game = start(3);
        for count in 1..=7 {
            turn(&mut game, "WALK_DRUG", "BREAK");
            assert_eq!(fencer(&game, Seat::First).drugs, count);
            for _ in 0..3 {
                turn(&mut game, "BREAK", "BREAK");
            }
        }
        assert_eq!(game.outcome(), None);
        turn(&mut game, "LUNGE_DRUG", "BREAK");
        assert_eq!(game.offences().0, [Some(Offence::Doping), None]);
        assert_eq!((scores(&game), reason(&game)), ([-1, 1], "doping"));
        let doper = fencer(&game, Seat::First);
        assert_eq!(
            (doper.drugs, doper.abilities[Ability::LungeDistance]),
            (7, 0)
        );
    }
}

mod scoring {
    use super::*;

    fn last_turn(first: FencerSetup, second: FencerSetup, actions: [&str; 2]) -> Fencing {
        let setup = Setup {
            turn: 199,
            ..setup(first, second)
        };
        let mut game = new(3, Switches::DOCUMENT, setup);
        turn(&mut game, actions[0], actions[1]);
        game
    }

    #[test]
    fn a_win_is_1_and_a_defeat_0() {
        let game = last_turn(
            FencerSetup {
                score: 2,
                ..at(200)
            },
            at(300),
            ["BREAK", "BREAK"],
        );
        assert_eq!(scores(&game), [1, 0]);
    }

    #[test]
    fn disqualified_is_minus_1_whatever_the_points() {
        let leader = FencerSetup {
            score: 19,
            energy: 0,
            ..at(200)
        };
        let game = last_turn(leader, at(300), ["WALK", "BREAK"]);
        assert_eq!(scores(&game), [-1, 1]);
    }

    /// D11: the document does not mention a draw.
    #[test]
    fn equal_points_are_0_for_both() {
        let one = |position| FencerSetup {
            score: 1,
            ..at(position)
        };
        let game = last_turn(one(200), one(300), ["BREAK", "BREAK"]);
        assert_eq!(
            (scores(&game), verdicts(&game)),
            ([0, 0], [Verdict::Draw; 2])
        );
    }

    /// D12: the document is silent on ends that coincide.
    #[test]
    fn two_offences_in_one_turn_are_minus_1_for_both() {
        let doped = FencerSetup {
            drug_count: 7,
            walk_skill: 35,
            ..at(200)
        };
        let dry = FencerSetup {
            energy: 0,
            ..at(300)
        };
        let game = last_turn(doped, dry, ["WALK_DRUG", "WALK"]);
        assert_eq!(scores(&game), [-1, -1]);
        assert_eq!(
            game.offences().0,
            [Some(Offence::Doping), Some(Offence::Forfeit)]
        );
    }
}

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
        let low = |position| FencerSetup {
            energy: 10,
            ..at(position)
        };
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
        let mut game = duel(
            at(200),
            FencerSetup {
                energy: 10,
                ..at(220)
            },
        );
        turn(&mut game, "LUNGE", "PARRY");
        assert_eq!(
            (points(&game), energy(&game)),
            ([0, 0], [20 - 5 - 2, 10 - 2 + 2])
        );
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
        let mut game = duel(
            FencerSetup {
                energy: 19,
                ..at(200)
            },
            at(300),
        );
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
        assert!(events.contains(&Event::Parried {
            defender: Seat::First
        }));
        assert_eq!(energy(&game), [20, 13]);
        let mut game = start(1);
        turn(&mut game, "PARRY", "PARRY");
        assert_eq!(energy(&game), [18, 18]);
        let full = FencerSetup {
            energy: 20,
            energy_max: 20,
            ..at(300)
        };
        let mut game = duel(at(200), full);
        turn(&mut game, "LUNGE", "PARRY");
        assert_eq!(energy(&game), [13, 20]);
    }
}

mod abilities {
    use super::*;

    #[test]
    fn energy_max_increases_the_gauge() {
        let big = FencerSetup {
            energy: 24,
            energy_max: 25,
            drug_count: 1,
            ..at(200)
        };
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
        let rested = FencerSetup {
            energy: 1,
            break_skill: 10,
            drug_count: 1,
            ..at(200)
        };
        let mut game = duel(rested, at(300));
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(energy(&game)[0], 13);
    }

    #[test]
    fn lunge_skill_is_added_to_the_lunge() {
        let long = FencerSetup {
            lunge_distance_skill: 10,
            drug_count: 2,
            ..at(200)
        };
        for (gap, is_touch) in [(50, true), (51, false)] {
            let mut game = duel(long, at(200 + gap));
            turn(&mut game, "LUNGE", "BREAK");
            assert_eq!(points(&game)[0] == 1, is_touch, "distance {gap}");
        }
    }

    #[test]
    fn parry_skill_is_added_to_the_parry_and_makes_it_hold_further() {
        let firm = |position| FencerSetup {
            parry_distance_skill: -10,
            drug_count: 2,
            ..at(position)
        };
        let long = FencerSetup {
            lunge_distance_skill: 20,
            drug_count: 4,
            ..at(200)
        };
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
        let quick = FencerSetup {
            walk_skill: 5,
            double_walk_skill: 10,
            drug_count: 2,
            ..at(100)
        };
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

mod resolutions {
    use super::*;

    #[test]
    fn energy_is_consumed_in_any_case() {
        // A miss, a drug that is one too many, a step off the piste: all are paid.
        let doped = FencerSetup {
            drug_count: 7,
            walk_skill: 35,
            ..at(0)
        };
        for (code, cost) in [("LUNGE", 5), ("WALK_DRUG", 5), ("RETREAT", 1)] {
            let mut game = duel(doped, at(300));
            turn(&mut game, code, "BREAK");
            assert_eq!(energy(&game)[0], 20 - cost, "{code}");
        }
        let mut game = duel(
            FencerSetup {
                energy: 2,
                ..at(220)
            },
            at(260),
        );
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(energy(&game)[0], -3);
    }

    #[test]
    fn who_runs_out_does_nothing_in_that_turn_but_can_be_touched() {
        let dry = FencerSetup {
            energy: 3,
            ..at(220)
        };
        for code in ["LUNGE", "DOUBLE_WALK", "WALK_DRUG"] {
            let mut game = duel(dry, at(260));
            let events = turn(&mut game, code, "LUNGE");
            assert!(events.contains(&Event::Exhausted { seat: Seat::First }));
            assert_eq!(
                (points(&game), positions(&game)),
                ([0, 1], [220, 260]),
                "{code}"
            );
            assert_eq!(fencer(&game, Seat::First).drugs, 0);
        }
        // A parry that cannot be paid holds nothing.
        let mut game = duel(
            FencerSetup {
                energy: 1,
                ..at(220)
            },
            at(260),
        );
        turn(&mut game, "PARRY", "LUNGE");
        assert_eq!((points(&game), energy(&game)), ([0, 1], [-1, 15]));
    }

    #[test]
    fn a_parry_can_exhaust_the_striker() {
        for (before, is_over) in [(5, true), (6, true), (7, false)] {
            let mut game = duel(
                FencerSetup {
                    energy: before,
                    ..at(200)
                },
                at(300),
            );
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
        let long = FencerSetup {
            lunge_distance_skill: 5,
            drug_count: 1,
            ..at(200)
        };
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

mod game_protocol {
    use super::*;

    #[test]
    fn two_lines_a_turn_own_data_then_the_opponents() {
        let first = FencerSetup {
            energy: 3,
            score: 4,
            drug_count: 7,
            break_skill: 10,
            walk_skill: 5,
            double_walk_skill: 10,
            retreat_skill: 5,
            double_retreat_skill: 10,
            lunge_distance_skill: 5,
            parry_distance_skill: -5,
            ..at(220)
        };
        let second = FencerSetup {
            energy_max: 30,
            drug_count: 2,
            ..at(310)
        };
        let game = duel(first, second);
        let expected = [
            "220 3 4 7 20 10 5 10 5 10 5 -5",
            "310 20 0 2 30 0 0 0 0 0 0 0",
        ];
        assert_eq!(prompt(&game, Seat::First), expected);
    }

    #[test]
    fn the_second_player_sees_the_piste_from_its_own_end() {
        let game = duel(at(220), at(310));
        let expected = ["190 20 0 0 20 0 0 0 0 0 0 0", "280 20 0 0 20 0 0 0 0 0 0 0"];
        assert_eq!(prompt(&game, Seat::Second), expected);
    }

    #[test]
    fn both_start_and_respawn_at_200_and_see_the_opponent_at_300() {
        let start_lines = ["200 20 0 0 20 0 0 0 0 0 0 0", "300 20 0 0 20 0 0 0 0 0 0 0"];
        let mut game = start(1);
        for seat in Seat::BOTH {
            assert_eq!(prompt(&game, seat), start_lines);
        }
        for _ in 0..3 {
            turn(&mut game, "WALK", "WALK");
        }
        respawn(&mut game);
        assert_eq!(
            prompt(&game, Seat::Second)[0],
            "200 17 0 0 20 0 0 0 0 0 0 0"
        );
    }

    #[test]
    fn nothing_is_said_before_the_first_turn_or_after_a_turn() {
        let (mut wire, game, mut out) = (wire(), start(1), Outbox::default());
        wire.start(&game.views(), &mut out);
        wire.tell(&[Event::Respawned], game.outcome().as_ref(), &mut out);
        assert!(out.0.is_empty());
    }

    #[test]
    fn the_answer_is_one_command() {
        for action in Action::ALL {
            assert_eq!(hear(&mut wire(), action.code()), Intake::Action(action));
        }
    }

    /// The original splits the line at blanks and drops empty parts at the end.
    #[test]
    fn trailing_blanks_are_accepted() {
        for line in ["WALK ", "WALK   "] {
            assert_eq!(hear(&mut wire(), line), Intake::Action(Action::Walk));
        }
    }

    #[test]
    fn anything_else_is_invalid() {
        let lines = [
            "",
            " ",
            "   ",
            " WALK",
            "WALK WALK",
            "WALK RETREAT",
            "WALK\t",
            "\tWALK",
            "walk",
            "Walk",
            "0",
            "2",
            "WALK;",
            "WALK,",
            "DOUBLE WALK",
            "DOUBLE-WALK",
            "DOUBLEWALK",
            "WALK\u{a0}",
            "WALK\u{fffd}",
            "ＷＡＬＫ",
            "WALK\r",
            "SUPPRESS",
            "MIDDLE_POSTURE",
            "RIGHT_POSTURE",
            "LEFT_POSTURE",
            "NOTHING",
        ];
        for line in lines {
            assert!(
                matches!(hear(&mut wire(), line), Intake::Malformed(_)),
                "{line:?}"
            );
        }
    }

    #[test]
    fn a_command_above_the_league_is_invalid_and_ends_the_match() {
        for league in [1, 2, 3] {
            for row in &TABLE {
                let mut game = start(league);
                let events = turn(&mut game, row.code, "WALK");
                let is_refused = events.contains(&Event::Refused {
                    seat: Seat::First,
                    why: Refusal::Locked(row.action),
                });
                assert_eq!(
                    is_refused,
                    row.league > league,
                    "league {league} {}",
                    row.code
                );
                assert_eq!(game.outcome().is_some(), is_refused);
                if is_refused {
                    assert_eq!((scores(&game), positions(&game)), ([-1, 1], [200, 300]));
                }
            }
        }
    }

    #[test]
    fn both_are_judged_even_if_the_first_failed() {
        let mut game = start(1);
        turn(&mut game, "DOUBLE_WALK", "WALK_DRUG");
        assert_eq!(scores(&game), [-1, -1]);
        assert_eq!(game.offences().0, [Some(Offence::Invalid); 2]);
    }

    #[test]
    fn surplus_lines_wait_for_the_next_turn() {
        let mut out = Outbox::default();
        let heard = wire().hear(Seat::First, false, "WALK", &mut out);
        assert_eq!(heard, Intake::Later);
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
            let numbers: Vec<i8> = figures
                .split(' ')
                .map(|figure| figure.parse().expect("a number"))
                .collect();
            let ours = [
                row.energy,
                row.energy_transfer,
                row.step,
                row.distance,
                row.drug,
            ];
            assert_eq!((row.code, &ours[..]), (code, &numbers[..5]));
            assert_eq!(i16::from(row.league), i16::from(numbers[5]), "{code}");
        }
        assert_eq!(expected.lines().count(), TABLE.len());
    }
}

mod options {
    use super::*;

    #[test]
    fn league_three_of_the_document_is_the_default() {
        let config = Fencing::configure(&Options::default()).expect("the usual config");
        assert_eq!(config, common::config(3, Switches::DOCUMENT));
    }

    #[test]
    fn leagues_that_do_not_exist_are_refused() {
        let choose = |league| {
            Fencing::configure(&Options {
                league: Some(league),
                ..Options::default()
            })
        };
        for league in [1, 2, 3] {
            assert_eq!(choose(league).expect("a league").league, league);
        }
        let error = choose(4).expect_err("there is no league 4");
        assert_eq!(error.to_string(), "league: expected 1, 2 or 3, got 4");
    }
}

fn wire() -> Wire {
    Wire::new(&Opening {
        names: PerSeat::default(),
        first_message_id: 1,
    })
}

fn hear(wire: &mut Wire, line: &str) -> Intake<Action> {
    wire.hear(Seat::First, true, line, &mut Outbox::default())
}

fn prompt(game: &Fencing, seat: Seat) -> Vec<String> {
    let mut out = Outbox::default();
    wire().prompt(seat, &game.view(seat), &mut out);
    let lines = out.0.into_iter().map(|(to, item)| match item {
        Item::Line(line) if to == seat => line,
        other => panic!("{other:?} to {to:?}"),
    });
    lines.collect()
}
