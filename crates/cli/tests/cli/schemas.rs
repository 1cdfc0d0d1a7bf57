//! The formats that others may build on: real files of all games are what `schema` says, and nothing more.

use jsonschema::Validator;
use serde_json::Value;

use crate::support::{Folder, games, json, replay_lines, workspace};

fn validator(folder: &Folder, name: &str) -> Validator {
    let schema = json(&folder.ok(&format!("schema {name}")));
    jsonschema::meta::validate(&schema).expect("a schema that can be meant");
    jsonschema::validator_for(&schema).expect("a schema that can be used")
}

fn assert_valid(validator: &Validator, value: &Value) {
    if let Err(error) = validator.validate(value) {
        panic!("{error} at {}: {value}", error.instance_path());
    }
}

#[test]
fn replays_and_results_of_all_games_are_as_their_schemas_say() {
    let folder = Folder::new();
    folder.ok("key new quintain.key");
    let (replay, result) = (validator(&folder, "replay"), validator(&folder, "result"));
    for game in games() {
        let said = folder.ok(&format!(
            "play {game} house:greedy house:random --seed 3 --json --sign quintain.key \
             --replay {game}.replay.jsonl"
        ));
        assert_valid(&result, &json(&said));
        let lines = replay_lines(&folder.read(&format!("{game}.replay.jsonl")));
        assert!(lines.len() > 4, "{game}");
        lines.iter().for_each(|line| assert_valid(&replay, line));
        let mut forged = lines[0].clone();
        forged["more"] = Value::Null;
        assert!(!replay.is_valid(&forged), "a key that nobody knows");
    }
}

#[test]
fn a_match_in_which_everything_went_wrong_is_as_its_schemas_say() {
    let folder = Folder::new();
    let (replay, result) = (validator(&folder, "replay"), validator(&folder, "result"));
    let bot = "sh -c 'echo oops >&2; exit 3'";
    let options = "--set game.maxRounds=5 --seed 3 --json --replay a.replay.jsonl";
    let words: Vec<&str> =
        ["play", "worms", bot, "house:random"].into_iter().chain(options.split(' ')).collect();
    let finished = folder.run_words(&words, "");
    assert_valid(&result, &json(&finished.stdout));
    let lines = replay_lines(&folder.read("a.replay.jsonl"));
    assert!(lines.iter().any(|line| line["heard"][0]["fault"].is_string()), "{lines:?}");
    lines.iter().for_each(|line| assert_valid(&replay, line));
}

#[test]
fn the_plans_of_the_book_are_as_their_schema_says() {
    let folder = Folder::new();
    let plan = validator(&folder, "plan");
    let book = std::fs::read_to_string(workspace().join("docs/src/plans.md")).expect("the book");
    let mut blocks: Vec<String> = book
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next().map(str::to_owned))
        .collect();
    assert_eq!(folder.run("tournament init a.toml").code, 0);
    blocks.push(String::from_utf8(folder.read("a.toml")).expect("text"));
    assert!(blocks.len() > 4, "the book has a block for each kind of plan");
    for block in &blocks {
        let table: toml::Table = block.parse().expect("TOML");
        let value = serde_json::to_value(&table).expect("a plan has plain values");
        assert_valid(&plan, &value);
        let mut misspelt = value.clone();
        misspelt["sede"] = 7.into();
        assert!(!plan.is_valid(&misspelt), "a key that nobody knows");
    }
}
