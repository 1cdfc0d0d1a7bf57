//! Who may add games to a run: one process at a time, and none after its death.
//!
//! Beside a SQLite file it is a locked file, on a server an advisory lock of the connection that
//! writes. The system drops both when the process ends, however it ends, so there is nothing stale
//! to clean up. Since the server's lock belongs to the writing connection, whoever can still write
//! also still has the lock.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, AnyPool};

use crate::engine::failed;
use crate::statement::Columns;
use crate::store_address::StoreAddress;
use crate::{RunId, StoreError};

/// A process that was just killed may need a moment to be gone.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

/// Marks our locks among the advisory locks of a database.
const ADVISORY_CLASS: i32 = 0x5155_494e;

/// Held while games are added. Dropping it or closing the connection gives the right back.
#[derive(Debug)]
pub(crate) struct RunLock {
    /// `None` on a server.
    _file: Option<FileLock>,
}

/// Takes the right to add games to a run, or says who has it.
pub(crate) async fn take(
    place: &StoreAddress,
    connection: &mut AnyConnection,
    run: RunId,
    name: &str,
) -> Result<RunLock, StoreError> {
    let start = Instant::now();
    loop {
        let attempt = match place.file() {
            Some(path) => {
                let attempt = FileLock::attempt(path, run);
                attempt.map(|lock| lock.map(|file| RunLock { _file: Some(file) }))
            }
            None => attempt_advisory(connection, run, name).await,
        };
        let by = match attempt {
            Ok(Ok(lock)) => return Ok(lock),
            Ok(Err(by)) => by,
            Err(error) => return Err(failed(place, "lock the run", &error)),
        };
        if start.elapsed() >= PATIENCE {
            let (run, place) = (name.to_owned(), place.to_string());
            return Err(StoreError::Busy { run, place, by });
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether somebody has the right to add games to a run. Who looks at a file holds it for a moment, which
/// whoever wants the right has the patience for.
pub(crate) async fn is_taken(
    place: &StoreAddress,
    pool: &AnyPool,
    run: RunId,
) -> Result<bool, sqlx::Error> {
    if let Some(path) = place.file() {
        return Ok(FileLock::is_taken(path, run));
    }
    let query = sqlx::query(
        "SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid \
         WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() \
         AND CAST(l.classid AS BIGINT) = $1 AND CAST(l.objid AS BIGINT) = $2",
    );
    let query = query.bind(i64::from(ADVISORY_CLASS)).bind(run.0);
    Ok(Columns::of(&query.fetch_one(pool).await?).count()? > 0)
}

/// A locked file beside the database.
#[derive(Debug)]
pub(crate) struct FileLock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl FileLock {
    fn path(database: &Path, run: RunId) -> PathBuf {
        let mut name = database.as_os_str().to_owned();
        name.push(format!(".run-{run}.lock"));
        PathBuf::from(name)
    }

    /// A file that is not there is not locked, nor is one that may not be looked at.
    fn is_taken(database: &Path, run: RunId) -> bool {
        let Ok(file) = File::open(FileLock::path(database, run)) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// The lock, or who has it.
    fn attempt(database: &Path, run: RunId) -> Result<Result<FileLock, String>, sqlx::Error> {
        let path = FileLock::path(database, run);
        let mut open = File::options();
        let mut file = open.read(true).write(true).create(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                file.read_to_string(&mut holder)?;
                return Ok(Err(holder));
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        // The last holder may have removed the file after it was opened here: then this lock is on
        // a file that nobody else will find.
        if !is_at(&file, &path) {
            return Ok(Err(String::new()));
        }
        file.set_len(0)?;
        file.rewind()?;
        write!(file, " by process {}", std::process::id())?;
        Ok(Ok(FileLock { path, _file: file }))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // While it is still locked. A file that cannot be removed does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let same = |a: fs::Metadata, b: fs::Metadata| a.ino() == b.ino() && a.dev() == b.dev();
    file.metadata().is_ok_and(|file| fs::metadata(path).is_ok_and(|path| same(file, path)))
}

async fn attempt_advisory(
    connection: &mut AnyConnection,
    run: RunId,
    name: &str,
) -> Result<Result<RunLock, String>, sqlx::Error> {
    // Shown to whoever wants the run next, and in the server's list of connections, which cuts it.
    let title = format!("quintain, process {}, run {name}", std::process::id());
    let title = sqlx::query("SELECT set_config('application_name', $1, false)").bind(title);
    title.execute(&mut *connection).await?;
    let object = i32::try_from(run.0).map_err(|error| sqlx::Error::Encode(error.into()))?;
    let query = "SELECT CAST(CAST(pg_try_advisory_lock($1, $2) AS INTEGER) AS BIGINT)";
    let query = sqlx::query(query).bind(ADVISORY_CLASS).bind(object);
    if Columns::of(&query.fetch_one(&mut *connection).await?).truth()? {
        return Ok(Ok(RunLock { _file: None }));
    }
    let query = sqlx::query(
        "SELECT a.application_name, CAST(a.client_addr AS TEXT) FROM pg_locks l \
         JOIN pg_stat_activity a ON a.pid = l.pid \
         WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() \
         AND CAST(l.classid AS BIGINT) = $1 AND CAST(l.objid AS BIGINT) = $2",
    );
    let query = query.bind(i64::from(ADVISORY_CLASS)).bind(i64::from(object));
    let Some(row) = query.fetch_optional(&mut *connection).await? else {
        return Ok(Err(String::new()));
    };
    let mut columns = Columns::of(&row);
    let title = columns.text_or_none()?.unwrap_or_default();
    let from = columns.text_or_none()?.map(|address| format!(" at {address}"));
    Ok(Err(format!(" by \"{title}\"{}", from.unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_and_again_after_the_first_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("a.db");
        let attempt = || FileLock::attempt(&database, RunId(3)).unwrap();
        assert!(!FileLock::is_taken(&database, RunId(3)));
        let lock = attempt().unwrap();
        assert!(FileLock::is_taken(&database, RunId(3)));
        assert_eq!(attempt().unwrap_err(), format!(" by process {}", std::process::id()));
        assert!(FileLock::attempt(&database, RunId(4)).unwrap().is_ok());
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(attempt().is_ok());
    }

    #[test]
    fn a_lock_on_a_removed_file_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let file = File::create(&path).unwrap();
        assert!(is_at(&file, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&file, &path));
        File::create(&path).unwrap();
        assert!(!is_at(&file, &path));
    }
}
