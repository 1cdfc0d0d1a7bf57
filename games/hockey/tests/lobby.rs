//! Names, seats, tables and the queue, as the rulings want them.

use quintain_core::{Client, Lobby, LobbyStep, Seat, TableId};
use quintain_hockey::HockeyLobby;

/// A lobby that is driven by short commands and answers with short texts.
struct Door {
    lobby: HockeyLobby,
}

impl Door {
    fn new(tables_max: Option<usize>) -> Self {
        Door { lobby: HockeyLobby::with_tables(tables_max) }
    }

    fn texts(steps: Vec<LobbyStep>) -> Vec<String> {
        let text = |step| match step {
            LobbyStep::Say(client, text) => format!("{}: {text}", client.0),
            LobbyStep::Close(client) => format!("{}: closed", client.0),
            LobbyStep::Seated { table, clients, opening } => {
                let [first, second] = clients.0.map(|client| client.0);
                let id = opening.first_message_id;
                format!("table {}: {first} and {second} from {id}", table.0)
            }
        };
        steps.into_iter().map(text).collect()
    }

    fn connect(&mut self, client: u64) {
        let mut steps = Vec::new();
        self.lobby.connect(Client(client), &mut steps);
        assert_eq!(Door::texts(steps), [format!("{client}: What's your name?")]);
    }

    fn line(&mut self, client: u64, line: impl AsRef<[u8]>) -> Vec<String> {
        let mut steps = Vec::new();
        self.lobby.line(Client(client), line.as_ref(), &mut steps);
        Door::texts(steps)
    }

    /// A client that connects and calls itself by its number.
    fn join(&mut self, client: u64) -> Vec<String> {
        self.connect(client);
        self.line(client, client.to_string())
    }

    fn leave(&mut self, client: u64) -> Vec<String> {
        let mut steps = Vec::new();
        self.lobby.disconnect(Client(client), &mut steps);
        Door::texts(steps)
    }

    fn over(&mut self, table: usize, next_message_id: u64) -> Vec<String> {
        let mut steps = Vec::new();
        self.lobby.over(TableId(table), next_message_id, &mut steps);
        Door::texts(steps)
    }
}

fn welcome(client: u64, seat: Seat) -> String {
    format!("{client}: Welcome, {client} you're player {}!", seat.index())
}

#[test]
fn every_pair_gets_a_table_and_ids_of_its_own() {
    let mut door = Door::new(None);
    assert_eq!(door.join(1), [welcome(1, Seat::First)]);
    assert_eq!(door.join(2)[1], "table 0: 1 and 2 from 1");
    assert_eq!(door.join(3), [welcome(3, Seat::First)]);
    assert_eq!(door.join(4)[1], "table 1: 3 and 4 from 1");
}

#[test]
fn the_lowest_free_table_is_used_again_and_its_ids_run_on() {
    let mut door = Door::new(None);
    for client in 1..=6 {
        door.join(client);
    }
    assert!(door.over(1, 70).is_empty() && door.over(0, 25).is_empty());
    door.join(7);
    assert_eq!(door.join(8)[1], "table 0: 7 and 8 from 25");
    door.join(9);
    assert_eq!(door.join(10)[1], "table 1: 9 and 10 from 70");
    door.join(11);
    assert_eq!(door.join(12)[1], "table 3: 11 and 12 from 1");
}

#[test]
fn a_waiting_game_keeps_the_table_that_it_got() {
    let mut door = Door::new(None);
    door.join(1);
    door.join(2);
    door.join(3);
    assert!(door.over(0, 30).is_empty());
    assert_eq!(door.join(4)[1], "table 1: 3 and 4 from 1");
}

#[test]
fn a_direction_of_a_waiting_client_is_ignored_with_the_next_id() {
    let mut door = Door::new(None);
    door.join(1);
    assert_eq!(door.line(1, "North East"), ["1: ignoring action north east - 1"]);
    assert_eq!(door.line(1, "south"), ["1: ignoring action south - 2"]);
    assert_eq!(door.line(1, "hello"), ["1: Invalid action"]);
    assert_eq!(door.line(1, b"\xff\xfe"), ["1: Invalid action"]);
    assert_eq!(door.join(2)[1], "table 0: 1 and 2 from 3");
}

#[test]
fn a_name_is_taken_while_its_client_waits_or_plays() {
    let mut door = Door::new(None);
    door.connect(1);
    door.connect(2);
    assert_eq!(door.line(1, "Bob"), ["1: Welcome, Bob you're player 0!"]);
    let taken = |client: u64| vec![format!("{client}: Name taken, please choose another.")];
    assert_eq!(door.line(2, "Bob"), taken(2));
    assert!(!door.lobby.has_name(Client(2)));
    assert_eq!(door.line(2, "bob").len(), 2);
    assert!(door.lobby.has_name(Client(1)) && door.lobby.has_name(Client(2)));
    door.connect(3);
    assert_eq!(door.line(3, "Bob"), taken(3));
    assert_eq!(door.line(3, "bob"), taken(3));
    door.over(0, 9);
    assert!(!door.lobby.has_name(Client(1)));
    assert_eq!(door.line(3, "Bob"), ["3: Welcome, Bob you're player 0!"]);
}

