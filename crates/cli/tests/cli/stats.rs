//! The games behind a number: `stats`.

use quintain_record::{Ending, VoidReason};
use quintain_store::{Filter, Store};

use crate::support::{Folder, json, late_answer, workspace};

/// A store with the games of two bots, one of which says how many lunges it made.
fn stored() -> Folder {
    let folder = Folder::new();
    let sample = workspace().join("bots/fencing/python");
    let sample = format!("lunger={}", sample.display());
    let words = [
        "tournament",
        "--game",
        "fencing",
        "--bot",
        &sample,
        "--bot",
        "random=house:random",
        "--games-per-pair",
        "4",
        "--limit",
        "10s",
        "--store",
        "games.db",
        "--output",
        "json",
    ];
    let finished = folder.run_words(&words, "");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    folder
}

#[test]
fn games_are_filtered_and_lead_to_their_replays() {
    let folder = stored();
    let all = json(&folder.ok("stats --store games.db --output json"));
    let games = all["games"].as_array().expect("a list");
    assert_eq!(games.len(), 4, "{all}");
    let seed = games[0]["seed"].as_i64().expect("a number");
    let tags = all["summary"]["tags"].as_array().expect("a list");
    assert!(tags.iter().any(|tag| tag["name"] == "lunges" && tag["bot"] == "lunger"), "{all}");

    let count = |words: &str| {
        let found = json(&folder.ok(&format!("stats --store games.db --output json {words}")));
        found["games"].as_array().expect("a list").len()
    };
    assert_eq!(count("--bot lunger --opponent random"), 4);
    assert_eq!(count(&format!("--seed={seed}")), 2, "both games of a pair");
    // The games behind each number of the summary: who was disqualified has lost.
    let sums = json(&folder.ok("stats --store games.db --json --bot lunger"));
    let sums = &sums["summary"]["bots"][0];
    for (verdict, sum) in [("win", "wins"), ("draw", "draws"), ("loss", "losses")] {
        let games = count(&format!("--bot lunger --verdict {verdict}")) as u64;
        assert_eq!(sums[sum].as_u64(), Some(games), "{verdict}: {sums}");
    }
    let disqualified = count("--verdict disqualified");
    assert!(disqualified <= count("--verdict loss"), "{disqualified}");
    assert!(count("--tag lunges>=0") > 0, "a bot that never lunges does not say so");
    assert_eq!(count("--tag lunges<=-1") + count("--tag no_such_tag"), 0);
    assert_eq!(count("--error") + count("--error timeout") + count("--void"), 0);
    assert_eq!(count("--reason nonsense"), 0);

    let replays = folder.ok("stats --store games.db --list-replays");
    for replay in replays.lines() {
        assert!(folder.ok(&format!("verify {replay}")).contains("verified: "), "{replay}");
    }
    let table = folder.ok("stats --store games.db --bot lunger");
    for part in [
        "4 games",
        "lunger: ",
        " won, ",
        "lunges ",
        " value",
        "  games.replays/1-tournament_fencing/0-",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    // One run, no error, nothing disturbed: these columns would say nothing.
    let header = " game     first   second  seed";
    assert!(table.starts_with(header) && !table.contains("disturbed"), "{table}");
    let csv = folder.ok("stats --store games.db --output csv");
    assert_eq!(csv.lines().count(), 5);
    assert!(
        csv.starts_with("run,game,first,second,seed,winner,reason,errors,disturbed,replay\n"),
        "{csv}"
    );
}

#[test]
fn what_is_not_stored_is_named() {
    let folder = stored();
    for (words, part) in [
        ("--store games.db --bot nobody", "expected one of lunger, random, found `nobody`"),
        ("--store games.db --run nothing", "--run: expected one of"),
        ("--store games.db --tag >=7", "expected a tag"),
        ("--store games.db --error late", "expected a kind of error (crash, timeout, illegal"),
    ] {
        let finished = folder.run(&format!("stats {words}"));
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(part), "{words}: {}", finished.stderr);
    }
    let finished = folder.run("stats --store missing.db");
    assert_eq!((finished.code, finished.stdout.as_str()), (1, ""), "{}", finished.stderr);
    assert!(!folder.path("missing.db").exists(), "looking makes no store");
}

/// Adds a game to the first run of a store that was disturbed twice and is void.
fn add_void_game(folder: &Folder) {
    let path = folder.path("games.db");
    let store = Store::open(path.to_str().expect("a path")).expect("the store");
    let info = store.runs().expect("runs").remove(0);
    let first = store.whole_games(info.id, &Filter::default()).next().expect("games");
    let (_, mut game) = first.expect("a game");
    game.head.id.seed_index = 77;
    game.head.id.swapped = false;
    game.head.ending = Ending::Void(VoidReason::Disturbed);
    let late = |attempt| late_answer(attempt, Some(format!("games.replays/{attempt}.zst")));
    game.disturbances = vec![late(1), late(2)];
    store.begin(&info.plan).expect("the run").record(&game).expect("a game");
}

