//! Matches that go on from a turn of another one: `play --from`.

use serde_json::{Value, json};

use crate::support::{Folder, games, json, replay_lines, sample};

fn play(folder: &Folder, words: &[&str]) -> Value {
    let words = [&["play"], words, &["--time-scale", "40", "--json"]].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{words:?}");
    json(&finished.stdout)
}

/// The steps before a turn, without what belongs to the whole file.
fn steps_before(bytes: &[u8], turn: u64) -> Vec<Value> {
    let steps = replay_lines(bytes).into_iter().filter(|line| line["kind"] == "step");
    steps.filter(|step| step["turn"].as_u64().expect("a number") + 1 < turn).collect()
}

#[test]
fn every_game_goes_on_with_other_bots_and_the_new_replay_holds() {
    for game in games() {
        let folder = Folder::new();
        let house = ["house:random", "house:greedy"];
        play(&folder, &[game, house[0], house[1], "--seed", "5", "--replay", "old.jsonl"]);
        let bot = sample(game, "python");
        let from = ["--from", "old.jsonl", "--turn", "5", "--replay", "new.jsonl"];
        let result = play(&folder, &[&[game, &bot, "house:random"], &from[..]].concat());
        assert_eq!(result["faults"], json!([]), "{game}: {result}");
        assert_eq!(result["seed"], 5, "{game}");
        let said = folder.ok("verify new.jsonl");
        assert!(said.contains("verified: "), "{game}: {said}");
        let (old, new) = (folder.read("old.jsonl"), folder.read("new.jsonl"));
        let before = steps_before(&old, 5);
        assert!(!before.is_empty(), "{game}");
        assert_eq!(before, steps_before(&new, 5), "{game}");
        let header = &replay_lines(&new)[0];
        assert_eq!(header["from"]["replay"], "old.jsonl", "{game}");
        assert_eq!(header["from"]["turn"], 5, "{game}");
        assert_eq!(header["setup"], replay_lines(&old)[0]["setup"], "{game}");
    }
}

/// Programs in both seats live through the turns before; the game need not be named.
#[test]
fn programs_on_both_seats_catch_up() {
    for game in ["fencing", "worms"] {
        let folder = Folder::new();
        play(
            &folder,
            &[game, "house:greedy", "house:greedy", "--seed", "2", "--replay", "old.jsonl"],
        );
        let bot = sample(game, "python");
        let from = ["--from", "old.jsonl", "--turn", "9", "--replay", "new.jsonl"];
        let result = play(&folder, &[&[&*bot, &*bot], &from[..]].concat());
        assert_eq!((&result["game"], &result["faults"]), (&json!(game), &json!([])), "{result}");
        assert!(folder.ok("verify new.jsonl").contains("verified: "), "{game}");
    }
}

/// Both matches go on from the same turn, the second with the seats swapped, and the log has all rounds.
#[test]
fn a_branch_is_played_with_both_seatings_and_has_a_whole_match_log() {
    for game in ["worms", "overdrive"] {
        let folder = Folder::new();
        let house = [game, "house:random", "house:greedy", "--seed", "5", "--replay", "old.jsonl"];
        play(&folder, &house);
        let from = ["--from", "old.jsonl", "--turn", "9", "--match-log", "log", "--no-replay"];
        let bots = [game, "house:greedy", "house:random"];
        let result = play(&folder, &[&bots[..], &from[..]].concat());
        let rounds = result["turns"].as_u64().expect("a number");
        let names = folder.list("log");
        let count = names.iter().filter(|name| name.starts_with("Round ")).count() as u64;
        assert_eq!((count, names.contains(&"Round 001".to_owned())), (rounds, true), "{names:?}");
        assert!(names.iter().any(|name| name == "A - greedy.csv"), "{names:?}");

        let swap = ["--from", "old.jsonl", "--turn", "9", "--swap", "--log-dir", "both"];
        let results = play(&folder, &[&bots[..], &swap[..]].concat());
        let seats = |index: usize| results[index]["seats"].clone();
        assert_eq!((seats(0), seats(1)), (json!([0, 1]), json!([1, 0])), "{results}");
        let both = folder.list("both");
        let replays: Vec<&String> = both.iter().filter(|name| name.ends_with("zst")).collect();
        assert_eq!(replays.len(), 2, "{both:?}");
        for replay in replays {
            assert!(folder.ok(&format!("verify both/{replay}")).contains("verified: "), "{game}");
        }
    }
}

#[test]
fn a_bot_that_does_not_catch_up_is_told_of() {
    let folder = Folder::new();
    play(
        &folder,
        &["fencing", "house:greedy", "house:greedy", "--seed", "2", "--replay", "old.jsonl"],
    );
    folder.write("bot.sh", "while read line; do :; done");
    let from = ["--from", "old.jsonl", "--turn", "5", "--no-replay", "--start-limit", "200ms"];
    let words = [&["play", "fencing", "sh bot.sh", "house:greedy"], &from[..]].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let told = "not caught up: bot gave no answer to the recorded turn 1 within 0.4 s";
    assert!(finished.stdout.contains(told), "{}", finished.stdout);
}

#[test]
fn going_on_with_the_same_bots_inside_repeats_a_match_without_luck() {
    let folder = Folder::new();
    let old = play(
        &folder,
        &["hockey", "house:greedy", "house:greedy", "--seed", "4", "--replay", "old.jsonl"],
    );
    let from = ["--from", "old.jsonl", "--turn", "1", "--replay", "new.jsonl"];
    let new = play(&folder, &[&["hockey", "house:greedy", "house:greedy"], &from[..]].concat());
    assert_eq!((&old["turns"], &old["winner"]), (&new["turns"], &new["winner"]));
}

#[test]
fn a_match_that_was_cut_off_goes_on_where_it_broke() {
    let folder = Folder::new();
    play(
        &folder,
        &["fencing", "house:greedy", "house:random", "--seed", "1", "--replay", "a.jsonl"],
    );
    let text = String::from_utf8(folder.read("a.jsonl")).expect("text");
    let head: Vec<&str> = text.lines().take(7).collect();
    folder.write("cut.jsonl", format!("{}\n", head.join("\n")));
    let bots = ["fencing", "house:greedy", "house:random", "--replay", "b.jsonl"];
    let finished = folder
        .run_words(&[&["play"], &bots[..], &["--from", "cut.jsonl", "--turn", "100"]].concat(), "");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("expected a turn from 1 to 7"), "{}", finished.stderr);
    play(&folder, &[&bots[..], &["--from", "cut.jsonl", "--turn", "7"]].concat());
    assert!(folder.ok("verify b.jsonl").contains("verified: "));
}

#[test]
fn what_cannot_go_on_is_explained() {
    let folder = Folder::new();
    play(
        &folder,
        &["hockey", "house:greedy", "house:random", "--seed", "1", "--replay", "a.jsonl"],
    );
    let check = |words: &str, expected: &str| {
        let finished = folder.run(&format!("play {words}"));
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{words}: {}", finished.stderr);
    };
    check("hockey --from a.jsonl", "--turn");
    check("hockey --turn 3", "--from");
    check("hockey --from a.jsonl --turn 0", "got 0");
    check("hockey --from a.jsonl --turn 5000", "got 5000");
    check("fencing --from a.jsonl --turn 2", "expected a replay of fencing, found one of hockey");
    check("hockey --from a.jsonl --turn 2 --seed 1", "--seed");
    check("--turn 2 --no-replay", "--from");
}
