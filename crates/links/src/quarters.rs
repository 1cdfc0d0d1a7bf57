//! A private folder for one bot and one match.
//!
//! Bots read `./rounds/N/state.json`, keep their weights beside them and write logs, so two
//! processes must never share a working directory, least of all when a bot plays itself.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rustix::fs::{FlockOperation, Mode, OFlags};

use crate::limits::{
    COPY_BYTES_MAX, COPY_ENTRIES_MAX, LINKED_FROM_BYTES, MEMORY_COPY_BYTES_MAX, ROUNDS_ROOM,
    STALE_AFTER,
};
use crate::manifest::ROUNDS_FOLDER;

/// Begins the names of all folders that are made here.
const PREFIX: &str = "quintain-bot-";

/// Where memory-backed storage is, if there is some. State files are written and read once; nothing is
/// gained by having them on a disk.
const MEMORY_FOLDER: &str = "/dev/shm";

/// What file systems in memory call themselves (`statfs`).
const TMPFS: i64 = 0x0102_1994;
const RAMFS: i64 = 0x8584_58f6;

/// The folders that exist, for [`Quarters::remove_all`].
static EXISTING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A bot's own folder. Dropping it removes it.
#[derive(Debug)]
pub struct Quarters {
    folder: PathBuf,
    /// Removed in this order.
    _bases: Vec<Base>,
}

impl Quarters {
    /// A copy of the bot's folders. `folder` is where it works: `root` itself, a folder below it,
    /// or one beside it. Rounds of earlier matches are not copied.
    ///
    /// # Errors
    /// The copy cannot be made, or the folder holds more than any bot needs.
    pub fn copy_of(root: &Path, folder: &Path) -> io::Result<Quarters> {
        let (root, folder) = (&std::path::absolute(root)?, &std::path::absolute(folder)?);
        let mut contents = Contents::default();
        contents.add_tree(root)?;
        if !folder.starts_with(root) {
            contents.add_tree(folder)?;
        }
        let base = Base::new(&place_for(contents.bytes))?;
        let copy = Copy { above: &common_folder(root, folder), to: &base.path };
        copy.all(&contents)?;
        let place = copy.place_of(folder);
        Self::settle(base, place)
    }

    /// A folder with links to everything in `folder`. What the bot writes beside it is its own.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn beside(folder: &Path) -> io::Result<Quarters> {
        let base = Base::new(&place_for(0))?;
        let folder = std::path::absolute(folder)?;
        for entry in fs::read_dir(&folder)? {
            let name = entry?.file_name();
            if name != ROUNDS_FOLDER {
                symlink(folder.join(&name), base.path.join(&name))?;
            }
        }
        let place = base.path.clone();
        Self::settle(base, place)
    }

    /// A folder with nothing in it.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn empty() -> io::Result<Quarters> {
        let base = Base::new(&place_for(0))?;
        let place = base.path.clone();
        Self::settle(base, place)
    }

    /// Where the bot works.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes every folder of this process, for one that is about to end without dropping them.
    pub fn remove_all() {
        if let Ok(existing) = EXISTING.lock() {
            for path in existing.iter() {
                let _ = fs::remove_dir_all(path);
            }
        }
    }

    fn settle(base: Base, folder: PathBuf) -> io::Result<Quarters> {
        let mut bases = vec![base];
        let rounds = folder.join(ROUNDS_FOLDER);
        let memory = Path::new(MEMORY_FOLDER);
        if !is_in_memory(&folder) && is_in_memory(memory) && room(memory) >= ROUNDS_ROOM {
            let base = Base::new(memory)?;
            symlink(&base.path, &rounds)?;
            bases.push(base);
        } else {
            fs::create_dir(&rounds)?;
        }
        Ok(Quarters { folder, _bases: bases })
    }
}

/// Where to make a folder for files of so many bytes together. Folders come and go with every match,
/// which disks are slow at: some look at every file deleted within the last minutes before they make
/// a new one. So it is in memory, unless that is short or programs may not be started there.
fn place_for(bytes: u64) -> PathBuf {
    let memory = Path::new(MEMORY_FOLDER);
    let is_fit = bytes <= MEMORY_COPY_BYTES_MAX
        && is_in_memory(memory)
        && room(memory) >= ROUNDS_ROOM + bytes
        && may_hold_programs(memory);
    if is_fit { memory.to_owned() } else { std::env::temp_dir() }
}

fn is_in_memory(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|found| {
        #[allow(clippy::unnecessary_cast, reason = "the type differs between machines")]
        let kind = found.f_type as i64;
        kind == TMPFS || kind == RAMFS
    })
}

/// Free bytes. Containers often have little memory-backed storage, which two bots would fill within a
/// match.
fn room(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(0, |found| found.f_bavail * found.f_frsize)
}

/// A bot may compile itself beside its sources.
fn may_hold_programs(folder: &Path) -> bool {
    rustix::fs::statvfs(folder)
        .is_ok_and(|found| !found.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC))
}

/// The deepest folder that holds both.
fn common_folder(one: &Path, other: &Path) -> PathBuf {
    let parts = one.components().zip(other.components());
    parts.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
}

/// A folder of ours, held by a lock for as long as this process lives.
#[derive(Debug)]
struct Base {
    path: PathBuf,
    _lock: OwnedFd,
}

