//! What holds a program that was started in a sandbox: the first process of its namespace, its control group,
//! its user, the folder for what is temporary, and what was told about its layers and limits.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use quintain_core::{Exit, Limit};
use quintain_record::Launch;
use quintain_sandbox::{
    Cgroup, Descriptors, Failed, Hit, Layer, Level, Missing, Plan, Report, is_full,
};
use rustix::fs::MemfdFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

use crate::Seclusion;
use crate::base::{Base, MEMORY_FOLDER};
use crate::family;
use crate::sandbox::{Sandbox, Setting};
use crate::start::{Streams, start_with};
use crate::users::User;

/// The signals that the system ends a process with that has used up its processor time, or made a file too
/// large.
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// What holds a program, for as long as it runs.
#[derive(Debug)]
pub(crate) struct Keeper {
    init: Option<Init>,
    /// Which limit was hit is told here.
    hits: OwnedFd,
    hit: OnceCell<Option<Limit>>,
    cgroup: Option<Cgroup>,
    scratch: Option<Base>,
    plan: Plan,
    held: Vec<Layer>,
    _user: Option<User>,
}

/// The first process of a namespace. All others end with it.
#[derive(Debug)]
struct Init {
    pid: Pid,
    pidfd: OwnedFd,
}

impl Keeper {
    /// Starts a bot through the launcher. Returns once its program has been loaded.
    ///
    /// # Errors
    /// What the system said about the program, or which layer is missing that is required.
    pub(crate) fn start(
        sandbox: &Sandbox,
        launch: &Launch,
        setting: Setting<'_>,
        seclusion: Option<&Arc<Seclusion>>,
        streams: &Streams,
    ) -> io::Result<(Pid, Keeper)> {
        let user = User::take();
        let scratch = match sandbox.layers().contains(&Layer::Files) {
            true => None,
            false => Some(scratch_for(user.as_ref())?),
        };
        let path = scratch.as_ref().map(|scratch| scratch.path.as_path());
        let mut plan = sandbox.plan(launch, setting, user.as_ref(), path)?;
        let cgroup = match sandbox.level {
            Level::Strict => Cgroup::new(&unique_name(), &sandbox.limits).ok(),
            _ => None,
        };
        plan.cgroups = cgroup.iter().flat_map(Cgroup::doors).collect();
        plan.required.extend(sandbox.layers().iter().filter(|layer| setting.allows(**layer)));
        let (report, hits) = run_launcher(&sandbox.launcher, &plan, seclusion, streams)?;
        let (pid, init) = processes(&report)?;
        let hit = OnceCell::new();
        let keeper =
            Keeper { init, hits, hit, cgroup, scratch, plan, held: report.held, _user: user };
        Ok((pid, keeper))
    }

