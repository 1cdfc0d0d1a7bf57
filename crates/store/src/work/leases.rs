//! Whoever plays games: claims, beats and reports.

use std::collections::BTreeSet;
use std::time::Duration;

use quintain_record::MatchId;
use sqlx::{Any, Transaction};

use super::orders::{forget_claim, forget_troubles, read_message};
use super::shares::count_shares;
use super::workers::{count_failure, count_games};
use super::{JobBoard, Lease, OrderId, TROUBLES_MAX, all_rows, execute, one_row};
use crate::statement::{Columns, ROWS_MAX, Statement};
use crate::{StoreError, now_ms};

/// A job that a worker has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    pub lease: Lease,
    pub order: OrderId,
    /// By how many thousandths times are multiplied for the speed of the worker.
    pub scale_milli: i64,
    /// How all games of the order are played.
    pub order_body: String,
    /// Which ones are to be played.
    pub games: Vec<String>,
}

/// What a worker may be given, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Whether games on a clock too.
    pub with_clock: bool,
    /// By how many thousandths their times are multiplied for its speed.
    pub scale_milli: i64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { with_clock: true, scale_milli: 1000 }
    }
}

/// What came of a game, to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewResult {
    pub game: MatchId,
    /// JSON.
    pub body: String,
    pub is_void: bool,
    pub is_disturbed: bool,
    /// Of the first seat: 2 if it won, 1 for a draw, 0 otherwise; `None` if the game is void.
    pub half_points: Option<u32>,
}

/// Why a job was not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The worker ends and has not played it. Nobody is to blame.
    GivenBack,
    /// It could not be played.
    Failed { log: String },
}

impl Trouble {
    /// As the log has it.
    fn code(&self) -> &'static str {
        match self {
            Trouble::GivenBack => "give-back",
            Trouble::Failed { .. } => "fail",
        }
    }
}

/// Whether a worker has the job that it speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    Yes,
    /// Its report was written down before; the answer was lost.
    Before,
    /// Nobody wants it any more, or somebody else has it by now.
    Lost,
    /// It never had it.
    Never,
    /// Its games are others than it says.
    OtherGames {
        expected: Vec<MatchId>,
    },
}

/// Who has a job, as it was written down when it was claimed.
struct Claim {
    lease: Lease,
    order: OrderId,
    worker: String,
    scale_milli: i64,
}

impl JobBoard {
    /// Gives a worker the oldest job that nobody holds.
    ///
    /// # Errors
    /// The database fails.
    pub fn claim(
        &self,
        worker: &str,
        lease: Duration,
        terms: Terms,
    ) -> Result<Option<Claimed>, StoreError> {
        let asked = self.ask("claim", worker, None);
        loop {
            let read = self.transact("claim a job", async |transaction| {
                self.read(transaction, worker, lease, terms).await
            })?;
            match read {
                Read::Nothing => {
                    asked.answer_quietly("none", None);
                    return Ok(None);
                }
                Read::Job(claimed) => {
                    asked.answer("claimed", claimed.lease);
                    return Ok(Some(claimed));
                }
                Read::GivenUp(lease) => asked.answer("gave-up", lease),
                Read::Unwanted => {}
            }
        }
    }

