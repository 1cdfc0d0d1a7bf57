//! The games with state files, through the binary: folders with a `bot.json`, sample bots, a person
//! at the terminal, match logs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Folder, Running, binary, json, sample, wait_until, workspace};

const GAMES: [&str; 2] = ["worms", "overdrive"];

/// Plays to a result in JSON; nothing is complained of.
fn play(folder: &Folder, game: &str, bots: [&str; 2], more: &[&str]) -> Value {
    let words = [&["play", game, bots[0], bots[1], "--json"], more].concat();
    let finished = folder.run_words(&words, "");
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{words:?}");
    json(&finished.stdout)
}

/// A folder with a bot that answers `nothing`, written in the shell and started as if compiled.
fn write_bot(folder: &Folder, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(folder.path(&format!("{name}/bin"))).expect("a folder");
    let manifest = r#"{"author":"A","email":"a@b","nickName":"Shelly","botLocation":"/bin",
        "botFileName":"bot","botLanguage":"cplusplus"}"#;
    folder.write(&format!("{name}/bot.json"), manifest);
    let bot = folder.write(&format!("{name}/bin/bot"), format!("#!/bin/sh\n{script}"));
    std::fs::set_permissions(bot, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
}

#[test]
fn the_sample_bots_beat_random_play() {
    let folder = Folder::new();
    for game in GAMES {
        for language in ["python", "javascript"] {
            let bot = sample(game, language);
            for seed in ["1", "2", "3"] {
                for (own, bots) in [(0, [&*bot, "house:random"]), (1, ["house:random", &*bot])] {
                    let more = ["--seed", seed, "--no-replay", "--limit", "20s"];
                    let result = play(&folder, game, bots, &more);
                    assert_eq!(result["faults"], json!([]), "{game} {language} {seed}: {result}");
                    assert_eq!(result["winner"], json!(own), "{game} {language} {seed}: {result}");
                }
            }
        }
    }
}

#[test]
fn a_bot_plays_itself_and_leaves_its_folder_as_it_was() {
    let folder = Folder::new();
    write_bot(
        &folder,
        "bot",
        "while read n; do [ -s rounds/$n/state.json ] && echo \"C;$n;nothing\"; done",
    );
    for game in GAMES {
        let result = play(&folder, game, ["bot", "./bot"], &["--seed", "4", "--limit", "20s"]);
        assert_eq!(result["bots"], json!(["Shelly", "Shelly 2"]));
        assert_eq!(result["faults"], json!([]));
        let replay = result["replay"].as_str().expect("a path");
        assert!(folder.ok(&format!("verify {replay}")).contains("verified: "));
    }
    assert_eq!(folder.list("bot"), ["bin", "bot.json"]);
    assert_eq!(folder.list("bot/bin"), ["bot"]);
}

#[test]
fn a_command_works_beside_the_files_of_the_current_folder() {
    let folder = Folder::new();
    let script = "while read n; do head -c 1 rounds/$n/state.json >seen; cat word >/dev/null && \
                  echo \"C;$n;nothing\"; done";
    folder.write("bot.sh", script);
    folder.write("word", "x");
    for game in GAMES {
        let result =
            play(&folder, game, ["sh bot.sh", "sh bot.sh"], &["--seed", "4", "--no-replay"]);
        assert_eq!(result["faults"], json!([]), "{result}");
    }
    assert_eq!(folder.list("."), ["bot.sh", "word"]);
}

#[test]
fn house_bots_play_as_programs_in_both_ways() {
    let folder = Folder::new();
    for game in GAMES {
        let bot = format!("'{}' bot {game} random --seed 4", binary());
        for state in ["files", "stdin"] {
            let more = ["--seed", "6", "--state", state, "--limit", "20s", "--replay", "a.jsonl"];
            let result = play(&folder, game, [&bot, &bot], &more);
            assert_eq!(result["faults"], json!([]), "{game} {state}: {result}");
            assert!(result["answers"][1]["count"].as_u64() > Some(5), "{result}");
            assert!(folder.ok("verify a.jsonl").contains("verified: "));
        }
    }
}

#[test]
fn a_bot_that_cannot_be_started_plays_on_and_the_result_says_so() {
    let folder = Folder::new();
    for game in GAMES {
        let words = [
            "play",
            game,
            "house:greedy",
            "no-such-program",
            "--seed",
            "3",
            "--no-replay",
            "--json",
        ];
        let finished = folder.run_words(&words, "");
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        assert!(finished.stderr.contains("no-such-program plays on without commands"));
        let result = json(&finished.stdout);
        assert_eq!(result["winner"], json!(0));
        assert_eq!(result["errors"], json!([0, 1]));
        assert_eq!(result["faults"][0]["fault"], json!("unstartable"));
        let closing = result["closing"].as_str().expect("a sentence");
        assert!(closing.ends_with("; no-such-program could not be started"), "{closing}");
    }
}

