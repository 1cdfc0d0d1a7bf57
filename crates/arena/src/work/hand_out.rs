//! Has the games of a run played by other machines: the twin of `slots.rs`.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::PerSeat;
use quintain_record::{MatchId, MatchRecord};
use quintain_referee::Stop;
use quintain_store::{Recorded, Run, digest, now_ms};
use quintain_tournament::{MatchResult, PlannedMatch, Schedule};
use serde::{Deserialize, Serialize};

use super::{JobGame, Order, OrderError};
use crate::arena::{Arena, ArenaError};
use crate::one_match::{PlayedGame, RunKind as _};
use crate::results::path_in_store;
use crate::slots::{RunEnd, Supervisor, Wish};

/// How long a job should take: long against the way to the server and back, short against a lease.
const JOB_TIME: Duration = Duration::from_secs(4);
/// Whole pairs of one job at most.
const PAIRS_OF_JOB_MAX: usize = 16;
/// Jobs for each slot of all workers, the one that it plays included: none of them waits for this machine.
const JOBS_PER_SLOT: u64 = 2;
/// As long as nobody is there, so many jobs wait for whoever comes.
const SLOTS_LEAST: u64 = 2;
/// How long one question for results waits for some.
const COLLECT_TIME: Duration = Duration::from_millis(250);
/// How long nobody may be there before that is told.
const NOBODY_TIME: Duration = Duration::from_secs(2);
/// How long a server may be away, as when it is restarted.
const AWAY_TIME_MAX: Duration = Duration::from_secs(600);
const AWAY_PAUSE: Duration = Duration::from_millis(500);

/// Other machines that play for this one.
pub trait Elsewhere: fmt::Debug + Send + Sync {
    /// Takes a bot's folder where workers find it; what its archive is called.
    ///
    /// # Errors
    /// It cannot be packed or sent.
    fn send_bot(&self, folder: &Path) -> Result<String, ElsewhereError>;

    /// Places an order, or goes on with the one of this key.
    ///
    /// # Errors
    /// The server is away, or refuses it.
    fn begin(&self, key: &str, order: &Order) -> Result<Box<dyn Ordered>, ElsewhereError>;

    /// Tells whoever waits for the games.
    fn tell(&self, news: ElsewhereNews);
}

/// What happens to games that are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElsewhereNews {
    /// There is no worker that may play them.
    Nobody,
    /// There is one again.
    Somebody,
}

/// An order that was placed. Every call can be made again: what was done is not done twice.
pub trait Ordered {
    /// Hands out jobs, each some games for one worker.
    ///
    /// # Errors
    /// As [`Elsewhere::begin`].
    fn add(&mut self, jobs: &[Vec<JobGame>]) -> Result<(), ElsewhereError>;

    /// What came of games; `taken` are those that came before and are kept by now. Waits for a moment if there is
    /// nothing.
    ///
    /// # Errors
    /// As [`Elsewhere::begin`].
    fn collect(&mut self, taken: &[MatchId], wait: Duration) -> Result<Collected, ElsewhereError>;

    /// Takes back what nobody plays: the games that will not come.
    ///
    /// # Errors
    /// As [`Elsewhere::begin`].
    fn recall(&mut self) -> Result<Vec<MatchId>, ElsewhereError>;

    /// Ends the order.
    ///
    /// # Errors
    /// As [`Elsewhere::begin`].
    fn withdraw(&mut self) -> Result<(), ElsewhereError>;
}

/// Why something is not played elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElsewhereError {
    /// It may be there again in a moment.
    #[error("cannot reach {server}: {reason}")]
    Away { server: String, reason: String },
    #[error("{server}: {reason}")]
    Refused { server: String, reason: String },
    #[error("{0}")]
    Pack(String),
}

/// What came of games of an order.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    pub games: Vec<RemoteGame>,
    /// Games that are being played.
    pub running: u64,
    /// Games that can be played at a time by all workers.
    pub slots: u64,
    pub failures: Vec<JobFailure>,
}

/// A game that was played elsewhere.
#[derive(Clone, Debug)]
pub struct RemoteGame {
    pub record: MatchRecord,
    pub replay: Vec<u8>,
}

/// Games that nobody could play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFailure {
    pub games: Vec<MatchId>,
    /// What went wrong each time.
    pub log: String,
}

/// Has everything played that the schedule has to play. Results known from before must have been recorded in it.
///
/// # Errors
/// As `play_all`; or nobody plays, or what was ordered cannot be played elsewhere.
pub(crate) fn play_elsewhere(
    arena: &Arena,
    schedule: &mut Schedule,
    run: Option<&Run>,
    elsewhere: &dyn Elsewhere,
    stop: &Stop,
    supervisor: &mut dyn Supervisor,
) -> Result<RunEnd, ArenaError> {
    let order = Order::of(arena, &mut |folder| patiently(|| elsewhere.send_bot(folder)))?;
    let key = key_of(run, &order);
    let ordered = patiently(|| elsewhere.begin(&key, &order))?;
    let (open, taken) = (BTreeSet::new(), Vec::new());
    let mut hand_out = HandOut {
        arena,
        schedule,
        run,
        elsewhere,
        ordered,
        stop,
        supervisor,
        open,
        taken,
        pairs_of_job: 1,
        game_time: None,
        slots: 0,
        nobody_since: None,
        is_told: false,
    };
    let ended = hand_out.run();
    if matches!(ended, Ok(_) | Err(ArenaError::GivenUp { .. })) {
        // Whoever goes on begins anew. An order that stays does no harm.
        let _ = hand_out.ordered.withdraw();
    }
    if let Some(run) = run {
        run.note_time()?;
    }
    ended
}

