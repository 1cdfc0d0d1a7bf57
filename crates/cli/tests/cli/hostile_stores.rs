//! Stores that were made to do harm: whoever looks into one needs little memory and is told what is
//! wrong with it.

use std::fs::File;
use std::io::Write as _;
use std::process::Command;

use crate::hostile_replays::run_bounded;
use crate::support::Folder;

/// A store with a few games and their replays.
fn stored() -> Folder {
    let folder = Folder::new();
    folder
        .ok("tournament --game fencing --bot house:random --bot house:greedy --games-per-pair 2 \
               --store games.db --quiet");
    folder
}

/// Sets a column of the first row of a table, to what an expression of Python is.
fn set(folder: &Folder, table: &str, column: &str, value: &str) {
    let python = format!(
        "import sqlite3; store = sqlite3.connect('games.db'); \
         store.execute('UPDATE {table} SET {column} = ? WHERE rowid = 1', ({value},)); \
         store.commit()"
    );
    let edited =
        Command::new("python3").args(["-c", &python]).current_dir(folder.path("")).status();
    assert!(edited.expect("python3 can be started").success());
}

/// A value that is read, and one that does not even fit into the database's own memory.
#[test]
fn a_huge_value_in_a_store_is_told_as_damage_in_little_memory() {
    for bytes in ["20_000_000", "140_000_000"] {
        for (table, column) in [("bots", "name"), ("games", "reason")] {
            let folder = stored();
            set(&folder, table, column, &format!("'x' * {bytes}"));
            let what = format!("{bytes} bytes in {table}.{column}");
            let refused = run_bounded(&folder, "stats --store games.db");
            assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{what}");
            assert!(refused.stderr.contains("games.db is damaged: "), "{what}: {}", refused.stderr);
            let examined = run_bounded(&folder, "stats --check games.db --replays");
            assert_eq!(examined.code, 1, "{what}: {}", examined.stdout);
        }
    }
}

#[test]
fn deeply_nested_settings_of_a_store_are_told_in_little_memory() {
    let folder = stored();
    set(&folder, "runs", "settings", "'[' * 1_000_000");
    let examined = run_bounded(&folder, "stats --check games.db");
    assert_eq!(examined.code, 1, "{}", examined.stdout);
    set(&folder, "runs", "settings", "'[' * 20_000_000");
    let examined = run_bounded(&folder, "stats --check games.db");
    assert_eq!(examined.code, 1, "{}", examined.stdout);
}

/// It unpacks to a gigabyte.
#[test]
fn a_huge_replay_beside_a_store_is_found_wrong_in_little_memory() {
    let folder = stored();
    let replay = folder.ok("stats --store games.db --list-replays");
    let replay = replay.lines().next().expect("a replay");
    let mut encoder = zstd::Encoder::new(File::create(replay).expect("a file"), 1).expect("one");
    let block = vec![b'x'; 10_000_000];
    for _ in 0..100 {
        encoder.write_all(&block).expect("there is room");
    }
    encoder.finish().expect("there is room");
    let examined = run_bounded(&folder, "stats --check games.db --replays");
    assert_eq!(examined.code, 1, "{}", examined.stdout);
    assert!(examined.stdout.contains("expected at most 1048576 bytes"), "{}", examined.stdout);
}
