//! Collisions of the two cars.

use super::*;

#[test]
fn no_bot_has_precedence() {
    for swapped in [false, true] {
        let (a, b) = (at(3, 28, 6), at(2, 31, 6));
        let (cars, commands) = match swapped {
            false => ((a, b), ("ACCELERATE", "TURN_RIGHT")),
            true => ((b, a), ("TURN_RIGHT", "ACCELERATE")),
        };
        let mut race = Race::document(setup(cars.0, cars.1));
        race.round(commands.0, commands.1);
        let (straight, turning) = if swapped { (SECOND, FIRST) } else { (FIRST, SECOND) };
        assert_eq!((race.place(straight), race.place(turning)), ((3, 35), (2, 35)));
    }
}

#[test]
fn both_remain_in_the_lane_they_were_in_one_block_back() {
    // D10: the "speed penalty" is a block of distance; the speeds stay.
    let mut race = Race::document(setup(at(3, 28, 6), at(2, 31, 6)));
    race.round("ACCELERATE", "TURN_RIGHT");
    assert_eq!((race.speed(FIRST), race.speed(SECOND)), (8, 6));
    assert_eq!(race.scores(), [0, 0]);
}

#[test]
fn both_turning_into_one_block_stay_in_their_lanes() {
    let mut race = Race::document(setup(at(1, 100, 6), at(3, 100, 6)));
    race.round("TURN_RIGHT", "TURN_LEFT");
    assert_eq!((race.place(FIRST), race.place(SECOND)), ((1, 104), (3, 104)));
}

#[test]
fn a_car_behind_cannot_overtake_in_its_lane_and_is_stuck() {
    let mut race = Race::document(setup(at(2, 100, 9), at(2, 104, 3)));
    race.round("ACCELERATE", "NOTHING");
    assert_eq!((race.place(FIRST), race.place(SECOND)), ((2, 106), (2, 107)));
    assert_eq!(race.speed(FIRST), 9);
}

#[test]
fn unless_it_jumps_or_changes_lane() {
    let mut race = Race::document(setup(with(at(2, 100, 9), &["LIZARD"]), at(2, 104, 3)));
    race.round("USE_LIZARD", "NOTHING");
    assert_eq!(race.place(FIRST), (2, 109));
    let mut race = Race::document(setup(at(2, 100, 9), at(2, 104, 3)));
    race.round("TURN_LEFT", "NOTHING");
    assert_eq!(race.place(FIRST), (1, 108));
}

#[test]
fn d12_a_repairing_car_can_be_pushed_back() {
    let mut race = Race::document(setup(at(2, 108, 5), at(1, 100, 9)));
    race.round("FIX", "TURN_RIGHT");
    assert_eq!((race.place(FIRST), race.place(SECOND)), ((2, 107), (1, 107)));
}

#[test]
fn on_the_first_block_nobody_is_pushed_off_the_map() {
    // Section 9 of the digest: the engine fails here.
    let mut start = setup(at(2, 1, 0), at(4, 1000, 5));
    start.trucks = vec![(2, 1)];
    let mut race = Race::document(start);
    race.round("NOTHING", "NOTHING");
    assert_eq!(race.place(FIRST), (2, 1));
    let mut start = setup(at(2, 1, 0), at(1, 1, 3));
    start.trucks = vec![(2, 1)];
    let mut race = Race::document(start);
    race.round("FIX", "TURN_RIGHT");
    assert_eq!((race.place(FIRST), race.place(SECOND)), ((2, 1), (1, 1)));
}

#[test]
fn two_cars_on_the_first_block_show_the_second_and_keep_their_positions() {
    let game = Race::document(setup(at(2, 1, 0), at(2, 1, 0))).game;
    for seat in Seat::BOTH {
        let view = game.view(seat);
        assert_eq!(view.window.get(Place::new(2, 1)).and_then(|cell| cell.car()), Some(SECOND));
        assert_eq!((view.own.place, view.opponent.place), (Place::new(2, 1), Place::new(2, 1)));
    }
}

#[test]
fn d22_who_gives_way_at_the_finish_line_does_not_finish() {
    let mut race = Race::document(setup(at(2, 1492, 9), at(2, 1495, 9)));
    race.round("NOTHING", "NOTHING");
    assert_eq!((race.place(FIRST), race.winner()), ((2, 1499), Some(SECOND)));
}
