//! Removes a folder with whatever a bot left in it: however deep, locked or immutable.
//!
//! No link is followed, nothing is called by a path of more than one name, and two folders are open at a
//! time: what is inside a folder is moved up before that is removed, so that depth does not matter.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, IFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::limits::REMOVED_ENTRIES_MAX;

/// Flags with which a folder is opened, so that a link in its place is an error.
pub(crate) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder. A link in its place is an error.
pub(crate) fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, FOLDER, Mode::empty())?)
}

/// Opens a folder in a folder. A link in its place is an error.
pub(crate) fn open_folder_at(at: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(at, name, FOLDER, Mode::empty())
}

/// Removes a folder and everything in it.
///
/// # Errors
/// Something in it cannot be removed, or there is too much of it for once.
pub(crate) fn remove_tree(path: &Path) -> io::Result<()> {
    let top = match rustix::fs::open(path, FOLDER, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ACCESS | Errno::PERM) => {
            loosen(rustix::fs::CWD, path)?;
            rustix::fs::open(path, FOLDER, Mode::empty())?
        }
        opened => opened?,
    };
    Removal { top, moved_up: 0, entries_left: REMOVED_ENTRIES_MAX }.empty()?;
    Ok(rustix::fs::rmdir(path)?)
}

/// A folder that is being emptied.
struct Removal {
    top: OwnedFd,
    /// Folders that were moved up into it.
    moved_up: u64,
    entries_left: usize,
}

impl Removal {
    fn empty(&mut self) -> io::Result<()> {
        loop {
            let names = self.names_in(&self.top)?;
            if names.is_empty() {
                return Ok(());
            }
            for name in names {
                self.remove(&name)?;
            }
        }
    }

    /// Removes an entry of the top folder. What is in it, if it is a folder, is moved up.
    fn remove(&mut self, name: &CStr) -> io::Result<()> {
        if !is_full(remove_one(&self.top, name))? {
            return self.count();
        }
        let folder = match rustix::fs::openat(&self.top, name, FOLDER, Mode::empty()) {
            Err(Errno::ACCESS) => {
                loosen(&self.top, name)?;
                rustix::fs::openat(&self.top, name, FOLDER, Mode::empty())?
            }
            opened => opened?,
        };
        for inner in self.names_in(&folder)? {
            if is_full(remove_one(&folder, &inner))? {
                self.move_up(&folder, &inner)?;
            }
            self.count()?;
        }
        // Somebody may still be writing into it; the next look finds it again.
        is_full(remove_one(&self.top, name)).map(|_| ())
    }

    fn move_up(&mut self, folder: &OwnedFd, name: &CStr) -> io::Result<()> {
        loop {
            self.moved_up += 1;
            let up = format!("moved-up-{}", self.moved_up);
            let rename = || {
                let flags = RenameFlags::NOREPLACE;
                rustix::fs::renameat_with(folder, name, &self.top, up.as_str(), flags)
            };
            match with_loosening(folder, name, rename) {
                Err(Errno::EXIST) => self.count()?,
                moved => return Ok(moved?),
            }
        }
    }

    fn count(&mut self) -> io::Result<()> {
        self.entries_left = self.entries_left.checked_sub(1).ok_or_else(|| {
            io::Error::other(format!("expected at most {REMOVED_ENTRIES_MAX} files, found more"))
        })?;
        Ok(())
    }

    /// As many names as may still be removed, at the most.
    fn names_in(&self, folder: &OwnedFd) -> io::Result<Vec<CString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(folder)? {
            let name = entry?.file_name().to_owned();
            if !matches!(name.to_bytes(), b"." | b"..") {
                names.push(name);
            }
            if names.len() > self.entries_left {
                break;
            }
        }
        Ok(names)
    }
}

/// Removes a file, a link or an empty folder.
fn remove_one(at: &OwnedFd, name: &CStr) -> Result<(), Errno> {
    with_loosening(at, name, || match rustix::fs::unlinkat(at, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => rustix::fs::unlinkat(at, name, AtFlags::REMOVEDIR),
        Err(Errno::NOENT) => Ok(()),
        removed => removed,
    })
}

