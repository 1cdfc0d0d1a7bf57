//! Who is told how a run goes.

use std::time::{Duration, Instant};

use quintain_record::{BotId, Contestant};
use quintain_tournament::{Book, Comparison, Schedule};

use crate::one_match::PlayedGame;
use crate::slots::{RunEnd, Wish};

/// Is told of everything, on the thread that called `run_*`. All methods have a default: nobody delegates
/// this one.
pub trait Progress {
    /// Everything is ready, and what was played before is known.
    fn begun(&mut self, _run: &RunHead<'_>) {}

    /// A game is finished, and committed if there is a store.
    fn played(&mut self, _game: &PlayedGame, _now: &Now<'_>) -> Wish {
        Wish::GoOn
    }

    /// Ten times a second.
    fn tick(&mut self, _now: &Now<'_>) {}

    /// No more games are played.
    fn over(&mut self) {}
}

/// Whoever does not want to know.
impl Progress for () {}

/// A run that begins, or goes on.
#[derive(Clone, Copy, Debug)]
pub struct RunHead<'a> {
    pub bots: &'a [Contestant],
    /// Games that were played before.
    pub finished: u64,
    /// `None` where it follows from results.
    pub planned: Option<u64>,
}

/// How far a run is.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    pub bots: &'a [Contestant],
    pub standing: Standing<'a>,
    pub running: u64,
    pub finished: u64,
    /// `None` where it follows from results.
    pub planned: Option<u64>,
    /// Games of this session.
    pub played: u64,
    /// The time of this session.
    pub elapsed: Duration,
}

impl Now<'_> {
    pub fn name(&self, bot: BotId) -> &str {
        &self.bots[bot.index()].name
    }

    /// Games a second.
    pub fn rate(&self) -> f64 {
        self.played as f64 / self.elapsed.as_secs_f64()
    }
}

/// What is known of the results so far.
#[derive(Clone, Copy)]
pub enum Standing<'a> {
    Comparison(&'a Comparison),
    Tournament(&'a Book),
}

/// What came of a run, and why no more games were played.
#[derive(Clone, Debug)]
pub struct RunResult<R> {
    pub report: R,
    pub ended: RunEnd,
}

/// Counts the games of a session.
pub(super) struct Session {
    pub(super) began: Instant,
    pub(super) played: u64,
    pub(super) finished: u64,
    pub(super) planned: Option<u64>,
}

impl Session {
    pub(super) fn new(schedule: &Schedule) -> Session {
        let (finished, planned) = (schedule.finished(), schedule.planned());
        Session { began: Instant::now(), played: 0, finished, planned }
    }

    pub(super) fn count(&mut self) {
        self.played += 1;
        self.finished += 1;
    }

    pub(super) fn head<'a>(&self, bots: &'a [Contestant]) -> RunHead<'a> {
        RunHead { bots, finished: self.finished, planned: self.planned }
    }

    pub(super) fn now<'a>(
        &self,
        bots: &'a [Contestant],
        standing: Standing<'a>,
        running: u64,
    ) -> Now<'a> {
        let Session { played, finished, planned, .. } = *self;
        let elapsed = self.began.elapsed();
        Now { bots, standing, running, finished, planned, played, elapsed }
    }
}
