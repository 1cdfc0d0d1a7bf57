//! Boost, oil, tweets, lizards and EMPs.

use super::*;

mod use_boost {
    use super::*;

    #[test]
    fn a_boost_gives_boost_speed_for_5_turns() {
        let mut race = alone(with(at(2, 100, 5), &["BOOST"]));
        race.round("USE_BOOST", "NOTHING");
        for turn in 1..=4 {
            assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 100 + 15 * turn), 15));
            race.round("NOTHING", "NOTHING");
        }
        assert_eq!(race.place(FIRST), (2, 175));
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 184), 9));
        assert!(!race.car(FIRST).is_boosting);
    }

    #[test]
    fn any_deceleration_cancels_it_and_brings_the_speed_to_the_maximum() {
        let boosting = || CarSetup { boosting: true, boost_counter: 4, ..at(2, 100, 15) };
        let mut race = alone(boosting());
        race.round("DECELERATE", "NOTHING");
        assert_eq!((race.speed(FIRST), race.car(FIRST).is_boosting), (9, false));
        for surface in [Surface::Mud, Surface::OilSpill] {
            let mut race = alone_on(boosting(), &[(2, 110, surface)]);
            race.round("NOTHING", "NOTHING");
            assert_eq!((race.speed(FIRST), race.car(FIRST).boost_counter), (9, 0), "{surface:?}");
        }
    }

    #[test]
    fn without_one_it_is_do_nothing() {
        let mut race = alone(at(2, 100, 5));
        race.round("USE_BOOST", "NOTHING");
        assert_eq!((race.states(FIRST), race.place(FIRST)), (vec!["NOTHING"], (2, 105)));
    }
}

mod use_oil {
    use super::*;

    #[test]
    fn an_oil_block_is_placed_directly_underneath() {
        let mut race = alone(with(at(2, 100, 5), &["OIL"]));
        race.round("USE_OIL", "NOTHING");
        assert_eq!(race.game.surface(Place::new(2, 100)), Surface::OilSpill);
        assert_eq!((race.place(FIRST), race.states(FIRST)), ((2, 105), vec!["USED_OIL"]));
    }

    #[test]
    fn whoever_passes_through_it_is_slowed_as_by_mud() {
        let mut race = Race::document(setup(with(at(2, 100, 9), &["OIL"]), at(2, 95, 8)));
        race.round("USE_OIL", "NOTHING");
        assert_eq!((race.speed(SECOND), race.states(SECOND)), (6, vec!["NOTHING", "HIT_OIL"]));
        assert_eq!((race.scores()[1], race.car(SECOND).damage), (-4, 1));
    }

    #[test]
    fn d5_except_the_one_who_dropped_it() {
        // A truck in front throws the car back onto its own oil.
        let mut start = setup(with(at(2, 100, 6), &["OIL"]), at(4, 1000, 5));
        start.trucks = vec![(2, 101)];
        let mut race = Race::document(start);
        race.round("USE_OIL", "NOTHING");
        assert_eq!(race.place(FIRST), (2, 100));
        assert_eq!(race.states(FIRST), ["USED_OIL", "HIT_CYBER_TRUCK"]);
    }

    #[test]
    fn without_oil_it_is_do_nothing() {
        let mut race = alone(at(2, 100, 5));
        race.round("USE_OIL", "NOTHING");
        assert_eq!(race.game.surface(Place::new(2, 100)), Surface::Empty);
    }
}

mod use_tweet {
    use super::*;

    fn tweeters(first: u8, second: u8) -> Race {
        let tweets = &["TWEET", "TWEET", "TWEET"];
        Race::document(setup(with(at(first, 100, 5), tweets), with(at(second, 100, 5), tweets)))
    }

    #[test]
    fn a_truck_stands_at_the_place_next_round() {
        let mut race = tweeters(1, 3);
        race.round("USE_TWEET 4 76", "NOTHING");
        assert_eq!(race.trucks(), [(4, 76)]);
    }

