//! Connections, and the few things that the two engines do not share: how a connection is set up
//! and what their error codes mean.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::MigrateError;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, ConnectOptions, Connection};

use crate::layout::{self, Layout};
use crate::schema::{self, VERSIONS_TABLE};
use crate::store_address::StoreAddress;
use crate::{StoreError, statement::Columns};

/// How long a server may take to answer the first time.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(10);

/// Readers beside the writer. One thread reads at a time almost always.
const READERS_MAX: u32 = 4;

/// Two processes that make the same store at the same moment get in each other's way once, not
/// often.
const OPEN_ATTEMPTS: u32 = 5;
const OPEN_PAUSE: Duration = Duration::from_millis(100);

/// WAL lets readers read while a game is written. `synchronous = FULL` makes a commit wait until the
/// log is on the disk: with NORMAL a power cut would keep the file whole, but take back the last
/// games, whose results someone may have seen. The price is one flush for each batch of games.
const SQLITE_SESSION: &str = "PRAGMA busy_timeout = 20000; PRAGMA journal_mode = WAL; \
    PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384";

/// Where nothing may be written there is nothing to set up for it.
const SQLITE_READING: &str = "PRAGMA busy_timeout = 20000; PRAGMA cache_size = -16384";

/// For a process that looks into files of strangers: room for the caches of all connections, and none for a
/// value that no store holds.
const SQLITE_HEAP_LIMIT: &str = "; PRAGMA hard_heap_limit = 134217728";

/// SQLite has one heap for all files that a process has open.
static IS_WARY: AtomicBool = AtomicBool::new(false);

/// See [`crate::Store::be_wary`].
pub(crate) fn be_wary() {
    IS_WARY.store(true, Ordering::Relaxed);
}

fn is_wary() -> bool {
    IS_WARY.load(Ordering::Relaxed)
}

/// The same guarantee whatever the server's defaults are. The keep-alives let a server notice within
/// a minute that a player's machine is gone, and with it its right to the run.
const POSTGRES_SESSION: &str = "SET synchronous_commit = on; SET tcp_keepalives_idle = 20; \
    SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3";

/// Whether a store may be made where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    Make,
    Refuse,
}

/// Connects, brings the tables up to date and gives connections for reading, with the place as it was
/// opened: who only wants to read may do so where nothing may be written.
pub(crate) async fn open(
    place: StoreAddress,
    missing: Missing,
) -> Result<(AnyPool, StoreAddress), StoreError> {
    sqlx::any::install_default_drivers();
    let is_new = missing == Missing::Make && place.file().is_some_and(|path| !path.exists());
    let opened = open_repeatedly(place.clone(), missing).await;
    if is_new && matches!(opened, Err(StoreError::Full { .. })) {
        remove_if_empty(&place).await;
    }
    opened
}

/// Takes away a new file in which there was no room for tables, so that nobody takes it for a store.
async fn remove_if_empty(place: &StoreAddress) {
    let Some(path) = place.file() else { return };
    let is_empty = match connect(place).await {
        Ok(mut connection) => {
            let version = file_version(place, &mut connection).await;
            let _ = connection.close().await;
            matches!(version, Ok(None))
        }
        Err(_) => path.metadata().is_ok_and(|found| found.len() == 0),
    };
    if is_empty {
        for ending in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            // What is not there need not be removed.
            let _ = std::fs::remove_file(name);
        }
    }
}

