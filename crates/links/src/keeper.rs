//! What holds a program that was started in a sandbox: the process that watches it, its control group, its user, the folder for what is temporary, and what was told about its layers and limits.

use std::cell::{OnceCell, RefCell};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use quintain_core::{Exit, Limit};
use quintain_record::Launch;
use quintain_sandbox::{
    Cgroup, Ended, Failed, Hit, Layer, Level, Missing, Plan, Report, is_full, settle_in,
};
use rustix::fs::MemfdFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

use crate::Seclusion;
use crate::base::{Base, MEMORY_FOLDER};
use crate::family;
use crate::launcher::Launchers;
use crate::sandbox::{Sandbox, Setting};
use crate::start::Streams;
use crate::users::User;

/// The signals that the system ends a process with that has used up its processor time, or made a file too
/// large.
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

/// What holds a program, for as long as it runs.
#[derive(Debug)]
pub(crate) struct Keeper {
    watch: Option<Watch>,
    told: Told,
    hit: OnceCell<Option<Limit>>,
    cgroup: Option<Cgroup>,
    scratch: Option<Base>,
    plan: Plan,
    held: Vec<Layer>,
    _user: Option<User>,
}

/// The process that outlives the program. All others of the program end with it.
#[derive(Debug)]
struct Watch {
    pid: Pid,
    pidfd: OwnedFd,
    /// They descend from it, and it is who can wait for them. Otherwise it is the first process of their
    /// namespace.
    is_ancestor: bool,
}

/// What the watch tells: which limit was hit, and how a program ended that descends from it.
#[derive(Debug)]
struct Told {
    /// Closed when everybody is to end.
    pipe: Option<OwnedFd>,
    lines: RefCell<String>,
}

impl Told {
    /// Everything that was told so far, and whether more may come.
    fn hear(&self) -> bool {
        let Some(pipe) = &self.pipe else { return false };
        let mut piece = [0; 256];
        loop {
            match rustix::io::read(pipe, &mut piece) {
                Ok(0) => return false,
                Ok(count) => {
                    self.lines.borrow_mut().push_str(&String::from_utf8_lossy(&piece[..count]));
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return error == rustix::io::Errno::AGAIN,
            }
        }
    }

    fn find<T: FromStr>(&self) -> Option<T> {
        self.lines.borrow().lines().find_map(|line| line.parse().ok())
    }
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
        if let (Some(user), Some(_)) = (&user, &scratch) {
            // It sees the machine's own files, among which those of ours are root's.
            for folder in plan.writable.iter().chain(&plan.fixed) {
                settle_in(user.number(), folder, &plan.fixed)?;
            }
        }
        let cgroup = match sandbox.level {
            Level::Strict => Cgroup::new(&unique_name(), &sandbox.limits).ok(),
            _ => None,
        };
        plan.cgroups = cgroup.iter().flat_map(Cgroup::entries).collect();
        plan.required.extend(sandbox.layers().iter().filter(|layer| setting.allows(**layer)));
        let (report, pipe) = run_launcher(&sandbox.launcher, &plan, seclusion, streams)?;
        let (pid, watch) = processes(&report)?;
        let told = Told { pipe: Some(pipe), lines: RefCell::default() };
        let (hit, held) = (OnceCell::new(), report.held);
        Ok((pid, Keeper { watch, told, hit, cgroup, scratch, plan, held, _user: user }))
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

    /// What the watch told before it ended everybody.
    fn told(&self) -> Option<Hit> {
        self.told.hear();
        self.told.find()
    }

    /// Whether the watch has told that a limit was hit. It is about to end everybody then.
    pub(crate) fn has_told_limit(&self) -> bool {
        self.told().is_some()
    }

    fn is_full(&self) -> bool {
        let Some(watch) = self.watch.as_ref().filter(|watch| !watch.is_ancestor) else {
            return false;
        };
        let number = watch.pid.as_raw_pid();
        let scratch = format!("/proc/{number}/root{}", self.plan.scratch_folder().display());
        is_full(Path::new(&scratch))
    }

    /// How a program ended that this process cannot wait for, since it is no child of it. `None` while it runs;
    /// the outer one if it is a child.
    pub(crate) fn told_exit(&self) -> Option<Option<Exit>> {
        self.watch.as_ref().filter(|watch| watch.is_ancestor)?;
        let is_watched = self.told.hear();
        Some(match self.told.find::<Ended>() {
            Some(Ended::Code(code)) => Some(Exit::Code(code)),
            Some(Ended::Signal(signal)) => Some(Exit::Signal(signal)),
            None if is_watched => None,
            // Whoever ended the watch has ended the program with it.
            None => Some(Exit::Signal(Signal::KILL.as_raw())),
        })
    }

    /// What becomes readable when a program ends that is no child of this process.
    pub(crate) fn end_told(&self) -> Option<BorrowedFd<'_>> {
        self.watch.as_ref().filter(|watch| watch.is_ancestor)?;
        self.told.pipe.as_ref().map(OwnedFd::as_fd)
    }

