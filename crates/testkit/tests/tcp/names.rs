//! Names: when they are taken, and when they are free again.

use std::net::SocketAddr;
use std::time::Duration;

use crate::client::{RawClient, rush_on, throw_north};
use crate::server::{Played, Turn, expect_start, hockey, serve};

const LIMIT: Duration = Duration::from_secs(20);
const TAKEN: &str = "Name taken, please choose another.\r\n";
const TIMES: usize = 100;

#[test]
fn a_name_is_taken_while_its_client_waits_and_while_it_plays() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let bob = server.named("Bob", 0);
    let mut malory = server.greeted();
    malory.say("Bob\r\n");
    malory.expect(TAKEN);
    // Case and blanks count.
    malory.say("bob \r\n");
    malory.expect("Welcome, bob  you're player 1!\r\n");
    let mut third = server.greeted();
    for name in ["Bob", "bob ", "Bob"] {
        third.say(&format!("{name}\r\n"));
        third.expect(TAKEN);
    }
    third.say("bob\r\n");
    third.expect("Welcome, bob you're player 0!\r\n");

    let mut clients = [bob, malory];
    expect_start(&mut clients, "Bob", 1);
    rush_on(clients, ["Bob", "bob "]);
    let mut fourth = server.greeted();
    fourth.say("Bob\r\n");
    fourth.expect("Welcome, Bob you're player 1!\r\n");
    let mut clients = [third, fourth];
    expect_start(&mut clients, "bob", 1);
    rush_on(clients, ["bob", "Bob"]);
    assert_eq!(server.stop().len(), 2);
}

#[test]
fn a_name_may_come_before_the_question_is_read() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let mut bob = server.connect();
    bob.say("Bob\r\njump\r\nnorth\r\n");
    let mut malory = server.connect();
    bob.expect(
        "What's your name?\r\nWelcome, Bob you're player 0!\r\nInvalid action\r\n\
         ignoring action north - 1\r\n",
    );
    // Behind the name that completes the pair, lines belong to the game.
    malory.say("Bob\nMalory\njump\r\nnorth\n");
    malory.expect(&format!("What's your name?\r\n{TAKEN}Welcome, Malory you're player 1!\r\n"));
    bob.expect(
        "Game is on - 2\r\nball is at (5, 5) - 4\r\nyour goal is north - 6\r\n\
         Bob is active player - 8\r\n",
    );
    malory.expect(
        "Game is on - 3\r\nball is at (5, 5) - 5\r\nyour goal is south - 7\r\n\
         Invalid action\r\nignoring action north - 9\r\n",
    );
    rush_on([bob, malory], ["Bob", "Malory"]);
    server.stop();
}

#[test]
fn name_and_seat_are_free_again_when_a_waiting_client_leaves() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    for _ in 0..TIMES {
        drop(server.named("Ann", 0));
    }
    // One that still reads has left all the same.
    let mut ann = server.named("Ann", 0);
    ann.stop_talking();
    ann.expect_end();
    let clients = server.seated(["Ann", "Bob"], 1);
    rush_on(clients, ["Ann", "Bob"]);
    assert_eq!(server.stop().len(), 1);
}

#[test]
fn a_name_left_by_one_is_free_for_another_who_is_there_already() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    for _ in 0..TIMES {
        // Either of the two may have come first.
        let mut early = server.greeted();
        let ann = server.named("Ann", 0);
        let mut late = server.greeted();
        drop(ann);
        early.say("Ann\r\n");
        early.expect("Welcome, Ann you're player 0!\r\n");
        drop(early);
        late.say("Ann\r\n");
        late.expect("Welcome, Ann you're player 0!\r\n");
    }
    assert!(server.stop().is_empty());
}

#[test]
fn a_name_that_steers_terminals_or_hides_behind_another_is_refused_and_the_next_one_welcomed() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let bob = server.named("Bob", 0);
    let mut guest = server.greeted();
    for evil in ["\u{1b}[2J\u{7}evil\u{202e}\t\r", "\u{9b}31mred"] {
        guest.say(&format!("{evil}\r\n"));
        guest.expect("Name not allowed (it holds a control character), please choose another.\r\n");
    }
    guest.say("Bob won a goal was made - 9\r\n");
    guest.expect(
        "Name not allowed (it reads like a message of the server), please choose another.\r\n",
    );
    // Nothing is added, and a Cyrillic letter put in.
    for twin in ["Bob\u{200b}", "B\u{43e}b"] {
        guest.say(&format!("{twin}\r\n"));
        guest.expect(TAKEN);
    }
    guest.say("Malory\r\n");
    guest.expect("Welcome, Malory you're player 1!\r\n");
    let mut clients = [bob, guest];
    expect_start(&mut clients, "Bob", 1);
    rush_on(clients, ["Bob", "Malory"]);
    let played = server.stop();
    assert_eq!(played[0].names(), ["Bob", "Malory"]);
}

#[test]
fn a_name_that_is_no_text_or_has_no_end_is_the_end() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let mut garbled = server.greeted();
    garbled.send(b"Bob\xff\r\nBob\r\n");
    garbled.expect_end();
    // The longest name that is let in.
    let longest = "x".repeat(hockey().framing().line_bytes_max);
    drop(server.named(&longest, 0));
    let mut endless = server.greeted();
    endless.try_send(&vec![b'x'; 1 << 20]);
    assert_eq!(endless.expect_hang_up(), b"");
    rush_on(server.seated(["Bob", "Ann"], 1), ["Bob", "Ann"]);
    assert_eq!(server.stop().len(), 1);
}

/// Comes back under the same name as soon as it sees the end, again and again.
fn play_again_and_again(address: SocketAddr, name: &str) {
    for _ in 0..TIMES {
        let mut client = RawClient::connect(address);
        client.expect("What's your name?\r\n");
        client.say(&format!("{name}\r\n"));
        client.expect(&format!("Welcome, {name} you're player "));
        let heard = throw_north(client, name);
        let last = heard.last().expect("the game was won");
        assert!(last.contains(" won a goal was made - "), "{last}");
    }
}

#[test]
fn names_are_free_again_at_once_when_a_game_ends() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let address = server.address;
    std::thread::scope(|scope| {
        for name in ["Ann", "Bob"] {
            scope.spawn(move || play_again_and_again(address, name));
        }
    });
    let played = server.stop();
    // One table, and its numbers run on from game to game.
    let ids: Vec<u64> = played.iter().map(Played::first_message_id).collect();
    let messages = ids[1] - ids[0];
    let expected: Vec<u64> = (0..TIMES as u64).map(|game| 1 + game * messages).collect();
    assert_eq!(ids, expected);
}
