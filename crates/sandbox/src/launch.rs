//! The launcher: a process with a single thread that is loaded once and makes a copy of itself for every order.
//! The copy takes away its rights layer by layer and then becomes the program of its plan.
//!
//! Loading a large program takes longer than everything else that is done here, and so do the preparations that are
//! the same for every program: those are made before the copy, and shared.
//!
//! Where the system has namespaces the copy makes two of itself: the first process of the namespace, which watches,
//! and the one that becomes the program. Where it has none it watches itself, and the program is its child. The
//! parent of all but that child is the parent of the launcher, who can so wait for them, and the numbers that it is
//! told are theirs.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, PipeReader, PipeWriter, Read as _, Seek as _, Write as _};
use std::os::fd::{AsFd as _, FromRawFd as _, OwnedFd};
use std::path::Path;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use rustix::io::FdFlags;
use rustix::process::{DumpableBehavior, Signal};

use crate::fork::{fork_child, fork_sibling, reset_broken_pipe};
use crate::order::{self, Order};
use crate::owners::Owners;
use crate::plan::Plan;
use crate::report::Teller;
use crate::trees::{Tree, Trees};
use crate::view::Piece;
use crate::watch::{Watched, Written};
use crate::{Layer, calls, rights, rules, view, watch};

/// The word on the command line of a program that makes it the launcher. The number of a socket follows.
pub const LAUNCH_COMMAND: &str = "__launch";

/// What a process of the launcher ends with if the program does not run.
const FAILED: i32 = 126;

/// Starts programs by the orders of whoever has loaded this one, if these are the words of a launcher, and becomes
/// them; `None` if they are not. Returns the exit code, of the launcher when nobody gives orders any more, or of a
/// process that does not become a program.
///
/// To be called first of all, since the process may have no other thread.
pub fn launch(words: impl IntoIterator<Item = std::ffi::OsString>) -> Option<u8> {
    let mut words = words.into_iter().skip(1);
    if words.next()? != LAUNCH_COMMAND {
        return None;
    }
    let number = words.next().and_then(|word| word.to_str()?.parse().ok());
    let code = number.map_or(Ok(FAILED), |number| serve(own(number)));
    Some(u8::try_from(code.unwrap_or(FAILED)).unwrap_or(u8::MAX))
}

/// The descriptor of a number that this process was started with.
fn own(number: i32) -> OwnedFd {
    #[expect(
        unsafe_code,
        reason = "a number becomes the descriptor that it was before this program was loaded"
    )]
    // SAFETY: whoever started this process left it open for it, and told it once.
    unsafe {
        OwnedFd::from_raw_fd(number)
    }
}

/// Carries out orders until there are no more. Returns in every copy too.
fn serve(orders: OwnedFd) -> io::Result<i32> {
    rustix::io::fcntl_setfd(&orders, FdFlags::CLOEXEC)?;
    let mut shared = Shared::default();
    while let Some(mut order) = order::receive(orders.as_fd())? {
        let prepared = prepare(&mut order, &mut shared);
        match fork_sibling() {
            Ok(None) => {
                drop(orders);
                return Ok(carry_out(order, prepared, &shared));
            }
            forked => {
                // Whoever gave the order waits until nobody else holds what came with it.
                drop((order, prepared));
                order::answer(orders.as_fd(), forked.map(Option::unwrap_or_default))?;
            }
        }
    }
    Ok(0)
}

/// What is made once and for all programs.
#[derive(Default)]
struct Shared {
    owners: Owners,
    trees: Trees,
}

/// An order that can be carried out.
struct Prepared {
    plan: Plan,
    /// What is the program's own, open, where there is a tree of everything else.
    own: io::Result<Vec<Piece>>,
}

/// What takes memory and time and is better done before the copy, some of it once and for all.
fn prepare(order: &mut Order, shared: &mut Shared) -> io::Result<Prepared> {
    let mut bytes = Vec::new();
    order.plan.rewind()?;
    order.plan.read_to_end(&mut bytes)?;
    let plan = Plan::from_bytes(&bytes)?;
    calls::prepare(&plan);
    shared.owners.add(&plan);
    shared.trees.add(&plan);
    let own = match shared.trees.of(&plan) {
        Some(_) => view::own_pieces(&plan, &shared.owners),
        None => Ok(Vec::new()),
    };
    Ok(Prepared { plan, own })
}

