//! Folders of bots as archives: the same folder gives the same bytes on every machine, and an archive of a stranger
//! writes nothing outside the folder that it is unpacked into.
//!
//! It is a tar file, packed with zstd: entries sorted by name, without times and owners, and of modes only whether a
//! file can be executed. Links, devices and everything else that is neither file nor folder are refused on both ends.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tar::{Archive, Builder, EntryType, Header};

/// How hard is packed: small enough to be sent, quick enough to be waited for.
const LEVEL: i32 = 9;
/// What the decoder may ask for.
const WINDOW_LOG_MAX: u32 = 27;
const EXECUTABLE: u32 = 0o755;
const PLAIN: u32 = 0o644;
const FOLDER: u32 = 0o755;
/// Folders below folders.
const DEPTH_MAX: usize = 32;
/// What is no part of a bot.
const LEFT_OUT: [&str; 3] = [".git", ".hg", ".svn"];

/// How much an archive may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of the archive itself.
    pub packed_bytes: u64,
    /// Of all files together.
    pub bytes: u64,
    /// Files and folders.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { packed_bytes: 64 * 1024 * 1024, bytes: 512 * 1024 * 1024, entries: 20_000 }
    }
}

/// An archive in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The SHA-256 of its bytes, in hexadecimal digits: what it is called.
    pub digest: String,
    pub bytes: Vec<u8>,
    /// Files and folders in it.
    pub entries: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("expected a folder, found {}", .0.display())]
    NoFolder(PathBuf),
    #[error("{}: expected a file or a folder, found {what}", path.display())]
    Kind { path: PathBuf, what: &'static str },
    #[error("expected at most {most} {what}, found more")]
    TooMuch { what: &'static str, most: u64 },
    #[error("expected a name of a file below the folder, found `{0}`")]
    Path(String),
    #[error("the archive is damaged: {0}")]
    Damaged(io::Error),
}

/// The archive of a folder.
///
/// # Errors
/// Something in it cannot be read, is neither file nor folder, or is too much.
pub fn pack(folder: &Path, limits: &Limits) -> Result<Packed, ArchiveError> {
    if !folder.is_dir() {
        return Err(ArchiveError::NoFolder(folder.to_owned()));
    }
    let mut names = Vec::new();
    list(folder, Path::new(""), limits, &mut names)?;
    names.sort();
    let failed = |error| ArchiveError::Read { path: folder.to_owned(), error };
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL).map_err(failed)?;
    let mut builder = Builder::new(&mut encoder);
    let mut bytes_left = limits.bytes;
    for name in &names {
        append(&mut builder, folder, name, &mut bytes_left, limits)?;
    }
    builder.finish().map_err(failed)?;
    drop(builder);
    let bytes = encoder.finish().map_err(failed)?;
    if bytes.len() as u64 > limits.packed_bytes {
        return Err(too_much("bytes when packed", limits.packed_bytes));
    }
    Ok(Packed { digest: digest(&bytes), bytes, entries: names.len() })
}

/// What an archive is called.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything below a folder, by its path there.
fn list(
    folder: &Path,
    below: &Path,
    limits: &Limits,
    names: &mut Vec<PathBuf>,
) -> Result<(), ArchiveError> {
    if below.components().count() > DEPTH_MAX {
        return Err(too_much("folders below each other", DEPTH_MAX as u64));
    }
    let path = folder.join(below);
    let failed = |error| ArchiveError::Read { path: path.clone(), error };
    for entry in fs::read_dir(&path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let kind = entry.file_type().map_err(failed)?;
        let name = below.join(entry.file_name());
        let what = match kind {
            kind if kind.is_file() || kind.is_dir() => None,
            kind if kind.is_symlink() => Some("a link"),
            _ => Some("something else"),
        };
        if let Some(what) = what {
            return Err(ArchiveError::Kind { path: folder.join(name), what });
        }
        if names.len() == limits.entries {
            return Err(too_much("files and folders", limits.entries as u64));
        }
        names.push(name.clone());
        if kind.is_dir() {
            list(folder, &name, limits, names)?;
        }
    }
    Ok(())
}

