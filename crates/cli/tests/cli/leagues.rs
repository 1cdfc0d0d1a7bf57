//! `play` under the tools that CodinGame players have: the flags of brutaltester, and the result as
//! league runners read it.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Folder, json as read_json};

/// Says something about itself in every turn, and answers.
const TALKER: &str = r#"
import sys
turn = 0
while True:
    own, other = input(), input()
    turn += 1
    print("[PDATA+] answers = 1", file=sys.stderr)
    print(f"[PDATA] position = {own.split()[0]}", file=sys.stderr)
    print(f"[PDATA][{turn}] energy = {own.split()[1]}", file=sys.stderr)
    print("[TDATA] talk = yes", "and no tag", sep="\n", file=sys.stderr, flush=True)
    print("WALK" if turn % 2 else "BREAK", flush=True)
"#;

/// What cgarena demands of the command that plays a match.
#[derive(Deserialize)]
struct ArenaResult {
    ranks: Vec<u8>,
    errors: Vec<u8>,
    attributes: Vec<ArenaAttribute>,
}

#[derive(Deserialize)]
struct ArenaAttribute {
    name: String,
    player: Option<usize>,
    turn: Option<u16>,
    value: String,
}

fn talk(folder: &Folder, more: &[&str]) -> String {
    folder.write("talker.py", TALKER);
    let words = ["play", "fencing", "-p1", "python3 talker.py", "-p2", "house:greedy", "-i", "5"];
    let words = [&words[..], &["--time-scale", "20"], more].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{words:?}");
    finished.stdout
}

#[test]
fn what_bots_say_about_themselves_stands_in_the_result() {
    let folder = Folder::new();
    let result = read_json(&talk(&folder, &["--json", "--no-replay"]));
    let answers = result["answers"][0]["count"].as_u64().expect("a count");
    assert_eq!(result["bots"], json!(["talker", "greedy"]));
    assert_eq!(result["test_data"], json!({ "talk": "yes", "seed": "5" }));
    assert_eq!(result["player_data"][0]["answers"], json!(answers.to_string()));
    assert!(result["player_data"][0]["position"].is_string());
    assert_eq!(result["player_data"][1], json!({}));

    let result: ArenaResult = serde_json::from_value(result).expect("what cgarena reads");
    assert_eq!((result.ranks, result.errors), (vec![1, 0], vec![0, 0]));
    let of_turn = |turn| {
        let found = result.attributes.iter().find(|attribute| attribute.turn == turn);
        found.map(|attribute| (attribute.name.as_str(), attribute.player, attribute.value.as_str()))
    };
    assert_eq!(of_turn(Some(1)), Some(("energy", Some(0), "20")));
    assert_eq!(result.attributes.iter().filter(|one| one.turn.is_some()).count() as u64, answers);
    let talk = result.attributes.iter().find(|attribute| attribute.name == "talk");
    assert_eq!(talk.map(|attribute| attribute.player), Some(None));
}

#[test]
fn swapped_matches_list_the_players_as_they_were_named() {
    let folder = Folder::new();
    let results = read_json(&talk(&folder, &["-s", "--json", "--no-replay"]));
    let results = results.as_array().expect("one object per match");
    assert_eq!(results.len(), 2);
    let pick = |key: &str| results.iter().map(|result| result[key].clone()).collect::<Vec<Value>>();
    assert_eq!(pick("seats"), [json!([0, 1]), json!([1, 0])]);
    assert_eq!(pick("bots"), [json!(["talker", "greedy"]), json!(["talker", "greedy"])]);
    assert_eq!(pick("ranks"), [json!([1, 0]), json!([1, 0])]);
    assert_eq!(pick("winner"), [json!(1), json!(1)]);
    assert_eq!(pick("seed"), [json!(5), json!(5)]);
    for result in results {
        assert!(result["player_data"][0]["answers"].is_string(), "{result}");
        assert!(result["closing"].as_str().expect("a sentence").starts_with("greedy beat talker"));
    }
}

#[test]
fn a_log_folder_gets_the_replay_and_the_result_of_each_match() {
    let folder = Folder::new();
    let said = talk(&folder, &["-l", "logs", "-s", "-q"]);
    assert_eq!(said.lines().count(), 2, "{said}");
    let stems = ["fencing-greedy-vs-talker-5", "fencing-talker-vs-greedy-5"];
    let names = stems.map(|stem| [format!("{stem}.json"), format!("{stem}.replay.jsonl.zst")]);
    assert_eq!(folder.list("logs"), names.concat());
    for [result, replay] in &names {
        let bytes = folder.read(&format!("logs/{result}"));
        let result = read_json(std::str::from_utf8(&bytes).expect("text"));
        assert_eq!(result["replay"], json!(format!("logs/{replay}")));
        folder.ok(&format!("verify logs/{replay}"));
    }
}

#[test]
fn the_short_names_of_the_bots_come_in_pairs_and_alone() {
    let folder = Folder::new();
    let one = folder.run("play fencing -p1 house:random");
    assert_eq!(one.code, 2);
    assert!(one.stderr.contains("--p2 <BOT>"), "{}", one.stderr);
    let mixed = folder.run("play fencing house:random -p1 house:random -p2 house:random");
    assert_eq!(mixed.code, 2);
    assert!(mixed.stderr.contains("cannot be used with"), "{}", mixed.stderr);
    let joined = folder.ok("play fencing -p1=house:greedy -p2=house:random -i 1 -q --no-replay");
    assert!(joined.starts_with("greedy beat random"), "{joined}");
}
