//! Hands out canaries among the jobs, and remembers who has which. Whoever has proven nothing yet is given nothing else.
//!
//! What came of them is in the store. What is here is forgotten when the server ends: its workers then prove themselves
//! once more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quintain_arena::work::wire::{Claim, ReportedGame};
use quintain_arena::work::{Canary, JobGame};
use quintain_record::MatchId;
use quintain_store::now_ms;
use quintain_store::work::{CanaryResult, JobBoard, Lease};

use super::Work;
use super::proof::random_bytes;
use super::refusal::WorkRefusal;
use super::trust::judge;
use super::workers::check_games;

/// How long one game is handed out before another one is played.
const STOCK_TIME: Duration = Duration::from_secs(600);
/// How long a worker plays before it is tried again.
const TRUST_TIME: Duration = Duration::from_secs(600);
/// Starts of workers that are remembered, and for how long.
const SESSIONS_MAX: usize = 4096;
const SESSION_TIME: Duration = Duration::from_secs(3600);

/// One start of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Session {
    pub(super) worker: String,
    pub(super) word: String,
}

#[derive(Default)]
pub(super) struct Canaries {
    stock: Mutex<Option<Stock>>,
    state: Mutex<State>,
}

/// The game that is handed out now.
struct Stock {
    canary: Arc<Canary>,
    /// Workers keep what they know of an order by its number.
    order: i64,
    since: Instant,
}

#[derive(Default)]
struct State {
    sessions: HashMap<Session, Known>,
    /// By the number of the job.
    handed: HashMap<i64, Handed>,
}

struct Known {
    passed: u32,
    last: Instant,
    seen: Instant,
}

/// A canary that a worker has.
pub(super) struct Handed {
    session: Session,
    canary: Arc<Canary>,
    game: JobGame,
    since: Instant,
    until: Instant,
}

/// What a worker is to be given next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Canary,
    /// Nothing, until one of those that it has is proven.
    Nothing,
    Job,
}

impl Canaries {
    pub(super) fn due(&self, session: &Session, slots: u32) -> Due {
        let mut state = self.state();
        let now = Instant::now();
        state.forget(now);
        let waiting = state.handed.values().filter(|handed| handed.session == *session).count();
        let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
        let known = state.sessions.entry(session.clone());
        let known = known.or_insert(Known { passed: 0, last: now, seen: now });
        known.seen = now;
        // One for each slot, so that all are busy while the first ones are measured.
        if known.passed.saturating_add(waiting) < slots {
            return Due::Canary;
        }
        if known.passed == 0 {
            return Due::Nothing;
        }
        match waiting == 0 && known.last.elapsed() >= TRUST_TIME {
            true => Due::Canary,
            false => Due::Job,
        }
    }

    /// Gives one out.
    pub(super) fn hand_out(&self, work: &Work, session: &Session) -> Result<Claim, WorkRefusal> {
        let (canary, order_id) = self.stock(&work.board)?;
        let lease = Lease { job: work.board.job_number()?, reads: 1 };
        let now = Instant::now();
        let mut state = self.state();
        if let Some(known) = state.sessions.get_mut(session) {
            known.last = now;
        }
        let (session, until) = (session.clone(), now + work.lease);
        let worker = session.worker.clone();
        // The slots of a worker play the same game at the same time, and keep it by its name.
        let round = u32::try_from(lease.job & i64::from(u32::MAX)).unwrap_or_default();
        let game = JobGame { id: MatchId { round, ..canary.game.id }, ..canary.game };
        let handed = Handed { session, canary: Arc::clone(&canary), game, since: now, until };
        state.handed.insert(lease.job, handed);
        Ok(Claim {
            lease: work.prover.words(&worker, lease),
            order_id,
            order: canary.order.clone(),
            games: vec![game],
            beat_s: work.beat.as_secs().max(1),
            lease_s: work.lease.as_secs().max(1),
        })
    }

    /// The game that is known now, played here if there is none.
    fn stock(&self, board: &JobBoard) -> Result<(Arc<Canary>, i64), WorkRefusal> {
        let mut stock = self.stock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = stock.as_ref().filter(|stock| stock.since.elapsed() < STOCK_TIME) {
            return Ok((Arc::clone(&known.canary), known.order));
        }
        let [a, b, c, d, ..] = random_bytes();
        let played = Canary::play(i64::from(i32::from_le_bytes([a, b, c, d])));
        let canary = Arc::new(played.map_err(|error| WorkRefusal::Away(error.to_string()))?);
        let order = board.order_number()?;
        *stock = Some(Stock { canary: Arc::clone(&canary), order, since: Instant::now() });
        Ok((canary, order))
    }

    /// Whether a job is a canary that this worker has; it then has it for longer.
    pub(super) fn beat(&self, worker: &str, job: i64, lease: Duration) -> bool {
        let mut state = self.state();
        let handed = state.handed.get_mut(&job).filter(|handed| handed.session.worker == worker);
        handed.is_some_and(|handed| {
            handed.until = Instant::now() + lease;
            true
        })
    }

    /// Takes back a canary that this worker has.
    pub(super) fn take(&self, worker: &str, job: i64) -> Option<Handed> {
        let mut state = self.state();
        state.handed.get(&job).filter(|handed| handed.session.worker == worker)?;
        state.handed.remove(&job)
    }

    fn count_passed(&self, session: &Session) {
        if let Some(known) = self.state().sessions.get_mut(session) {
            known.passed = known.passed.saturating_add(1);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whoever says nothing for the time of a lease has lost its canary.
    fn forget(&mut self, now: Instant) {
        self.handed.retain(|_, handed| handed.until > now);
        if self.sessions.len() >= SESSIONS_MAX {
            self.sessions.retain(|_, known| known.seen.elapsed() < SESSION_TIME);
        }
    }
}

impl Handed {
    /// Looks at what came of it, and writes that down. A wrong end means quarantine.
    pub(super) fn reported(
        self,
        work: &Work,
        job: i64,
        games: &[ReportedGame],
    ) -> Result<(), WorkRefusal> {
        let Canary { order, known, .. } = &*self.canary;
        let checked = check_games(order, &[self.game], games);
        let wrong = checked.and_then(|()| self.canary.compare(&games[0])).err();
        // A worker cannot say that it took longer than it was waited for.
        let took = games.first().map_or(Duration::ZERO, |game| game.record.head.duration);
        let took = took.min(self.since.elapsed());
        let worker = &self.session.worker;
        work.board.note_canary(&CanaryResult {
            job,
            worker: worker.clone(),
            at_ms: now_ms(),
            seed: self.game.seed,
            wrong: wrong.clone(),
            took_us: micros(took),
            known_us: micros(known.took),
        })?;
        if let Some(why) = wrong {
            work.board.quarantine(worker, &why)?;
            return Err(WorkRefusal::quarantined(worker, &why));
        }
        work.canaries.count_passed(&self.session);
        Ok(judge(&work.board, worker)?)
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
