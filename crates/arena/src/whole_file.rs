//! Files that are there as a whole or not at all.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Who may do what with a new file, before the process takes away what it always does.
const NEW_FILE: u32 = 0o666;

/// Writes a file. If that fails, for instance on a full disk, there is no half of it, and what was there
/// before is still there. What is no file, such as a pipe, is written to as it is.
///
/// # Errors
/// Names the path.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = match fs::metadata(path) {
        Ok(found) if !found.is_file() => fs::write(path, bytes),
        // Through a link, which stays one.
        Ok(_) => fs::canonicalize(path).and_then(|file| replace(&file, bytes)),
        Err(_) => replace(path, bytes),
    };
    written.map_err(|error| io::Error::other(format!("cannot write {}: {error}", path.display())))
}

/// Writes a hidden file in the same folder, which takes the place of the other one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut draft = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .permissions(Permissions::from_mode(NEW_FILE))
        .tempfile_in(folder)?;
    draft.write_all(bytes)?;
    draft.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_behind_a_link_is_replaced_and_the_link_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "before").expect("a file");
        symlink(&file, &link).expect("a link");
        write_whole(&link, b"after").expect("there is room");
        assert_eq!(fs::read(&file).expect("the file"), b"after");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        let left = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(left, 2, "no draft is left");
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let error = write_whole(Path::new("/dev/full"), b"x").expect_err("it is always full");
        assert!(error.to_string().starts_with("cannot write /dev/full: "), "{error}");
        assert!(!fs::metadata("/dev/full").expect("it is still there").is_file());
    }
}
