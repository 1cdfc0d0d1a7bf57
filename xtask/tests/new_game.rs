//! `cargo xtask new-game` writes a game that plays, is drawn and passes its tests: tried in a copy of this
//! workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAME: &str = "three-in-a-row";
/// What the copy does not need.
const SKIPPED: [&str; 5] = [".git", "target", "vectors", "replays", "node_modules"];
/// Games are optimised in tests, which takes longer than the few matches that are played here.
const PLAIN: [&str; 7] =
    ["core", "referee", "replay", "code-royale", "fencing", "overdrive", "worms"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a package of a workspace").to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if SKIPPED.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("there is room");
        }
    }
}

/// The copy shares the folder of builds, so that libraries of others are not built again.
fn target() -> PathBuf {
    let this = std::env::current_exe().expect("a path");
    let deps = this.parent().expect("in a folder");
    deps.ancestors().nth(2).expect("target/debug/deps").to_owned()
}

/// What it says on both ways.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    format!("{out}{err}")
}

#[test]
fn a_new_game_plays_is_drawn_and_passes_its_tests() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("quintain");
    copy(&workspace(), &root);
    let xtask = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        run(command.args(words).env("CARGO_MANIFEST_DIR", root.join("xtask")))
    };
    let told = xtask(&["new-game", NAME]);
    assert!(told.contains("QUINTAIN_GAME=three-in-a-row"), "{told}");
    assert!(xtask(&["tidy"]).contains("nothing found"));

    let cargo = |words: &[&str]| {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(words).args(["-p", "quintain-three-in-a-row"]);
        for package in PLAIN {
            let opt_level = format!("profile.dev.package.quintain-{package}.opt-level=0");
            command.args(["--config", &opt_level]);
        }
        command.env("CARGO_TARGET_DIR", target()).env("QUINTAIN_GAME", NAME);
        run(command.current_dir(&root).arg("--offline"))
    };
    let registry = ["-p", "quintain-registry"];
    let tested = cargo(&[&["test", "--test", "spec", "--test", "games"], &registry[..]].concat());
    for test in ["players_take_turns", "a_match_is_written_verified_and_filmed"] {
        assert!(tested.contains(&format!("test {test} ... ok")), "{tested}");
    }
    cargo(&[&["test", "--doc"], &registry[..]].concat());
    let remarks = cargo(&["clippy", "--all-targets"]);
    assert!(!remarks.contains("warning"), "{remarks}");
}
