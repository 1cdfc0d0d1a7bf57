//! The launcher: a fresh process with a single thread that takes away its rights layer by layer and then
//! becomes the program of its plan.
//!
//! Where the system has namespaces it starts two copies of itself, which have its own parent for theirs: the
//! first process of the namespace, which watches, and the one that becomes the program. So whoever started the
//! launcher can wait for both, and the numbers that it was told are theirs.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::os::fd::{AsFd as _, FromRawFd as _, OwnedFd};
use std::path::Path;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use rustix::io::FdFlags;
use rustix::process::{DumpableBehavior, Signal};

use crate::fork::{fork_sibling, reset_broken_pipe};
use crate::owners::Owners;
use crate::plan::Plan;
use crate::report::Teller;
use crate::{Layer, calls, rights, rules, view, watch};

/// The word on the command line of a program that makes it the launcher. The numbers of three descriptors
/// follow.
pub const LAUNCH_COMMAND: &str = "__launch";

/// What the launcher ends with if the program does not run.
const FAILED: i32 = 126;

/// What the launcher is given.
pub struct Descriptors {
    /// The plan, to be read from its beginning.
    pub plan: i32,
    /// What becomes of it is told here.
    pub report: i32,
    /// Which limit was hit is told here.
    pub hits: i32,
}

impl Descriptors {
    /// The words after the name of the launching program.
    pub fn words(&self) -> [String; 4] {
        let Descriptors { plan, report, hits } = self;
        [LAUNCH_COMMAND.to_owned(), plan.to_string(), report.to_string(), hits.to_string()]
    }
}

/// Becomes the program of a plan if these are the words of a launcher; `None` if they are not. Returns the exit
/// code if it does not come to that.
///
/// To be called first of all, since the process may have no other thread.
pub fn launch(words: impl IntoIterator<Item = std::ffi::OsString>) -> Option<u8> {
    let mut words = words.into_iter().skip(1);
    if words.next()? != LAUNCH_COMMAND {
        return None;
    }
    let numbers: Vec<i32> = words.filter_map(|word| word.to_str()?.parse().ok()).collect();
    let &[plan, report, hits] = numbers.as_slice() else { return Some(FAILED as u8) };
    let mut teller = Teller { to: own(report).into(), required: Vec::new() };
    if let Err(error) = run(own(plan), own(hits), &mut teller) {
        let _ = teller.say(&format!("failed {error}"));
    }
    Some(FAILED as u8)
}

/// The descriptor of a number that this process was started with.
fn own(number: i32) -> OwnedFd {
    #[expect(
        unsafe_code,
        reason = "a number becomes the descriptor that it was before this program was loaded"
    )]
    // SAFETY: whoever started this process left it open for it, and told each number once.
    unsafe {
        OwnedFd::from_raw_fd(number)
    }
}

fn run(plan: OwnedFd, hits: OwnedFd, teller: &mut Teller) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut file = File::from(plan);
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    drop(file);
    let plan = Plan::from_bytes(&bytes)?;
    teller.required = plan.required.clone();
    for descriptor in [teller.to.as_fd(), hits.as_fd()] {
        rustix::io::fcntl_setfd(descriptor, FdFlags::CLOEXEC)?;
    }
    join_cgroups(&plan, teller)?;
    let owners = plan.user.map(Owners::new).transpose()?;
    let namespaces = Namespaces::enter(&plan, teller)?;
    if namespaces.processes {
        part(&plan, hits, teller)?;
    } else {
        teller.say(&format!("program {}", std::process::id()))?;
    }
    settle(&plan, &namespaces, owners, teller)?;
    load(&plan, teller)
}

fn join_cgroups(plan: &Plan, teller: &mut Teller) -> io::Result<()> {
    if !plan.wants(Layer::Cgroup) {
        return Ok(());
    }
    let joined = match plan.cgroups.as_slice() {
        [] => Err(io::Error::other("there is none that this user may change")),
        doors => doors.iter().try_for_each(|door| fs::write(door, std::process::id().to_string())),
    };
    teller.layer(Layer::Cgroup, joined).map(drop)
}

/// Which namespaces this process has, or its children will have.
struct Namespaces {
    processes: bool,
    files: bool,
    users: bool,
}

impl Namespaces {
    /// Whoever is not root needs a user namespace for the others, in which it is who it is.
    fn enter(plan: &Plan, teller: &mut Teller) -> io::Result<Namespaces> {
        let users = match rustix::process::geteuid().is_root() {
            true => Ok(false),
            false => enter_user_namespace().map(|()| true),
        };
        let refused = |error: &io::Error| io::Error::new(error.kind(), error.to_string());
        let mut enter = |layer: Layer, flags: CloneFlags| {
            if !plan.wants(layer) {
                return Ok(false);
            }
            let entered = match &users {
                Ok(_) => unshare(flags).map_err(io::Error::from),
                Err(error) => Err(refused(error)),
            };
            match (layer, entered) {
                // Told when the files are there.
                (Layer::Files, Ok(())) => Ok(true),
                (layer, entered) => teller.layer(layer, entered),
            }
        };
        let processes = enter(Layer::Processes, CloneFlags::CLONE_NEWPID)?;
        let files = processes && enter(Layer::Files, CloneFlags::CLONE_NEWNS)?;
        enter(Layer::Names, CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS)?;
        let network = if plan.has_network { CloneFlags::empty() } else { CloneFlags::CLONE_NEWNET };
        // A program that comes to a host on this machine's network needs that network.
        if plan.has_network || plan.port.is_none() {
            enter(Layer::Network, network)?;
        }
        Ok(Namespaces { processes, files, users: users.unwrap_or(false) })
    }
}

