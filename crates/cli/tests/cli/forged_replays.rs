//! Forged replays: each is a real one with a single lie in it, and `verify` names the lie.

use serde_json::{Value, json};

use crate::support::{Folder, counted_again, join_lines, json as parsed, replay_lines, sample};

/// How clever the forger is.
#[derive(Clone, Copy, PartialEq)]
enum Forger {
    /// Changes what it wants to change.
    Plain,
    /// Counts the digest of the lines again.
    Clever,
}

use Forger::{Clever, Plain};

/// Wanders about the middle of the map of Worms, where it meets others like it.
const WALKER: &str = r#"
import json, random, sys
random.seed(sys.argv[1])
for number in sys.stdin:
    state = json.loads(sys.stdin.readline())
    worms = state["myPlayer"]["worms"]
    at = next(worm for worm in worms if worm["id"] == state["currentWormId"])["position"]
    aim = {axis: random.choice([15, 16, 17]) for axis in ("x", "y")}
    x, y = (at[axis] + (aim[axis] > at[axis]) - (aim[axis] < at[axis]) for axis in ("x", "y"))
    word = "dig" if state["map"][y][x]["type"] == "DIRT" else "move"
    print(f"C;{number.strip()};{word} {x} {y}", flush=True)
"#;

/// A match of Worms in which worms collide, so that chance decides.
fn played_with_luck(folder: &Folder) {
    folder.write("walker.py", WALKER);
    let bots = ["a=python3 walker.py 1", "b=python3 walker.py 2"];
    let rest = "--state stdin --seed 2 --time-scale 20 --quiet --replay luck.jsonl";
    let words: Vec<&str> =
        ["play", "worms"].into_iter().chain(bots).chain(rest.split(' ')).collect();
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{finished:?}");
}

/// Real matches: of a program, of house bots on a drawn map, and with a bot that was late.
fn played() -> Folder {
    let folder = Folder::new();
    let (program, house) = (sample("fencing", "python"), "house:random");
    folder.ok(&format!(
        "play fencing {program} {house} --seed 5 --time-scale 20 --quiet --replay fencing.jsonl"
    ));
    folder.ok("play code-royale --seed 5 --quiet --replay code-royale.jsonl");
    folder.ok("play worms --seed 5 --quiet --replay worms.jsonl");
    let late = "sh -c 'read a; echo me; exec sleep 100'";
    let words = "play hockey LATE house:greedy --limit 50ms --quiet --replay late.jsonl";
    let words: Vec<&str> =
        words.split(' ').map(|word| if word == "LATE" { late } else { word }).collect();
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{finished:?}");
    folder
}

/// What `verify` says of a forged file, and its exit code.
fn verified(folder: &Folder, base: &str, forger: Forger, lie: &dyn Fn(&mut Vec<Value>)) -> String {
    let mut lines = replay_lines(&folder.read(&format!("{base}.jsonl")));
    lie(&mut lines);
    if forger == Clever {
        lines = counted_again(lines);
    }
    folder.write("forged.jsonl", join_lines(&lines));
    let finished = folder.run("verify forged.jsonl");
    let said = finished.stdout.lines().next().expect("a line for the file").to_owned();
    let is_verified = said.starts_with("forged.jsonl: verified");
    assert_eq!(finished.code, i32::from(!is_verified), "{said}");
    said
}

fn end(lines: &mut [Value]) -> &mut Value {
    lines.iter_mut().rfind(|line| line["kind"] == "end").expect("an end")
}

fn swap(value: &mut Value) {
    value.as_array_mut().expect("one of each seat").swap(0, 1);
}

/// The first step in which something is so.
fn step_with(lines: &mut [Value], is_so: impl Fn(&Value) -> bool) -> &mut Value {
    lines.iter_mut().find(|line| line["kind"] == "step" && is_so(line)).expect("such a step")
}

fn late_step(lines: &mut [Value]) -> &mut Value {
    step_with(lines, |step| step["heard"].to_string().contains("late"))
}

type Lie = (&'static str, Forger, fn(&mut Vec<Value>), &'static str);

