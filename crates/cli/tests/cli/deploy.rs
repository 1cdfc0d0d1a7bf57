//! What `deploy/` has for whoever keeps a server running: its words are words of the program, and its units are units.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::{Folder, binary, workspace};

fn read(name: &str) -> String {
    std::fs::read_to_string(workspace().join("deploy").join(name)).expect("it is there")
}

/// The options of a command that stand in some words must be some that it has; how many there were.
fn check_options<'a>(command: &str, words: impl Iterator<Item = &'a str>) -> usize {
    let help = Folder::new().ok(&format!("{command} --help"));
    let known: BTreeSet<&str> = help
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| word.starts_with("--"))
        .collect();
    let options = words.filter(|word| word.starts_with("--"));
    let options = options.map(|word| word.split_once('=').map_or(word, |(name, _)| name));
    options.inspect(|option| assert!(known.contains(option), "{command} {option}")).count()
}

#[test]
fn units_and_containers_start_the_program_with_words_that_it_knows() {
    for (unit, least) in [("quintain-serve", 9), ("quintain-worker", 5)] {
        let unit = read(&format!("systemd/{unit}.service")).replace("\\\n", " ");
        let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart="));
        let words: Vec<&str> = start.expect("a unit starts something").split_whitespace().collect();
        assert_eq!(words[0], "/usr/local/bin/quintain");
        assert!(check_options(words[1], words[2..].iter().copied()) >= least, "{unit}");
    }
    let compose = read("compose.yaml");
    for (command, starts) in [("serve", 1), ("worker", 2)] {
        let start = format!("    command:\n      - {command}\n");
        let lists: Vec<&str> = compose.split(&start).skip(1).collect();
        assert_eq!(lists.len(), starts, "{command}");
        for list in lists {
            let items = list.lines().map_while(|line| line.strip_prefix("      - "));
            assert!(check_options(command, items) >= 4, "{command}: {list}");
        }
    }
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    let folder = Folder::new();
    for name in ["quintain-serve.service", "quintain-worker.service"] {
        let unit = read(&format!("systemd/{name}"));
        let path = folder.write(name, unit.replace("/usr/local/bin/quintain", binary()));
        let Ok(verified) = Command::new("systemd-analyze").arg("verify").arg(&path).output() else {
            eprintln!("NOT TESTED: there is no systemd-analyze");
            return;
        };
        let told = String::from_utf8_lossy(&verified.stderr).into_owned();
        assert!(verified.status.success(), "{name}: {told}");
        assert!(!told.contains(name), "{told}");
    }
}