#[test]
fn a_person_sees_the_console_and_types_bare_commands() {
    let folder = Folder::new();
    let worms = ["play", "worms", "human", "house:greedy", "--seed", "1", "--no-replay"];
    let said = folder.run_words(&worms, "nothing\n\nshoot N\n").stdout;
    assert!(said.starts_with("My Player:H="), "{said}");
    assert!(said.contains("Player 1, enter a command (move x y)/(dig x y)/(shoot N,"), "{said}");
    let more = "/(banana x y)/(snowball x y)/(select n;command)/(nothing)";
    assert!(said.contains(more), "{said}");
    assert!(said.contains("; human was gone: its connection was closed\n"), "{said}");
    let overdrive = ["play", "overdrive", "human", "house:greedy", "--seed", "1", "--no-replay"];
    let said = folder.run_words(&overdrive, "ACCELERATE\n").stdout;
    assert!(said.contains("round:2"), "{said}");
}

#[test]
fn match_logs_are_written_live_and_from_a_replay() {
    let folder = Folder::new();
    for game in GAMES {
        let (live, again) = (format!("{game}-live"), format!("{game}-again"));
        let more = ["--seed", "8", "--match-log", &live, "--replay", "a.jsonl"];
        let result = play(&folder, game, ["house:random", "house:greedy"], &more);
        assert!(result["verification_required"].is_boolean(), "{result}");
        assert!(result["remarks"].is_array());
        folder.export(&format!("a.jsonl --match-log {again}"));
        assert_eq!(folder.list(&live), folder.list(&again));
        let last = format!("Round {:03}", result["turns"].as_u64().expect("a number"));
        for file in ["endGameState.txt", "GlobalState.json", "B - greedy/JsonMap.json"] {
            let of = |log: &str| folder.read(&format!("{log}/{last}/{file}"));
            assert_eq!(of(&live), of(&again), "{file}");
        }
        let words = ["play", game, "house:random", "house:random", "--match-log", &live];
        let finished = folder.run_words(&words, "");
        assert_eq!(finished.code, 2);
        assert!(finished.stderr.contains("expected a new or empty folder"), "{}", finished.stderr);
    }
    let finished = folder.run("play hockey --match-log log");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("--match-log: expected a game with a match log"));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Folder::new();
    folder.write("broken.json", "{\"maxRounds\": tru");
    std::fs::create_dir(folder.path("bad")).expect("a folder");
    folder.write("bad/bot.json", r#"{"botLanguage":"cobol","botFileName":"x"}"#);
    let cases = [
        ("play worms --seed 2147483648", "--seed: expected a whole number from -2147483648 to"),
        ("play overdrive --seed -2147483649", "--seed: expected a whole number from -2147483648"),
        ("play hockey --state stdin", "--state: expected a game with state files, found hockey"),
        ("play hockey --keep-rounds 3", "--keep-rounds: expected a game with state files"),
        ("play worms --keep-rounds 0", "--keep-rounds"),
        ("play hockey --game-config broken.json", "--game-config: expected no file"),
        ("play worms --game-config nowhere.json", "--game-config: cannot read nowhere.json"),
        ("play worms --game-config broken.json", "broken.json"),
        ("play overdrive --game-config broken.json", "broken.json"),
        ("play worms bad house:random", "bad/bot.json: botLanguage: expected one of java"),
        ("bot hockey random --state files", "--state: expected a game with state files"),
    ];
    for (words, part) in cases {
        let finished = folder.run(words);
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(part), "{words}: {}", finished.stderr);
    }
}

#[test]
fn only_the_newest_rounds_are_kept_on_request() {
    let folder = Folder::new();
    let script = "while read n; do ls rounds | wc -l >&2; echo \"C;$n;nothing\"; done";
    folder.write("bot.sh", script);
    let more = ["--seed", "4", "--keep-rounds", "2", "--replay", "a.jsonl"];
    play(&folder, "worms", ["sh bot.sh", "house:random"], &more);
    let text = String::from_utf8(folder.read("a.jsonl")).expect("a plain replay is text");
    assert!(text.contains("\"text\":\"2\\n\"") && !text.contains("\"text\":\"3\\n\""), "{text}");
}

