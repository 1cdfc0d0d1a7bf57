//! The car, its states, and the commands that need no powerup.

use super::*;

mod the_car {
    use super::*;

    #[test]
    fn a_car_begins_with_a_speed_of_5_and_moves_five_blocks_a_round() {
        let config = Config::default();
        let setup = Overdrive::generate(&config, 1);
        assert_eq!(setup.players.0.each_ref().map(|car| car.speed), [5, 5]);
        let mut race = alone(at(1, 1, 5));
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.place(FIRST), (1, 6));
    }

    #[test]
    fn powerups_are_collected_by_continuing_over_their_block() {
        let mut race = alone_on(at(2, 100, 5), &[(2, 103, Surface::Boost)]);
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.powerups(FIRST), ["BOOST"]);
        race.round("USE_BOOST", "NOTHING");
        assert_eq!((race.speed(FIRST), race.powerups(FIRST)), (15, vec![]));
    }

    #[test]
    fn a_powerup_that_is_not_held_does_nothing_and_costs_score() {
        for command in ["USE_BOOST", "USE_OIL", "USE_LIZARD", "USE_TWEET 1 500", "USE_EMP"] {
            let mut race = alone(at(2, 100, 5));
            race.round(command, "NOTHING");
            assert_eq!(race.place(FIRST), (2, 105));
            assert_eq!((race.states(FIRST), race.scores()[0]), (vec!["NOTHING"], -5), "{command}");
        }
    }

    /// What a round of the first car leaves as its state.
    fn state(car: CarSetup, what: &[(u8, u16, Surface)], command: &str) -> State {
        let mut race = alone_on(car, what);
        race.round(command, "NOTHING");
        race.state(FIRST)
    }

    #[test]
    fn all_players_start_in_ready() {
        let config = Config::default();
        for car in Overdrive::generate(&config, 1).players.0 {
            assert_eq!(car.states, ["READY"]);
        }
    }

    #[test]
    fn each_command_leaves_its_state() {
        let car = || with(at(2, 100, 5), &["BOOST", "OIL", "LIZARD", "TWEET", "EMP"]);
        let check = |command, expected| assert_eq!(state(car(), &[], command), expected);
        check("NOTHING", State::Nothing);
        check("TURN_LEFT", State::TurningLeft);
        check("TURN_RIGHT", State::TurningRight);
        check("ACCELERATE", State::Accelerating);
        check("DECELERATE", State::Decelerating);
        check("USE_BOOST", State::UsedBoost);
        check("USE_OIL", State::UsedOil);
        check("USE_LIZARD", State::UsedLizard);
        check("USE_TWEET 4 76", State::UsedTweet);
        check("USE_EMP", State::UsedEmp);
        check("FIX", State::FixedCar);
    }

    #[test]
    fn what_lies_on_the_way_leaves_its_state() {
        let hit = |surface| state(at(2, 100, 5), &[(2, 103, surface)], "NOTHING");
        assert_eq!(hit(Surface::Mud), State::HitMud);
        assert_eq!(hit(Surface::OilSpill), State::HitOil);
        assert_eq!(hit(Surface::Wall), State::HitWall);
        assert_eq!(hit(Surface::Boost), State::PickedUpPowerup);
        assert_eq!(state(at(2, 1497, 5), &[], "NOTHING"), State::Finished);
    }

    #[test]
    fn trucks_and_emps_leave_their_state() {
        let mut trucked = setup(at(2, 100, 5), at(4, 1000, 5));
        trucked.trucks = vec![(2, 103)];
        let mut race = Race::document(trucked);
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.state(FIRST), State::HitCyberTruck);
        let mut race = Race::document(setup(at(2, 100, 5), with(at(2, 50, 5), &["EMP"])));
        race.round("NOTHING", "USE_EMP");
        assert_eq!(race.states(FIRST), ["NOTHING", "HIT_EMP"]);
    }

    #[test]
    fn d8_pickups_stand_before_the_first_hit_and_the_finish_is_last() {
        let what = [
            (2, 1494, Surface::Mud),
            (2, 1495, Surface::Boost),
            (2, 1496, Surface::Wall),
            (2, 1497, Surface::Emp),
        ];
        let mut race = alone_on(at(2, 1492, 8), &what);
        race.round("NOTHING", "NOTHING");
        let picked = "PICKED_UP_POWERUP";
        let expected = ["NOTHING", picked, picked, "HIT_MUD", "HIT_WALL", "FINISHED"];
        assert_eq!(race.states(FIRST), expected);
    }
}

mod the_commands {
    use super::*;

