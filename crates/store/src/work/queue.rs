//! The queue: whoever reads a job makes it invisible to others for the time of a lease, and counts that it was read.
//!
//! A queue is a few statements of its engine. They are executed by whoever has a transaction, so that a job leaves the
//! queue in the very moment in which its games are written down.

use std::time::Duration;

use sqlx::{AnyConnection, AssertSqlSafe};

use super::Lease;
use crate::now_ms;
use crate::statement::{Columns, Statement};
use crate::store_address::StoreAddress;

/// What a queue of jobs can do, as statements of its engine.
pub(crate) trait JobQueue: Send + Sync {
    /// How a transaction begins that will write.
    fn begin(&self) -> &'static str;

    /// Puts a job behind all others. One row: its number, which no other job ever has.
    fn send(&self, body: &str) -> Statement;

    /// Takes the oldest job that nobody holds; without a clock, the oldest of those whose body says `"timed": false`. A
    /// row if there is one: its number, how often it was read by now, its body.
    fn read(&self, lease: Duration, with_clock: bool) -> Statement;

    /// Holds a job from now on for this time, unless somebody else has read it since. Touches one row or none.
    fn hold(&self, lease: Lease, time: Duration) -> Statement;

    /// Takes a job out of the queue.
    fn remove(&self, job: i64) -> Statement;

    /// One row: how many jobs there are, held or not.
    fn length(&self) -> Statement;

    /// One row: how many jobs are held.
    fn held(&self) -> Statement;
}

/// The queue of a store, made if there is none.
pub(crate) async fn open(
    place: &StoreAddress,
    connection: &mut AnyConnection,
) -> Result<Box<dyn JobQueue>, sqlx::Error> {
    match place {
        StoreAddress::File(_) | StoreAddress::ReadOnly(_) => {
            sqlx::raw_sql(SQLITE_TABLE).execute(connection).await?;
            Ok(Box::new(SqliteQueue))
        }
        StoreAddress::Server(_) => {
            install_pgmq(connection).await?;
            Ok(Box::new(PgmqQueue))
        }
    }
}

const SQLITE_TABLE: &str = include_str!("../../migrations/work/queue_sqlite.sql");

/// A table of a store in a file. Its clock is that of this process: there is one server.
struct SqliteQueue;

impl JobQueue for SqliteQueue {
    /// Whoever reads first and writes then could find that another one has written in between.
    fn begin(&self) -> &'static str {
        "BEGIN IMMEDIATE"
    }

    fn send(&self, body: &str) -> Statement {
        let mut send =
            Statement::new("INSERT INTO work_jobs (reads, visible_ms, body) VALUES (0, 0, ");
        send.value(body).sql(") RETURNING CAST(id AS BIGINT)");
        send
    }

    fn read(&self, lease: Duration, with_clock: bool) -> Statement {
        let mut read = Statement::new("UPDATE work_jobs SET reads = reads + 1, visible_ms = ");
        read.value(after(lease)).sql(" WHERE id = (SELECT id FROM work_jobs WHERE visible_ms <= ");
        read.value(now_ms());
        if !with_clock {
            read.sql(" AND json_extract(body, '$.timed') = 0");
        }
        read.sql(" ORDER BY id LIMIT 1) RETURNING CAST(id AS BIGINT), reads, body");
        read
    }

    fn hold(&self, lease: Lease, time: Duration) -> Statement {
        let mut hold = Statement::new("UPDATE work_jobs SET visible_ms = ");
        hold.value(after(time)).sql(" WHERE id = ").value(lease.job);
        hold.sql(" AND reads = ").value(lease.reads);
        hold
    }

    fn remove(&self, job: i64) -> Statement {
        let mut remove = Statement::new("DELETE FROM work_jobs WHERE id = ");
        remove.value(job);
        remove
    }

    fn length(&self) -> Statement {
        Statement::new("SELECT COUNT(*) FROM work_jobs")
    }

    fn held(&self) -> Statement {
        let mut held = Statement::new("SELECT COUNT(*) FROM work_jobs WHERE visible_ms > ");
        held.value(now_ms());
        held
    }
}

fn after(time: Duration) -> i64 {
    now_ms().saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

const PGMQ: &str = include_str!("../../pgmq/pgmq.sql");

/// PGMQ in a PostgreSQL server, whose clock is the server's.
struct PgmqQueue;

impl JobQueue for PgmqQueue {
    fn begin(&self) -> &'static str {
        "BEGIN"
    }

    fn send(&self, body: &str) -> Statement {
        let mut send = Statement::new("SELECT pgmq.send('quintain_jobs', CAST(");
        send.value(body).sql(" AS JSONB))");
        send
    }

    fn read(&self, lease: Duration, with_clock: bool) -> Statement {
        let mut read = Statement::new(
            "SELECT msg_id, CAST(read_ct AS BIGINT), CAST(message AS TEXT) \
             FROM pgmq.read('quintain_jobs', CAST(",
        );
        // Its leases are whole seconds.
        let wanted = if with_clock { "{}" } else { r#"{"timed": false}"# };
        read.value(seconds(lease).ceil() as i64).sql(" AS INTEGER), 1, CAST(");
        read.value(wanted).sql(" AS JSONB))");
        read
    }

    /// By hand, since `pgmq.set_vt` does not ask who read the job last.
    fn hold(&self, lease: Lease, time: Duration) -> Statement {
        let mut hold = Statement::new(
            "UPDATE pgmq.q_quintain_jobs SET vt = clock_timestamp() + make_interval(secs => ",
        );
        hold.value(seconds(time)).sql(") WHERE msg_id = ").value(lease.job);
        hold.sql(" AND CAST(read_ct AS BIGINT) = ").value(lease.reads);
        hold
    }

    fn remove(&self, job: i64) -> Statement {
        let mut remove = Statement::new("SELECT CAST(pgmq.delete('quintain_jobs', ");
        remove.value(job).sql(") AS TEXT)");
        remove
    }

    fn length(&self) -> Statement {
        Statement::new("SELECT COUNT(*) FROM pgmq.q_quintain_jobs")
    }

    fn held(&self) -> Statement {
        Statement::new("SELECT COUNT(*) FROM pgmq.q_quintain_jobs WHERE vt > clock_timestamp()")
    }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

/// Puts PGMQ into a database that has none, and makes the queue. Two servers that open a database at the same time do
/// it one after the other.
async fn install_pgmq(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    use sqlx::Connection as _;
    /// Marks our lock among the advisory locks of a database.
    const LOCK: &str = "SELECT CAST(pg_advisory_xact_lock(1364543854, 0) AS TEXT)";
    const IS_THERE: &str =
        "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'pgmq' AND tablename = 'meta'";
    const HAS_QUEUE: &str = "SELECT COUNT(*) FROM pgmq.meta WHERE queue_name = 'quintain_jobs'";
    let mut transaction = connection.begin().await?;
    sqlx::query(LOCK).execute(&mut *transaction).await?;
    if Columns::of(&sqlx::query(IS_THERE).fetch_one(&mut *transaction).await?).whole()? == 0 {
        sqlx::raw_sql(PGMQ).execute(&mut *transaction).await?;
    }
    if Columns::of(&sqlx::query(HAS_QUEUE).fetch_one(&mut *transaction).await?).whole()? == 0 {
        let make = AssertSqlSafe("SELECT CAST(pgmq.create('quintain_jobs') AS TEXT)".to_owned());
        sqlx::query(make).execute(&mut *transaction).await?;
    }
    transaction.commit().await
}
