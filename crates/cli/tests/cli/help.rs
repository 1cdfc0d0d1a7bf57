//! What the help says. Update the files with `INSTA_UPDATE=always` and read the difference.

use std::path::PathBuf;

use crate::support::{Folder, workspace};

const COMMANDS: [&str; 28] = [
    "games",
    "play",
    "compare",
    "ladder",
    "tune",
    "tournament",
    "host",
    "evaluate",
    "replay",
    "explain",
    "serve",
    "schema",
    "worker",
    "token",
    "pack",
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

/// Every command and those below it, as they are called: each help names those below it.
fn calls(folder: &Folder) -> Vec<String> {
    let mut calls = vec![String::new()];
    let mut next = 0;
    while let Some(call) = calls.get(next).cloned() {
        next += 1;
        let help = folder.ok(&format!("{call} --help"));
        calls.extend(listed_commands(&help).iter().map(|below| format!("{call} {below}")));
    }
    assert!(calls.iter().any(|call| call == " token add"), "{calls:?}");
    assert!(calls.len() > COMMANDS.len() + 5, "{calls:?}");
    calls
}

/// The commands below one, as its help lists them.
fn listed_commands(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect()
}

#[test]
fn help_fits_80_columns_without_a_broken_word() {
    let folder = Folder::new();
    for call in calls(&folder) {
        let help = |columns| {
            let words: Vec<&str> = call.split_whitespace().chain(["--help"]).collect();
            folder.run_with(&words, "", &[("COLUMNS", columns)]).stdout
        };
        let (narrow, wide) = (help("80"), help("100"));
        let long: Vec<&str> = narrow.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{call:?}: {long:#?}");
        let [narrow, wide] =
            [&narrow, &wide].map(|help| help.split_whitespace().collect::<Vec<_>>());
        assert!(wide.len() > 5, "{call:?} has help");
        assert_eq!(narrow, wide, "{call:?}");
    }
}

/// The options of a command, as its help lists them.
fn options(help: &str) -> Vec<&str> {
    let listed = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let options =
        listed.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    options.filter(|option| !["--help", "--version"].contains(option)).collect()
}

/// README and book, as one text.
fn book() -> String {
    let chapters = std::fs::read_dir(workspace().join("docs/src")).expect("there is a book");
    let mut paths: Vec<PathBuf> = chapters.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    assert!(paths.len() > 5, "{paths:?}");
    paths.push(workspace().join("README.md"));
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a chapter")).collect()
}

#[test]
fn every_option_of_every_command_is_in_an_example_of_the_help_or_the_book() {
    let folder = Folder::new();
    let book = book();
    for command in calls(&folder) {
        let help = folder.ok(&format!("{command} --help"));
        // The examples of a command show those below it, too.
        let above = command.split_whitespace().next().unwrap_or_default();
        let help_above = folder.ok(&format!("{above} --help"));
        let examples = [&help, &help_above].map(|help| help.split_once("Examples:\n"));
        let examples = examples.map(|parts| parts.map_or("", |(_, examples)| examples)).join("\n");
        // A call that goes on in the next line ends with a backslash.
        let text = format!("{examples}\n{book}").replace("\\\n", " ");
        let name = format!("quintain{command} ");
        let calls = text.split(&name).skip(1).filter_map(|rest| rest.lines().next());
        let words: Vec<&str> = calls.flat_map(|call| call.split([' ', '`', '=', '['])).collect();
        for option in options(&help) {
            assert!(words.contains(&option), "{command} {option} has no example");
        }
    }
}

#[test]
fn every_command_has_examples() {
    let folder = Folder::new();
    for command in COMMANDS {
        let help = folder.ok(&format!("{command} --help"));
        let (_, examples) = help.split_once("Examples:\n").expect("there are examples");
        let call = format!("quintain {command}");
        assert!(examples.contains(&call), "{examples}");
    }
}

#[test]
fn the_list_of_commands_is_whole() {
    let help = Folder::new().ok("--help");
    let listed = listed_commands(&help);
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
