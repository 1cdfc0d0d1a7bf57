//! The teams of an evaluation: folders, and how each of them is started.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use quintain_links::{LaunchError, read_launch_in, read_within};
use quintain_record::{Admission, Contestant, Launch, Mind, Program, ProgramLink, State};
use serde::Serialize;

use super::teams_file::{self, TeamEntry};
use super::toml::PlanFileError;
use crate::occupant::LINK_VARIABLE;
use crate::results::{EvaluatedTeam, TEAMS_FILE};
use crate::script::has_windows_line_ends;

const SCRIPT: &str = "run.sh";

/// A program of more bytes is not searched.
const PROGRAM_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// One team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Team {
    /// The name of its folder.
    pub name: String,
    pub folder: PathBuf,
    starter: Starter,
    link: TeamLink,
    /// What the organiser adds to its environment.
    env: Vec<(String, String)>,
    /// Bash takes those of Windows for a part of its words.
    has_windows_line_ends: bool,
}

/// How a team is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Starter {
    /// By its own script.
    Script,
    /// By the only program in its folder.
    Executable(String),
    /// By what the organiser wrote.
    Organiser {
        command: String,
        launch: Launch,
        /// Whether the command runs the team's script, so that the share for it can be earned.
        runs_script: bool,
    },
    /// There is nothing to start: neither a script nor, of so many programs, a single one.
    Nothing { programs: usize },
}

/// How a team talks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamLink {
    /// It connects.
    Tcp,
    /// On standard input and output.
    Stdio,
}

impl TeamLink {
    pub const ALL: [TeamLink; 2] = [TeamLink::Tcp, TeamLink::Stdio];

    /// As files name it.
    pub fn name(self) -> &'static str {
        match self {
            TeamLink::Tcp => "tcp",
            TeamLink::Stdio => "stdio",
        }
    }
}

/// Why there are no teams to evaluate.
#[derive(Debug, thiserror::Error)]
pub enum TeamsError {
    #[error("expected a folder of teams at {}: {error}", folder.display())]
    Unreadable { folder: PathBuf, error: io::Error },
    #[error("expected a folder for each team in {}, found none", folder.display())]
    NoTeams { folder: PathBuf },
    #[error(transparent)]
    File(#[from] PlanFileError),
    #[error("{TEAMS_FILE}: the command of {team}: {error}")]
    Command { team: String, error: LaunchError },
}

/// The teams in a folder, by name. Files and hidden folders are none. What the organiser wrote about
/// them is in `file`, or in a file of the usual name beside them. How each talks follows from its script or from
/// there, unless all are to talk by one `link`.
///
/// # Errors
/// There are none, or what was written about them cannot be read.
pub fn find_teams(
    folder: &Path,
    file: Option<&Path>,
    link: Option<TeamLink>,
) -> Result<Vec<Team>, TeamsError> {
    let folders = team_folders(folder)?;
    let names: Vec<&str> = folders.iter().map(|(name, _)| name.as_str()).collect();
    let mut entries = teams_file::read(folder, file, &names)?;
    let team = |(name, folder): (String, PathBuf)| {
        let entry = entries.remove(&name).unwrap_or_default();
        Team::new(name, folder, entry, link)
    };
    folders.into_iter().map(team).collect()
}

/// The folders of teams with their names, by name.
///
/// # Errors
/// There are none.
pub fn team_folders(folder: &Path) -> Result<Vec<(String, PathBuf)>, TeamsError> {
    let unreadable = |error: io::Error| TeamsError::Unreadable { folder: folder.to_owned(), error };
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            folders.push((name, path.canonicalize().map_err(unreadable)?));
        }
    }
    if folders.is_empty() {
        return Err(TeamsError::NoTeams { folder: folder.to_owned() });
    }
    folders.sort();
    Ok(folders)
}

impl Team {
    fn new(
        name: String,
        folder: PathBuf,
        entry: TeamEntry,
        link: Option<TeamLink>,
    ) -> Result<Team, TeamsError> {
        let starter = starter_of(&name, &folder, &entry)?;
        let link = link.or(entry.link).unwrap_or_else(|| link_of(&folder, &starter));
        Ok(Team {
            has_windows_line_ends: has_windows_line_ends(&folder, SCRIPT),
            env: entry.environment,
            name,
            folder,
            starter,
            link,
        })
    }

