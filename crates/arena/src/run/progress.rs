//! Who is told how a run goes.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use quintain_core::Seat;
use quintain_record::BotId;
use quintain_registry::{NoSpectator, Spectator};
use quintain_store::RunId;
use quintain_tournament::{Book, Comparison, PlannedMatch, Schedule};

use crate::arena::Arena;
use crate::occupant::SeatNews;
use crate::one_match::PlayedGame;
use crate::results::{ComparisonReport, RungReport, TuneNow};
use crate::slots::{RunEnd, Wish};

/// Is told of everything, on the thread that called `run_*`. All methods have a default: nobody delegates
/// this one.
pub trait Progress {
    /// Everything is ready, and what was played before is known.
    fn begun(&mut self, _run: &RunHead<'_>) {}

    /// What happens while bots come to their seats.
    fn seating(&mut self, _news: &SeatNews<'_>) {}

    /// Where the person on a seat of the next game reads and writes; `None`: on this process's own input and
    /// output.
    fn person(&mut self, _next: &PlannedMatch, _seat: Seat) -> Option<UnixStream> {
        None
    }

    /// Who watches the next game step by step, on the thread that plays it.
    fn spectator(&mut self, _next: &PlannedMatch) -> Box<dyn Spectator> {
        Box::new(NoSpectator)
    }

    /// A game is finished, and committed if there is a store.
    fn played(&mut self, _game: &PlayedGame, _now: &Now<'_>) -> Wish {
        Wish::GoOn
    }

    /// A rung of a ladder is decided.
    fn rung(&mut self, _rung: &RungReport) {}

    /// Two rungs of a ladder have met.
    fn met(&mut self, _meeting: &ComparisonReport) {}

    /// An iteration of a tuning is played.
    fn tuned(&mut self, _now: &TuneNow<'_>) {}

    /// A single match was broken off.
    fn broken_off(&mut self, _what: &BrokenOff<'_>) {}

    /// Ten times a second; in an evaluation after each game.
    fn tick(&mut self, _now: &Now<'_>) {}

    /// No more games are played.
    fn over(&mut self) {}
}

/// Whoever does not want to know.
impl Progress for () {}

/// A run that begins, or goes on.
#[derive(Clone, Copy, Debug)]
pub struct RunHead<'a> {
    /// Which one it is in its store, if it is kept.
    pub run: Option<RunId>,
    /// What the bots are called.
    pub names: &'a [String],
    /// Games that were played before.
    pub finished: u64,
    /// `None` where it follows from results.
    pub planned: Option<u64>,
}

/// A match that somebody ended before it was over.
#[derive(Clone, Copy, Debug)]
pub struct BrokenOff<'a> {
    pub planned: &'a PlannedMatch,
    /// Where its turns are, if they are anywhere.
    pub replay: Option<&'a Path>,
    /// How many were played.
    pub turns: u32,
}

/// How far a run is.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// What the bots are called.
    pub names: &'a [String],
    pub standing: Standing<'a>,
    pub running: u64,
    /// Games of the run; in an evaluation those of the pairing.
    pub finished: u64,
    /// `None` where it follows from results.
    pub planned: Option<u64>,
    /// Of the finished games, those of this session.
    pub played: u64,
    /// What they took.
    pub elapsed: Duration,
}

impl Now<'_> {
    pub fn name(&self, bot: BotId) -> &str {
        &self.names[bot.index()]
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
    Pairing(PairingNow),
    /// Nothing is concluded from a single match.
    Match,
}

/// How far a pairing of an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingNow {
    /// From 1.
    pub number: u32,
    /// How many pairings there are.
    pub planned: u32,
    pub teams: [BotId; 2],
    pub wins: [u64; 2],
    /// What the pairing takes at most from now on.
    pub left: Duration,
    /// What all later ones take at most.
    pub later: Duration,
}

/// What came of a run, and why no more games were played.
#[derive(Clone, Debug)]
pub struct RunResult<R> {
    pub report: R,
    pub ended: RunEnd,
}

/// Counts the games of a session.
pub(super) struct Session {
    names: Vec<String>,
    pub(super) began: Instant,
    played: u64,
    finished: u64,
    planned: Option<u64>,
}

impl Session {
    pub(super) fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        finished: u64,
        planned: Option<u64>,
    ) -> Session {
        let names = names.into_iter().map(str::to_owned).collect();
        Session { names, began: Instant::now(), played: 0, finished, planned }
    }

    pub(super) fn of(arena: &Arena, schedule: &Schedule) -> Session {
        let names = arena.contestants.iter().map(|bot| bot.name.as_str());
        Session::new(names, schedule.finished(), schedule.planned())
    }

    pub(super) fn count(&mut self) {
        self.played += 1;
        self.finished += 1;
    }

    pub(super) fn head(&self, run: Option<RunId>) -> RunHead<'_> {
        RunHead { run, names: &self.names, finished: self.finished, planned: self.planned }
    }

    pub(super) fn now<'a>(&'a self, standing: Standing<'a>, running: u64) -> Now<'a> {
        let Session { ref names, played, finished, planned, .. } = *self;
        let elapsed = self.began.elapsed();
        Now { names, standing, running, finished, planned, played, elapsed }
    }
}
