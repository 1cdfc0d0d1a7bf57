//! Forgets what nobody will ask for any more.

use std::time::Duration;

use super::{JobBoard, OrderId, all_rows, execute};
use crate::statement::{Columns, Statement};
use crate::{StoreError, now_ms};

/// An order that nobody has asked about for so long is withdrawn. What was collected of it is where its run is kept;
/// whoever goes on with that run later orders the rest anew.
pub const ORDER_TIME_MAX: Duration = Duration::from_secs(14 * 24 * 3600);
/// How long it is remembered what workers did.
pub const MEMORY: Duration = Duration::from_secs(60 * 24 * 3600);

impl JobBoard {
    /// Withdraws orders that were forgotten, and forgets what is long over: the orders.
    ///
    /// # Errors
    /// The database fails.
    pub fn sweep(&self) -> Result<Vec<OrderId>, StoreError> {
        let forgotten = self.transact("look for forgotten orders", async |transaction| {
            let mut select = Statement::new("SELECT id FROM work_orders WHERE seen_ms < ");
            select.value(before(ORDER_TIME_MAX));
            let rows = all_rows(transaction, select).await?;
            rows.iter()
                .map(|row| Ok(OrderId(Columns::of(row).whole()?)))
                .collect::<Result<Vec<OrderId>, sqlx::Error>>()
        })?;
        for order in &forgotten {
            self.withdraw(*order)?;
        }
        self.transact("forget what is long over", async |transaction| {
            for table in [
                "DELETE FROM work_canaries WHERE at_ms < ",
                "DELETE FROM work_shares WHERE at_ms < ",
                "DELETE FROM work_pairs WHERE at_ms < ",
                "DELETE FROM work_refusals WHERE at_ms < ",
                "DELETE FROM work_given_up WHERE at_ms < ",
            ] {
                let mut delete = Statement::new(table);
                delete.value(before(MEMORY));
                execute(transaction, delete).await?;
            }
            Ok(())
        })?;
        Ok(forgotten)
    }

    /// The orders that are there, with their bodies.
    ///
    /// # Errors
    /// The database fails.
    pub fn orders(&self) -> Result<Vec<(OrderId, String)>, StoreError> {
        self.transact("list the orders", async |transaction| {
            let select = Statement::new("SELECT id, body FROM work_orders ORDER BY id");
            let rows = all_rows(transaction, select).await?;
            let order = |row| {
                let mut columns = Columns::of(row);
                Ok((OrderId(columns.whole()?), columns.text()?))
            };
            rows.iter().map(order).collect()
        })
    }
}

fn before(time: Duration) -> i64 {
    now_ms().saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}
