//! Many games at a time: slots that play, and one thread that hands games out and counts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use quintain_referee::Stop;
use quintain_registry::{NoSpectator, Spectator};
use quintain_store::Run;
use quintain_tournament::{MatchResult, PlannedMatch, Schedule};

use crate::arena::{Arena, ArenaError};
use crate::cores::Concurrency;
use crate::one_match::{self, PlayedGame};

/// How often whoever watches is told that time goes by, and a wish to stop is looked for.
const TICK: Duration = Duration::from_millis(100);

/// Is told of everything, on the thread that called [`play_all`], and says when it is enough.
pub trait Supervisor {
    /// Who watches the next game, on the thread that plays it.
    fn spectator(&mut self, _next: &PlannedMatch) -> Box<dyn Spectator> {
        Box::new(NoSpectator)
    }

    /// A game is finished, and committed if there is a store.
    fn game(&mut self, game: &PlayedGame) -> Wish;

    /// Time goes by.
    fn tick(&mut self, _running: u64) {}
}

/// What whoever is told of games wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    GoOn,
    /// No more games; those that run are finished.
    Enough,
}

/// Why no game is played any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Everything is played.
    Over,
    /// Whoever was told of games has seen enough.
    Enough,
    /// Somebody wanted to stop.
    Stopped,
}

/// Plays what the schedule has to play. Results known from before must have been recorded in it.
///
/// # Errors
/// A game cannot be set up or not be kept. Running games are finished first. A bot that cannot be
/// started loses its game.
pub fn play_all(
    arena: &Arena,
    schedule: &mut Schedule,
    run: Option<&Run>,
    concurrency: Concurrency,
    stop: &Stop,
    supervisor: &mut dyn Supervisor,
) -> Result<RunEnd, ArenaError> {
    let ended = thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        let slots: Vec<Sender<Watched>> = (0..concurrency.get())
            .map(|number| open_slot(scope, arena, run, number, done.clone()))
            .collect();
        let idle = (0..slots.len()).collect();
        Dispatcher { schedule, slots, results, idle, stop, supervisor }.run()
    })?;
    if let Some(run) = run {
        run.note_time()?;
    }
    Ok(ended)
}

/// A game that a slot plays, and who watches it.
type Watched = (PlannedMatch, Box<dyn Spectator>);

/// What a slot says when it is ready for the next game.
type Report = (usize, Result<PlayedGame, ArenaError>);

fn open_slot<'scope>(
    scope: &'scope Scope<'scope, '_>,
    arena: &'scope Arena,
    run: Option<&'scope Run>,
    number: usize,
    done: Sender<Report>,
) -> Sender<Watched> {
    let (sender, games) = mpsc::channel::<Watched>();
    // The system kills bots when the thread that started them ends, so a slot lives as long as all.
    scope.spawn(move || {
        for (planned, mut spectator) in games {
            let played = play_and_keep(arena, run, &planned, &mut *spectator);
            if done.send((number, played)).is_err() {
                return;
            }
        }
    });
    sender
}

/// A bug of ours in one match must not end the others.
pub(crate) fn play_and_keep(
    arena: &Arena,
    run: Option<&Run>,
    planned: &PlannedMatch,
    spectator: &mut dyn Spectator,
) -> Result<PlayedGame, ArenaError> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let played = one_match::play(arena, planned, spectator);
        played.map(|game| game.expect("nothing cuts off the games of an arena"))
    }));
    let game = played.unwrap_or_else(|_| Ok(one_match::aborted(arena, planned)))?;
    if let Some(run) = run {
        run.record(&game.record)?;
    }
    Ok(game)
}

struct Dispatcher<'a> {
    schedule: &'a mut Schedule,
    slots: Vec<Sender<Watched>>,
    results: Receiver<Report>,
    idle: Vec<usize>,
    stop: &'a Stop,
    supervisor: &'a mut dyn Supervisor,
}

impl Dispatcher<'_> {
    fn run(mut self) -> Result<RunEnd, ArenaError> {
        let mut enough = false;
        let mut failure = None;
        loop {
            if !enough && failure.is_none() && !self.stop.is_asked() {
                self.hand_out();
            }
            if self.idle.len() == self.slots.len() {
                break;
            }
            self.supervisor.tick(self.schedule.running());
            match self.results.recv_timeout(TICK) {
                Ok((slot, result)) => {
                    self.idle.push(slot);
                    match result.and_then(|game| self.count(&game)) {
                        Ok(wish) => enough |= wish == Wish::Enough,
                        Err(error) => failure = failure.or(Some(error)),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match failure {
            Some(error) => Err(error),
            None if enough => Ok(RunEnd::Enough),
            None if self.schedule.is_over() => Ok(RunEnd::Over),
            None => Ok(RunEnd::Stopped),
        }
    }

    fn hand_out(&mut self) {
        while let Some(&slot) = self.idle.last()
            && let Some(planned) = self.schedule.take()
        {
            self.idle.pop();
            let spectator = self.supervisor.spectator(&planned);
            self.slots[slot]
                .send((planned, spectator))
                .expect("a slot waits for games until it is given none");
        }
    }

    fn count(&mut self, game: &PlayedGame) -> Result<Wish, ArenaError> {
        self.schedule.record(&MatchResult::from(&game.record))?;
        Ok(self.supervisor.game(game))
    }
}
