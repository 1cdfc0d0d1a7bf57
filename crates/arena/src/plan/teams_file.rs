//! `teams.toml`: what the organiser writes about teams that do not start by themselves.
//!
//! ```toml
//! [alpha]
//! command = "java -jar alpha.jar"
//! link = "tcp"
//! environment = { JAVA_TOOL_OPTIONS = "-Xmx1g" }
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use quintain_core::did_you_mean;

use super::teams::TeamLink;
use super::toml::{PlanFileError, Source};
use crate::results::TEAMS_FILE;

/// What is written about one team. All of it can be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TeamEntry {
    /// Started in the team's folder, in place of its script.
    pub(super) command: Option<String>,
    pub(super) link: Option<TeamLink>,
    pub(super) environment: Vec<(String, String)>,
    /// Whether the command runs the team's script, for instance in a container.
    pub(super) script: bool,
}

/// Reads `file`, or the file of the usual name in the folder of teams if there is one.
pub(super) fn read(
    folder: &Path,
    file: Option<&Path>,
    teams: &[&str],
) -> Result<BTreeMap<String, TeamEntry>, PlanFileError> {
    let usual = folder.join(TEAMS_FILE);
    let path = file.unwrap_or(&usual);
    if file.is_none() && !path.exists() {
        return Ok(BTreeMap::new());
    }
    let source = Source::read("file about the teams", path)?;
    let mut entries = BTreeMap::new();
    for (name, mut table) in source.table()?.rest("a table for each team")? {
        if !teams.contains(&name.as_str()) {
            let known = teams.join(", ");
            let meant = did_you_mean(&name, teams.iter().copied());
            let wrong = format!("expected a team ({known}), found `{name}`{meant}");
            return Err(source.wrong_line(&name, wrong));
        }
        let entry = TeamEntry {
            command: table.text("command")?,
            link: table.choice("link", TeamLink::ALL, TeamLink::name)?,
            environment: table.text_by_key("environment")?,
            script: table.truth("script")?,
        };
        table.end()?;
        entries.insert(name, entry);
    }
    Ok(entries)
}
