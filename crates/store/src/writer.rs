//! The one thread that adds games to a run.
//!
//! Games that wait for it at the same time are committed together: the flush to the disk, which is
//! most of the price of being safe from a power cut, is paid once for all slots that play at a time.

use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use quintain_record::MatchRecord;
use sqlx::{AnyConnection, Connection};
use tokio::runtime::Runtime;

use crate::engine::{self, failed};
use crate::insert::microseconds;
use crate::list;
use crate::lock::{self, RunLock};
use crate::statement::Columns;
use crate::store_address::StoreAddress;
use crate::sums::Summed;
use crate::{Recorded, RunId, StoreError, insert};

/// Jobs committed together. More never wait than games are played at a time.
const BATCH_MAX: usize = 256;

/// How long a server may be away, as when it is restarted, before games that wait are given up.
const AWAY_TIME_MAX: Duration = Duration::from_secs(60);
const AWAY_PAUSE: Duration = Duration::from_millis(250);

/// How far the time that was played may lag behind the games. To write it down with every game made a transaction
/// of several statements of each.
const TIME_LAG_MAX: Duration = Duration::from_millis(100);

/// Games to be added, all or none, and where to say so.
pub(crate) struct Job {
    pub(crate) games: Vec<MatchRecord>,
    pub(crate) reply: SyncSender<Result<Vec<Recorded>, StoreError>>,
}

/// The right to add games to a run, with the connection for it.
pub(crate) struct Writer {
    place: StoreAddress,
    run: RunId,
    name: String,
    connection: AnyConnection,
    next_number: i64,
    summed: Summed,
    /// This stretch of play, and when it began.
    session: i64,
    began: Instant,
    /// How long it was at its latest game, and what of that is stored.
    played: Duration,
    played_stored: Duration,
    /// Given back last, when the connection is closed.
    lock: RunLock,
}

/// Why a transaction came to nothing.
enum Failure {
    /// The connection is gone; whether the server had committed is not known.
    Lost(sqlx::Error),
    Final(StoreError),
}

impl Writer {
    /// Takes the run's lock.
    pub(crate) async fn start(
        place: &StoreAddress,
        run: RunId,
        name: &str,
    ) -> Result<Writer, StoreError> {
        let mut connection = engine::connect(place).await?;
        let lock = lock::take(place, &mut connection, run, name).await?;
        let next_number = next_number(place, &mut connection, run).await?;
        let session = next_session(place, &mut connection, run).await?;
        let summed = Summed::read(&mut connection, run).await;
        let summed = summed.map_err(|error| failed(place, "look at the sums", &error))?;
        Ok(Writer {
            place: place.clone(),
            run,
            name: name.to_owned(),
            connection,
            next_number,
            summed,
            session,
            began: Instant::now(),
            played: Duration::ZERO,
            played_stored: Duration::ZERO,
            lock,
        })
    }

