//! Tournaments and comparisons through the real binary: what they print, what they keep, what they
//! refuse.

use std::time::Duration;

use quintain_core::Seat;
use quintain_record::{Disturbance, Ending, VoidReason};
use quintain_store::{Filter, Store};

use crate::support::{Folder, games_in, json, wait_until, workspace};

const TWO: [&str; 4] = ["--bot", "a=house:random", "--bot", "b=house:greedy"];

fn tournament(folder: &Folder, more: &[&str]) -> crate::support::Finished {
    let words = [&["tournament", "--quiet", "--game", "hockey"], &TWO[..], more].concat();
    folder.run_words(&words, "")
}

#[test]
fn a_tournament_prints_tables_and_keeps_its_replays_beside_the_store() {
    let folder = Folder::new();
    let more = ["--games-per-pair", "4", "--store", "t.db"];
    let finished = tournament(&folder, &more);
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("tournament-table", finished.stdout);
    let replays = "t.replays/1-tournament_hockey";
    assert_eq!(folder.list(replays).len(), 4);
    let again = tournament(&folder, &more);
    assert_eq!(again.stdout, finished.stdout, "nothing is left to play");
    let csv = tournament(&folder, &[&more[..], &["--output", "csv"]].concat());
    insta::assert_snapshot!("tournament-csv", csv.stdout);
    let html = tournament(&folder, &[&more[..], &["--output", "html"]].concat());
    assert!(
        html.stdout.starts_with("<!doctype html>")
            && html.stdout.contains("<th scope=\"row\">a</th>")
    );
    assert!(!html.stdout.contains("://"), "the page needs nothing else");
    let replay = folder.path(replays).join(&folder.list(replays)[0]);
    folder.ok(&format!("verify {}", replay.display()));
}

#[test]
fn a_tournament_in_json_has_games_and_standings() {
    let folder = Folder::new();
    let finished = tournament(&folder, &["--games-per-pair", "6", "--output", "json"]);
    let report = json(&finished.stdout);
    assert_eq!(report["games"], 6);
    let best = &report["standings"][0];
    assert_eq!((best["bot"].as_str(), best["games"].as_u64()), (Some("b"), Some(6)));
    let sum = ["wins", "draws", "losses"].map(|key| best[key].as_u64().expect("a count"));
    assert_eq!(sum.iter().sum::<u64>(), 6);
    let number = |key: &str| best[key].as_f64().expect("a number");
    assert!(number("low") <= number("rating") && number("rating") <= number("high"));
    assert_eq!(best["errors"], 0);
}

#[test]
fn every_form_is_played_to_its_end_and_glicko_is_an_option() {
    let folder = Folder::new();
    let forms =
        [("round-robin", Some(12)), ("gauntlet", Some(6)), ("swiss", Some(8)), ("knockout", None)];
    for (form, games) in forms {
        let more = ["--bot", "c=house:random", "--bot", "d=house:greedy", "--form", form];
        let rest = ["--games-per-pair", "2", "--output", "json", "--rating", "glicko"];
        let finished = tournament(&folder, &[&more[..], &rest].concat());
        assert_eq!((finished.code, finished.stderr.as_str()), (0, ""), "{form}");
        let report = json(&finished.stdout);
        assert_eq!(report["standings"].as_array().map(Vec::len), Some(4), "{form}");
        assert_eq!(report["rating"], "Glicko-2");
        match games {
            Some(games) => assert_eq!(report["games"], games, "{form}"),
            None => assert_eq!(report["standings"][0]["place"], 1),
        }
    }
}

