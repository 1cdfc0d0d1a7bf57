//! Workloads of any game, made ready: the only place that finds recordings for them.

use std::path::{Path, PathBuf};

use quintain_core::measure::{NamedWorkload, PrepareError, Prepared, Recording, Source};

use crate::AnyGame;
use crate::vectors::{game_of, read_lines};

/// Why a workload cannot be played here.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// Recordings are no part of the program. This one is no fault of theirs, so a caller can go on
    /// without.
    #[error("expected recorded matches of {game} in {}, found no such folder", folder.display())]
    NoRecordings { game: &'static str, folder: PathBuf },
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Recordings(#[from] PrepareError),
}

/// Makes a workload ready. Recordings come from `vectors`, or from its subfolder with the game's
/// name if there is one; without it, from where a checkout has them, seen from the current folder.
///
/// # Errors
/// There are no recordings, they cannot be read, or they do not show what is played here.
pub fn prepare(
    game: &dyn AnyGame,
    workload: &NamedWorkload,
    seed: i64,
    vectors: Option<&Path>,
) -> Result<Prepared, WorkloadError> {
    match workload.source {
        Source::Seed(prepare) => Ok(prepare(seed)),
        Source::Recordings(prepare) => {
            let game = game.facts().id;
            let folder = folder_of(game, vectors);
            if !folder.is_dir() {
                return Err(WorkloadError::NoRecordings { game, folder });
            }
            let mut failed = None;
            let mut recordings = Recordings { game, files: files(&folder)?, failed: &mut failed };
            let prepared = prepare(&mut recordings);
            match failed {
                Some(error) => Err(error),
                None => Ok(prepared?),
            }
        }
    }
}

fn folder_of(game: &str, vectors: Option<&Path>) -> PathBuf {
    match vectors {
        None => ["games", game, "tests", "vectors"].iter().collect(),
        Some(folder) => {
            let of_game = folder.join(game);
            if of_game.is_dir() { of_game } else { folder.to_owned() }
        }
    }
}

/// The files that can hold a recording, sorted by name, the last one first in the list.
fn files(folder: &Path) -> Result<Vec<PathBuf>, WorkloadError> {
    let failed = |error| WorkloadError::Read { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if name_of(&path).ends_with(".jsonl") || name_of(&path).ends_with(".jsonl.gz") {
            files.push(path);
        }
    }
    files.sort_by(|one, other| other.cmp(one));
    Ok(files)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads one file after the other; the first that cannot be read is the last.
struct Recordings<'a> {
    game: &'static str,
    /// The next one last.
    files: Vec<PathBuf>,
    failed: &'a mut Option<WorkloadError>,
}

impl Iterator for Recordings<'_> {
    type Item = Recording;

    fn next(&mut self) -> Option<Recording> {
        while let Some(path) = self.files.pop() {
            let lines = match read_lines(&path) {
                Ok(lines) => lines,
                Err(error) => {
                    self.files.clear();
                    *self.failed = Some(WorkloadError::Read { path, error });
                    return None;
                }
            };
            let first = lines.first().map_or("", String::as_str);
            if game_of(first).is_ok_and(|game| game == self.game) {
                return Some(Recording { name: name_of(&path), lines });
            }
        }
        None
    }
}
