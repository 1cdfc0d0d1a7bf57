//! The tables and their versions, embedded in the program.
//!
//! The list is written out instead of using sqlx's macro: that one brings a third of sqlx's build
//! time for reading a folder with one file.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, SqlSafeStr};

/// Where the applied versions are listed. A name of our own, since a server's database can hold the
/// tables of other programs, with a list of theirs.
pub(crate) const VERSIONS_TABLE: &str = "quintain_schema";

/// The same for the tables of orders and jobs, which only a server of workers has.
pub(crate) const WORK_VERSIONS_TABLE: &str = "quintain_work_schema";

/// By version: what it brings, and its text.
type Migrations = &'static [(i64, &'static str, &'static str)];

const WORK_MIGRATIONS: Migrations = &[
    (1, "orders and jobs", include_str!("../migrations/work/0001_orders.sql")),
    (2, "how far workers are trusted", include_str!("../migrations/work/0002_trust.sql")),
    (3, "where the server is", include_str!("../migrations/work/0003_server.sql")),
];

const MIGRATIONS: Migrations = &[
    (1, "runs, bots and games", include_str!("../migrations/0001_games.sql")),
    (
        2,
        "kinds of error, sessions and indexes",
        include_str!("../migrations/0002_errors_and_sessions.sql"),
    ),
    (3, "what was played", include_str!("../migrations/0003_content.sql")),
    (4, "digests of replays", include_str!("../migrations/0004_replay_digest.sql")),
    (5, "causes of errors", include_str!("../migrations/0005_causes.sql")),
    (6, "sandboxes", include_str!("../migrations/0006_sandbox.sql")),
    (7, "wishes of sessions", include_str!("../migrations/0007_wish.sql")),
    (8, "indexes for pages", include_str!("../migrations/0008_looking.sql")),
    (9, "sums of games", include_str!("../migrations/0009_sums.sql")),
];

/// The version that this program writes.
pub(crate) fn known_version() -> i64 {
    MIGRATIONS.last().expect("there is a first migration").0
}

pub(crate) fn migrator() -> Migrator {
    migrator_up_to(known_version())
}

/// Makes the tables as they were at a version.
pub(crate) fn migrator_up_to(version: i64) -> Migrator {
    let migrations = migrations(MIGRATIONS).filter(|migration| migration.version <= version);
    listed_in(VERSIONS_TABLE, migrations.collect())
}

fn listed_in(table: &'static str, migrations: Vec<Migration>) -> Migrator {
    let mut migrator = Migrator::with_migrations(migrations);
    migrator.dangerous_set_table_name(table);
    migrator
}

/// Makes the tables of orders and jobs, or brings them up to date.
pub(crate) async fn migrate_work(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let migrator = listed_in(WORK_VERSIONS_TABLE, migrations(WORK_MIGRATIONS).collect());
    migrator.run(connection).await.map_err(as_query_error)
}

/// What the database said while tables were made.
pub(crate) fn as_query_error(error: MigrateError) -> sqlx::Error {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error,
        other => sqlx::Error::Configuration(other.into()),
    }
}

/// Each version with the sum of its text, in the digits that the list of versions is read in.
pub(crate) fn checksums() -> Vec<(i64, String)> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    migrations(MIGRATIONS).map(|migration| (migration.version, hex(&migration.checksum))).collect()
}

fn migrations(list: Migrations) -> impl Iterator<Item = Migration> {
    list.iter().map(|&(version, about, text)| {
        let kind = MigrationType::Simple;
        Migration::new(version, about.into(), kind, text.into_sql_str(), false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_count_from_one_and_use_the_types_that_both_engines_have() {
        for list in [MIGRATIONS, WORK_MIGRATIONS] {
            for (index, (version, about, text)) in list.iter().enumerate() {
                assert_eq!(*version, index as i64 + 1);
                for word in ["SERIAL", "AUTOINCREMENT", "INTEGER", "BOOLEAN", "JSON", "TIMESTAMP"] {
                    assert!(!text.contains(word), "{word} in migration {version}, {about}");
                }
            }
        }
    }
}
