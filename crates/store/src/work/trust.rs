//! How far a worker is trusted: canaries, speed and noise, quarantine.

use super::{JobBoard, all_rows, execute};
use crate::statement::{Columns, Statement};
use crate::{StoreError, now_ms};

/// What came of a game whose end the server knew before it handed it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanaryResult {
    pub job: i64,
    pub worker: String,
    pub at_ms: i64,
    pub seed: i64,
    /// What differed; `None` if it came out as it must.
    pub wrong: Option<String>,
    /// How long it took the worker, with all of its slots busy.
    pub took_us: i64,
    /// How long it took the server.
    pub known_us: i64,
}

/// What the games of a worker say about its machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// In thousandths of the server's speed; `None` if nothing is known.
    pub speed_milli: Option<i64>,
    /// Why it is given no games with a clock; `None` if it is.
    pub noise: Option<String>,
}

/// What a worker played of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunShare {
    pub order: i64,
    pub games: u64,
    pub disturbed: u64,
    /// When it last played one.
    pub at_ms: i64,
}

impl JobBoard {
    /// A word that only whoever reads this store knows: `new`, if there is none yet.
    ///
    /// # Errors
    /// The database fails.
    pub fn secret(&self, new: &str) -> Result<String, StoreError> {
        self.transact("look for the secret of leases", async |transaction| {
            let mut insert = Statement::new("INSERT INTO work_secrets (name, value) VALUES ");
            insert.row(vec!["lease".into(), new.into()]).sql(" ON CONFLICT (name) DO NOTHING");
            execute(transaction, insert).await?;
            let select = Statement::new("SELECT value FROM work_secrets WHERE name = 'lease'");
            let row = select.query().fetch_one(&mut **transaction).await?;
            Columns::of(&row).text()
        })
    }

    /// The number of a job that is in no queue, and that no other job ever has.
    ///
    /// # Errors
    /// The database fails.
    pub fn job_number(&self) -> Result<i64, StoreError> {
        self.transact("take the number of a job", async |transaction| {
            let row = self.queue.send("{}").query().fetch_one(&mut **transaction).await?;
            let job = Columns::of(&row).whole()?;
            execute(transaction, self.queue.remove(job)).await?;
            Ok(job)
        })
    }

    /// A number that no order has.
    ///
    /// # Errors
    /// The database fails.
    pub fn order_number(&self) -> Result<i64, StoreError> {
        self.transact("take the number of an order", async |transaction| {
            super::orders::next_order(transaction).await
        })
    }

    /// Writes down what came of a canary.
    ///
    /// # Errors
    /// The database fails.
    pub fn note_canary(&self, canary: &CanaryResult) -> Result<(), StoreError> {
        self.transact("write down a canary", async |transaction| {
            let mut insert = Statement::new(
                "INSERT INTO work_canaries (job, worker, at_ms, seed, wrong, took_us, known_us) VALUES ",
            );
            insert.row(vec![
                canary.job.into(),
                canary.worker.as_str().into(),
                canary.at_ms.into(),
                canary.seed.to_string().as_str().into(),
                canary.wrong.as_deref().into(),
                canary.took_us.into(),
                canary.known_us.into(),
            ]);
            insert.sql(" ON CONFLICT (job) DO NOTHING");
            execute(transaction, insert).await.map(|_| ())
        })
    }

    /// The latest canaries of a worker, the newest first.
    ///
    /// # Errors
    /// The database fails.
    pub fn canaries(&self, worker: &str, most: u32) -> Result<Vec<CanaryResult>, StoreError> {
        self.transact("list the canaries", async |transaction| {
            let mut select = Statement::new(
                "SELECT job, worker, at_ms, seed, wrong, took_us, known_us FROM work_canaries \
                 WHERE worker = ",
            );
            select.value(worker).sql(" ORDER BY at_ms DESC, job DESC LIMIT ").value(most);
            let rows = all_rows(transaction, select).await?;
            rows.iter().map(canary_of).collect()
        })
    }

    /// What a worker played of each run since it was last forgiven, the newest first.
    ///
    /// # Errors
    /// The database fails.
    pub fn shares(&self, worker: &str) -> Result<Vec<RunShare>, StoreError> {
        self.transact("list the runs of a worker", async |transaction| {
            let mut select = Statement::new(
                "SELECT s.order_id, s.games, s.disturbed, s.at_ms FROM work_shares AS s \
                 JOIN work_workers AS w ON w.name = s.worker \
                 WHERE s.at_ms > w.lifted_ms AND s.worker = ",
            );
            select.value(worker).sql(" ORDER BY s.at_ms DESC, s.order_id DESC");
            let rows = all_rows(transaction, select).await?;
            rows.iter().map(share_of).collect()
        })
    }

    /// Writes down how fast and how quiet a worker is.
    ///
    /// # Errors
    /// The database fails.
    pub fn note_standing(&self, worker: &str, standing: &Standing) -> Result<(), StoreError> {
        self.transact("note what a worker is like", async |transaction| {
            let mut update = Statement::new("UPDATE work_workers SET speed_milli = ");
            update.value(standing.speed_milli).sql(", noise = ");
            update.value(standing.noise.as_deref()).sql(" WHERE name = ").value(worker);
            execute(transaction, update).await.map(|_| ())
        })
    }

    /// Gives a worker nothing any more, and what it has to others. The first reason stays.
    ///
    /// # Errors
    /// The database fails.
    pub fn quarantine(&self, worker: &str, why: &str) -> Result<(), StoreError> {
        self.transact("put a worker into quarantine", async |transaction| {
            let mut update = Statement::new("UPDATE work_workers SET quarantined_ms = ");
            update.value(now_ms()).sql(", quarantine = ").value(why).sql(", last_words = ");
            update.value(why).sql(" WHERE quarantined_ms IS NULL AND name = ").value(worker);
            execute(transaction, update).await?;
            self.free_claims(transaction, worker).await
        })
    }

    /// Forgives a worker. `false` if there is none of this name in quarantine.
    ///
    /// # Errors
    /// The database fails.
    pub fn lift_quarantine(&self, worker: &str) -> Result<bool, StoreError> {
        self.transact("lift a quarantine", async |transaction| {
            let mut update = Statement::new(
                "UPDATE work_workers SET quarantined_ms = NULL, quarantine = NULL, noise = NULL, lifted_ms = ",
            );
            update.value(now_ms()).sql(" WHERE quarantined_ms IS NOT NULL AND name = ");
            update.value(worker);
            Ok(execute(transaction, update).await? == 1)
        })
    }
}

fn canary_of(row: &sqlx::any::AnyRow) -> Result<CanaryResult, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(CanaryResult {
        job: columns.whole()?,
        worker: columns.text()?,
        at_ms: columns.whole()?,
        seed: columns.code()?,
        wrong: columns.text_or_none()?,
        took_us: columns.whole()?,
        known_us: columns.whole()?,
    })
}

fn share_of(row: &sqlx::any::AnyRow) -> Result<RunShare, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(RunShare {
        order: columns.whole()?,
        games: columns.count()?,
        disturbed: columns.count()?,
        at_ms: columns.whole()?,
    })
}
