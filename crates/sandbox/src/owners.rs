//! Whose the files of a mount are: an organiser who is root can show a bot files that only their owner may read,
//! and the bot is another user.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, lchown};
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};

use crate::fork::fork_child;
use crate::plan::Plan;

/// Who owns the files of a mount instead of somebody else: the user that a program becomes. Nothing is written to
/// the files for that. Files of others stay theirs, and what nobody else may read the program may not either.
#[derive(Default)]
pub(crate) struct Owners {
    of: BTreeMap<(Owner, u32), io::Result<OwnedFd>>,
}

/// A user and a group, by their numbers.
type Owner = (u32, u32);

/// Users come again and again, and so do those whose files they are shown. Whoever shows more forgets all of them.
const KEPT_MAX: usize = 256;

impl Owners {
    /// Makes ready for everything that is the program's own, whoever it belongs to. To be called while this process
    /// still has the processes of the machine before it.
    pub(crate) fn add(&mut self, plan: &Plan) {
        let Some(user) = plan.user else { return };
        if self.of.len() > KEPT_MAX {
            self.of.clear();
        }
        let own = plan.own.iter().chain(&plan.writable).chain(&plan.fixed);
        for owner in own.filter_map(|path| owner_of(path)) {
            self.of.entry((owner, user)).or_insert_with(|| namespace_of(owner, user));
        }
    }

    /// What makes the files of whoever owns this one those of a user; nothing if nobody knows who that is.
    pub(crate) fn of(&self, path: &Path, user: u32) -> io::Result<Option<BorrowedFd<'_>>> {
        match owner_of(path).and_then(|owner| self.of.get(&(owner, user))) {
            Some(Ok(namespace)) => Ok(Some(namespace.as_fd())),
            Some(Err(error)) => Err(io::Error::new(error.kind(), error.to_string())),
            None => Ok(None),
        }
    }
}

fn owner_of(path: &Path) -> Option<Owner> {
    fs::symlink_metadata(path).ok().map(|found| (found.uid(), found.gid()))
}

/// A user namespace is made by a process that moves there, and the map is written by one that did not.
fn namespace_of(owner: Owner, user: u32) -> io::Result<OwnedFd> {
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
    let made = map(helper, owner, user);
    drop(go);
    let _ = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(helper), None);
    made
}

fn map(helper: i32, owner: Owner, user: u32) -> io::Result<OwnedFd> {
    fs::write(format!("/proc/{helper}/uid_map"), format!("{} {user} 1", owner.0))?;
    fs::write(format!("/proc/{helper}/gid_map"), format!("{} {user} 1", owner.1))?;
    Ok(File::open(format!("/proc/{helper}/ns/user"))?.into())
}

/// Lets a user change a folder of ours and all that is in it, and read but not change what is in `fixed`.
/// Who may give nothing away opens it to everybody; nobody else is shown it.
///
/// # Errors
/// Something in it can neither be given away nor be opened.
pub fn settle_in(user: u32, folder: &Path, fixed: &[PathBuf]) -> io::Result<()> {
    let mut paths = vec![folder.to_owned()];
    while let Some(path) = paths.pop() {
        let found = path.symlink_metadata()?;
        let is_fixed = fixed.contains(&path);
        if is_fixed {
            fs::set_permissions(&path, Permissions::from_mode(0o755))?;
        } else if !found.is_symlink() {
            give(user, &path, found.permissions().mode())?;
        }
        if found.is_dir() && !is_fixed {
            for entry in fs::read_dir(&path)? {
                paths.push(entry?.path());
            }
        }
    }
    Ok(())
}

fn give(user: u32, path: &Path, mode: u32) -> io::Result<()> {
    match lchown(path, Some(user), Some(user)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // What its owner may do everybody may.
            let mode = mode & 0o700 | (mode & 0o700) >> 3 | (mode & 0o700) >> 6;
            fs::set_permissions(path, Permissions::from_mode(mode))
        }
        given => given,
    }
}