    async fn read(
        &self,
        transaction: &mut Transaction<'_, Any>,
        worker: &str,
        lease: Duration,
        terms: Terms,
    ) -> Result<Read, sqlx::Error> {
        let read = self.queue.read(lease, terms.with_clock);
        let Some(row) = one_row(transaction, read).await? else {
            return Ok(Read::Nothing);
        };
        let mut columns = Columns::of(&row);
        let lease = Lease { job: columns.whole()?, reads: columns.whole()? };
        let (order, games) = read_message(&columns.text()?)?;
        let mut select = Statement::new("SELECT body, timed FROM work_orders WHERE id = ");
        select.value(order.0);
        let Some(row) = one_row(transaction, select).await? else {
            execute(transaction, self.queue.remove(lease.job)).await?;
            return Ok(Read::Unwanted);
        };
        let mut columns = Columns::of(&row);
        let order_body = columns.text()?;
        let scale_milli = if columns.truth()? { terms.scale_milli } else { 1000 };
        if let Some(before) = claim_of(transaction, lease.job).await? {
            let silent = "took the job and was not heard of again";
            note_trouble(transaction, &before, silent).await?;
            if self.give_up_hopeless(transaction, &before).await? {
                return Ok(Read::GivenUp(lease));
            }
        }
        let mut insert = Statement::new(
            "INSERT INTO work_claims (job, reads, order_id, worker, since_ms, scale_milli) VALUES ",
        );
        insert.row(vec![
            lease.job.into(),
            lease.reads.into(),
            order.0.into(),
            worker.into(),
            now_ms().into(),
            scale_milli.into(),
        ]);
        execute(transaction, insert).await?;
        Ok(Read::Job(Claimed { lease, order, scale_milli, order_body, games }))
    }

    /// Renews a lease.
    ///
    /// # Errors
    /// The database fails.
    pub fn beat(&self, worker: &str, lease: Lease, time: Duration) -> Result<Held, StoreError> {
        let asked = self.ask("beat", worker, Some(lease));
        let held = self.transact("renew a lease", async |transaction| {
            self.hold(transaction, worker, lease, time).await.map(|(held, _)| held)
        })?;
        asked.answer_quietly(held.code(), Some(lease));
        Ok(held)
    }

    /// What a worker was given with a job, if it still has it; the lease is renewed.
    ///
    /// # Errors
    /// The database fails.
    pub fn claimed(
        &self,
        worker: &str,
        lease: Lease,
        time: Duration,
    ) -> Result<Result<Claimed, Held>, StoreError> {
        let asked = self.ask("look", worker, Some(lease));
        let looked = self.transact("look for the job", async |transaction| {
            let (held, claim) = self.hold(transaction, worker, lease, time).await?;
            let Some(claim) = claim else { return Ok(Err(held)) };
            let mut order = Statement::new("SELECT body FROM work_orders WHERE id = ");
            order.value(claim.order.0);
            let Some(row) = one_row(transaction, order).await? else { return Ok(Err(Held::Lost)) };
            let order_body = Columns::of(&row).text()?;
            let mut games =
                Statement::new("SELECT body FROM work_games WHERE state = 'waiting' AND job = ");
            games.value(lease.job).sql(" ORDER BY game");
            let rows = all_rows(transaction, games).await?;
            let games = rows.iter().map(|row| Columns::of(row).text()).collect::<Result<_, _>>()?;
            let Claim { order, scale_milli, .. } = claim;
            Ok(Ok(Claimed { lease, order, scale_milli, order_body, games }))
        })?;
        let held = looked.as_ref().err().unwrap_or(&Held::Yes);
        asked.answer_quietly(held.code(), Some(lease));
        Ok(looked)
    }

    /// Writes down what came of all games of a job, and takes it out of the queue: both or neither.
    ///
    /// # Errors
    /// The database fails.
    pub fn complete(
        &self,
        worker: &str,
        lease: Lease,
        results: &[NewResult],
    ) -> Result<Held, StoreError> {
        let asked = self.ask("complete", worker, Some(lease));
        let held = self.transact("write down what was played", async |transaction| {
            let (held, claim) = self.hold(transaction, worker, lease, super::LEASE).await?;
            let Some(claim) = claim else { return Ok(held) };
            let expected = games_of(transaction, lease.job).await?;
            let found: BTreeSet<MatchId> = results.iter().map(|result| result.game).collect();
            if found != expected || found.len() != results.len() {
                return Ok(Held::OtherGames { expected: expected.into_iter().collect() });
            }
            write_down(transaction, &claim, results).await?;
            count_games(transaction, worker, results).await?;
            count_shares(transaction, worker, claim.order, results).await?;
            execute(transaction, self.queue.remove(lease.job)).await?;
            forget_claim(transaction, lease.job).await?;
            forget_troubles(transaction, lease.job).await?;
            Ok(Held::Yes)
        })?;
        asked.answer(held.code(), lease);
        Ok(held)
    }

