//! What the help says. Update the files with `INSTA_UPDATE=always` and read the difference.

use crate::support::Folder;

const COMMANDS: [&str; 20] = [
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
    "man",
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

#[test]
fn every_command_has_a_man_page() {
    let folder = Folder::new();
    assert_eq!(folder.ok("man pages/man1"), "");
    let pages = folder.list("pages/man1");
    for command in COMMANDS {
        let page = format!("quintain-{command}.1");
        assert!(pages.contains(&page), "{page} of {pages:?}");
    }
    for page in ["quintain.1", "quintain-key-new.1", "quintain-key-show.1"] {
        assert!(pages.iter().any(|name| name == page), "{page} of {pages:?}");
    }
    assert!(!pages.iter().any(|name| name.contains("echo")), "hidden commands stay hidden");
    let play =
        String::from_utf8(folder.read("pages/man1/quintain-play.1")).expect("pages are text");
    for part in ["Play one match", "\\-\\-start\\-limit", "A BOT is one of"] {
        assert!(play.contains(part), "{part} of {play}");
    }
    assert_eq!(folder.ok("man pages/man1"), "", "pages of another version are replaced");
    folder.write("file", "");
    let finished = folder.run("man file/man1");
    assert_eq!(finished.code, 1);
    assert!(finished.stderr.contains("cannot write man pages to file/man1"), "{finished:?}");
}
