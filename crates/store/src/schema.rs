//! The tables and their versions, embedded in the program.
//!
//! The list is written out instead of using sqlx's macro: that one brings a third of sqlx's build
//! time for reading a folder with one file.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Where the applied versions are listed. A name of our own, since a server's database can hold the
/// tables of other programs, with a list of theirs.
pub(crate) const VERSIONS_TABLE: &str = "quintain_schema";

/// By version: what it brings, and its text.
const MIGRATIONS: &[(i64, &str, &str)] = &[
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
    let migrations = migrations().filter(|migration| migration.version <= version);
    let mut migrator = Migrator::with_migrations(migrations.collect());
    migrator.dangerous_set_table_name(VERSIONS_TABLE);
    migrator
}

/// Each version with the sum of its text, in the digits that the list of versions is read in.
pub(crate) fn checksums() -> Vec<(i64, String)> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    migrations().map(|migration| (migration.version, hex(&migration.checksum))).collect()
}

fn migrations() -> impl Iterator<Item = Migration> {
    MIGRATIONS.iter().map(|&(version, about, text)| {
        let kind = MigrationType::Simple;
        Migration::new(version, about.into(), kind, text.into_sql_str(), false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_count_from_one_and_use_the_types_that_both_engines_have() {
        for (index, (version, _, text)) in MIGRATIONS.iter().enumerate() {
            assert_eq!(*version, index as i64 + 1);
            for word in ["SERIAL", "AUTOINCREMENT", "INTEGER", "BOOLEAN", "JSON", "TIMESTAMP"] {
                assert!(!text.contains(word), "{word} in migration {version}");
            }
        }
    }
}