/// A match that goes on for long, and the folder of a bot in it.
fn long_match(folder: &Folder) -> (Running, PathBuf) {
    let mark = folder.path("where");
    folder.write(
        "bot.sh",
        format!("pwd -P >'{0}.new'; mv '{0}.new' '{0}'; sleep 60", mark.display()),
    );
    let words = ["play", "worms", "sh bot.sh", "house:random", "--limit", "60s", "--no-replay"];
    // The bot tells where it is in a file outside of its folder.
    let running = folder.start(&[&words[..], &["--sandbox", "off"]].concat());
    wait_until("the bot starts", || mark.exists());
    let place = PathBuf::from(std::fs::read_to_string(&mark).expect("a path").trim());
    assert!(place.join("rounds").exists(), "{}", place.display());
    (running, place)
}

#[test]
fn an_interrupted_match_leaves_no_folder_behind() {
    let folder = Folder::new();
    let (running, place) = long_match(&folder);
    running.interrupt();
    assert_eq!(running.finish().code, 130);
    assert!(!place.exists(), "{}", place.display());
}

#[test]
fn what_a_killed_match_left_is_swept_by_the_next_one_whatever_it_plays() {
    for words in
        ["play worms true house:random --no-replay", "play hockey true house:random --no-replay"]
    {
        let folder = Folder::new();
        let (running, place) = long_match(&folder);
        let rounds = place.join("rounds").canonicalize().expect("a folder");
        running.kill();
        folder.run(words);
        assert!(!place.exists() && !rounds.exists(), "{words}: {}", place.display());
    }
}

/// It costs nothing by itself: the bot is not given up, and its answers count.
#[test]
fn a_bot_that_meddles_with_its_state_files_is_counted_and_found_again() {
    let folder = Folder::new();
    let script = "while read n; do mkfifo rounds/$((n + 2)); echo \"C;$n;nothing\"; done";
    folder.write("meddler.sh", script);
    let tournament = "[[bot]]\nname = \"meddler\"\nrun = \"sh meddler.sh\"\n\
                      [[bot]]\nname = \"other\"\nrun = \"house:random\"\n";
    let head = "game = \"worms\"\ngames-per-pair = 2\nlimit = \"20s\"\nstore = \"games.db\"\n";
    folder.write("t.toml", format!("{head}{tournament}"));
    // A sandbox keeps bots from it.
    let finished = folder.run("tournament t.toml --output json --sandbox off");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let standings = json(&finished.stdout)["standings"].clone();
    let meddler = standings.as_array().expect("a list").iter().find(|row| row["bot"] == "meddler");
    assert_eq!(meddler.expect("it played")["error_kinds"]["meddling"], 2, "{standings:#}");
    let found = json(&folder.ok("stats --store games.db --error meddling --output json"));
    assert_eq!(found["games"].as_array().map(Vec::len), Some(2), "{found:#}");
    let error = &found["games"][0]["errors"][0];
    assert_eq!(
        (&error["error"], &error["bot"]),
        (&json!("meddling"), &json!("meddler")),
        "{error}"
    );
    assert_eq!(error["text"], "put a pipe at rounds/3; it was taken away (round 3)");
}

/// Every key of a value, however deep.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                keys(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// The page of a game describes what its bots find, field by field: each is named between backticks.
#[test]
fn every_field_of_a_state_is_on_the_page_of_its_game() {
    let folder = Folder::new();
    folder.write(
        "bot.sh",
        "while read -r n; do read -r state; echo \"$state\" >> \"$1\"; echo \"C;$n;$2\"; done\n",
    );
    for (game, command) in GAMES.into_iter().zip(["nothing", "ACCELERATE"]) {
        let states = folder.path(game);
        let bot = format!("bash bot.sh {} {command}", states.display());
        let more = "--state stdin --sandbox off --seed 5 --limit 60s --no-replay";
        let more: Vec<&str> = more.split(' ').collect();
        play(&folder, game, [&bot, "house:greedy"], &more);
        let states = String::from_utf8(folder.read(game)).expect("states are text");
        let mut found = BTreeSet::new();
        states.lines().for_each(|state| keys(&json(state), &mut found));
        assert!(found.len() > 15, "{game}: {found:?}");
        let page = workspace().join(format!("games/{game}/README.md"));
        let page = std::fs::read_to_string(page).expect("every game has a page");
        let is_missing = |key: &&String| !page.contains(&format!("`{key}`"));
        let missing: Vec<&String> = found.iter().filter(is_missing).collect();
        assert!(missing.is_empty(), "{game}: {missing:?}");
    }
}
