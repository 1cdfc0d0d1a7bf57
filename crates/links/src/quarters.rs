//! A private folder for one bot and one match.
//!
//! Bots read `./rounds/N/state.json`, keep their weights beside them and write logs, so two
//! processes must never share a working directory, least of all when a bot plays itself.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::base::{self, Base, MEMORY_FOLDER};
use crate::copy::{Contents, Copy};
use crate::limits::{MEMORY_COPY_BYTES_MAX, ROUNDS_ROOM};
use crate::manifest::ROUNDS_FOLDER;

/// What file systems in memory call themselves (`statfs`).
const TMPFS: i64 = 0x0102_1994;
const RAMFS: i64 = 0x8584_58f6;

/// A bot's own folder. Dropping it removes it.
#[derive(Debug)]
pub struct Quarters {
    folder: PathBuf,
    base: Base,
    /// The folder that `rounds` leads to, where that is not in the other one.
    rounds_base: Option<Base>,
}

impl Quarters {
    /// A copy of the bot's folders. `folder` is where it works: `root` itself, a folder below it,
    /// or one beside it. Rounds of earlier matches are not copied. Nothing that the bot does to a file of
    /// the copy changes the original.
    ///
    /// # Errors
    /// The copy cannot be made, the folder holds more than any bot needs, or something else is where its
    /// rounds are to be.
    pub fn copy_of(root: &Path, folder: &Path) -> io::Result<Quarters> {
        let (root, folder) = (&real(root)?, &real(folder)?);
        let contents = Contents::of(root, folder)?;
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

    /// The folder that holds all of it: where the bot works, or one above that.
    pub(crate) fn base(&self) -> &Path {
        &self.base.path
    }

    /// Where its state files are.
    pub(crate) fn rounds(&self) -> PathBuf {
        match &self.rounds_base {
            Some(base) => base.path.clone(),
            None => self.folder.join(ROUNDS_FOLDER),
        }
    }

    /// Removes the folder with whatever is in it by now.
    ///
    /// # Errors
    /// Something in it cannot be removed, though a later process may be able to.
    pub fn remove(self) -> io::Result<()> {
        let rounds = self.rounds_base.map_or(Ok(()), Base::remove);
        self.base.remove().and(rounds)
    }

    /// Removes every folder of this process, for one that is about to end without dropping them.
    pub fn remove_all() {
        base::remove_all();
    }

    fn settle(base: Base, folder: PathBuf) -> io::Result<Quarters> {
        let rounds = folder.join(ROUNDS_FOLDER);
        let memory = Path::new(MEMORY_FOLDER);
        if is_in_memory(&folder) || !is_in_memory(memory) || room(memory) < ROUNDS_ROOM {
            fs::create_dir(&rounds)?;
            return Ok(Quarters { folder, base, rounds_base: None });
        }
        let rounds_base = Base::new(memory)?;
        symlink(&rounds_base.path, &rounds)?;
        Ok(Quarters { folder, base, rounds_base: Some(rounds_base) })
    }
}

/// A folder by its path without links.
fn real(folder: &Path) -> io::Result<PathBuf> {
    let found = folder.canonicalize();
    found.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_above_both_is_found() {
        let common = |one: &str, other: &str| common_folder(Path::new(one), Path::new(other));
        assert_eq!(common("/a/b", "/a/b"), Path::new("/a/b"));
        assert_eq!(common("/a/b", "/a/b/c"), Path::new("/a/b"));
        assert_eq!(common("/a/b", "/a/c"), Path::new("/a"));
    }
}