/// Becomes the program of an order. Returns what to end with if it does not come to that.
fn carry_out(order: Order, prepared: io::Result<Prepared>, shared: &Shared) -> i32 {
    let Order { plan, report, hits, streams } = order;
    drop(plan);
    let required = prepared.as_ref().map_or(&[][..], |prepared| &prepared.plan.required);
    let mut teller = Teller::new(report.into(), required);
    let ran = prepared.and_then(|prepared| {
        take_streams(streams)?;
        run(prepared, hits, shared, &mut teller)
    });
    if let Err(error) = ran {
        teller.say(&format!("failed {error}"));
    }
    let _ = teller.tell();
    FAILED
}

/// Makes the streams of a program those of this process, which holds nothing else of them afterwards: whoever is at
/// their other ends hears when the program closes them.
fn take_streams([stdin, stdout, stderr]: [OwnedFd; 3]) -> io::Result<()> {
    rustix::stdio::dup2_stdin(&stdin)?;
    rustix::stdio::dup2_stdout(&stdout)?;
    rustix::stdio::dup2_stderr(&stderr)?;
    Ok(())
}

fn run(prepared: Prepared, hits: OwnedFd, shared: &Shared, teller: &mut Teller) -> io::Result<()> {
    let Prepared { plan, own } = prepared;
    let tree = shared.trees.of(&plan);
    let entries = open_cgroups(&plan);
    // From here on the machine's own files may be out of sight.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let before = watch::written(&plan);
    let namespaces = Namespaces::enter(&plan, tree, teller)?;
    // Before there are several who could tell it.
    teller.tell()?;
    let told = Told { hits, loading: io::pipe()?, nothing, before };
    // Open until the program is loaded.
    let _loading = match namespaces.processes {
        true => part(&plan, told, teller)?,
        false => attend(&plan, told, teller)?,
    };
    // The watch stays outside: it has to go on when those inside have no memory left.
    if plan.wants(Layer::Cgroup) {
        teller.layer(Layer::Cgroup, entries.and_then(join_cgroups))?;
    }
    let files = namespaces.files.then_some(|| match tree {
        Some(_) => view::enter_tree(&plan, own?),
        None => view::enter(&plan, &shared.owners),
    });
    settle(&plan, &namespaces, files, teller)?;
    load(&plan, teller)
}

/// Opens what this process joins its control groups by, with the rights that it has now.
fn open_cgroups(plan: &Plan) -> io::Result<Vec<File>> {
    match plan.cgroups.as_slice() {
        [] => Err(io::Error::other("there is none that this user may change")),
        entries => entries.iter().map(|entry| File::options().write(true).open(entry)).collect(),
    }
}

fn join_cgroups(entries: Vec<File>) -> io::Result<()> {
    // Whoever writes it, by whatever number it is known.
    entries.into_iter().try_for_each(|mut entry| entry.write_all(b"0"))
}

/// Which namespaces this process has, or its children will have.
struct Namespaces {
    processes: bool,
    files: bool,
    users: bool,
}