fn enter_user_namespace() -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    unshare(CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Goes on as the second process of the new namespace. The first one watches, and this one ends.
fn part(plan: &Plan, hits: OwnedFd, teller: &mut Teller) -> io::Result<()> {
    let Some(init) = fork_sibling()? else { std::process::exit(keep_watch(plan, hits, teller)) };
    let Some(program) = fork_sibling()? else { return Ok(()) };
    teller.say(&format!("init {init}"))?;
    teller.say(&format!("program {program}"))?;
    std::process::exit(0)
}

/// Runs in the first process of the namespace. It holds none of the program's pipes, and has no rights.
fn keep_watch(plan: &Plan, hits: OwnedFd, teller: &mut Teller) -> i32 {
    let watch = || -> io::Result<i32> {
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nothing)?;
        rustix::stdio::dup2_stdout(&nothing)?;
        rustix::stdio::dup2_stderr(&nothing)?;
        teller.to = nothing;
        rights::change_user(plan)?;
        rights::drop_rights()?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        Ok(watch::watch(plan, &mut hits.into()))
    };
    watch().unwrap_or(FAILED)
}

/// Takes away what is left, in an order in which each step is still allowed.
fn settle(
    plan: &Plan,
    namespaces: &Namespaces,
    owners: Option<Owners>,
    teller: &mut Teller,
) -> io::Result<()> {
    teller.layer(Layer::Session, nix::unistd::setsid().map(drop).map_err(Into::into))?;
    if namespaces.files {
        // Half of a new root folder is worse than none.
        let at = |error| io::Error::other(format!("the files that it may see: {error}"));
        view::enter(plan, owners.as_ref()).map_err(at)?;
        teller.layer(Layer::Files, Ok(()))?;
    }
    let has_own_count = namespaces.users || plan.user.is_some();
    teller.layer(Layer::Limits, plan.limits.apply(has_own_count))?;
    // Nobody's program runs as root, whatever is required.
    rights::change_user(plan)
        .map_err(|error| io::Error::other(format!("it cannot have a user of its own: {error}")))?;
    if plan.user.is_some() {
        teller.layer(Layer::User, Ok(()))?;
    }
    teller.layer(Layer::Rights, rights::drop_rights())?;
    rustix::process::chdir(&plan.folder)
        .map_err(|error| io::Error::other(format!("{}: {error}", plan.folder.display())))?;
    teller.layer(Layer::Landlock, rules::restrict(plan, namespaces.files))?;
    // Whoever changes its rights is sent no signal any more when its parent dies, so it is asked for last.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    reset_broken_pipe()?;
    // If the parent is gone by now this ends the process.
    teller.say("ready")?;
    teller.layer(Layer::Seccomp, calls::restrict(plan)).map(drop)
}

/// Becomes the program.
fn load(plan: &Plan, teller: &mut Teller) -> io::Result<()> {
    let words = |words: &[String]| words.iter().map(|word| CString::new(word.as_str())).collect();
    let args = std::iter::once(plan.program.clone()).chain(plan.args.iter().cloned());
    let args: Vec<CString> = Result::from_iter(args.map(CString::new)).map_err(io::Error::other)?;
    let env: Result<Vec<CString>, _> = words(&plan.env);
    let env = env.map_err(io::Error::other)?;
    let loaded = search(&plan.program, &plan.env).and_then(|file| {
        match nix::unistd::execve(&file, &args, &env) {
            // As a shell does, and the library's own search.
            Err(Errno::ENOEXEC) => {
                let args = [&[c"sh".to_owned(), file.clone()], &args[1..]].concat();
                nix::unistd::execve(c"/bin/sh", &args, &env)
            }
            loaded => loaded,
        }
    });
    let Err(error) = loaded;
    teller.say(&format!("load {}", error as i32))
}

/// The file that a program is loaded from, found on its own search path.
fn search(program: &str, env: &[String]) -> Result<CString, Errno> {
    let file = |path: &Path| {
        use std::os::unix::ffi::OsStrExt as _;
        CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)
    };
    if program.contains('/') {
        return file(Path::new(program));
    }
    let path = env.iter().find_map(|variable| variable.strip_prefix("PATH="));
    let folders = path.unwrap_or("/usr/local/bin:/usr/bin:/bin");
    let found = std::env::split_paths(folders).map(|folder| folder.join(program));
    let found = found
        .filter(|path| path.is_file())
        .find(|path| rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok());
    file(&found.ok_or(Errno::ENOENT)?)
}
