//! Brings what a build has made from its private copy into the folder that was copied.
//!
//! Both were in the hands of somebody whom nobody trusts: no link is followed on either side, nothing is
//! called by a path of more than one name, and what is written is the bytes of plain files.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Dir, FileType, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;

use crate::limits::{COPY_ENTRIES_MAX, HARVEST_DEPTH_MAX};
use crate::removal::{FOLDER, open_folder};

/// What a file is called until it is whole.
const UNFINISHED: &str = ".quintain-unfinished";

/// Compared at once.
const PIECE_BYTES: usize = 64 * 1024;

/// Writes every file of `from` that is new or different into the same place below `to`. What is neither a
/// file nor a folder nor a link that stays below its folder is left out, and nothing is removed.
///
/// # Errors
/// Names what cannot be read or written: a link where a folder is to be, too many or too deep folders.
pub(crate) fn bring_back(from: &Path, to: &Path) -> io::Result<()> {
    let mut harvest = Harvest { entries_left: COPY_ENTRIES_MAX };
    harvest.folder(&open_folder(from)?, &open_folder(to)?, 0)
}

struct Harvest {
    entries_left: usize,
}

impl Harvest {
    fn folder(&mut self, from: &OwnedFd, to: &OwnedFd, depth: usize) -> io::Result<()> {
        if depth > HARVEST_DEPTH_MAX {
            let most = HARVEST_DEPTH_MAX;
            return Err(io::Error::other(format!(
                "expected at most {most} folders inside each other, found more"
            )));
        }
        for entry in Dir::read_from(from)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            self.count()?;
            self.entry(from, to, name, depth).map_err(|error| {
                let name = name.to_string_lossy();
                io::Error::new(error.kind(), format!("{name}: {error}"))
            })?;
        }
        Ok(())
    }

    fn entry(&mut self, from: &OwnedFd, to: &OwnedFd, name: &CStr, depth: usize) -> io::Result<()> {
        let found = rustix::fs::statat(from, name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => {
                match rustix::fs::mkdirat(to, name, Mode::from_raw_mode(0o755)) {
                    Ok(()) => give_to_owner_of(to, |owner| {
                        let (uid, gid) = owner;
                        rustix::fs::chownat(to, name, uid, gid, AtFlags::SYMLINK_NOFOLLOW)
                    })?,
                    Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                let open = |at: &OwnedFd| rustix::fs::openat(at, name, FOLDER, Mode::empty());
                self.folder(&open(from)?, &open(to)?, depth + 1)
            }
            FileType::RegularFile => bring_file(from, to, name, &found),
            FileType::Symlink => bring_link(from, to, name),
            _ => Ok(()),
        }
    }

    fn count(&mut self) -> io::Result<()> {
        self.entries_left = self.entries_left.checked_sub(1).ok_or_else(|| {
            io::Error::other(format!("expected at most {COPY_ENTRIES_MAX} files, found more"))
        })?;
        Ok(())
    }
}

/// A file takes its place when it is whole, and takes that of a link too. It is only ever a plain one: its
/// owner may run it, and nobody gains rights by it.
fn bring_file(from: &OwnedFd, to: &OwnedFd, name: &CStr, found: &Stat) -> io::Result<()> {
    let mut source = open_file(from, name)?;
    let may_run = found.st_mode & 0o111 != 0;
    if is_same(&mut source, to, name, may_run) {
        return Ok(());
    }
    source = open_file(from, name)?;
    let mode = Mode::from_raw_mode(if may_run { 0o755 } else { 0o644 });
    // One that an earlier build left behind when it was killed is in the way.
    let _ = rustix::fs::unlinkat(to, UNFINISHED, AtFlags::empty());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mut target = File::from(rustix::fs::openat(to, UNFINISHED, flags, mode)?);
    io::copy(&mut source, &mut target)?;
    give_to_owner_of(to, |(uid, gid)| rustix::fs::fchown(target.as_fd(), uid, gid))?;
    Ok(rustix::fs::renameat(to, UNFINISHED, to, name)?)
}

