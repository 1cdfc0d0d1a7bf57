//! Whoever wants games: orders, their jobs, and what came of them.

use std::collections::BTreeSet;
use std::time::Duration;

use quintain_record::MatchId;
use serde_json::Value;
use sqlx::{Any, Transaction};

use super::{JobBoard, Lease, OrderId, all_rows, execute, one_row};
use crate::insert::insert_rows;
use crate::statement::{Columns, ROWS_MAX, Statement};
use crate::{StoreError, now_ms};

/// Whoever has not been heard of for so long is not there.
const AWAY_TIME: Duration = Duration::from_secs(90);

/// An order, to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewOrder<'a> {
    /// The same for a run that is gone on with.
    pub key: &'a str,
    pub owner: &'a str,
    /// As the worker is told of it.
    pub body: &'a str,
    /// Whether results depend on how fast and how quiet a machine is.
    pub is_timed: bool,
}

/// A game of an order, to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGame {
    pub id: MatchId,
    /// As the worker is told of it.
    pub body: String,
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedResult {
    pub game: MatchId,
    /// JSON, as the server wrote it down.
    pub body: String,
    pub worker: String,
    /// By which it was played.
    pub lease: Lease,
}

/// A job that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Who wanted it.
    pub owner: String,
    pub games: Vec<MatchId>,
    /// What went wrong each time.
    pub log: String,
    pub at_ms: i64,
}

/// How far an order is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderNow {
    pub results: Vec<PlayedResult>,
    /// The leases of jobs of which every result is forgotten by now.
    pub forgotten: BTreeSet<Lease>,
    /// Games whose jobs are held by a worker.
    pub running: u64,
    /// Games that can be played at a time by all workers that are there.
    pub slots: u64,
    pub failures: Vec<Failure>,
}

impl JobBoard {
    /// Places an order, or goes on with the one of this key. The body of an order that is there stays as it is: whoever
    /// wants something else takes another key.
    ///
    /// # Errors
    /// The database fails.
    pub fn place_order(&self, order: &NewOrder<'_>) -> Result<OrderId, StoreError> {
        let NewOrder { key, owner, body, is_timed } = *order;
        self.transact("place an order", async |transaction| {
            let mut insert = Statement::new(
                "INSERT INTO work_orders (id, key, owner, body, created_ms, seen_ms, timed) VALUES ",
            );
            insert.row(vec![
                next_order(transaction).await?.into(),
                key.into(),
                owner.into(),
                body.into(),
                now_ms().into(),
                now_ms().into(),
                is_timed.into(),
            ]);
            insert.sql(" ON CONFLICT (key) DO NOTHING");
            execute(transaction, insert).await?;
            let mut select = Statement::new("SELECT id FROM work_orders WHERE key = ");
            select.value(key).sql(" AND owner = ").value(owner);
            let row = one_row(transaction, select).await?;
            let row =
                row.ok_or_else(|| sqlx::Error::Protocol("the order is another one's".to_owned()))?;
            Ok(OrderId(Columns::of(&row).whole()?))
        })
    }

    /// Whose order it is; `None` if there is none.
    ///
    /// # Errors
    /// The database fails.
    pub fn owner_of(&self, order: OrderId) -> Result<Option<String>, StoreError> {
        self.transact("look for the order", async |transaction| {
            let mut select = Statement::new("SELECT owner FROM work_orders WHERE id = ");
            select.value(order.0);
            let row = one_row(transaction, select).await?;
            row.map(|row| Columns::of(&row).text()).transpose()
        })
    }

    /// Puts jobs on the board, all or none: each is some games for one worker. Games that were asked for before wait,
    /// are being played, or wait to be taken: they are left out. How many games were added.
    ///
    /// # Errors
    /// The database fails.
    pub fn add_jobs(&self, order: OrderId, jobs: &[Vec<NewGame>]) -> Result<u64, StoreError> {
        self.transact("add jobs", async |transaction| {
            let mut timed = Statement::new("SELECT timed FROM work_orders WHERE id = ");
            timed.value(order.0);
            let Some(row) = one_row(transaction, timed).await? else { return Ok(0) };
            let is_timed = Columns::of(&row).truth()?;
            let mut added = 0;
            for job in jobs {
                added += self.add_job(transaction, order, is_timed, job).await?;
            }
            Ok(added)
        })
    }