/// Whether something could not be removed because it is a folder with something in it.
fn is_full(removed: Result<(), Errno>) -> io::Result<bool> {
    match removed {
        Ok(()) => Ok(false),
        Err(Errno::NOTEMPTY) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Does something with an entry of a folder; if that is forbidden, again after what forbids it was
/// taken away.
fn with_loosening(
    at: &OwnedFd,
    name: &CStr,
    mut act: impl FnMut() -> Result<(), Errno>,
) -> Result<(), Errno> {
    match act() {
        Err(Errno::ACCESS | Errno::PERM) => {
            let _ = rustix::fs::fchmod(at, Mode::RWXU);
            clear_flags(at);
            loosen(at, name)?;
            act()
        }
        done => done,
    }
}

/// Lets the owner read, change and remove a folder or a file.
fn loosen<Name: rustix::path::Arg + Copy>(at: impl AsFd, name: Name) -> Result<(), Errno> {
    let path_only = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = rustix::fs::openat(&at, name, path_only, Mode::empty())?;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&handle)?.st_mode);
    // Devices must not be opened, and neither they nor links have such flags.
    if !matches!(kind, FileType::RegularFile | FileType::Directory) {
        return Ok(());
    }
    let opening = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    if kind == FileType::Directory {
        // Such a handle can be changed only by this name of it, which is not one that a bot can replace.
        let _ = rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), Mode::RWXU);
    }
    if let Ok(open) = rustix::fs::openat(&at, name, opening, Mode::empty()) {
        clear_flags(&open);
    }
    Ok(())
}

/// Takes the flags away that forbid to change or remove something. Where there are none, or this process
/// may not, what follows says so.
fn clear_flags(handle: &OwnedFd) {
    let forbidding = IFlags::IMMUTABLE | IFlags::APPEND;
    if let Ok(flags) = rustix::fs::ioctl_getflags(handle)
        && flags.intersects(forbidding)
    {
        let _ = rustix::fs::ioctl_setflags(handle, flags - forbidding);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// A chain of folders, made without calling any of them by its whole path.
    fn deep(at: &Path, levels: usize) {
        let mut folder = open_folder(at).expect("a folder");
        for _ in 0..levels {
            rustix::fs::mkdirat(&folder, "deeper", Mode::RWXU).expect("a folder");
            let file = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
            rustix::fs::openat(&folder, "file", file, Mode::RWXU).expect("a file");
            folder = open_folder_at(&folder, "deeper").expect("it was made");
        }
    }

    #[test]
    fn folders_of_any_depth_are_removed() {
        let above = tempfile::tempdir().expect("a folder");
        let path = above.path().join("bot");
        fs::create_dir_all(path.join("other/moved-up-1/x")).expect("a folder");
        fs::create_dir_all(path.join("moved-up-1/x")).expect("a folder");
        deep(&path, 1500);
        remove_tree(&path).expect("all of it can be removed");
        assert!(!path.exists());
    }

    #[test]
    fn what_forbids_its_removal_is_removed_and_links_are_not_followed() {
        let above = tempfile::tempdir().expect("a folder");
        let (path, other) = (above.path().join("bot"), above.path().join("other"));
        for folder in [&path.join("locked/inner"), &path.join("shut"), &other] {
            fs::create_dir_all(folder).expect("a folder");
            fs::write(folder.join("file"), "kept or not").expect("a file");
        }
        symlink(&other, path.join("link")).expect("a link");
        symlink(&other, path.join("locked/link")).expect("a link");
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
        };
        mode(&path.join("locked/inner"), 0o500);
        mode(&path.join("locked"), 0o500);
        mode(&path.join("shut"), 0o000);
        for name in ["locked/inner/file", "locked/inner"] {
            // Only the superuser may, and not on every file system.
            let handle: OwnedFd = fs::File::open(path.join(name)).expect("it is there").into();
            let flags = rustix::fs::ioctl_getflags(&handle).unwrap_or(IFlags::empty());
            let _ = rustix::fs::ioctl_setflags(&handle, flags | IFlags::IMMUTABLE);
        }
        remove_tree(&path).expect("all of it can be removed");
        assert!(!path.exists());
        assert_eq!(fs::read_to_string(other.join("file")).expect("kept"), "kept or not");
    }

    #[test]
    fn a_link_in_place_of_the_folder_leads_nowhere() {
        let above = tempfile::tempdir().expect("a folder");
        let (path, other) = (above.path().join("bot"), above.path().join("other"));
        fs::create_dir(&other).expect("a folder");
        fs::write(other.join("file"), "kept").expect("a file");
        symlink(&other, &path).expect("a link");
        assert!(remove_tree(&path).is_err());
        assert!(other.join("file").exists());
        remove_tree(&above.path().join("nothing")).expect("nothing is left to do");
    }
}
