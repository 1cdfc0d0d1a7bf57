//! Plays games for a server: claims jobs, says that it is there, reports.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quintain_arena::Arena;
use quintain_arena::work::wire::{
    Beat, Claim, ClaimRequest, GoOn, LeaseWords, Report, Reported, ReportedGame, Version,
};
use quintain_arena::work::{OrderedBot, OrderedMind, arena_of, play_game};
use quintain_links::{BuildLimits, Sandbox, build};

use crate::bot_cache::{BotCache, CacheError};
use crate::client::{Client, ClientError};

/// How often it is looked whether something is to be said.
const TICK: Duration = Duration::from_millis(200);
/// Pauses between attempts to reach a server: each twice as long as the one before.
const PAUSE_LEAST: Duration = Duration::from_millis(250);
const PAUSE_MOST: Duration = Duration::from_secs(10);
/// A report that nobody takes for so long is given up: its lease has run out long ago.
const REPORT_TIME_MAX: Duration = Duration::from_secs(600);
/// What a server is told of the log of a build that failed.
const LOG_BYTES_TOLD: usize = 2000;
/// Orders whose arenas are kept.
const ARENAS_MAX: usize = 8;

/// What a worker works with.
pub struct WorkerPlan {
    pub client: Client,
    /// Games at a time.
    pub slots: NonZero<usize>,
    /// Where bots are kept.
    pub cache: PathBuf,
    /// What holds programs; `None`: they are trusted.
    pub sandbox: Option<Arc<Sandbox>>,
}

