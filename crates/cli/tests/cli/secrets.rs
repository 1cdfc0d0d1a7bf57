//! What bots learn of the organiser: no password, and little of the environment.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use quintain_testkit::Postgres;

use crate::support::{Folder, assert_calm, binary};

/// Notes what it was given and what it can read of the program that started it, and plays.
const SPY: &str = r#"env >> "$HOME/own"
{ tr '\0' '\n' < /proc/$PPID/environ; tr '\0' ' ' < /proc/$PPID/cmdline; echo; } \
>> "$HOME/parent" 2>/dev/null"#;
const TOKEN: &str = "wn9-token";

/// A folder with a spy in it.
fn spied() -> Folder {
    let folder = Folder::new();
    let text = format!("#!/bin/bash\n{SPY}\nexec '{}' bot hockey random\n", binary());
    std::fs::create_dir_all(folder.path("teams/spy")).expect("a folder");
    std::fs::create_dir_all(folder.path("teams/two")).expect("a folder");
    // A team talks here because of this word: QUINTAIN_LINK.
    let script = format!("{text}# QUINTAIN_LINK\n");
    for name in ["spy.sh", "teams/spy/run.sh", "teams/two/run.sh"] {
        let path = folder.write(name, &script);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, mode).expect("it is ours");
    }
    folder
}

/// Nothing but the program itself keeps its secrets from the spy.
const TRUSTED: [&str; 2] = ["--sandbox", "off"];

fn quintain(folder: &Folder, words: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary());
    command.args(words.split_whitespace().chain(TRUSTED)).current_dir(folder.path("."));
    command.env("HOME", folder.path(".")).env("MY_TOKEN", TOKEN).env("MY_MODEL", "small");
    command.envs(variables.iter().copied()).env_remove("PGPASSFILE");
    let output = command.output().expect("the binary can be started");
    assert_calm(&String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{words}: {output:?}");
    output
}

/// What was noted in a file since it was last read.
fn noted(folder: &Folder, name: &str) -> String {
    let text = String::from_utf8_lossy(&folder.read(name)).into_owned();
    std::fs::remove_file(folder.path(name)).expect("it was read");
    text
}

#[test]
fn bots_have_a_small_clean_environment_and_what_is_passed_on() {
    let folder = spied();
    folder.write(
        "cup.toml",
        "game = 'hockey'\ngames-per-pair = 2\npass-env = ['MY_MODEL']\n\
         [[bot]]\nname = 'spy'\nrun = './spy.sh'\n[[bot]]\nname = 'b'\nrun = 'house:random'\n",
    );
    let pass = "--pass-env MY_MODEL";
    let calls = [
        format!("play hockey ./spy.sh house:random --replay a.jsonl {pass}"),
        format!("feed a.jsonl ./spy.sh --turn 1 --seat 1 {pass}"),
        format!("check ./spy.sh hockey {pass}"),
        format!("compare hockey ./spy.sh house:random --games 2 -j 1 {pass}"),
        format!(
            "tournament --game hockey --bot ./spy.sh --bot house:random --games-per-pair 2 {pass}"
        ),
        "tournament cup.toml".to_owned(),
        format!("evaluate hockey teams --games 2 --listen 127.0.0.1:0 {pass}"),
    ];
    for call in calls {
        quintain(&folder, &call, &[]);
        let own = noted(&folder, "own");
        for expected in ["MY_MODEL=small", "PATH=", "QUINTAIN_NAME="] {
            assert!(own.lines().any(|line| line.starts_with(expected)), "{call}: {own}");
        }
        assert!(!own.contains(TOKEN), "{call}: {own}");
    }
    let wrong = folder.run("play hockey ./spy.sh house:random --pass-env NO_SUCH_VARIABLE");
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    let expected = "--pass-env: expected a variable of this environment, found `NO_SUCH_VARIABLE`";
    assert!(wrong.stderr.contains(expected), "{}", wrong.stderr);
    folder.write(
        "wrong.toml",
        "game = 'hockey'\n\npass-env = ['NO_SUCH_VARIABLE']\n\
         [[bot]]\nname = 'a'\nrun = './spy.sh'\n[[bot]]\nname = 'b'\nrun = 'house:random'\n",
    );
    let wrong = folder.run("tournament wrong.toml");
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
    assert!(wrong.stderr.contains("wrong.toml:3: pass-env: expected"), "{}", wrong.stderr);
}

#[test]
fn a_password_in_the_environment_is_out_of_sight_before_a_bot_is_started() {
    let folder = spied();
    let variables = [("PGPASSWORD", "not-for-bots")];
    quintain(&folder, "play hockey ./spy.sh house:random --no-replay", &variables);
    let parent = noted(&folder, "parent");
    assert!(parent.contains("play hockey ./spy.sh"), "it can look at its parent: {parent}");
    assert!(!parent.contains("not-for-bots"), "{parent}");
    assert!(!noted(&folder, "own").contains("not-for-bots"));
}

/// Every way to give a password, with a server that asks for it.
#[test]
fn no_bot_finds_the_password_of_the_store() {
    let Some(server) = Postgres::shared() else { return };
    let folder = spied();
    let place = server.database_without_password("secrets");
    let with_password = place.replacen("://quintain@", "://quintain:not%3Aa%40secret@", 1);
    let in_query = format!("{place}?password=not%3Aa%40secret");
    folder.write("password", format!("{}\n", server.password()));
    let pass = folder.write("pgpass", "*:*:*:*:not\\:a@secret\n");
    std::fs::set_permissions(&pass, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    let pass = pass.to_str().expect("a path");
    let calls = [
        (with_password, None),
        (in_query, None),
        (format!("{place} --store-password-file password"), None),
        (place.clone(), Some(("PGPASSWORD", server.password()))),
        (place, Some(("PGPASSFILE", pass))),
    ];
    for (number, (store, variable)) in calls.iter().enumerate() {
        let words = format!(
            "compare hockey ./spy.sh house:random --games 2 -j 1 --no-replays --name {number} \
             --store {store}"
        );
        let mut command = Command::new(binary());
        command.args(words.split_whitespace().chain(TRUSTED)).current_dir(folder.path("."));
        command.env("HOME", folder.path(".")).envs(*variable);
        let output = command.output().expect("the binary can be started");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {stderr}");
        let text = noted(&folder, "parent") + &noted(&folder, "own");
        assert!(text.contains("compare hockey ./spy.sh"), "it can look at its parent: {text}");
        for secret in [server.password(), "not%3Aa%40secret"] {
            assert!(!text.contains(secret), "{words}: {text}");
            assert!(!stderr.contains(secret), "{words}: {stderr}");
        }
        let is_warned = stderr.contains("a password on the command line can be read by everybody");
        assert_eq!(is_warned, number < 2, "{words}: {stderr}");
    }
}
