//! Matches between house bots that somebody asked for: so many at a time, so many that wait, each for so long.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use quintain_arena::plan::{GameRules, MatchPlan, MatchSettings, PlanError};
use quintain_arena::results::{PlayedMatch, played_match};
use quintain_arena::run::{Progress, RunMeans, run_match};
use quintain_arena::{REPLAY_EXTENSION, file_name_part};
use quintain_core::scene::Eye;
use quintain_core::{PerSeat, drawn_seed};
use quintain_referee::Stop;
use quintain_registry::{AnyGame, NoSpectator, Spectator};
use quintain_tournament::PlannedMatch;

use crate::error::Refusal;
use crate::limits::{
    HOUSE_MATCH_TIME_MAX, HOUSE_MATCHES_KEPT_MAX, HOUSE_MATCHES_PLAYED_MAX,
    HOUSE_MATCHES_WAITING_MAX,
};
use crate::live::{Hub, LiveMatch};
use crate::people::{random_bytes, token};
use crate::url::of_replay;

/// All of them on this server.
pub(crate) struct HouseMatches {
    list: Mutex<List>,
    /// Where replays go; without one nothing can be begun.
    folder: Option<PathBuf>,
    hub: Option<Hub>,
}

#[derive(Default)]
struct List {
    /// Those that are remembered, the latest last.
    matches: VecDeque<Arc<HouseMatch>>,
    count: u64,
    /// Threads that play.
    players: usize,
}

/// What somebody wants to see.
pub(crate) struct HouseWish {
    pub(crate) game: &'static dyn AnyGame,
    /// The names of house bots, first seat first.
    pub(crate) bots: [String; 2],
    pub(crate) rules: GameRules,
    /// Drawn if it is not said.
    pub(crate) seed: Option<i64>,
}

/// One match.
pub(crate) struct HouseMatch {
    pub(crate) number: u64,
    pub(crate) game: &'static dyn AnyGame,
    /// The names of house bots, first seat first.
    pub(crate) bots: [String; 2],
    plan: MatchPlan,
    /// The id of its replay, which is its name in the folder.
    replay: String,
    state: Mutex<State>,
}

/// How far a match is.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// Its number among the live matches, if it is filmed.
    pub(crate) live: Option<u64>,
}

#[derive(Clone, Default)]
pub(crate) enum Phase {
    #[default]
    Waiting,
    Playing,
    Over(Arc<PlayedMatch>),
    /// Why.
    Failed(String),
}

impl HouseMatch {
    pub(crate) fn seed(&self) -> i64 {
        self.plan.settings.seed
    }

    pub(crate) fn state(&self) -> State {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_waiting(&self) -> bool {
        matches!(self.lock().phase, Phase::Waiting)
    }

    fn is_over(&self) -> bool {
        matches!(self.lock().phase, Phase::Over(_) | Phase::Failed(_))
    }
}

impl HouseMatches {
    pub(crate) fn new(folder: Option<PathBuf>, hub: Option<Hub>) -> Arc<HouseMatches> {
        Arc::new(HouseMatches { list: Mutex::default(), folder, hub })
    }

    /// Begins a match, or lets it wait for its turn.
    ///
    /// # Errors
    /// It cannot be played, or too many wait.
    pub(crate) fn begin(self: &Arc<Self>, wish: HouseWish) -> Result<Arc<HouseMatch>, Refusal> {
        let nowhere = Refusal::Forbidden("One replay alone is shown here: matches have no place.");
        if self.folder.is_none() {
            return Err(nowhere);
        }
        let plan = plan_of(&wish)?;
        let [first, second] = wish.bots.each_ref().map(|bot| file_name_part(bot));
        let (game, id) = (wish.game.facts().id, token()?);
        let replay = format!("{game}-{first}-vs-{second}-{}.{REPLAY_EXTENSION}", &id[..6]);
        let mut list = self.lock();
        if list.matches.iter().filter(|one| one.is_waiting()).count() >= HOUSE_MATCHES_WAITING_MAX {
            return Err(Refusal::QueueFull);
        }
        list.count += 1;
        let begun = Arc::new(HouseMatch {
            number: list.count,
            game: wish.game,
            bots: wish.bots,
            plan,
            replay,
            state: Mutex::default(),
        });
        list.matches.push_back(Arc::clone(&begun));
        while list.matches.len() > HOUSE_MATCHES_KEPT_MAX
            && let Some(oldest) = list.matches.iter().position(|one| one.is_over())
        {
            list.matches.remove(oldest);
        }
        if list.players < HOUSE_MATCHES_PLAYED_MAX {
            let all = Arc::clone(self);
            let builder = thread::Builder::new().name("match of house bots".to_owned());
            builder.spawn(move || all.play_all()).map_err(|_| Refusal::QueueFull)?;
            list.players += 1;
        }
        Ok(begun)
    }