    async fn add_job(
        &self,
        transaction: &mut Transaction<'_, Any>,
        order: OrderId,
        is_timed: bool,
        games: &[NewGame],
    ) -> Result<u64, sqlx::Error> {
        let mut known: BTreeSet<MatchId> = BTreeSet::new();
        let ids: Vec<MatchId> = games.iter().map(|game| game.id).collect();
        for some in ids.chunks(ROWS_MAX) {
            // Whoever asks again for what was given to him has lost it.
            let mut forget = of_games("DELETE FROM work_games WHERE ", order, some);
            forget.sql(" AND state = 'taken'");
            execute(transaction, forget).await?;
            let select = of_games("SELECT game FROM work_games WHERE ", order, some);
            for row in all_rows(transaction, select).await? {
                known.insert(Columns::of(&row).code()?);
            }
        }
        // One that is named twice is one game.
        let new: Vec<&NewGame> = games.iter().filter(|game| known.insert(game.id)).collect();
        if new.is_empty() {
            return Ok(0);
        }
        let message = message(order, is_timed, &new);
        let row = self.queue.send(&message).query().fetch_one(&mut **transaction).await?;
        let job = Columns::of(&row).whole()?;
        let row = |game: &&NewGame| {
            vec![
                order.0.into(),
                game.id.to_string().as_str().into(),
                job.into(),
                "waiting".into(),
                game.body.as_str().into(),
                now_ms().into(),
            ]
        };
        let into = "INSERT INTO work_games (order_id, game, job, state, body, changed_ms) VALUES ";
        insert_rows(transaction, into, new.iter().map(row).collect()).await?;
        Ok(new.len() as u64)
    }

    /// Forgets what came of the games in `taken`, which whoever asks has by now, and gives up to `most` others.
    ///
    /// # Errors
    /// The database fails.
    pub fn collect(
        &self,
        order: OrderId,
        taken: &[MatchId],
        most: u32,
    ) -> Result<OrderNow, StoreError> {
        self.transact("collect results", async |transaction| {
            let mut forgotten = BTreeSet::new();
            for some in taken.chunks(ROWS_MAX) {
                forgotten.append(&mut forget(transaction, order, some).await?);
            }
            let mut seen = Statement::new("UPDATE work_orders SET seen_ms = ");
            seen.value(now_ms()).sql(" WHERE id = ").value(order.0);
            execute(transaction, seen).await?;
            Ok(OrderNow {
                results: results(transaction, order, most).await?,
                forgotten,
                running: running(transaction, order).await?,
                slots: slots(transaction, order).await?,
                failures: failures(transaction, Some(order)).await?,
            })
        })
    }

    /// Takes back the jobs of an order that nobody has. The games that will not be played.
    ///
    /// # Errors
    /// The database fails.
    pub fn recall(&self, order: OrderId) -> Result<Vec<MatchId>, StoreError> {
        let asked = self.ask("recall", "", None);
        let (games, jobs) = self.transact("take jobs back", async |transaction| {
            let mut select = Statement::new(
                "SELECT g.game, g.job FROM work_games AS g \
                 LEFT JOIN work_claims AS c ON c.job = g.job \
                 WHERE c.job IS NULL AND g.state = 'waiting' AND g.order_id = ",
            );
            select.value(order.0);
            let (mut games, mut jobs) = (Vec::new(), BTreeSet::new());
            for row in all_rows(transaction, select).await? {
                let mut columns = Columns::of(&row);
                let (game, job) = (columns.code()?, columns.whole()?);
                jobs.insert(job);
                execute(transaction, self.queue.remove(job)).await?;
                execute(transaction, of_game("DELETE FROM work_games WHERE ", order, game)).await?;
                forget_troubles(transaction, job).await?;
                games.push(game);
            }
            Ok((games, jobs))
        })?;
        asked.removed(&jobs);
        Ok(games)
    }

