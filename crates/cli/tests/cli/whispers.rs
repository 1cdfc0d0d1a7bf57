//! What bots write to stderr, and the turn in which it stands.

use serde_json::Value;

use crate::support::{Folder, binary, games, json, replay_lines};

/// A house bot behind a shell that says each of its lines to stderr before it passes it on.
fn write_whisperer(folder: &Folder, game: &str) {
    let bot = format!("'{}' bot {game} random --seed 5", binary());
    let script = format!("{bot} | while read -r line; do echo \"$line\" >&2; echo \"$line\"; done");
    folder.write("whisper.sh", script);
}

fn record(folder: &Folder, game: &str) -> Vec<Value> {
    let bot = "bash whisper.sh";
    let words = ["play", game, bot, bot, "--seed", "3", "--limit", "60s", "--json"];
    let finished = folder.run_words(&[&words[..], &["--replay", "match.jsonl"]].concat(), "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{game}");
    let mut lines = replay_lines(&folder.read("match.jsonl"));
    lines.retain(|line| line["kind"] == "step");
    lines
}

/// The lines of a text, without what framings put at their ends.
fn lines_of(text: &Value) -> Vec<&str> {
    text.as_str().unwrap_or_default().lines().map(str::trim_end).collect()
}

#[test]
fn what_a_bot_writes_to_stderr_before_an_answer_stands_in_the_turn_of_the_answer() {
    let mut answers = 0;
    for game in games() {
        let folder = Folder::new();
        write_whisperer(&folder, game);
        for (index, step) in record(&folder, game).iter().enumerate() {
            for seat in 0..2 {
                let heard = step["heard"].as_array().expect("a list").iter();
                let own = heard.filter(|entry| entry["seat"] == seat);
                let said: Vec<&str> = own.flat_map(|entry| lines_of(&entry["line"])).collect();
                let mut whispered = lines_of(&step["stderr"][seat]["text"]);
                if index == 0 {
                    // What was said before the match, such as a name, stands in no step.
                    whispered.drain(..whispered.len().saturating_sub(said.len()));
                }
                assert_eq!(whispered, said, "{game}, step {index}, seat {seat}");
                answers += said.len();
            }
        }
    }
    assert!(answers > 1_000, "only {answers} lines were compared");
}

#[test]
fn what_a_fed_bot_writes_to_stderr_stands_beside_its_answer() {
    for game in games() {
        let folder = Folder::new();
        write_whisperer(&folder, game);
        record(&folder, game);
        let words = ["feed", "match.jsonl", "bash whisper.sh", "--all", "--seat", "1", "--json"];
        let finished = folder.run_words(&words, "");
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{game}");
        let fed = json(&finished.stdout);
        let turns = fed["turns"].as_array().expect("a list");
        assert!(turns.len() > 5, "{game}: {} turns", turns.len());
        for turn in &turns[1..] {
            let said = turn["given"]["lines"].as_array().expect("a list");
            let said: Vec<&str> = said.iter().flat_map(lines_of).collect();
            assert_eq!(lines_of(&turn["given"]["stderr"]), said, "{game}: {turn}");
        }
    }
}