    /// Takes back a job that was not played. After some failures it is given up.
    ///
    /// # Errors
    /// The database fails.
    pub fn take_back(
        &self,
        worker: &str,
        lease: Lease,
        trouble: &Trouble,
    ) -> Result<Held, StoreError> {
        let asked = self.ask(trouble.code(), worker, Some(lease));
        let held = self.transact("take back a job", async |transaction| {
            // Visible to others at once.
            let (held, claim) = self.hold(transaction, worker, lease, Duration::ZERO).await?;
            let Some(claim) = claim else { return Ok(held) };
            if let Trouble::Failed { log } = trouble {
                note_trouble(transaction, &claim, log).await?;
                if self.give_up_hopeless(transaction, &claim).await? {
                    return Ok(Held::Yes);
                }
            }
            forget_claim(transaction, lease.job).await?;
            Ok(Held::Yes)
        })?;
        asked.answer(held.code(), lease);
        Ok(held)
    }

    /// Gives to others what a worker has.
    pub(super) async fn free_claims(
        &self,
        transaction: &mut Transaction<'_, Any>,
        worker: &str,
    ) -> Result<(), sqlx::Error> {
        let mut select = Statement::new("SELECT job, reads FROM work_claims WHERE worker = ");
        select.value(worker);
        for row in all_rows(transaction, select).await? {
            let mut columns = Columns::of(&row);
            let lease = Lease { job: columns.whole()?, reads: columns.whole()? };
            execute(transaction, self.queue.hold(lease, Duration::ZERO)).await?;
            forget_claim(transaction, lease.job).await?;
        }
        Ok(())
    }

    /// Whether the worker has the job, which it then holds for the time.
    async fn hold(
        &self,
        transaction: &mut Transaction<'_, Any>,
        worker: &str,
        lease: Lease,
        time: Duration,
    ) -> Result<(Held, Option<Claim>), sqlx::Error> {
        let claim = match claim_of(transaction, lease.job).await? {
            Some(claim) if claim.lease == lease => claim,
            Some(_) => return Ok((Held::Lost, None)),
            None => return Ok((what_became_of(transaction, worker, lease).await?, None)),
        };
        if claim.worker != worker {
            return Ok((Held::Never, None));
        }
        // The queue has the last word: somebody may have read the job since, or the same report may have come twice.
        match execute(transaction, self.queue.hold(lease, time)).await? {
            1 => Ok((Held::Yes, Some(claim))),
            _ => Ok((what_became_of(transaction, worker, lease).await?, None)),
        }
    }

    /// Gives a job up that came to nothing often enough; whether it did.
    async fn give_up_hopeless(
        &self,
        transaction: &mut Transaction<'_, Any>,
        claim: &Claim,
    ) -> Result<bool, sqlx::Error> {
        let job = claim.lease.job;
        forget_claim(transaction, job).await?;
        let mut select = Statement::new("SELECT worker, log FROM work_troubles WHERE job = ");
        select.value(job).sql(" ORDER BY number");
        let troubles = all_rows(transaction, select).await?;
        if troubles.len() < TROUBLES_MAX {
            return Ok(false);
        }
        let mut log = String::new();
        for row in &troubles {
            let mut columns = Columns::of(row);
            log.push_str(&format!("{}: {}\n", columns.text()?, columns.text()?));
        }
        let games = games_of(transaction, job).await?;
        let games: Vec<String> = games.iter().map(ToString::to_string).collect();
        let mut insert = Statement::new(
            "INSERT INTO work_given_up (job, order_id, owner, games, log, at_ms) SELECT ",
        );
        insert.value(job).sql(", id, owner, ").value(games.join(" ").as_str()).sql(", ");
        insert.value(log.as_str()).sql(", ").value(now_ms());
        insert.sql(" FROM work_orders WHERE id = ").value(claim.order.0);
        execute(transaction, insert).await?;
        // They may be asked for again.
        let mut delete =
            Statement::new("DELETE FROM work_games WHERE state = 'waiting' AND job = ");
        delete.value(job);
        execute(transaction, delete).await?;
        execute(transaction, self.queue.remove(job)).await?;
        forget_troubles(transaction, job).await?;
        Ok(true)
    }
}