    /// Ends an order: its jobs leave the queue, whoever plays one learns it at the next beat, and nothing is known of it
    /// any more but what failed.
    ///
    /// # Errors
    /// The database fails.
    pub fn withdraw(&self, order: OrderId) -> Result<(), StoreError> {
        let asked = self.ask("withdraw", "", None);
        let removed = self.transact("withdraw an order", async |transaction| {
            let mut removed = BTreeSet::new();
            let mut jobs = Statement::new("SELECT DISTINCT job FROM work_games WHERE order_id = ");
            jobs.value(order.0).sql(" AND state = 'waiting'");
            for row in all_rows(transaction, jobs).await? {
                let job = Columns::of(&row).whole()?;
                removed.insert(job);
                execute(transaction, self.queue.remove(job)).await?;
                forget_claim(transaction, job).await?;
                forget_troubles(transaction, job).await?;
            }
            for table in
                ["DELETE FROM work_games WHERE order_id = ", "DELETE FROM work_orders WHERE id = "]
            {
                let mut delete = Statement::new(table);
                delete.value(order.0);
                execute(transaction, delete).await?;
            }
            Ok(removed)
        })?;
        asked.removed(&removed);
        Ok(())
    }

    /// Jobs that were given up, of all orders.
    ///
    /// # Errors
    /// The database fails.
    pub fn failures(&self) -> Result<Vec<Failure>, StoreError> {
        self.transact("list failures", async |transaction| failures(transaction, None).await)
    }
}

/// A job as the queue holds it.
fn message(order: OrderId, is_timed: bool, games: &[&NewGame]) -> String {
    let games: Vec<&str> = games.iter().map(|game| game.body.as_str()).collect();
    serde_json::json!({ "order": order.0, "timed": is_timed, "games": games }).to_string()
}

/// What [`message`] made.
pub(super) fn read_message(text: &str) -> Result<(OrderId, Vec<String>), sqlx::Error> {
    let strange = || sqlx::Error::Decode("expected a job of quintain in the queue".into());
    let message: Value = serde_json::from_str(text).map_err(|_| strange())?;
    let order = message["order"].as_i64().ok_or_else(strange)?;
    let games = message["games"].as_array().ok_or_else(strange)?;
    let text = |game: &Value| game.as_str().map(str::to_owned).ok_or_else(strange);
    Ok((OrderId(order), games.iter().map(text).collect::<Result<_, _>>()?))
}

/// Forgets what came of games; the leases of jobs of which nothing is left.
async fn forget(
    transaction: &mut Transaction<'_, Any>,
    order: OrderId,
    games: &[MatchId],
) -> Result<BTreeSet<Lease>, sqlx::Error> {
    let update = "UPDATE work_games SET state = 'taken', body = NULL WHERE ";
    let mut update = of_games(update, order, games);
    update.sql(" AND state = 'played' RETURNING job, reads");
    let mut leases = BTreeSet::new();
    for row in all_rows(transaction, update).await? {
        let mut columns = Columns::of(&row);
        leases.insert(Lease { job: columns.whole()?, reads: columns.whole()? });
    }
    if leases.is_empty() {
        return Ok(leases);
    }
    let mut left =
        Statement::new("SELECT DISTINCT job FROM work_games WHERE state = 'played' AND job IN ");
    left.row(leases.iter().map(|lease| lease.job.into()).collect());
    for row in all_rows(transaction, left).await? {
        let job = Columns::of(&row).whole()?;
        leases.retain(|lease| lease.job != job);
    }
    Ok(leases)
}

fn of_games(sql: &'static str, order: OrderId, games: &[MatchId]) -> Statement {
    let mut statement = Statement::new(sql);
    statement.sql("order_id = ").value(order.0).sql(" AND game IN ");
    statement.row(games.iter().map(|game| game.to_string().as_str().into()).collect());
    statement
}

fn of_game(sql: &'static str, order: OrderId, game: MatchId) -> Statement {
    let mut statement = Statement::new(sql);
    statement.sql("order_id = ").value(order.0).sql(" AND game = ");
    statement.value(game.to_string().as_str());
    statement
}

