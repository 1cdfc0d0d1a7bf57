//! Where the replays of many games go. Games of two runs have the same names, so that no two runs may
//! put them into the same folder.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use quintain_store::{RunInfo, Store};

use crate::arena::file_name_part;

/// Where replays go unless told otherwise.
pub const REPLAYS_FOLDER: &str = "replays";

/// How the files of replays end.
pub const REPLAY_EXTENSION: &str = "replay.jsonl.zst";

/// `folder/stem.extension`, or with a number behind the stem if that is taken.
pub fn free_path(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    let mut path = folder.join(format!("{stem}.{extension}"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{stem}-{number}.{extension}"));
        number += 1;
    }
    path
}

/// The folder for the replays of a stored run: beside the store if that is a file.
pub(crate) fn replays_of(store: &Store, run: &RunInfo) -> PathBuf {
    let folder = match store.folder() {
        Some(_) => PathBuf::from(store.place()).with_extension(REPLAYS_FOLDER),
        None => Path::new(REPLAYS_FOLDER).join(database_name(&store.place())),
    };
    folder.join(format!("{}-{}", run.id, file_name_part(&run.plan.name)))
}

/// Host and database of an address, as part of a path.
fn database_name(place: &str) -> String {
    let rest = place.split_once("://").map_or(place, |(_, rest)| rest);
    file_name_part(rest.rsplit_once('@').map_or(rest, |(_, host)| host))
}

/// A new folder for the replays of games that no store keeps. It is removed in the end if nothing was
/// left in it.
#[derive(Debug)]
pub(crate) struct NewFolder(PathBuf);

impl NewFolder {
    /// # Errors
    /// The system refused it.
    pub(crate) fn make(stem: &str) -> io::Result<NewFolder> {
        new_folder(Path::new(REPLAYS_FOLDER), stem).map(NewFolder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // A folder that holds something stays.
        if std::fs::remove_dir(&self.0).is_ok() {
            let _ = std::fs::remove_dir(REPLAYS_FOLDER);
        }
    }
}

/// The first of `STEM`, `STEM-2`, `STEM-3` and so on that is free, made.
fn new_folder(parent: &Path, stem: &str) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let name = if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") };
        let path = parent.join(name);
        std::fs::create_dir_all(parent)?;
        match std::fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_have_folders_of_their_own() {
        assert_eq!(database_name("postgres://me@host:5432/games"), "host_5432_games");
        assert_eq!(database_name("postgres://host/games"), "host_games");
    }

    #[test]
    fn a_new_folder_is_always_another_one() {
        let parent = tempfile::tempdir().expect("a folder");
        let folders = [1, 2, 3].map(|_| new_folder(parent.path(), "a").expect("there is room"));
        assert_eq!(folders, ["a", "a-2", "a-3"].map(|name| parent.path().join(name)));
    }
}
