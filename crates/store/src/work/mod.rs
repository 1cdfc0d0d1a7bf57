//! Games that other machines play.
//!
//! An order says how all games of a run are played. A job is some of its games, whole pairs only. A worker claims a job
//! and holds it for the time of a lease, which it renews; what it reports must carry the number of the job and how often
//! the job had been handed out, so that whoever lost a job cannot report it any more. A game is counted once: it has one
//! row, and that row is written in the transaction that takes its job out of the queue.
//!
//! Reading order: `queue.rs` (the queue of either engine), `orders.rs` (whoever wants games), `leases.rs` (whoever plays
//! them), `tokens.rs` and `workers.rs` (who they are), `trust.rs` (how far they are trusted), `shares.rs` and
//! `refusals.rs` (what people are shown of them), `sweep.rs` (what is forgotten), `journal.rs` (what of all this is told
//! in a log), `census.rs` (how much there is of it), `server.rs` (where the server is).

mod census;
mod journal;
mod leases;
mod orders;
mod queue;
mod refusals;
mod server;
mod shares;
mod sweep;
mod tokens;
mod trust;
mod workers;

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::pool::PoolConnection;
use sqlx::{Any, Connection as _, Transaction};

use self::queue::JobQueue;
use crate::schema::migrate_work;
use crate::statement::{Columns, Statement};
use crate::{Store, StoreError};

pub use self::census::Census;
pub use self::leases::{Claimed, Held, NewResult, Terms, Trouble};
pub use self::orders::{Failure, NewGame, NewOrder, OrderNow, PlayedResult};
pub use self::refusals::{RefusalKind, Refusals};
pub use self::server::WorkServer;
pub use self::shares::PairShare;
pub use self::sweep::{MEMORY, ORDER_TIME_MAX};
pub use self::tokens::{Token, TokenKind, new_token, token_digest};
pub use self::trust::{CanaryResult, RunShare, Standing};
pub use self::workers::WorkerInfo;

/// How long a worker holds a job without saying anything.
pub const LEASE: Duration = Duration::from_secs(60);
/// How often it says that it is still there.
pub const BEAT: Duration = Duration::from_secs(20);
/// How often a job may come to nothing before it is given up.
pub const TROUBLES_MAX: usize = 3;

/// An order's number in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderId(pub i64);

/// The right to a job: which, and how often it had been handed out when it was. Whoever gets it next has another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease {
    pub job: i64,
    pub reads: i64,
}

/// Where orders are placed and jobs are claimed. All functions block.
pub struct JobBoard {
    store: Store,
    queue: Box<dyn JobQueue>,
    /// A file has one writer at a time: whoever waits does so here, and not in the engine, which sleeps longer.
    file_writer: Option<Mutex<()>>,
    /// How often it was asked something, for the log.
    calls: AtomicU64,
}

impl JobBoard {
    /// Opens the board of a store, and makes it if there is none.
    ///
    /// # Errors
    /// The tables cannot be made, or a PostgreSQL server does not let PGMQ in.
    pub fn open(store: &Store) -> Result<JobBoard, StoreError> {
        let queue = store.block("open the queue of jobs", async {
            let mut connection = store.pool().acquire().await?;
            migrate_work(&mut connection).await?;
            queue::open(store.place_of(), &mut connection).await
        })?;
        let file_writer = store.place_of().file().map(|_| Mutex::new(()));
        Ok(JobBoard { store: store.clone(), queue, file_writer, calls: AtomicU64::new(1) })
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// How many jobs wait or are being played.
    ///
    /// # Errors
    /// The database fails.
    pub fn length(&self) -> Result<u64, StoreError> {
        self.store.block("count the jobs", async {
            let row = self.queue.length().query().fetch_one(self.store.pool()).await?;
            Columns::of(&row).count()
        })
    }

    /// Does something in one transaction, which is undone if it fails.
    fn transact<T>(
        &self,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Transaction<'_, Any>) -> Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        let writer = self.file_writer.as_ref();
        let _turn = writer.map(|writer| writer.lock().unwrap_or_else(PoisonError::into_inner));
        let done = self.store.block(doing, async {
            let mut connection: PoolConnection<Any> = self.store.pool().acquire().await?;
            let mut transaction = connection.begin_with(self.queue.begin()).await?;
            let done = work(&mut transaction).await?;
            transaction.commit().await?;
            Ok(done)
        });
        done.inspect_err(|error| tracing::warn!(%error, "the database failed"))
    }
}

impl fmt::Debug for JobBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JobBoard({})", self.store.place())
    }
}

/// Executes a statement; how many rows it touched.
async fn execute(
    transaction: &mut Transaction<'_, Any>,
    statement: Statement,
) -> Result<u64, sqlx::Error> {
    Ok(statement.query().execute(&mut **transaction).await?.rows_affected())
}

/// The only row of a statement, if it has one.
async fn one_row(
    transaction: &mut Transaction<'_, Any>,
    statement: Statement,
) -> Result<Option<AnyRow>, sqlx::Error> {
    statement.query().fetch_optional(&mut **transaction).await
}

async fn all_rows(
    transaction: &mut Transaction<'_, Any>,
    statement: Statement,
) -> Result<Vec<AnyRow>, sqlx::Error> {
    statement.query().fetch_all(&mut **transaction).await
}
