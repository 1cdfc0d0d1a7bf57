//! The small commands: `games`, `perft` and `bench`.

use crate::support::{Folder, json};

#[test]
fn the_games_are_listed() {
    let folder = Folder::new();
    insta::assert_snapshot!("games", folder.ok("games"));
    insta::assert_snapshot!("games-json", folder.ok("games --json"));
}

#[test]
fn sequences_of_plies_are_counted() {
    insta::assert_snapshot!("perft", Folder::new().ok("perft hockey --depth 4"));
}

#[test]
fn a_workload_prints_what_it_played() {
    let said = Folder::new().ok("bench --workload hockey-random --count 10");
    let result = json(&said);
    assert_eq!(result["workload"], "hockey-random");
    assert!(result["turns"].as_u64() > Some(10));
    assert_eq!(said.lines().count(), 1);
    assert_eq!(Folder::new().ok("bench --workload hockey-random --count 10"), said);
}
