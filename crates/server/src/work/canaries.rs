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
#[derive(Clone)]
pub(super) struct Handed {
    session: Session,
    canary: Arc<Canary>,
    game: JobGame,
    since: Instant,
    until: Instant,
    /// Whether it was reported. It counts as given until it is known what came of it: the worker would be given
    /// another one otherwise.
    is_examined: bool,
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
        let game = self.note_handed(session, lease.job, &canary, work.lease);
        Ok(Claim {
            lease: work.prover.words(&session.worker, lease),
            order_id,
            order: canary.order.clone(),
            games: vec![game],
            beat_s: work.beat.as_secs().max(1),
            lease_s: work.lease.as_secs().max(1),
        })
    }

    /// Remembers who has a canary as which job. Returns the game as it is called there.
    fn note_handed(
        &self,
        session: &Session,
        job: i64,
        canary: &Arc<Canary>,
        lease: Duration,
    ) -> JobGame {
        let since = Instant::now();
        let mut state = self.state();
        if let Some(known) = state.sessions.get_mut(session) {
            known.last = since;
        }
        // The slots of a worker play the same game at the same time, and keep it by its name.
        let round = u32::try_from(job & i64::from(u32::MAX)).unwrap_or_default();
        let game = JobGame { id: MatchId { round, ..canary.game.id }, ..canary.game };
        let (session, canary, until) = (session.clone(), Arc::clone(canary), since + lease);
        state
            .handed
            .insert(job, Handed { session, canary, game, since, until, is_examined: false });
        game
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

    /// A canary that this worker has and reports; once for each.
    pub(super) fn take(&self, worker: &str, job: i64) -> Option<Handed> {
        let mut state = self.state();
        let handed = state.handed.get_mut(&job);
        let handed =
            handed.filter(|handed| handed.session.worker == worker && !handed.is_examined)?;
        handed.is_examined = true;
        Some(handed.clone())
    }

    /// A canary came to the end that was known.
    fn pass(&self, job: i64) {
        let mut state = self.state();
        let Some(Handed { session, .. }) = state.handed.remove(&job) else { return };
        if let Some(known) = state.sessions.get_mut(&session) {
            known.passed = known.passed.saturating_add(1);
        }
    }

    /// It is known what came of a canary.
    pub(super) fn let_go(&self, job: i64) {
        self.state().handed.remove(&job);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whoever says nothing for the time of a lease has lost its canary.
    fn forget(&mut self, now: Instant) {
        self.handed.retain(|_, handed| handed.is_examined || handed.until > now);
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
        work.canaries.pass(job);
        Ok(judge(&work.board, worker)?)
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(60);

    fn session() -> Session {
        Session { worker: "w1".to_owned(), word: "start".to_owned() }
    }

    #[test]
    fn a_worker_proves_each_slot_once_even_while_a_report_is_looked_at() {
        let canaries = Canaries::default();
        let canary = Arc::new(Canary::play(7).expect("it comes to an end"));
        let session = session();
        for job in [1, 2] {
            assert_eq!(canaries.due(&session, 2), Due::Canary);
            canaries.note_handed(&session, job, &canary, LEASE);
        }
        assert_eq!(canaries.due(&session, 2), Due::Nothing, "nothing is proven yet");
        assert!(canaries.take("w1", 1).is_some());
        assert!(canaries.take("w1", 1).is_none(), "it was reported");
        assert_eq!(canaries.due(&session, 2), Due::Nothing, "it is not known what came of it");
        canaries.pass(1);
        assert_eq!(canaries.due(&session, 2), Due::Job);
        assert!(canaries.take("w1", 2).is_some());
        assert_eq!(canaries.due(&session, 2), Due::Job, "the second one is looked at");
        canaries.pass(2);
        assert_eq!(canaries.due(&session, 2), Due::Job);
    }

    #[test]
    fn a_canary_that_was_given_back_is_given_again() {
        let canaries = Canaries::default();
        let canary = Arc::new(Canary::play(7).expect("it comes to an end"));
        let session = session();
        assert_eq!(canaries.due(&session, 1), Due::Canary);
        canaries.note_handed(&session, 1, &canary, LEASE);
        assert!(canaries.take("w2", 1).is_none(), "somebody else has it");
        assert!(canaries.take("w1", 1).is_some());
        canaries.let_go(1);
        assert_eq!(canaries.due(&session, 1), Due::Canary);
    }
}
