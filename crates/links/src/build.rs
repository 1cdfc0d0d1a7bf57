//! Builds a bot before it plays. Its script is trusted no more than the bot itself.

use std::fmt;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::{Exit, Limit, printable};
use quintain_record::Launch;
use quintain_sandbox::{Level, Limits};
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::base::Base;
use crate::child::{Pipes, Starter};
use crate::copy::{Contents, Copy};
use crate::harvest::bring_back;
use crate::last_words;
use crate::launch::{LaunchError, read_launch_in};
use crate::limits::{BUILD_LOG_BYTES_MAX, BUILD_PROCESSES_MAX, READ_BYTES};
use crate::location::{find_manifest, manifest_at};
use crate::manifest::ManifestError;
use crate::sandbox::Setting;
use crate::{Child, Sandbox};

/// The script that builds a bot which is given as a folder.
pub const BUILD_SCRIPT: &str = "build.sh";

/// Lines of the log that a failure is told with.
const LAST_LINES: usize = 5;

const MEBIBYTE: u64 = 1024 * 1024;

/// How much one build may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildLimits {
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes in files.
    pub disk: u64,
}

/// Enough for compilers.
impl Default for BuildLimits {
    fn default() -> BuildLimits {
        BuildLimits {
            time: Duration::from_secs(600),
            memory: 4096 * MEBIBYTE,
            disk: 2048 * MEBIBYTE,
        }
    }
}

impl BuildLimits {
    fn of_programs(&self) -> Limits {
        Limits {
            memory: self.memory,
            disk: self.disk,
            processes: BUILD_PROCESSES_MAX,
            // Time is measured by the clock; this is for what hides from it.
            cpu: self.time.as_secs().max(1) * 2,
            output: BUILD_LOG_BYTES_MAX,
        }
    }
}

/// Builds the bot of a folder, if that has a build: the `build` of its `bot.json`, or else its `build.sh`.
/// Everything that the build says is in the file `log`. `None` if there is nothing to build; else how long it
/// took.
///
/// In a sandbox the build has no network, and works in a private copy of the folder: if it succeeds, what is
/// new or different there comes into the folder, as plain files. Without one it is trusted, and works in the
/// folder itself.
///
/// # Errors
/// What the build ended with, or what kept it from running.
pub fn build(
    folder: &Path,
    log: &Path,
    limits: &BuildLimits,
    sandbox: Option<&Sandbox>,
) -> Result<Option<Duration>, BuildError> {
    let Some(launch) = launch_of_build(folder)? else { return Ok(None) };
    let begun = Instant::now();
    let failed =
        |why: String| BuildError::Failed { command: words_of(&launch), why, log: log.to_owned() };
    let kept = Log::new(log).map_err(|error| BuildError::Log { log: log.to_owned(), error })?;
    match sandbox.filter(|sandbox| sandbox.level != Level::Off) {
        None => run(&launch, Starter::default(), None, limits, kept),
        Some(sandbox) => {
            // No build needs a network or is in a hurry, so it is held by all that there is.
            let held =
                Sandbox { level: Level::Strict, limits: limits.of_programs(), ..sandbox.clone() };
            build_in_copy(&launch, folder, &held, limits, kept)
        }
    }
    .map_err(failed)?;
    Ok(Some(begun.elapsed()))
}

/// What builds the bot of a folder.
fn launch_of_build(folder: &Path) -> Result<Option<Launch>, BuildError> {
    let manifest = find_manifest(folder);
    if let Some(file) = &manifest
        && let Some(command) = manifest_at(file).map_err(BuildError::Manifest)?.build
    {
        let folder = file.parent().unwrap_or(folder);
        let launch = read_launch_in(&command, folder);
        return launch.map(Some).map_err(|error| BuildError::Command { command, error });
    }
    let has_script = folder.join(BUILD_SCRIPT).is_file();
    Ok(has_script.then(|| Launch {
        program: "bash".to_owned(),
        args: vec![BUILD_SCRIPT.to_owned()],
        folder: Some(folder.to_owned()),
        ..Launch::default()
    }))
}

fn words_of(launch: &Launch) -> String {
    let words: Vec<&str> =
        std::iter::once(&launch.program).chain(&launch.args).map(String::as_str).collect();
    words.join(" ")
}

/// Why a build has failed goes into one sentence.
type Ran = Result<(), String>;