/// Whoever only looks sees the same, even while somebody plays or a bot has been changed.
#[test]
fn standings_can_be_looked_up() {
    let folder = Folder::new();
    folder.write("bot.sh", "true\n");
    for form in ["round-robin", "swiss", "knockout"] {
        let bots = ["--bot", "c=bash bot.sh", "--form", form, "--games-per-pair", "2"];
        let words = [&bots[..], &["--no-replays", "--store", "t.db", "--name", form]].concat();
        let played = tournament(&folder, &words);
        assert_eq!(played.code, 0, "{}", played.stderr);
        folder.write("bot.sh", format!("exit 1 # {form}\n"));
        let store = Store::open(folder.path("t.db").to_str().expect("a path")).expect("a store");
        let info = store.find_run(form).expect("a store").expect("a run");
        let busy = store.begin(&info.plan).expect("nobody plays");
        let looked_up = tournament(&folder, &[&words[..], &["--standings"]].concat());
        drop(busy);
        assert_eq!((looked_up.code, &looked_up.stdout), (0, &played.stdout), "{form}");
    }
    let missing = tournament(&folder, &["--store", "t.db", "--name", "x", "--standings"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("(round-robin, swiss, knockout), found `x`"));
    let others = tournament(&folder, &["--store", "t.db", "--name", "swiss", "--standings"]);
    assert!(others.stderr.contains("(a, b, c), found a, b"), "{}", others.stderr);
    assert_eq!(tournament(&folder, &["--standings"]).code, 2);
}

#[test]
fn the_written_file_is_a_tournament() {
    let folder = Folder::new();
    let finished = folder.run("tournament init");
    assert_eq!(finished.code, 0);
    assert!(finished.stderr.contains("quintain tournament tournament.toml"));
    assert_eq!(folder.run("tournament init").code, 1, "nothing is overwritten");
    let report = json(&folder.ok("tournament tournament.toml --quiet --output json"));
    assert_eq!((report["games"].as_u64(), report["name"].as_str()), (Some(10), Some("tournament")));
    assert!(folder.path("tournament.db").exists());
}

const ONE_BOT: &str = "[[bot]]\nname = \"a\"\nrun = \"house:random\"\n";

/// The tournament of this file is refused with these words.
fn check_refused(text: String, expected: &str) {
    let folder = Folder::new();
    folder.write("bad.toml", &text);
    let finished = folder.run("tournament bad.toml");
    assert_eq!((finished.code, finished.stdout.as_str()), (2, ""), "{text}");
    assert!(finished.stderr.contains(expected), "{expected}: {}", finished.stderr);
    assert_eq!(folder.list("."), ["bad.toml"], "nothing is half-written");
}

/// Whoever mistypes a key or leaves out a unit is told what was meant.
#[test]
fn the_nearest_key_of_a_file_and_the_units_of_a_time_are_named() {
    let (bots, check) = (ONE_BOT, check_refused);
    let head = "game = \"fencing\"\n";
    check(format!("{head}from = \"swiss\"\n{bots}"), "; did you mean `form`?\n");
    check(
        format!("{head}[[bot]]\nnmae = \"a\"\nrun = \"house:random\"\n"),
        "bad.toml:3: unknown key `nmae`, expected `name` or `run`; did you mean `name`?",
    );
    check(
        format!("{head}[[bot]]\nname = \"a\"\nrun = \"house:random\"\nnmae = \"b\"\n"),
        "bad.toml:5: unknown key `nmae`, expected `name` or `run`; did you mean `name`?",
    );
    check(format!("gaem = \"hockey\"\n{bots}"), "bad.toml:1: unknown key `gaem`, expected one of");
    check(format!("gaem = \"hockey\"\n{bots}"), "; did you mean `game`?\n");
    check(format!("{head}form = \"swis\"\n{bots}{bots}"), "found `swis`; did you mean `swiss`?");
    check(format!("game = \"hokey\"\n{bots}"), "found `hokey`; did you mean `hockey`?");
    let two = format!("{bots}{}", bots.replace("\"a\"", "\"b\""));
    let with = |line: &str, expected: &str| check(format!("{head}\n{line}\n{two}"), expected);
    with(
        "limit = 5",
        "bad.toml:3: limit: expected a time such as 500ms, 2s or 1.5s, with its unit: 5ms for \
         milliseconds, 5s for seconds or 5m for minutes, found `5`",
    );
    with("limit = \"0.5\"", "with its unit: 0.5ms for milliseconds, 0.5s for seconds");
    with("limit = true", "bad.toml:3: limit: expected a text in quotes, found `true`");
    with("[set]\nleage = 9", "got 9; did you mean `league`?");
}

#[test]
fn a_bad_file_is_refused_with_its_line_and_nothing_is_written() {
    let bots = ONE_BOT;
    let check = check_refused;
    let head = "game = \"fencing\"\n";
    check(format!("{head}gmaes = 3\n{bots}"), "bad.toml:2: unknown key `gmaes`, expected one of");
    check(format!("game = \"chess\"\n{bots}"), "bad.toml:1: game: expected one of hockey");
    check(format!("{head}{bots}"), "bad.toml:4: expected at least two [[bot]]");
    check(
        format!("{head}{bots}{bots}"),
        "bad.toml:6: expected bots with different names, found `a` twice",
    );
    check(
        format!("{head}{bots}[[bot]]\nname = \"b\"\nrun = \"./no/such\"\n"),
        "bad.toml:7: bot `./no/such`",
    );
    check(format!("{head}{bots}[[bot]]\nname = \"b\"\n"), "bad.toml:5: missing key `run`");
    check(format!("{head}form = \"league\"\n{bots}{}", bots.replace('a', "b")), "bad.toml:");
    let two = format!("{bots}{}", bots.replace("\"a\"", "\"b\""));
    let with = |line: &str, expected: &str| check(format!("{head}\n{line}\n{two}"), expected);
    with("games-per-pair = 2\ngames-per-pair = 4", "bad.toml:4: games-per-pair: expected once");
    with("name = \"a\\nb\"", "bad.toml:3: name: expected a name, without control characters");
    check(
        format!("{head}{}", bots.replace("\"a\"", "\"\\u001b[31m\"")),
        "bad.toml:3: name: expected a name, without control characters, found \"\\u{1b}[31m\"",
    );
    with("concurrency = 0", "bad.toml:3: concurrency: expected a whole number of at least 1");
    check(
        format!("{head}[bot]\nname = \"a\"\nrun = \"house:random\"\n"),
        "bad.toml:2: expected [[bot]] with `name` and `run` for each bot, found [bot]",
    );
    with("games-per-pair = \"x\"", "bad.toml:3: games-per-pair: expected a whole number");
    with("games-per-pair = 0", "bad.toml:3: games-per-pair: expected at least one game");
    with("league = 9", "bad.toml:3: league: expected 1, 2 or 3, got 9");
    with("[set]\nleague = 9", "bad.toml:4: league: expected 1, 2 or 3, got 9");
    with("league = 2\n[set]\nleague = 2", "bad.toml:3: league: expected once, found twice");
    with(
        "[set]\nswitches.score_gap = \"x\"",
        "bad.toml:4: switches.score_gap: expected a value like 2",
    );
    with("[set.switches]\nscore_gap = 0", "bad.toml:4: switches.score_gap: expected more than 0");
    with("[set]\nturns = 9", "bad.toml:4: turns: expected none of that name (fencing has league, ");
    with("challengers = 1", "bad.toml:3: challengers: expected only in a gauntlet tournament");
    with("form = \"gauntlet\"\nchallengers = 2", "bad.toml:4: challengers: expected 1 to 1");
    with("form = \"swiss\"\nrounds = 9", "bad.toml:4: rounds: expected 1 to 1 Swiss rounds");
    with("concurrency = 4096", "bad.toml:3: concurrency: expected at most");
    with("state = \"files\"", "bad.toml:3: state: expected a game with state files");
    with("game-config = \"c.json\"", "bad.toml:3: game-config: cannot read c.json");
    with("replays = \"bad.toml/x\"", "bad.toml:3: replays: cannot make the folder");
    check("game = \n".to_owned(), "bad.toml:1:");
    let folder = Folder::new();
    folder.write("bad.toml", b"game = \"fencing\"\nname = \"\xe9\"\n");
    let finished = folder.run("tournament bad.toml");
    let expected = "bad.toml:2: expected text in UTF-8, found the byte 0xe9";
    assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    for words in [["--bot", "c\u{1b}=house:random"], ["--name", "a\nb"], ["--name", ""]] {
        let odd = tournament(&folder, &words);
        let text = format!("{}: expected a name, without control characters", words[0]);
        assert!(odd.code == 2 && odd.stderr.contains(&text), "{}", odd.stderr);
    }
    let odd = tournament(&folder, &["--games-per-pair", "0"]);
    assert!(odd.stderr.contains("--games-per-pair: expected at least one"), "{}", odd.stderr);
}

#[test]
fn a_store_that_cannot_be_used_is_named_with_its_line_and_left_alone() {
    let folder = Folder::new();
    folder.write("notes.txt", "not a database, but longer than the head of one would be");
    for (store, expected) in [
        ("no/such/folder/t.db", "its folder does not exist"),
        ("notes.txt", "found a file that is no SQLite database"),
        (".", "expected a file for the store, found the folder"),
        ("mysql://host/x", "expected a store as PATH, sqlite:PATH or postgres:"),
    ] {
        let text = tournament_file(1).replace("rounds", &format!("store = \"{store}\"\nrounds"));
        folder.write("t.toml", text);
        let finished = folder.run("tournament t.toml");
        assert_eq!((finished.code, finished.stdout.as_str()), (1, ""), "{store}");
        let text = &finished.stderr;
        assert!(text.contains("t.toml:4: store: ") && text.contains(expected), "{store}: {text}");
    }
    assert_eq!(folder.list("."), ["notes.txt", "t.toml"]);
    assert!(folder.read("notes.txt").starts_with(b"not a database"));
}

/// What is wrong with a bot is known before anything is written, wherever it is named.
#[test]
fn a_bot_that_cannot_be_started_is_named_before_anything_is_written() {
    let folder = Folder::new();
    folder.write("noise", "#!/no/such/interpreter\n");
    folder.write("plain", "text");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path("noise"), mode).expect("it is ours");
    std::fs::create_dir(folder.path("broken")).expect("a folder");
    folder.write("broken/bot.json", "{ \"author\": ");
    let files = ["broken", "noise", "plain"];
    for (bot, expected) in [
        ("no-such-program-anywhere", "no-such-program-anywhere"),
        ("./noise", "the interpreter that its first line names"),
        ("./missing", "expected a program at ./missing, found nothing"),
        ("./plain", "found a file that may not be run"),
        ("./broken", "bot.json"),
    ] {
        let check = |words: &[&str], place: &str| {
            let finished = folder.run_words(words, "");
            assert_eq!((finished.code, finished.stdout.as_str()), (2, ""), "{bot}");
            let text = &finished.stderr;
            assert_eq!(text.matches("error:").count(), 1, "{text}");
            assert!(text.contains(expected) && text.contains(place), "{bot}: {text}");
        };
        check(&["compare", "fencing", bot, "house:greedy", "--store", "t.db"], bot);
        let named = format!("b={bot}");
        let call = ["tournament", "--game", "fencing", "--bot", "a=house:greedy", "--bot", &named];
        check(&[&call[..], &["--store", "t.db"]].concat(), "--bot: ");
        assert_eq!(folder.list("."), files, "nothing is half-written");
        let text = format!(
            "game = \"fencing\"\n[[bot]]\nname = \"a\"\nrun = \"house:greedy\"\n[[bot]]\n\
             name = \"b\"\nrun = \"{bot}\"\n"
        );
        folder.write("t.toml", text);
        check(&["tournament", "t.toml"], "t.toml:7: ");
        std::fs::remove_file(folder.path("t.toml")).expect("it was written");
        assert_eq!(folder.list("."), files, "nothing is half-written");
    }
}