/// Whether the same bytes are in the other place already.
fn is_same(source: &mut File, to: &OwnedFd, name: &CStr, may_run: bool) -> bool {
    let Ok(mut target) = open_file(to, name) else { return false };
    let lengths = [&*source, &target].map(|file| file.metadata().map_or(0, |found| found.len()));
    let mode = rustix::fs::fstat(&target).map_or(0, |found| found.st_mode);
    if lengths[0] != lengths[1] || (mode & 0o111 != 0) != may_run {
        return false;
    }
    let mut pieces = [vec![0; PIECE_BYTES], vec![0; PIECE_BYTES]];
    loop {
        let [one, other] = &mut pieces;
        let Ok(count) = source.read(one) else { return false };
        if target.read_exact(&mut other[..count]).is_err() || one[..count] != other[..count] {
            return false;
        }
        if count == 0 {
            return true;
        }
    }
}

/// Opens a plain file for reading.
fn open_file(at: &OwnedFd, name: &CStr) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(at, name, flags, Mode::empty())?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("expected a plain file, found something else")),
    }
}

/// A link is brought if it leads to something below its folder, and nothing is in its place.
fn bring_link(from: &OwnedFd, to: &OwnedFd, name: &CStr) -> io::Result<()> {
    let target = rustix::fs::readlinkat(from, name, Vec::new())?;
    let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !target.to_str().is_ok_and(|target| Path::new(target).components().all(stays)) {
        return Ok(());
    }
    match rustix::fs::symlinkat(target.as_c_str(), to, name) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// What root makes in somebody's folder is theirs.
fn give_to_owner_of(
    folder: &OwnedFd,
    give: impl FnOnce((Option<Uid>, Option<Gid>)) -> rustix::io::Result<()>,
) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let found = rustix::fs::fstat(folder)?;
    let owner = (Some(Uid::from_raw(found.st_uid)), Some(Gid::from_raw(found.st_gid)));
    match give(owner) {
        // A root who may give nothing away keeps it.
        Ok(()) | Err(Errno::PERM) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn only_what_is_new_or_different_is_written_and_nobody_gains_rights() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("out/deep")).expect("folders");
        fs::create_dir_all(&to).expect("a folder");
        for place in [&from, &to] {
            fs::write(place.join("source.c"), "int main;").expect("a file");
        }
        let before = fs::metadata(to.join("source.c")).expect("it is there").ino();
        fs::write(from.join("out/deep/bot"), "program").expect("a file");
        let mode = fs::Permissions::from_mode(0o4777);
        fs::set_permissions(from.join("out/deep/bot"), mode).expect("ours");
        symlink("out/deep/bot", from.join("bot")).expect("a link");
        symlink("/etc/passwd", from.join("away")).expect("a link");
        bring_back(&from, &to).expect("it can be brought");
        assert_eq!(fs::metadata(to.join("source.c")).expect("it is there").ino(), before);
        assert_eq!(fs::read_to_string(to.join("bot")).expect("a link"), "program");
        let made = fs::metadata(to.join("out/deep/bot")).expect("it is there");
        assert_eq!(made.permissions().mode() & 0o7777, 0o755);
        assert!(to.join("away").symlink_metadata().is_err());
    }

    #[test]
    fn a_link_in_the_folder_leads_no_build_out_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let other = folder.path().join("other");
        for path in [&from.join("out"), &to, &other] {
            fs::create_dir_all(path).expect("a folder");
        }
        fs::write(other.join("victim"), "mine").expect("a file");
        fs::write(from.join("out/victim"), "yours").expect("a file");
        symlink(&other, to.join("out")).expect("a link");
        bring_back(&from, &to).expect_err("a link is where a folder is to be");
        fs::remove_dir_all(from.join("out")).expect("ours");
        fs::write(from.join("file"), "yours").expect("a file");
        symlink(other.join("victim"), to.join("file")).expect("a link");
        bring_back(&from, &to).expect("the link is replaced");
        assert_eq!(fs::read_to_string(other.join("victim")).expect("it is there"), "mine");
        assert_eq!(fs::read_to_string(to.join("file")).expect("it is there"), "yours");
    }
}
