//! What a bot is sent and what it answers.

use super::*;

mod input {
    use super::*;

    #[test]
    fn before_the_match_the_number_of_sites_and_id_x_y_radius_of_each() {
        let game = start();
        let mut out = Outbox::default();
        wire().start(&game.game.views(), &mut out);
        let lines = lines(out);
        assert_eq!(lines.len(), 2 * 7);
        assert_eq!(lines[..3], ["6", "0 300 200 60", "1 960 200 60"]);
        assert_eq!(lines[..7], lines[7..], "coordinates are the same for both");
    }

    #[test]
    fn every_turn_gold_and_touched_site_come_first() {
        // The document shows `touchedSite` before the match, where it would be useless; it comes
        // every turn beside the gold, as all bots read it.
        assert_eq!(start().told(Seat::First)[0], "100 0");
    }

    #[test]
    fn a_site_without_a_structure() {
        assert_eq!(start().site(Seat::First, 0), "200 3 -1 -1 -1 -1");
        assert_eq!(start().site(Seat::First, 5), "-1 -1 -1 -1 -1 -1");
    }

    #[test]
    fn a_mine_shows_its_rate_to_its_owner_only() {
        let mut setup = setup();
        setup.sites[0].structure = mine(1, 2);
        setup.sites[1].structure = mine(0, 3);
        let game = from(setup);
        assert_eq!(game.site(Seat::First, 0), "200 3 0 1 -1 -1");
        assert_eq!(game.site(Seat::Second, 0), "-1 -1 0 0 2 -1");
        assert_eq!(game.site(Seat::First, 1), "-1 -1 0 0 3 -1");
    }

    #[test]
    fn a_tower_shows_its_health_and_range() {
        let mut setup = setup();
        setup.sites[1].structure = tower(1, 300, 310);
        let game = from(setup);
        assert_eq!(game.site(Seat::First, 1), "-1 -1 1 1 300 310");
        assert_eq!(game.site(Seat::Second, 1), "-1 -1 1 0 300 310");
    }

    #[test]
    fn a_barracks_shows_the_turns_it_is_busy_and_its_army() {
        let mut setup = setup();
        setup.sites[1].structure = barracks(0, CreepKind::Knight, None);
        setup.sites[2].structure = barracks(1, CreepKind::Giant, Some(3));
        let mut game = from(setup);
        assert_eq!(game.site(Seat::First, 2), "-1 -1 2 1 7 2");
        assert_eq!(game.site(Seat::First, 1), "-1 -1 2 0 0 0");
        let mut left = Vec::new();
        game.turn("WAIT|TRAIN 1", NOTHING);
        for _ in 0..5 {
            left.push(game.site(Seat::First, 1));
            game.wait(1);
        }
        let expected = [4, 3, 2, 1, 0].map(|turns| format!("-1 -1 2 0 {turns} 0"));
        assert_eq!(left, expected);
    }

    #[test]
    fn units_are_x_y_owner_type_health_and_include_both_queens() {
        let mut setup = setup();
        setup.players.0[0].creeps = vec![creep(CreepKind::Archer, 500.0, 400.0)];
        setup.players.0[1].creeps = vec![creep(CreepKind::Knight, 900.0, 500.0)];
        let game = from(setup);
        let units = |seat| game.told(seat)[7..].to_vec();
        let first =
            ["4", "500 400 0 1 45", "210 200 0 -1 100", "900 500 1 0 30", "1710 800 1 -1 100"];
        assert_eq!(units(Seat::First), first);
        let second =
            ["4", "500 400 1 1 45", "210 200 1 -1 100", "900 500 0 0 30", "1710 800 0 -1 100"];
        assert_eq!(units(Seat::Second), second);
    }
}

mod output {
    use super::*;

    #[test]
    fn wait_does_nothing() {
        let mut game = start();
        game.turn("WAIT|TRAIN", "WAIT|TRAIN");
        assert_eq!(game.queen(Seat::First), (210.0, 200.0));
    }

    #[test]
    fn build_from_afar_walks_to_the_site() {
        let mut game = start();
        game.turn("BUILD 3 MINE|TRAIN", NOTHING);
        let (x, y) = game.queen(Seat::First);
        assert!(x > 210.0 && y > 255.0 && works(&game, 3).is_none());
    }

    #[test]
    fn each_structure_has_its_word() {
        let table = [
            ("TOWER", Works::Tower { hp: 196, range: 256 }),
            ("MINE", Works::Mine { rate: 1 }),
            ("BARRACKS-KNIGHT", Works::Barracks { creep: CreepKind::Knight, training: None }),
            ("BARRACKS-ARCHER", Works::Barracks { creep: CreepKind::Archer, training: None }),
            ("BARRACKS-GIANT", Works::Barracks { creep: CreepKind::Giant, training: None }),
        ];
        for (word, works) in table {
            let mut game = start();
            game.turn(&format!("BUILD 0 {word}|TRAIN"), NOTHING);
            let structure = game.game.plots()[0].structure;
            assert_eq!(structure, Some(Structure { owner: Seat::First, works }));
        }
    }

    #[test]
    fn a_finished_game_goes_no_further() {
        let mut game = start();
        game.turn("", "");
        let replies = Replies::of(Seats::BOTH, |_| quintain_code_royale::Action::wait());
        let result = std::panic::catch_unwind(move || {
            game.game.advance(&replies, &mut NoChance, &mut ());
        });
        assert!(result.is_err());
    }
}
