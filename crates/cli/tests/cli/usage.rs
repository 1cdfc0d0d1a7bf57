//! Wrong calls: exit code 2, and a message that says what was expected and what was found.

use crate::support::Folder;

/// The call is wrong, and the message holds each of these.
fn check(folder: &Folder, words: &[&str], code: i32, said: &[&str]) {
    let finished = folder.run_words(words, "");
    assert_eq!(finished.code, code, "{words:?}: {}", finished.stderr);
    assert_eq!(finished.stdout, "", "{words:?}");
    let message = &finished.stderr;
    assert!(message.starts_with("error: "), "{words:?}: {message}");
    for part in said {
        assert!(message.contains(part), "{words:?}: expected `{part}` in {message}");
    }
}

#[test]
fn wrong_games_and_bots() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    folder.write("plain.txt", "no program");
    let usage = |words: &[&str], said: &[&str]| check(&folder, words, 2, said);
    usage(&["play", "chess"], &["expected a game of this list: hockey", "`chess`"]);
    usage(&["host", "chess"], &["expected a game of this list: hockey", "`chess`"]);
    usage(&["perft", "chess"], &["expected a game of this list: hockey", "`chess`"]);
    usage(&["bot", "chess", "random"], &["expected a game of this list: hockey"]);
    usage(&["bot", "hockey", "best"], &["(random, ", "found `best`"]);
    let random = "house:random";
    usage(&["play", "hockey", "house:best", random], &["(random, ", "greedy", "found `best`"]);
    usage(&["play", "hockey", "house:gredy", random], &["did you mean `greedy`?"]);
    usage(&["play", "hockey", random], &["expected two bots or none, found one"]);
    usage(&["play", "hockey", random, random, random], &[random]);
    usage(&["play", "hockey", "greedy", random], &["a house bot is written house:greedy"]);
    usage(&["play", "hockey", "human", "human"], &["at most one human", "one terminal"]);
    usage(&["play", "hockey", "./missing", random], &["./missing", "found nothing"]);
    usage(
        &["play", "hockey", "empty", random],
        &["expected a file bot.json or run.sh", "found neither"],
    );
    usage(&["play", "hockey", "./plain.txt", random], &["plain.txt"]);
    usage(&["play", "hockey", "'unfinished", random], &["expected a closing '"]);
    usage(&["play", "hockey", "", random], &["expected a command or a folder, got nothing"]);
    let missing = ["play", "hockey", "no-such-program-anywhere", random];
    check(&folder, &missing, 1, &["no-such-program-anywhere", "search path"]);
    assert_eq!(folder.list("."), ["empty", "plain.txt"], "no replay was begun");
}

#[test]
fn wrong_choices() {
    let folder = Folder::new();
    let usage = |words: &str, said: &[&str]| {
        check(&folder, &words.split_whitespace().collect::<Vec<_>>(), 2, said);
    };
    usage("play hockey --seed x", &["'x'", "--seed", "expected a whole number"]);
    usage(
        "play hockey --seed 9223372036854775808",
        &["expected a whole number", "9223372036854775807"],
    );
    usage("play hockey --limit soon", &["'soon'", "expected a time such as 500ms"]);
    usage("play hockey --limit 0s", &["'0s'", "more than zero"]);
    usage(
        "play hockey --limit 2",
        &["'2'", "with its unit: 2ms for milliseconds, 2s for seconds or 2m for minutes"],
    );
    usage("play hockey --start-limit 1.5", &["'1.5'", "with its unit: 1.5ms for milliseconds"]);
    usage("play hockey --set limit=2", &["--limit: expected a time", "2s for seconds"]);
    usage("play worms --set game.mapSiz=2", &["got 2; did you mean `mapSize`?"]);
    usage("play hokey", &["found `hokey`; did you mean `hockey`?"]);
    usage("play hockey --time-scale 0", &["expected a number from 0.001 to 10000"]);
    usage("play hockey --league 2", &["league: expected none", "got 2"]);
    usage("play fencing --set league=9", &["--league: expected 1, 2 or 3, got 9"]);
    usage("play fencing --set limit=soon", &["--limit: expected a time such as 500ms", "got soon"]);
    usage("play fencing --limit 1s --set limit=2s", &["--limit: expected once, found twice"]);
    usage(
        "play worms --set game.mapSize=2",
        &["--set game.mapSize: expected a whole number from 9"],
    );
    usage("play worms --set game.size=2", &["--set game.size: expected none", "mapSize", "got 2"]);
    usage("play hockey --set limit", &["expected a key and its value, such as limit=500ms"]);
    usage("host hockey --league 2", &["league: expected none", "got 2"]);
    usage("play hockey --edition second", &["'second'", "document, original"]);
    usage("play hockey --replay a --no-replay", &["cannot be used with"]);
    usage("host hockey --no-replays --gif", &["cannot be used with"]);
    usage("host hockey --tables 0", &["--tables", "0"]);
    usage("export a.jsonl", &["--gif", "--png"]);
    usage("export a.jsonl --png b.png --size 9x9", &["expected a width from 160 to 4096"]);
    usage("export a.jsonl --gif a.gif --turn 3", &["cannot be used with"]);
    for (option, file, other) in
        [("png", "x.gif", "gif"), ("gif", "x.PNG", "png"), ("svg", "a.b.png", "png")]
    {
        let said = format!("ends with .{option}; a file .{other} is written with --{other}");
        usage(&format!("export a.jsonl --{option} {file}"), &[file, &said]);
    }
    usage(
        "play hockey --replay match.gif",
        &["match.gif", "quintain export REPLAY --gif match.gif"],
    );
    usage("verify", &["required", "FILE"]);
    usage("conform", &["required", "FILE"]);
    usage("bench --workload chess-random --count 1", &["code-royale-recorded", "`chess-random`"]);
    usage("bench --only chess", &["hockey-random", "`chess`"]);
    usage("fence", &["fence"]);
    assert!(folder.list(".").is_empty());
}