    /// Serves jobs until nobody can send one any more.
    pub(crate) fn serve(mut self, runtime: &Runtime, jobs: &Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let batch: Vec<Job> =
                std::iter::once(first).chain(jobs.try_iter().take(BATCH_MAX - 1)).collect();
            runtime.block_on(self.serve_batch(batch));
        }
        // What was recorded is committed; a failure to say good-bye changes nothing.
        let _ = runtime.block_on(self.transact(&[]));
        let _ = runtime.block_on(self.connection.close());
        drop(self.lock);
    }

    async fn serve_batch(&mut self, batch: Vec<Job>) {
        if batch.len() > 1
            && let Ok(all) = self.add(&batch).await
        {
            for (job, recorded) in batch.into_iter().zip(all) {
                answer(&job, Ok(recorded));
            }
            return;
        }
        // One bad game must not take the others with it.
        for job in batch {
            let result = self.add(std::slice::from_ref(&job)).await;
            let one = result.map(|mut all| all.pop().expect("one answer for one job"));
            answer(&job, one);
        }
    }

    /// Adds all games of all jobs or none.
    async fn add(&mut self, batch: &[Job]) -> Result<Vec<Vec<Recorded>>, StoreError> {
        match self.transact(batch).await {
            Ok(recorded) => Ok(recorded),
            Err(Failure::Final(error)) => Err(error),
            Err(Failure::Lost(error)) if self.place.file().is_some() => {
                Err(failed(&self.place, "record a game", &error))
            }
            Err(Failure::Lost(_)) => {
                self.reconnect().await?;
                // If the lost transaction had been committed, its games are found to be there.
                self.transact(batch).await.map_err(|failure| match failure {
                    Failure::Final(error) => error,
                    Failure::Lost(error) => failed(&self.place, "record a game", &error),
                })
            }
        }
    }

    async fn transact(&mut self, batch: &[Job]) -> Result<Vec<Vec<Recorded>>, Failure> {
        let has_games = batch.iter().any(|job| !job.games.is_empty());
        if has_games {
            self.played = self.began.elapsed();
        } else if self.played == self.played_stored {
            return Ok(batch.iter().map(|_| Vec::new()).collect());
        }
        if self.played - self.played_stored < TIME_LAG_MAX
            && !self.summed.is_behind(self.next_number + 1)
            && let [job] = batch
            && let [game] = job.games.as_slice()
            && insert::is_one_row(game)
        {
            return self.transact_one_row(game).await;
        }
        let (run, place) = (self.run, &self.place);
        let lift = |error| lift(place, error);
        let mut number = self.next_number;
        let mut transaction = self.connection.begin().await.map_err(lift)?;
        let mut answers = Vec::with_capacity(batch.len());
        for job in batch {
            let mut recorded = Vec::with_capacity(job.games.len());
            for game in &job.games {
                let one = record(&mut transaction, place, run, number, game).await?;
                number += i64::from(one == Recorded::Now);
                recorded.push(one);
            }
            answers.push(recorded);
        }
        if self.played > self.played_stored {
            let stored = store_time(&mut transaction, run, self.session, self.played).await;
            stored.map_err(lift)?;
        }
        let summed = match self.summed.is_behind(number) {
            true => self.summed.catch_up(&mut transaction, run, number).await.map_err(lift)?,
            false => self.summed,
        };
        transaction.commit().await.map_err(lift)?;
        self.next_number = number;
        self.summed = summed;
        self.played_stored = self.played;
        Ok(answers)
    }

    /// One statement is a transaction by itself, which spares three ways to the database and back.
    async fn transact_one_row(
        &mut self,
        game: &MatchRecord,
    ) -> Result<Vec<Vec<Recorded>>, Failure> {
        let (run, number) = (self.run, self.next_number);
        let recorded = record(&mut self.connection, &self.place, run, number, game).await?;
        self.next_number += i64::from(recorded == Recorded::Now);
        Ok(vec![vec![recorded]])
    }

    /// A new connection with the lock taken anew: somebody else may have the run by now.
    async fn reconnect(&mut self) -> Result<(), StoreError> {
        let start = Instant::now();
        loop {
            match Writer::start(&self.place, self.run, &self.name).await {
                Ok(writer) => {
                    *self = writer;
                    return Ok(());
                }
                Err(StoreError::Unreachable { .. }) if start.elapsed() < AWAY_TIME_MAX => {
                    tokio::time::sleep(AWAY_PAUSE).await;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Adds a game, unless it is there.
async fn record(
    connection: &mut AnyConnection,
    place: &StoreAddress,
    run: RunId,
    number: i64,
    game: &MatchRecord,
) -> Result<Recorded, Failure> {
    let lift = |error| lift(place, error);
    if insert::insert(connection, run, number, game).await.map_err(lift)? {
        return Ok(Recorded::Now);
    }
    let id = game.head.id;
    let stored = list::game_of(connection, run, id).await.map_err(lift)?;
    match stored.as_ref() == Some(game) {
        true => Ok(Recorded::Before),
        false => Err(Failure::Final(StoreError::Conflict { id })),
    }
}

/// Writes down how long a session has been played.
async fn store_time(
    connection: &mut AnyConnection,
    run: RunId,
    session: i64,
    played: Duration,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query(
        "INSERT INTO sessions (run, session, played_us) VALUES ($1, $2, $3) \
         ON CONFLICT (run, session) DO UPDATE SET played_us = excluded.played_us",
    );
    let query = query.bind(run.0).bind(session).bind(microseconds(played));
    query.execute(connection).await.map(|_| ())
}

fn lift(place: &StoreAddress, error: sqlx::Error) -> Failure {
    if engine::is_lost(&error) {
        Failure::Lost(error)
    } else {
        Failure::Final(failed(place, "record a game", &error))
    }
}

fn answer(job: &Job, result: Result<Vec<Recorded>, StoreError>) {
    // Whoever asked may have gone; the games are there all the same.
    let _ = job.reply.send(result);
}

async fn next_number(
    place: &StoreAddress,
    connection: &mut AnyConnection,
    run: RunId,
) -> Result<i64, StoreError> {
    const NEXT: &str = "SELECT COALESCE(MAX(number), 0) + 1 FROM games WHERE run = $1";
    one_number(NEXT, connection, run)
        .await
        .map_err(|error| failed(place, "count the games", &error))
}

async fn next_session(
    place: &StoreAddress,
    connection: &mut AnyConnection,
    run: RunId,
) -> Result<i64, StoreError> {
    const NEXT: &str = "SELECT COALESCE(MAX(session), 0) + 1 FROM sessions WHERE run = $1";
    let number = one_number(NEXT, connection, run).await;
    number.map_err(|error| failed(place, "count the sessions", &error))
}

async fn one_number(
    sql: &'static str,
    connection: &mut AnyConnection,
    run: RunId,
) -> Result<i64, sqlx::Error> {
    let row = sqlx::query(sql).bind(run.0).fetch_one(connection).await?;
    Columns::of(&row).whole()
}