pub(super) async fn forget_claim(
    transaction: &mut Transaction<'_, Any>,
    job: i64,
) -> Result<(), sqlx::Error> {
    let mut delete = Statement::new("DELETE FROM work_claims WHERE job = ");
    delete.value(job);
    execute(transaction, delete).await.map(|_| ())
}

pub(super) async fn forget_troubles(
    transaction: &mut Transaction<'_, Any>,
    job: i64,
) -> Result<(), sqlx::Error> {
    let mut delete = Statement::new("DELETE FROM work_troubles WHERE job = ");
    delete.value(job);
    execute(transaction, delete).await.map(|_| ())
}

async fn results(
    transaction: &mut Transaction<'_, Any>,
    order: OrderId,
    most: u32,
) -> Result<Vec<PlayedResult>, sqlx::Error> {
    let mut select = Statement::new(
        "SELECT game, body, COALESCE(worker, ''), job, reads FROM work_games \
         WHERE state = 'played' AND order_id = ",
    );
    select.value(order.0).sql(" ORDER BY changed_ms, job, game LIMIT ").value(most);
    let mut results = Vec::new();
    for row in all_rows(transaction, select).await? {
        let mut columns = Columns::of(&row);
        let (game, body) = (columns.code()?, columns.text()?);
        let worker = columns.text()?;
        let lease = Lease { job: columns.whole()?, reads: columns.whole()? };
        results.push(PlayedResult { game, body, worker, lease });
    }
    Ok(results)
}

async fn running(
    transaction: &mut Transaction<'_, Any>,
    order: OrderId,
) -> Result<u64, sqlx::Error> {
    let mut select = Statement::new(
        "SELECT COUNT(*) FROM work_claims AS c JOIN work_games AS g ON g.job = c.job \
         WHERE g.state = 'waiting' AND c.order_id = ",
    );
    select.value(order.0);
    count(transaction, select).await
}

/// Of the workers that are there and may be given games of an order.
async fn slots(transaction: &mut Transaction<'_, Any>, order: OrderId) -> Result<u64, sqlx::Error> {
    let mut select = Statement::new(
        "SELECT CAST(COALESCE(SUM(w.slots), 0) AS BIGINT) FROM work_workers AS w, work_orders AS o \
         WHERE w.quarantined_ms IS NULL AND (w.noise IS NULL OR o.timed = 0) AND o.id = ",
    );
    select.value(order.0).sql(" AND w.seen_ms > ").value(away_since());
    count(transaction, select).await
}

/// A number that no order ever had.
pub(super) async fn next_order(transaction: &mut Transaction<'_, Any>) -> Result<i64, sqlx::Error> {
    let next = Statement::new(
        "UPDATE work_numbers SET value = value + 1 WHERE name = 'order' RETURNING value",
    );
    let row = next.query().fetch_one(&mut **transaction).await?;
    Columns::of(&row).whole()
}

/// Whoever was heard of last before this moment is not there.
pub(super) fn away_since() -> i64 {
    now_ms() - i64::try_from(AWAY_TIME.as_millis()).unwrap_or(i64::MAX)
}

pub(super) async fn count(
    transaction: &mut Transaction<'_, Any>,
    select: Statement,
) -> Result<u64, sqlx::Error> {
    let row = select.query().fetch_one(&mut **transaction).await?;
    Columns::of(&row).count()
}

async fn failures(
    transaction: &mut Transaction<'_, Any>,
    order: Option<OrderId>,
) -> Result<Vec<Failure>, sqlx::Error> {
    let mut select = Statement::new("SELECT owner, games, log, at_ms FROM work_given_up");
    if let Some(order) = order {
        select.sql(" WHERE order_id = ").value(order.0);
    }
    select.sql(" ORDER BY at_ms, job");
    let mut failures = Vec::new();
    for row in all_rows(transaction, select).await? {
        let mut columns = Columns::of(&row);
        let (owner, games) = (columns.text()?, columns.text()?);
        let games = games.split(' ').map(crate::statement::decoded).collect::<Result<_, _>>()?;
        failures.push(Failure { owner, games, log: columns.text()?, at_ms: columns.whole()? });
    }
    Ok(failures)
}
