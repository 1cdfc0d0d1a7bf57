//! Seats, tables and the numbers of messages.

use std::time::Duration;

use crate::client::{RawClient, id_of, rush_on};
use crate::server::{Server, Turn, expect_start, serve, serve_tables};

const LIMIT: Duration = Duration::from_secs(20);
/// Long enough to see that somebody is kept waiting.
const A_WHILE: Duration = Duration::from_millis(200);
const TABLES: usize = 24;

/// Plays a whole game and returns the number that follows its last message. No number is missing
/// and none comes twice.
fn play(server: &Server, names: [&str; 2], first_id: u64) -> u64 {
    finish(server.seated(names, first_id), names, first_id)
}

/// The same for a game that has started.
fn finish(clients: [RawClient; 2], names: [&str; 2], first_id: u64) -> u64 {
    let heard = rush_on(clients, names);
    let mut ids: Vec<u64> = heard.iter().flatten().map(|line| id_of(line)).collect();
    ids.sort_unstable();
    let expected: Vec<u64> = (first_id + 7..).take(ids.len()).collect();
    assert_eq!(ids, expected, "{heard:?}");
    for lines in &heard {
        let last = lines.last().expect("the game was won");
        assert!(last.starts_with(&format!("{} won a goal was made - ", names[0])), "{last}");
    }
    ids.last().expect("a game has messages") + 1
}

#[test]
fn numbers_run_on_for_one_pair_after_another() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let second = play(&server, ["Ann", "Bob"], 1);
    let third = play(&server, ["Bob", "Ann"], second);
    let fourth = play(&server, ["Carol", "Dan"], third);
    assert_eq!(fourth - third, second - 1);
    assert_eq!(server.stop().len(), 3);
}

#[test]
fn a_third_client_waits_for_the_next_table_and_is_heard_there() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let playing = server.seated(["Ann", "Bob"], 1);
    let mut carol = server.named("Carol", 0);
    carol.expect_silence(A_WHILE);
    carol.say("north\r\n");
    carol.expect("ignoring action north - 1\r\n");
    for strange in ["jump", "", " north", "Carol"] {
        carol.say(&format!("{strange}\r\n"));
        carol.expect("Invalid action\r\n");
    }
    carol.send(b"\xff\xfe\r\n");
    carol.expect("Invalid action\r\n");
    carol.say("SOUTH West\n");
    carol.expect("ignoring action south west - 2\r\n");

    let dan = server.named("Dan", 1);
    let mut second = [carol, dan];
    expect_start(&mut second, "Carol", 3);
    let names = ["Carol", "Dan"];
    let next = finish(second, names, 3);
    finish(playing, ["Ann", "Bob"], 1);
    // The lowest free table is the first one, so its numbers run on and not these.
    let first_game_messages = next - 3;
    play(&server, names, 1 + first_game_messages);
    assert_eq!(server.stop().len(), 3);
}

#[test]
fn a_seat_is_kept_whoever_leaves_the_queue() {
    let _turn = Turn::shared();
    let server = serve_tables(LIMIT, Some(1));
    let playing = server.seated(["Ann", "Bob"], 1);
    let carol = server.named("Carol", 0);
    let dan = server.named("Dan", 1);
    let erin = server.named("Erin", 0);
    drop(carol);
    // Erin moves up; the newcomer takes the seat behind her.
    let frank = server.named("Frank", 0);
    let next = finish(playing, ["Ann", "Bob"], 1);
    let mut clients = [erin, dan];
    expect_start(&mut clients, "Erin", next);
    finish(clients, ["Erin", "Dan"], next);
    drop(frank);
    assert_eq!(server.stop().len(), 2);
}

#[test]
fn with_one_table_the_second_pair_starts_when_the_first_is_over() {
    let _turn = Turn::shared();
    let server = serve_tables(LIMIT, Some(1));
    let playing = server.seated(["Ann", "Bob"], 1);
    let mut waiting = [server.named("Carol", 0), server.named("Dan", 1)];
    waiting[1].say("north\r\n");
    waiting[1].expect("ignoring action north - 1\r\n");
    for client in &mut waiting {
        client.expect_silence(A_WHILE);
    }
    let next = finish(playing, ["Ann", "Bob"], 1);
    // Nobody connects or speaks now: only the end of the first game can start the second.
    expect_start(&mut waiting, "Carol", next);
    finish(waiting, ["Carol", "Dan"], next);
    assert_eq!(server.stop().len(), 2);
}

#[test]
fn many_tables_play_at_the_same_time_and_each_counts_from_one() {
    let _turn = Turn::shared();
    let server = serve(LIMIT);
    let names: Vec<[String; 2]> =
        (0..TABLES).map(|table| [format!("first {table}"), format!("second {table}")]).collect();
    let names: Vec<[&str; 2]> =
        names.iter().map(|pair| pair.each_ref().map(String::as_str)).collect();
    let tables: Vec<[RawClient; 2]> = names.iter().map(|names| server.seated(*names, 1)).collect();
    let next: Vec<u64> = std::thread::scope(|scope| {
        let games = tables.into_iter().zip(&names);
        let games: Vec<_> =
            games.map(|(clients, names)| scope.spawn(move || finish(clients, *names, 1))).collect();
        games.into_iter().map(|game| game.join().expect("it plays without panic")).collect()
    });
    assert!(next.iter().all(|id| *id == next[0]), "{next:?}");
    let played = server.stop();
    assert_eq!(played.len(), TABLES);
    assert!(played.iter().all(|game| game.first_message_id() == 1));
}
