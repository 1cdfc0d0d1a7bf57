//! Replays that were made to do harm: whoever opens one needs little memory and is told what is
//! wrong with it.

use std::fs::File;
use std::io::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{
    Finished, Folder, assert_calm, binary, counted_again, join_lines, replay_lines,
};

/// What no command may need for a file of a stranger.
const MEMORY_KIB_MAX: u64 = 300 * 1024;
/// What the bomb unpacks to.
const BOMB_BYTES: usize = 1_000_000_000;
/// What stands in the longest line.
const LINE_BYTES: usize = 60_000_000;

/// A plain replay of a match between house bots.
fn played(folder: &Folder, game: &str) -> Vec<Value> {
    let name = format!("{game}.jsonl");
    folder.ok(&format!("play {game} --seed 3 --quiet --replay {name}"));
    replay_lines(&folder.read(&name))
}

/// Runs the binary with a limit on all memory that it can ask for, its own code left out: beyond that it is
/// ended.
pub(crate) fn run_bounded(folder: &Folder, words: &str) -> Finished {
    let script = format!("ulimit -d {MEMORY_KIB_MAX} && exec {} {words}", binary());
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output();
    let output = output.expect("a shell can be started");
    let text = |bytes| String::from_utf8(bytes).expect("output is text");
    let finished = Finished {
        code: output.status.code().unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert_calm(&finished.stderr);
    finished
}

/// All commands that read a replay refuse this one with these words.
fn check_refused(folder: &Folder, name: &str, said: &str) {
    let verified = run_bounded(folder, &format!("verify {name}"));
    assert!(verified.code == 1 && verified.stdout.contains(said), "{name}: {verified:?}");
    let fed = format!("feed {name} --seat 1 --all 'sh -c cat'");
    let commands = ["replay", "export --png x.png", "export --gif x.gif"];
    for words in commands.map(|command| format!("{command} {name}")).into_iter().chain([fed]) {
        let finished = run_bounded(folder, &words);
        assert!(finished.code == 1 && finished.stderr.contains(said), "{words}: {finished:?}");
    }
}

#[test]
fn a_replay_that_unpacks_to_a_gigabyte_of_steps_is_refused_in_little_memory() {
    let folder = Folder::new();
    let lines = played(&folder, "hockey");
    let file = File::create(folder.path("bomb.zst")).expect("a file");
    let mut encoder = zstd::Encoder::new(file, 1).expect("an encoder");
    encoder.write_all(join_lines(&lines[..2]).as_bytes()).expect("there is room");
    let block = join_lines(&vec![lines[1].clone(); 10_000]);
    for _ in 0..BOMB_BYTES / block.len() {
        encoder.write_all(block.as_bytes()).expect("there is room");
    }
    encoder.finish().expect("there is room");
    check_refused(&folder, "bomb.zst", "turn 1 (line 3): turn: expected 0, got 1");
}

#[test]
fn a_line_of_sixty_megabytes_is_refused_in_little_memory() {
    let folder = Folder::new();
    let lines = played(&folder, "hockey");
    let small = "1,".repeat(LINE_BYTES / 2);
    let fields = [
        ("text", format!("\"line\":\"{}\"", "x".repeat(LINE_BYTES))),
        ("numbers", format!("\"draws\":[{small}1]")),
        ("lists", format!("\"config\":[{}[]]", "[],".repeat(LINE_BYTES / 3))),
    ];
    for (name, field) in fields {
        let line = format!("{{\"kind\":\"step\",{field}}}\n");
        folder.write(name, join_lines(&lines[..1]) + &line);
        check_refused(&folder, name, "line 2: expected at most 4194304 bytes, found more");
    }
    let header = format!("{{\"kind\":\"header\",\"x\":\"{}\"}}\n", "x".repeat(LINE_BYTES));
    folder.write("header", header);
    check_refused(&folder, "header", "line 1: expected at most 1048576 bytes, found more");
}

/// The most that a line may hold, in its most expensive form.
#[test]
fn a_line_just_below_the_limit_needs_little_memory() {
    let folder = Folder::new();
    let mut lines = played(&folder, "hockey");
    let draws = vec![1_u8; 2_000_000];
    lines[1]["draws"] = json!(draws);
    folder.write("draws", join_lines(&lines));
    check_refused(&folder, "draws", "turn 1 (line 2): draws: ");
    let lists = vec![json!([]); 300_000];
    lines[0]["setup"] = json!(lists);
    folder.write("lists", join_lines(&lines));
    check_refused(&folder, "lists", "the header's setup is not one of hockey");
}

#[test]
fn deep_nesting_and_a_wide_window_are_refused() {
    let folder = Folder::new();
    let lines = played(&folder, "hockey");
    folder.write("deep", format!("{{\"kind\":\"header\",\"config\":{}", "[".repeat(1_000_000)));
    check_refused(&folder, "deep", "recursion limit exceeded");
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.write_all(join_lines(&lines).as_bytes()).expect("there is room");
    let mut bytes = encoder.finish().expect("there is room");
    // The byte behind the magic number and the descriptor: a window of 2 to the power of 31.
    bytes[5] = (31 - 10) << 3;
    folder.write("window.zst", bytes);
    check_refused(&folder, "window.zst", "needs a window of more than 8388608 bytes");
}

/// Every frame of this film would hold 130 thousand notes.
#[test]
fn a_film_of_a_talkative_match_is_shortened_in_words() {
    let folder = Folder::new();
    let mut lines = played(&folder, "worms");
    let talk = json!({ "text": "\n".repeat(60_000) });
    for line in lines.iter_mut().filter(|line| line["kind"] == "step") {
        line["stderr"] = json!([talk, talk]);
    }
    folder.write("talk.jsonl", join_lines(&counted_again(lines)));
    for words in ["replay talk.jsonl", "export talk.jsonl --svg x.svg"] {
        let finished = run_bounded(&folder, words);
        assert_eq!(finished.code, 0, "{words}: {}", finished.stderr);
        if words.starts_with("replay") {
            let told = finished.stdout.lines().next_back().unwrap_or_default();
            assert!(told.contains("are left out: too long"), "{told}");
        }
    }
    let verified = run_bounded(&folder, "verify talk.jsonl");
    assert_eq!(verified.code, 0, "{}", verified.stdout);
}

/// What was said in all turns together, with what is printed of it, takes more than there is room for.
#[test]
fn a_bot_is_fed_a_talkative_match_turn_by_turn() {
    let folder = Folder::new();
    let mut lines = played(&folder, "worms");
    let early = json!({ "seat": 0, "line": "x".repeat(100_000), "asked": false, "at_us": 0 });
    let mut steps = 0;
    for step in lines.iter_mut().filter(|line| line["kind"] == "step") {
        let heard = step["heard"].as_array_mut().expect("a list");
        heard.splice(1..1, std::iter::repeat_n(early.clone(), 18));
        steps += 1;
    }
    assert!(2 * steps * 1_800_000 > MEMORY_KIB_MAX * 1024, "{steps} steps hold enough");
    folder.write("talk.jsonl", join_lines(&counted_again(lines)));
    let bot = format!("'{}' bot worms random", binary());
    let fed = format!("feed talk.jsonl --seat 1 --all --json \"{bot}\" > fed");
    let finished = run_bounded(&folder, &fed);
    assert_eq!(finished.code, 0, "{}", finished.stderr);
}
