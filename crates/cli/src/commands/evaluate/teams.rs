//! The teams of an evaluation: folders with a script.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_links::{Admission, Caller, Door, Launch, Place, Way};

use super::LinkArg;
use crate::bots::has_windows_line_ends;
use crate::failure::Failure;

pub(super) const SCRIPT: &str = "run.sh";
/// A script that names this variable can talk on standard input and output.
const LINK_VARIABLE: &str = "QUINTAIN_LINK";

/// One team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Team {
    /// The name of its folder.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    script: Script,
    /// Bash takes those of Windows for a part of its words.
    pub(super) has_windows_line_ends: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Missing,
    Connects,
    Stdio,
}

impl Team {
    pub(super) fn has_script(&self) -> bool {
        self.script != Script::Missing
    }

    /// The team's place at a game. A team without a script never comes.
    pub(super) fn place(&self, door: &Arc<Door>, admission: Admission) -> std::io::Result<Place> {
        let mut env = vec![("QUINTAIN_NAME".to_owned(), self.name.clone())];
        let way = match self.script {
            Script::Missing => return Ok(Place::Absent),
            Script::Stdio => {
                env.push((LINK_VARIABLE.to_owned(), "stdio".to_owned()));
                Way::Stdio
            }
            Script::Connects => {
                env.extend(meeting_point(door)?);
                Way::Connects(Arc::clone(door), admission)
            }
        };
        let launch = Launch {
            program: "bash".to_owned(),
            args: vec![SCRIPT.to_owned()],
            folder: Some(self.folder.clone()),
            env,
            ..Launch::default()
        };
        Ok(Place::Caller(Caller { launch, way }))
    }
}

/// Where to connect, for teams that ask. An address that means all of this machine's cannot be
/// connected to everywhere.
fn meeting_point(door: &Door) -> std::io::Result<[(String, String); 2]> {
    let addresses = door.addresses()?;
    let address = addresses.first().expect("a door has a socket");
    let host = match address.ip() {
        ip if ip.is_unspecified() && ip.is_ipv4() => "127.0.0.1".to_owned(),
        ip if ip.is_unspecified() => "::1".to_owned(),
        ip => ip.to_string(),
    };
    Ok([
        ("QUINTAIN_HOST".to_owned(), host),
        ("QUINTAIN_PORT".to_owned(), address.port().to_string()),
    ])
}

/// The teams in a folder, by name. Files and hidden folders are none.
pub(super) fn find(folder: &Path, link: LinkArg) -> Result<Vec<Team>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::usage(format!("expected a folder of teams at {}: {error}", folder.display()))
    };
    let mut teams = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            let folder = path.canonicalize().map_err(unreadable)?;
            let has_windows_line_ends = has_windows_line_ends(&folder.join(SCRIPT));
            let script = script_of(&folder, link);
            teams.push(Team { name, folder, script, has_windows_line_ends });
        }
    }
    if teams.is_empty() {
        let folder = folder.display();
        return Err(Failure::usage(format!(
            "expected a folder for each team in {folder}, found none"
        )));
    }
    teams.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(teams)
}

fn script_of(folder: &Path, link: LinkArg) -> Script {
    let Ok(text) = std::fs::read(folder.join(SCRIPT)) else {
        return Script::Missing;
    };
    let knows = || String::from_utf8_lossy(&text).contains(LINK_VARIABLE);
    match link {
        LinkArg::Stdio => Script::Stdio,
        LinkArg::Auto if knows() => Script::Stdio,
        LinkArg::Auto | LinkArg::Tcp => Script::Connects,
    }
}
