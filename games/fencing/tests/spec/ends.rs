//! Goal, victory, defeat and scoring: how a match ends and what it is worth.

use super::*;

mod the_goal {
    use super::*;

    #[test]
    fn touching_the_opponent_scores() {
        let mut game = duel(at(220), at(260));
        let events = turn(&mut game, "LUNGE", "BREAK");
        assert!(events.contains(&Event::Touched { striker: Seat::First }));
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
        let mut game = duel(FencerSetup { score: 19, ..at(220) }, at(260));
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(points(&game), [20, 0]);
        assert_eq!(reason(&game), "decisive victory");
    }
}

mod victory_conditions {
    use super::*;

    #[test]
    fn more_points_at_the_end_win() {
        let last = Setup { turn: 199, ..setup(FencerSetup { score: 3, ..at(200) }, at(300)) };
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
                FencerSetup { score: own, ..at(220) },
                FencerSetup { score: other, ..at(260) },
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
        let last = Setup { turn: 199, ..setup(at(200), FencerSetup { score: 1, ..at(300) }) };
        let mut game = new(1, Switches::DOCUMENT, last);
        turn(&mut game, "BREAK", "BREAK");
        assert_eq!(scores(&game), [0, 1]);
    }

    #[test]
    fn forfeit_is_running_out_of_energy() {
        let mut game = duel(FencerSetup { energy: 0, ..at(200) }, at(300));
        turn(&mut game, "WALK", "BREAK");
        assert_eq!(game.offences().0, [Some(Offence::Forfeit), None]);
        assert_eq!((scores(&game), reason(&game)), ([-1, 1], "forfeit, out of energy"));
    }

    /// D7: the range of the input begins at 0, so 0 can be played with.
    #[test]
    fn energy_zero_is_not_out_of_energy() {
        let mut game = duel(FencerSetup { energy: 5, ..at(200) }, at(300));
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
        assert_eq!((scores(&game), reason(&game)), ([-1, -1], "non-combativity"));
        assert_eq!(verdicts(&game), [Verdict::Disqualified; 2]);
    }

    /// D8: the document does not say whether respawns count among the 200 turns. They do.
    #[test]
    fn respawn_turns_count() {
        let mut game = new(1, Switches::DOCUMENT, Setup { turn: 198, ..setup(at(220), at(260)) });
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!(game.outcome(), None);
        respawn(&mut game);
        assert_eq!((game.turn(), scores(&game)), (200, [1, 0]));
        assert_eq!(positions(&game), [200, 300]);
        let mut game = new(1, Switches::DOCUMENT, Setup { turn: 199, ..setup(at(220), at(260)) });
        turn(&mut game, "LUNGE", "BREAK");
        assert_eq!((scores(&game), positions(&game)), ([1, 0], [220, 260]));
    }

    #[test]
    fn no_answer_in_due_time_disqualifies() {
        for silence in [Fault::Late, Fault::Gone(Exit::Code(1)), Fault::Flooded] {
            let mut game = start(1);
            let events = fault(&mut game, "WALK", silence);
            let why = Refusal::Silent;
            assert!(events.contains(&Event::Refused { seat: Seat::Second, why }));
            assert_eq!((scores(&game), reason(&game)), ([1, -1], "no answer"));
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
        assert!(events.contains(&Event::Refused { seat: Seat::Second, why }));
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
        assert_eq!((doper.drugs, doper.abilities[Ability::LungeDistance]), (7, 0));
    }
}

mod scoring {
    use super::*;

    fn last_turn(first: FencerSetup, second: FencerSetup, actions: [&str; 2]) -> Fencing {
        let setup = Setup { turn: 199, ..setup(first, second) };
        let mut game = new(3, Switches::DOCUMENT, setup);
        turn(&mut game, actions[0], actions[1]);
        game
    }

    #[test]
    fn a_win_is_1_and_a_defeat_0() {
        let game = last_turn(FencerSetup { score: 2, ..at(200) }, at(300), ["BREAK", "BREAK"]);
        assert_eq!(scores(&game), [1, 0]);
    }

    #[test]
    fn disqualified_is_minus_1_whatever_the_points() {
        let leader = FencerSetup { score: 19, energy: 0, ..at(200) };
        let game = last_turn(leader, at(300), ["WALK", "BREAK"]);
        assert_eq!(scores(&game), [-1, 1]);
    }

    /// D11: the document does not mention a draw.
    #[test]
    fn equal_points_are_0_for_both() {
        let one = |position| FencerSetup { score: 1, ..at(position) };
        let game = last_turn(one(200), one(300), ["BREAK", "BREAK"]);
        assert_eq!((scores(&game), verdicts(&game)), ([0, 0], [Verdict::Draw; 2]));
    }

    /// D12: the document is silent on ends that coincide.
    #[test]
    fn two_offences_in_one_turn_are_minus_1_for_both() {
        let doped = FencerSetup { drug_count: 7, walk_skill: 35, ..at(200) };
        let dry = FencerSetup { energy: 0, ..at(300) };
        let game = last_turn(doped, dry, ["WALK_DRUG", "WALK"]);
        assert_eq!(scores(&game), [-1, -1]);
        assert_eq!(game.offences().0, [Some(Offence::Doping), Some(Offence::Forfeit)]);
    }
}
