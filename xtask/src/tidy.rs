//! The project's own rules, checked: what neither the compiler nor clippy knows.
//!
//! Each check is a function from the project's files to findings, and each has tests which show
//! that it can fail. A new check is one function and one line in [`CHECKS`].

mod borders;
mod layers;
mod project;
mod scanner;
mod shape;
mod text;

use std::fmt;

use anyhow::{Result, bail};

use project::Project;

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// Relative to the project's root.
    path: String,
    /// Counted from 1.
    line: usize,
    wrong: String,
    expected: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} (expected: {})", self.path, self.line, self.wrong, self.expected)
    }
}

/// A check takes the whole project, so that it can also notice what is missing.
type Check = fn(&Project) -> Vec<Finding>;

const CHECKS: &[Check] = &[
    layers::dependencies,
    borders::rules_without_text,
    borders::games_without_world,
    borders::libraries_without_flags,
    shape::crate_docs,
    shape::game_files,
    shape::small_command_line,
    text::machine_paths,
    text::open_ends,
    text::line_ends,
];

/// Checks everything and prints each finding; an error if there is any.
pub(crate) fn run() -> Result<()> {
    let project = Project::load()?;
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&project)).collect();
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files, nothing found", project.files.len());
            Ok(())
        }
        1 => bail!("tidy: 1 finding, listed above"),
        count => bail!("tidy: {count} findings, listed above"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_as_place_fault_and_expectation() {
        let finding = Finding {
            path: "games/chess/src/rules.rs".to_owned(),
            line: 7,
            wrong: "mentions `protocol`".to_owned(),
            expected: "rules that know no text".to_owned(),
        };
        assert_eq!(
            finding.to_string(),
            "games/chess/src/rules.rs:7: mentions `protocol` (expected: rules that know no text)"
        );
    }
}
