//! Clients that send without end and never read.

use std::time::{Duration, Instant};

use crate::client::{RawClient, rush, rush_on, throw_north};
use crate::server::{Server, Turn, serve};

/// Nobody here is to lose by the clock while a flood lasts.
const NO_HURRY: Duration = Duration::from_secs(120);
/// Nobody but those who flood, who shall.
const HURRY: Duration = Duration::from_secs(2);
/// By then the buffers of the system between the two ends are long full, or the time is up.
const FLOOD_TIME_MAX: Duration = Duration::from_secs(60);
const MEMORY_GROWTH_MAX_KIB: u64 = 32 << 10;
const GAMES_MIN: usize = 3;

/// Sends a line again and again without reading until the host hangs up.
fn flood(client: &mut RawClient, line: &str) {
    let piece = line.repeat(4096);
    let begun = Instant::now();
    while client.try_send(piece.as_bytes()) {
        assert!(
            begun.elapsed() < FLOOD_TIME_MAX,
            "the host still listens to a client that does not read"
        );
    }
}

/// Plays games with each other, undisturbed, for as long as something else is done.
fn play_beside(server: &Server, do_else: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let other = scope.spawn(do_else);
        let names = ["Ann", "Bob"];
        let mut games = 0;
        // Also done if it panicked, which the scope tells.
        while games < GAMES_MIN || !other.is_finished() {
            let clients = [server.named("Ann", 0), server.named("Bob", 1)];
            for lines in rush(clients, names) {
                let last = lines.last().expect("the game was won");
                assert!(last.starts_with("Ann won a goal was made - "), "{last}");
            }
            games += 1;
        }
    });
}

/// What the whole process may grow by while something is done.
fn check_memory(what: &str, act: impl FnOnce()) {
    // Forgets the peak so far.
    std::fs::write("/proc/self/clear_refs", "5").expect("a /proc");
    let before = memory_kib("VmRSS:");
    act();
    let growth = memory_kib("VmHWM:").saturating_sub(before);
    println!("{what}: {growth} KiB of memory more at the peak");
    assert!(growth < MEMORY_GROWTH_MAX_KIB, "{what}: {growth} KiB");
}

fn memory_kib(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a /proc");
    let line = status.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).expect("a number of kibibytes")
}

#[test]
fn a_flood_in_the_lobby_ends_the_flooder_and_nobody_else() {
    let _turn = Turn::alone();
    let server = serve(NO_HURRY);
    let held = server.seated(["Held", "Other"], 1);
    check_memory("a flood of names", || {
        let mut nameless = server.greeted();
        play_beside(&server, || flood(&mut nameless, "Held\r\n"));
    });
    check_memory("a flood of throws", || {
        let mut waiting = server.named("Flood", 0);
        flood(&mut waiting, "north\r\n");
        drop(server.named("Flood", 0));
    });
    let heard = rush_on(held, ["Held", "Other"]);
    assert!(heard[1].last().is_some_and(|last| last.starts_with("Held won a goal was made - ")));
    for game in server.stop() {
        assert_eq!(game.report.outcome.reason, "a goal was made");
    }
}

#[test]
fn a_player_that_floods_and_never_reads_loses_by_the_clock_alone() {
    let _turn = Turn::alone();
    let server = serve(HURRY);
    check_memory("floods of players", || {
        let mut flooder = server.named("Flood", 0);
        let winner = server.named("Win", 1);
        play_beside(&server, || flood(&mut flooder, "jump\r\n"));
        expect_win(winner);
        // The one whose turn it is not may flood as well.
        let winner = server.named("Win", 0);
        let mut flooder = server.named("Flood", 1);
        play_beside(&server, || {
            let other = std::thread::spawn(|| expect_win(winner));
            flood(&mut flooder, "jump\r\n");
            other.join().expect("it wins without panic");
        });
    });
    for game in server.stop() {
        let is_flooded = game.names().contains(&"Flood");
        let expected = if is_flooded { "timeout" } else { "a goal was made" };
        assert_eq!(game.report.outcome.reason, expected, "{:?}", game.names());
    }
}

/// Throws when it is asked, and wins since the other does not.
fn expect_win(client: RawClient) {
    let heard = throw_north(client, "Win");
    let last = heard.last().expect("the game was won");
    assert!(last.starts_with("Win won : timeout - "), "{last}");
}
