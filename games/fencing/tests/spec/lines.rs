//! The lines of the protocol, and the choices of an organiser.

use super::*;

mod cautions {
    use super::*;

    #[test]
    fn leagues_two_and_three_add_rules_and_league_three_is_the_last() {
        let league = Fencing::SETTINGS.iter().find(|setting| setting.name == "league");
        assert_eq!(league.map(|setting| setting.unit), Some(Unit::OneOf(&["1", "2", "3"])));
        assert_eq!([1, 2, 3].map(|league| Action::of_league(league).len()), [5, 7, 15]);
    }

    #[test]
    fn variables_of_the_next_leagues_are_sent_in_every_league() {
        for league in [1, 2, 3] {
            let lines = prompt(&start(league), Seat::First);
            assert!(lines.iter().all(|line| line.split(' ').count() == 12));
        }
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
        let second = FencerSetup { energy_max: 30, drug_count: 2, ..at(310) };
        let game = duel(first, second);
        let expected = ["220 3 4 7 20 10 5 10 5 10 5 -5", "310 20 0 2 30 0 0 0 0 0 0 0"];
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
        assert_eq!(prompt(&game, Seat::Second)[0], "200 17 0 0 20 0 0 0 0 0 0 0");
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
            assert!(matches!(hear(&mut wire(), line), Intake::Malformed(_)), "{line:?}");
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
                assert_eq!(is_refused, row.league > league, "league {league} {}", row.code);
                assert_eq!(game.outcome().is_some(), is_refused);
                if is_refused {
                    assert_eq!((scores(&game), positions(&game)), ([-1, 1], [200, 300]));
                }
            }
        }
    }

    #[test]
    fn refused_commands_are_counted_and_ways_to_lose_are_not() {
        let counted =
            |events: Vec<Event>| events.iter().filter_map(Fencing::refused).collect::<Vec<_>>();
        assert_eq!(counted(turn(&mut start(1), "DOUBLE_WALK", "WALK")), [Seat::First]);
        let error = ParseError::new("a command", "FLY");
        let unreadable = fault(&mut start(1), "WALK", Fault::Malformed(error));
        assert_eq!(counted(unreadable), [Seat::Second]);
        assert_eq!(counted(fault(&mut start(1), "WALK", Fault::Late)), []);
        // The document calls it a forfeit, and no invalid command.
        let dry = FencerSetup { energy: 3, ..at(220) };
        let mut game = duel(dry, at(260));
        let events = turn(&mut game, "LUNGE", "BREAK");
        assert!(events.contains(&Event::Exhausted { seat: Seat::First }));
        assert_eq!(counted(events), []);
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

mod options {
    use super::*;

    #[test]
    fn league_three_of_the_document_is_the_default() {
        let config = Fencing::config(Edition::Document);
        assert_eq!(config, common::config(3, Switches::DOCUMENT));
    }

    #[test]
    fn a_longer_limit_raises_that_of_the_first_answer_and_a_shorter_one_leaves_it() {
        let limits = |limit: &str| {
            let choice = ConfigChoice::default().with("limit", limit);
            let config = configure::<Fencing>(&choice, None).expect("possible");
            [config.time_limits.first_ms, config.time_limits.later_ms]
        };
        assert_eq!(limits("5ms"), [1000, 5]);
        assert_eq!(limits("7s"), [7000, 7000]);
    }

    #[test]
    fn leagues_that_do_not_exist_are_refused() {
        let choose = |league: u8| {
            configure::<Fencing>(&ConfigChoice::default().with("league", league), None)
        };
        for league in [1, 2, 3] {
            assert_eq!(choose(league).expect("a league").league, league);
        }
        let error = choose(4).expect_err("there is no league 4");
        assert_eq!(error.to_string(), "league: expected 1, 2 or 3, got 4");
    }
}