/// A bot whose program vanishes after the first game loses the others.
#[test]
fn a_bot_that_fails_to_start_later_loses_by_it() {
    let folder = Folder::new();
    let script = folder.write("once.sh", "#!/bin/bash\nread line && rm -f once.sh\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(script, mode).expect("it is ours");
    let call = "compare fencing ./once.sh house:greedy --games 6 --limit 60s -j 1 --force --json \
                --sandbox off";
    let finished = folder.run(call);
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    let object = json(&finished.stdout);
    let errors = &object["errors"]["old"];
    assert_eq!((errors["crash"].as_u64(), errors["not-started"].as_u64()), (Some(1), Some(5)));
    assert_eq!(object["wins"], 6);
    assert!(finished.stderr.contains("old did not start in game"), "{}", finished.stderr);
}

#[test]
fn what_is_set_counts_and_belongs_to_the_run_however_it_is_written() {
    let folder = Folder::new();
    let bots = "[[bot]]\nname = \"a\"\nrun = \"house:random\"\n[[bot]]\nname = \"b\"\nrun = \"house:greedy\"\n";
    let head = "game = \"worms\"\ngames-per-pair = 2\nno-replays = true\n";
    folder.write("t.toml", format!("{head}[set]\ngame.maxRounds = 7\n{bots}"));
    assert_eq!(folder.run("tournament t.toml -q").code, 0);
    let call = "tournament --game worms --games-per-pair 2 --no-replays -q --store t.db --name t \
        --bot a=house:random --bot b=house:greedy";
    let again = folder.run(&format!("{call} --set game.maxRounds=7"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    let games = folder.ok("stats --store t.db --run t --output json");
    assert!(games.contains("\"turns\": 7") || games.contains("\"turns\":7"), "{games}");
    let other = folder.run(&format!("{call} --set game.maxRounds=8"));
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("set.game.maxRounds was `7`, now `8`"), "{}", other.stderr);
}

#[test]
fn games_of_edited_files_are_not_mixed() {
    let folder = Folder::new();
    let call = "compare worms house:greedy house:random --games 2 --store t.db --json";
    let config = std::fs::read_to_string(workspace().join("games/worms/tests/config.json"));
    folder.write("config.json", config.unwrap_or_else(|_| "{ \"maxRounds\": 20 }".to_owned()));
    let with_config = format!("{call} --game-config config.json");
    let first = folder.run(&with_config);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let text = String::from_utf8(folder.read("config.json")).expect("text");
    folder.write("config.json", text.replace("\"maxRounds\": 20", "\"maxRounds\": 30"));
    let edited = folder.run(&with_config);
    assert_eq!((edited.code, edited.stdout.as_str()), (1, ""));
    for part in ["game-config.maxRounds was `20`, now `30`", "--name NAME"] {
        assert!(edited.stderr.contains(part), "{part}: {}", edited.stderr);
    }
    assert_eq!(folder.run(&format!("{with_config} --name again")).code, 0);

    folder.write("bot.sh", "true\n");
    let call = ["compare", "fencing", "bash bot.sh", "house:greedy", "--games", "2"];
    let call = [&call[..], &["--store", "t.db", "--no-replays", "--json"]].concat();
    assert_eq!(folder.run_words(&call, "").code, 0);
    folder.write("bot.sh", "false\n");
    let edited = folder.run_words(&call, "");
    assert_eq!(edited.code, 1);
    let part = "the content of the file bot.sh of bot old has changed";
    assert!(edited.stderr.contains(part), "{}", edited.stderr);

    // A folder's script is not the bot; what it starts is.
    std::fs::create_dir(folder.path("bot")).expect("a folder");
    folder.write("bot/run.sh", "echo >> log.txt; gcc -o built x.c; exec sh ./play.sh");
    let call = ["compare", "fencing", "b=bot", "house:greedy", "--store", "t.db", "--games"];
    for (file, text, code) in [
        ("bot/play.sh", "true\n", 0),
        ("bot/log.txt", "written by the bot\n", 0),
        ("bot/built", "by the bot\n", 0),
        ("bot/log.txt", "again\n", 0),
        ("bot/play.sh", "false\n", 1),
    ] {
        folder.write(file, text);
        let finished = folder.run_words(&[&call[..], &["2", "--no-replays"]].concat(), "");
        assert_eq!(finished.code, code, "{file}: {}", finished.stderr);
        let part = "the content of the file ./play.sh of bot b has changed";
        assert_eq!(finished.stderr.contains(part), code == 1, "{}", finished.stderr);
    }

    folder.write("t.toml", tournament_file(2));
    folder.ok("tournament t.toml --quiet --output csv");
    folder.write("t.toml", tournament_file(3));
    let edited = folder.run("tournament t.toml");
    assert_eq!((edited.code, edited.stdout.as_str()), (1, ""));
    assert!(edited.stderr.contains("rounds was `2`, now `3`"), "{}", edited.stderr);
}

fn tournament_file(rounds: u32) -> String {
    let bot = |name| format!("[[bot]]\nname = \"{name}\"\nrun = \"house:random\"\n");
    let bots: String = ["a", "b", "c"].map(bot).concat();
    format!(
        "game = \"hockey\"\nform = \"swiss\"\ngames-per-pair = 2\nrounds = {rounds}\n\
         no-replays = true\n{bots}"
    )
}

#[test]
fn more_games_than_cores_are_refused_unless_forced() {
    let folder = Folder::new();
    let call = "compare hockey house:random house:greedy --quiet --games 2 --concurrency 4096";
    let finished = folder.run(call);
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("--force"), "{}", finished.stderr);
    assert!(folder.ok(&format!("{call} --force")).contains("after 2 games"));
}

#[test]
fn a_comparison_ends_with_a_sentence_or_an_object() {
    let folder = Folder::new();
    let text = folder.ok("compare hockey house:random house:greedy --quiet");
    assert!(text.starts_with("new is stronger: +"), "{text}");
    let call = "compare hockey house:random house:random --quiet --games 20 --json";
    let object = json(&folder.ok(call));
    assert_eq!(object["games"], 20);
    for key in ["wins", "draws", "losses", "elo", "low", "high", "verdict", "errors", "seconds"] {
        assert!(!object[key].is_null(), "{key}");
    }
    for key in ["llr", "evidence"] {
        assert!(object.as_object().is_some_and(|object| object.contains_key(key)), "{key}");
        assert!(object[key].is_null(), "no test was asked for");
    }
    assert_eq!(object["verdict"], "no-difference-shown");
}

#[test]
fn failures_are_told_apart_and_can_be_shown_again() {
    let folder = Folder::new();
    let bots = [
        ("true", "crash", "60s", ": was gone: its process ended with exit code 0 (turn 1); "),
        ("echo JUMP", "illegal", "60s", ": old is disqualified: no command (turn 1: `JUMP`); "),
        ("sleep 600", "timeout", "50ms", ": did not answer in time (turn 1); "),
    ];
    for (bot, kind, limit, told) in bots {
        let words = ["compare", "fencing", bot, "house:greedy", "--games", "2", "--json"];
        let finished = folder.run_words(&[&words[..], &["--limit", limit]].concat(), "");
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        let object = json(&finished.stdout);
        assert_eq!(object["errors"]["old"][kind], 2, "{bot}: {}", finished.stdout);
        assert_eq!(object["errors"]["new"][kind], 0);
        assert_eq!((object["wins"].as_u64(), object["losses"].as_u64()), (Some(2), Some(0)));
        assert!(finished.stderr.contains(told), "{told}: {}", finished.stderr);
        let (_, command) =
            finished.stderr.split_once("show it again: quintain ").expect("a command");
        let command = command.lines().next().expect("a line");
        assert!(!folder.ok(command).is_empty(), "{command}");
    }
}

#[test]
fn a_comparison_goes_on_with_what_is_stored_and_refuses_other_bots() {
    let folder = Folder::new();
    let call = "compare hockey old=house:random new=house:greedy --quiet --store c.db --json";
    let first = json(&folder.ok(&format!("{call} --games 4")));
    assert_eq!(first["games"], 4);
    let second = json(&folder.ok(&format!("{call} --games 10")));
    assert_eq!(second["games"], 10);
    let seconds = |object: &serde_json::Value| object["seconds"].as_f64().expect("a number");
    assert!(seconds(&second) > seconds(&first), "the time of both stretches");
    let again = json(&folder.ok(&format!("{call} --games 10")));
    assert_eq!(seconds(&again), seconds(&second), "nothing was played");
    let store = Store::open(folder.path("c.db").to_str().expect("a path")).expect("a store");
    assert_eq!(store.runs().expect("runs")[0].games, 10);
    let other = folder.run(&format!("{call} --games 4 --seed 2"));
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("seed was `1`, now `2`"), "{}", other.stderr);
}

