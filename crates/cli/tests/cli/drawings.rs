//! What bots draw, from their error output to a picture.

use std::path::{Path, PathBuf};

use crate::support::{Folder, games, replay_lines, sample};

/// Draws a text and a shape that nobody knows before each throw.
const BOT: &str = r#"import os, sys
WORDS = ["north", "north east", "east", "south east", "south", "south west", "west", "north west"]
for line in sys.stdin:
    if "your name" in line or line.startswith("Name taken"):
        print("painter", flush=True)
    elif "is active player" in line or line.startswith("invalid move"):
        sys.stderr.write("[DRAW:plan] text 5 5 gold look <here>\n[DRAW] circel 1 2 3\n[MARK] my mark\n")
        sys.stderr.write("audience=%s\n" % os.environ.get("QUINTAIN_DRAW"))
        sys.stderr.flush()
        print(WORDS[0], flush=True)
        WORDS.append(WORDS.pop(0))
"#;

#[test]
fn a_bots_drawing_is_in_the_picture_of_its_turn_and_what_cannot_be_read_is_told() {
    let folder = Folder::new();
    folder.write("bot.py", BOT);
    let words = ["play", "hockey", "python3 bot.py", "house:random", "--seed", "3", "--quiet"];
    let finished = folder.run_words(&[&words[..], &["--replay", "a.jsonl"]].concat(), "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    folder.export("a.jsonl --svg drawn.svg --turn 1");
    let svg = String::from_utf8(folder.read("drawn.svg")).expect("SVG is text");
    assert!(svg.contains("look &lt;here&gt;"), "{svg}");
    folder.export("a.jsonl --svg start.svg --turn 0");
    let start = String::from_utf8(folder.read("start.svg")).expect("SVG is text");
    assert!(!start.contains("look"), "a drawing lives for one turn");
    let told = folder.ok("replay a.jsonl --text");
    assert!(
        told.contains("drew what cannot be read, 1 lines, first: [DRAW] circel 1 2 3"),
        "{told}"
    );
    assert!(told.contains("audience=1"), "{told}");
    assert!(!told.contains("(stderr): [DRAW"), "drawings are not told as words: {told}");
}

#[test]
fn bots_are_not_told_to_draw_where_many_matches_are_played() {
    let folder = Folder::new();
    folder.write("bot.py", BOT);
    let words = ["compare", "hockey", "painter=python3 bot.py", "house:random", "--games", "2"];
    let options = ["--replays", "all", "--quiet", "--store", "games.db"];
    let finished = folder.run_words(&[&words[..], &options[..]].concat(), "");
    assert_eq!(finished.code, 0, "{finished:?}");
    let replay = replay_below(&folder.path("")).expect("a replay is kept");
    let told = folder.ok(&format!("replay {} --text", replay.display()));
    assert!(told.contains("audience=None"), "{told}");
}

/// Any replay in a folder or in those below it.
fn replay_below(folder: &Path) -> Option<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one").path());
    let mut found = entries.filter_map(|path| match path.is_dir() {
        true => replay_below(&path),
        false => path.to_string_lossy().ends_with(".replay.jsonl.zst").then_some(path),
    });
    found.next()
}

#[test]
fn the_sample_bots_draw() {
    for game in games() {
        let folder = Folder::new();
        let bot = sample(game, "python");
        folder.ok(&format!("play {game} {bot} house:random --seed 3 --replay a.jsonl --quiet"));
        let told = folder.ok("replay a.jsonl --text");
        assert!(!told.contains("drew what cannot be read"), "{game}: {told}");
        let lines = replay_lines(&folder.read("a.jsonl"));
        assert!(lines.iter().any(|line| line.to_string().contains("[DRAW:")), "{game}");
    }
}