    /// Whether the share for the script can be earned.
    pub(crate) fn runs_script(&self) -> bool {
        match &self.starter {
            Starter::Script => true,
            Starter::Organiser { runs_script, .. } => *runs_script,
            Starter::Executable(_) | Starter::Nothing { .. } => false,
        }
    }

    /// What stands in the store for the team: another command is another bot.
    pub(super) fn command(&self) -> String {
        match &self.starter {
            Starter::Script | Starter::Nothing { .. } => {
                self.folder.join(SCRIPT).display().to_string()
            }
            Starter::Executable(name) => self.folder.join(name).display().to_string(),
            Starter::Organiser { command, .. } => command.clone(),
        }
    }

    /// What marks depend on.
    pub(crate) fn evaluated(&self) -> EvaluatedTeam {
        let (started_by, programs) = match &self.starter {
            Starter::Script => (Some(SCRIPT.to_owned()), 0),
            Starter::Executable(name) => (Some(format!("./{name}")), 0),
            Starter::Organiser { command, .. } => (Some(format!("{TEAMS_FILE}: {command}")), 0),
            Starter::Nothing { programs } => (None, *programs),
        };
        EvaluatedTeam {
            name: self.name.clone(),
            runs_script: self.runs_script(),
            started_by,
            programs,
            has_windows_line_ends: self.has_windows_line_ends,
        }
    }

    /// Adds variables to its environment. What the organiser wrote about it goes before them.
    pub fn give(&mut self, variables: &[(String, String)]) {
        self.env.splice(..0, variables.iter().cloned());
    }

    /// Who plays for the team; `None` if nothing starts it.
    pub(crate) fn contestant(&self, admission: Admission) -> Option<Contestant> {
        let launch = Launch { env: self.env.clone(), ..self.launch()? };
        let link = match self.link {
            TeamLink::Stdio => ProgramLink::Pipes { state: State::Stdin },
            TeamLink::Tcp => ProgramLink::Connects { admission },
        };
        let mind = Mind::Program(Program { launch, link });
        Some(Contestant { name: self.name.clone(), written: self.command(), mind })
    }

    fn launch(&self) -> Option<Launch> {
        match &self.starter {
            Starter::Nothing { .. } => None,
            Starter::Script => Some(self.launch_of("bash", &[SCRIPT])),
            Starter::Executable(name) => Some(self.launch_of(&format!("./{name}"), &[])),
            Starter::Organiser { launch, .. } => Some(launch.clone()),
        }
    }

    fn launch_of(&self, program: &str, args: &[&str]) -> Launch {
        Launch {
            program: program.to_owned(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            folder: Some(self.folder.clone()),
            ..Launch::default()
        }
    }
}

fn starter_of(name: &str, folder: &Path, entry: &TeamEntry) -> Result<Starter, TeamsError> {
    if let Some(command) = &entry.command {
        let launch = read_launch_in(command, folder)
            .map_err(|error| TeamsError::Command { team: name.to_owned(), error })?;
        let (command, runs_script) = (command.clone(), entry.script);
        return Ok(Starter::Organiser { command, launch, runs_script });
    }
    if folder.join(SCRIPT).is_file() {
        return Ok(Starter::Script);
    }
    let mut programs = programs_in(folder);
    Ok(match programs.len() {
        1 => Starter::Executable(programs.remove(0)),
        programs => Starter::Nothing { programs },
    })
}

/// The files in a folder that may be run, by name. Those that a system hides are none.
fn programs_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let program = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_str().filter(|name| !name.starts_with('.'))?.to_owned();
        let metadata = entry.path().metadata().ok()?;
        (metadata.is_file() && metadata.permissions().mode() & 0o111 != 0).then_some(name)
    };
    let mut programs: Vec<String> = entries.filter_map(program).collect();
    programs.sort();
    programs
}

/// How a team talks about which nothing is said: by whether its program knows of the other way.
fn link_of(folder: &Path, starter: &Starter) -> TeamLink {
    let program = match starter {
        Starter::Script => SCRIPT,
        Starter::Executable(name) => name,
        Starter::Organiser { .. } | Starter::Nothing { .. } => return TeamLink::Tcp,
    };
    let word = LINK_VARIABLE.as_bytes();
    let bytes = read_within(folder, Path::new(program), PROGRAM_BYTES_MAX).unwrap_or_default();
    let knows = bytes.windows(word.len()).any(|window| window == word);
    if knows { TeamLink::Stdio } else { TeamLink::Tcp }
}
