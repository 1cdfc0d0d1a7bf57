//! The store that is shown, and what is kept of its runs between two requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quintain_arena::plan::RunWish;
use quintain_arena::results::{EvaluationReport, RunSums, TournamentReport, WatchedComparison};
use quintain_arena::run::{RunError, evaluation_in, tournament_in};
use quintain_store::{RunId, RunInfo, Store, StoreError};

use super::followed::Followed;
use crate::error::Refusal;
use crate::limits::WATCHED_MAX;
use crate::live::{Hub, LiveMatch};

/// Of a run that is being played something is made anew only after so many times what it took: whoever reloads a
/// page of a million games does not keep the machine busy.
pub(super) const REST: u32 = 10;

/// A store with what somebody has looked at.
pub(crate) struct Archive {
    pub(crate) store: Store,
    watched: Mutex<HashMap<RunId, Watched>>,
    tournaments: Shelved<TournamentReport>,
    evaluations: Shelved<EvaluationReport>,
    sums: Shelved<RunSums>,
    /// What this process plays.
    pub(crate) live: Option<Hub>,
    pub(crate) followed: Followed,
}

type Watched = Arc<Mutex<WatchedComparison>>;

impl Archive {
    pub(crate) fn new(store: Store, live: Option<Hub>) -> Archive {
        Archive {
            store,
            watched: Mutex::default(),
            tournaments: Shelved::default(),
            evaluations: Shelved::default(),
            sums: Shelved::default(),
            live,
            followed: Followed::default(),
        }
    }

    /// The matches of a run that can be watched at this moment.
    pub(crate) fn running(&self, run: RunId) -> Vec<Arc<LiveMatch>> {
        self.live.as_ref().map_or_else(Vec::new, |live| live.running(run))
    }

    /// Looks at the latest runs before anybody asks for them.
    pub(crate) fn warm_up(&self) {
        let Ok(runs) = self.store.runs() else { return };
        for run in runs.iter().rev().take(WATCHED_MAX) {
            // Whoever asks is told what is wrong.
            match run.plan.kind.as_str() {
                "compare" => drop(self.with_comparison(run, |_| Ok(()))),
                "evaluate" => {}
                _ => drop(self.tournament(run)),
            }
            drop(self.sums(run));
        }
    }

    /// A run by its number in the store, as an address has it.
    pub(crate) fn run(&self, id: &str) -> Result<RunInfo, Refusal> {
        let id = id.parse().map_err(|_| Refusal::NoRun)?;
        self.store.run_of(id)?.ok_or(Refusal::NoRun)
    }

    pub(crate) fn tournament(&self, run: &RunInfo) -> Result<Arc<TournamentReport>, RunError> {
        self.tournaments
            .get(&self.store, run, || tournament_in(&self.store, run, &RunWish::of(run)))
    }

    pub(crate) fn evaluation(&self, run: &RunInfo) -> Result<Arc<EvaluationReport>, RunError> {
        let make = || evaluation_in(&self.store, run, &RunWish::of(run));
        self.evaluations.get(&self.store, run, make)
    }

    pub(crate) fn sums(&self, run: &RunInfo) -> Result<Arc<RunSums>, StoreError> {
        self.sums.get(&self.store, run, || RunSums::new(&self.store, run))
    }

    /// Calls `show` with a comparison and all of its games. What was read for an earlier call is not read again.
    pub(crate) fn with_comparison<T>(
        &self,
        run: &RunInfo,
        show: impl FnOnce(&WatchedComparison) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let wish = RunWish::of(run);
        let watched = self.watched(run.id, &wish);
        let mut watched = locked(&watched);
        if *watched.wish() != wish {
            *watched = WatchedComparison::new(wish);
        }
        watched.read(&self.store, run)?;
        show(&watched)
    }

    fn watched(&self, run: RunId, wish: &RunWish) -> Watched {
        let mut all = locked(&self.watched);
        if all.len() >= WATCHED_MAX && !all.contains_key(&run) {
            all.clear();
        }
        let new = || Arc::new(Mutex::new(WatchedComparison::new(wish.clone())));
        Arc::clone(all.entry(run).or_insert_with(new))
    }
}

/// What was made of runs, as long as nothing else comes of them.
struct Shelved<T>(Mutex<HashMap<RunId, Made<T>>>);

impl<T> Default for Shelved<T> {
    fn default() -> Shelved<T> {
        Shelved(Mutex::default())
    }
}

struct Made<T> {
    of: RunInfo,
    thing: Arc<T>,
    at: Instant,
    took: Duration,
}

impl<T> Shelved<T> {
    fn get<E>(
        &self,
        store: &Store,
        run: &RunInfo,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let is_good = |made: &&Made<T>| {
            let is_young = made.at.elapsed() < made.took * REST;
            // Once it is over there is no later page that would have its last games.
            let may_wait = || store.is_played(run.id).unwrap_or(false);
            made.of == *run || (made.of.wish == run.wish && is_young && may_wait())
        };
        if let Some(made) = locked(&self.0).get(&run.id).filter(is_good) {
            return Ok(Arc::clone(&made.thing));
        }
        let started = Instant::now();
        let thing = Arc::new(make()?);
        let (of, at, took) = (run.clone(), Instant::now(), started.elapsed());
        let mut all = locked(&self.0);
        if all.len() >= WATCHED_MAX && !all.contains_key(&run.id) {
            all.clear();
        }
        all.insert(run.id, Made { of, thing: Arc::clone(&thing), at, took });
        Ok(thing)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
