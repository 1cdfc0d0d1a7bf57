//! A bot in a turn of a recorded match: `feed`.

use serde_json::{Value, json};

use crate::support::{Folder, games, json, sample};

/// Plays the sample bot against a house bot, with a replay in `match.jsonl`.
fn record(folder: &Folder, game: &str, bots: [&str; 2]) {
    let words = ["play", game, bots[0], bots[1], "--seed", "3", "--replay", "match.jsonl"];
    let finished = folder.run_words(&[&words[..], &["--time-scale", "40", "--json"]].concat(), "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{game}");
}

fn feed(folder: &Folder, words: &[&str]) -> Value {
    let finished = folder.run_words(&[&["feed", "match.jsonl"], words].concat(), "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{words:?}");
    json(&finished.stdout)
}

/// The sample bots of all games but hockey decide by what they are told alone, so they answer the same again.
#[test]
fn a_bot_that_is_fed_its_own_match_gives_its_own_answers() {
    for game in games().filter(|game| *game != "hockey") {
        let folder = Folder::new();
        let bot = sample(game, "python");
        record(&folder, game, ["house:random", &bot]);
        let fed = feed(&folder, &[&bot, "--seat", "second", "--all", "--json"]);
        let asked = fed["asked"].as_u64().expect("a number");
        assert!(asked > 10, "{game}: {asked}");
        assert_eq!(fed["same"], fed["asked"], "{game}");
        let first = &fed["turns"][0];
        assert_eq!(first["recorded"]["lines"], first["given"]["lines"], "{game}");
        assert!(!first["told"].as_array().expect("a list").is_empty(), "{game}");
    }
}

#[test]
fn another_bot_sees_the_same_and_may_answer_otherwise() {
    let folder = Folder::new();
    record(&folder, "fencing", ["house:greedy", "house:random"]);
    let bot = "import sys\nturn = 0\nwhile True:\n    for _ in range(2):\n        \
               if not sys.stdin.readline(): sys.exit()\n    turn += 1\n    \
               print(f'turn {turn}', file=sys.stderr, flush=True)\n    print('BREAK', flush=True)\n";
    folder.write("bot.py", bot);
    let words = ["python3 bot.py", "--turn", "2", "--seat", "1"];
    let fed = feed(&folder, &[&words[..], &["--json"]].concat());
    assert_eq!((&fed["asked"], fed["turns"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    let turn = &fed["turns"][0];
    assert_eq!((&turn["turn"], &turn["given"]["lines"]), (&json!(2), &json!(["BREAK"])));
    assert_eq!(turn["told"].as_array().map(Vec::len), Some(2), "{turn}");
    let said = turn["given"]["stderr"].as_str().expect("text");
    assert!(said.contains("turn 2"), "{said}");
    let text = folder.run_words(&[&["feed", "match.jsonl"], &words[..]].concat(), "").stdout;
    assert!(text.contains("turn 2, first seat: it is told"), "{text}");
    assert!(text.contains("BREAK"), "{text}");
}

/// In hockey names are exchanged first, and a refused throw is asked for again.
#[test]
fn hockey_is_fed_with_its_introduction() {
    let folder = Folder::new();
    record(&folder, "hockey", ["house:random", "house:greedy"]);
    let fed = feed(&folder, &["house:greedy", "--seat", "2", "--all", "--json"]);
    let turns = fed["turns"].as_array().expect("a list");
    assert!(!turns.is_empty(), "{fed}");
    let told = turns[0]["told"].as_array().expect("a list");
    let lines: Vec<&str> = told.iter().filter_map(|item| item["line"].as_str()).collect();
    assert!(lines.iter().any(|line| line.contains("greedy is active player")), "{lines:?}");
    for turn in turns {
        assert_eq!(turn["given"]["fault"], Value::Null, "{turn}");
    }
}

#[test]
fn what_cannot_be_fed_is_explained() {
    let folder = Folder::new();
    record(&folder, "hockey", ["house:random", "house:greedy"]);
    let check = |words: &str, code: i32, expected: &str| {
        let finished = folder.run(&format!("feed match.jsonl {words}"));
        assert_eq!(finished.code, code, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
    };
    check("house:greedy --seat 1 --turn 100000", 2, "expected a turn from 1 to ");
    check("house:greedy --seat 1 --turn 0", 2, "got 0");
    check("house:greedy --seat 3 --turn 1", 2, "expected 1 or first, 2 or second");
    check("house:greedy --seat 1", 2, "--turn");
    check("human --seat 1 --turn 1", 2, "human");
    check("house:greedy --seat 1 --turn 1 --state stdin", 2, "state files");
    let first = folder.run("feed match.jsonl house:greedy --seat 1 --turn 1").code;
    let second = folder.run("feed match.jsonl house:greedy --seat 2 --turn 1").code;
    assert_eq!([first, second].iter().sum::<i32>(), 2, "one seat throws first, the other is told");

    let lines = folder.read("match.jsonl");
    let text = String::from_utf8(lines).expect("a plain replay is text");
    let head: Vec<&str> = text.lines().take(3).collect();
    folder.write("match.jsonl", format!("{}\n", head.join("\n")));
    check("house:greedy --seat 1 --turn 50", 2, "cut off");
    let (before, digest) = text.split_once("\"digest\":\"").expect("every step has one");
    let digit = if digest.starts_with('0') { '1' } else { '0' };
    folder.write("match.jsonl", format!("{before}\"digest\":\"{digit}{}", &digest[1..]));
    check("house:greedy --seat 1 --all", 1, "match.jsonl cannot be played again: turn 1 (line 2)");
    let other = text.replacen("\"game\":\"hockey\"", "\"game\":\"chess\"", 1);
    folder.write("match.jsonl", other);
    check("house:greedy --seat 1 --turn 1", 1, "found one of `chess`");
}

#[test]
fn a_bot_that_leaves_is_shown_as_gone() {
    let folder = Folder::new();
    record(&folder, "fencing", ["house:greedy", "house:random"]);
    let words =
        ["feed", "match.jsonl", "sh -c 'echo oh >&2; exit 3'", "--seat", "1", "--turn", "2"];
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 1);
    let told = "left before it was asked: its process ended with exit code 3\n  stderr: oh\n";
    assert!(finished.stdout.ends_with(told), "{}", finished.stdout);
    let finished = folder.run_words(&[&words[..], &["--all"]].concat(), "");
    assert_eq!(finished.code, 1);
    assert!(finished.stdout.contains("exit code 3"), "{}", finished.stdout);
}

#[test]
fn a_seat_has_two_names() {
    let folder = Folder::new();
    record(&folder, "fencing", ["house:greedy", "house:random"]);
    let names = [("1", 0), ("first", 0), ("First", 0), ("p1", 0), ("2", 1), ("second", 1)];
    for (name, seat) in names {
        let fed = feed(&folder, &["house:greedy", "--seat", name, "--turn", "1", "--json"]);
        assert_eq!(fed["seat"], seat, "{name}");
    }
    for wrong in ["0", "3", "", "both"] {
        let words = ["feed", "match.jsonl", "house:greedy", "--turn", "1", "--seat", wrong];
        assert_eq!(folder.run_words(&words, "").code, 2, "{wrong}");
    }
}
