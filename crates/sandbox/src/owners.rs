//! Whose the files of a mount are: an organiser who is root can show a bot files that only root may read, and
//! the bot is not root.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;

use nix::sched::{CloneFlags, unshare};

use crate::fork::fork_child;

/// Who owns the files of a mount instead of root: the user that a program becomes. Nothing is written to the
/// files for that.
pub(crate) struct Owners {
    pub(crate) namespace: OwnedFd,
}

impl Owners {
    /// To be called while this process still has the processes of the machine before it. A user namespace is made by a process that moves there, and the map is written by one that did not.
    pub(crate) fn new(user: u32) -> io::Result<Owners> {
        let (wait, go) = io::pipe()?;
        let (ready, tell) = io::pipe()?;
        let Some(helper) = fork_child()? else {
            drop((go, ready));
            let _ = unshare(CloneFlags::CLONE_NEWUSER);
            drop(tell);
            let _ = io::Read::read(&mut &wait, &mut [0]);
            std::process::exit(0);
        };
        drop((wait, tell));
        let _ = io::Read::read(&mut &ready, &mut [0]);
        let made = Self::of(helper, user);
        drop(go);
        let _ = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(helper), None);
        made
    }

    fn of(helper: i32, user: u32) -> io::Result<Owners> {
        fs::write(format!("/proc/{helper}/uid_map"), format!("0 {user} 1"))?;
        fs::write(format!("/proc/{helper}/gid_map"), format!("0 {user} 1"))?;
        Ok(Owners { namespace: File::open(format!("/proc/{helper}/ns/user"))?.into() })
    }
}
