//! The map, what is seen of it, and the files.

use super::*;

mod the_game {
    use super::*;

    #[test]
    fn two_players_with_one_car_each_race_each_other() {
        let config = Config::default();
        let game = Overdrive::new(&config, Overdrive::generate(&config, 1)).expect("playable");
        assert_eq!(game.cars().0.each_ref().map(|car| car.place.block), [1, 1]);
        assert!(Seat::BOTH.iter().all(|&seat| game.to_act().contains(seat)));
    }

    #[test]
    fn the_first_at_the_finish_line_wins() {
        let mut race = Race::document(setup(at(1, 1495, 5), at(4, 1490, 5)));
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.winner(), race.reason()), (Some(FIRST), "finished"));
    }
}

mod structure {
    use super::*;

    #[test]
    fn the_map_has_4_lanes_of_consecutive_blocks() {
        let config = Config::default();
        let game = Overdrive::new(&config, Overdrive::generate(&config, 1)).expect("playable");
        assert_eq!((game.track().lanes(), game.track().length()), (4, 1500));
        assert_eq!(game.track().surfaces().len(), 6000);
    }

    #[test]
    fn a_generated_map_has_every_type_of_block_but_oil_spills() {
        let config = Config::default();
        let game = Overdrive::new(&config, Overdrive::generate(&config, 1)).expect("playable");
        for surface in Surface::ALL {
            let is_there = game.track().surfaces().contains(&surface);
            assert_eq!(is_there, surface != Surface::OilSpill, "{surface:?}");
        }
    }

    #[test]
    fn a_powerup_that_is_picked_up_stays_on_the_track_for_everyone() {
        let start = setup(at(2, 100, 5), at(2, 90, 5));
        let mut race = Race::document(laid(start, &[(2, 105, Surface::Boost)]));
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.powerups(FIRST).len(), race.powerups(SECOND).len()), (1, 0));
        assert_eq!(race.game.surface(Place::new(2, 105)), Surface::Boost, "D20");
        for _ in 0..3 {
            race.round("NOTHING", "NOTHING");
        }
        assert_eq!((race.powerups(FIRST).len(), race.powerups(SECOND).len()), (1, 1));
    }

    #[test]
    fn an_empty_block_has_no_impact_on_the_speed() {
        let mut race = alone(at(2, 100, 5));
        race.round("NOTHING", "NOTHING");
        assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 105), 5));
    }

    #[test]
    fn mud_and_oil_spills_slow_the_car_down() {
        for surface in [Surface::Mud, Surface::OilSpill] {
            let mut race = alone_on(at(2, 100, 8), &[(2, 104, surface)]);
            race.round("NOTHING", "NOTHING");
            assert_eq!((race.place(FIRST), race.speed(FIRST)), ((2, 108), 6), "{surface:?}");
        }
    }

    #[test]
    fn every_lane_ends_in_the_finish_line() {
        let config = Config::default();
        let game = Overdrive::new(&config, Overdrive::generate(&config, 1)).expect("playable");
        for lane in 1..=4 {
            assert_eq!(game.surface(Place::new(lane, 1500)), Surface::FinishLine);
            assert_ne!(game.surface(Place::new(lane, 1499)), Surface::FinishLine);
        }
    }

    #[test]
    fn powerups_are_picked_up_when_a_car_moves_onto_their_block() {
        let kinds =
            [Surface::OilItem, Surface::Boost, Surface::Lizard, Surface::Tweet, Surface::Emp];
        for (surface, powerup) in kinds.into_iter().zip(Powerup::ALL) {
            let mut race = alone_on(at(2, 100, 5), &[(2, 105, surface)]);
            race.round("NOTHING", "NOTHING");
            assert_eq!(race.powerups(FIRST), [powerup.name()]);
        }
    }
}

mod visibility {
    use super::*;

    fn blocks(car: CarSetup) -> (u16, u16) {
        let window = alone(car).game.view(FIRST).window;
        assert_eq!(window.lanes().count(), 4);
        (window.first_block, window.first_block + window.width as u16 - 1)
    }

    #[test]
    fn five_blocks_behind_and_twenty_ahead_are_seen() {
        assert_eq!(blocks(at(2, 100, 5)), (95, 120));
    }

    #[test]
    fn where_available() {
        assert_eq!(blocks(at(2, 1, 5)), (1, 21));
        assert_eq!(blocks(at(2, 4, 5)), (1, 24));
        assert_eq!(blocks(at(2, 1490, 5)), (1485, 1500));
        assert_eq!(blocks(at(2, 1500, 5)), (1495, 1500));
    }
}

mod files {
    use super::*;

    #[test]
    fn there_are_a_json_file_and_a_text_file_and_the_engines_name_for_it() {
        let game = alone(at(1, 1, 5)).game;
        let items = told(&mut wire(), &game.view(FIRST));
        let names: Vec<String> = items
            .iter()
            .map(|item| match item {
                Item::File { path, .. } => path.clone(),
                Item::Line(line) => line.clone(),
            })
            .collect();
        let expected = ["rounds/1/state.json", "rounds/1/textMap.txt", "rounds/1/state.txt", "1"];
        assert_eq!(names, expected, "D4: state.txt is a copy of textMap.txt");
    }

    #[test]
    fn the_map_can_be_rendered_on_the_console() {
        use quintain_core::entelect::Rounds;
        let game = alone(at(1, 1, 5)).game;
        let console = game.shown(FIRST, |sheet, out| sheet.console(out));
        assert_eq!(console, game.shown(FIRST, |sheet, out| sheet.text(out)));
        assert!(console.contains("[1░░░░"));
    }
}