async fn open_repeatedly(
    place: StoreAddress,
    missing: Missing,
) -> Result<(AnyPool, StoreAddress), StoreError> {
    let mut attempt = 1;
    loop {
        match prepare(&place, missing).await {
            Ok(()) => return Ok((reading_pool(&place)?, place)),
            Err(StoreError::NotWritable { .. }) if missing == Missing::Refuse => {
                return open_to_read(place).await;
            }
            Err(StoreError::Failed { .. } | StoreError::Foreign { .. })
                if attempt < OPEN_ATTEMPTS =>
            {
                attempt += 1;
                tokio::time::sleep(OPEN_PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}

async fn open_to_read(place: StoreAddress) -> Result<(AnyPool, StoreAddress), StoreError> {
    let place = match place {
        StoreAddress::File(path) => StoreAddress::ReadOnly(path),
        other => other,
    };
    let mut connection = connect(&place).await?;
    let version = file_version(&place, &mut connection).await;
    let _ = connection.close().await;
    let text = place.to_string();
    match (version?, schema::known_version()) {
        (None, _) => Err(StoreError::NotThere { place: text }),
        (Some(found), known) if found < known => {
            Err(StoreError::Older { place: text, found, known })
        }
        (Some(_), _) => Ok((reading_pool(&place)?, place)),
    }
}

/// Which version's tables a SQLite file holds; `None` if it holds nothing. Anything but a whole store
/// is an error.
async fn file_version(
    place: &StoreAddress,
    connection: &mut AnyConnection,
) -> Result<Option<i64>, StoreError> {
    let known = schema::known_version();
    let layout = layout::layout(connection).await;
    let place_text = place.to_string();
    match layout.map_err(|error| failed(place, "look for tables", &error))? {
        Layout::Empty => Ok(None),
        Layout::Whole { version } => Ok(Some(version)),
        Layout::Newer { version } => {
            Err(StoreError::Newer { place: place_text, found: version, known })
        }
        Layout::Altered { version } => Err(StoreError::Altered { place: place_text, version }),
        Layout::Foreign => Err(StoreError::Foreign { place: place_text }),
        Layout::Damaged { why } => Err(StoreError::Damaged { place: place_text, reason: why }),
    }
}

/// A connection of its own, set up.
pub(crate) async fn connect(place: &StoreAddress) -> Result<AnyConnection, StoreError> {
    let options = options(place)?;
    let connecting = tokio::time::timeout(CONNECT_TIME_MAX, options.connect());
    let mut connection = match connecting.await {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => return Err(connect_error(place, &error)),
        Err(_) => {
            let reason = format!("no answer within {} s", CONNECT_TIME_MAX.as_secs());
            return Err(StoreError::Unreachable { place: place.to_string(), reason });
        }
    };
    match sqlx::raw_sql(AssertSqlSafe(session(place))).execute(&mut connection).await {
        Ok(_) => Ok(connection),
        Err(error) => Err(connect_error(place, &error)),
    }
}

/// Whether the connection is gone, so that a new one may help.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        // The server is shutting down or starting up.
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
        }
        _ => false,
    }
}

pub(crate) fn failed(place: &StoreAddress, doing: &'static str, error: &sqlx::Error) -> StoreError {
    let (place, reason) = (place.to_string(), reason(error));
    match is_damage(error) {
        true => StoreError::Damaged { place, reason: format!("cannot {doing}: {reason}") },
        false if is_full(error) => StoreError::Full { doing, place, reason },
        false => StoreError::Failed { doing, place, reason },
    }
}

/// Whether SQLite found no room on the disk.
fn is_full(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| sqlite_code(&code) == Some(SQLITE_FULL))
}

/// Whether the database found its file broken, or holds what no store writes.
fn is_damage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => true,
        sqlx::Error::Database(error) => {
            sqlite_code(&error.code().unwrap_or_default()).is_some_and(is_damage_code)
        }
        _ => false,
    }
}

/// SQLite's codes are numbers of up to four digits, of which the lowest byte is the kind. A server's
/// have five characters.
fn sqlite_code(code: &str) -> Option<u32> {
    code.parse::<u32>().ok().filter(|_| code.len() < 5).map(|code| code & 0xff)
}

const SQLITE_FULL: u32 = 13;

/// SQLITE_CORRUPT and SQLITE_FORMAT, and SQLITE_NOMEM where the heap has a limit: what a store holds fits
/// into it.
fn is_damage_code(code: u32) -> bool {
    matches!(code, 11 | 24) || (code == 7 && is_wary())
}

/// The database's own words, without the library's introduction.
fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        sqlx::Error::Configuration(error) => error.to_string(),
        other => other.to_string(),
    }
}

fn options(place: &StoreAddress) -> Result<AnyConnectOptions, StoreError> {
    let options = AnyConnectOptions::from_str(&place.url()).map_err(|error| {
        StoreError::Address { given: place.to_string(), why: format!(": {}", reason(&error)) }
    })?;
    Ok(options.disable_statement_logging())
}

fn session(place: &StoreAddress) -> String {
    let limit = if is_wary() { SQLITE_HEAP_LIMIT } else { "" };
    match place {
        StoreAddress::File(_) => format!("{SQLITE_SESSION}{limit}"),
        StoreAddress::ReadOnly(_) => format!("{SQLITE_READING}{limit}"),
        StoreAddress::Server(_) => POSTGRES_SESSION.to_owned(),
    }
}

fn reading_pool(place: &StoreAddress) -> Result<AnyPool, StoreError> {
    let session = session(place);
    let pool = AnyPoolOptions::new().max_connections(READERS_MAX).acquire_timeout(CONNECT_TIME_MAX);
    let pool = pool.after_connect(move |connection, _| {
        let session = AssertSqlSafe(session.clone());
        Box::pin(async move { sqlx::raw_sql(session).execute(connection).await.map(|_| ()) })
    });
    Ok(pool.connect_lazy_with(options(place)?))
}