impl Namespaces {
    /// Whoever is not root needs a user namespace for the others, in which it is who it is.
    /// The mount namespace is a copy of a tree, if there is one.
    fn enter(plan: &Plan, tree: Option<&Tree>, teller: &mut Teller) -> io::Result<Namespaces> {
        let users = match rustix::process::geteuid().is_root() {
            true => Ok(false),
            false => enter_user_namespace().map(|()| true),
        };
        let refused = |error: &io::Error| io::Error::new(error.kind(), error.to_string());
        let mut enter = |layer: Layer, flags: CloneFlags| {
            if !plan.wants(layer) {
                return Ok(false);
            }
            let entered = match (&users, tree) {
                (Ok(_), Some(tree)) if layer == Layer::Files => tree.enter_copy(),
                (Ok(_), _) => unshare(flags).map_err(io::Error::from),
                (Err(error), _) => Err(refused(error)),
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

/// What the watch is told by, and tells.
struct Told {
    /// Which limit was hit is told here.
    hits: OwnedFd,
    /// The second end is closed when the program is loaded.
    loading: (PipeReader, PipeWriter),
    /// What its streams become.
    nothing: File,
    /// What was in its folders before the program.
    before: Written,
}

/// Goes on as the second process of the new namespace. The first one watches, and this one ends.
fn part(plan: &Plan, told: Told, teller: &mut Teller) -> io::Result<PipeWriter> {
    let Some(init) = fork_sibling()? else {
        let (watched, at_end) = (Watched::Namespace, Some(Signal::KILL));
        std::process::exit(keep_watch(plan, watched, at_end, told, teller))
    };
    let Some(program) = fork_sibling()? else { return Ok(told.loading.1) };
    teller.say(&format!("init {init}"));
    teller.say(&format!("program {program}"));
    teller.tell()?;
    std::process::exit(0)
}

/// Where there is no namespace: goes on as a child of this process, which watches and takes in whoever is left
/// alone below it.
fn attend(plan: &Plan, told: Told, teller: &mut Teller) -> io::Result<PipeWriter> {
    nix::sys::prctl::set_child_subreaper(true)?;
    let Some(program) = fork_child()? else { return Ok(told.loading.1) };
    teller.say(&format!("watch {}", std::process::id()));
    teller.say(&format!("program {program}"));
    teller.tell()?;
    let watched = Watched::line(program)?;
    // It hears by its pipe that nobody is left, and has to end the others before it ends.
    std::process::exit(keep_watch(plan, watched, None, told, teller))
}

/// Runs in the process that outlives the program. It holds none of the program's pipes, and has no rights.
/// `at_end` is the signal that it gets when whoever started it is gone.
fn keep_watch(
    plan: &Plan,
    watched: Watched,
    at_end: Option<Signal>,
    told: Told,
    teller: &mut Teller,
) -> i32 {
    let watch = || -> io::Result<i32> {
        let Told { hits, loading: (loading, unloaded), nothing, before } = told;
        drop(unloaded);
        rustix::stdio::dup2_stdin(&nothing)?;
        rustix::stdio::dup2_stdout(&nothing)?;
        rustix::stdio::dup2_stderr(&nothing)?;
        teller.close(nothing);
        rights::change_user(plan)?;
        rights::drop_rights()?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        rustix::process::set_parent_process_death_signal(at_end)?;
        Ok(watch::watch(plan, watched, before, &loading, &mut hits.into()))
    };
    watch().unwrap_or(FAILED)
}

/// Takes away what is left, in an order in which each step is still allowed. `files` gives it a root of its own.
fn settle(
    plan: &Plan,
    namespaces: &Namespaces,
    files: Option<impl FnOnce() -> io::Result<()>>,
    teller: &mut Teller,
) -> io::Result<()> {
    teller.layer(Layer::Session, nix::unistd::setsid().map(drop).map_err(Into::into))?;
    if let Some(enter) = files {
        // Half of a new root folder is worse than none.
        let at = |error| io::Error::other(format!("the files that it may see: {error}"));
        enter().map_err(at)?;
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
    teller.tell()?;
    teller.layer(Layer::Seccomp, calls::restrict(plan, !namespaces.processes)).map(drop)
}

/// Becomes the program.
fn load(plan: &Plan, teller: &mut Teller) -> io::Result<()> {
    let words = |words: &[String]| words.iter().map(|word| CString::new(word.as_str())).collect();
    let args = std::iter::once(plan.program.clone()).chain(plan.args.iter().cloned());
    let args: Vec<CString> = Result::from_iter(args.map(CString::new)).map_err(io::Error::other)?;
    let env: Result<Vec<CString>, _> = words(&plan.env);
    let env = env.map_err(io::Error::other)?;
    teller.tell()?;
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
    teller.say(&format!("load {}", error as i32));
    Ok(())
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
