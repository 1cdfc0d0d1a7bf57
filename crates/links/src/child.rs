//! A bot as a process of its own, started, watched and ended.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::Exit;
use quintain_record::Launch;
use quintain_referee::{Counts, Unprotected};
use quintain_sandbox::{Layer, Level, Plan};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions};

use crate::base;
use crate::crew::{self, Crew};
use crate::family;
use crate::keeper::Keeper;
use crate::limits::KILLED_WAIT;
use crate::process_counts::{self, Activity};
use crate::sandbox::{Sandbox, Setting};
use crate::start::{Streams, start};
use crate::state_folder::StateFolder;
use crate::{Quarters, Seclusion};

/// A running process with its three pipes.
///
/// It leads a process group of its own. Dropping it kills it, that whole group, whatever descends from
/// it and whoever holds its pipes, and waits until they are gone, so that nothing is left, not even an
/// entry in the process table. What left the group, its parent and the pipes escapes that, unless a
/// sandbox holds it.
///
/// The system also kills the process when the *thread* that started it ends, so that a host that
/// dies leaves no bots behind. A match must therefore start its bots on the thread that plays it. One in a
/// sandbox is killed when this process ends.
#[derive(Debug)]
pub struct Child {
    pub(crate) stdin: Option<OwnedFd>,
    pub(crate) stdout: Option<OwnedFd>,
    pub(crate) stderr: Option<OwnedFd>,
    pub(crate) folder: PathBuf,
    /// Open for the files that the bot is told the state in.
    pub(crate) state_folder: Option<StateFolder>,
    pid: Pid,
    pidfd: OwnedFd,
    crew: Crew,
    ended: bool,
    /// What holds it, if it is not trusted.
    keeper: Option<Keeper>,
    /// Removed when the process has ended.
    quarters: Option<Quarters>,
}

/// How bots are started: in which sandbox and in which network.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starter<'a> {
    /// `None`: they are trusted.
    pub sandbox: Option<&'a Sandbox>,
    /// `None`: the network of this process.
    pub seclusion: Option<&'a Arc<Seclusion>>,
}

impl Starter<'_> {
    /// Starts a bot. Its own ends of the pipes block as usual; ours do not.
    ///
    /// # Errors
    /// Names the program and why the system did not start it.
    pub fn spawn(&self, launch: &Launch) -> Result<Child, SpawnError> {
        let started = self.start(launch, Setting::default(), Pipes::over_pipes);
        started.map_err(self.error_of(launch))
    }

    /// Starts a bot that comes over a connection of its own, to this port: it hears nothing on its input, and
    /// what it writes to its output is thrown away.
    ///
    /// # Errors
    /// As [`Starter::spawn`].
    pub(crate) fn spawn_connecting(&self, launch: &Launch, port: u16) -> Result<Child, SpawnError> {
        let setting = Setting { port: Some(port), ..Setting::default() };
        self.start(launch, setting, Pipes::nothing).map_err(self.error_of(launch))
    }

    /// Starts a bot in `quarters`, where files can be written for it, of which so many rounds are kept;
    /// `None`: all.
    ///
    /// # Errors
    /// As [`Starter::spawn`].
    pub fn spawn_in(
        &self,
        quarters: Quarters,
        launch: &Launch,
        keep_rounds: Option<u32>,
    ) -> Result<Child, SpawnError> {
        let moved = launch.moved_to(quarters.folder());
        let state_folder =
            StateFolder::new(&quarters, keep_rounds).map_err(self.error_of(launch))?;
        let rounds = quarters.rounds();
        let (writable, fixed) = (Some(quarters.base()), Some(rounds.as_path()));
        let setting = Setting { writable, fixed, ..Setting::default() };
        let started = self.start(&moved, setting, Pipes::over_pipes);
        let mut child = started.map_err(self.error_of(launch))?;
        child.state_folder = Some(state_folder);
        child.quarters = Some(quarters);
        Ok(child)
    }

    /// Starts a bot with these pipes for its input and output.
    pub(crate) fn start(
        &self,
        launch: &Launch,
        setting: Setting<'_>,
        pipes: fn() -> io::Result<Pipes>,
    ) -> io::Result<Child> {
        let Pipes { theirs: [stdin, stdout], ours: [our_stdin, our_stdout] } = pipes()?;
        base::sweep_once();
        let (our_stderr, stderr) = pipe_with(PipeFlags::CLOEXEC)?;
        let ours = [our_stdin.as_ref(), our_stdout.as_ref(), Some(&our_stderr)];
        for pipe in ours.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let setting = Setting { has_network: self.seclusion.is_some(), ..setting };
        let streams = Streams { stdin, stdout, stderr };
        let (pid, keeper) = match self.sandbox.filter(|sandbox| sandbox.level != Level::Off) {
            None => (start(launch, self.seclusion, &streams)?, None),
            Some(sandbox) => {
                let held = Keeper::start(sandbox, launch, setting, self.seclusion, &streams)?;
                (held.0, Some(held.1))
            }
        };
        // From here on an error must not leave the process behind.
        let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty())
            .inspect_err(|_| family::end_by_number(pid))?;
        let number = pid.as_raw_pid();
        Ok(Child {
            stdin: our_stdin,
            stdout: our_stdout,
            stderr: Some(our_stderr),
            folder: launch.folder.clone().unwrap_or_else(|| PathBuf::from(".")),
            state_folder: None,
            pid,
            pidfd,
            crew: Crew::new(number.unsigned_abs()),
            ended: false,
            keeper,
            quarters: None,
        })
    }

    fn error_of(&self, launch: &Launch) -> impl Fn(io::Error) -> SpawnError {
        let is_held = self.sandbox.is_some_and(|sandbox| sandbox.level != Level::Off);
        let (program, folder) = (launch.program.clone(), launch.folder.clone());
        move |error| {
            let error = match error.kind() {
                kind @ io::ErrorKind::NotFound if is_held => {
                    io::Error::new(kind, error.to_string())
                }
                _ => error,
            };
            SpawnError { program: program.clone(), folder: folder.clone(), error }
        }
    }
}