#[test]
fn an_interrupted_tournament_says_how_to_go_on() {
    let folder = Folder::new();
    let words =
        ["tournament", "--game", "fencing", "--games-per-pair", "100000", "--store", "t.db"];
    let words = [&words[..], &TWO[..], &["--no-replays"]].concat();
    let running = folder.start(&words);
    let place = folder.path("t.db");
    let place = place.to_str().expect("a path");
    wait_until("a game is kept", || games_in(place) > 0);
    running.interrupt();
    let finished = running.finish();
    assert_eq!(finished.code, 1, "{}", finished.stderr);
    assert!(finished.stderr.contains("to go on: quintain tournament --game fencing"));
    assert!(finished.stdout.contains("of 100,000 games"), "{}", finished.stdout);
}

/// What keeps games from being played is said together with how to go on.
#[test]
fn a_tournament_without_room_for_its_replays_says_how_to_go_on() {
    let folder = Folder::new();
    folder.write("t.replays", "in the way");
    let call = ["--games-per-pair", "4", "--store", "t.db"];
    let finished = tournament(&folder, &call);
    assert_eq!((finished.code, finished.stdout.as_str()), (1, ""), "{}", finished.stderr);
    let text = &finished.stderr;
    assert!(text.contains("t.replays/1-tournament_hockey"), "{text}");
    let (error, how) = text.split_once("\nto go on: quintain ").expect("how to go on is said");
    assert!(error.starts_with("error: game 0-0-0-") && !error.contains('\n'), "{text}");
    assert!(how.ends_with("--games-per-pair 4 --store t.db\n"), "{text}");
    std::fs::remove_file(folder.path("t.replays")).expect("it was written");
    let finished = tournament(&folder, &call);
    assert!(finished.stdout.contains(" 4 games;"), "{finished:?}");
}