    /// All that are remembered, the latest first.
    pub(crate) fn list(&self) -> Vec<Arc<HouseMatch>> {
        self.lock().matches.iter().rev().cloned().collect()
    }

    pub(crate) fn find(&self, number: u64) -> Option<Arc<HouseMatch>> {
        self.lock().matches.iter().find(|one| one.number == number).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One match after the other, as long as some wait.
    fn play_all(&self) {
        while let Some(next) = self.next() {
            let played = catch_unwind(AssertUnwindSafe(|| self.play(&next)));
            let stumbled = |_| Err("The match stopped by a mistake of this program.".to_owned());
            next.lock().phase = match played.unwrap_or_else(stumbled) {
                Ok(played) => Phase::Over(Arc::new(played)),
                Err(why) => Phase::Failed(why),
            };
        }
    }

    /// The one that has waited longest. If none does, the thread that asks is not needed any more.
    fn next(&self) -> Option<Arc<HouseMatch>> {
        let mut list = self.lock();
        let next = list.matches.iter().find(|one| one.is_waiting()).cloned();
        match &next {
            Some(next) => next.lock().phase = Phase::Playing,
            None => list.players -= 1,
        }
        next
    }

    fn play(&self, next: &HouseMatch) -> Result<PlayedMatch, String> {
        let folder = self.folder.as_ref().ok_or("there is no folder for its replay")?;
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let means =
            RunMeans { replay_file: Some(folder.join(&next.replay)), ..RunMeans::default() };
        let stop = Stop::default();
        let (_playing, over) = mpsc::channel::<()>();
        let late = stop.clone();
        thread::spawn(move || {
            if over.recv_timeout(HOUSE_MATCH_TIME_MAX) == Err(mpsc::RecvTimeoutError::Timeout) {
                late.break_off();
            }
        });
        let mut camera = Camera { hub: self.hub.as_ref(), of: next, live: None };
        let played = run_match(&next.plan, &means, &mut camera, &stop);
        camera.finish(played.as_ref().is_ok_and(|played| !played.report.is_empty()));
        let report = played.map_err(|error| error.to_string())?.report;
        let minutes = HOUSE_MATCH_TIME_MAX.as_secs() / 60;
        let report = report.first().ok_or_else(|| {
            format!("The match was broken off: it took more than {minutes} minutes.")
        })?;
        let bots = next.bots.each_ref().map(String::as_str);
        let mut played = played_match(next.game.facts().id, bots, false, report);
        played.replay = played.replay.map(|_| next.replay.clone());
        Ok(played)
    }
}

fn plan_of(wish: &HouseWish) -> Result<MatchPlan, Refusal> {
    let facts = wish.game.facts();
    let seed = match wish.seed {
        Some(seed) => seed,
        None => drawn_seed(facts.seed_bits, u64::from_ne_bytes(random_bytes()?)),
    };
    let settings = MatchSettings { rules: wish.rules.clone(), seed, ..MatchSettings::of(facts.id) };
    let wrong = |error: PlanError| Refusal::BadRequest(error.to_string());
    let bots = wish.bots.each_ref().map(|bot| format!("house:{bot}"));
    let plan = MatchPlan::new(settings, &bots).map_err(wrong)?;
    plan.check(None).map_err(wrong)?;
    Ok(plan)
}

/// Films a match for whoever wants to see it while it is played.
struct Camera<'a> {
    hub: Option<&'a Hub>,
    of: &'a HouseMatch,
    live: Option<Arc<LiveMatch>>,
}

impl Camera<'_> {
    fn finish(&mut self, is_kept: bool) {
        if let (Some(hub), Some(live)) = (self.hub, self.live.take()) {
            hub.finish(live, is_kept.then(|| of_replay("/match/", &self.of.replay)));
        }
    }
}

impl Progress for Camera<'_> {
    fn spectator(&mut self, next: &PlannedMatch) -> Box<dyn Spectator> {
        let Some(hub) = self.hub.filter(|hub| hub.has_room()) else { return Box::new(NoSpectator) };
        let (names, title) = (PerSeat(self.of.bots.clone()), self.of.game.facts().title);
        let (live, camera) = hub.film(title, names, next.seed, Eye::All);
        self.of.lock().live = Some(live.about.number);
        self.live = Some(live);
        camera
    }
}
