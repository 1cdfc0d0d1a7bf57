//! What the help says. Update the files with `INSTA_UPDATE=always` and read the difference.

use crate::support::Folder;

const COMMANDS: [&str; 19] = [
    "games",
    "play",
    "compare",
    "tournament",
    "host",
    "evaluate",
    "replay",
    "verify",
    "key",
    "feed",
    "check",
    "stats",
    "export",
    "conform",
    "bot",
    "perft",
    "bench",
    "doctor",
    "completions",
];

#[test]
fn the_help_of_every_command() {
    let folder = Folder::new();
    insta::assert_snapshot!("help", folder.ok("--help"));
    for command in COMMANDS {
        let help = folder.ok(&format!("{command} --help"));
        insta::assert_snapshot!(format!("help-{command}"), help);
    }
}

#[test]
fn the_list_of_commands_is_whole() {
    let help = Folder::new().ok("--help");
    let listed: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert_eq!(listed, COMMANDS);
}

#[test]
fn without_a_command_the_help_is_shown_as_an_error() {
    let finished = Folder::new().run("");
    assert_eq!((finished.code, finished.stdout.as_str()), (2, ""));
    assert!(finished.stderr.contains("Usage: quintain <COMMAND>"), "{}", finished.stderr);
}

#[test]
fn completions_name_all_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = Folder::new().ok(&format!("completions {shell}"));
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(!script.contains("echo --script"), "{shell}: hidden commands stay hidden");
    }
    let finished = Folder::new().run("completions tcsh");
    assert_eq!(finished.code, 2);
    assert!(finished.stderr.contains("bash"), "{}", finished.stderr);
}
