//! What is known of the machines that play.

use sqlx::{Any, Transaction};

use super::{JobBoard, NewResult, Standing, all_rows, execute, one_row};
use crate::statement::{Columns, Statement};
use crate::{StoreError, now_ms};

/// A worker, by the name of its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerInfo {
    pub name: String,
    pub version: String,
    /// Games that it plays at a time.
    pub slots: u64,
    /// When it was last heard of.
    pub seen_ms: i64,
    /// What it played.
    pub games: u64,
    pub void_games: u64,
    /// Games in which an answer was late because the machine was busy.
    pub disturbed_games: u64,
    /// Jobs that it claimed and did not play.
    pub failed_jobs: u64,
    /// What it asked for or reported and was refused.
    pub refused: u64,
    /// What last went wrong with it.
    pub last_words: String,
    /// How fast and how quiet its machine is.
    pub standing: Standing,
    /// Since when it is given nothing, and why.
    pub quarantine: Option<(i64, String)>,
}

impl JobBoard {
    /// Notes that a worker is there: what is known of it.
    ///
    /// # Errors
    /// The database fails.
    pub fn note_worker(
        &self,
        name: &str,
        version: &str,
        slots: u32,
    ) -> Result<WorkerInfo, StoreError> {
        self.transact("note a worker", async |transaction| {
            let mut insert = Statement::new(
                "INSERT INTO work_workers (name, version, slots, seen_ms, games, void_games, \
                 disturbed_games, failed_jobs, refused, last_words) VALUES ",
            );
            let mut values = vec![name.into(), version.into(), slots.into(), now_ms().into()];
            values.extend([0_i64; 5].map(Into::into));
            values.push("".into());
            insert.row(values).sql(
                " ON CONFLICT (name) DO UPDATE SET version = excluded.version, \
                 slots = excluded.slots, seen_ms = excluded.seen_ms RETURNING ",
            );
            insert.sql(WORKER_COLUMNS);
            let row = insert.query().fetch_one(&mut **transaction).await?;
            worker_of(&row)
        })
    }

    /// All of them, by name.
    ///
    /// # Errors
    /// The database fails.
    pub fn workers(&self) -> Result<Vec<WorkerInfo>, StoreError> {
        self.transact("list the workers", async |transaction| {
            let mut select = Statement::new("SELECT ");
            select.sql(WORKER_COLUMNS).sql(" FROM work_workers ORDER BY name");
            let rows = all_rows(transaction, select).await?;
            rows.iter().map(worker_of).collect()
        })
    }

    /// The one of this name, if it was ever heard of.
    ///
    /// # Errors
    /// The database fails.
    pub fn worker(&self, name: &str) -> Result<Option<WorkerInfo>, StoreError> {
        self.transact("look for a worker", async |transaction| {
            let mut select = Statement::new("SELECT ");
            select.sql(WORKER_COLUMNS).sql(" FROM work_workers WHERE name = ").value(name);
            let row = one_row(transaction, select).await?;
            row.as_ref().map(worker_of).transpose()
        })
    }
}

const WORKER_COLUMNS: &str = "name, version, slots, seen_ms, games, void_games, disturbed_games, failed_jobs, refused, \
     last_words, speed_milli, noise, quarantined_ms, quarantine";

fn worker_of(row: &sqlx::any::AnyRow) -> Result<WorkerInfo, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(WorkerInfo {
        name: columns.text()?,
        version: columns.text()?,
        slots: columns.count()?,
        seen_ms: columns.whole()?,
        games: columns.count()?,
        void_games: columns.count()?,
        disturbed_games: columns.count()?,
        failed_jobs: columns.count()?,
        refused: columns.count()?,
        last_words: columns.text()?,
        standing: Standing {
            speed_milli: columns.whole_or_none()?,
            noise: columns.text_or_none()?,
        },
        quarantine: columns.whole_or_none()?.zip(columns.text_or_none()?),
    })
}

impl JobBoard {
    /// Notes that a worker could not play something that is in no queue.
    ///
    /// # Errors
    /// The database fails.
    pub fn note_failure(&self, name: &str, log: &str) -> Result<(), StoreError> {
        self.transact("note a failure", async |transaction| {
            count_failure(transaction, name, log).await
        })
    }
}

/// Counts a job that a worker could not play.
pub(super) async fn count_failure(
    transaction: &mut Transaction<'_, Any>,
    worker: &str,
    log: &str,
) -> Result<(), sqlx::Error> {
    let mut update =
        Statement::new("UPDATE work_workers SET failed_jobs = failed_jobs + 1, last_words = ");
    update.value(log).sql(" WHERE name = ").value(worker);
    execute(transaction, update).await.map(|_| ())
}

/// Counts the games of a report for whoever played them.
pub(super) async fn count_games(
    transaction: &mut Transaction<'_, Any>,
    worker: &str,
    results: &[NewResult],
) -> Result<(), sqlx::Error> {
    let of = |is: fn(&NewResult) -> bool| results.iter().filter(|result| is(result)).count() as i64;
    let mut update = Statement::new("UPDATE work_workers SET games = games + ");
    update.value(results.len() as i64).sql(", void_games = void_games + ");
    update.value(of(|result| result.is_void)).sql(", disturbed_games = disturbed_games + ");
    update.value(of(|result| result.is_disturbed)).sql(", seen_ms = ").value(now_ms());
    update.sql(" WHERE name = ").value(worker);
    execute(transaction, update).await.map(|_| ())
}
