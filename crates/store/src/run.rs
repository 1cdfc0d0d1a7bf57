//! A run that is being played.

use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use quintain_record::MatchRecord;

use crate::insert;
use crate::plan::RunInfo;
use crate::writer::{Job, Writer};
use crate::{Finished, RunId, Store, StoreError};

/// The right to add games to a run. Only one `Run` of a run exists at a time, in all processes; it
/// ends when this is dropped or the process ends, in whatever way.
///
/// It can be shared: any number of threads may record at the same time.
#[derive(Debug)]
pub struct Run {
    store: Store,
    info: RunInfo,
    is_new: bool,
    /// `None` only while this is dropped.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// What became of a game that was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It was added.
    Now,
    /// The very same game was there already; nothing was changed.
    Before,
}

impl Run {
    pub(crate) fn start(store: Store, info: RunInfo, is_new: bool) -> Result<Run, StoreError> {
        let runtime = Store::runtime(store.place_of())?;
        let name = info.plan.name.clone();
        let writer = runtime.block_on(Writer::start(store.place_of(), info.id, &name))?;
        let (jobs, receiver) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("quintain-store".to_owned())
            .spawn(move || writer.serve(&runtime, &receiver))
            .map_err(|error| StoreError::Ended { run: name, reason: error.to_string() })?;
        Ok(Run { store, info, is_new, jobs: Some(jobs), thread: Some(thread) })
    }

    pub fn id(&self) -> RunId {
        self.info.id
    }

    /// Where its store is, without a password.
    pub fn place(&self) -> String {
        self.store.place()
    }

    /// As it was when the run was begun or begun again.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Whether the run did not exist before.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// What has been played, void games included, so need not be played again.
    pub fn finished(&self) -> Result<Finished, StoreError> {
        self.store.finished(self.info.id)
    }

    /// Adds a game. When this returns, the game is committed and survives a power cut. A game is
    /// added once: the same one again changes nothing, a different one of the same identity is
    /// refused ([`StoreError::Conflict`]).
    ///
    /// Calls from several threads at the same time share one flush to the disk. If a server goes
    /// away, this waits for it up to a minute.
    pub fn record(&self, record: &MatchRecord) -> Result<Recorded, StoreError> {
        let recorded = self.record_all(std::slice::from_ref(record))?;
        Ok(recorded[0])
    }

    /// Writes down what this session is to play, where that is no part of the plan: for whoever looks at the
    /// run, in this session and after it.
    pub fn note_wish(&self, wish: &str) -> Result<(), StoreError> {
        let query = sqlx::query("UPDATE runs SET wish = $1 WHERE id = $2");
        let query = query.bind(wish.to_owned()).bind(self.info.id.0);
        self.store.block("note the wish", async { query.execute(self.store.pool()).await })?;
        Ok(())
    }

    /// Brings the time that was played up to the latest game. It may lag behind a little while games are added.
    pub fn note_time(&self) -> Result<(), StoreError> {
        self.record_all(&[]).map(|_| ())
    }

    /// Adds several games in one transaction: all of them or, after an error, none.
    pub fn record_all(&self, records: &[MatchRecord]) -> Result<Vec<Recorded>, StoreError> {
        for record in records {
            insert::check(record, self.info.plan.bots.len())?;
        }
        let games = records.iter().map(MatchRecord::storable).collect();
        let ended = || {
            let reason = "its thread is gone".to_owned();
            StoreError::Ended { run: self.info.plan.name.clone(), reason }
        };
        let (reply, answer) = mpsc::sync_channel(1);
        let jobs = self.jobs.as_ref().expect("a run that is used is not being dropped");
        jobs.send(Job { games, reply }).map_err(|_| ended())?;
        answer.recv().map_err(|_| ended())?
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the writer was told to everyone who waited for it.
            let _ = thread.join();
        }
    }
}
