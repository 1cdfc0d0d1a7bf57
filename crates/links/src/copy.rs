//! A private copy of a bot's folders, made with the rights of their owner.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, statat};

use crate::limits::{COPY_BYTES_MAX, COPY_ENTRIES_MAX};
use crate::manifest::ROUNDS_FOLDER;
use crate::within::{Links, Within};

/// What a private copy is made of.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The folders of which everything is copied.
    trees: Vec<PathBuf>,
    /// Each after the one that it is in.
    folders: Vec<PathBuf>,
    /// Each with the folder that it must not lead out of, and its path in that.
    files: Vec<(PathBuf, PathBuf)>,
    links: Vec<PathBuf>,
    /// Of all files.
    pub(crate) bytes: u64,
}

impl Contents {
    /// What belongs to a bot whose folder is `root`, and that works in `folder`: `root` itself, a folder
    /// below it, or one beside it. Both without links in them. Rounds of earlier matches, the history of a
    /// version control, and what is neither a file nor a folder nor a link is left out.
    ///
    /// # Errors
    /// A folder cannot be read, or there is more in it than any bot needs, or something else is where the
    /// bot's rounds are to be.
    pub(crate) fn of(root: &Path, folder: &Path) -> io::Result<Contents> {
        check_rounds(folder)?;
        let mut contents = Contents { trees: vec![root.to_owned()], ..Contents::default() };
        if !folder.starts_with(root) {
            contents.trees.push(folder.to_owned());
        }
        let rounds = [root, folder].map(|above| above.join(ROUNDS_FOLDER));
        for tree in contents.trees.clone() {
            contents.add_tree(&tree, &rounds)?;
        }
        Ok(contents)
    }

    fn add_tree(&mut self, root: &Path, left_out: &[PathBuf; 2]) -> io::Result<()> {
        let within = Within::new(root).map_err(|error| at(root, &error))?;
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let place = root.join(&folder);
            let open = within.folder(&folder).map_err(|error| at(&place, &error))?;
            for entry in Dir::read_from(&open)? {
                let entry = entry?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes());
                let path = place.join(name);
                if name == "." || name == ".." || left_out.contains(&path) {
                    continue;
                }
                let found = statat(&open, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
                match FileType::from_raw_mode(found.st_mode) {
                    FileType::Symlink => self.links.push(path),
                    FileType::RegularFile => {
                        self.bytes += found.st_size.unsigned_abs();
                        self.files.push((root.to_owned(), folder.join(name)));
                    }
                    FileType::Directory if name != ".git" => folders.push(folder.join(name)),
                    _ => {}
                }
                self.check(root)?;
            }
            self.folders.push(place);
        }
        Ok(())
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

    fn holds(&self, path: &Path) -> bool {
        self.trees.iter().any(|tree| path.starts_with(tree))
    }
}

/// A bot's state files come into a folder of this name, so nothing else can be there.
fn check_rounds(folder: &Path) -> io::Result<()> {
    let place = folder.join(ROUNDS_FOLDER);
    match place.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() || (found.is_symlink() && !place.is_file()) => Ok(()),
        Ok(_) => Err(io::Error::other(format!(
            "expected a folder or nothing at {}, where the bot's state files go, found something else: \
             the bot must call it differently",
            place.display()
        ))),
    }
}

/// A copy in progress.
pub(crate) struct Copy<'a> {
    /// The folder of the originals that `to` stands for.
    pub(crate) above: &'a Path,
    pub(crate) to: &'a Path,
}

impl Copy<'_> {
    pub(crate) fn place_of(&self, original: &Path) -> PathBuf {
        match original.strip_prefix(self.above) {
            Ok(rest) if !rest.as_os_str().is_empty() => self.to.join(rest),
            _ => self.to.to_owned(),
        }
    }

    /// # Errors
    /// Names the file that cannot be copied, and why.
    pub(crate) fn all(&self, contents: &Contents) -> io::Result<()> {
        for folder in &contents.folders {
            fs::create_dir_all(self.place_of(folder))?;
        }
        for tree in &contents.trees {
            let within = Within::new(tree)?;
            for (_, path) in contents.files.iter().filter(|(root, _)| root == tree) {
                let original = tree.join(path);
                self.file(&within, path, &original).map_err(|error| at(&original, &error))?;
            }
        }
        contents.links.iter().try_for_each(|link| self.link(link, contents))
    }

    /// The copy may be run if the original may, and gives nobody rights.
    fn file(&self, within: &Within, path: &Path, original: &Path) -> io::Result<()> {
        let mut source = within.file(path, Links::No)?;
        let mode = source.metadata()?.permissions().mode() & 0o777;
        let copy = self.place_of(original);
        let mut copy = File::options().write(true).create_new(true).mode(mode).open(copy)?;
        // Where the file system can, this shares the bytes until one of both is written to.
        io::copy(&mut source, &mut copy)?;
        copy.set_permissions(Permissions::from_mode(mode))
    }

    /// A link to something that is copied leads to the copy, by whatever way it led to the original; any
    /// other leads to where it led before.
    fn link(&self, link: &Path, contents: &Contents) -> io::Result<()> {
        let target = fs::read_link(link)?;
        let copy = self.place_of(link);
        let real = link.parent().map(|folder| folder.join(&target));
        match real.and_then(|real| real.canonicalize().ok()) {
            Some(real) if !contents.holds(&real) => symlink(real, copy),
            Some(real) if target.is_absolute() => symlink(self.place_of(&real), copy),
            _ => symlink(target, copy),
        }
    }
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot copy {}: {error}", path.display()))
}
