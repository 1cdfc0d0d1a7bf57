//! The process that starts programs in sandboxes. It is loaded once and makes a copy of itself for every program.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use quintain_record::Launch;
use quintain_sandbox::{LAUNCH_COMMAND, give_order};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, WaitOptions};

use crate::Seclusion;
use crate::start::{Streams, start_with};

/// A launcher that runs. Dropping it ends it.
#[derive(Debug)]
struct Launcher {
    /// Orders go through here, one at a time. Closed when there are no more.
    orders: Mutex<Option<OwnedFd>>,
    pid: Pid,
}

/// Those that run in one network, by the program that they are.
#[derive(Debug, Default)]
pub(crate) struct Launchers(Mutex<BTreeMap<PathBuf, Arc<Launcher>>>);

impl Launchers {
    /// Those of this process's own network.
    pub(crate) fn own() -> &'static Launchers {
        static OWN: Launchers = Launchers(Mutex::new(BTreeMap::new()));
        &OWN
    }

    /// Orders a program to be started. Returns the process that sees to it, which is a child of this one.
    ///
    /// # Errors
    /// There is no such launcher, or no room for another process.
    pub(crate) fn order(
        &self,
        program: &Path,
        seclusion: Option<&Arc<Seclusion>>,
        descriptors: &[BorrowedFd<'_>; 6],
    ) -> io::Result<Pid> {
        let launcher = self.running(program, seclusion)?;
        match launcher.order(descriptors) {
            // Somebody has ended it. A new one is started; if that ends too there is a reason.
            Err(error) if is_gone(&error) => {
                self.forget(program, &launcher);
                self.running(program, seclusion)?.order(descriptors)
            }
            started => started,
        }
    }

    fn running(
        &self,
        program: &Path,
        seclusion: Option<&Arc<Seclusion>>,
    ) -> io::Result<Arc<Launcher>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(launcher) = all.get(program) {
            return Ok(Arc::clone(launcher));
        }
        let launcher = Arc::new(Launcher::load(program, seclusion).map_err(|error| {
            let program = program.display();
            io::Error::other(format!("the launcher {program} cannot be started: {error}"))
        })?);
        all.insert(program.to_owned(), Arc::clone(&launcher));
        Ok(launcher)
    }

    fn forget(&self, program: &Path, launcher: &Arc<Launcher>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.get(program).is_some_and(|found| Arc::ptr_eq(found, launcher)) {
            all.remove(program);
        }
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

impl Launcher {
    fn load(program: &Path, seclusion: Option<&Arc<Seclusion>>) -> io::Result<Launcher> {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let launch = Launch {
            program: program.to_string_lossy().into_owned(),
            args: vec![LAUNCH_COMMAND.to_owned(), theirs.as_raw_fd().to_string()],
            ..Launch::default()
        };
        let null = || File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from);
        let streams = Streams { stdin: null()?, stdout: null()?, stderr: null()? };
        let seclusion = seclusion.cloned();
        let pid = on_lasting_thread(move || {
            start_with(&launch, Vec::new(), seclusion.as_ref(), &streams, &[theirs.as_fd()])
        })??;
        Ok(Launcher { orders: Mutex::new(Some(ours)), pid })
    }

    fn order(&self, descriptors: &[BorrowedFd<'_>; 6]) -> io::Result<Pid> {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = orders.as_ref().expect("it is closed when nobody can give orders any more");
        let number = give_order(orders.as_fd(), descriptors)?;
        Pid::from_raw(number).ok_or_else(|| io::Error::other("no process"))
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        drop(self.orders.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        // It hears that nobody gives orders any more, and ends.
        let _ = rustix::process::waitpid(Some(self.pid), WaitOptions::empty());
    }
}

type Work = Box<dyn FnOnce() + Send>;

/// Does `work` on a thread that ends with this process and not before. What descends from a thread that ends is
/// killed with it, and programs in a sandbox descend from the thread that has started their launcher.
fn on_lasting_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    static THREAD: OnceLock<Option<Sender<Work>>> = OnceLock::new();
    let gone = || io::Error::other("the thread that starts launchers is gone");
    let thread = THREAD.get_or_init(|| start_thread().ok()).as_ref().ok_or_else(gone)?;
    let (told, heard) = channel();
    let work: Work = Box::new(move || {
        // Whoever asked for it may not wait any more.
        let _ = told.send(work());
    });
    thread.send(work).map_err(|_| gone())?;
    heard.recv().map_err(|_| gone())
}

fn start_thread() -> io::Result<Sender<Work>> {
    let (sender, receiver) = channel::<Work>();
    let run = move || {
        // Signals to this process are for the threads that wait for them.
        let _ = pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), None);
        receiver.into_iter().for_each(|work| work());
    };
    std::thread::Builder::new().name("launchers".to_owned()).spawn(run)?;
    Ok(sender)
}