/// What one look at the queue gave.
enum Read {
    Nothing,
    Job(Claimed),
    /// One that came to nothing too often.
    GivenUp(Lease),
    /// One whose order was withdrawn.
    Unwanted,
}

async fn claim_of(
    transaction: &mut Transaction<'_, Any>,
    job: i64,
) -> Result<Option<Claim>, sqlx::Error> {
    let mut select =
        Statement::new("SELECT reads, order_id, worker, scale_milli FROM work_claims WHERE job = ");
    select.value(job);
    let Some(row) = one_row(transaction, select).await? else { return Ok(None) };
    let mut columns = Columns::of(&row);
    let lease = Lease { job, reads: columns.whole()? };
    let (order, worker) = (OrderId(columns.whole()?), columns.text()?);
    Ok(Some(Claim { lease, order, worker, scale_milli: columns.whole()? }))
}

/// Of a job that somebody has no more.
async fn what_became_of(
    transaction: &mut Transaction<'_, Any>,
    worker: &str,
    lease: Lease,
) -> Result<Held, sqlx::Error> {
    let mut select =
        Statement::new("SELECT COUNT(*) FROM work_games WHERE state <> 'waiting' AND job = ");
    select.value(lease.job).sql(" AND reads = ").value(lease.reads);
    select.sql(" AND worker = ").value(worker);
    let row = select.query().fetch_one(&mut **transaction).await?;
    Ok(if Columns::of(&row).count()? > 0 { Held::Before } else { Held::Lost })
}

async fn games_of(
    transaction: &mut Transaction<'_, Any>,
    job: i64,
) -> Result<BTreeSet<MatchId>, sqlx::Error> {
    let mut select =
        Statement::new("SELECT game FROM work_games WHERE state = 'waiting' AND job = ");
    select.value(job);
    let rows = all_rows(transaction, select).await?;
    rows.iter().map(|row| Columns::of(row).code()).collect()
}

async fn write_down(
    transaction: &mut Transaction<'_, Any>,
    claim: &Claim,
    results: &[NewResult],
) -> Result<(), sqlx::Error> {
    for some in results.chunks(ROWS_MAX) {
        let mut update = Statement::new(
            "UPDATE work_games SET state = 'played', body = played.column2, worker = ",
        );
        update.value(claim.worker.as_str()).sql(", reads = ").value(claim.lease.reads);
        update.sql(", changed_ms = ").value(now_ms()).sql(" FROM (VALUES ");
        update.rows(some.iter().map(|result| {
            vec![result.game.to_string().as_str().into(), result.body.as_str().into()]
        }));
        update.sql(") AS played WHERE work_games.game = played.column1 AND work_games.order_id = ");
        update.value(claim.order.0);
        execute(transaction, update).await?;
    }
    Ok(())
}

async fn note_trouble(
    transaction: &mut Transaction<'_, Any>,
    claim: &Claim,
    log: &str,
) -> Result<(), sqlx::Error> {
    let mut insert = Statement::new(
        "INSERT INTO work_troubles (job, number, worker, log, at_ms) \
         SELECT ",
    );
    insert.value(claim.lease.job).sql(", COUNT(*) + 1, ").value(claim.worker.as_str());
    insert.sql(", ").value(log).sql(", ").value(now_ms());
    insert.sql(" FROM work_troubles WHERE job = ").value(claim.lease.job);
    execute(transaction, insert).await?;
    count_failure(transaction, &claim.worker, log).await
}
