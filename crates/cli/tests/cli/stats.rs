//! The games behind a number: `stats`.

use crate::support::{Folder, json, workspace};

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
    let verdicts = ["win", "draw", "loss", "disqualified"];
    let counts = verdicts.map(|verdict| count(&format!("--bot lunger --verdict {verdict}")));
    assert_eq!(counts.iter().sum::<usize>(), 4, "{counts:?}");
    assert!(count("--tag lunges>=0") > 0, "a bot that never lunges does not say so");
    assert_eq!(count("--tag lunges<=-1") + count("--tag no_such_tag"), 0);
    assert_eq!(count("--error") + count("--error late") + count("--void"), 0);
    assert_eq!(count("--reason nonsense"), 0);

    let replays = folder.ok("stats --store games.db --list-replays");
    for replay in replays.lines() {
        assert!(folder.ok(&format!("verify {replay}")).contains("verified: "), "{replay}");
    }
    let table = folder.ok("stats --store games.db --bot lunger");
    for part in ["4 games", "lunger: ", " wins, ", "lunges ", " values)"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let csv = folder.ok("stats --store games.db --output csv");
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.starts_with("run,game,first,second,seed,winner,reason,errors,replay\n"), "{csv}");
}

#[test]
fn what_is_not_stored_is_named() {
    let folder = stored();
    for (words, part) in [
        ("--store games.db --bot nobody", "expected one of lunger, random, found `nobody`"),
        ("--store games.db --run nothing", "--run: expected one of"),
        ("--store games.db --tag >=7", "expected a tag"),
    ] {
        let finished = folder.run(&format!("stats {words}"));
        assert_eq!(finished.code, 2, "{words}: {}", finished.stderr);
        assert!(finished.stderr.contains(part), "{words}: {}", finished.stderr);
    }
    let finished = folder.run("stats --store missing.db");
    assert_eq!((finished.code, finished.stdout.as_str()), (1, ""), "{}", finished.stderr);
    assert!(!folder.path("missing.db").exists(), "looking makes no store");
}
