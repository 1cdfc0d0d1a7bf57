//! Writes the files that a bot is told the state in.
//!
//! The bot can do what it likes in its folder while files are written there. So everything is written
//! below a folder that was opened before the bot was started, one name at a time with no link followed, and
//! only to files that were made by the same call: no pipe can block it, and no link lead it elsewhere.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, mkdirat, openat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use crate::Quarters;
use crate::manifest::ROUNDS_FOLDER;
use crate::removal::{open_folder, open_folder_at};

/// How many rounds stay when the storage is full.
const KEPT_WHEN_FULL: usize = 2;

/// The rounds of a bot, open for files. Handles are kept, so that a file costs an open, a write and a
/// close, however long the path to the folder is.
#[derive(Debug)]
pub(crate) struct StateFolder {
    /// The bot's folder.
    root: OwnedFd,
    /// Where its rounds are, and what in `root` leads there.
    rounds: OwnedFd,
    entry: Entry,
    /// The folder that was written in last.
    open: Option<OwnedFd>,
    /// What was written, oldest folder first.
    written: VecDeque<Written>,
    /// How many folders are kept.
    keep: usize,
    /// What was written before it was due, oldest first.
    early: VecDeque<String>,
    /// What the bot did that was in the way.
    findings: Vec<Finding>,
    /// Folders that were in the way and moved aside.
    moved_aside: u32,
}

/// When a bot is told of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Now,
    /// The same file is put again then, unless the question that it belongs to is never asked.
    Later,
}

/// What a bot did to the place of its state files. It was put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The folder of its rounds is gone.
    Removed,
    /// Something else was where a file or folder was to be.
    InTheWay { path: String, kind: FileType },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Removed => write!(f, "took {ROUNDS_FOLDER} away; it was made anew"),
            Finding::InTheWay { path, kind } => {
                write!(f, "put {} at {path}; it was taken away", name_of(*kind))
            }
        }
    }
}

fn name_of(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "a file",
        FileType::Directory => "a folder",
        FileType::Symlink => "a link",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        FileType::Unknown => "something",
    }
}

/// A folder and the files that were written in it.
#[derive(Debug)]
struct Written {
    folder: String,
    files: Vec<String>,
}

/// Which file, folder or link something is, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    fn at(at: impl AsFd, name: &str) -> Result<(Identity, FileType), Errno> {
        let found = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let identity = Identity { device: found.st_dev, number: found.st_ino };
        Ok((identity, FileType::from_raw_mode(found.st_mode)))
    }
}

/// The folder or link by which the bot finds its rounds. It is open, so that no other one can come to have
/// its number.
#[derive(Debug)]
struct Entry {
    identity: Identity,
    _handle: OwnedFd,
}

impl Entry {
    fn new(root: &OwnedFd) -> Result<Entry, Errno> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(root, ROUNDS_FOLDER, flags, Mode::empty())?;
        let (identity, _) = Identity::at(root, ROUNDS_FOLDER)?;
        Ok(Entry { identity, _handle: handle })
    }
}

impl StateFolder {
    /// To be called before the bot is started.
    pub(crate) fn new(quarters: &Quarters, keep: Option<u32>) -> io::Result<StateFolder> {
        let root = open_folder(quarters.folder())?;
        let rounds = open_folder(&quarters.rounds())?;
        let entry = Entry::new(&root)?;
        Ok(StateFolder {
            root,
            rounds,
            entry,
            open: None,
            written: VecDeque::new(),
            keep: keep.map_or(usize::MAX, |keep| keep.max(1) as usize),
            early: VecDeque::new(),
            findings: Vec::new(),
            moved_aside: 0,
        })
    }

    /// Writes a file, complete and closed when this returns. One that was written early is there.
    ///
    /// # Panics
    /// If the path does not have the form `rounds/folder/name`.
    pub(crate) fn put(&mut self, due: Due, path: &str, bytes: &[u8]) -> io::Result<()> {
        if due == Due::Now {
            match self.early.pop_front() {
                Some(early) if early == path => return Ok(()),
                _ => self.early.clear(),
            }
        }
        self.write(path, bytes)?;
        if due == Due::Later {
            self.early.push_back(path.to_owned());
        }
        Ok(())
    }