#[test]
fn wrong_addresses() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let taken = taken.local_addr().map(|address| (taken, address.to_string()));
    let (_listener, address) = taken.expect("an address");
    let in_use = ["is in use", "--listen", address.as_str()];
    let play = ["play", "hockey", "tcp", "house:random", "--listen"];
    check(&folder, &[&play[..], &[&address]].concat(), 1, &in_use);
    check(&folder, &["host", "hockey", "--listen", &address], 1, &in_use);
    let expected = ["expected an address such as 127.0.0.1:8023", "found `nonsense`"];
    check(&folder, &[&play[..], &["nonsense"]].concat(), 2, &expected);
    check(&folder, &["host", "hockey", "--listen", "nonsense"], 2, &expected);
    let far = ["host", "hockey", "--listen", "localhost:99999"];
    check(&folder, &far, 2, &["`localhost:99999`"]);
    let closed = ["bot", "hockey", "random", "--connect", "127.0.0.1:1"];
    check(&folder, &closed, 1, &["cannot connect to 127.0.0.1:1"]);
}

/// Whoever asks for a tournament as for a match is shown the call.
#[test]
fn a_tournament_by_its_game_and_bots() {
    let folder = Folder::new();
    let words = ["tournament", "fencing", "house:greedy", "python3 a.py", "--games-per-pair", "4"];
    check(
        &folder,
        &words,
        2,
        &[
            "expected a tournament file, found the name of a game and more",
            "\n  quintain tournament --game fencing --bot house:greedy --bot \"python3 a.py\" \
             --games-per-pair 4\n",
        ],
    );
}

/// Whoever forgets the quotes is shown the call with them.
#[test]
fn commands_without_quotes() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("team")).expect("a folder");
    let usage = |words: &str, said: &[&str]| {
        check(&folder, &words.split_whitespace().collect::<Vec<_>>(), 2, said);
    };
    let quotes = "a command of several words is written in quotes";
    usage(
        "play hockey python3 mybot.py house:random",
        &[
            "expected two bots, found 3 words",
            quotes,
            "\n  quintain play hockey \"python3 mybot.py\" house:random\n",
        ],
    );
    usage(
        "play hockey team python3 -u mybot.py --seed 3",
        &[quotes, "\n  quintain play hockey team \"python3 -u mybot.py\" --seed 3\n"],
    );
    usage(
        "compare fencing house:greedy python3 new.py --games 20",
        &[quotes, "\n  quintain compare fencing house:greedy \"python3 new.py\" --games 20\n"],
    );
    usage(
        "check python3 mybot.py hockey",
        &["expected one bot", "\n  quintain check \"python3 mybot.py\" hockey\n"],
    );
    usage(
        "feed a.jsonl python3 mybot.py --turn 3 --seat 1",
        &[quotes, "\n  quintain feed a.jsonl \"python3 mybot.py\" --turn 3 --seat 1\n"],
    );
    usage("play hockey python3 a.py java b", &[quotes, "for instance \"python3 bot.py\""]);
    assert_eq!(folder.list("."), ["team"]);
}

#[test]
fn options_by_the_names_that_other_programs_have_for_them() {
    let folder = Folder::new();
    let usage = |words: &str, said: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        check(&folder, &words, 2, &[said]);
        let advice = folder.run_words(&words, "").stderr;
        assert!(!advice.contains("as a value"), "{advice}");
    };
    usage("export a.jsonl --png a.png --width 800", "did you mean `--size W[xH]`?");
    usage("export a.jsonl --png a.png --height 800", "did you mean `--size W[xH]`?");
    usage("export a.jsonl --gif a.gif --range 1..3", "did you mean `--turns A..B`?");
    usage("play hockey house:random house:random --timeout 2s", "did you mean `--limit TIME`?");
    usage("stats cup.db", "did you mean `--store cup.db`?");
    // What has no such name is told as before.
    usage("export a.jsonl --png a.png --depth 8", "unexpected argument '--depth' found");
    usage("perft hockey --width 8", "unexpected argument '--width' found");
}
