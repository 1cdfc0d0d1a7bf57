//! Borders inside a game: rules know no text, and a game knows nothing of the world.

use super::Finding;
use super::project::{File, Project};
use super::scanner::{code_only, line_of, paths, words};

/// What a game must not touch; a path below one of these counts too.
const WORLD: &[&str] = &["std::fs", "std::net", "std::thread", "std::process"];

/// Clocks, under whatever path.
const CLOCKS: &[&str] = &["Instant", "SystemTime"];

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
