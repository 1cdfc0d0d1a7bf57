//! Bots that are built before they play: by their own script, which is trusted no more than they are.

use std::os::unix::fs::PermissionsExt as _;

use crate::sandbox::{Who, give_away};
use crate::support::{Folder, binary, json};

/// A bot of fencing that does not exist before it is built.
fn unbuilt(script: &str) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("bot")).expect("a folder");
    folder.write("bot/build.sh", script);
    folder.write("bot/run.sh", "exec ./made\n");
    folder
}

fn good_script() -> String {
    format!(
        "echo building\nprintf '#!/bin/bash\\nexec {} bot fencing random --seed 1\\n' > made\n\
         chmod 4777 made\nmkdir -p out/deep && echo x > out/deep/file\n",
        binary()
    )
}

#[test]
fn a_bot_is_built_and_plays_and_what_was_said_is_kept() {
    for who in Who::all() {
        let folder = unbuilt(&good_script());
        give_away(&folder.path(""));
        let output = who
            .command(binary())
            .args(["play", "fencing", "bot", "house:random", "--build", "--no-replay", "--json"])
            .args(["--sandbox", "basic", "--limit", "20s", "--start-limit", "20s"])
            .current_dir(folder.path(""))
            .output()
            .expect("the binary can be started");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("built bot in ") && said.contains("log: builds/bot.log"), "{said}");
        assert_eq!(folder.read("builds/bot.log"), b"building\n");
        assert_eq!(folder.read("bot/out/deep/file"), b"x\n");
        let mode = folder.path("bot/made").metadata().expect("it is there").permissions().mode();
        assert_eq!(mode & 0o7777, 0o755, "nobody gains rights by it");
        // The house bot is not shown to a bot that nobody has named it to.
        let result = json(&String::from_utf8_lossy(&output.stdout));
        assert!(result["turns"].is_number(), "{result:#}");
    }
}

#[test]
fn a_build_is_held_by_a_sandbox_with_limits_of_its_own() {
    let check = |script: &str, options: &str, expected: &str| {
        let folder = unbuilt(script);
        folder.write("secret", "mine");
        let words = format!("compare fencing bot=bot house:random --games 2 --build {options}");
        let finished = folder.run(&words);
        assert_eq!(finished.code, 1, "{script}: {}", finished.stderr);
        assert!(finished.stderr.contains("bot cannot be built"), "{}", finished.stderr);
        assert!(finished.stderr.contains(expected), "{script}: {}", finished.stderr);
        assert!(finished.stderr.contains("builds/bot.log"), "{}", finished.stderr);
        assert!(!folder.path("bot/made").exists(), "nothing comes of a build that failed");
    };
    check("touch made; exit 3", "", "ended with exit code 3");
    check("touch made; cat ../secret", "", "No such file");
    check("touch made; exec 3<>/dev/tcp/127.0.0.1/22", "", "/dev/tcp");
    check("touch made; sleep 600", "--build-time 1s", "not done after 1 s");
    check("touch made; tail /dev/zero", "--build-memory 64M", "more memory");
    check(
        "for i in 1 2 3 4; do head -c 8M /dev/zero > f$i || exit 1; done",
        "--build-disk 16M",
        "more room",
    );
}

#[test]
fn the_build_of_a_manifest_and_of_teams_is_run() {
    let folder = unbuilt("exit 9");
    let manifest = r#"{"botLanguage":"python3","botFileName":"bot.py","build":"bash other.sh"}"#;
    folder.write("bot/bot.json", manifest);
    folder.write("bot/other.sh", "echo 'import sys' > bot.py; exit 4");
    let finished = folder.run("play worms bot house:random --build --no-replay");
    assert!(finished.stderr.contains("`bash other.sh` failed"), "{}", finished.stderr);

    let teams = Folder::new();
    std::fs::create_dir_all(teams.path("teams/ada")).expect("a folder");
    std::fs::create_dir_all(teams.path("teams/bob")).expect("a folder");
    teams.write("teams/bob/run.sh", "exit 1");
    teams.write("teams/ada/build.sh", "echo 'exit 1' > run.sh");
    let finished = teams.run("evaluate hockey teams --build --games 2 --give-up 1 --no-replays");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    assert!(finished.stderr.contains("built ada in "), "{}", finished.stderr);
    assert_eq!(teams.read("teams/ada/run.sh"), b"exit 1\n");
}

#[test]
fn a_bot_that_is_looked_at_is_built_first() {
    let folder = unbuilt(&good_script());
    folder.ok("play fencing house:random house:random --seed 1 --quiet --replay match.jsonl");
    for words in ["check bot fencing", "feed match.jsonl bot --seat 1 --all"] {
        let _ = std::fs::remove_file(folder.path("bot/made"));
        let finished = folder.run(&format!("{words} --build"));
        assert!(finished.stderr.contains("built bot in "), "{words}: {}", finished.stderr);
        assert!(folder.path("bot/made").exists(), "{words}");
        assert_eq!(folder.read("builds/bot.log"), b"building\n", "{words}");
    }
    let broken = unbuilt("echo no compiler; exit 3");
    let finished = broken.run("check bot fencing --build");
    assert_eq!(finished.code, 1, "{finished:?}");
    assert!(finished.stdout.contains("bot cannot be built"), "{finished:?}");
    assert!(finished.stdout.contains("no compiler"), "{finished:?}");
}
