//! The project as the checks see it: its text files, read once, and its packages.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Finding;
use crate::workspace::{self, Package};

/// Folders of this name hold nothing of ours, wherever they are.
const SKIPPED_NAMES: &[&str] = &[".git", "target", "node_modules", "__pycache__"];

/// Folders that the program writes to, as `.gitignore` lists them.
const SKIPPED_PATHS: &[&str] = &["docs/book", "replays", "test/output"];

/// Everything that is checked.
pub(super) struct Project {
    /// Sorted by path.
    pub(super) files: Vec<File>,
    pub(super) packages: Vec<Member>,
}

/// A text file.
pub(super) struct File {
    /// Relative to the root, with `/` between folders on every system.
    pub(super) path: String,
    pub(super) text: String,
}

/// A package and its folder, relative to the root.
pub(super) struct Member {
    pub(super) folder: String,
    pub(super) package: Package,
}

impl Project {
    /// Reads the whole project. Files that are not UTF-8 are data and are left out.
    pub(super) fn load() -> Result<Project> {
        let root = workspace::root();
        let mut files = Vec::new();
        collect(&root, "", &mut files)?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut packages = Vec::new();
        for package in workspace::metadata()?.packages {
            let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
            let folder = folder
                .strip_prefix(&root)
                .with_context(|| format!("package {} lies outside of the project", package.name))?;
            packages.push(Member { folder: slashed(folder), package });
        }
        Ok(Project { files, packages })
    }

    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(super) fn rust_files(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.path.ends_with(".rs"))
    }
}

impl File {
    pub(super) fn finding(&self, line: usize, wrong: String, expected: &str) -> Finding {
        Finding { path: self.path.clone(), line, wrong, expected: expected.to_owned() }
    }

    /// For a path such as `games/chess/src/rules.rs`: the path within the game's folder.
    pub(super) fn within_game(&self) -> Option<&str> {
        let (_, rest) = self.path.strip_prefix("games/")?.split_once('/')?;
        Some(rest)
    }
}

fn collect(root: &Path, folder: &str, files: &mut Vec<File>) -> Result<()> {
    let here = root.join(folder);
    let entries = fs::read_dir(&here).with_context(|| format!("cannot list {}", here.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot list {}", here.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type().with_context(|| format!("cannot look at {path}"))?;
        if kind.is_dir() {
            if !is_skipped(&path, &name) {
                collect(root, &path, files)?;
            }
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).with_context(|| format!("cannot read {path}"))?;
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(File { path, text });
            }
        }
    }
    Ok(())
}

fn is_skipped(path: &str, name: &str) -> bool {
    SKIPPED_NAMES.contains(&name) || SKIPPED_PATHS.contains(&path)
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
pub(super) mod samples {
    //! Projects made of a few texts, for the tests of the checks.

    use super::{File, Member, Project};
    use crate::workspace::{Dependency, Kind, Package};

    pub(in crate::tidy) fn project(files: &[(&str, &str)]) -> Project {
        let files = files
            .iter()
            .map(|&(path, text)| File { path: path.to_owned(), text: text.to_owned() })
            .collect();
        Project { files, packages: Vec::new() }
    }

    /// A package in a folder, with its dependencies; `dev:` before a name makes it one for tests.
    pub(in crate::tidy) fn member(folder: &str, name: &str, dependencies: &[&str]) -> Member {
        let dependencies = dependencies
            .iter()
            .map(|text| match text.strip_prefix("dev:") {
                Some(name) => Dependency { name: name.to_owned(), kind: Some(Kind::Dev) },
                None => Dependency { name: (*text).to_owned(), kind: None },
            })
            .collect();
        let manifest_path = format!("{folder}/Cargo.toml").into();
        let package = Package { name: name.to_owned(), manifest_path, dependencies };
        Member { folder: folder.to_owned(), package }
    }

    /// Runs a check on one file and compares the lines at which it finds something.
    pub(in crate::tidy) fn check_lines(
        check: crate::tidy::Check,
        path: &str,
        text: &str,
        expected: &[usize],
    ) {
        let findings = check(&project(&[(path, text)]));
        let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, expected, "{findings:?}\nin {path}:\n{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_read_without_its_build_output() {
        let project = Project::load().unwrap();
        assert!(project.file("xtask/src/main.rs").is_some());
        assert!(project.packages.iter().any(|member| member.folder == "xtask"));
        assert!(!project.files.iter().any(|file| file.path.starts_with("target/")));
        assert!(!project.files.iter().any(|file| file.path.starts_with(".git/")));
    }

    #[test]
    fn only_files_below_a_game_are_within_one() {
        let file = |path: &str| File { path: path.to_owned(), text: String::new() };
        assert_eq!(file("games/chess/src/rules/move.rs").within_game(), Some("src/rules/move.rs"));
        assert_eq!(file("games/README.md").within_game(), None);
        assert_eq!(file("crates/core/src/game.rs").within_game(), None);
    }
}
