//! Nothing that a client sends can panic, and nothing but a throw can move the puck; and random play with
//! invariants at every state, as for every game.

use proptest::collection::vec;
use proptest::prelude::*;
use quintain_core::{
    Client, Conform, Game, HouseClient, Intake, Lobby, LobbyStep, NoChance, Opening, Outbox,
    PerSeat, Protocol, Replies, Seat, TableId, no_time,
};
use quintain_hockey::{Config, Direction, Hockey, HockeyLobby, Setup, Wire};
use quintain_testkit::battery;

/// Words of the game, words near them, and anything else.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::sample::select(Direction::ALL.to_vec()).prop_map(|d| d.word().into()),
        proptest::sample::select(vec!["NORTH", "north ", "", "Bob", "Malory", "\u{fffd}"])
            .prop_map(|word| word.as_bytes().to_vec()),
        vec(any::<u8>(), 0..20),
    ]
}

#[derive(Clone, Debug)]
enum Happening {
    Connect,
    Line(u64, Vec<u8>),
    Leave(u64),
    Over(usize, u64),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        2 => Just(Happening::Connect),
        6 => (0..12_u64, line()).prop_map(|(client, line)| Happening::Line(client, line)),
        1 => (0..12_u64).prop_map(Happening::Leave),
        1 => (0..4_usize, 0..99_u64).prop_map(|(table, id)| Happening::Over(table, id)),
    ]
}

/// Puts a lobby through its paces and checks what it must never do.
fn drive(lobby: &mut HockeyLobby, happenings: &[Happening]) {
    let mut connected = 0;
    let mut seated = Vec::new();
    let mut next_ids = [1; 16];
    for happening in happenings {
        let mut steps = Vec::new();
        match happening {
            Happening::Connect => {
                lobby.connect(Client(connected), &mut steps);
                connected += 1;
            }
            Happening::Line(client, line) => lobby.line(Client(*client), line, &mut steps),
            Happening::Leave(client) => lobby.disconnect(Client(*client), &mut steps),
            Happening::Over(table, id) => lobby.over(TableId(*table), *id, &mut steps),
        }
        for step in steps {
            if let LobbyStep::Seated { table, clients, opening } = step {
                for client in clients.0 {
                    assert!(!seated.contains(&client), "a client plays once");
                    seated.push(client);
                }
                assert_ne!(opening.names[Seat::First], opening.names[Seat::Second]);
                assert!(opening.first_message_id >= next_ids[table.0], "ids never fall");
                next_ids[table.0] = opening.first_message_id;
            }
        }
    }
}

proptest! {
    #[test]
    fn any_dialogue_with_a_lobby_is_survived(
        tables_max in proptest::option::of(0..3_usize),
        happenings in vec(happening(), 0..60),
    ) {
        drive(&mut HockeyLobby::with_tables(tables_max), &happenings);
    }

    #[test]
    fn any_line_to_a_match_is_survived(lines in vec((any::<bool>(), line()), 0..120)) {
        let names = PerSeat(["Bob".to_owned(), "Malory".to_owned()]);
        let mut wire = Wire::new(&Opening::new(names));
        let mut game = Hockey::new(&Config::default(), Setup::default()).expect("playable");
        for (second, line) in lines {
            let seat = if second { Seat::Second } else { Seat::First };
            let line = String::from_utf8_lossy(&line);
            let mut out = Outbox::default();
            let asked = game.to_act().contains(seat);
            let intake = wire.hear(seat, asked, &line, &mut out);
            let before = game;
            match intake {
                Intake::Action(direction) => {
                    prop_assert!(asked && out.0.is_empty());
                    let replies = Replies::only(seat, direction);
                    let mut events = Vec::new();
                    game.advance(&replies, &mut NoChance, &mut events);
                    wire.tell(&events, game.outcome().as_ref(), &mut out);
                    prop_assert!(!out.0.is_empty(), "every throw is answered");
                }
                Intake::Ignored => prop_assert_eq!(out.0.len(), 1),
                other => prop_assert!(false, "hockey has no {:?}", other),
            }
            prop_assert!(game == before || game.turn() == before.turn() + 1);
        }
    }

    #[test]
    fn any_line_to_a_house_bot_is_survived(lines in vec(".{0,40}", 0..20)) {
        let mut client = Hockey::dialogue("greedy", "Bob", 1, None).expect("a house bot");
        let mut out = Vec::new();
        for line in &lines {
            client.hear(line, &mut no_time, &mut out);
        }
        client.hear("Bob is active player - 1", &mut no_time, &mut out);
        prop_assert!(!out.is_empty());
    }

    #[test]
    fn any_recording_is_survived(lines in vec(".{0,60}", 0..6)) {
        prop_assert!(Hockey::conform(&lines).is_err());
    }

    #[test]
    fn any_setup_is_playable_or_refused(
        puck in (-3..14_i8, -3..14_i8),
        active in 0..3_u8,
        used in vec((-2..13_i8, -2..13_i8, proptest::sample::select(Direction::ALL.to_vec())), 0..4),
        turn in any::<u32>(),
    ) {
        if let Ok(game) = Hockey::new(&Config::default(), Setup { puck, active, used, turn }) {
            prop_assert!(!game.to_act().is_empty() && game.outcome().is_none());
            prop_assert!(!game.board().exits(game.board().puck()).is_empty());
        }
    }
}

#[test]
fn random_play_keeps_what_must_hold_in_every_game() {
    battery::<Hockey>(&Config::default(), 0..200);
}
