//! The calls into the system that no library makes safe: processes that are siblings of the one that starts
//! them, the attributes of a mount, what a signal does, the version of Landlock, and calls that may not be there.

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd};

use nix::libc;

/// Starts a copy of this process that has the same parent. `None` in the copy.
///
/// This process has a single thread, so that no lock is held by a thread which the copy lacks.
pub(crate) fn fork_sibling() -> io::Result<Option<i32>> {
    let flags = i64::from(libc::CLONE_PARENT | libc::SIGCHLD);
    #[expect(unsafe_code, reason = "a copy of a process is a call into the system")]
    // SAFETY: no memory is shared with the copy and it goes on with a stack of its own, as after `fork`. The
    // launcher has a single thread.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    match pid {
        0 => Ok(None),
        pid if pid > 0 => Ok(Some(i32::try_from(pid).map_err(io::Error::other)?)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Starts a copy of this process that is its child. `None` in the copy.
pub(crate) fn fork_child() -> io::Result<Option<i32>> {
    #[expect(unsafe_code, reason = "a copy of a process is a call into the system")]
    // SAFETY: the launcher has a single thread.
    match unsafe { nix::unistd::fork() }? {
        nix::unistd::ForkResult::Child => Ok(None),
        nix::unistd::ForkResult::Parent { child } => Ok(Some(child.as_raw())),
    }
}

/// Adds attributes to a mount and, if `is_deep`, to all below it; `owners` changes who owns its files.
pub(crate) fn change_mount(
    mount: BorrowedFd<'_>,
    attributes: u64,
    owners: Option<BorrowedFd<'_>>,
    is_deep: bool,
) -> io::Result<()> {
    let changes = libc::mount_attr {
        attr_set: attributes | owners.map_or(0, |_| libc::MOUNT_ATTR_IDMAP),
        attr_clr: 0,
        propagation: 0,
        userns_fd: owners.map_or(0, |owners| owners.as_raw_fd().unsigned_abs().into()),
    };
    let deep = if is_deep { libc::AT_RECURSIVE } else { 0 };
    #[expect(unsafe_code, reason = "no library knows this call")]
    // SAFETY: the path is an empty text that ends with zero, the structure is whole and lives until the
    // call has returned, and its size is the one that is given.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | deep,
            &raw const changes,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Gives a broken pipe its usual meaning again, which the library takes away when it starts.
pub(crate) fn reset_broken_pipe() -> io::Result<()> {
    use nix::sys::signal::{SigHandler, Signal, signal};
    #[expect(unsafe_code, reason = "setting what a signal does is a call into C")]
    // SAFETY: the usual action is no code of ours.
    unsafe {
        signal(Signal::SIGPIPE, SigHandler::SigDfl)?;
    }
    Ok(())
}

/// Becomes a user and a group, in all of their senses.
pub(crate) fn become_user(user: u32) -> io::Result<()> {
    use nix::unistd::{Gid, Uid, setgroups, setresgid, setresuid};
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    setgroups(&[])?;
    setresgid(gid, gid, gid)?;
    setresuid(uid, uid, uid)?;
    Ok(())
}

/// Whether the system has a call that takes nothing and changes nothing.
pub(crate) fn is_call(number: i64) -> bool {
    #[expect(unsafe_code, reason = "a number may stand for no call at all")]
    // SAFETY: whoever asks names a call without arguments, or none.
    unsafe {
        libc::syscall(number) >= 0
    }
}

/// Which version of Landlock the system has; none if it has no Landlock.
pub(crate) fn landlock_version() -> Option<u32> {
    const ASK_FOR_VERSION: u32 = 1;
    #[expect(unsafe_code, reason = "no library tells it")]
    // SAFETY: with this flag the call reads nothing and makes nothing.
    let version = unsafe {
        let nothing = std::ptr::null::<u8>();
        libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, ASK_FOR_VERSION)
    };
    u32::try_from(version).ok()
}
