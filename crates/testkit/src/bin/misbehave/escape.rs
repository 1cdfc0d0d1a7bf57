//! Ways out of the group in which a bot is started, so that whoever kills that group misses something.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use nix::unistd::{Pid, getpgid, getppid, getsid, setpgid};

use crate::FOR_EVER;

/// Moves this process into the group of the one that started it.
pub(crate) fn join_parent() -> io::Result<()> {
    Ok(setpgid(Pid::from_raw(0), getpgid(Some(getppid()))?)?)
}

/// Starts a process in a group of its own, one in the group of the process that started this one, and
/// one in a session of its own. None of them holds a pipe of this one.
pub(crate) fn scatter() -> io::Result<()> {
    let foreign = getpgid(Some(getppid()))?.as_raw();
    detached("early-sleep")?.process_group(0).spawn()?;
    detached("early-sleep")?.process_group(foreign).spawn()?;
    let apart = detached("early-sleep-apart")?.spawn()?;
    wait_until_apart(&apart)
}

/// Starts a process in a session of its own that holds this one's output and error output.
pub(crate) fn leave_daemon() -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    wait_until_apart(&command.arg("early-sleep-apart").stdin(Stdio::null()).spawn()?)
}

/// A process takes a moment to begin a session, and until then it is in the group of this one.
fn wait_until_apart(child: &Child) -> io::Result<()> {
    let child = Pid::from_raw(child.id().cast_signed());
    while getsid(Some(child))? != child {
        std::thread::yield_now();
    }
    Ok(())
}

/// Closes the output and ends the first thread while another one lives on: to the system the process is
/// on its way out for ever.
pub(crate) fn end_first_thread() -> io::Result<()> {
    std::thread::spawn(|| std::thread::sleep(FOR_EVER));
    nix::unistd::dup2_stdout(File::open("/dev/null")?)?;
    #[expect(unsafe_code, reason = "no safe call ends a single thread of a process")]
    // SAFETY: nothing on this stack is used by another thread, and it is never unwound.
    unsafe {
        nix::libc::syscall(nix::libc::SYS_exit, 0);
    }
    unreachable!("the thread has ended")
}

fn detached(flag: &str) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(flag).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command)
}
