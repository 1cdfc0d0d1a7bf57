//! Borders that files keep: rules know no text, a game knows nothing of the world, and libraries know
//! nothing of the command line.

use super::Finding;
use super::project::{File, Project};
use super::scanner::{code_only, line_of, literals, paths, words};

/// What a game must not touch; a path below one of these counts too.
const WORLD: &[&str] = &["std::fs", "std::net", "std::thread", "std::process"];

/// Clocks, under whatever path.
const CLOCKS: &[&str] = &["Instant", "SystemTime"];

/// Folders of programs and of what is for tests alone. Everything else is library.
const PROGRAMS: &[&str] = &["crates/cli/", "crates/testkit/", "xtask/", "bots/", "benches/"];

/// What a command line is made of.
const OF_COMMAND_LINES: &[&str] = &["clap", "clap_complete", "clap_mangen", "anstream"];

/// Flags of programs that are not ours.
const FLAGS_OF_OTHERS: &[&str] = &["--version", "--user", "--scope"];

/// `rules.rs` and everything in `rules/` never name the protocol. Comments may.
pub(super) fn rules_without_text(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in project.rust_files().filter(|file| is_rules(file)) {
        let code = code_only(&file.text);
        for (at, word) in words(&code).filter(|(_, word)| word.eq_ignore_ascii_case("protocol")) {
            let wrong = format!("rules mention `{word}`");
            findings.push(file.finding(line_of(&code, at), wrong, "rules that know no text"));
        }
    }
    findings
}

/// The sources of a game use no files, sockets, clocks, threads or processes.
pub(super) fn games_without_world(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in project.rust_files().filter(|file| is_game_source(file)) {
        let code = code_only(&file.text);
        for (at, path) in paths(&code).into_iter().filter(|(_, path)| is_of_the_world(path)) {
            let wrong = format!("a game uses `{path}`");
            let expected = "no files, sockets, clocks, threads or processes in a game";
            findings.push(file.finding(line_of(&code, at), wrong, expected));
        }
    }
    findings.dedup();
    findings
}

/// Libraries neither read a command line nor name a flag: an error says which field was wrong, and the
/// command line names it in its own words. Tests of libraries may name flags, since bots have some.
pub(super) fn libraries_without_flags(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in project.rust_files().filter(|file| is_library(file)) {
        let code = code_only(&file.text);
        let found = words(&code).filter(|(_, word)| OF_COMMAND_LINES.contains(word));
        for (at, word) in found {
            let wrong = format!("a library uses `{word}`");
            findings.push(file.finding(line_of(&code, at), wrong, "no command line in a library"));
        }
        let tests = file.text.find("\n#[cfg(test)]").unwrap_or(file.text.len());
        for (at, literal) in literals(&file.text).take_while(|(at, _)| *at < tests) {
            if let Some(flag) = flag_in(literal) {
                let wrong = format!("a library names the flag `{flag}`");
                let expected = "the field that was wrong, named by the command line";
                findings.push(file.finding(line_of(&code, at), wrong, expected));
            }
        }
    }
    findings
}

fn is_library(file: &File) -> bool {
    file.path.contains("/src/") && !PROGRAMS.iter().any(|folder| file.path.starts_with(folder))
}

/// `--` before a letter, and behind no word, begins a flag.
fn flag_in(literal: &str) -> Option<&str> {
    literal.match_indices("--").find_map(|(at, dashes)| {
        let rest = &literal[at + dashes.len()..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let flag = &literal[at..at + dashes.len() + length.unwrap_or(rest.len())];
        let is_flag = rest.starts_with(|c: char| c.is_ascii_lowercase())
            && !literal[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        (is_flag && !FLAGS_OF_OTHERS.contains(&flag)).then_some(flag)
    })
}

fn is_rules(file: &File) -> bool {
    file.within_game().is_some_and(|path| path == "src/rules.rs" || path.starts_with("src/rules/"))
}

fn is_game_source(file: &File) -> bool {
    file.within_game().is_some_and(|path| path.starts_with("src/"))
}

fn is_of_the_world(path: &str) -> bool {
    let below = |outer: &str| path.strip_prefix(outer).is_some_and(is_path_end);
    path == "std::*"
        || WORLD.iter().any(|outer| below(outer))
        || path.split("::").any(|part| CLOCKS.contains(&part))
}

fn is_path_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with("::")
}

#[cfg(test)]
mod tests {
    use super::super::project::samples::check_lines;
    use super::*;

    #[test]
    fn rules_may_not_name_the_protocol_but_may_explain_it() {
        let check =
            |path, text, lines: &[usize]| check_lines(rules_without_text, path, text, lines);
        let rules = "games/chess/src/rules.rs";
        check(rules, "use crate::board;\n// The protocol asks for this.\n", &[]);
        check(rules, "\nuse crate::protocol::parse;\n", &[2]);
        check("games/chess/src/rules/castle.rs", "fn f(p: &dyn Protocol) {}\n", &[1]);
        check(rules, "let text = \"protocol\"; let protocols = 1;\n", &[]);
        check("games/chess/src/scene.rs", "use crate::protocol;\n", &[]);
        check("crates/core/src/rules.rs", "use crate::protocol;\n", &[]);
    }

    #[test]
    fn libraries_may_not_know_the_command_line() {
        let library = "crates/arena/src/run/host.rs";
        let check =
            |path, text, lines: &[usize]| check_lines(libraries_without_flags, path, text, lines);
        check(library, "// --listen names it.\nlet a = \"a -- b, c--d, ---\";\n", &[]);
        check(library, "\nerror(\"choose another with --listen\")\n", &[2]);
        check(library, "let a = [\"--limit\", \"(--state)\", \"--version\"];\n", &[1, 1]);
        check(library, "use clap::Args;\nuse std::fmt;\nanstream::println!();\n", &[1, 3]);
        check(library, "let a = 1;\n#[cfg(test)]\nmod tests { \"./bot --depth=3\" }\n", &[]);
        for path in ["crates/cli/src/main.rs", "xtask/src/main.rs", "crates/arena/tests/a.rs"] {
            check(path, "use clap::Args;\nlet a = \"--limit\";\n", &[]);
        }
    }

    #[test]
    fn games_may_not_reach_the_world() {
        let check = |text, lines: &[usize]| {
            check_lines(games_without_world, "games/chess/src/board.rs", text, lines);
        };
        check("use std::time::Duration;\nuse std::fmt;\n", &[]);
        check("// std::fs::read\nlet a = \"std::fs::read\";\n", &[]);
        check("\nlet text = std::fs::read_to_string(path);\n", &[2]);
        check("use std::{\n    fmt,\n    net::{self, TcpStream as Stream},\n};\n", &[1, 1]);
        check("use ::std::thread;\nuse std::process::Command;\n", &[1, 2]);
        check("use std::time;\nlet start = time::Instant::now();\n", &[2]);
        check("use std::time::{Duration, SystemTime};\n", &[1, 1]);
        check("use std::*;\n", &[1]);
        check("use std::fstream; use my::fs;\n", &[]);
    }

    #[test]
    fn tests_of_games_and_other_crates_may() {
        let text = "use std::fs;\n";
        check_lines(games_without_world, "games/chess/tests/vectors.rs", text, &[]);
        check_lines(games_without_world, "crates/replay/src/lib.rs", text, &[]);
    }
}