impl Child {
    /// Starts a bot that is trusted.
    ///
    /// # Errors
    /// As [`Starter::spawn`].
    pub fn spawn(launch: &Launch) -> Result<Child, SpawnError> {
        Starter::default().spawn(launch)
    }

    /// Starts a bot that is trusted in `quarters`, as [`Starter::spawn_in`] does.
    ///
    /// # Errors
    /// As [`Starter::spawn`].
    pub fn spawn_in(
        quarters: Quarters,
        launch: &Launch,
        keep_rounds: Option<u32>,
    ) -> Result<Child, SpawnError> {
        Starter::default().spawn_in(quarters, launch, keep_rounds)
    }

    /// The number of the process, which is also that of its group.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_pid().unsigned_abs()
    }

    /// The working directory of the process.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Becomes readable when the process ends.
    pub(crate) fn end_told(&self) -> BorrowedFd<'_> {
        let told = self.keeper.as_ref().and_then(Keeper::end_told);
        told.unwrap_or_else(|| self.pidfd.as_fd())
    }

    /// How the process ended by itself; `None` while it runs and after [`Child::end`]. It is not
    /// waited for here: while its entry exists, its group's number can belong to nobody else.
    pub fn exit(&self) -> Option<Exit> {
        if self.ended {
            return None;
        }
        let told = self.keeper.as_ref().and_then(Keeper::told_exit);
        let exit = told.unwrap_or_else(|| self.own_exit())?;
        Some(self.keeper.as_ref().map_or(exit, |keeper| keeper.exit(exit)))
    }

    /// How it ended, if it is a child of this process.
    fn own_exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status =
            rustix::process::waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok().flatten()?;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(Exit::Code(code)),
            (None, Some(signal)) => Some(Exit::Signal(signal)),
            (None, None) => None,
        }
    }

    /// Ends a bot that has broken a rule of its sandbox. It is waited for as if it had ended by itself.
    pub(crate) fn kill(&self) {
        let _ = rustix::process::pidfd_send_signal(&self.pidfd, rustix::process::Signal::KILL);
    }

    /// The layers of its sandbox that hold; none if it is trusted.
    pub fn held(&self) -> &[Layer] {
        self.keeper.as_ref().map_or(&[], Keeper::held)
    }

    /// What its sandbox shows it; `None` if it is trusted.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.keeper.as_ref().map(Keeper::plan)
    }

    /// The processor time that the bot has used, in the kernel and outside. Processes that the bot
    /// started are counted once `Child::counts` has found them.
    pub fn cpu(&self) -> Option<Duration> {
        if self.ended { None } else { self.crew.cpu() }
    }

    /// What the system counts for the threads of the bot.
    pub(crate) fn counts(&mut self) -> Option<Counts> {
        (!self.ended).then(|| self.crew.counts())
    }

    /// What the bot and whatever it started do.
    pub fn activity(&mut self) -> Activity {
        if self.ended { Activity::default() } else { self.crew.activity() }
    }

    /// Its input, and what it says on its output and error output. None of the three is in a hurry any more:
    /// who reads waits.
    ///
    /// # Errors
    /// They were taken already, or the system has no more of them.
    pub fn take_pipes(&mut self) -> io::Result<[File; 3]> {
        let input = self.stdin.take();
        let [output, error] = [&self.stdout, &self.stderr]
            .map(|pipe| pipe.as_ref().map(OwnedFd::try_clone).transpose());
        let taken = || io::Error::other("the pipes of this bot were taken");
        let pipes =
            [input.ok_or_else(taken)?, output?.ok_or_else(taken)?, error?.ok_or_else(taken)?];
        for pipe in &pipes {
            rustix::io::ioctl_fionbio(pipe, false)?;
        }
        Ok(pipes.map(File::from))
    }

    /// Whether the bot runs or waits for nothing but a processor.
    pub(crate) fn wants_to_run(&mut self) -> bool {
        !self.ended && self.crew.wants_to_run()
    }

    /// Why the counts do not tell whether the bot was kept waiting.
    pub(crate) fn unprotected(&mut self) -> Option<&Unprotected> {
        if self.ended { None } else { self.crew.unprotected() }
    }

    /// The same at the end.
    pub(crate) fn unprotected_to_the_end(&mut self) -> Option<Unprotected> {
        if self.ended { None } else { self.crew.unprotected_to_the_end() }
    }

    /// Whether the process is on its way out, though it cannot be waited for yet.
    pub(crate) fn is_ending(&self) -> bool {
        let is_ended_by_watch = || self.keeper.as_ref().is_some_and(Keeper::has_told_limit);
        !self.ended && (process_counts::is_ending(self.id()) || is_ended_by_watch())
    }

    /// Whether the process has no other beside it.
    pub(crate) fn is_alone(&self) -> bool {
        !self.ended && crew::is_alone(self.id())
    }

    /// Ends the process and all that belongs to it, waits until they are gone, and removes its folder.
    /// What could not be ended or removed; afterwards there is nothing more to do.
    pub fn end(&mut self) -> Option<Remains> {
        if self.ended {
            return None;
        }
        self.ended = true;
        let pipes = [&self.stdout, &self.stderr];
        let pipes: Vec<_> = pipes.into_iter().flatten().map(AsFd::as_fd).collect();
        let processes = family::end(self.pid, self.pidfd.as_fd(), &pipes, self.keeper.as_mut());
        self.keeper = None;
        let folder = self.quarters.take().and_then(|quarters| quarters.remove().err());
        let is_clean = processes.is_empty() && folder.is_none();
        (!is_clean).then_some(Remains { processes, folder })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Whoever wants to tell of remains calls it before.
        let _ = self.end();
    }
}

