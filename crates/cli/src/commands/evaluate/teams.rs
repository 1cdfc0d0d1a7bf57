//! The teams of an evaluation: folders, and how each of them is started.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_arena::results::{EvaluatedTeam, TEAMS_FILE};
use quintain_arena::{
    LINK_VARIABLE, SeatNeeds, SeatingError, StartWhen, digests_of, has_windows_line_ends, take_seat,
};
use quintain_links::{Listener, Seclusion, read_launch_in};
use quintain_record::{Admission, Contestant, Launch, Mind, Occupant, Program, ProgramLink, State};

use super::args::LinkArg;
use super::teams_file::{self, Entry};
use crate::failure::Failure;

const SCRIPT: &str = "run.sh";

/// One team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Team {
    /// The name of its folder.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) starter: Starter,
    link: Link,
    /// What the organiser adds to its environment.
    env: Vec<(String, String)>,
    /// Bash takes those of Windows for a part of its words.
    pub(super) has_windows_line_ends: bool,
}

/// How a team is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Starter {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Tcp,
    Stdio,
}

impl Team {
    /// Whether the share for the script can be earned.
    pub(super) fn runs_script(&self) -> bool {
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
    pub(super) fn evaluated(&self) -> EvaluatedTeam {
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

    /// The files that the team consists of, as far as its command names them, for its replays.
    pub(super) fn digests(&self, ground: &Ground) -> BTreeMap<String, String> {
        self.contestant(ground).as_ref().map(digests_of).unwrap_or_default()
    }

    fn launch(&self) -> Option<Launch> {
        match &self.starter {
            Starter::Nothing { .. } => None,
            Starter::Script => Some(self.launch_of("bash", &[SCRIPT])),
            Starter::Executable(name) => Some(self.launch_of(&format!("./{name}"), &[])),
            Starter::Organiser { launch, .. } => Some(launch.clone()),
        }
    }

    /// Who plays for the team; `None` if nothing starts it.
    fn contestant(&self, ground: &Ground) -> Option<Contestant> {
        let mut launch = self.launch()?;
        launch.env = ground.env.clone();
        launch.env.extend(self.env.iter().cloned());
        let link = match self.link {
            Link::Stdio => ProgramLink::Pipes { state: State::Stdin },
            Link::Tcp => ProgramLink::Connects { admission: ground.admission },
        };
        let mind = Mind::Program(Program { launch, link });
        Some(Contestant { name: self.name.clone(), written: self.command(), mind })
    }

    /// Who sits at a game for the team. One that nothing starts never comes.
    pub(super) fn occupant(&self, ground: &Ground) -> Occupant {
        let nobody = || Occupant::Client { name: self.name.clone() };
        self.contestant(ground).map_or_else(nobody, Occupant::Contestant)
    }

    /// The way to the team. It is started once there is something to say to it.
    pub(super) fn seat_link(&self, ground: &Ground) -> Result<quintain_links::Link, SeatingError> {
        let Some(contestant) = self.contestant(ground) else {
            return Ok(quintain_links::Link::absent());
        };
        let (listener, seclusion) = (Some(&ground.listener), ground.seclusion.as_ref());
        let start = StartWhen::WhenSpokenTo;
        take_seat(&contestant, &SeatNeeds { has_files: false, start, listener, seclusion })
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

/// Where teams are started and let in.
pub(super) struct Ground {
    pub(super) listener: Arc<Listener>,
    pub(super) admission: Admission,
    /// The network that the teams have instead of the machine's.
    pub(super) seclusion: Option<Arc<Seclusion>>,
    /// What of this process's environment is passed on.
    pub(super) env: Vec<(String, String)>,
}

/// The teams in a folder, by name. Files and hidden folders are none. What the organiser wrote about
/// them is in `file`, or in a file of the usual name beside them.
pub(super) fn find(
    folder: &Path,
    file: Option<&Path>,
    link: LinkArg,
) -> Result<Vec<Team>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::usage(format!("expected a folder of teams at {}: {error}", folder.display()))
    };
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            folders.push((name, path.canonicalize().map_err(unreadable)?));
        }
    }
    if folders.is_empty() {
        let folder = folder.display();
        return Err(Failure::usage(format!(
            "expected a folder for each team in {folder}, found none"
        )));
    }
    folders.sort();
    let names: Vec<&str> = folders.iter().map(|(name, _)| name.as_str()).collect();
    let mut entries = teams_file::read(folder, file, &names)?;
    let team = |(name, folder): (String, PathBuf)| {
        let entry = entries.remove(&name).unwrap_or_default();
        team(name, folder, entry, link)
    };
    folders.into_iter().map(team).collect()
}

fn team(name: String, folder: PathBuf, entry: Entry, link: LinkArg) -> Result<Team, Failure> {
    let starter = starter_of(&name, &folder, &entry)?;
    let link = match link {
        LinkArg::Tcp => Link::Tcp,
        LinkArg::Stdio => Link::Stdio,
        LinkArg::Auto => entry.link().unwrap_or_else(|| link_of(&folder, &starter)),
    };
    Ok(Team {
        has_windows_line_ends: has_windows_line_ends(&folder.join(SCRIPT)),
        env: entry.environment.into_iter().collect(),
        name,
        folder,
        starter,
        link,
    })
}

fn starter_of(name: &str, folder: &Path, entry: &Entry) -> Result<Starter, Failure> {
    if let Some(command) = &entry.command {
        let launch = read_launch_in(command, folder).map_err(|error| {
            Failure::usage(format!("{}: the command of {name}: {error}", TEAMS_FILE))
        })?;
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
fn link_of(folder: &Path, starter: &Starter) -> Link {
    let program = match starter {
        Starter::Script => SCRIPT,
        Starter::Executable(name) => name,
        Starter::Organiser { .. } | Starter::Nothing { .. } => return Link::Tcp,
    };
    let word = LINK_VARIABLE.as_bytes();
    let bytes = std::fs::read(folder.join(program)).unwrap_or_default();
    let knows = bytes.windows(word.len()).any(|window| window == word);
    if knows { Link::Stdio } else { Link::Tcp }
}