    #[test]
    fn who_collides_is_stuck_behind_it_and_slowed_to_3_and_it_disappears() {
        let mut start = setup(at(2, 100, 9), at(4, 1000, 5));
        start.trucks = vec![(2, 105), (2, 107)];
        let mut race = Race::document(start);
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 104), 3));
        assert_eq!(race.trucks(), [(2, 107)]);
    }

    #[test]
    fn another_tweet_moves_the_own_truck() {
        let mut race = tweeters(1, 3);
        race.round("USE_TWEET 4 76", "NOTHING");
        race.round("USE_TWEET 4 80", "NOTHING");
        assert_eq!(race.trucks(), [(4, 80)]);
    }

    #[test]
    fn the_others_place_is_refunded_and_the_own_truck_remains() {
        let mut race = tweeters(1, 3);
        race.round("USE_TWEET 4 76", "USE_TWEET 4 80");
        race.round("USE_TWEET 4 80", "NOTHING");
        assert_eq!(race.trucks(), [(4, 76), (4, 80)]);
        assert_eq!((race.powerups(FIRST).len(), race.scores()[0]), (2, 4));
    }

    #[test]
    fn both_to_one_place_are_refunded_and_their_trucks_remain() {
        let mut race = tweeters(1, 3);
        race.round("USE_TWEET 4 76", "USE_TWEET 4 80");
        race.round("USE_TWEET 4 90", "USE_TWEET 4 90");
        assert_eq!(race.trucks(), [(4, 76), (4, 80)]);
        assert_eq!(race.scores(), [4, 4]);
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.scores(), [4, 4], "D18: once");
    }

    #[test]
    fn without_a_tweet_it_is_do_nothing() {
        let mut race = alone(at(2, 100, 5));
        race.round("USE_TWEET 4 76", "NOTHING");
        assert!(race.trucks().is_empty());
    }

    #[test]
    fn case_1_one_is_stuck_behind_the_truck_and_the_other_behind_that_one() {
        let mut start = setup(at(2, 101, 9), at(2, 103, 9));
        start.trucks = vec![(2, 107)];
        let mut race = Race::document(start);
        race.round("NOTHING", "NOTHING");
        // Both meet the truck; then the rear car gives way to the front one.
        assert_eq!((race.place(FIRST), race.place(SECOND)), ((2, 105), (2, 106)));
    }

    #[test]
    fn case_2_each_stays_in_its_lane_on_the_block_behind_the_truck() {
        let mut start = setup(at(2, 101, 9), at(1, 103, 9));
        start.trucks = vec![(2, 107)];
        let mut race = Race::document(start);
        race.round("NOTHING", "TURN_RIGHT");
        assert_eq!((race.place(FIRST), race.place(SECOND)), ((2, 106), (1, 106)));
        assert!(race.trucks().is_empty());
    }
}

mod use_lizard {
    use super::*;

    #[test]
    fn everything_on_the_way_is_ignored_and_the_lane_kept() {
        let what = [(2, 102, Surface::Wall), (2, 103, Surface::Boost), (2, 104, Surface::Mud)];
        let mut start = laid(setup(with(at(2, 100, 6), &["LIZARD"]), at(2, 101, 3)), &what);
        start.trucks = vec![(2, 105)];
        let mut race = Race::document(start);
        race.round("USE_LIZARD", "FIX");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 106), 6));
        assert_eq!(race.states(FIRST), ["USED_LIZARD"]);
        assert_eq!(race.trucks(), [(2, 105)]);
    }

    #[test]
    fn what_lies_on_the_last_block_counts() {
        let mut race = alone_on(with(at(2, 100, 6), &["LIZARD"]), &[(2, 106, Surface::Wall)]);
        race.round("USE_LIZARD", "NOTHING");
        assert_eq!((race.speed(FIRST), race.car(FIRST).damage), (3, 2));
        let mut race = alone_on(with(at(2, 100, 6), &["LIZARD"]), &[(2, 106, Surface::Emp)]);
        race.round("USE_LIZARD", "NOTHING");
        assert_eq!(race.powerups(FIRST), ["EMP"]);
    }

    #[test]
    fn d11_who_lands_on_the_other_is_put_back() {
        for (jumper, stander) in [(FIRST, SECOND), (SECOND, FIRST)] {
            let car = |seat| match seat == jumper {
                true => with(at(1, 11, 9), &["LIZARD"]),
                false => at(1, 20, 3),
            };
            let mut race = Race::document(setup(car(FIRST), car(SECOND)));
            let command = |seat| if seat == jumper { "USE_LIZARD" } else { "FIX" };
            race.round(command(FIRST), command(SECOND));
            assert_eq!((race.place(jumper), race.place(stander)), ((1, 19), (1, 20)));
        }
    }

    #[test]
    fn without_a_lizard_it_is_do_nothing() {
        let mut race = alone_on(at(2, 100, 6), &[(2, 103, Surface::Mud)]);
        race.round("USE_LIZARD", "NOTHING");
        assert_eq!(race.states(FIRST), ["NOTHING", "HIT_MUD"]);
    }
}

mod use_emp {
    use super::*;

    /// Whether an EMP from lane 2, block 100 stops a car.
    fn is_hit(lane: u8, block: u16) -> bool {
        let mut race = Race::document(setup(with(at(2, 100, 5), &["EMP"]), at(lane, block, 9)));
        race.round("USE_EMP", "NOTHING");
        race.place(SECOND) == (lane, block)
    }

    #[test]
    fn the_blast_reaches_the_own_lane_and_the_two_beside_for_the_rest_of_the_map() {
        assert_eq!([1, 2, 3, 4].map(|lane| is_hit(lane, 101)), [true, true, true, false]);
        assert_eq!([1, 2, 3, 4].map(|lane| is_hit(lane, 1450)), [true, true, true, false]);
    }

    #[test]
    fn it_goes_forward_only() {
        assert_eq!([99, 100].map(|block| is_hit(3, block)), [false, false]);
    }

    #[test]
    fn it_stops_them_for_the_round_and_then_their_speed_is_3() {
        let mut race = Race::document(setup(with(at(2, 100, 5), &["EMP"]), at(2, 200, 9)));
        race.round("USE_EMP", "ACCELERATE");
        assert_eq!((race.place(SECOND), race.speed(SECOND)), ((2, 200), 3));
        assert_eq!((race.scores(), race.car(SECOND).damage), ([4, -7], 0), "D7, D16");
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.place(SECOND), (2, 203));
    }
}
