//! Folders that are made for bots: held while their process lives, removed with it, and swept by a later
//! one if it was killed.

use std::fs::{self, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};
use std::time::SystemTime;

use rustix::fs::FlockOperation;

use crate::limits::STALE_AFTER;
use crate::removal::{open_folder, remove_tree};

/// Where memory-backed storage is, if there is some. State files are written and read once; nothing is
/// gained by having them on a disk.
pub(crate) const MEMORY_FOLDER: &str = "/dev/shm";

/// Begins the names of all folders that are made here. Whoever made one has held it since before it had
/// that name, so that one that nobody holds is nobody's.
const PREFIX: &str = "quintain-bot-";

/// Begins the names of folders that are not held yet.
const NEW_PREFIX: &str = "quintain-new-";

/// How many characters of a name nobody can guess.
const RANDOM_CHARS: usize = 12;

/// The folders that exist, for [`remove_all`].
static EXISTING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder of ours, held by a lock for as long as this process lives. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) path: PathBuf,
    _lock: OwnedFd,
}

impl Base {
    /// Nobody can guess its name, so nobody can be there first.
    pub(crate) fn new(above: &Path) -> io::Result<Base> {
        sweep_once();
        let mut builder = tempfile::Builder::new();
        builder
            .prefix(NEW_PREFIX)
            .rand_bytes(RANDOM_CHARS)
            .permissions(Permissions::from_mode(0o700));
        let made = builder.tempdir_in(above);
        let new = made.map_err(|error| cannot("make", &above.join(NEW_PREFIX), &error))?.keep();
        let lock = open_folder(&new)?;
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        let name = new.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let path = above.join(name.replacen(NEW_PREFIX, PREFIX, 1));
        if let Err(error) = fs::rename(&new, &path) {
            remove_tree(&new)?;
            return Err(cannot("make", &path, &error));
        }
        if let Ok(mut existing) = EXISTING.lock() {
            existing.push(path.clone());
        }
        Ok(Base { path, _lock: lock })
    }

    /// Removes the folder. What cannot be removed now is swept by a later process.
    ///
    /// # Errors
    /// Names the folder and why it is still there.
    pub(crate) fn remove(self) -> io::Result<()> {
        self.try_remove()
    }

    fn try_remove(&self) -> io::Result<()> {
        let removed = remove_tree(&self.path);
        if let Ok(mut existing) = EXISTING.lock() {
            existing.retain(|path| *path != self.path);
        }
        removed.map_err(|error| cannot("remove", &self.path, &error))
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        // Whoever wants to tell of it has removed it before.
        let _ = self.try_remove();
    }
}

/// Removes every folder of this process, for one that is about to end without dropping them.
pub(crate) fn remove_all() {
    if let Ok(existing) = EXISTING.lock() {
        for path in existing.iter() {
            let _ = remove_tree(path);
        }
    }
}

fn cannot(act: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {act} the folder {}: {error}", path.display()))
}

/// Removes what processes left that were killed, wherever such folders are made. Once is enough.
pub(crate) fn sweep_once() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| {
        sweep(Path::new(MEMORY_FOLDER));
        sweep(&std::env::temp_dir());
    });
}

/// Removes the folders of ours that nobody holds any more.
fn sweep(above: &Path) {
    let own = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_new = name.starts_with(NEW_PREFIX);
        if !is_new && !name.starts_with(PREFIX) {
            continue;
        }
        let Ok(found) = entry.metadata() else { continue };
        let is_left = found.uid() == own && (!is_new || is_old(&found));
        if is_left && let Some(_lock) = hold(&entry.path()) {
            let _ = remove_tree(&entry.path());
        }
    }
}

/// A young one may be about to be held.
fn is_old(found: &fs::Metadata) -> bool {
    let age = found.modified().map(|at| SystemTime::now().duration_since(at));
    age.is_ok_and(|age| age.is_ok_and(|age| age >= STALE_AFTER))
}

/// Holds a folder that nobody else holds.
fn hold(path: &Path) -> Option<OwnedFd> {
    let folder = open_folder(path).ok()?;
    rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_swept_and_nothing_else() {
        let above = tempfile::tempdir().expect("a folder");
        let make = |name: &str, is_old: bool| {
            let path = above.path().join(name);
            fs::create_dir(&path).expect("a folder");
            fs::write(path.join("file"), "x").expect("a file");
            if is_old {
                let long_ago = SystemTime::now() - 2 * STALE_AFTER;
                let folder = fs::File::open(&path).expect("it is there");
                folder.set_modified(long_ago).expect("it is ours");
            }
            path
        };
        let left = make("quintain-bot-1-0", true);
        let left_just_now = make("quintain-bot-1-1", false);
        let never_held = make("quintain-new-1-3", true);
        let held = make("quintain-bot-1-2", true);
        let young = make("quintain-new-1-4", false);
        let other = make("somebody-else", true);
        let link = above.path().join("quintain-bot-1-5");
        std::os::unix::fs::symlink(&other, link).expect("a link");
        let _lock = hold(&held).expect("it is free");
        sweep(above.path());
        assert!(!left.exists() && !left_just_now.exists() && !never_held.exists());
        assert!(held.exists() && young.exists() && other.join("file").exists());
    }

    #[test]
    fn a_folder_is_held_from_the_moment_that_it_has_its_name() {
        let above = tempfile::tempdir().expect("a folder");
        let base = Base::new(above.path()).expect("a folder");
        sweep(above.path());
        assert!(base.path.exists());
        let path = base.path.clone();
        base.remove().expect("it is empty");
        assert!(!path.exists());
        assert_eq!(fs::read_dir(above.path()).expect("a folder").count(), 0);
    }
}