fn append(
    builder: &mut Builder<impl io::Write>,
    folder: &Path,
    name: &Path,
    bytes_left: &mut u64,
    limits: &Limits,
) -> Result<(), ArchiveError> {
    let path = folder.join(name);
    let failed = |error| ArchiveError::Read { path: path.clone(), error };
    let mut header = Header::new_gnu();
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    if path.is_dir() {
        header.set_entry_type(EntryType::Directory);
        header.set_mode(FOLDER);
        header.set_size(0);
        return builder.append_data(&mut header, name, io::empty()).map_err(failed);
    }
    let mut content = Vec::new();
    let file = File::open(&path).map_err(failed)?;
    let is_executable = file.metadata().map_err(failed)?.permissions().mode() & 0o111 != 0;
    // One more than there is room for, to see that it is too much.
    file.take(*bytes_left + 1).read_to_end(&mut content).map_err(failed)?;
    *bytes_left = bytes_left
        .checked_sub(content.len() as u64)
        .ok_or_else(|| too_much("bytes in all files", limits.bytes))?;
    header.set_entry_type(EntryType::Regular);
    header.set_mode(if is_executable { EXECUTABLE } else { PLAIN });
    header.set_size(content.len() as u64);
    builder.append_data(&mut header, name, content.as_slice()).map_err(failed)
}

/// Unpacks an archive into a folder that is empty or not there.
///
/// # Errors
/// It holds something that no archive of [`pack`] holds, or too much of it. What was written stays.
pub fn unpack(bytes: &[u8], folder: &Path, limits: &Limits) -> Result<(), ArchiveError> {
    if bytes.len() as u64 > limits.packed_bytes {
        return Err(too_much("bytes when packed", limits.packed_bytes));
    }
    make_folder(folder)?;
    let mut decoder = zstd::Decoder::new(bytes).map_err(ArchiveError::Damaged)?;
    decoder.window_log_max(WINDOW_LOG_MAX).map_err(ArchiveError::Damaged)?;
    // Names and padding come on top of what files hold.
    let room = limits.bytes + 2048 * (limits.entries as u64 + 2);
    let mut archive = Archive::new(decoder.take(room));
    let mut bytes_left = limits.bytes;
    for (index, entry) in archive.entries().map_err(ArchiveError::Damaged)?.enumerate() {
        if index == limits.entries {
            return Err(too_much("files and folders", limits.entries as u64));
        }
        let mut entry = entry.map_err(ArchiveError::Damaged)?;
        let name = inner_path(&entry.path_bytes())?;
        let path = folder.join(name);
        match entry.header().entry_type() {
            EntryType::Directory => make_folder(&path)?,
            EntryType::Regular => {
                let mode = entry.header().mode().map_err(ArchiveError::Damaged)?;
                bytes_left = bytes_left
                    .checked_sub(entry.size())
                    .ok_or_else(|| too_much("bytes in all files", limits.bytes))?;
                write_file(&path, mode & 0o111 != 0, &mut entry)?;
            }
            EntryType::Symlink | EntryType::Link => {
                return Err(ArchiveError::Kind { path, what: "a link" });
            }
            _ => return Err(ArchiveError::Kind { path, what: "something else" }),
        }
    }
    Ok(())
}

/// A path that stays below its folder.
fn inner_path(bytes: &[u8]) -> Result<PathBuf, ArchiveError> {
    use std::os::unix::ffi::OsStrExt as _;
    let refused = || ArchiveError::Path(String::from_utf8_lossy(bytes).into_owned());
    let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
    let mut depth = 0;
    let mut inner = PathBuf::new();
    for component in path.components() {
        let Component::Normal(part) = component else { return Err(refused()) };
        inner.push(part);
        depth += 1;
    }
    let is_inner = depth > 0 && depth <= DEPTH_MAX && !bytes.contains(&0);
    is_inner.then_some(inner).ok_or_else(refused)
}

fn make_folder(path: &Path) -> Result<(), ArchiveError> {
    fs::create_dir_all(path).map_err(|error| ArchiveError::Write { path: path.to_owned(), error })
}

/// A new file: nothing that is there is written to, and no link is followed, since there is none.
fn write_file(
    path: &Path,
    is_executable: bool,
    content: &mut impl io::Read,
) -> Result<(), ArchiveError> {
    if let Some(above) = path.parent() {
        make_folder(above)?;
    }
    let failed = |error| ArchiveError::Write { path: path.to_owned(), error };
    let mut file = File::create_new(path).map_err(failed)?;
    io::copy(content, &mut file).map_err(ArchiveError::Damaged)?;
    file.flush().map_err(failed)?;
    let mode = if is_executable { EXECUTABLE } else { PLAIN };
    file.set_permissions(fs::Permissions::from_mode(mode)).map_err(failed)
}

