//! `verify --store`: a store and its replays tell the same, or one of them was edited.

use std::process::Command;

use crate::support::{Folder, counted_again, join_lines, replay_lines};

/// A store with a few games, all of whose replays are kept.
fn played() -> Folder {
    let folder = Folder::new();
    folder
        .ok("tournament --game fencing --bot house:random --bot house:greedy --games-per-pair 2 \
               --store games.db --quiet");
    folder
}

/// The replays of the store, plain.
fn replays(folder: &Folder) -> Vec<String> {
    let run = folder.list("games.replays").pop().expect("a folder for the run");
    let folder_of_run = format!("games.replays/{run}");
    let names = folder.list(&folder_of_run);
    names.into_iter().map(|name| format!("{folder_of_run}/{name}")).collect()
}

#[test]
fn a_store_and_its_replays_that_were_not_edited_agree() {
    let folder = played();
    let said = folder.ok("verify --store games.db");
    assert!(said.ends_with("2 verified, 0 failed\n"), "{said}");
}

#[test]
fn an_edited_replay_of_a_store_is_found() {
    let folder = played();
    let path = replays(&folder).remove(0);
    let plain = zstd::decode_all(folder.read(&path).as_slice()).expect("it is compressed");
    let mut lines = replay_lines(&plain);
    lines[0]["started_ms"] = 1.into();
    let forged = join_lines(&counted_again(lines));
    folder.write(&path, zstd::encode_all(forged.as_bytes(), 1).expect("there is room"));
    let finished = folder.run("verify --store games.db");
    assert!(finished.stdout.contains("digest of the replay: the store says "), "{finished:?}");
    assert_eq!((finished.code, finished.stdout.contains("1 verified, 1 failed")), (1, true));
    std::fs::remove_file(folder.path(&path)).expect("the file is ours");
    let finished = folder.run("verify --store games.db");
    assert!(finished.stdout.contains("No such file"), "{finished:?}");
}

#[test]
fn an_edited_game_of_a_store_is_found() {
    let folder = played();
    let edit = "import sqlite3; db = sqlite3.connect('games.db'); \
                db.execute('UPDATE games SET first_score = 99 WHERE number = 1'); db.commit()";
    let edited = Command::new("python3").args(["-c", edit]).current_dir(folder.path("")).status();
    assert!(edited.expect("python can be started").success());
    let finished = folder.run("verify --store games.db");
    assert!(finished.stdout.contains("scores: the store says [99, "), "{finished:?}");
    assert_eq!(finished.code, 1);
}
