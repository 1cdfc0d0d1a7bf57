//! `conform`: recorded matches of the original engine.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::support::{Finished, Folder, workspace};

fn vectors() -> Vec<PathBuf> {
    let folder = workspace().join("games/hockey/tests/vectors");
    let entries = std::fs::read_dir(folder).expect("the vectors");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    files
}

/// A recorded match, compressed and as text.
fn recorded() -> (Vec<u8>, String) {
    let file = vectors().into_iter().find(|file| file.ends_with("doc-goal.jsonl.gz"));
    let bytes = std::fs::read(file.expect("the vector is there")).expect("a file");
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("a vector is text");
    (bytes, text)
}

fn conform(folder: &Folder, names: &[&str]) -> Finished {
    let finished = folder.run_words(&[&["conform"], names].concat(), "");
    assert_eq!(finished.stderr, "");
    finished
}

/// The file fails for this reason, and the last line counts it.
fn check(folder: &Folder, name: &str, said: &[&str]) {
    let finished = conform(folder, &[name]);
    assert_eq!(finished.code, 1, "{name}");
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{name}: {}", finished.stdout);
    assert!(lines[0].starts_with(&format!("{name}: ")), "{}", lines[0]);
    for part in said {
        assert!(lines[0].contains(part), "{name}: expected `{part}` in {}", lines[0]);
    }
    assert_eq!(lines[1], "0 passed, 1 failed", "{name}");
}

#[test]
fn every_recorded_match_passes() {
    let files = vectors();
    let names: Vec<&str> = files.iter().map(|file| file.to_str().expect("text")).collect();
    assert!(names.len() > 50);
    let finished = conform(&Folder::new(), &names);
    assert_eq!(finished.stdout, format!("{} passed, 0 failed\n", names.len()));
    assert_eq!(finished.code, 0);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    let (compressed, _) = recorded();
    folder.write("empty.jsonl.gz", "");
    folder.write("cut.jsonl.gz", &compressed[..compressed.len() / 2]);
    folder.write("head.jsonl.gz", &compressed[..5]);
    let mut broken = compressed.clone();
    broken[compressed.len() / 2] ^= 0xff;
    folder.write("broken.jsonl.gz", &broken);
    folder.write("binary.jsonl", [0xff, 0xfe, 0, 1, 2]);
    check(&folder, "missing.jsonl.gz", &["cannot read", "No such file"]);
    check(&folder, ".", &["cannot read"]);
    check(&folder, "empty.jsonl.gz", &["line 1", "an empty file"]);
    check(&folder, "cut.jsonl.gz", &["cannot read"]);
    check(&folder, "head.jsonl.gz", &["cannot read"]);
    check(&folder, "broken.jsonl.gz", &["cannot read"]);
    check(&folder, "binary.jsonl", &["cannot read"]);
}

#[test]
fn files_that_are_no_recorded_matches_are_named() {
    let folder = Folder::new();
    folder.write("text.jsonl", "hello\n");
    folder.write("array.jsonl", "[1, 2]\n");
    folder.write("chess.jsonl", "{\"kind\":\"match\",\"game\":\"chess\"}\n");
    folder.write("bare.jsonl", "{\"kind\":\"match\",\"game\":\"hockey\"}\n");
    check(&folder, "text.jsonl", &["line 1: expected a header", "found `hello`"]);
    check(&folder, "array.jsonl", &["line 1: expected a header", "found `[1, 2]`"]);
    check(&folder, "chess.jsonl", &["expected a game of this list: hockey", "found `chess`"]);
    check(&folder, "bare.jsonl", &["line 1: expected"]);
}

#[test]
fn a_changed_line_is_named_with_what_was_expected_and_what_came() {
    let folder = Folder::new();
    let (_, text) = recorded();
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.contains(" did go ")).expect("a throw");
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    changed[at] = changed[at].replace(" did go ", " went ");
    folder.write("changed.jsonl", changed.join("\n"));
    let line = format!("line {}: expected ", at + 1);
    check(&folder, "changed.jsonl", &[&line, " went ", ", got ", " did go "]);

    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(changed.join("\n").as_bytes()).expect("memory");
    folder.write("changed.jsonl.gz", encoder.finish().expect("memory"));
    check(&folder, "changed.jsonl.gz", &[&line]);

    folder.write("short.jsonl", lines[..at].join("\n"));
    check(&folder, "short.jsonl", &["line "]);
    folder.write("right.jsonl", &text);
    let finished = conform(&folder, &["right.jsonl", "changed.jsonl", "right.jsonl"]);
    assert_eq!(finished.code, 1);
    assert_eq!(finished.stdout.lines().last(), Some("2 passed, 1 failed"));
    assert_eq!(finished.stdout.lines().count(), 2, "only failures are told");
}
