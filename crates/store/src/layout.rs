//! Whether a SQLite file holds the tables that quintain makes, before anything is read from them.
//!
//! One flipped bit in the declared type of a column makes the database library panic, and one in the
//! list of versions has migrations run twice. So the statements that made the tables are compared
//! with those of a fresh store in memory, and the list with what this program knows, through
//! expressions that have no declared type.

use std::collections::BTreeMap;
use std::str::FromStr;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, AssertSqlSafe, ConnectOptions, Connection};

use crate::schema::{self, VERSIONS_TABLE};
use crate::statement::Columns;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// No table at all, or none but an empty list of versions.
    Empty,
    /// All tables of this version, as they were made.
    Whole { version: i64 },
    /// Tables of a version that this program does not know.
    Newer { version: i64 },
    /// A version in the list is not the one that quintain made.
    Altered { version: i64 },
    /// Tables of something else.
    Foreign,
    /// Tables of ours that are not as they were made; what differs, in words.
    Damaged { why: String },
}

/// Tables and indexes by name, with the statement that made each.
type Statements = BTreeMap<String, String>;

pub(crate) async fn layout(connection: &mut AnyConnection) -> Result<Layout, sqlx::Error> {
    let found = statements(connection).await?;
    if found.is_empty() {
        return Ok(Layout::Empty);
    }
    if !found.contains_key(VERSIONS_TABLE) && !found.contains_key("games") {
        return Ok(Layout::Foreign);
    }
    let listed = listed_versions(connection).await?;
    let known = schema::known_version();
    if let Some(&(version, _)) = listed.last().filter(|(version, _)| *version > known) {
        return Ok(Layout::Newer { version });
    }
    let Some(version) = matching_version(&found).await? else {
        return Ok(Layout::Damaged { why: difference(&found, &fresh(known).await?) });
    };
    Ok(compare_versions(&listed, version))
}

/// The newest version whose tables are all there.
async fn matching_version(found: &Statements) -> Result<Option<i64>, sqlx::Error> {
    for version in (0..=schema::known_version()).rev() {
        let expected = fresh(version).await?;
        if expected.iter().all(|(name, sql)| found.get(name) == Some(sql)) {
            return Ok(Some(version));
        }
    }
    Ok(None)
}

/// The tables say which version it is; the list must say the same.
fn compare_versions(listed: &[(i64, String)], version: i64) -> Layout {
    let known: Vec<(i64, String)> =
        schema::checksums().into_iter().filter(|(known, _)| *known <= version).collect();
    let differs = known.iter().zip(listed).find(|(known, listed)| known != listed);
    match differs {
        Some(((version, _), _)) => Layout::Altered { version: *version },
        None if known.len() != listed.len() => Layout::Altered { version },
        None if version == 0 => Layout::Empty,
        None => Layout::Whole { version },
    }
}

/// The statements of a store of this version, made in memory.
async fn fresh(version: i64) -> Result<Statements, sqlx::Error> {
    let options = AnyConnectOptions::from_str("sqlite::memory:")?.disable_statement_logging();
    let mut connection = options.connect().await?;
    let made = schema::migrator_up_to(version).run(&mut connection).await;
    made.map_err(schema::as_query_error)?;
    let statements = statements(&mut connection).await;
    connection.close().await?;
    statements
}

async fn statements(connection: &mut AnyConnection) -> Result<Statements, sqlx::Error> {
    // What the engine makes for itself has no statement or a name with its prefix.
    let query = sqlx::query(
        "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_master \
         WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    );
    let mut statements = Statements::new();
    for row in query.fetch_all(connection).await? {
        let mut columns = Columns::of(&row);
        statements.insert(columns.text()?, columns.text()?);
    }
    Ok(statements)
}

/// The versions in the list with the sums of their texts; a failed one has no sum.
async fn listed_versions(
    connection: &mut AnyConnection,
) -> Result<Vec<(i64, String)>, sqlx::Error> {
    let query = AssertSqlSafe(format!(
        "SELECT CAST(version AS BIGINT), CASE WHEN success = 1 THEN hex(checksum) ELSE '' END \
         FROM {VERSIONS_TABLE} ORDER BY CAST(version AS BIGINT)"
    ));
    let rows = sqlx::query(query).fetch_all(connection).await?;
    let listed = |row| {
        let mut columns = Columns::of(row);
        Ok((columns.whole()?, columns.text()?))
    };
    rows.iter().map(listed).collect()
}

/// The first table or index that is missing or another one.
fn difference(found: &Statements, expected: &Statements) -> String {
    let missing = expected.keys().find(|name| !found.contains_key(*name));
    let other = || expected.iter().find(|(name, sql)| found.get(*name) != Some(*sql));
    match (missing, other()) {
        (Some(name), _) => format!("expected `{name}`, which is not there"),
        (None, Some((name, _))) => format!("`{name}` is not the one that quintain made"),
        (None, None) => unreachable!("a file without a difference is whole"),
    }
}