#[test]
fn any_text_is_a_name_unless_it_is_no_text() {
    let mut door = Door::new(None);
    for (client, name) in [(1, ""), (2, " "), (3, "a b  c"), (4, "north"), (5, "d'équipe")] {
        door.connect(client);
        let welcomed = format!("{client}: Welcome, {name} you're player {}!", (client - 1) % 2);
        assert_eq!(door.line(client, name)[0], welcomed);
    }
    door.connect(6);
    assert_eq!(door.line(6, b"B\xf6b"), ["6: closed"]);
    assert!(door.line(6, "Bob").is_empty(), "nothing more is heard of a closed client");
}

#[test]
fn a_name_that_could_be_taken_for_something_else_is_refused_in_words() {
    let mut door = Door::new(None);
    door.connect(1);
    for name in ["\u{1b}[2Jevil", "a\tb", "a\u{202e}b", "Bob\r", "a\u{2028}b"] {
        let refused = "1: Name not allowed (it holds a control character), please choose another.";
        assert_eq!(door.line(1, name), [refused], "{name:?}");
    }
    for name in
        ["Bob is active player - 7", "GAME IS ON", "x did go west", "Ann won", "We\u{200b}lcome, "]
    {
        let refused =
            "1: Name not allowed (it reads like a message of the server), please choose another.";
        assert_eq!(door.line(1, name), [refused], "{name:?}");
    }
    assert!(!door.lobby.has_name(Client(1)));
    assert_eq!(door.line(1, "Bob"), ["1: Welcome, Bob you're player 0!"]);
    door.connect(2);
    for twin in ["Bob\u{200b}", "\u{feff}Bob", "B\u{2060}o\u{ad}b", "B\u{43e}b", "\u{412}ob"] {
        assert_eq!(door.line(2, twin), ["2: Name taken, please choose another."], "{twin:?}");
    }
    // What differs for the eye is another name, and what joins letters may be a part of one.
    assert_eq!(door.line(2, "\u{645}\u{6cc}\u{200c}\u{62e}")[0].split(' ').next(), Some("2:"));
    assert!(door.lobby.has_name(Client(2)));
}

#[test]
fn who_leaves_while_waiting_frees_seat_and_name() {
    let mut door = Door::new(None);
    door.join(1);
    assert!(door.leave(1).is_empty());
    door.connect(2);
    assert_eq!(door.line(2, "1"), ["2: Welcome, 1 you're player 0!"]);
    assert_eq!(door.join(3)[1], "table 0: 2 and 3 from 1");
}

#[test]
fn ids_that_a_leaver_used_are_not_used_again() {
    let mut door = Door::new(None);
    door.join(1);
    door.line(1, "north");
    door.leave(1);
    door.join(2);
    assert_eq!(door.join(3)[1], "table 0: 2 and 3 from 2");
}

#[test]
fn with_one_table_pairs_wait_for_it_and_its_ids_run_on() {
    let mut door = Door::new(Some(1));
    door.join(1);
    door.join(2);
    let welcomes = [Seat::First, Seat::Second, Seat::First, Seat::Second];
    for (client, seat) in (3..).zip(welcomes) {
        assert_eq!(door.join(client), [welcome(client, seat)]);
    }
    assert_eq!(door.over(0, 40), ["table 0: 3 and 4 from 40"]);
    assert_eq!(door.over(0, 90), ["table 0: 5 and 6 from 90"]);
    assert!(door.over(0, 120).is_empty());
}

#[test]
fn a_newcomer_takes_the_seat_of_who_left_the_queue() {
    let mut door = Door::new(Some(1));
    for client in 1..=6 {
        door.join(client);
    }
    door.leave(4);
    assert_eq!(door.join(7), [welcome(7, Seat::Second)]);
    door.leave(3);
    assert_eq!(door.join(8), [welcome(8, Seat::First)]);
    // Everybody keeps the seat of the welcome, and who has waited longest plays first.
    assert_eq!(door.over(0, 2), ["table 0: 5 and 6 from 2"]);
    assert_eq!(door.over(0, 3), ["table 0: 8 and 7 from 3"]);
}

#[test]
fn ids_never_fall_for_a_client_without_a_table() {
    let mut door = Door::new(Some(1));
    for client in 1..=4 {
        door.join(client);
    }
    assert_eq!(door.line(4, "west"), ["4: ignoring action west - 1"]);
    assert_eq!(door.line(4, "west"), ["4: ignoring action west - 2"]);
    assert_eq!(door.over(0, 2), ["table 0: 3 and 4 from 3"]);
}

#[test]
fn with_two_tables_a_third_game_waits_for_either() {
    let mut door = Door::new(Some(2));
    for client in 1..=6 {
        door.join(client);
    }
    assert_eq!(door.over(1, 50), ["table 1: 5 and 6 from 50"]);
}

#[test]
fn what_makes_no_sense_has_no_effect() {
    let mut door = Door::new(Some(0));
    assert!(door.line(9, "north").is_empty() && door.leave(9).is_empty());
    assert!(door.over(3, 1).is_empty());
    assert_eq!(door.join(1), [welcome(1, Seat::First)]);
    assert_eq!(door.join(2), [welcome(2, Seat::Second)]);
    assert!(door.over(0, 1).is_empty(), "without tables nobody plays");
}
