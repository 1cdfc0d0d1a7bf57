//! What no text of the project contains, whatever its language.

use super::Finding;
use super::project::{File, Project};
use super::scanner::words;

/// Files written by hand, by the end of their names. Recorded data is left as it was recorded.
const WRITTEN_ENDINGS: &[&str] =
    &[".rs", ".toml", ".md", ".py", ".cpp", ".sh", ".js", ".mjs", ".ts", ".css", ".html", ".yml"];

/// Files written by hand whose names have no ending.
const WRITTEN_PATHS: &[&str] = &[".ci/run", ".gitignore", "LICENSE-APACHE", "LICENSE-MIT"];

/// Homes and checkouts of particular machines. Put together here, or this file would be a finding.
const MACHINE_FOLDERS: &[&str] =
    &[concat!("/", "root/"), concat!("/", "home/"), concat!("/", "work/")];

/// Marks of unfinished work. Put together here, or this file would be a finding.
const OPEN_ENDS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// No path that exists on one machine only.
pub(super) fn machine_paths(project: &Project) -> Vec<Finding> {
    let found = |line: &str| MACHINE_FOLDERS.iter().find(|folder| is_path_in(line, folder));
    written_lines(project, |file, number, line| {
        let wrong = format!("`{}` names a folder of one machine", found(line)?);
        Some(file.finding(number, wrong, "a path relative to the project"))
    })
}

/// No mark of unfinished work without the reason after a colon.
pub(super) fn open_ends(project: &Project) -> Vec<Finding> {
    written_lines(project, |file, number, line| {
        let (_, mark) = words(line)
            .find(|(at, word)| OPEN_ENDS.contains(word) && !has_reason(&line[at + word.len()..]))?;
        let wrong = format!("`{mark}` without a reason");
        Some(file.finding(number, wrong, "`: ` and what is open, or nothing open"))
    })
}

/// Every file ends with one line end, no line ends with a blank, Rust has no tabs.
pub(super) fn line_ends(project: &Project) -> Vec<Finding> {
    let mut findings = written_lines(project, |file, number, line| {
        if line.ends_with([' ', '\t', '\r']) {
            let wrong = "a blank at the end of the line".to_owned();
            return Some(file.finding(number, wrong, "nothing there"));
        }
        let has_tab = file.path.ends_with(".rs") && line.contains('\t');
        has_tab.then(|| file.finding(number, "a tab".to_owned(), "blanks"))
    });
    for file in project.files.iter().filter(|file| is_written(file) && !file.text.is_empty()) {
        let last = file.text.lines().count();
        if !file.text.ends_with('\n') {
            let wrong = "no line end at the end of the file".to_owned();
            findings.push(file.finding(last, wrong, "one line end"));
        } else if file.text.ends_with("\n\n") {
            let wrong = "an empty line at the end of the file".to_owned();
            findings.push(file.finding(last, wrong, "one line end"));
        }
    }
    findings
}

/// Applies a check to each line, numbered from 1, of each file written by hand.
fn written_lines(
    project: &Project,
    check: impl Fn(&File, usize, &str) -> Option<Finding>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in project.files.iter().filter(|file| is_written(file)) {
        for (index, line) in file.text.split('\n').enumerate() {
            findings.extend(check(file, index + 1, line));
        }
    }
    findings
}

fn is_written(file: &File) -> bool {
    WRITTEN_ENDINGS.iter().any(|ending| file.path.ends_with(ending))
        || WRITTEN_PATHS.contains(&file.path.as_str())
}

/// Whether the folder starts a path: inside a longer one or an address it is something else.
fn is_path_in(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        !line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'))
    })
}

fn has_reason(rest: &str) -> bool {
    rest.strip_prefix(':').is_some_and(|reason| reason.contains(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::super::project::samples::{check_lines, project};
    use super::*;

    #[test]
    fn folders_of_one_machine_are_found() {
        for folder in MACHINE_FOLDERS {
            let check = |text: String, lines: &[usize]| {
                check_lines(machine_paths, "bots/a/run.sh", &text, lines);
            };
            check(format!("a\ncd {folder}bot\n"), &[2]);
            check(format!("\"{folder}bot\"\n"), &[1]);
            check(format!("cd src{folder}bot and https://host.org{folder}bot\n"), &[]);
        }
    }

    #[test]
    fn open_ends_need_a_reason() {
        for mark in OPEN_ENDS {
            let check = |text: String, lines: &[usize]| {
                check_lines(open_ends, "crates/core/src/lib.rs", &text, lines);
            };
            check(format!("// {mark}\n"), &[1]);
            check(format!("\n// {mark} later\n"), &[2]);
            check(format!("// {mark}: \n"), &[1]);
            check(format!("// {mark}: the document is silent on this\n"), &[]);
            check(format!("let {mark}S = 1;\n"), &[]);
        }
    }

    #[test]
    fn blanks_tabs_and_missing_line_ends_are_found() {
        let check = |path, text, lines: &[usize]| check_lines(line_ends, path, text, lines);
        check("a.rs", "a\n\nb\n", &[]);
        check("a.rs", "a \nb\r\nc\t\n", &[1, 2, 3]);
        check("a.rs", "\ta\n", &[1]);
        check("a.py", "\ta\n", &[]);
        check("a.md", "a\nb", &[2]);
        check("a.md", "a\n\n", &[2]);
        check("a.md", "", &[]);
    }

    #[test]
    fn recorded_data_is_left_alone() {
        let path = "games/chess/tests/vectors/transcript.txt";
        let text = format!("{}x {} \r\n\n", MACHINE_FOLDERS[0], OPEN_ENDS[0]);
        let sample = project(&[(path, text.as_str())]);
        for check in [machine_paths, open_ends, line_ends] {
            assert_eq!(check(&sample), []);
        }
    }
}
