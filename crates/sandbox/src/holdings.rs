//! What processes keep that no folder and no count of their memory shows: files that they have removed and still hold
//! open, and what waits in sockets for nobody to read it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;

use crate::shown::shown;

/// What can wait in one socket, usually.
const SOCKET_BYTES: u64 = 208 * 1024;

/// Sockets that a program may have without anybody asking how much waits in them.
const SOCKETS_FREE: u64 = 256;

/// What processes hold open.
#[derive(Debug, Default)]
pub(crate) struct Holdings {
    /// Bytes of removed files, by the numbers of their file system and their own.
    removed: BTreeMap<(u64, u64), u64>,
    sockets: u64,
    /// Those that do not show it.
    pub(crate) hiding: BTreeSet<i32>,
}

impl Holdings {
    pub(crate) fn of(all: &[i32]) -> Holdings {
        let mut holdings = Holdings::default();
        for &pid in all {
            // Who has ended holds nothing.
            let Some(shown) = shown(pid) else { continue };
            match fs::read_dir(shown.join("fd")) {
                Ok(open) => open.flatten().for_each(|entry| holdings.add(&entry)),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    holdings.hiding.insert(pid);
                }
                // It has ended meanwhile.
                Err(_) => {}
            }
        }
        holdings
    }

    fn add(&mut self, entry: &fs::DirEntry) {
        let Ok(target) = fs::read_link(entry.path()) else { return };
        let target = target.as_os_str().as_encoded_bytes();
        if target.starts_with(b"socket:") {
            self.sockets += 1;
        } else if target.ends_with(b" (deleted)")
            && let Ok(found) = fs::metadata(entry.path())
        {
            self.removed.insert((found.dev(), found.ino()), found.blocks() * 512);
        }
    }

    /// Bytes of memory that may wait in sockets.
    pub(crate) fn memory(&self) -> u64 {
        self.sockets.saturating_sub(SOCKETS_FREE) * SOCKET_BYTES
    }

    /// Bytes in files that no folder shows.
    pub(crate) fn disk(&self) -> u64 {
        self.removed.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn removed_files_that_are_open_are_counted() {
        let path = std::env::temp_dir().join(format!("quintain-removed-{}", std::process::id()));
        let mut file = fs::File::create(&path).expect("a file");
        file.write_all(&[1; 64 * 1024]).expect("room");
        file.sync_all().expect("a disk");
        let own = [std::process::id().cast_signed()];
        let before = Holdings::of(&own).disk();
        fs::remove_file(&path).expect("it is ours");
        assert!(Holdings::of(&own).disk() >= before + 64 * 1024);
    }
}