/// Two comparisons have games of the same names. What was printed about the first still shows them.
#[test]
fn comparisons_do_not_replace_each_others_replays() {
    let folder = Folder::new();
    let compare = |bot: &str, game: &str, more: &[&str]| {
        let words = ["compare", game, bot, "house:greedy", "--games", "2", "--limit", "60s"];
        let finished = folder.run_words(&[&words[..], &["--quiet"], more].concat(), "");
        assert_eq!(finished.code, 0, "{}", finished.stderr);
        let commands = finished.stderr.lines().filter_map(|line| {
            line.split_once("; show it again: quintain ").map(|(_, command)| command.to_owned())
        });
        commands.collect::<Vec<String>>()
    };
    let stored = ["--store", "c.db"];
    let crashes = [compare("true", "fencing", &[]), compare("true", "fencing", &stored)].concat();
    let others = ["--store", "c.db", "--name", "other"];
    let illegal = [compare("cat", "fencing", &[]), compare("cat", "fencing", &others)].concat();
    for (commands, part) in [(&crashes, "was gone: its process"), (&illegal, "no command")] {
        // Both games of a comparison failed alike, and one of them is shown.
        assert_eq!(commands.len(), 2, "{commands:?}");
        for command in commands {
            let shown = folder.ok(command);
            assert!(shown.contains(part), "{command}: {shown}");
        }
    }
    assert_eq!(folder.list("replays"), ["compare-fencing-old-new", "compare-fencing-old-new-2"]);
    compare("house:random", "hockey", &[]);
    assert_eq!(folder.list("replays").len(), 2, "nothing failed, so nothing is left");
}

