//! Writes the files that a bot is told the state in.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, unlinkat};
use rustix::io::Errno;

use crate::quarters::open_folder;

/// How many rounds stay when the storage is full.
const KEPT_WHEN_FULL: usize = 2;

/// The folder of a bot, open for files. Folders on the way are made; handles are kept, so that a
/// file costs an open, a write and a close, however long the path to the folder is.
#[derive(Debug)]
pub(crate) struct FileDesk {
    root: OwnedFd,
    /// The folder of `root` that files were last written in, by its name.
    top: Option<(String, OwnedFd)>,
    /// What was written below `top`, oldest folder first.
    written: VecDeque<Written>,
    /// How many folders below `top` are kept.
    keep: usize,
    /// What was written before it was due, oldest first.
    early: VecDeque<String>,
}

/// When a bot is told of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Now,
    /// The same file is put again then, unless the question that it belongs to is never asked.
    Later,
}

/// A folder and the files that were written in it.
#[derive(Debug)]
struct Written {
    folder: String,
    files: Vec<String>,
}

impl FileDesk {
    pub(crate) fn new(folder: &Path, keep: Option<u32>) -> io::Result<FileDesk> {
        let keep = keep.map_or(usize::MAX, |keep| keep.max(1) as usize);
        let root = open_folder(folder)?;
        Ok(FileDesk { root, top: None, written: VecDeque::new(), keep, early: VecDeque::new() })
    }

    /// Writes a file, complete and closed when this returns. One that was written early is there.
    ///
    /// # Panics
    /// If the path does not have the form `top/folder/name`, inside the bot's folder.
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

    fn write(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let parts = split(path);
        let parts = parts.unwrap_or_else(|| panic!("a protocol names files as a/b/c, not {path}"));
        match self.try_put(parts, bytes) {
            Err(Errno::NOSPC | Errno::DQUOT) if self.written.len() > KEPT_WHEN_FULL => {
                self.drop_oldest(KEPT_WHEN_FULL);
                self.try_put(parts, bytes)
            }
            // The bot has removed a folder of ours.
            Err(Errno::NOENT) => {
                self.top = None;
                self.written.clear();
                self.try_put(parts, bytes)
            }
            written => written,
        }?;
        if self.written.len() > self.keep {
            self.drop_oldest(self.keep);
        }
        Ok(())
    }

    fn try_put(&mut self, [top, folder, name]: [&str; 3], bytes: &[u8]) -> Result<(), Errno> {
        if self.top.as_ref().is_none_or(|(open, _)| open != top) {
            self.written.clear();
            self.top = Some((top.to_owned(), self.open_top(top)?));
        }
        let (_, handle) = self.top.as_ref().expect("it was opened above");
        if self.written.back().is_none_or(|last| last.folder != folder) {
            make_folder(handle, folder)?;
            self.written.push_back(Written { folder: folder.to_owned(), files: Vec::new() });
        }
        let last = self.written.back_mut().expect("it was pushed above");
        let place = format!("{folder}/{name}");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let file = openat(handle, &*place, flags, Mode::from_raw_mode(0o644))?;
        if last.files.iter().all(|file| *file != place) {
            last.files.push(place);
        }
        write_all(&file, bytes)
    }

    fn open_top(&self, top: &str) -> Result<OwnedFd, Errno> {
        make_folder(&self.root, top)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        openat(&self.root, top, flags, Mode::empty())
    }

    /// Removes what was written here, but for the newest folders. What the bot put there itself
    /// stays.
    fn drop_oldest(&mut self, keep: usize) {
        let Some((_, handle)) = &self.top else { return };
        while self.written.len() > keep {
            let Some(oldest) = self.written.pop_front() else { return };
            for file in &oldest.files {
                let _ = unlinkat(handle, &**file, AtFlags::empty());
            }
            let _ = unlinkat(handle, &*oldest.folder, AtFlags::REMOVEDIR);
        }
    }
}

fn split(path: &str) -> Option<[&str; 3]> {
    let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let mut parts = path.split('/');
    let parts = [parts.next()?, parts.next()?, parts.next()?];
    let is_whole = parts.join("/") == path && parts.iter().all(|part| !part.is_empty());
    (is_inside && is_whole).then_some(parts)
}

fn make_folder(at: impl AsFd, name: &str) -> Result<(), Errno> {
    match mkdirat(at, name, Mode::from_raw_mode(0o755)) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
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