/// What happens to a worker. Told on the threads that play.
#[derive(Debug)]
pub enum WorkNews<'a> {
    /// The games of a job are played, and counted by the server unless it wanted them no more.
    Reported { games: usize, is_counted: bool },
    /// A job cannot be played; the server knows why.
    Failed { log: &'a str },
    /// A report was refused.
    Refused { why: &'a str },
    /// The server is away, and tried again.
    Away { reason: &'a str },
    /// The server is there again.
    Back,
}

/// Why no more games are played.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error("{0}")]
    Refused(ClientError),
    #[error("cannot make a folder for replays: {0}")]
    Folder(io::Error),
}

/// A machine that plays for a server.
pub struct Worker {
    plan: WorkerPlan,
    cache: BotCache,
    /// Tells the server that this is another start of the same worker.
    session: String,
    /// One bot is fetched and built at a time; those that could not be, and why.
    unbuilt: Mutex<BTreeMap<String, String>>,
    held: Mutex<BTreeMap<(i64, i64), HeldJob>>,
    arenas: Mutex<Vec<(i64, Arc<Arena>)>>,
    /// No more jobs.
    is_stopped: AtomicBool,
    is_away: AtomicBool,
    /// Why the server wants nothing of this worker.
    refused: Mutex<Option<ClientError>>,
}

/// A job that this worker has.
struct HeldJob {
    lease: LeaseWords,
    beat: Duration,
    heard: Instant,
    is_wanted: Arc<AtomicBool>,
}

type Tell<'a> = &'a (dyn Fn(WorkNews<'_>) + Sync);

impl Worker {
    pub fn new(plan: WorkerPlan) -> Worker {
        let cache = BotCache::new(plan.cache.clone());
        Worker {
            plan,
            cache,
            session: new_session(),
            unbuilt: Mutex::default(),
            held: Mutex::default(),
            arenas: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            is_away: AtomicBool::new(false),
            refused: Mutex::default(),
        }
    }

    /// Plays until it is stopped.
    ///
    /// # Errors
    /// The server wants nothing of this worker, or there is no room.
    pub fn run(&self, tell: Tell<'_>) -> Result<(), WorkError> {
        self.cache.trim();
        let replays = tempfile::Builder::new().prefix("quintain-worker-").tempdir();
        let replays = replays.map_err(WorkError::Folder)?;
        let playing = AtomicBool::new(true);
        thread::scope(|scope| {
            let beating = scope.spawn(|| self.beat_while(&playing));
            let slots: Vec<_> = (0..self.plan.slots.get())
                .map(|_| scope.spawn(|| self.play_jobs(replays.path(), tell)))
                .collect();
            for slot in slots {
                // A panic was told where it happened.
                let _ = slot.join();
            }
            playing.store(false, Ordering::Relaxed);
            let _ = beating.join();
        });
        match lock(&self.refused).take() {
            Some(error) => Err(WorkError::Refused(error)),
            None => Ok(()),
        }
    }

    /// Claims no more jobs; those that it has are finished.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Gives back all jobs at once, unplayed.
    pub fn give_back(&self) {
        self.stop();
        let held = std::mem::take(&mut *lock(&self.held));
        for HeldJob { lease, .. } in held.into_values() {
            let report = Report { lease, what: Reported::GivenBack };
            // Its lease runs out in any case.
            let _ = self.plan.client.post::<GoOn>("/jobs/report", &report);
        }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn play_jobs(&self, replays: &Path, tell: Tell<'_>) {
        while !self.is_stopped() {
            let Some(claim) = self.claim(tell) else { continue };
            let is_wanted = Arc::new(AtomicBool::new(true));
            let key = (claim.lease.job, claim.lease.reads);
            let beat = Duration::from_secs(claim.beat_s);
            let (lease, heard) = (claim.lease, Instant::now());
            let held = HeldJob { lease, beat, heard, is_wanted: Arc::clone(&is_wanted) };
            lock(&self.held).insert(key, held);
            let what = match self.play_job(&claim, replays, &is_wanted) {
                Ok(games) => games.map(Reported::Played),
                Err(log) => {
                    tell(WorkNews::Failed { log: &log });
                    Some(Reported::Failed { log })
                }
            };
            match what {
                Some(what) => self.report(claim.lease, what, tell),
                None => tell(WorkNews::Reported { games: claim.games.len(), is_counted: false }),
            }
            lock(&self.held).remove(&key);
        }
    }

    /// A job, if there is one within some seconds.
    fn claim(&self, tell: Tell<'_>) -> Option<Claim> {
        let slots = u32::try_from(self.plan.slots.get()).unwrap_or(u32::MAX);
        let session = self.session.clone();
        let request = ClaimRequest { version: Version::own(), slots, session };
        let claimed = self.patiently(Duration::MAX, tell, || {
            if self.is_stopped() {
                return Ok(None);
            }
            self.plan.client.post("/jobs/claim", &request)
        });
        claimed.unwrap_or_else(|error| {
            self.stop();
            lock(&self.refused).get_or_insert(error);
            None
        })
    }

    /// All games of a job. `None` if nobody wants them any more.
    fn play_job(
        &self,
        claim: &Claim,
        replays: &Path,
        is_wanted: &AtomicBool,
    ) -> Result<Option<Vec<ReportedGame>>, String> {
        let arena = self.arena(claim, replays)?;
        let mut games = Vec::with_capacity(claim.games.len());
        for game in &claim.games {
            if !is_wanted.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let played = play_game(&arena, game).map_err(|error| error.to_string())?;
            let replay = match &played.replay {
                Some(path) => {
                    fs::read(path).map_err(|error| format!("cannot read a replay: {error}"))?
                }
                None => Vec::new(),
            };
            let _ = played.replay.map(fs::remove_file);
            games.push(ReportedGame { record: played.record, replay });
        }
        Ok(Some(games))
    }

    /// How the games of an order are played. Made once for all jobs of it that are played by the same clock.
    fn arena(&self, claim: &Claim, replays: &Path) -> Result<Arc<Arena>, String> {
        for bot in &claim.order.bots {
            self.fetch(bot)?;
        }
        let mut arenas = lock(&self.arenas);
        let is_it = |arena: &Arena| arena.machine_scale == claim.order.machine_scale;
        let known = arenas.iter().find(|(order, arena)| *order == claim.order_id && is_it(arena));
        if let Some((_, arena)) = known {
            return Ok(Arc::clone(arena));
        }
        let folder = replays.join(claim.order_id.to_string());
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let folder_of = |digest: &str| self.cache.folder_of(digest);
        let sandbox = self.plan.sandbox.clone();
        let arena = arena_of(&claim.order, &folder_of, &folder, sandbox);
        let arena = Arc::new(arena.map_err(|error| error.to_string())?);
        if arenas.len() == ARENAS_MAX {
            arenas.remove(0);
        }
        arenas.push((claim.order_id, Arc::clone(&arena)));
        Ok(arena)
    }

    /// Has a bot ready to play: fetched and built, both once.
    fn fetch(&self, bot: &OrderedBot) -> Result<(), String> {
        let OrderedMind::Archive { digest, .. } = &bot.mind else { return Ok(()) };
        if self.cache.has(digest) {
            return Ok(());
        }
        let mut unbuilt = lock(&self.unbuilt);
        if self.cache.has(digest) {
            return Ok(());
        }
        if let Some(why) = unbuilt.get(digest) {
            return Err(why.clone());
        }
        let name = &bot.name;
        let fetched = self.plan.client.get(&format!("/jobs/blob/{digest}"));
        let archive = fetched.map_err(|error| format!("cannot fetch the bot {name}: {error}"))?;
        let sandbox = self.plan.sandbox.as_deref();
        let added =
            self.cache.add(digest, &archive, &|folder, log| build_bot(folder, log, sandbox));
        self.cache.trim();
        added.map_err(|error| {
            let why = format!("bot {name}: {error}");
            if let CacheError::Build(_) = error {
                unbuilt.insert(digest.clone(), why.clone());
            }
            why
        })
    }

    fn report(&self, lease: LeaseWords, what: Reported, tell: Tell<'_>) {
        let games = match &what {
            Reported::Played(games) => games.len(),
            Reported::Failed { .. } | Reported::GivenBack => 0,
        };
        let report = Report { lease, what };
        let answered = self.patiently(REPORT_TIME_MAX, tell, || {
            self.plan.client.ask::<GoOn>("/jobs/report", &report)
        });
        match answered {
            Ok(GoOn { go_on }) if games > 0 => {
                tell(WorkNews::Reported { games, is_counted: go_on })
            }
            Ok(_) => {}
            Err(error) => tell(WorkNews::Refused { why: &error.to_string() }),
        }
    }

    /// Tries again as long as the server is away, for this long.
    fn patiently<T>(
        &self,
        most: Duration,
        tell: Tell<'_>,
        call: impl Fn() -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        let (began, mut pause) = (Instant::now(), PAUSE_LEAST);
        loop {
            match call() {
                Err(ClientError::Away { reason, .. }) if began.elapsed() < most => {
                    if !self.is_away.swap(true, Ordering::Relaxed) {
                        tell(WorkNews::Away { reason: &reason });
                    }
                    thread::sleep(pause);
                    pause = (2 * pause).min(PAUSE_MOST);
                }
                done => {
                    if done.is_ok() && self.is_away.swap(false, Ordering::Relaxed) {
                        tell(WorkNews::Back);
                    }
                    return done;
                }
            }
        }
    }

    /// Says of all jobs that this worker has that it is there, as often as the server wants to hear it.
    fn beat_while(&self, playing: &AtomicBool) {
        while playing.load(Ordering::Relaxed) {
            thread::sleep(TICK);
            let is_due = |held: &HeldJob| held.heard.elapsed() >= held.beat;
            let due: Vec<LeaseWords> = {
                let held = lock(&self.held);
                held.values().filter(|held| is_due(held)).map(|held| held.lease).collect()
            };
            for lease in due {
                self.beat(lease);
            }
        }
    }

    fn beat(&self, lease: LeaseWords) {
        let answered = self.plan.client.ask::<GoOn>("/jobs/beat", &Beat { lease });
        let mut all = lock(&self.held);
        let Some(held) = all.get_mut(&(lease.job, lease.reads)) else { return };
        match answered {
            Ok(GoOn { go_on }) => {
                held.heard = Instant::now();
                held.is_wanted.store(go_on, Ordering::Relaxed);
            }
            // Tried again at the next look.
            Err(ClientError::Away { .. }) => {}
            Err(_) => held.is_wanted.store(false, Ordering::Relaxed),
        }
    }
}

/// Builds the bot of a folder, if it must be built. Why it cannot be is told with the end of what the build said.
fn build_bot(folder: &Path, log: &Path, sandbox: Option<&Sandbox>) -> Result<(), String> {
    let built = build(folder, log, &BuildLimits::default(), sandbox);
    built.map(|_| ()).map_err(|error| {
        let said = fs::read(log).unwrap_or_default();
        let end = &said[said.len().saturating_sub(LOG_BYTES_TOLD)..];
        format!("{error}\n{}", String::from_utf8_lossy(end))
    })
}

/// Differs from start to start; nobody gains anything by guessing it.
fn new_session() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", std::process::id(), now.as_nanos())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