    /// The layers that hold.
    pub(crate) fn held(&self) -> &[Layer] {
        &self.held
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How the program ended, with the limit that ended it if there was one.
    pub(crate) fn exit(&self, exit: Exit) -> Exit {
        let limit = self.hit.get_or_init(|| self.limit_behind(exit));
        limit.map_or(exit, Exit::Limit)
    }

    fn limit_behind(&self, exit: Exit) -> Option<Limit> {
        let of_hit = |hit: Hit| match hit {
            Hit::Memory => Limit::Memory,
            Hit::Processes => Limit::Processes,
            Hit::Disk => Limit::Disk,
        };
        match exit {
            Exit::Signal(SIGXCPU) => return Some(Limit::Cpu),
            Exit::Signal(SIGXFSZ) => return Some(Limit::Disk),
            Exit::Code(0) | Exit::Closed => return None,
            _ => {}
        }
        let told = self.told().or_else(|| self.cgroup.as_ref().and_then(Cgroup::hit)).map(of_hit);
        told.or_else(|| self.is_full().then_some(Limit::Disk))
    }

    /// What the first process of the namespace told before it ended everybody.
    fn told(&self) -> Option<Hit> {
        let mut word = [0; 32];
        let count = rustix::io::read(&self.hits, &mut word).ok()?;
        std::str::from_utf8(&word[..count]).ok()?.trim().parse().ok()
    }

    fn is_full(&self) -> bool {
        let Some(init) = &self.init else { return false };
        let number = init.pid.as_raw_pid();
        let scratch = format!("/proc/{number}/root{}", self.plan.scratch_folder().display());
        is_full(Path::new(&scratch))
    }

    /// Ends everybody in the namespace or the control group at once.
    pub(crate) fn kill(&self) {
        if let Some(init) = &self.init {
            let _ = rustix::process::pidfd_send_signal(&init.pidfd, Signal::KILL);
        }
        if let Some(cgroup) = &self.cgroup {
            cgroup.kill();
        }
    }

    /// Whether everybody ends with the first process of the namespace.
    pub(crate) fn holds_all(&self) -> bool {
        self.init.is_some()
    }

    /// Waits for the first process, once the program itself has been waited for. Its number if it is still
    /// there when the time is up.
    pub(crate) fn await_end(&mut self, until: std::time::Instant) -> Option<u32> {
        let init = self.init.take()?;
        family::await_leader(init.pid, init.pidfd.as_fd(), until)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.kill();
        if let Some(scratch) = self.scratch.take() {
            // What cannot be removed is swept by a later process.
            let _ = scratch.remove();
        }
    }
}

/// The processes that the launcher has started, or why it has not.
fn processes(report: &Report) -> io::Result<(Pid, Option<Init>)> {
    let pid = |number: Option<i32>| number.and_then(Pid::from_raw);
    let init = match pid(report.init) {
        Some(pid) => {
            Some(Init { pid, pidfd: rustix::process::pidfd_open(pid, PidfdFlags::empty())? })
        }
        None => None,
    };
    let program = pid(report.program);
    let failed = match (&report.failed, program) {
        (None, Some(program)) => return Ok((program, init)),
        (Some(Failed::Load(error)), _) => io::Error::from_raw_os_error(*error),
        (Some(Failed::Sandbox(why)), _) => {
            io::Error::other(format!("the sandbox does not hold: {why}"))
        }
        (None, None) => io::Error::other("the launcher ended before it had started anything"),
    };
    if let Some(init) = &init {
        let _ = rustix::process::pidfd_send_signal(&init.pidfd, Signal::KILL);
    }
    // They have ended or are ending by themselves; only their entries are left.
    for pid in program.into_iter().chain(init.map(|init| init.pid)) {
        let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
    }
    Err(failed)
}

/// Runs the launcher and hears it out.
fn run_launcher(
    launcher: &Path,
    plan: &Plan,
    seclusion: Option<&Arc<Seclusion>>,
    streams: &Streams,
) -> io::Result<(Report, OwnedFd)> {
    let file = rustix::fs::memfd_create("plan", MemfdFlags::CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(&plan.to_bytes()?)?;
    let (heard, told) = pipe_with(PipeFlags::CLOEXEC)?;
    let (our_hits, hits) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
    let (plan, report) = (file.as_raw_fd(), told.as_raw_fd());
    let descriptors = Descriptors { plan, report, hits: hits.as_raw_fd() };
    let launch = Launch {
        program: launcher.to_string_lossy().into_owned(),
        args: descriptors.words().to_vec(),
        ..Launch::default()
    };
    let kept = [file.as_fd(), told.as_fd(), hits.as_fd()];
    let pid = start_with(&launch, Vec::new(), seclusion, streams, &kept).map_err(|error| {
        io::Error::other(format!("the launcher {} cannot be started: {error}", launcher.display()))
    })?;
    drop((told, hits));
    let mut text = String::new();
    File::from(heard).read_to_string(&mut text)?;
    let report = Report::read(&text);
    if report.program != Some(pid.as_raw_pid()) {
        let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
    }
    Ok((report, our_hits))
}

/// A folder for what is temporary, of a bot that sees the machine's own files.
fn scratch_for(user: Option<&User>) -> io::Result<Base> {
    let memory = Path::new(MEMORY_FOLDER);
    let above = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let base = Base::new(&above)?;
    if let Some(user) = user {
        std::os::unix::fs::chown(&base.path, Some(user.number()), Some(user.number()))?;
    }
    Ok(base)
}

/// A name for a control group that no other process gives.
fn unique_name() -> String {
    static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    format!("{}-{count}", std::process::id())
}

/// What a level has on this machine: the layers that hold and those that do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    pub held: Vec<Layer>,
    pub missing: Vec<Missing>,
    /// Why nothing could be started at all.
    pub failed: Option<String>,
}

impl Sandbox {
    /// Tries the sandbox with a program that does nothing.
    pub fn try_out(&self) -> Trial {
        let launch = Launch { program: "true".to_owned(), ..Launch::default() };
        match self.try_to_run(&launch) {
            Ok(report) => Trial { held: report.held, missing: report.missing, failed: None },
            Err(error) => Trial { failed: Some(error.to_string()), ..Trial::default() },
        }
    }

    /// The layers of this level that this machine has, found out once by trying. Bots are started with all of
    /// them or not at all.
    pub fn layers(&self) -> &'static [Layer] {
        static FOUND: [OnceLock<Vec<Layer>>; Level::ALL.len()] = [const { OnceLock::new() }; 3];
        FOUND[self.level as usize].get_or_init(|| self.try_out().held)
    }

    fn try_to_run(&self, launch: &Launch) -> io::Result<Report> {
        let user = User::take();
        let launch = Launch { folder: Some(PathBuf::from("/")), ..launch.clone() };
        let mut plan = self.plan(&launch, Setting::default(), user.as_ref(), None)?;
        plan.required.clear();
        let cgroup = match self.level {
            Level::Strict => Cgroup::new(&unique_name(), &self.limits).ok(),
            _ => None,
        };
        plan.cgroups = cgroup.iter().flat_map(Cgroup::doors).collect();
        let null = || File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from);
        let streams = Streams { stdin: null()?, stdout: null()?, stderr: null()? };
        let (report, _hits) = run_launcher(&self.launcher, &plan, None, &streams)?;
        let (pid, init) = processes(&report)?;
        if let Some(init) = &init {
            let _ = rustix::process::pidfd_send_signal(&init.pidfd, Signal::KILL);
        }
        for pid in [pid].into_iter().chain(init.map(|init| init.pid)) {
            let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
        }
        Ok(report)
    }
}