/// What an order is called: the same for a run that is gone on with, and another one for every other run.
fn key_of(run: Option<&Run>, order: &Order) -> String {
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let run = match run {
        Some(run) => format!("{} {}", run.place(), run.info().plan.name),
        None => format!("{} {}", std::process::id(), now_ms()),
    };
    let order = serde_json::to_string(order).expect("an order is plain data");
    digest(format!("{machine}\n{run}\n{order}").as_bytes())
}

/// Tries again as long as the server is away.
fn patiently<T>(mut call: impl FnMut() -> Result<T, ElsewhereError>) -> Result<T, ElsewhereError> {
    let began = Instant::now();
    loop {
        match call() {
            Err(ElsewhereError::Away { .. }) if began.elapsed() < AWAY_TIME_MAX => {
                std::thread::sleep(AWAY_PAUSE);
            }
            done => return done,
        }
    }
}

/// Hands games out and counts what comes back.
struct HandOut<'a> {
    arena: &'a Arena,
    schedule: &'a mut Schedule,
    run: Option<&'a Run>,
    elsewhere: &'a dyn Elsewhere,
    ordered: Box<dyn Ordered>,
    stop: &'a Stop,
    supervisor: &'a mut dyn Supervisor,
    /// Games that were handed out and have not come back.
    open: BTreeSet<MatchId>,
    /// What came back and is kept, but is still known to the server.
    taken: Vec<MatchId>,
    pairs_of_job: usize,
    /// What a game took of late.
    game_time: Option<Duration>,
    /// Of all workers.
    slots: u64,
    nobody_since: Option<Instant>,
    /// That nobody is there.
    is_told: bool,
}

impl HandOut<'_> {
    fn run(&mut self) -> Result<RunEnd, ArenaError> {
        // What came while nobody was here, so that it is not asked for again.
        let mut enough = self.collect(Duration::ZERO)? == Wish::Enough;
        let mut is_recalled = false;
        loop {
            if enough {
                return Ok(RunEnd::Enough);
            }
            match self.stop.is_asked() {
                false => self.hand_out()?,
                true if is_recalled => {}
                true => {
                    for game in patiently(|| self.ordered.recall())? {
                        self.open.remove(&game);
                        self.schedule.put_back(game);
                    }
                    is_recalled = true;
                }
            }
            if self.open.is_empty() {
                break;
            }
            enough = self.collect(COLLECT_TIME)? == Wish::Enough;
        }
        Ok(if self.schedule.is_over() { RunEnd::Over } else { RunEnd::Stopped })
    }

    /// Gives the workers as much to do as keeps them busy.
    fn hand_out(&mut self) -> Result<(), ArenaError> {
        let slots = self.slots.max(SLOTS_LEAST);
        let games_of_job = 2 * self.pairs_of_job as u64;
        let wanted = slots * JOBS_PER_SLOT * games_of_job;
        let missing = wanted.saturating_sub(self.open.len() as u64);
        // Not for every single game.
        if missing < games_of_job && !self.open.is_empty() {
            return Ok(());
        }
        let mut games = Vec::new();
        while (games.len() as u64) < missing
            && let Some(planned) = self.schedule.take()
        {
            self.open.insert(planned.id);
            games.push(planned);
        }
        let jobs = jobs_of(&mut games, self.pairs_of_job);
        if !jobs.is_empty() {
            patiently(|| self.ordered.add(&jobs))?;
        }
        Ok(())
    }

    fn collect(&mut self, wait: Duration) -> Result<Wish, ArenaError> {
        let collected = patiently(|| self.ordered.collect(&self.taken, wait))?;
        self.taken.clear();
        if let Some(failure) = collected.failures.into_iter().next() {
            return Err(ArenaError::GivenUp { games: failure.games, log: failure.log });
        }
        self.slots = collected.slots;
        self.look_for_workers();
        let mut wish = Wish::GoOn;
        for game in collected.games {
            let id = game.record.head.id;
            let kept = self.keep(game)?;
            self.taken.push(id);
            self.open.remove(&id);
            // Whoever was killed between keeping a game and saying so is given it again.
            let Some(game) = kept else { continue };
            self.learn_from(&game.record);
            self.schedule.record(&MatchResult::from(&game.record))?;
            if self.supervisor.game(&game) == Wish::Enough {
                wish = Wish::Enough;
            }
        }
        self.resize_jobs();
        self.supervisor.tick(collected.running);
        Ok(wish)
    }

    /// Whoever waits for nobody is told so, once, and goes on waiting.
    fn look_for_workers(&mut self) {
        if self.slots > 0 {
            self.nobody_since = None;
            if std::mem::take(&mut self.is_told) {
                self.elsewhere.tell(ElsewhereNews::Somebody);
            }
        } else if !self.open.is_empty() && !self.is_told {
            let since = *self.nobody_since.get_or_insert_with(Instant::now);
            if since.elapsed() >= NOBODY_TIME {
                self.is_told = true;
                self.elsewhere.tell(ElsewhereNews::Nobody);
            }
        }
    }

    /// Writes a game down as if it had been played here. `None` if that was done before.
    fn keep(&self, game: RemoteGame) -> Result<Option<PlayedGame>, ArenaError> {
        let RemoteGame { mut record, replay } = game;
        let head = &record.head;
        let planned = PlannedMatch { id: head.id, bots: head.bots, seed: head.seed };
        let path = self.arena.replay_of(&planned, 1);
        let path = path.filter(|_| !replay.is_empty() && self.arena.keeps_replay(&record));
        if let Some(path) = &path {
            write_whole(path, &replay)
                .map_err(|error| ArenaError::Replay { path: path.clone(), error })?;
        }
        let folder = self.arena.store_folder.as_deref();
        record.head.replay = path.as_deref().map(|path| path_in_store(folder, path));
        record.head.replay_digest.take_if(|_| path.is_none());
        if let Some(run) = self.run
            && run.record(&record)? == Recorded::Before
        {
            return Ok(None);
        }
        Ok(Some(PlayedGame { record, replay: path, unprotected: PerSeat::default() }))
    }

    /// How long a game takes, of late more than long ago.
    fn learn_from(&mut self, record: &MatchRecord) {
        let new = record.head.duration;
        self.game_time = Some(self.game_time.map_or(new, |old| (7 * old + new) / 8));
    }

    /// How many games a job should have, by how long one takes. It grows slowly, since games differ.
    fn resize_jobs(&mut self) {
        let Some(game_time) = self.game_time else { return };
        let pair = 2 * game_time.max(Duration::from_millis(1));
        let wanted = (JOB_TIME.as_secs_f64() / pair.as_secs_f64()) as usize;
        let most = PAIRS_OF_JOB_MAX.min(2 * self.pairs_of_job);
        self.pairs_of_job = wanted.clamp(1, most);
    }
}