fn build_in_copy(
    launch: &Launch,
    folder: &Path,
    sandbox: &Sandbox,
    limits: &BuildLimits,
    log: Log,
) -> Ran {
    let copied = || -> io::Result<(PathBuf, Base, PathBuf, u64)> {
        let whole = folder.canonicalize()?;
        let contents = Contents::of(&whole, &whole)?;
        // Builds are too large for memory.
        let base = Base::new(&std::env::temp_dir())?;
        let copy = Copy { above: &whole, to: &base.path };
        copy.all(&contents)?;
        let inner = launch.folder.as_deref().unwrap_or(folder).canonicalize()?;
        let place = copy.place_of(&inner);
        Ok((whole, base, place, contents.bytes))
    };
    let (whole, base, place, bytes) =
        copied().map_err(|error| format!("its folder cannot be copied: {error}"))?;
    let launch = launch.moved_to(&place);
    let starter = Starter { sandbox: Some(sandbox), seclusion: None };
    run(&launch, starter, Some(&base.path), limits, log)?;
    // Who is quick is done before anybody has looked.
    let made = Contents::of(&base.path, &base.path).map_or(u64::MAX, |contents| contents.bytes);
    if made.saturating_sub(bytes) > limits.disk {
        return Err(Exit::Limit(Limit::Disk).to_string());
    }
    bring_back(&base.path, &whole).map_err(|error| {
        format!("what it made cannot be brought into {}: {error}", whole.display())
    })
}

/// Runs the build and writes what it says to its log, until it has ended or its time is up.
fn run(
    launch: &Launch,
    starter: Starter<'_>,
    writable: Option<&Path>,
    limits: &BuildLimits,
    mut log: Log,
) -> Ran {
    let until = Instant::now() + limits.time;
    let setting = Setting { writable, builds: true, ..Setting::default() };
    let started = starter.start(launch, setting, Pipes::to_be_heard);
    let mut child = started.map_err(|error| format!("it cannot be started: {error}"))?;
    let exit = log.follow(&mut child, until).map_err(|error| error.to_string())?;
    let exit = exit.map(|exit| last_words::exit_behind(exit, &log.end));
    drop(child);
    match exit {
        Some(Exit::Code(0)) => Ok(()),
        Some(exit) => Err(format!("{exit}{}", log.last_lines())),
        None => {
            Err(format!("it was not done after {} s{}", limits.time.as_secs(), log.last_lines()))
        }
    }
}

/// Everything that a build says, as far as there is room for it.
struct Log {
    file: File,
    bytes: u64,
    /// The end of it.
    end: Vec<u8>,
}

impl Log {
    fn new(path: &Path) -> io::Result<Log> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Log { file: File::create(path)?, bytes: 0, end: Vec::new() })
    }

    /// Listens until the build has ended; `None` if it has not when the time is up.
    fn follow(&mut self, child: &mut Child, until: Instant) -> io::Result<Option<Exit>> {
        let mut buffer = vec![0; READ_BYTES];
        loop {
            // Asked for before it is read, so that nothing it said before its end is missed.
            let exit = child.exit();
            for pipe in [&mut child.stdout, &mut child.stderr] {
                self.read(pipe, &mut buffer)?;
            }
            let left = until.saturating_duration_since(Instant::now());
            if exit.is_some() || left.is_zero() {
                return Ok(exit);
            }
            wait(child, left);
        }
    }

    fn read(&mut self, pipe: &mut Option<OwnedFd>, buffer: &mut [u8]) -> io::Result<()> {
        while let Some(open) = pipe {
            match rustix::io::read(open, &mut *buffer) {
                Ok(0) => *pipe = None,
                Ok(count) => self.write(&buffer[..count])?,
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn write(&mut self, said: &[u8]) -> io::Result<()> {
        let room = BUILD_LOG_BYTES_MAX.saturating_sub(self.bytes);
        let kept = said.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.file.write_all(&said[..kept])?;
        self.bytes += kept as u64;
        self.end.extend(said);
        let surplus = self.end.len().saturating_sub(READ_BYTES);
        self.end.drain(..surplus);
        Ok(())
    }

    fn last_lines(&self) -> String {
        let text = String::from_utf8_lossy(&self.end);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
        last.iter().map(|line| format!("\n  {}", printable(line))).collect()
    }
}

/// Waits until the build says something or has ended.
fn wait(child: &Child, left: Duration) {
    let pipes = [&child.stdout, &child.stderr].into_iter().flatten();
    let all = pipes.map(OwnedFd::as_fd).chain([child.end_told()]);
    let mut polled: Vec<PollFd<'_>> =
        all.map(|open| PollFd::from_borrowed_fd(open, PollFlags::IN)).collect();
    // An interrupted wait is like one in which nothing was said.
    let _ = rustix::event::poll(&mut polled, Timespec::try_from(left).ok().as_ref());
}

/// Why a bot was not built.
#[derive(Debug)]
pub enum BuildError {
    Manifest(ManifestError),
    /// The `build` of a `bot.json` is no command.
    Command {
        command: String,
        error: LaunchError,
    },
    Log {
        log: PathBuf,
        error: io::Error,
    },
    Failed {
        command: String,
        why: String,
        log: PathBuf,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Manifest(error) => error.fmt(f),
            BuildError::Command { command, error } => {
                write!(f, "build `{}`: {error}", printable(command))
            }
            BuildError::Log { log, error } => {
                write!(f, "cannot write the log of a build, {}: {error}", log.display())
            }
            BuildError::Failed { command, why, log } => {
                let (command, log) = (printable(command), log.display());
                write!(f, "`{command}` failed: {why}\n  the whole log: {log}")
            }
        }
    }
}

impl std::error::Error for BuildError {}
