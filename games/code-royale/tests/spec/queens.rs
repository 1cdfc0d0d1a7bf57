//! The map and the queens.

use std::collections::BTreeSet;

use quintain_core::{SplitMix64, drawn_seed};

use super::*;

mod the_map {
    use super::*;

    #[test]
    fn it_is_1920_by_1000_with_the_origin_at_the_top_left() {
        let mut game = start();
        for _ in 0..60 {
            game.turn("MOVE -100 -100|TRAIN", "MOVE 5000 5000|TRAIN");
        }
        assert_eq!(game.queen(Seat::First), (30.0, 30.0));
        assert_eq!(game.queen(Seat::Second), (1890.0, 970.0));
    }

    #[test]
    fn it_has_circular_building_sites_inside() {
        for seed in seeds() {
            for site in generated(seed).sites {
                let radius = f64::from(site.radius);
                assert!(site.x - radius >= 0.0 && site.x + radius <= 1920.0);
                assert!(site.y - radius >= 0.0 && site.y + radius <= 1000.0);
            }
        }
    }
}

mod the_queen {
    use super::*;

    #[test]
    fn she_moves_60_units_a_turn_at_most() {
        let mut game = start();
        game.turn("MOVE 0 200|TRAIN", "MOVE 1710 840|TRAIN");
        assert_eq!(game.queen(Seat::First), (150.0, 200.0));
        assert_eq!(game.queen(Seat::Second), (1710.0, 840.0));
    }

    #[test]
    fn she_is_a_circle_of_radius_30() {
        let mut game = start();
        // The site's radius is 60: nearer than 90 to its centre she cannot stay.
        for _ in 0..3 {
            game.turn("MOVE 300 200|TRAIN", NOTHING);
        }
        let (x, y) = game.queen(Seat::First);
        let distance = Point::new(x, y).squared_distance(Point::new(300.0, 200.0)).sqrt();
        assert!((90.0..93.0).contains(&distance), "{distance}");
    }

    #[test]
    fn both_start_with_the_same_health_from_25_to_100() {
        let mut seen = Vec::new();
        for seed in seeds() {
            let [first, second] = generated(seed).players.0;
            assert_eq!(first.hp, second.hp);
            assert!((25..=100).contains(&first.hp));
            seen.push(first.hp);
        }
        assert!(seen.iter().min() < Some(&40) && seen.iter().max() > Some(&85));
    }

    #[test]
    fn at_0_health_her_player_has_lost() {
        let mut setup = setup();
        setup.players.0[0].hp = 1;
        setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 210.0, 250.0)];
        let mut game = from(setup);
        let events = game.turn(NOTHING, NOTHING);
        assert!(events.contains(&Event::QueenDied { seat: Seat::First }));
        let outcome = game.game.outcome().expect("over");
        assert_eq!(outcome.verdicts.0, [Verdict::Loss, Verdict::Win]);
        assert_eq!((outcome.scores.0, outcome.reason), ([0, 100], Out::DEAD_QUEEN));
    }

    #[test]
    fn two_queens_dead_in_one_turn_are_a_draw() {
        let mut setup = setup();
        for (player, (x, y)) in setup.players.0.iter_mut().zip([(1710.0, 850.0), (210.0, 250.0)]) {
            player.hp = 1;
            player.creeps = vec![creep(CreepKind::Knight, x, y)];
        }
        let mut game = from(setup);
        game.turn(NOTHING, NOTHING);
        let outcome = game.game.outcome().expect("over");
        assert_eq!(outcome.verdicts.0, [Verdict::Draw; 2]);
        assert_eq!(outcome.scores.0, [0, 0]);
    }
}

#[test]
fn neighbouring_seeds_share_the_health_of_queens_and_drawn_ones_do_not() {
    let health = |seeds: &mut dyn Iterator<Item = i64>| {
        seeds.map(|seed| generated(seed).players.0[0].hp).collect::<BTreeSet<_>>()
    };
    assert_eq!(health(&mut (0..100)), BTreeSet::from([80]));
    let mut random = SplitMix64::new(1);
    let mut drawn = (0..300).map(|_| drawn_seed(CodeRoyale::SEED_BITS, random.next_u64()));
    assert_eq!(health(&mut drawn), (25..=100).step_by(5).collect());
}
