//! Starts a process without copying this one.
//!
//! The library's way of starting a process with something set between `fork` and `exec` copies the
//! page tables of the whole host and makes every page that it then touches fault: for a match of a
//! hundred short answers that is most of what the referee costs. Here the new process borrows the
//! memory of the thread that starts it, which stands still until the program has been loaded.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::ptr;
use std::sync::Arc;

use nix::errno::Errno;
use nix::libc::{self, c_char};
use nix::sched::CloneFlags;
use nix::sys::signal::{SigSet, SigmaskHow, Signal, pthread_sigmask};
use quintain_record::Launch;
use rustix::process::Pid;

use crate::Seclusion;
use crate::environment::environment;

/// Room for what happens before the program is loaded, a search along the search path included.
const STACK_BYTES: usize = 64 * 1024;

/// Room for work of this project in a process of its own, in a build without optimisation too.
const WORK_STACK_BYTES: usize = 512 * 1024;

/// The ends of the three pipes that the process is given.
pub(crate) struct Streams {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

/// Starts a program that leads a process group of its own and is killed when the thread that
/// starts it ends. Returns once the program has been loaded.
///
/// # Errors
/// What the system said: no such program, no permission, no such folder, no more processes.
pub(crate) fn start(
    launch: &Launch,
    seclusion: Option<&Arc<Seclusion>>,
    streams: &Streams,
) -> io::Result<Pid> {
    let environment = environment(&launch.env)?;
    start_with(launch, environment, seclusion, streams, &[])
}

/// The same with this environment and no other, and with more descriptors open, under their own numbers.
pub(crate) fn start_with(
    launch: &Launch,
    environment: Vec<CString>,
    seclusion: Option<&Arc<Seclusion>>,
    streams: &Streams,
    kept: &[BorrowedFd<'_>],
) -> io::Result<Pid> {
    let mut plan = Plan::new(launch, environment, seclusion, streams)?;
    plan.kept = kept.iter().map(AsRawFd::as_raw_fd).collect();
    let mut stack = vec![0_u8; STACK_BYTES];
    // A handler of ours must not run in the new process while it uses our memory.
    let mut mask_before = SigSet::empty();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut mask_before))?;
    let cloned = borrow_memory_and_load(&mut plan, &mut stack);
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&mask_before), None)?;
    let pid = cloned?;
    match plan.failed {
        None => Ok(Pid::from_raw(pid.as_raw()).expect("a started process has a number")),
        Some(errno) => {
            // It has ended by itself, before a program of anybody else ran; only its entry is left.
            let _ = nix::sys::wait::waitpid(pid, None);
            Err(errno.into())
        }
    }
}

/// Everything that the new process needs, made ready while memory may still be allocated.
struct Plan {
    program: CString,
    folder: Option<CString>,
    arguments: Words,
    environment: Words,
    streams: [i32; 3],
    /// What else is open for the program.
    kept: Vec<i32>,
    /// The network of the new process, if it is not that of this one.
    seclusion: Option<Arc<Seclusion>>,
    parent: Option<Pid>,
    /// Why the program was not loaded, told by the new process through the memory both use.
    failed: Option<Errno>,
}

/// Words as the system takes them: a list of pointers that ends with none.
struct Words {
    pointers: Vec<*const c_char>,
    _owned: Vec<CString>,
}

impl Words {
    fn new(owned: Vec<CString>) -> Words {
        let pointers = owned.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect();
        Words { pointers, _owned: owned }
    }
}

impl Plan {
    fn new(
        launch: &Launch,
        environment: Vec<CString>,
        seclusion: Option<&Arc<Seclusion>>,
        streams: &Streams,
    ) -> io::Result<Plan> {
        let program = CString::new(launch.program.as_str())?;
        let mut arguments = vec![program.clone()];
        for argument in &launch.args {
            arguments.push(CString::new(argument.as_str())?);
        }
        let folder =
            launch.folder.as_ref().map(|folder| CString::new(folder.as_os_str().as_bytes()));
        let streams = [&streams.stdin, &streams.stdout, &streams.stderr];
        Ok(Plan {
            program,
            folder: folder.transpose()?,
            arguments: Words::new(arguments),
            environment: Words::new(environment),
            streams: streams.map(|stream| stream.as_raw_fd()),
            kept: Vec::new(),
            seclusion: seclusion.cloned(),
            parent: Some(rustix::process::getpid()),
            failed: None,
        })
    }

    /// Runs in the new process, in the memory of the one that starts it: no allocation, no lock, no
    /// panic. Returns only if the program could not be loaded.
    fn load(&mut self) -> isize {
        self.failed = self.try_load().err();
        127
    }

