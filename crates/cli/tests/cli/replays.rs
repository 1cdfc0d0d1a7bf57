//! `replay` and `verify`: right files, files that end early, files that are wrong.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Folder, assert_calm, binary, join_lines, replay_lines};

/// A folder with a match of seven throws, plain and compressed.
fn played() -> Folder {
    let folder = Folder::new();
    for name in ["a.jsonl", "a.replay.jsonl.zst"] {
        let bots = "house:greedy house:random";
        folder.ok(&format!("play hockey {bots} --seed 3 --replay {name}"));
    }
    folder
}

/// Writes the plain replay with some of its lines changed.
fn change(folder: &Folder, name: &str, change: impl FnOnce(&mut Vec<Value>)) {
    let mut lines = replay_lines(&folder.read("a.jsonl"));
    change(&mut lines);
    folder.write(name, join_lines(&lines));
}

/// Verifies one file, which fails; returns what is said of it.
fn refused(folder: &Folder, name: &str) -> String {
    let finished = folder.run(&format!("verify {name}"));
    assert_eq!((finished.code, finished.stderr.as_str()), (1, ""), "{}", finished.stdout);
    let mut lines = finished.stdout.lines();
    let said = lines.next().expect("a line for the file");
    assert_eq!(lines.next(), Some("0 verified, 1 failed"));
    let start = format!("{name}: failed: ");
    said.strip_prefix(&start).unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn what_is_right_is_verified() {
    let folder = played();
    let said = folder.ok("verify a.jsonl a.replay.jsonl.zst");
    let expected = "a.jsonl: verified: 12 turns, a goal was made\n\
                    a.replay.jsonl.zst: verified: 12 turns, a goal was made\n\
                    2 verified, 0 failed\n";
    assert_eq!(said, expected);
}

#[test]
fn a_changed_file_is_named_with_its_first_turn_that_differs() {
    let folder = played();
    let move_of = |lines: &mut Vec<Value>, step: usize| lines[step]["heard"][0]["line"].take();
    change(&folder, "move.jsonl", |lines| {
        move_of(lines, 3);
        lines[3]["heard"][0]["line"] = json!("south west");
    });
    let said = refused(&folder, "move.jsonl");
    assert!(said.starts_with("turn 3 (line 4): digest: expected "), "{said}");
    change(&folder, "digest.jsonl", |lines| lines[5]["digest"] = json!("00000000deadbeef"));
    let said = refused(&folder, "digest.jsonl");
    assert!(said.starts_with("turn 5 (line 6): digest: expected 00000000deadbeef, got "), "{said}");
    change(&folder, "messages.jsonl", |lines| {
        let end = lines.last_mut().expect("an end");
        end["messages"] = json!("0000000000000001");
    });
    let said = refused(&folder, "messages.jsonl");
    assert!(said.starts_with("turn 12 (line 14): messages: expected 0000000000000001"), "{said}");
    change(&folder, "winner.jsonl", |lines| {
        lines.last_mut().expect("an end")["verdicts"] = json!(["loss", "win"]);
    });
    assert!(refused(&folder, "winner.jsonl").contains("verdict: expected loss, got win"));
    change(&folder, "missing.jsonl", |lines| drop(lines.remove(2)));
    assert!(
        refused(&folder, "missing.jsonl").starts_with("turn 3 (line 3): turn: expected 2, got 1")
    );
    let finished = folder.run("replay move.jsonl");
    assert_eq!((finished.code, finished.stdout.as_str()), (1, ""));
    assert!(finished.stderr.contains("turn 3 (line 4)"), "{}", finished.stderr);
}

#[test]
fn a_header_of_another_world_is_explained() {
    let folder = played();
    change(&folder, "game.jsonl", |lines| lines[0]["game"] = json!("chess"));
    assert_eq!(
        refused(&folder, "game.jsonl"),
        format!("expected a replay of {}, found one of `chess`", quintain_registry::known_games())
    );
    change(&folder, "newer.jsonl", |lines| lines[0]["format"] = json!(3));
    assert!(refused(&folder, "newer.jsonl").contains("expected replay format 2 or older, found 3"));
    change(&folder, "rules.jsonl", |lines| lines[0]["rules_version"] = json!(99));
    assert!(refused(&folder, "rules.jsonl").contains("of the rules of hockey, found version 99"));
    change(&folder, "setup.jsonl", |lines| lines[0]["setup"]["puck"] = json!([99, 99]));
    assert!(refused(&folder, "setup.jsonl").contains("setup"));
    change(&folder, "ask.jsonl", |lines| lines[0]["ask"] = json!("never"));
    assert!(refused(&folder, "ask.jsonl").contains("found `never`"));
    for name in ["game", "newer", "rules", "setup", "ask"] {
        for command in ["replay", "export --png x.png"] {
            let finished = folder.run(&format!("{command} {name}.jsonl"));
            assert_eq!((finished.code, finished.stdout.as_str()), (1, ""), "{command} {name}");
            assert!(finished.stderr.starts_with("error: "), "{}", finished.stderr);
        }
    }
}

#[test]
fn what_is_no_replay_is_explained() {
    let folder = played();
    folder.write("text.jsonl", "To be or not to be\n");
    folder.write("empty.jsonl", "");
    folder.write("picture.zst", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let cases = [
        ("missing.jsonl", "No such file"),
        (".", "expected a file, found a folder"),
        ("text.jsonl", "found `To be or not to be`"),
        ("empty.jsonl", "found nothing"),
        ("picture.zst", "not a replay"),
    ];
    for (name, said) in cases {
        assert!(refused(&folder, name).contains(said), "{name}");
        for command in ["replay", "export --gif x.gif"] {
            let finished = folder.run(&format!("{command} {name}"));
            assert_eq!((finished.code, finished.stdout.as_str()), (1, ""), "{command} {name}");
            let told = &finished.stderr;
            assert!(told.contains(said) && told.contains(name), "{command} {name}: {told}");
        }
    }
    assert!(!folder.path("x.gif").exists(), "nothing was begun");
}

#[test]
fn a_file_that_was_cut_off_says_where_it_ends() {
    let folder = played();
    let plain = folder.read("a.jsonl");
    let fifth_line_end = plain.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(4);
    let (end, _) = fifth_line_end.expect("nine lines");
    folder.write("cut.jsonl", &plain[..end + 20]);
    let compressed = folder.read("a.replay.jsonl.zst");
    folder.write("cut.replay.jsonl.zst", &compressed[..compressed.len() * 3 / 4]);
    let finished = folder.run("verify cut.jsonl");
    let expected = "cut.jsonl: incomplete: ends after turn 4: the file was cut off; its 4 steps are \
                    right\n0 verified, 1 incomplete, 0 failed\n";
    assert_eq!((finished.code, finished.stdout.as_str()), (1, expected));
    assert!(folder.ok("replay cut.jsonl").ends_with("\nends after turn 4: the file was cut off\n"));
    let finished = folder.run("verify cut.replay.jsonl.zst");
    assert!(finished.stdout.contains(": incomplete: ends after turn "), "{}", finished.stdout);
    assert!(folder.ok("replay cut.replay.jsonl.zst").contains("\nends after turn "));
    assert!(folder.export("cut.jsonl --png cut.png").starts_with("wrote cut.png: throw 4, "));
}

#[test]
fn a_flipped_byte_in_the_middle_does_not_verify() {
    let folder = played();
    let compressed = folder.read("a.replay.jsonl.zst");
    for at in (compressed.len() / 3..compressed.len()).step_by(41) {
        let mut changed = compressed.clone();
        changed[at] ^= 0xff;
        folder.write("changed.zst", &changed);
        let said = refused(&folder, "changed.zst");
        assert!(!said.is_empty(), "byte {at}");
        folder.run("replay changed.zst");
    }
}

#[test]
fn one_wrong_file_among_right_ones_is_a_failure() {
    let folder = played();
    let finished = folder.run("verify a.jsonl missing a.replay.jsonl.zst");
    assert_eq!(finished.code, 1);
    assert_eq!(finished.stdout.lines().last(), Some("2 verified, 1 failed"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = played();
    for words in ["replay a.jsonl", "verify a.jsonl", "games", "completions bash", "--help"] {
        let mut child = Command::new(binary())
            .args(words.split_whitespace())
            .current_dir(folder.path("."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_calm(&stderr);
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""), "{words}");
    }
}
