//! Reads what is in a bot's folder: no path leads out of it, and nobody's rights but its owner's are used.
//!
//! An organiser who is root could read everything that a link or a hard link in a bot's folder leads to, and
//! would show it to the bot.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use nix::unistd::{Gid, Uid, setfsgid, setfsuid};
use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use crate::removal::FOLDER;

/// A folder whose files are read as its owner reads them.
pub(crate) struct Within {
    folder: OwnedFd,
    owner: Owner,
}

/// Whose rights are used: those of this process, unless it is root and the folder is somebody else's.
#[derive(Clone, Copy)]
struct Owner {
    other: Option<(Uid, Gid)>,
}

impl Within {
    pub(crate) fn new(folder: &Path) -> io::Result<Within> {
        let found = folder.metadata()?;
        let is_other = rustix::process::geteuid().is_root() && found.uid() != 0;
        let other = (Uid::from_raw(found.uid()), Gid::from_raw(found.gid()));
        let owner = Owner { other: is_other.then_some(other) };
        // The way to it is the organiser's, who has named it.
        let flags = FOLDER.difference(OFlags::NOFOLLOW);
        Ok(Within { folder: rustix::fs::open(folder, flags, Mode::empty())?, owner })
    }

    /// Opens a file for reading. Links are followed as long as they stay in the folder, if `links` says so.
    pub(crate) fn file(&self, path: &Path, links: Links) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(self.open(path, flags, links)?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::other("expected a plain file, found something else")),
        }
    }

    /// Opens a folder in it, or itself.
    pub(crate) fn folder(&self, path: &Path) -> io::Result<OwnedFd> {
        self.open(path, FOLDER, Links::No)
    }

    fn open(&self, path: &Path, flags: OFlags, links: Links) -> io::Result<OwnedFd> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let within = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let resolve = match links {
            Links::Within => within,
            Links::No => within | ResolveFlags::NO_SYMLINKS,
        };
        self.owner.act(|| {
            loop {
                match rustix::fs::openat2(&self.folder, path, flags, Mode::empty(), resolve) {
                    // Something was renamed meanwhile.
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    Err(Errno::XDEV) => {
                        return Err(io::Error::other("it leads out of the folder of the bot"));
                    }
                    opened => return Ok(opened?),
                }
            }
        })
    }
}

/// Whether links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    No,
    Within,
}

impl Owner {
    /// Does something with the files of the owner. Only the calling thread has other rights meanwhile.
    fn act<T>(self, what: impl FnOnce() -> T) -> T {
        let Some((user, group)) = self.other else { return what() };
        let before = (setfsgid(group), setfsuid(user));
        let done = what();
        setfsuid(before.1);
        setfsgid(before.0);
        done
    }
}

/// Opens a file in a bot's folder for reading. Links that stay in the folder are followed.
///
/// # Errors
/// There is no such file, it leads out of the folder, or the folder's owner may not read it.
pub fn open_within(folder: &Path, path: &Path) -> io::Result<File> {
    Within::new(folder)?.file(path, Links::Within)
}

/// The bytes of a file in a bot's folder, at most so many. Links that stay in the folder are followed.
///
/// # Errors
/// There is no such file, it is longer, it leads out of the folder, or the folder's owner may not read it.
pub fn read_within(folder: &Path, path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let file = open_within(folder, path)?;
    let mut bytes = Vec::new();
    // One more, to see whether there is more.
    file.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(io::Error::other(format!("expected at most {bytes_max} bytes, found more")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

    use super::*;

    #[test]
    fn nothing_is_read_outside_of_the_folder() {
        let above = tempfile::tempdir().expect("a folder");
        let folder = above.path().join("bot");
        fs::create_dir(&folder).expect("a folder");
        fs::write(above.path().join("secret"), "mine").expect("a file");
        fs::write(folder.join("own"), "yours").expect("a file");
        symlink("own", folder.join("near")).expect("a link");
        symlink("../secret", folder.join("far")).expect("a link");
        symlink("/proc/self/environ", folder.join("absolute")).expect("a link");
        let read = |name: &str| read_within(&folder, Path::new(name), 100);
        assert_eq!(read("own").expect("its own"), b"yours");
        assert_eq!(read("near").expect("its own"), b"yours");
        for name in ["far", "absolute", "../secret"] {
            let error = read(name).expect_err(name).to_string();
            assert!(error.contains("leads out"), "{name}: {error}");
        }
        assert!(read_within(&folder, Path::new("own"), 3).is_err(), "it is longer");
    }

    #[test]
    fn root_reads_a_folder_with_the_rights_of_its_owner() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("not tried: the folder of another user, since this is not root");
            return;
        }
        let above = tempfile::tempdir().expect("a folder");
        let folder = above.path().join("bot");
        fs::create_dir(&folder).expect("a folder");
        fs::set_permissions(above.path(), fs::Permissions::from_mode(0o755)).expect("ours");
        for name in ["own", "linked"] {
            fs::write(folder.join(name), "x").expect("a file");
            fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o600))
                .expect("ours");
        }
        for path in [&folder, &folder.join("own")] {
            chown(path, Some(65534), Some(65534)).expect("root gives away what it likes");
        }
        assert!(read_within(&folder, Path::new("own"), 100).is_ok());
        assert!(read_within(&folder, Path::new("linked"), 100).is_err(), "that is root's");
        assert!(fs::read(folder.join("linked")).is_ok(), "this thread is root again");
    }
}