#[test]
fn disturbed_and_void_games_are_shown_with_their_times() {
    let folder = Folder::new();
    let call = "tournament --quiet --game fencing --bot a=house:greedy --bot b=house:random \
                --games-per-pair 4 --store games.db";
    folder.ok(call);
    add_void_game(&folder);
    let found = json(&folder.ok("stats --store games.db --disturbed --output json"));
    assert_eq!(found["games"].as_array().map(Vec::len), Some(1));
    let (game, summary) = (&found["games"][0], &found["summary"]);
    assert_eq!((game["id"].as_str(), summary["void"].as_u64()), (Some("0-0-77-a"), Some(1)));
    let late = &game["disturbed"][1];
    for (key, value) in [("turn", 17.0), ("late_by_ms", 11.5), ("waited_ms", 12.0), ("cpu_ms", 3.0)]
    {
        assert_eq!(late[key].as_f64(), Some(value), "{key}: {late}");
    }
    assert!(late["replay"].as_str().is_some_and(|path| path.ends_with("games.replays/2.zst")));
    let table = folder.ok("stats --store games.db --void");
    for part in ["late by ms", "second  17", "50.0", "61.5", "11.5", "12.0", "1 game, 1 of them"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    for (output, parts) in [
        ("table", ["late by ms", "0-0-77-a", "void (disturbed): game 0-0-77-a"]),
        ("json", ["\"late_by_ms\":11.5", "\"game\":\"0-0-77-a\"", "\"reason\":\"disturbed\""]),
        (
            "html",
            [
                "<th scope=\"col\">late by ms</th>",
                "<td>11.5</td>",
                "void (disturbed): game 0-0-77-a",
            ],
        ),
    ] {
        let text = folder.ok(&format!("{call} --standings --output {output}"));
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn an_examined_store_is_sound_until_somebody_edits_it() {
    let folder = stored();
    let sound = folder.ok("stats --check games.db");
    assert!(sound.ends_with("/games.db: 4 games of 1 run examined: sound\n"), "{sound}");
    assert_eq!(folder.ok("stats --store games.db --check"), sound);
    assert_eq!(folder.ok("stats --check games.db --replays"), sound);
    let examined = json(&folder.ok("stats --check games.db --json"));
    assert_eq!(examined["games"], 4, "{examined}");
    assert_eq!(examined["findings"].as_array().map(Vec::len), Some(0), "{examined}");

    let python = "import sqlite3; store = sqlite3.connect('games.db'); \
        store.execute(\"UPDATE games SET result = 1 - result\"); store.commit()";
    let edited = std::process::Command::new("python3")
        .args(["-c", python])
        .current_dir(folder.path("."))
        .status()
        .expect("python3 runs");
    assert!(edited.success());
    let refused = folder.run("stats --check games.db");
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    let finding = "run `tournament fencing`, game 1: its result is not the one of its verdicts\n";
    assert!(refused.stdout.contains(finding), "{}", refused.stdout);
    assert!(refused.stdout.contains(" examined: not sound, "), "{}", refused.stdout);
}

#[test]
fn a_store_that_is_sound_by_itself_is_compared_with_its_replays() {
    let folder = stored();
    let replay = folder.ok("stats --store games.db --list-replays");
    let replay = replay.lines().next().expect("a replay");
    std::fs::remove_file(replay).expect("the replay is there");
    folder.ok("stats --check games.db");
    let refused = folder.run("stats --check games.db --replays");
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(refused.stdout.contains(", game 1: "), "{}", refused.stdout);
    assert!(refused.stdout.contains(": failed: "), "{}", refused.stdout);
    assert!(refused.stdout.ends_with(" examined: not sound, 1 finding\n"), "{}", refused.stdout);
}

#[test]
fn a_damaged_store_is_told_with_advice() {
    let folder = stored();
    let path = folder.path("games.db");
    let mut bytes = std::fs::read(&path).expect("the store is there");
    // Every one of them: pages also hold remnants of earlier descriptions.
    let is_type = |place: &usize| bytes[*place..].starts_with(b"BIGINT");
    let declared: Vec<usize> = (0..bytes.len()).filter(is_type).collect();
    for place in declared {
        bytes[place] ^= 0x80;
    }
    std::fs::write(&path, bytes).expect("it can be written");
    for command in ["stats --store games.db", "stats --check games.db"] {
        let refused = folder.run(command);
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{command}");
        let told = ["games.db is damaged: ", "restore a backup"];
        assert!(told.iter().all(|part| refused.stderr.contains(part)), "{}", refused.stderr);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
}
