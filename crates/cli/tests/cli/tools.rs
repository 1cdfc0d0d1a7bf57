//! The small commands: `games`, `perft` and `bench`.

use serde_json::Value;

use crate::support::{Folder, json, workspace};

#[test]
fn the_games_are_listed() {
    let folder = Folder::new();
    insta::assert_snapshot!("games", folder.ok("games"));
    insta::assert_snapshot!("games-json", folder.ok("games --json"));
    insta::assert_snapshot!("games-fencing", folder.ok("games fencing"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("games worms --json")).expect("one object");
    let settings = json["settings"].as_array().expect("a list");
    for (key, default) in [("limit", "1000ms"), ("game.maxRounds", "400")] {
        let row = settings.iter().find(|row| row["key"] == key).expect(key);
        assert_eq!(row["default"], default, "{key}");
    }
}

#[test]
fn sequences_of_plies_are_counted() {
    insta::assert_snapshot!("perft", Folder::new().ok("perft hockey --depth 4"));
}

#[test]
fn a_workload_prints_what_it_played() {
    let said = Folder::new().ok("bench --workload hockey-random --count 10");
    let result = json(&said);
    assert_eq!(result["workload"], "hockey-random");
    assert!(result["turns"].as_u64() > Some(10));
    assert_eq!(said.lines().count(), 1);
    assert_eq!(Folder::new().ok("bench --workload hockey-random --count 10"), said);
}

#[test]
fn the_workloads_of_a_game_are_found_by_name() {
    let turns = |name: &str| {
        let said = Folder::new().ok(&format!("bench --workload {name} --count 10"));
        json(&said)["turns"].as_u64()
    };
    assert_eq!(turns("fencing-league-2"), Some(10 * 200));
    assert_eq!(turns("fencing-league-2-batched"), Some(32 * 200), "whole blocks of 32");
}

/// The only row of a measurement.
fn measure(name: &str) -> Value {
    let said = Folder::new().ok(&format!("bench --only {name} --json"));
    let rows = json(&said)["rows"].clone();
    assert_eq!(rows.as_array().map(Vec::len), Some(1), "{said}");
    rows[0].clone()
}

#[test]
fn games_a_second_of_the_commands_are_measured() {
    for name in ["fencing-tournament-games", "fencing-compare-games"] {
        let row = measure(name);
        assert_eq!((row["name"].as_str(), row["unit"].as_str()), (Some(name), Some("games/s")));
        assert!(row["value"].as_f64() > Some(0.0), "{row}");
    }
}

#[test]
fn a_match_of_processes_is_measured_beside_its_own_lines_alone() {
    for name in ["hockey-process", "code-royale-process", "overdrive-process"] {
        let row = measure(name);
        assert_eq!(row["unit"], "us/answer", "{row}");
        for figure in ["value", "beside_value", "ratio"] {
            assert!(row[figure].as_f64() > Some(0.0), "{row}");
        }
        assert_eq!(row["ratio_max"], 1.5, "{row}");
    }
}

#[test]
fn recorded_matches_are_measured_where_they_are_found() {
    let folder = Folder::new();
    let call = "bench --workload code-royale-recorded --count 2";
    let finished = folder.run(call);
    assert_eq!((finished.code, finished.stdout.as_str()), (1, ""));
    for expected in ["--vectors", "code-royale", "found no such folder"] {
        assert!(finished.stderr.contains(expected), "{}", finished.stderr);
    }
    assert_eq!(folder.run("bench --only code-royale-recorded").code, 1);

    let vectors = workspace().join("games/code-royale/tests/vectors");
    std::fs::create_dir_all(folder.path("all/code-royale")).expect("a folder");
    for name in ["mixed-00.jsonl.gz", "edge-wait-draw.jsonl.gz"] {
        let bytes = std::fs::read(vectors.join(name)).expect("a recording");
        folder.write(&format!("all/code-royale/{name}"), bytes);
    }
    let said = folder.ok(&format!("{call} --vectors all"));
    assert_eq!(folder.ok(&format!("{call} --vectors all/code-royale")), said);
    assert_eq!(json(&said)["turns"], 95 + 200);

    folder.write("all/code-royale/none.jsonl", "{\"kind\":\"match\",\"game\":\"fencing\"}\n");
    assert_eq!(folder.ok(&format!("{call} --vectors all")), said, "of another game");
    std::fs::create_dir(folder.path("none")).expect("a folder");
    let finished = folder.run(&format!("{call} --vectors none"));
    assert_eq!(finished.code, 1);
    assert!(finished.stderr.contains("got none"), "{}", finished.stderr);
}

#[test]
fn every_house_bot_without_a_clock_has_a_row_of_its_own() {
    let said = json(&Folder::new().ok("bench --only hockey-house-random --json"));
    let row = &said["rows"][0];
    assert_eq!((&row["name"], &row["unit"]), (&"hockey-house-random".into(), &"answers/s".into()));
    assert!(row["value"].as_f64() > Some(0.0), "{said}");
}