/// What is left of a bot after its end.
#[derive(Debug)]
pub struct Remains {
    /// Processes that were killed and did not end in time.
    pub processes: Vec<u32>,
    /// Why its folder could not be removed.
    pub folder: Option<io::Error>,
}

impl fmt::Display for Remains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.processes.iter().map(u32::to_string).collect();
        if !numbers.is_empty() {
            let seconds = KILLED_WAIT.as_secs();
            let numbers = numbers.join(", ");
            write!(f, "killed processes of this bot still run after {seconds} s: {numbers}")?;
        }
        match &self.folder {
            Some(error) if numbers.is_empty() => write!(f, "{error}"),
            Some(error) => write!(f, "; {error}"),
            None => Ok(()),
        }
    }
}

/// What a process reads from and writes to, input first, and the other ends of it.
pub(crate) struct Pipes {
    theirs: [OwnedFd; 2],
    ours: [Option<OwnedFd>; 2],
}

impl Pipes {
    fn over_pipes() -> io::Result<Pipes> {
        let (stdin, our_stdin) = pipe_with(PipeFlags::CLOEXEC)?;
        let (our_stdout, stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        Ok(Pipes { theirs: [stdin, stdout], ours: [Some(our_stdin), Some(our_stdout)] })
    }

    /// It hears nothing, and is listened to.
    pub(crate) fn to_be_heard() -> io::Result<Pipes> {
        let (our_stdout, stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        let stdin = File::open("/dev/null")?.into();
        Ok(Pipes { theirs: [stdin, stdout], ours: [None, Some(our_stdout)] })
    }

    fn nothing() -> io::Result<Pipes> {
        let stdin = File::open("/dev/null")?.into();
        let stdout = File::options().write(true).open("/dev/null")?.into();
        Ok(Pipes { theirs: [stdin, stdout], ours: [None, None] })
    }
}

/// Why a bot could not be started.
#[derive(Debug)]
pub struct SpawnError {
    pub program: String,
    pub folder: Option<PathBuf>,
    /// What was not found by a bot in a sandbox is told in words of its own.
    pub error: io::Error,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start `{}`", quintain_core::printable(&self.program))?;
        match &self.folder {
            Some(folder) if !folder.is_dir() => {
                return write!(f, ": there is no folder {}", folder.display());
            }
            Some(folder) => write!(f, " in {}", folder.display())?,
            None => {}
        }
        match self.error.kind() {
            io::ErrorKind::NotFound if !self.program.contains('/') => {
                f.write_str(": there is no such program on the search path")
            }
            // The file is there, so it is something else that the system did not find.
            io::ErrorKind::NotFound if self.is_there() => {
                let is_held = self.error.get_ref().is_some();
                let hidden = if is_held { ", or the sandbox does not show it" } else { "" };
                write!(
                    f,
                    ": the interpreter that its first line names, or its loader, does not exist{hidden}"
                )
            }
            _ => write!(f, ": {}", self.error),
        }
    }
}

impl SpawnError {
    fn is_there(&self) -> bool {
        self.folder.as_deref().unwrap_or(Path::new("")).join(&self.program).is_file()
    }
}

impl std::error::Error for SpawnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