fn too_much(what: &'static str, most: u64) -> ArchiveError {
    ArchiveError::TooMuch { what, most }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str, bool)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content, is_executable) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is below")).expect("made");
            fs::write(&path, content).expect("written");
            let mode = if *is_executable { 0o700 } else { 0o600 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
        }
        folder
    }

    const BOT: &[(&str, &str, bool)] =
        &[("run.sh", "#!/bin/sh\n", true), ("src/b.py", "b", false), ("src/a.py", "", false)];

    #[test]
    fn the_same_folder_gives_the_same_bytes_whenever_and_wherever_it_was_made() {
        let (one, mut reversed) = (folder(BOT), BOT.to_vec());
        reversed.reverse();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let two = folder(&reversed);
        let limits = Limits::default();
        let packed = pack(one.path(), &limits).expect("packed");
        assert_eq!(packed, pack(two.path(), &limits).expect("packed"));
        assert_eq!(packed.entries, 4);
        fs::write(two.path().join("src/a.py"), "x").expect("written");
        assert_ne!(packed.digest, pack(two.path(), &limits).expect("packed").digest);
    }

    #[test]
    fn what_was_packed_is_unpacked_with_its_modes() {
        let (from, to) = (folder(BOT), tempfile::tempdir().expect("a folder"));
        let packed = pack(from.path(), &Limits::default()).expect("packed");
        let to = to.path().join("new");
        unpack(&packed.bytes, &to, &Limits::default()).expect("unpacked");
        assert_eq!(fs::read(to.join("src/b.py")).expect("there"), b"b");
        let mode = |name: &str| fs::metadata(to.join(name)).expect("there").permissions().mode();
        assert_eq!([mode("run.sh") & 0o777, mode("src/b.py") & 0o777], [0o755, 0o644]);
        assert_eq!(pack(&to, &Limits::default()).expect("packed"), packed);
    }

    #[test]
    fn a_link_is_refused_and_so_is_too_much() {
        let bot = folder(BOT);
        let small = |limits| pack(bot.path(), &limits).expect_err("too much").to_string();
        let usual = Limits::default();
        let words = "expected at most 3 files and folders, found more";
        assert_eq!(small(Limits { entries: 3, ..usual }), words);
        let words = "expected at most 5 bytes in all files, found more";
        assert_eq!(small(Limits { bytes: 5, ..usual }), words);
        let words = "expected at most 10 bytes when packed, found more";
        assert_eq!(small(Limits { packed_bytes: 10, ..usual }), words);
        std::os::unix::fs::symlink("/etc/passwd", bot.path().join("link")).expect("made");
        let error = pack(bot.path(), &usual).expect_err("a link").to_string();
        assert!(error.ends_with("link: expected a file or a folder, found a link"), "{error}");
    }

    /// An archive of a stranger, with one entry.
    fn hostile(name: &[u8], kind: EntryType, size: u64) -> Vec<u8> {
        let mut header = Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_entry_type(kind);
        header.set_mode(0o4777);
        header.set_size(size);
        if kind == EntryType::Symlink {
            header.set_link_name("/etc/passwd").expect("a name");
        }
        header.set_cksum();
        let mut tar = header.as_bytes().to_vec();
        tar.extend(vec![0; size.min(1024).next_multiple_of(512) as usize + 1024]);
        zstd::encode_all(tar.as_slice(), 1).expect("packed")
    }

    #[test]
    fn an_archive_of_a_stranger_writes_nothing_outside() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("inside");
        for name in ["../escaped", "/tmp/quintain-escaped", "a/../../escaped", ".", ""] {
            let bytes = hostile(name.as_bytes(), EntryType::Regular, 0);
            let error = unpack(&bytes, &inside, &Limits::default()).expect_err(name);
            assert!(matches!(error, ArchiveError::Path(_)), "{name}: {error}");
        }
        for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Fifo] {
            let error = unpack(&hostile(b"x", kind, 0), &inside, &Limits::default());
            assert!(matches!(error, Err(ArchiveError::Kind { .. })), "{kind:?}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
        assert_eq!(fs::read_dir(&inside).expect("there").count(), 0);
    }

    #[test]
    fn an_archive_that_grows_is_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let limits = Limits { bytes: 1000, ..Limits::default() };
        let big = hostile(b"big", EntryType::Regular, 1 << 40);
        let error = unpack(&big, &folder.path().join("a"), &limits).expect_err("too much");
        assert!(matches!(error, ArchiveError::TooMuch { .. }), "{error}");
        let bomb = zstd::encode_all(vec![0_u8; 64 << 20].as_slice(), 19).expect("packed");
        let unpacked = unpack(&bomb, &folder.path().join("b"), &limits);
        assert!(unpacked.is_ok(), "nothing but padding: {unpacked:?}");
        assert_eq!(fs::read_dir(folder.path().join("b")).expect("there").count(), 0);
    }

    #[test]
    fn special_modes_are_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        unpack(&hostile(b"x", EntryType::Regular, 0), folder.path(), &Limits::default())
            .expect("a plain file");
        let mode = fs::metadata(folder.path().join("x")).expect("there").permissions().mode();
        assert_eq!(mode & 0o7777, 0o755, "no set-user-id");
    }
}