/// Makes sure that there is a store with today's tables.
async fn prepare(place: &StoreAddress, missing: Missing) -> Result<(), StoreError> {
    if let StoreAddress::File(path) = place {
        check_file(path, missing)?;
    }
    let mut connection = connect(place).await?;
    let result = prepare_tables(place, missing, &mut connection).await;
    // Nothing depends on how the connection ends: what was written is committed.
    let _ = connection.close().await;
    result
}

async fn prepare_tables(
    place: &StoreAddress,
    missing: Missing,
    connection: &mut AnyConnection,
) -> Result<(), StoreError> {
    let version = match place {
        StoreAddress::File(_) | StoreAddress::ReadOnly(_) => {
            file_version(place, connection).await?
        }
        StoreAddress::Server(_) => server_version(place, connection).await?,
    };
    match version {
        None if missing == Missing::Refuse => {
            Err(StoreError::NotThere { place: place.to_string() })
        }
        // A whole file of today is left alone: to read a store is not to write to it.
        Some(version) if place.file().is_some() && version == schema::known_version() => Ok(()),
        _ => {
            let migrated = schema::migrator().run(&mut *connection).await;
            migrated.map_err(|error| migrate_error(place, error))
        }
    }
}

/// A version of the tables that a server has; `None` if it has no list of them.
async fn server_version(
    place: &StoreAddress,
    connection: &mut AnyConnection,
) -> Result<Option<i64>, StoreError> {
    let probe = AssertSqlSafe(format!("SELECT version FROM {VERSIONS_TABLE} LIMIT 1"));
    match sqlx::query(probe).fetch_optional(connection).await {
        Ok(row) => {
            let version = row.map(|row| Columns::of(&row).whole()).transpose();
            let version = version.map_err(|error| failed(place, "look for tables", &error))?;
            Ok(Some(version.unwrap_or_default()))
        }
        Err(error) if is_lost(&error) => Err(connect_error(place, &error)),
        Err(_) => Ok(None),
    }
}

/// What can be said about a file without opening it. It must not be opened here: closing it again
/// would take this process's other connections their locks.
fn check_file(path: &std::path::Path, missing: Missing) -> Result<(), StoreError> {
    let path_buf = PathBuf::from(path);
    if path.is_dir() {
        return Err(StoreError::Folder { path: path_buf });
    }
    if missing == Missing::Refuse && !path.exists() {
        return Err(StoreError::NotThere { place: path.display().to_string() });
    }
    if path.parent().is_some_and(|folder| !folder.is_dir()) {
        return Err(StoreError::NoFolder { path: path_buf });
    }
    Ok(())
}

fn connect_error(place: &StoreAddress, error: &sqlx::Error) -> StoreError {
    let (place_text, reason) = (place.to_string(), reason(error));
    let code = match error {
        sqlx::Error::Database(error) => error.code().unwrap_or_default().into_owned(),
        sqlx::Error::Configuration(_) => {
            return StoreError::Address { given: place_text, why: format!(": {reason}") };
        }
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => {
            return StoreError::Unreachable { place: place_text, reason };
        }
        _ => return StoreError::Open { place: place_text, reason },
    };
    let place = place_text;
    match (code.as_str(), sqlite_code(&code)) {
        // SQLSTATE: wrong login, no such database.
        (code, _) if code.starts_with("28") || code == "3D000" => {
            StoreError::Login { place, reason }
        }
        (code, _) if code.len() == 5 => StoreError::Unreachable { place, reason },
        // SQLITE_NOTADB
        (_, Some(26)) => StoreError::NoDatabase { place },
        (_, Some(code)) if is_damage_code(code) => StoreError::Damaged { place, reason },
        // SQLITE_CANTOPEN, SQLITE_READONLY: its log is written beside it.
        (_, Some(8 | 14)) => StoreError::NotWritable { place, reason },
        (_, Some(SQLITE_FULL)) => StoreError::Full { doing: "open the database", place, reason },
        // SQLITE_BUSY
        (_, Some(5)) => StoreError::Failed { doing: "open the database", place, reason },
        _ => StoreError::Open { place, reason },
    }
}

fn migrate_error(place: &StoreAddress, error: MigrateError) -> StoreError {
    let place_text = place.to_string();
    let known = schema::known_version();
    match error {
        MigrateError::VersionMissing(found) if found > known => {
            StoreError::Newer { place: place_text, found, known }
        }
        MigrateError::VersionMissing(version)
        | MigrateError::VersionMismatch(version)
        | MigrateError::Dirty(version) => StoreError::Altered { place: place_text, version },
        MigrateError::ExecuteMigration(sqlx::Error::Database(error), 1)
            if error.code().is_some_and(|code| code == "42P07") =>
        {
            StoreError::Foreign { place: place_text }
        }
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            failed(place, "make the tables", &error)
        }
        other => {
            let (doing, reason) = ("make the tables", other.to_string());
            StoreError::Failed { doing, place: place_text, reason }
        }
    }
}