    /// What the bot did that was in the way since the last call.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let parts = split(path);
        let parts =
            parts.unwrap_or_else(|| panic!("a protocol names files as rounds/a/b, not {path}"));
        match self.try_put(parts, bytes) {
            Err(Errno::NOSPC | Errno::DQUOT) if self.written.len() > KEPT_WHEN_FULL => {
                self.drop_oldest(KEPT_WHEN_FULL);
                self.try_put(parts, bytes)
            }
            // The bot has removed a folder of ours.
            Err(Errno::NOENT) => {
                self.open = None;
                self.try_put(parts, bytes)
            }
            written => written,
        }?;
        if self.written.len() > self.keep {
            self.drop_oldest(self.keep);
        }
        Ok(())
    }

    fn try_put(&mut self, [folder, name]: [&str; 2], bytes: &[u8]) -> Result<(), Errno> {
        let is_last = |state_folder: &StateFolder| {
            state_folder.written.back().is_some_and(|last| last.folder == folder)
        };
        if !is_last(self) || self.open.is_none() {
            self.open = Some(self.enter(folder)?);
        }
        if !is_last(self) {
            self.written.push_back(Written { folder: folder.to_owned(), files: Vec::new() });
        }
        let file = self.create(folder, name)?;
        write_all(&file, bytes)
    }

    /// Opens the folder of a round, made if it is not there.
    fn enter(&mut self, folder: &str) -> Result<OwnedFd, Errno> {
        self.check_rounds()?;
        match make_and_open(&self.rounds, folder) {
            Err(Errno::LOOP | Errno::NOTDIR) => {
                self.clear_way(WayTo::Round(folder))?;
                make_and_open(&self.rounds, folder)
            }
            // The bot has removed the folder that its rounds are in, and what leads there is left.
            Err(Errno::NOENT) => {
                self.renew_rounds()?;
                make_and_open(&self.rounds, folder)
            }
            opened => opened,
        }
    }

    /// The bot must find its rounds where they are written.
    fn check_rounds(&mut self) -> Result<(), Errno> {
        match Identity::at(&self.root, ROUNDS_FOLDER) {
            Ok((found, _)) if found == self.entry.identity => Ok(()),
            Ok(_) | Err(Errno::NOENT) => self.renew_rounds(),
            Err(error) => Err(error),
        }
    }

    /// Makes the folder of the rounds anew, in the bot's folder itself.
    fn renew_rounds(&mut self) -> Result<(), Errno> {
        match Identity::at(&self.root, ROUNDS_FOLDER) {
            Ok((found, _)) if found != self.entry.identity => self.clear_way(WayTo::Rounds)?,
            Ok(_) => {
                self.findings.push(Finding::Removed);
                unlinkat(&self.root, ROUNDS_FOLDER, AtFlags::empty())?;
            }
            Err(_) => self.findings.push(Finding::Removed),
        }
        self.rounds = make_and_open(&self.root, ROUNDS_FOLDER)?;
        self.entry = Entry::new(&self.root)?;
        self.written.clear();
        Ok(())
    }

    /// Makes a file that was not there.
    fn create(&mut self, folder: &str, name: &str) -> Result<OwnedFd, Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NONBLOCK;
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = |state_folder: &StateFolder| {
            let handle =
                state_folder.open.as_ref().expect("a folder is entered before its files are made");
            openat(handle, name, flags, Mode::from_raw_mode(0o644))
        };
        let file = match open(self) {
            Err(Errno::EXIST) => {
                self.clear_way(WayTo::File(folder, name))?;
                open(self)?
            }
            opened => opened?,
        };
        let last = self.written.back_mut().expect("the folder was noted when it was entered");
        if last.files.iter().all(|file| file != name) {
            last.files.push(name.to_owned());
        }
        Ok(file)
    }

    /// Takes away what is in the way: a folder by another name, since there is no saying how much is in
    /// it. A file that was written here is no finding.
    fn clear_way(&mut self, way: WayTo<'_>) -> Result<(), Errno> {
        let (at, name) = match way {
            WayTo::Rounds => (&self.root, ROUNDS_FOLDER),
            WayTo::Round(folder) => (&self.rounds, folder),
            WayTo::File(_, name) => {
                (self.open.as_ref().expect("a folder is entered before its files are made"), name)
            }
        };
        let (_, kind) = Identity::at(at, name)?;
        if kind == FileType::Directory {
            self.moved_aside += 1;
            let aside = format!("{name}-moved-aside-{}", self.moved_aside);
            renameat_with(at, name, at, aside, RenameFlags::NOREPLACE)?;
        } else {
            unlinkat(at, name, AtFlags::empty())?;
        }
        if !(kind == FileType::RegularFile && self.has_written(way)) {
            self.findings.push(Finding::InTheWay { path: way.path(), kind });
        }
        Ok(())
    }

    fn has_written(&self, way: WayTo<'_>) -> bool {
        let WayTo::File(folder, name) = way else { return false };
        let mut written = self.written.iter().filter(|written| written.folder == folder);
        written.any(|written| written.files.iter().any(|file| file == name))
    }

    /// Removes what was written here, but for the newest folders. What the bot put there itself
    /// stays.
    fn drop_oldest(&mut self, keep: usize) {
        while self.written.len() > keep {
            let Some(oldest) = self.written.pop_front() else { return };
            let Ok(handle) = open_folder_at(&self.rounds, &oldest.folder) else { continue };
            for file in &oldest.files {
                let _ = unlinkat(&handle, &**file, AtFlags::empty());
            }
            let _ = unlinkat(&self.rounds, &*oldest.folder, AtFlags::REMOVEDIR);
        }
    }
}

/// What is about to be made.
#[derive(Clone, Copy)]
enum WayTo<'a> {
    Rounds,
    Round(&'a str),
    File(&'a str, &'a str),
}

impl WayTo<'_> {
    fn path(self) -> String {
        match self {
            WayTo::Rounds => ROUNDS_FOLDER.to_owned(),
            WayTo::Round(folder) => format!("{ROUNDS_FOLDER}/{folder}"),
            WayTo::File(folder, name) => format!("{ROUNDS_FOLDER}/{folder}/{name}"),
        }
    }
}

/// Folder and name below the rounds.
fn split(path: &str) -> Option<[&str; 2]> {
    let (folder, name) = path.strip_prefix(ROUNDS_FOLDER)?.strip_prefix('/')?.split_once('/')?;
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('/');
    (is_name(folder) && is_name(name)).then_some([folder, name])
}

fn make_and_open(at: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    match mkdirat(&at, name, Mode::from_raw_mode(0o755)) {
        Ok(()) | Err(Errno::EXIST) => open_folder_at(at, name),
        Err(error) => Err(error),
    }
}

fn write_all(file: impl AsFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::write(&file, bytes) {
            Ok(0) => return Err(Errno::NOSPC),
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_in_folders_of_the_rounds_are_named() {
        assert_eq!(split("rounds/7/state.json"), Some(["7", "state.json"]));
        for wrong in ["rounds/7", "rounds//x", "rounds/../x", "rounds/7/a/b", "other/7/x", "x"] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }
}
