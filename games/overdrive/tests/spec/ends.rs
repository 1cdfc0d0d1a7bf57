//! The end of a race, and the score.

use super::*;

mod endgame {
    use super::*;

    fn finish(first: CarSetup, second: CarSetup) -> Option<Seat> {
        let mut race = Race::document(setup(first, second));
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.reason(), "both finished");
        race.winner()
    }

    #[test]
    fn if_both_finish_the_higher_speed_wins() {
        assert_eq!(finish(at(1, 1499, 9), at(4, 1499, 8)), Some(FIRST));
        let richer = CarSetup { score: 50, ..at(1, 1499, 8) };
        assert_eq!(finish(richer, at(4, 1499, 9)), Some(SECOND));
    }

    #[test]
    fn at_the_same_speed_the_higher_score_wins() {
        let richer = CarSetup { score: 1, ..at(4, 1499, 9) };
        assert_eq!(finish(at(1, 1499, 9), richer), Some(SECOND));
    }

    #[test]
    fn d21_level_in_all_the_first_player_wins() {
        assert_eq!(finish(at(1, 1499, 9), at(4, 1499, 9)), Some(FIRST));
    }

    #[test]
    fn d21_after_600_rounds_the_car_in_front_wins() {
        let mut start = setup(at(1, 500, 0), at(4, 501, 0));
        start.round = 599;
        let mut race = Race::document(start);
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.winner(), race.reason()), (Some(SECOND), "max rounds"));
        let mut start = setup(at(1, 500, 0), at(4, 500, 0));
        start.round = 599;
        let mut race = Race::document(start);
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.winner(), race.reason()), (Some(FIRST), "max rounds, level on blocks"));
    }
}

mod score {
    use super::*;

    #[test]
    fn all_start_with_0() {
        let setup = Overdrive::generate(&Config::default(), 1);
        assert_eq!(setup.players.0.map(|car| car.score), [0, 0]);
    }

    #[test]
    fn what_lies_on_the_way_scores() {
        let score = |surface| {
            let mut race = alone_on(at(2, 100, 5), &[(2, 103, surface)]);
            race.round("NOTHING", "NOTHING");
            race.scores()[0]
        };
        assert_eq!(score(Surface::Mud), -3);
        assert_eq!(score(Surface::OilSpill), -4);
        assert_eq!(score(Surface::Wall), -5, "D7: by the engine");
        for surface in [Surface::OilItem, Surface::Boost, Surface::Lizard, Surface::Tweet] {
            assert_eq!(score(surface), 4);
        }
    }

    #[test]
    fn using_a_powerup_scores_4() {
        // D6: the lizard too.
        for command in ["USE_BOOST", "USE_OIL", "USE_LIZARD", "USE_TWEET 1 1", "USE_EMP"] {
            let all = &["BOOST", "OIL", "LIZARD", "TWEET", "EMP"];
            let mut race = alone(with(at(1, 100, 5), all));
            race.round(command, "NOTHING");
            assert_eq!(race.scores(), [4, 0], "{command}");
        }
    }

    #[test]
    fn an_invalid_command_costs_5() {
        for command in ["TURN_LEFT", "USE_BOOST", "ACCELERATE!", ""] {
            let mut race = alone(at(1, 100, 5));
            race.round(command, "NOTHING");
            assert_eq!(race.scores(), [-5, 0], "{command:?}");
        }
        let mut race = Race::document(setup(at(4, 100, 5), at(1, 100, 5)));
        race.round("TURN_RIGHT", "NOTHING");
        assert_eq!(race.scores(), [-5, 0]);
    }

    #[test]
    fn no_answer_in_time_costs_5_whatever_kept_it_away() {
        for fault in [Fault::Late, Fault::Gone(Exit::Code(1)), Fault::Flooded] {
            let mut race = alone(at(1, 100, 5));
            let events = race.missing(fault);
            assert!(events.contains(&Event::Invalid { seat: FIRST, why: Invalid::Missing }));
            assert_eq!((race.scores(), race.place(FIRST)), ([-5, 0], (1, 105)));
        }
    }

    #[test]
    fn once_a_round_however_much_is_wrong() {
        let mut race = alone(at(1, 100, 5));
        race.round("USE_TWEET 9 9999", "NOTHING");
        assert_eq!(race.scores(), [-5, 0]);
    }
}
