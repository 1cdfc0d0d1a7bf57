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

use serde::Deserialize;

use super::teams::{TeamLink, TeamsError};
use crate::results::TEAMS_FILE;

/// What is written about one team. All of it can be left out.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TeamEntry {
    /// Started in the team's folder, in place of its script.
    pub(super) command: Option<String>,
    pub(super) link: Option<TeamLink>,
    #[serde(default)]
    pub(super) environment: BTreeMap<String, String>,
    /// Whether the command runs the team's script, for instance in a container.
    #[serde(default)]
    pub(super) script: bool,
}

/// Reads `file`, or the file of the usual name in the folder of teams if there is one.
pub(super) fn read(
    folder: &Path,
    file: Option<&Path>,
    teams: &[&str],
) -> Result<BTreeMap<String, TeamEntry>, TeamsError> {
    let usual = folder.join(TEAMS_FILE);
    let path = file.unwrap_or(&usual);
    if file.is_none() && !path.exists() {
        return Ok(BTreeMap::new());
    }
    let wrong = |what: &dyn std::fmt::Display| {
        let (path, what) = (path.to_owned(), what.to_string());
        TeamsError::File { path, what }
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let entries: BTreeMap<String, TeamEntry> =
        toml::from_str(&text).map_err(|error| wrong(&error))?;
    if let Some(unknown) = entries.keys().find(|name| !teams.contains(&name.as_str())) {
        let known = teams.join(", ");
        return Err(wrong(&format!("expected a team ({known}), found `{unknown}`")));
    }
    Ok(entries)
}