const LIES: &[Lie] = &[
    ("fencing", Clever, |lines| swap(&mut lines[0]["names"]), "names do not belong to its bots"),
    ("fencing", Clever, |lines| swap(&mut lines[0]["bots"]), "names do not belong to its bots"),
    (
        "fencing",
        Plain,
        |lines| ["names", "bots", "players"].into_iter().for_each(|key| swap(&mut lines[0][key])),
        "digest of all lines before: expected ",
    ),
    ("late", Clever, |lines| swap(&mut lines[0]["names"]), "messages: expected "),
    ("code-royale", Clever, |lines| lines[0]["seed"] = json!("6"), "setup is not that of seed 6"),
    (
        "code-royale",
        Clever,
        |lines| lines[0]["setup"]["players"][0]["gold"] = json!(1000),
        "setup is not that of seed 5, and is not said to be one of its own",
    ),
    (
        "fencing",
        Clever,
        |lines| lines[3]["answers"][0]["wall_us"] = json!(10_000_000),
        "(line 4): time of the answer: expected at most 1000",
    ),
    (
        "fencing",
        Clever,
        |lines| lines[3]["answers"][0] = json!(null),
        "(line 4): time of the answer: expected a number, got none",
    ),
    (
        "late",
        Clever,
        |lines| late_step(lines)["heard"][0]["after_us"] = json!(12_000),
        "late: expected a wait of at least 50 ms, got 12 ms",
    ),
    (
        "late",
        Clever,
        |lines| late_step(lines)["answers"] = json!([{ "wall_us": 7000 }, null]),
        "late: expected a wait of at least 50 ms, got 7 ms",
    ),
    (
        "late",
        Clever,
        |lines| lines[0]["clock"] = json!([false, false]),
        "late: expected a seat with a clock, got seat 0",
    ),
    (
        "late",
        Clever,
        |lines| lines[0]["time_scale"] = json!(100),
        "late: expected a wait of at least 5000 ms",
    ),
    (
        "fencing",
        Clever,
        |lines| lines[3]["disturbed"] = json!([true, false]),
        "disturbed: expected an answer that came late, got none of seat 0",
    ),
    (
        "luck",
        Clever,
        |lines| {
            let step = step_with(lines, |step| step["draws"].is_array());
            let draw = step["draws"][0].as_u64().expect("a number");
            step["draws"][0] = json!(draw ^ 1);
        },
        "draws: expected [",
    ),
    ("fencing", Clever, |lines| lines[0]["x"] = json!(1), "unknown field `x`"),
    ("fencing", Clever, |lines| lines[1]["x"] = json!(1), "line 2: expected a line of a replay"),
    ("fencing", Clever, |lines| end(lines)["x"] = json!(1), "unknown field `x`"),
    (
        "fencing",
        Clever,
        |lines| lines[1]["heard"][0]["x"] = json!(1),
        "line 2: expected a line of a replay",
    ),
    ("fencing", Clever, |lines| lines[1]["answers"][0]["x"] = json!(1), "unknown field `x`"),
    (
        "fencing",
        Clever,
        |lines| lines[0]["config"]["x"] = json!(1),
        "config is not one of fencing: unknown field `x`",
    ),
    (
        "code-royale",
        Clever,
        |lines| lines[0]["setup"]["x"] = json!(1),
        "setup is not one of code-royale: unknown field `x`",
    ),
    ("fencing", Plain, |lines| lines.push(json!({})), "expected nothing after the end, found `{}`"),
    ("worms", Clever, |lines| lines[0]["edition"] = json!("original"), "its config \"document\""),
    ("fencing", Clever, |lines| swap(&mut end(lines)["verdicts"]), "verdict: expected "),
    ("fencing", Clever, |lines| end(lines)["scores"][0] = json!(99), "score: expected 99, got "),
    ("fencing", Clever, |lines| end(lines)["reason"] = json!("fear"), "reason: expected fear, got"),
    ("fencing", Clever, |lines| end(lines)["turns"] = json!(3), "turns: expected 3, got "),
    (
        "fencing",
        Plain,
        |lines| lines[0]["players"][0]["files"] = json!({ "main.py": "00" }),
        "digest of all lines before: expected ",
    ),
    ("fencing", Plain, |lines| lines[0]["started_ms"] = json!(1), "digest of all lines before"),
    (
        "fencing",
        Plain,
        |lines| drop(end(lines).as_object_mut().expect("a line").remove("lines")),
        "digest of all lines before: expected none, got ",
    ),
    (
        "fencing",
        Clever,
        |lines| lines[0]["from"] = json!({ "replay": "x", "turn": 9999, "names": ["a", "b"] }),
        "the turn that it goes on from: expected a turn from 1 to ",
    ),
];

#[test]
fn every_lie_in_a_replay_is_named() {
    let folder = played();
    played_with_luck(&folder);
    for base in ["fencing", "code-royale", "worms", "late", "luck"] {
        let said = verified(&folder, base, Clever, &|_| {});
        assert!(said.starts_with("forged.jsonl: verified: "), "{base}: {said}");
    }
    for (index, (base, forger, lie, expected)) in LIES.iter().enumerate() {
        let said = verified(&folder, base, *forger, lie);
        let is_named = said.starts_with("forged.jsonl: failed: ") && said.contains(expected);
        assert!(is_named, "lie {index} in {base}: expected `{expected}`, found `{said}`");
    }
}

#[test]
fn a_setup_of_its_own_is_said_to_be_one() {
    let folder = played();
    let own = |lines: &mut Vec<Value>| {
        lines[0]["seed"] = json!("6");
        lines[0]["own_setup"] = json!(true);
    };
    let said = verified(&folder, "code-royale", Clever, &own);
    assert!(said.ends_with("; its setup is its own, not that of seed 6"), "{said}");
    let object = parsed(&folder.ok("verify --json forged.jsonl"));
    assert_eq!((&object["status"], &object["setup"]), (&json!("verified"), &json!("own")));
    let object = parsed(&folder.ok("verify --json code-royale.jsonl"));
    assert_eq!((&object["setup"], &object["seed"]), (&json!("seed"), &json!("5")));
}

#[test]
fn a_match_that_goes_on_from_another_says_so() {
    let folder = played();
    folder.ok("play --from worms.jsonl --turn 7 house:random house:random --replay on.jsonl");
    let said = folder.ok("verify on.jsonl");
    assert!(said.contains("; its turns before 7 are those of worms.jsonl\n"), "{said}");
}

#[test]
fn a_file_that_was_cut_off_is_incomplete_and_no_success() {
    let folder = played();
    let lines = replay_lines(&folder.read("fencing.jsonl"));
    folder.write("cut.jsonl", join_lines(&lines[..1]));
    let finished = folder.run("verify cut.jsonl fencing.jsonl");
    let said = finished.stdout;
    assert!(said.starts_with("cut.jsonl: incomplete: ends after turn 0: the file was cut off; "));
    assert!(said.ends_with("1 verified, 1 incomplete, 0 failed\n"), "{said}");
    assert_eq!(finished.code, 1);
    let finished = folder.run("verify --json cut.jsonl");
    let object = parsed(&finished.stdout);
    assert_eq!((finished.code, &object["status"]), (1, &json!("incomplete")));
}