    fn try_load(&self) -> Result<(), Errno> {
        nix::unistd::setpgid(nix::unistd::Pid::from_raw(0), nix::unistd::Pid::from_raw(0))?;
        // Before the signal is asked for, since who changes its rights is sent none.
        if let Some(seclusion) = &self.seclusion {
            seclusion.enter()?;
        }
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(errno_of)?;
        // The parent may have died before the line above, and then no signal comes.
        if rustix::process::getppid() != self.parent {
            return Err(Errno::EPIPE);
        }
        self.take_streams_and_folder()?;
        // This process ignores a broken pipe and keeps some signals to itself; a bot gets the usual.
        self.reset_signals()?;
        #[expect(unsafe_code, reason = "loading a program is a call into C")]
        // SAFETY: both lists end with a null pointer and live, with their words, in `self`, which
        // the caller keeps until this process has left its memory.
        unsafe {
            libc::execvpe(
                self.program.as_ptr(),
                self.arguments.pointers.as_ptr(),
                self.environment.pointers.as_ptr(),
            );
        }
        Err(Errno::last())
    }

    fn take_streams_and_folder(&self) -> Result<(), Errno> {
        for (target, source) in (0..).zip(self.streams) {
            #[expect(unsafe_code, reason = "the three standard streams have no owner")]
            // SAFETY: plain numbers; the sources are open and above the targets, since the library
            // sees to it that the three are never closed.
            let taken = unsafe { libc::dup2(source, target) };
            Errno::result(taken)?;
        }
        close_others_when_loaded();
        for &number in &self.kept {
            #[expect(
                unsafe_code,
                reason = "only the number is known of what the starting process owns"
            )]
            // SAFETY: the starting process keeps it open until this one has loaded its program.
            let kept = unsafe { BorrowedFd::borrow_raw(number) };
            rustix::io::fcntl_setfd(kept, rustix::io::FdFlags::empty()).map_err(errno_of)?;
        }
        match &self.folder {
            Some(folder) => rustix::process::chdir(folder.as_c_str()).map_err(errno_of),
            None => Ok(()),
        }
    }

    fn reset_signals(&self) -> Result<(), Errno> {
        #[expect(unsafe_code, reason = "setting what a signal does is a call into C")]
        // SAFETY: the usual action is no code of ours, and the table of actions is not shared.
        unsafe {
            nix::sys::signal::signal(Signal::SIGPIPE, nix::sys::signal::SigHandler::SigDfl)?;
        }
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)
    }
}

/// Has the system close everything but the three streams when the program is loaded: what whoever started this
/// process left open is none of a bot's business.
fn close_others_when_loaded() {
    const FIRST: u32 = 3;
    #[expect(unsafe_code, reason = "no library knows this call")]
    // SAFETY: numbers. Nothing is closed before the program is loaded, and the table of what is open is not
    // shared with the starting process.
    unsafe {
        // A system that is too old for it keeps them open.
        libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
    }
}

fn borrow_memory_and_load(plan: &mut Plan, stack: &mut [u8]) -> nix::Result<nix::unistd::Pid> {
    let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    let load = Box::new(|| plan.load());
    #[expect(unsafe_code, reason = "there is no safe way to start a process in borrowed memory")]
    // SAFETY: this thread stands still until the new process has loaded its program or ended, so
    // nothing that `load` touches is used by two at a time; `load` neither allocates nor locks nor
    // unwinds, all signals are blocked, and the stack outlives it.
    unsafe {
        nix::sched::clone(load, stack, flags, Some(Signal::SIGCHLD as i32))
    }
}

/// Does `work` in a process that ends with it and shares this one's memory and open files, but may
/// move elsewhere by itself: what it opens there stays open here.
///
/// # Errors
/// The system has no room for another process.
pub(crate) fn in_short_process<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    let mut stack = vec![0_u8; WORK_STACK_BYTES];
    let (mut work, mut done) = (Some(work), None);
    let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK | CloneFlags::CLONE_FILES;
    let mut mask_before = SigSet::empty();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut mask_before))?;
    let run = Box::new(|| {
        done = work.take().map(|work| work());
        0
    });
    #[expect(unsafe_code, reason = "there is no safe way to start a process in borrowed memory")]
    // SAFETY: this thread stands still until the new process has ended, so that process is this thread
    // as far as memory is concerned: what it allocates and locks is allocated and locked on this
    // thread's behalf. A panic cannot leave it, since it would end at the border to C. All signals are
    // blocked, and the stack outlives it.
    let cloned = unsafe { nix::sched::clone(run, &mut stack, flags, Some(Signal::SIGCHLD as i32)) };
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&mask_before), None)?;
    // It has ended by itself; only its entry is left.
    let _ = nix::sys::wait::waitpid(cloned?, None);
    done.ok_or_else(|| io::Error::other("a short-lived process ended before its work was done"))
}

fn errno_of(error: rustix::io::Errno) -> Errno {
    Errno::from_raw(error.raw_os_error())
}
