//! Files that must be there, so that a newcomer finds the same thing in the same place.

use std::collections::BTreeSet;

use super::Finding;
use super::project::Project;

/// What every game has.
const GAME_FILES: &[&str] = &[
    "README.md",
    "src/rules.rs",
    "src/protocol.rs",
    "src/scene.rs",
    "src/house.rs",
    "tests/spec.rs",
];

/// What a game with recordings of its original has beyond that.
const RECORDINGS: &str = "tests/vectors.rs";
const CONFORM: &str = "src/conform.rs";

/// What nobody else can call, and how large it may be.
const COMMAND_LINE: &str = "crates/cli/src/";
const COMMAND_LINE_LINES_MAX: usize = 6500;

/// The root file of every crate starts by saying what the crate is.
pub(super) fn crate_docs(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in project.rust_files() {
        let folder = match file.path.rsplit_once("/src/") {
            Some((folder, "lib.rs" | "main.rs")) => folder,
            _ => continue,
        };
        let is_crate = project.file(&format!("{folder}/Cargo.toml")).is_some();
        if is_crate && !file.text.starts_with("//! ") {
            let expected = "a `//!` text on what the crate is, first thing in the file";
            findings.push(file.finding(1, "crate without documentation".to_owned(), expected));
        }
    }
    findings
}

/// Every game has the same files, and its README explains its editions.
pub(super) fn game_files(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for game in games(project) {
        let is_recorded = project.file(&format!("games/{game}/{RECORDINGS}")).is_some();
        for name in GAME_FILES.iter().chain(is_recorded.then_some(&CONFORM)) {
            let path = format!("games/{game}/{name}");
            match project.file(&path) {
                None => findings.push(Finding {
                    path,
                    line: 1,
                    wrong: "the file is missing".to_owned(),
                    expected: "every game has it".to_owned(),
                }),
                Some(file) if *name == "README.md" && !has_editions(&file.text) => {
                    let wrong = "no heading `Editions`".to_owned();
                    findings.push(file.finding(1, wrong, "a section on how the editions differ"));
                }
                Some(_) => {}
            }
        }
    }
    findings
}

/// The command line holds arguments, screens and words. What is more than that is library, and somebody else
/// will want it too.
pub(super) fn small_command_line(project: &Project) -> Vec<Finding> {
    let files: Vec<_> =
        project.rust_files().filter(|file| file.path.starts_with(COMMAND_LINE)).collect();
    let lines: usize = files.iter().map(|file| file.text.lines().count()).sum();
    match files.iter().max_by_key(|file| file.text.lines().count()) {
        Some(longest) if lines > COMMAND_LINE_LINES_MAX => {
            let wrong = format!("{COMMAND_LINE} has {lines} lines, most of them here");
            let expected = format!("at most {COMMAND_LINE_LINES_MAX}: what is library is moved");
            vec![longest.finding(1, wrong, &expected)]
        }
        _ => Vec::new(),
    }
}

/// The folders below `games/` that hold a package.
fn games(project: &Project) -> BTreeSet<&str> {
    let manifests = project.files.iter().filter(|file| file.within_game() == Some("Cargo.toml"));
    manifests.filter_map(|file| file.path.split('/').nth(1)).collect()
}

fn has_editions(readme: &str) -> bool {
    let mut headings = readme.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| heading.trim_start_matches('#').trim() == "Editions")
}

#[cfg(test)]
mod tests {
    use super::super::project::samples::project;
    use super::*;

    #[test]
    fn the_command_line_stays_small() {
        let found = |cli: usize, arena: usize| {
            let [cli, arena] = [cli, arena].map(|lines| "// a line\n".repeat(lines));
            let files = [
                ("crates/cli/src/main.rs", "fn main() {}\n"),
                ("crates/cli/src/commands/play.rs", cli.as_str()),
                ("crates/arena/src/lib.rs", arena.as_str()),
            ];
            small_command_line(&project(&files))
        };
        assert_eq!(found(COMMAND_LINE_LINES_MAX - 1, 9000), []);
        let found = found(COMMAND_LINE_LINES_MAX, 9000);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/cli/src/commands/play.rs");
        assert!(found[0].wrong.contains("has 6501 lines"), "{}", found[0].wrong);
    }

    #[test]
    fn a_crate_starts_with_its_documentation() {
        let lines = |text| {
            let manifest = ("crates/core/Cargo.toml", "[package]\n");
            let sample = project(&[manifest, ("crates/core/src/lib.rs", text)]);
            crate_docs(&sample).len()
        };
        assert_eq!(lines("//! The vocabulary.\n"), 0);
        assert_eq!(lines("use std::fmt;\n"), 1);
        assert_eq!(lines("/// Not for the crate.\n"), 1);
        assert_eq!(lines(""), 1);
    }

    #[test]
    fn files_of_that_name_outside_of_a_crate_are_left_alone() {
        assert_eq!(crate_docs(&project(&[("docs/src/lib.rs", "fn f() {}\n")])), []);
    }

    /// The findings for a complete game in which one file has been replaced; `None` removes it.
    fn game_with(name: &str, text: Option<&str>) -> Vec<String> {
        let mut sample = project(&[("games/chess/Cargo.toml", "[package]\n")]);
        for &path in GAME_FILES {
            let usual = if path == "README.md" { "# Chess\n\n## Editions\n" } else { "//! A.\n" };
            if let Some(text) = if path == name { text } else { Some(usual) } {
                let path = format!("games/chess/{path}");
                sample.files.extend(project(&[(path.as_str(), text)]).files);
            }
        }
        game_files(&sample).into_iter().map(|f| format!("{}: {}", f.path, f.wrong)).collect()
    }

    #[test]
    fn a_complete_game_is_in_order() {
        assert_eq!(game_with("README.md", Some("# Chess\n\n### Editions\n")), [""; 0]);
    }

    #[test]
    fn every_missing_file_is_named() {
        for name in GAME_FILES {
            let expected = format!("games/chess/{name}: the file is missing");
            assert_eq!(game_with(name, None), [expected]);
        }
    }

    #[test]
    fn a_game_with_recordings_plays_them() {
        let vectors = ("games/chess/tests/vectors.rs", "//! A.\n");
        let mut sample = project(&[("games/chess/Cargo.toml", "[package]\n"), vectors]);
        let missing = |sample: &Project| {
            game_files(sample).iter().any(|finding| finding.path == "games/chess/src/conform.rs")
        };
        assert!(missing(&sample));
        sample.files.extend(project(&[("games/chess/src/conform.rs", "//! A.\n")]).files);
        assert!(!missing(&sample));
    }

    #[test]
    fn the_editions_are_explained_under_a_heading() {
        let expected = ["games/chess/README.md: no heading `Editions`"];
        assert_eq!(game_with("README.md", Some("# Chess\n\nEditions differ.\n")), expected);
    }
}
