//! A board that is copied while it is used, by the commands of the book, goes on where it was.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use quintain_store::Store;
use quintain_store::work::{
    Claimed, Held, JobBoard, NewGame, NewOrder, NewResult, Terms, TokenKind,
};
use quintain_testkit::Postgres;

use crate::suite::identity;

const ORDER: NewOrder<'_> = NewOrder { key: "a", owner: "ann", body: "{}", is_timed: true };
const LEASE: Duration = Duration::from_secs(600);

fn open(url: &str) -> JobBoard {
    JobBoard::open(&Store::open(url).unwrap()).unwrap()
}

fn play(board: &JobBoard, claimed: &Claimed) -> Held {
    let result = |game: &String| NewResult {
        game: game.parse().unwrap(),
        body: "{}".to_owned(),
        is_void: false,
        is_disturbed: false,
        half_points: None,
    };
    let results: Vec<NewResult> = claimed.games.iter().map(result).collect();
    board.complete("w1", claimed.lease, &results).unwrap()
}

/// A board with a job that is played, one that is leased and one that waits, copied in this moment.
fn check_copy(url: &str, copied: &str, copy: impl FnOnce()) {
    let board = open(url);
    assert!(board.add_token("w1", TokenKind::Worker, "word").unwrap());
    board.note_worker("w1", "0.1.0", 1).unwrap();
    let order = board.place_order(&ORDER).unwrap();
    let game = |index| NewGame { id: identity(0, 0, index, false), body: format!("0-0-{index}-a") };
    board.add_jobs(order, &[vec![game(0)], vec![game(1)], vec![game(2)]]).unwrap();
    let played = board.claim("w1", LEASE, Terms::default()).unwrap().unwrap();
    assert_eq!(play(&board, &played), Held::Yes);
    let leased = board.claim("w1", LEASE, Terms::default()).unwrap().unwrap();
    copy();
    // What happens to the original afterwards is not in the copy.
    assert_eq!(play(&board, &leased), Held::Yes);
    let board = open(copied);
    assert!(board.who_is("word").unwrap().is_some(), "tokens are still good");
    assert_eq!(board.collect(order, &[], 10).unwrap().results.len(), 1);
    assert_eq!(play(&board, &played), Held::Before, "what was counted is known");
    assert_eq!(play(&board, &leased), Held::Yes, "a lease outlives the copy");
    let last = board.claim("w1", LEASE, Terms::default()).unwrap().unwrap();
    assert_eq!(play(&board, &last), Held::Yes);
    assert_eq!(board.claim("w1", LEASE, Terms::default()).unwrap(), None);
    board.add_jobs(order, &[vec![game(3)]]).unwrap();
    let new = board.claim("w1", LEASE, Terms::default()).unwrap().unwrap();
    assert!(new.lease.job > last.lease.job, "no number is used again");
    assert_eq!(board.collect(order, &[], 10).unwrap().results.len(), 3);
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_dump_of_postgresql_is_a_whole_board() {
    let Some(server) = Postgres::shared() else { return };
    let (url, copied) = (server.database("arena"), server.database("arena_restored"));
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("arena.dump");
    check_copy(&url, &copied, || {
        run(server.tool("pg_dump").args(["--format=custom", "arena", "--file"]).arg(&dump));
        run(server.tool("pg_restore").arg("--dbname=arena_restored").arg(&dump));
    });
}

/// As `sqlite3 arena.db "VACUUM INTO 'copy.db'"` does it.
#[test]
fn a_vacuum_into_another_file_is_a_whole_board() {
    const VACUUM: &str =
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('VACUUM INTO ?', sys.argv[2:])";
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (url, copied) = (file("arena.db"), file("copy.db"));
    check_copy(&url, &copied, || {
        run(Command::new("python3").args(["-c", VACUUM, &url, &copied]));
        assert!(Path::new(&copied).is_file());
    });
}
