//! Mud, walls, damage and repairs.

use super::*;

/// The speed after one obstacle on the way of a car without damage that is as fast.
fn after(surface: Surface, speed: u8) -> u8 {
    let mut race = alone_on(at(2, 100, speed), &[(2, 101, surface)]);
    race.round("NOTHING", "NOTHING");
    race.speed(FIRST)
}

mod mud {
    use super::*;

    #[test]
    fn the_speed_falls_to_a_lower_level() {
        let speeds = [3, 5, 6, 8, 9, 15].map(|speed| after(Surface::Mud, speed));
        assert_eq!(speeds, [3, 3, 3, 6, 8, 9]);
    }

    #[test]
    fn a_boost_ends() {
        let boosting = CarSetup { boosting: true, boost_counter: 4, ..at(2, 100, 15) };
        let mut race = alone_on(boosting, &[(2, 115, Surface::Mud)]);
        race.round("NOTHING", "NOTHING");
        assert!(!race.car(FIRST).is_boosting);
    }

    #[test]
    fn turning_into_a_block_with_mud_counts() {
        let mut race = alone_on(at(2, 100, 8), &[(3, 100, Surface::Mud)]);
        race.round("TURN_RIGHT", "NOTHING");
        assert_eq!((race.speed(FIRST), race.place(FIRST)), (6, (3, 107)));
    }

    #[test]
    fn d23_several_walk_down_the_ladder_and_the_damage_counts_at_the_end() {
        let what = [(2, 101, Surface::Mud), (2, 102, Surface::Mud), (2, 103, Surface::Mud)];
        let mut race = alone_on(at(2, 100, 15), &what);
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.speed(FIRST), race.car(FIRST).damage), (6, 3));
    }
}

mod wall {
    use super::*;

    #[test]
    fn the_speed_is_3_regardless() {
        let speeds = [3, 5, 6, 8, 9, 15].map(|speed| after(Surface::Wall, speed));
        assert_eq!(speeds, [3, 3, 3, 3, 3, 3]);
    }

    #[test]
    fn a_boost_ends() {
        let boosting = CarSetup { boosting: true, boost_counter: 4, ..at(2, 100, 15) };
        let mut race = alone_on(boosting, &[(2, 108, Surface::Wall)]);
        race.round("NOTHING", "NOTHING");
        assert!(!race.car(FIRST).is_boosting);
    }

    #[test]
    fn turning_into_a_block_with_a_wall_counts() {
        let mut race = alone_on(at(2, 100, 8), &[(1, 100, Surface::Wall)]);
        race.round("TURN_LEFT", "NOTHING");
        assert_eq!((race.speed(FIRST), race.scores()[0]), (3, -5));
    }
}

mod damage {
    use super::*;

    #[test]
    fn mud_and_oil_damage_by_1_and_walls_and_trucks_by_2() {
        for (surface, damage) in [(Surface::Mud, 1), (Surface::OilSpill, 1), (Surface::Wall, 2)] {
            let mut race = alone_on(at(2, 100, 5), &[(2, 102, surface)]);
            race.round("NOTHING", "NOTHING");
            assert_eq!(race.car(FIRST).damage, damage, "{surface:?}");
        }
        let mut start = setup(at(2, 100, 5), at(4, 1000, 5));
        start.trucks = vec![(2, 102)];
        let mut race = Race::document(start);
        race.round("NOTHING", "NOTHING");
        assert_eq!(race.car(FIRST).damage, 2);
    }

    #[test]
    fn damage_limits_the_speed() {
        let speeds = [0, 1, 2, 3, 4, 5].map(|damage| {
            let mut race = alone(damaged(at(2, 100, 15), damage));
            race.round("NOTHING", "NOTHING");
            race.speed(FIRST)
        });
        assert_eq!(speeds, [15, 9, 8, 6, 3, 0]);
    }

    #[test]
    fn with_too_much_a_car_cannot_move() {
        let mut race = alone(damaged(at(2, 100, 0), 5));
        race.round("ACCELERATE", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 100), 0));
    }

    #[test]
    fn collisions_with_other_players_do_no_damage() {
        let mut race = Race::document(setup(at(2, 100, 9), at(2, 104, 3)));
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.car(FIRST).damage, race.car(SECOND).damage), (0, 0));
    }

    #[test]
    fn boosting_goes_to_the_current_maximum() {
        for (damage, speed) in [(0, 15), (1, 9), (2, 8), (3, 6), (4, 3), (5, 0)] {
            let mut race = alone(damaged(with(at(2, 100, 0), &["BOOST"]), damage));
            race.round("USE_BOOST", "NOTHING");
            assert_eq!((race.speed(FIRST), race.car(FIRST).is_boosting), (speed, true));
        }
    }

    #[test]
    fn damage_is_capped_at_5() {
        let walls = [101, 102, 103].map(|block| (2, block, Surface::Wall));
        let mut race = alone_on(at(2, 100, 5), &walls);
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.car(FIRST).damage, race.speed(FIRST)), (5, 0));
    }
}

mod repairs {
    use super::*;

    #[test]
    fn the_car_returns_to_its_speed() {
        let mut race = alone(damaged(at(2, 100, 8), 2));
        race.round("FIX", "NOTHING");
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 108), 8));
    }

    #[test]
    fn d17_trucks_do_not_hit_a_car_that_is_repaired() {
        let mut start = setup(at(2, 100, 5), at(4, 1000, 5));
        start.trucks = vec![(2, 100)];
        let mut race = Race::document(start);
        race.round("FIX", "NOTHING");
        assert_eq!((race.place(FIRST), race.trucks()), ((2, 100), vec![(2, 100)]));
    }
}