/// What went wrong before a comparison was stopped is part of its result, too.
#[test]
fn a_comparison_that_goes_on_still_lists_what_went_wrong() {
    let folder = Folder::new();
    let call = "compare fencing true house:greedy --limit 60s --quiet --store c.db --games";
    assert_eq!(folder.run(&format!("{call} 2")).code, 0);
    add_disturbed_game(&folder);
    let finished = folder.run(&format!("{call} 4 --json"));
    let object = json(&finished.stdout);
    let games = |key: &str| {
        let list = object[key].as_array().expect("a list");
        list.iter().map(|entry| entry["game"].as_str().expect("a game").to_owned()).collect()
    };
    let mut failed: Vec<String> = games("failed");
    failed.sort();
    assert_eq!(failed, ["0-0-0-a", "0-0-0-b", "1-0-0-a", "1-0-0-b"]);
    assert_eq!(object["errors"]["old"]["crash"], 4);
    let disturbed: Vec<String> = games("disturbed");
    assert_eq!(disturbed, ["1-0-0-a"]);
    for entry in object["failed"].as_array().expect("a list") {
        let replay = entry["replay"].as_str().expect("a path");
        assert!(entry["game"] == "1-0-0-a" || folder.path(replay).exists(), "{entry}");
    }
    let text = folder.run(&format!("{call} 4")).stdout;
    let list = "list them: quintain ";
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(list)).collect();
    let parts = ["old: 4 crashes; ", "played again because this machine was busy: 1 game; "];
    assert_eq!(lines.len(), parts.len(), "{text}");
    for ((line, part), games) in lines.iter().zip(parts).zip([4, 1]) {
        let (told, command) = line.split_once(list).expect("it was looked for");
        assert_eq!(told, part);
        let command = command.replace("'compare fencing old new'", "compare-run");
        let words: Vec<&str> = command
            .split_whitespace()
            .map(|word| if word == "compare-run" { "compare fencing old new" } else { word })
            .chain(["--output", "json"])
            .collect();
        let listed = json(&folder.run_words(&words, "").stdout);
        assert_eq!(listed["games"].as_array().map(Vec::len), Some(games), "{command}");
    }
}

/// The third game of a comparison, as if its first attempt had been disturbed.
fn add_disturbed_game(folder: &Folder) {
    add_disturbed_games(folder, 1..2);
}

/// Games of a comparison in which the new version is second, of these rounds, with a first attempt that
/// was disturbed.
fn add_disturbed_games(folder: &Folder, rounds: std::ops::Range<u32>) {
    let path = folder.path("c.db");
    let store = Store::open(path.to_str().expect("a path")).expect("the store");
    let info = store.runs().expect("runs").remove(0);
    let all = store.whole_games(info.id, &Filter::default());
    let mut games = all.map(|numbered| numbered.expect("a game").1);
    let mut game = games.find(|game| !game.head.id.swapped).expect("a game");
    game.disturbances = vec![Disturbance {
        attempt: 1,
        seat: Seat::First,
        turn: 3,
        limit: Duration::from_millis(50),
        wall: Duration::from_millis(60),
        cpu: None,
        waited: None,
        replay: None,
    }];
    let run = store.begin(&info.plan).expect("the run");
    for round in rounds {
        game.head.id.round = round;
        run.record(&game).expect("a game");
    }
}

