//! Collisions, contact, building sites and the health of towers.

use super::*;

mod collisions {
    use super::*;

    #[test]
    fn units_cannot_share_a_space_at_the_end_of_a_turn() {
        let mut setup = setup();
        setup.players.0[0].creeps =
            (0..12).map(|n| creep(CreepKind::Knight, 1500.0 + f64::from(n), 500.0)).collect();
        let mut game = from(setup);
        for _ in 0..8 {
            game.turn(NOTHING, NOTHING);
            let mut circles: Vec<(Point, f64)> = Vec::new();
            for seat in Seat::BOTH {
                let creeps = game.game.creeps()[seat].as_slice().iter();
                circles.extend(creeps.map(|creep| (creep.place, creep.kind.stats().radius)));
                circles.push((game.game.players()[seat].queen, 30.0));
            }
            for (index, (one, radius)) in circles.iter().enumerate() {
                for (other, other_radius) in &circles[index + 1..] {
                    let distance = one.squared_distance(*other).sqrt();
                    // Rounding moves each by less than one unit.
                    assert!(distance > radius + other_radius - 1.5, "{distance}");
                }
            }
        }
    }

    #[test]
    fn sites_do_not_move_and_push_units_off() {
        let mut setup = setup();
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 310.0, 200.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert_eq!(game.game.field().sites()[0].place, Point::new(300.0, 200.0));
        let giant = place(&game, Seat::Second, 0);
        assert!(giant.squared_distance(Point::new(300.0, 200.0)) >= 99.0 * 99.0);
    }

    #[test]
    fn the_lighter_of_two_is_moved_farther() {
        let mut setup = setup();
        setup.players.0[0].queen = (600.0, 500.0);
        setup.players.0[0].creeps = vec![creep(CreepKind::Giant, 660.0, 500.0)];
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        // 10 overlap: the queen takes a sixth of it, the giant the rest, each one unit more.
        let (queen, _) = game.queen(Seat::First);
        let giant = place(&game, Seat::First, 0).x;
        assert_eq!((queen, giant), (597.0, 669.0));
    }

    #[test]
    fn a_wave_of_armies_can_push_a_queen() {
        let mut setup = setup();
        setup.players.0[1].queen = (1200.0, 500.0);
        setup.players.0[0].creeps =
            (0..8).map(|n| creep(CreepKind::Knight, 1100.0, 420.0 + 20.0 * f64::from(n))).collect();
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        assert!(game.queen(Seat::Second).0 > 1200.0);
    }
}

mod contact {
    use super::*;

    #[test]
    fn two_units_touch_if_their_rims_are_less_than_5_apart() {
        // The knight's 20, the queen's 30 and 5: strictly below 55. An archer's place is kept by
        // its range, a knight's is not: it walks up to the rim.
        let built = |distance: f64| {
            let mut setup = setup();
            setup.players.0[0].queen = (300.0 - distance, 200.0);
            let mut game = from(setup);
            game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
            owner(&game, 0).is_some()
        };
        assert!(built(94.99) && !built(95.0));
    }

    #[test]
    fn the_second_player_builds_on_even_turns_and_the_first_on_odd_ones() {
        for (turn, builder) in [(0, Seat::Second), (1, Seat::First), (2, Seat::Second)] {
            let mut setup = setup();
            setup.turn = turn;
            setup.players.0[1].queen = (390.0, 200.0);
            let mut game = from(setup);
            game.turn("BUILD 0 TOWER|TRAIN", "BUILD 0 TOWER|TRAIN");
            assert_eq!(owner(&game, 0), Some(builder), "turn {turn}");
        }
    }
}

mod building_sites {
    use super::*;

    #[test]
    fn they_come_in_pairs_with_equal_attributes() {
        for seed in seeds() {
            for pair in generated(seed).sites.chunks(2) {
                let [one, other] = pair else { panic!("an even number of sites") };
                assert_eq!((one.radius, one.rate_max), (other.radius, other.rate_max));
                assert_eq!(one.gold, other.gold);
            }
        }
    }

    #[test]
    fn gold_rate_and_radius_are_in_their_ranges_with_a_bonus_near_the_centre() {
        let (mut radii, mut bonuses) = (Vec::new(), [0; 3]);
        for site in seeds().flat_map(|seed| generated(seed).sites) {
            let distance = Point::new(site.x, site.y).squared_distance(Point::new(960.0, 500.0));
            let bonus = usize::from(distance < 250_000.0) + usize::from(distance < 40_000.0);
            let gold = site.gold - 50 * bonus as i32;
            assert!((200..=250).contains(&gold), "{site:?}");
            assert!((1..=3).contains(&(site.rate_max - bonus as u8)), "{site:?}");
            radii.push(site.radius);
            bonuses[bonus] += 1;
        }
        assert!(bonuses.iter().all(|&count| count > 0));
        let (smallest, largest) = (radii.iter().min(), radii.iter().max());
        assert!(smallest < Some(&65) && smallest >= Some(&60));
        assert!(largest > Some(&90) && largest <= Some(&110));
    }
}

mod health_of_a_tower {
    use super::*;

    #[test]
    fn a_new_tower_has_200_and_its_range_follows_the_formula() {
        let mut game = start();
        game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
        // What is shown has lost this turn's 4: sqrt((196 * 1000 + pi * 60^2) / pi).
        assert_eq!(game.site(Seat::First, 0), "200 3 1 0 196 256");
    }

    #[test]
    fn smaller_sites_reach_farther_beyond_their_rim() {
        let beyond = |radius: i32| {
            let mut setup = setup();
            setup.sites[1] = site(960.0, 300.0, radius);
            setup.sites[1].structure = tower(0, 404, 1);
            let mut game = from(setup);
            game.turn(NOTHING, NOTHING);
            match works(&game, 1) {
                Some(Works::Tower { range, .. }) => range - radius,
                other => panic!("no tower: {other:?}"),
            }
        };
        assert!(beyond(60) > beyond(110));
    }

    #[test]
    fn mending_adds_100_up_to_800_and_every_turn_takes_4() {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 650, 1);
        let mut game = from(setup);
        for hp in [746, 796, 796] {
            game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
            assert_eq!(tower_hp(&game, 0), hp);
        }
    }

    #[test]
    fn a_queen_mends_faster_than_a_giant_destroys() {
        let mut setup = setup();
        setup.sites[0].structure = tower(0, 200, 1);
        setup.players.0[1].creeps = vec![creep(CreepKind::Giant, 401.0, 200.0)];
        let mut game = from(setup);
        for turn in 1..=5 {
            game.turn("BUILD 0 TOWER|TRAIN", NOTHING);
            assert_eq!(tower_hp(&game, 0), 200 + 16 * turn);
        }
    }
}