impl Base {
    fn new(above: &Path) -> io::Result<Base> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        static SWEPT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
        if let Ok(mut swept) = SWEPT.lock()
            && !swept.iter().any(|done| done == above)
        {
            sweep(above);
            swept.push(above.to_owned());
        }
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = above.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => {
                    return Err(io::Error::new(
                        error.kind(),
                        format!("cannot make the folder {}: {error}", path.display()),
                    ));
                }
            }
            let lock = open_folder(&path)?;
            rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
            if let Ok(mut existing) = EXISTING.lock() {
                existing.push(path.clone());
            }
            return Ok(Base { path, _lock: lock });
        }
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        // What cannot be removed now is swept by a later process.
        let _ = fs::remove_dir_all(&self.path);
        if let Ok(mut existing) = EXISTING.lock() {
            existing.retain(|path| *path != self.path);
        }
    }
}

pub(crate) fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// Removes what a process left that was killed: folders that nobody holds any more. A young one
/// may be about to be locked.
fn sweep(above: &Path) {
    let now = SystemTime::now();
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let modified = entry.metadata().and_then(|found| found.modified());
        let is_old =
            modified.is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age >= STALE_AFTER));
        let is_free = || {
            open_folder(&entry.path()).is_ok_and(|folder| {
                rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok()
            })
        };
        if is_old && is_free() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// What a private copy is made of.
#[derive(Default)]
struct Contents {
    /// Each after the one that it is in.
    folders: Vec<PathBuf>,
    /// With their sizes.
    files: Vec<(PathBuf, u64)>,
    links: Vec<PathBuf>,
    /// Of all files that are copied, not linked.
    bytes: u64,
}

impl Contents {
    /// A folder with everything below it, except rounds of earlier matches and the history of a
    /// version control.
    fn add_tree(&mut self, root: &Path) -> io::Result<()> {
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(|error| at(&folder, &error))? {
                let entry = entry?;
                let (name, kind) = (entry.file_name(), entry.file_type()?);
                if kind.is_symlink() {
                    self.links.push(entry.path());
                } else if kind.is_file() {
                    self.add_file(entry.path(), entry.metadata()?.len());
                } else if kind.is_dir() && name != ROUNDS_FOLDER && name != ".git" {
                    folders.push(entry.path());
                }
                self.check(root)?;
            }
            self.folders.push(folder);
        }
        Ok(())
    }

    fn add_file(&mut self, file: PathBuf, bytes: u64) {
        self.bytes += if bytes < LINKED_FROM_BYTES { bytes } else { 0 };
        self.files.push((file, bytes));
    }

    fn check(&self, root: &Path) -> io::Result<()> {
        let entries = self.folders.len() + self.files.len() + self.links.len();
        if entries > COPY_ENTRIES_MAX || self.bytes > COPY_BYTES_MAX {
            return Err(io::Error::other(format!(
                "expected a bot's folder with at most {COPY_ENTRIES_MAX} files and {COPY_BYTES_MAX} \
                 bytes, found more in {}",
                root.display()
            )));
        }
        Ok(())
    }
}

/// A copy in progress.
struct Copy<'a> {
    /// The folder of the originals that `to` stands for.
    above: &'a Path,
    to: &'a Path,
}

impl Copy<'_> {
    fn place_of(&self, original: &Path) -> PathBuf {
        match original.strip_prefix(self.above) {
            Ok(rest) if !rest.as_os_str().is_empty() => self.to.join(rest),
            _ => self.to.to_owned(),
        }
    }

    fn all(&self, contents: &Contents) -> io::Result<()> {
        for folder in &contents.folders {
            fs::create_dir_all(self.place_of(folder))?;
        }
        for (file, bytes) in &contents.files {
            self.file(file, *bytes)?;
        }
        contents.links.iter().try_for_each(|link| self.link(link))
    }

    /// A large file is a model or an archive, which nobody writes to: a link will do.
    fn file(&self, file: &Path, bytes: u64) -> io::Result<()> {
        let copy = self.place_of(file);
        if bytes >= LINKED_FROM_BYTES {
            return symlink(file, copy);
        }
        fs::copy(file, copy).map(|_| ()).map_err(|error| at(file, &error))
    }

    /// A relative link to something that is copied too stays as it is; any other leads to where it
    /// led before.
    fn link(&self, link: &Path) -> io::Result<()> {
        let target = fs::read_link(link)?;
        let copy = self.place_of(link);
        let real = link.parent().map(|folder| folder.join(&target));
        let real = real.and_then(|real| real.canonicalize().ok());
        let above = self.above.canonicalize()?;
        match real {
            Some(real) if target.is_absolute() || !real.starts_with(above) => symlink(real, copy),
            _ => symlink(target, copy),
        }
    }
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot copy {}: {error}", path.display()))
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
        let young = make("quintain-bot-1-1", false);
        let held = make("quintain-bot-1-2", true);
        let other = make("somebody-else", true);
        let lock = open_folder(&held).expect("it is there");
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("it is free");
        sweep(above.path());
        assert!(!left.exists());
        assert!(young.exists() && held.exists() && other.exists());
    }

    #[test]
    fn the_folder_above_both_is_found() {
        let common = |one: &str, other: &str| common_folder(Path::new(one), Path::new(other));
        assert_eq!(common("/a/b", "/a/b"), Path::new("/a/b"));
        assert_eq!(common("/a/b", "/a/b/c"), Path::new("/a/b"));
        assert_eq!(common("/a/b", "/a/c"), Path::new("/a"));
    }
}