/// Where forgiveness is frequent, who is forgiven decides.
#[test]
fn a_comparison_with_many_disturbed_games_refuses_a_verdict() {
    let folder = Folder::new();
    let call = "compare fencing true house:greedy --limit 60s --quiet --store c.db --games";
    assert_eq!(folder.run(&format!("{call} 2")).code, 0);
    add_disturbed_games(&folder, 1..4);
    let told = "3 of 8 games (37.5%) were void or played again, more than 3%";
    let refused = folder.run(&format!("{call} 8"));
    assert_eq!(refused.code, 0, "{}", refused.stderr);
    for part in [&format!("no verdict: {told}"), "`quintain doctor`", "(-j)", "--force"] {
        assert!(refused.stdout.contains(part), "{part}: {}", refused.stdout);
    }
    assert!(!refused.stdout.contains("stronger"), "{}", refused.stdout);
    assert_eq!(json(&folder.run(&format!("{call} 8 --json")).stdout)["verdict"], "refused");
    let forced = folder.run(&format!("{call} 8 --force")).stdout;
    assert!(forced.contains(&format!("warning: {told}")) && forced.contains(" Elo"), "{forced}");
    let forced = json(&folder.run(&format!("{call} 8 --force --json")).stdout);
    assert_eq!(forced["verdict"], "no-difference-shown", "{forced}");
    let few = json(&folder.run(&format!("{call} 4 --json")).stdout);
    assert_eq!(few["verdict"], "no-difference-shown", "one disturbed game is let pass: {few}");
}

/// A test of games that are all void would never be decided.
#[test]
fn a_test_gives_up_where_too_many_games_are_void() {
    let folder = Folder::new();
    let call = "compare fencing true house:greedy --limit 60s --quiet --store c.db";
    assert_eq!(folder.run(&format!("{call} --games 2")).code, 0);
    let path = folder.path("c.db");
    let store = Store::open(path.to_str().expect("a path")).expect("the store");
    let info = store.runs().expect("runs").remove(0);
    let numbered = store.whole_games(info.id, &Filter::default()).next().expect("a game");
    let (_, mut game) = numbered.expect("a game");
    game.head.ending = Ending::Void(VoidReason::Disturbed);
    game.head.content = None;
    let run = store.begin(&info.plan).expect("the run");
    for number in 2..50 {
        game.head.id.round = number / 2;
        game.head.id.swapped ^= true;
        game.head.bots.0.reverse();
        run.record(&game).expect("a game");
    }
    drop(run);
    let given_up = json(&folder.run(&format!("{call} --json")).stdout);
    assert_eq!((&given_up["verdict"], &given_up["void"]), (&"refused".into(), &48.into()));
    assert_eq!(given_up["games"], 2, "nothing more was played: {given_up}");
}

#[test]
fn a_tournament_with_many_disturbed_games_has_no_places() {
    let folder = Folder::new();
    let call = "tournament --quiet --game fencing --bot a=true --bot b=house:greedy --limit 60s \
                --store c.db --games-per-pair";
    assert_eq!(folder.run(&format!("{call} 2")).code, 0);
    add_disturbed_games(&folder, 1..4);
    let told = "3 of 8 games (37.5%) were void or played again";
    let refused = folder.run(&format!("{call} 8"));
    assert_eq!(refused.code, 0, "{}", refused.stderr);
    assert!(refused.stdout.contains(&format!("no verdict: {told}")), "{}", refused.stdout);
    let report = json(&folder.run(&format!("{call} 8 --output json")).stdout);
    assert_eq!(report["verdict"], "refused");
    for line in report["standings"].as_array().expect("a list") {
        for key in ["place", "rating", "low", "high"] {
            assert!(line[key].is_null(), "{key}: {line}");
        }
        assert_eq!(line["games"], 8, "what was played is told: {line}");
    }
    let csv = folder.run(&format!("{call} 8 --output csv")).stdout;
    assert!(csv.contains("\n,a,8,0,0,8,0,0,,,,8,"), "{csv}");
    let html = folder.run(&format!("{call} 8 --output html")).stdout;
    assert!(html.contains(told), "{html}");
    let forced = folder.run(&format!("{call} 8 --force")).stdout;
    assert!(
        forced.contains(&format!("warning: {told}")) && forced.contains(" or more"),
        "{forced}"
    );
}

