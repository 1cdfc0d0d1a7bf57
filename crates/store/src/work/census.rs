//! How much there is of everything on a board.

use super::JobBoard;
use super::orders::{away_since, count};
use crate::StoreError;
use crate::statement::Statement;

/// What a board holds at this moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Jobs that nobody has.
    pub queued: u64,
    /// Jobs that a worker has.
    pub leased: u64,
    /// Jobs that were given up and are still shown to people.
    pub failed: u64,
    pub orders: u64,
    /// Games whose results nobody has collected yet.
    pub waiting_results: u64,
    /// Workers that were heard of within the last moments, and the games that they play at a time.
    pub workers: u64,
    pub slots: u64,
}

impl JobBoard {
    /// Counts what there is.
    ///
    /// # Errors
    /// The database fails.
    pub fn census(&self) -> Result<Census, StoreError> {
        self.transact("count jobs and workers", async |transaction| {
            let jobs = count(transaction, self.queue.length()).await?;
            let leased = count(transaction, self.queue.held()).await?;
            let failed = Statement::new("SELECT COUNT(*) FROM work_given_up");
            let orders = Statement::new("SELECT COUNT(*) FROM work_orders");
            let results = Statement::new("SELECT COUNT(*) FROM work_games WHERE state = 'played'");
            let mut workers = Statement::new("SELECT COUNT(*) FROM work_workers WHERE seen_ms > ");
            workers.value(away_since());
            let mut slots = Statement::new(
                "SELECT CAST(COALESCE(SUM(slots), 0) AS BIGINT) FROM work_workers WHERE seen_ms > ",
            );
            slots.value(away_since());
            Ok(Census {
                queued: jobs.saturating_sub(leased),
                leased,
                failed: count(transaction, failed).await?,
                orders: count(transaction, orders).await?,
                waiting_results: count(transaction, results).await?,
                workers: count(transaction, workers).await?,
                slots: count(transaction, slots).await?,
            })
        })
    }
}
