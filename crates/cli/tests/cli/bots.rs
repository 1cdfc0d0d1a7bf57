//! Bots as programs: ours, a folder's, and ones that fail.

use serde_json::json;

use crate::support::{Folder, binary, json, workspace};

/// Our own house bot as a program.
fn program(bot: &str) -> String {
    format!("'{}' bot hockey {bot} --seed 4", binary())
}

#[test]
fn two_programs_play_over_their_standard_streams() {
    let folder = Folder::new();
    let (first, second) = (format!("a={}", program("random")), format!("b={}", program("greedy")));
    let words = ["play", "hockey", &first, &second, "--json", "--replay", "a.jsonl"];
    let finished = folder.run_words(&words, "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let result = json(&finished.stdout);
    assert_eq!(result["names"], json!(["a", "b"]), "the names offered in the environment");
    assert_eq!(result["faults"], json!([]));
    assert!(result["answers"][0]["worst_ms"].as_f64() > Some(0.0));
    assert!(folder.ok("verify a.jsonl").contains("verified: "));
}

#[test]
fn a_program_plays_itself_under_two_names() {
    let folder = Folder::new();
    let bot = program("random");
    let finished = folder.run_words(&["play", "hockey", &bot, &bot, "--json"], "");
    let result = json(&finished.stdout);
    assert_eq!(result["bots"], json!(["quintain", "quintain 2"]));
    assert_eq!(result["faults"], json!([]));
    let replay = result["replay"].as_str().expect("a path");
    assert_eq!(folder.list("replays").len(), 1);
    assert!(folder.ok(&format!("verify {replay}")).contains("verified: "));
}

#[test]
fn the_sample_bot_in_python_plays_from_its_folder() {
    let folder = Folder::new();
    let bot = workspace().join("bots/hockey/python");
    let bot = bot.to_str().expect("the workspace's path is text");
    for seats in [[bot, "house:random"], ["house:random", bot]] {
        let words = [&["play", "hockey"], &seats[..], &["--seed", "2", "--json"]].concat();
        let finished = folder.run_words(&words, "");
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
        let result = json(&finished.stdout);
        assert_eq!(result["faults"], json!([]), "{result}");
        assert!(result["bots"].as_array().expect("two").contains(&json!("python")));
    }
}

/// A bot that gives its name, writes to its error output when it is asked, and dies.
const MORTAL: &str = r#"
import sys
for line in sys.stdin:
    if "name" in line:
        print("mortal", flush=True)
    elif "is active" in line:
        for number in range(30):
            print("line", number, file=sys.stderr)
        print("division by zero\x1b[31m", file=sys.stderr)
        sys.exit(7)
"#;

#[test]
fn the_last_words_of_a_bot_that_dies_are_shown() {
    let folder = Folder::new();
    folder.write("mortal.py", MORTAL);
    let words = ["play", "hockey", "python3 mortal.py", "house:random", "--limit", "1s"];
    let finished = folder.run_words(&[&words[..], &["--replay", "a.jsonl"]].concat(), "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = finished.stdout.lines().collect();
    let closing = "random beat mortal: mortal was gone: its process ended with exit code 7 \
                   before the first throw";
    assert_eq!(lines[0], closing);
    assert_eq!(lines[1], "the last lines that mortal wrote to stderr:");
    assert_eq!(lines[2], "  line 21", "only the last ten are shown");
    assert_eq!(lines[11], "  division by zero\u{fffd}[31m", "and no colours of a stranger");
    assert_eq!(lines[12], "replay: a.jsonl");
    assert!(folder.ok("verify a.jsonl").contains("verified: 0 turns, timeout"));
    let result = folder.run_words(&[&words[..], &["--json", "--no-replay"]].concat(), "");
    let result = json(&result.stdout);
    assert_eq!(result["errors"], json!([1, 0]));
    assert_eq!(result["ranks"], json!([1, 0]));
    assert_eq!(result["faults"][0]["fault"], "gone");
}

#[test]
fn a_bot_that_never_gives_a_name_loses_and_the_sentence_says_why() {
    let folder = Folder::new();
    let check = |bot: &str, limit: &str, said: &str| {
        let words = ["play", "hockey", "house:random", bot, "--start-limit", limit];
        let finished = folder.run_words(&[&words[..], &["--quiet", "--no-replay"]].concat(), "");
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
        assert_eq!(finished.stdout, format!("random beat bot: {said}\n"));
    };
    let silent = "bot gave no name in time";
    check("bot=sleep 60", "300ms", silent);
    let left = "bot left before the match: its process ended with exit code 3";
    check("bot=sh -c 'exit 3'", "30s", left);
}

#[test]
fn a_bot_that_is_silent_loses_by_the_clock() {
    let folder = Folder::new();
    let silent = "silent=sh -c 'read question; echo me; sleep 60'";
    let match_words = ["play", "hockey", silent, "house:random", "-q", "--no-replay"];
    let clock = ["--limit", "10s", "--start-limit", "1000s", "--time-scale", "0.02"];
    let finished = folder.run_words(&[&match_words[..], &clock].concat(), "");
    let said =
        "random beat silent (me): silent (me) did not answer in time before the first throw\n";
    assert_eq!(finished.stdout, said);
}

#[test]
fn a_house_bot_over_its_own_streams_follows_the_dialogue() {
    let folder = Folder::new();
    let host = "What's your name?\r\nWelcome, me you're player 0!\r\nGame is on - 1\r\n\
                ball is at (5, 5) - 3\r\nyour goal is north - 5\r\nme is active player - 7\r\n";
    let words = ["bot", "hockey", "greedy", "--name", "me"];
    let finished = folder.run_words(&words, host);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "me");
    assert!(lines[1].starts_with("north"), "{}", lines[1]);
}

/// A bot that has a process of its own in the group of the arena, and stays.
const INTRUDER: &str = "
import os, time
print(os.environ['QUINTAIN_NAME'], flush=True)
child = os.fork()
if child:
    os.setpgid(child, os.getpgid(os.getppid()))
time.sleep(600)
";

#[test]
fn an_arena_without_a_terminal_outlives_a_bot_that_moved_a_process_into_its_group() {
    let folder = Folder::new();
    folder.write("intruder.py", INTRUDER);
    // In a session of its own nobody could continue a process of the arena's group that is stopped.
    let mut command = assert_cmd::Command::new("setsid");
    command.args(["--wait", binary(), "play", "hockey", "python3 intruder.py", "house:random"]);
    command.args(["--limit", "500ms", "--no-replay", "--json"]).current_dir(folder.path(""));
    let output = command.output().expect("the binary can be started");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*complaints), (Some(0), ""));
    let result = json(&String::from_utf8(output.stdout).expect("output is text"));
    assert_eq!(result["winner"], json!(1), "{result}");
}