/// A bot that crashes at once plays the same two games for ever.
#[test]
fn copies_of_games_are_told_and_a_test_does_not_wait_for_more() {
    let folder = Folder::new();
    let call = "compare fencing true house:greedy --limit 60s --quiet --no-replays";
    let text = folder.run(call).stdout;
    assert!(
        text.starts_with("no difference shown: ") && text.contains("after 102 games"),
        "{text}"
    );
    for part in ["all 102 games are two different ones", "the last 100 games brought nothing new"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let object = json(&folder.run(&format!("{call} --json")).stdout);
    assert_eq!(object["different_games"], 2, "{object}");
    assert_eq!(object["nothing_new"], true, "{object}");
    let [few, many] = ["2", "40"].map(|games| {
        let call = format!("{call} --store c.db --games {games} --json");
        json(&folder.run(&call).stdout)
    });
    assert_eq!((&few["different_games"], &many["different_games"]), (&2.into(), &2.into()));
    assert_eq!(many["games"], 40, "as many as were asked for");
    let low = |object: &serde_json::Value| object["low"].as_f64().expect("a number");
    assert!(low(&many) <= low(&few) && low(&many) < 0.0, "{few} {many}");
}

#[test]
fn copies_of_games_do_not_make_standings_surer() {
    let folder = Folder::new();
    let call = "tournament --quiet --game fencing --bot a=true --bot b=house:greedy \
                --bot c=house:random --limit 60s --store t.db --no-replays --games-per-pair";
    let [few, many] =
        ["2", "40"].map(|games| json(&folder.run(&format!("{call} {games} --output json")).stdout));
    let of = |report: &serde_json::Value, bot: &str, key: &str| {
        let lines = report["standings"].as_array().expect("a list");
        let line = lines.iter().find(|line| line["bot"] == bot).expect("a bot");
        line[key].as_f64().expect("a number")
    };
    let width = |report| of(report, "a", "high") - of(report, "a", "low");
    assert!(width(&many) > 0.9 * width(&few), "{few} {many}");
    let copies = many["copies"].as_array().expect("a list");
    assert_eq!(copies[0]["bots"], serde_json::json!(["a", "b"]));
    assert_eq!((&copies[0]["games"], &copies[0]["different"]), (&40.into(), &2.into()));
    let text = folder.run(&format!("{call} 40")).stdout;
    assert!(text.contains("a and b: all 40 games are two different ones"), "{text}");
    let glicko = folder.run(&format!("{call} 40 --rating glicko --output json"));
    assert!(width(&json(&glicko.stdout)) > 400.0, "{}", glicko.stdout);
}

/// Two bots that crash in the same turn.
#[test]
fn games_that_both_lost_are_told_as_such() {
    let folder = Folder::new();
    let call = "compare fencing true false --limit 60s --quiet --no-replays --games 4";
    let text = folder.run(call).stdout;
    assert!(text.starts_with("nobody is stronger: both lost all of 4 games in "), "{text}");
    assert!(text.contains("new: 0 won, 0 drawn, 4 lost, 4 of them lost by both"), "{text}");
    let object = json(&folder.run(&format!("{call} --json")).stdout);
    assert_eq!((&object["verdict"], &object["both_lost"]), (&"both-lost".into(), &4.into()));
    let call = "tournament --quiet --game fencing --bot a=true --bot b=false --limit 60s \
                --games-per-pair 4";
    let text = folder.run(call).stdout;
    assert!(text.contains("a: 4 games lost by both sides"), "{text}");
    let report = json(&folder.run(&format!("{call} --output json")).stdout);
    assert_eq!(report["standings"][0]["both_lost"], 4, "{report}");
    let csv = folder.run(&format!("{call} --output csv")).stdout;
    assert!(csv.contains(",wins,draws,losses,both_lost,points,"), "{csv}");
}

/// Who went on in a knock-out can be followed, also where nobody won.
#[test]
fn rounds_that_follow_from_results_are_shown() {
    let folder = Folder::new();
    let call = "tournament --quiet --game fencing --bot a=house:greedy --bot b=house:greedy \
                --bot c=house:greedy --games-per-pair 2 --form";
    let text = folder.ok(&format!("{call} knockout"));
    for part in ["b goes on, level but seeded better", "a wins, level but seeded better", "bye"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("0-0-0"), "who never met has no score: {text}");
    let report = json(&folder.ok(&format!("{call} knockout --output json")));
    let first = &report["rounds"][0];
    assert_eq!((&first["byes"][0], first["round"].as_u64()), (&"a".into(), Some(1)));
    assert_eq!(first["pairings"][0]["bots"], serde_json::json!(["b", "c"]));
    assert_eq!(first["pairings"][0]["goes_on"], "b");
    let swiss = json(&folder.ok(&format!("{call} swiss --rounds 3 --output json")));
    assert_eq!(swiss["rounds"].as_array().map(Vec::len), Some(3));
    // Two levelled pairings and a bye for each; everybody met the two others.
    let best = &swiss["standings"][0];
    assert_eq!((best["swiss_points"].as_f64(), best["buchholz"].as_f64()), (Some(2.0), Some(4.0)));
    let table = folder.ok(&format!("{call} swiss --rounds 3"));
    assert!(table.contains("  bot  Swiss points  Buchholz\n"), "{table}");
    assert!(swiss["rounds"][0]["pairings"][0]["goes_on"].is_null());
    let page = folder.ok(&format!("{call} knockout --output html"));
    assert!(page.contains("a wins, level but seeded better"), "{page}");
}
