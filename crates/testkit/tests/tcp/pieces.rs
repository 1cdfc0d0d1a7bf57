//! Clients that write a line in pieces, as many do without knowing it.

use std::time::{Duration, Instant};

use crate::client::{RawClient, rush_on};
use crate::server::{Turn, serve};

const LIMIT: Duration = Duration::from_secs(30);
const EXCHANGES: usize = 60;
/// Far from both: an exchange takes a tenth of a millisecond, and 40 if one side keeps its
/// acknowledgement back while the other one waits for it.
const SLOWER_MAX: Duration = Duration::from_millis(20);

/// What half of the exchanges take at most, which a busy machine hardly changes.
fn median_time(client: &mut RawClient, pieces: &[&str]) -> Duration {
    let mut times = Vec::new();
    for _ in 0..EXCHANGES {
        let begun = Instant::now();
        for piece in pieces {
            client.say(piece);
        }
        client.expect("Invalid action\r\n");
        times.push(begun.elapsed());
    }
    times.sort();
    times[EXCHANGES / 2]
}

fn check(client: &mut RawClient, pieces: &[&str]) {
    client.send_lazily();
    let whole = median_time(client, &[&pieces.concat()]);
    let divided = median_time(client, pieces);
    assert!(divided < whole + SLOWER_MAX, "{pieces:?}: {divided:?}, in one piece {whole:?}");
}

#[test]
fn an_answer_in_two_pieces_is_as_quick_as_one_in_one() {
    let _turn = Turn::alone();
    let server = serve(LIMIT);
    let mut clients = server.seated(["Ann", "Bob"], 1);
    check(&mut clients[0], &["jump", "\r\n"]);
    check(&mut clients[0], &["ju", "m", "p\n"]);
    // Whoever is not to throw is heard no less.
    check(&mut clients[1], &["jump", "\r\n"]);
    rush_on(clients, ["Ann", "Bob"]);
    server.stop();
}

#[test]
fn who_waits_for_a_match_may_write_in_pieces_too() {
    let _turn = Turn::alone();
    let server = serve(LIMIT);
    let mut ann = server.named("Ann", 0);
    check(&mut ann, &["jump", "\r\n"]);
    server.stop();
}