    #[test]
    fn commands_are_validated_before_any_is_executed() {
        // The tweet that would be refunded to the second car comes too late for its own command.
        let mut race = Race::document(setup(at(1, 100, 5), at(3, 100, 5)));
        let events = race.round("JUMP", "USE_TWEET 1 1");
        let invalid: Vec<&Event> =
            events.iter().filter(|event| matches!(event, Event::Invalid { .. })).collect();
        let expected = [
            Event::Invalid { seat: FIRST, why: Invalid::Unreadable(Unreadable::Word) },
            Event::Invalid { seat: SECOND, why: Invalid::NotHeld(Powerup::Tweet) },
        ];
        assert_eq!(invalid, expected.iter().collect::<Vec<_>>());
    }

    #[test]
    fn refused_commands_are_counted_and_a_tweet_that_is_given_back_is_not() {
        let counted =
            |events: Vec<Event>| events.iter().filter_map(Overdrive::refused).collect::<Vec<_>>();
        for command in ["JUMP", "USE_OIL", "USE_TWEET", "TURN_LEFT"] {
            let mut race = Race::document(setup(at(1, 100, 5), at(3, 100, 5)));
            assert_eq!(counted(race.round(command, "NOTHING")), [FIRST], "{command}");
        }
        let tweeter = |lane| with(at(lane, 100, 5), &["TWEET"]);
        let mut race = Race::document(setup(tweeter(1), tweeter(3)));
        let events = race.round("USE_TWEET 2 300", "USE_TWEET 2 300");
        assert!(events.iter().any(|event| matches!(event, Event::TweetRefunded { .. })));
        assert_eq!(counted(events), []);
        assert_eq!(counted(alone(at(1, 100, 5)).missing(Fault::Late)), []);
    }

    #[test]
    fn an_invalid_command_does_nothing_and_costs_score() {
        for command in ["JUMP", "", "USE_TWEET", "USE_TWEET 5 1", "USE_TWEET 1 x", "FIX\tnow"] {
            let mut race = alone(with(at(2, 100, 5), &["TWEET"]));
            race.round(command, "NOTHING");
            assert_eq!(race.place(FIRST), (2, 105), "{command:?}");
            assert_eq!((race.states(FIRST), race.scores()[0]), (vec!["NOTHING"], -5));
            assert_eq!(race.powerups(FIRST), ["TWEET"]);
        }
    }

    #[test]
    fn d2_too_many_invalid_commands_invalidate_the_race() {
        let mut race = alone(at(2, 100, 0));
        for _ in 0..19 {
            race.round("JUMP", "FIX");
        }
        assert_eq!(race.game.outcome(), None);
        race.round("JUMP", "FIX");
        let outcome = race.game.outcome().expect("twenty in a row");
        assert_eq!(outcome.verdicts.0, [Verdict::Disqualified, Verdict::Win]);
        assert_eq!((outcome.reason, outcome.scores.0), ("disqualified", [-100, 0]));
    }

    #[test]
    fn d2_a_valid_command_resets_the_count() {
        let mut race = alone(at(2, 100, 0));
        for round in 1..=60 {
            race.round(if round % 20 == 0 { "NOTHING" } else { "JUMP" }, "FIX");
        }
        assert_eq!(race.game.outcome(), None);
        assert_eq!(race.scores()[0], -57 * 5);
    }

    #[test]
    fn d2_if_both_send_too_many_nobody_wins() {
        let mut race = Race::document(setup(at(2, 100, 0), at(3, 100, 0)));
        for _ in 0..20 {
            race.round("JUMP", "JUMP");
        }
        assert_eq!((race.winner(), race.reason()), (None, "race invalid"));
    }

    #[test]
    fn d2_a_finish_in_the_same_round_counts_first() {
        let mut race = Race::document(setup(at(2, 1442, 3), at(3, 100, 0)));
        for _ in 0..20 {
            race.round("JUMP", "FIX");
        }
        assert_eq!((race.winner(), race.reason()), (Some(FIRST), "finished"));
    }

    #[test]
    fn both_commands_are_executed_at_the_same_time() {
        // Each is ahead of the other when the round begins only once, whoever is asked first.
        for (first, second) in [((2, 100), (2, 110)), ((2, 110), (2, 100))] {
            let car = |(lane, block)| with(at(lane, block, 9), &["EMP"]);
            let mut race = Race::document(setup(car(first), car(second)));
            race.round("USE_EMP", "USE_EMP");
            let held = if first.1 > second.1 { FIRST } else { SECOND };
            assert_eq!(race.place(held), (2, 110));
        }
    }
}

mod speed {
    use super::*;

    #[test]
    fn the_speed_is_the_number_of_blocks() {
        for speed in [0, 3, 5, 6, 8, 9, 15] {
            let mut race = alone(at(2, 100, speed));
            race.round("NOTHING", "NOTHING");
            assert_eq!(race.place(FIRST), (2, 100 + u16::from(speed)));
        }
    }