/// Cuts games into jobs of whole pairs, each of one pairing.
fn jobs_of(games: &mut [PlannedMatch], pairs_of_job: usize) -> Vec<Vec<JobGame>> {
    games.sort_by_key(|game| game.id);
    let mut jobs: Vec<Vec<JobGame>> = Vec::new();
    for game in &*games {
        let game = JobGame::from(game);
        let fits = |job: &&mut Vec<JobGame>| {
            let last = job.last().expect("a job has a game").id;
            let is_partner = last.partner() == game.id;
            let has_room = job.len() < 2 * pairs_of_job && job[0].id.pairing == game.id.pairing;
            is_partner || has_room
        };
        match jobs.last_mut().filter(fits) {
            Some(job) => job.push(game),
            None => jobs.push(vec![game]),
        }
    }
    jobs
}

/// A file is there as a whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".part");
    let partial = PathBuf::from(partial);
    std::fs::write(&partial, bytes)?;
    std::fs::rename(&partial, path)
}

impl From<OrderError> for ArenaError {
    fn from(error: OrderError) -> ArenaError {
        ArenaError::Order(error)
    }
}

impl From<ElsewhereError> for ArenaError {
    fn from(error: ElsewhereError) -> ArenaError {
        ArenaError::Elsewhere(error)
    }
}

#[cfg(test)]
mod tests {
    use quintain_record::BotId;

    use super::*;

    fn planned(round: u32, pairing: u32, swapped: bool) -> PlannedMatch {
        let id = MatchId { round, pairing, seed_index: 0, swapped };
        PlannedMatch { id, bots: PerSeat([BotId(0), BotId(1)]), seed: 7 }
    }

    #[test]
    fn jobs_are_whole_pairs_of_one_pairing() {
        let legs = |round, pairing| [false, true].map(|swapped| planned(round, pairing, swapped));
        let mut games = [legs(0, 0), legs(1, 0), legs(2, 0), legs(0, 1)].concat();
        games.reverse();
        let jobs = jobs_of(&mut games, 2);
        let ids: Vec<Vec<String>> =
            jobs.iter().map(|job| job.iter().map(|game| game.id.to_string()).collect()).collect();
        let expected: [&[&str]; 3] = [
            &["0-0-0-a", "0-0-0-b"],
            &["0-1-0-a", "0-1-0-b"],
            &["1-0-0-a", "1-0-0-b", "2-0-0-a", "2-0-0-b"],
        ];
        assert_eq!(ids, expected);
    }

    #[test]
    fn the_rest_of_a_pair_is_a_job_too() {
        let mut games = [planned(0, 0, true)];
        assert_eq!(jobs_of(&mut games, 4).len(), 1);
    }
}