    /// Ends everybody in the namespace, those that descend from the watch, and everybody in the control group.
    pub(crate) fn kill(&mut self) {
        // This alone has the watch end everybody, also where no signal may be sent to it.
        self.told.hear();
        self.told.pipe = None;
        if let Some(watch) = self.watch.as_ref().filter(|watch| !watch.is_ancestor) {
            let _ = rustix::process::pidfd_send_signal(&watch.pidfd, Signal::KILL);
        }
        if let Some(cgroup) = &self.cgroup {
            cgroup.kill();
        }
    }

    /// Whether everybody ends with the watch, as long as nobody ends that.
    pub(crate) fn holds_all(&self) -> bool {
        self.watch.is_some()
    }

    /// Whether the system itself sees to it.
    pub(crate) fn holds_by_namespace(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| !watch.is_ancestor)
    }

    /// Waits for the watch, which ends last, once the program itself has been waited for. Its number if it is
    /// still there when the time is up.
    pub(crate) fn await_end(&mut self, until: std::time::Instant) -> Option<u32> {
        let watch = self.watch.take()?;
        family::await_leader(watch.pid, watch.pidfd.as_fd(), until)
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
fn processes(report: &Report) -> io::Result<(Pid, Option<Watch>)> {
    let pid = |number: Option<i32>| number.and_then(Pid::from_raw);
    let watch = match pid(report.init.or(report.watch)) {
        Some(pid) => {
            let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
            Some(Watch { pid, pidfd, is_ancestor: report.watch.is_some() })
        }
        None => None,
    };
    let program = pid(report.program);
    let failed = match (&report.failed, program) {
        (None, Some(program)) => return Ok((program, watch)),
        (Some(Failed::Load(error)), _) => io::Error::from_raw_os_error(*error),
        (Some(Failed::Sandbox(why)), _) => {
            io::Error::other(format!("the sandbox does not hold: {why}"))
        }
        (None, None) => io::Error::other("the launcher ended before it had started anything"),
    };
    end_unstarted(program, watch.as_ref());
    Err(failed)
}

/// Ends the processes of a launcher whose program has done nothing yet, and collects their entries.
fn end_unstarted(program: Option<Pid>, watch: Option<&Watch>) {
    if let Some(watch) = watch {
        let _ = rustix::process::pidfd_send_signal(&watch.pidfd, Signal::KILL);
    }
    // One that is no child of this process is not waited for.
    for pid in program.into_iter().chain(watch.map(|watch| watch.pid)) {
        let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
    }
}

/// Has the launcher start a program and hears it out.
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
    let Streams { stdin, stdout, stderr } = streams;
    let file = OwnedFd::from(file);
    let descriptors = [&file, &told, &hits, stdin, stdout, stderr].map(OwnedFd::as_fd);
    let launchers = seclusion.map_or(Launchers::own(), |seclusion| seclusion.launchers());
    let pid = launchers.order(launcher, seclusion, &descriptors)?;
    drop((told, hits));
    let mut text = String::new();
    File::from(heard).read_to_string(&mut text)?;
    let report = Report::read(&text);
    if report.watch != Some(pid.as_raw_pid()) {
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
        settle_in(user.number(), &base.path, &[])?;
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
        plan.cgroups = cgroup.iter().flat_map(Cgroup::entries).collect();
        let null = || File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from);
        let streams = Streams { stdin: null()?, stdout: null()?, stderr: null()? };
        let (report, _hits) = run_launcher(&self.launcher, &plan, None, &streams)?;
        let (pid, watch) = processes(&report)?;
        end_unstarted(Some(pid), watch.as_ref());
        Ok(report)
    }
}