    #[test]
    fn accelerating_and_decelerating_walk_along_the_speed_states() {
        let after = |speed: u8, command: &str| {
            let mut race = alone(at(2, 100, speed));
            race.round(command, "NOTHING");
            race.speed(FIRST)
        };
        let up = [0, 3, 5, 6, 8, 9, 15].map(|speed| after(speed, "ACCELERATE"));
        assert_eq!(up, [3, 6, 6, 8, 9, 9, 15]);
        let down = [15, 9, 8, 6, 5, 3, 0].map(|speed| after(speed, "DECELERATE"));
        assert_eq!(down, [9, 8, 6, 3, 3, 0, 0]);
    }
}

mod command_structure {
    use super::*;

    #[test]
    fn a_command_follows_c_and_the_round_number() {
        assert_eq!(heard("C;1;ACCELERATE"), Intake::Action(Action::Accelerate));
        for line in ["C;2;ACCELERATE", "ACCELERATE", "c;1;ACCELERATE", "-C;1;FIX", "C;1", ""] {
            assert_eq!(heard(line), Intake::Ignored, "{line:?}");
        }
    }

    #[test]
    fn d3_the_prose_says_do_nothing_and_means_nothing() {
        for text in ["NOTHING", "DO_NOTHING"] {
            let mut race = alone(at(2, 100, 5));
            race.round(text, "NOTHING");
            assert_eq!((race.states(FIRST), race.scores()[0]), (vec!["NOTHING"], 0));
        }
    }
}

mod nothing_accelerate_decelerate {
    use super::*;

    #[test]
    fn nothing_keeps_speed_and_lane() {
        let mut race = alone(at(3, 100, 8));
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((3, 108), 8));
    }

    #[test]
    fn accelerate_goes_to_the_next_speed_state_up_to_the_maximum_in_the_same_lane() {
        let mut race = alone(at(3, 100, 8));
        race.round("ACCELERATE", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((3, 109), 9));
        race.round("ACCELERATE", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((3, 118), 9));
    }

    #[test]
    fn decelerate_goes_to_the_previous_speed_state_down_to_the_minimum_in_the_same_lane() {
        let mut race = alone(at(3, 100, 3));
        race.round("DECELERATE", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((3, 100), 0));
        race.round("DECELERATE", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((3, 100), 0));
    }
}

mod turning {
    use super::*;

    #[test]
    fn left_is_one_lane_up_and_right_one_lane_down() {
        let mut race = alone(at(2, 100, 6));
        race.round("TURN_LEFT", "NOTHING");
        assert_eq!(race.place(FIRST), (1, 105));
        race.round("TURN_RIGHT", "NOTHING");
        assert_eq!(race.place(FIRST), (2, 110));
    }

    #[test]
    fn the_first_block_is_directly_beside_and_the_rest_forward_in_the_new_lane() {
        let mut race = alone_on(at(2, 100, 6), &[(1, 100, Surface::Boost), (2, 101, Surface::Mud)]);
        race.round("TURN_LEFT", "NOTHING");
        assert_eq!((race.powerups(FIRST), race.speed(FIRST)), (vec!["BOOST"], 6));
    }

    #[test]
    fn the_speed_does_not_change_and_the_way_is_speed_minus_1() {
        let mut race = alone(at(2, 100, 9));
        race.round("TURN_RIGHT", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((3, 108), 9));
    }

    #[test]
    fn a_turn_out_of_the_track_keeps_the_lane_costs_a_block_and_score() {
        for (lane, command) in [(1, "TURN_LEFT"), (4, "TURN_RIGHT")] {
            let mut race = Race::document(setup(at(lane, 100, 6), at(2, 1000, 5)));
            race.round(command, "NOTHING");
            assert_eq!((race.place(FIRST), race.speed(FIRST)), ((lane, 105), 6));
            assert_eq!((race.scores()[0], race.states(FIRST)), (-5, vec!["NOTHING"]));
        }
    }

    #[test]
    fn a_car_that_stands_cannot_turn() {
        let mut race = alone(at(2, 100, 0));
        race.round("TURN_LEFT", "NOTHING");
        assert_eq!((race.place(FIRST), race.scores()[0]), ((2, 100), 0));
        let mut race = alone(at(1, 100, 0));
        race.round("TURN_LEFT", "NOTHING");
        assert_eq!((race.place(FIRST), race.scores()[0]), ((1, 100), -5), "invalid all the same");
    }
}

mod fix {
    use super::*;

    #[test]
    fn fixing_removes_two_damage_points_and_the_car_stays() {
        for (damage, left) in [(5, 3), (2, 0), (1, 0), (0, 0)] {
            let mut race = alone(damaged(at(2, 100, 0), damage));
            race.round("FIX", "NOTHING");
            assert_eq!((race.car(FIRST).damage, race.place(FIRST)), (left, (2, 100)));
        }
    }
}
