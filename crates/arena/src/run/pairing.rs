//! One pairing: games of two teams until there are enough, the time is up, or it leads to nothing.

mod open_pairing;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_links::{Halt, Link};
use quintain_record::{BotId, Contestant, MatchId, MatchRecord, Occupant, SeatError};
use quintain_referee::Stop;
use quintain_registry::{
    AnyGame, MatchReport, MatchSpec, NoSpectator, Playable, ReadyConfig, Spectator,
};
use quintain_replay::after_turns;
use quintain_store::{RunId, Store};
use quintain_tournament::{Book, PlannedMatch};

use self::open_pairing::{OpenPairing, failure, is_absent, result_of};
use super::progress::Session;
use super::team_host::TeamHost;
use super::{Progress, RunMeans, Standing, StoredRun};
use crate::arena::{ArenaError, file_name_part};
use crate::files::digests_of;
use crate::forgiveness::Forgiveness;
use crate::occupant::SeatingError;
use crate::one_match::{self, PlayedGame, RunKind};
use crate::plan::{EvaluationLimits, EvaluationPlan, Team};
use crate::results::{PairingEnd, PairingOutcome, TeamNetwork};
use crate::slots::Wish;

/// Replays of games in which a team failed, per pairing: the first ones show why.
const FAILED_REPLAYS_MAX: u32 = 100;

/// Of the time of a pairing, the part that passes between its games at most.
const GAPS_PART: u32 = 10;

/// What is played of a pairing.
pub(super) struct Pairing {
    /// Counts the pairings.
    pub(super) number: u32,
    pub(super) planned: u32,
    pub(super) teams: [BotId; 2],
    /// What was played before.
    pub(super) past: Vec<PastGame>,
    /// Why no game is added, if that was settled before.
    pub(super) closed: Option<PairingEnd>,
    /// Whether games of a later one were played before.
    pub(super) is_later_begun: bool,
}

impl Pairing {
    /// Whether games of it were played before.
    pub(super) fn was_begun(&self) -> bool {
        !self.past.is_empty()
    }
}

/// A game that a store lists.
pub(super) struct PastGame {
    pub(super) record: MatchRecord,
    pub(super) replay: Option<PathBuf>,
    pub(super) is_disturbed: bool,
}

/// How the games of all pairings are played. All slots share it.
pub(super) struct PairingRun<'a> {
    plan: &'a EvaluationPlan,
    means: &'a RunMeans,
    game: &'static dyn AnyGame,
    config: ReadyConfig,
    /// Where the store is, if it is a file.
    pub(super) store_folder: Option<PathBuf>,
    /// The folder for replays; `None` keeps none.
    pub(super) replays: Option<PathBuf>,
    stop: &'a Stop,
    /// Who plays for the teams, in their order, and what they consist of.
    contestants: Vec<Option<Contestant>>,
    files: Vec<BTreeMap<String, String>>,
    /// Which teams are still excused when the machine kept them waiting.
    pub(super) forgiveness: Forgiveness,
}

/// The next game of a pairing, as a slot is given it.
pub(super) struct NextGame {
    pub(super) planned: PlannedMatch,
    /// When the time of its pairing is up.
    until: Instant,
    /// Games of the pairing in which somebody failed.
    failed_before: u32,
}

/// The games of one pairing, until its time is up.
struct PairingGames<'a> {
    run: &'a PairingRun<'a>,
    host: &'a TeamHost,
    until: Instant,
    /// Games in which somebody failed.
    failed_before: u32,
}

/// A pairing that is being played: what is known of it, and how much of its time is left.
pub(super) struct Course {
    open: OpenPairing,
    planned: u32,
    /// Why no game is added, if that was settled before.
    closed: Option<PairingEnd>,
    session: Session,
    until: Instant,
    /// What its earlier games took.
    used: Duration,
}

impl Course {
    pub(super) fn number(&self) -> u32 {
        self.open.number
    }
}

impl<'a> PairingRun<'a> {
    /// Keeps nothing.
    pub(super) fn new(
        plan: &'a EvaluationPlan,
        means: &'a RunMeans,
        (game, config): (&'static dyn AnyGame, ReadyConfig),
        stop: &'a Stop,
    ) -> Self {
        let contestant = |team: &Team| team.contestant(means.admission);
        let contestants: Vec<_> = plan.teams.iter().map(contestant).collect();
        let digests = |team: &Option<Contestant>| team.as_ref().map(digests_of).unwrap_or_default();
        PairingRun {
            plan,
            means,
            game,
            config,
            store_folder: None,
            replays: None,
            stop,
            files: contestants.iter().map(digests).collect(),
            contestants,
            forgiveness: Forgiveness::default(),
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// Begins a pairing, or goes on with it, and writes its earlier games into the book.
    pub(super) fn begin(
        &self,
        pairing: Pairing,
        kept: Option<&StoredRun>,
        book: &mut Book,
    ) -> Result<Course, ArenaError> {
        let planned = pairing.planned;
        let (open, closed) = recall(store_of(kept), &self.plan.limits, pairing, book)?;
        let used = open.used;
        let names = self.plan.teams.iter().map(|team| team.name.as_str());
        let session = Session::new(names, u64::from(open.games), None);
        let until = session.began + self.plan.limits.time_max.saturating_sub(used);
        Ok(Course { open, planned, closed, session, until, used })
    }

    /// The next game of a pairing, or why there is none.
    pub(super) fn next(&self, course: &Course) -> Result<NextGame, PairingEnd> {
        if let Some(ended) = course.open.end(&self.plan.limits).or(course.closed) {
            return Err(ended);
        }
        if self.stop.is_asked() {
            return Err(PairingEnd::Interrupted);
        }
        let (until, failed_before) = (course.until, course.open.failed);
        Ok(NextGame { planned: course.open.next(), until, failed_before })
    }

    /// Plays a game on the calling thread. `None` if the end of the time or somebody has cut it off.
    pub(super) fn play(
        &self,
        host: &TeamHost,
        game: &NextGame,
        spectator: &mut dyn Spectator,
    ) -> Result<Option<PlayedGame>, ArenaError> {
        let (until, failed_before) = (game.until, game.failed_before);
        let games = PairingGames { run: self, host, until, failed_before };
        one_match::play(&games, &game.planned, spectator)
    }

    /// Adds a game that was played to its pairing and to the book.
    pub(super) fn add(
        &self,
        course: &mut Course,
        game: &PlayedGame,
        kept: Option<&StoredRun>,
        book: &mut Book,
        progress: &mut dyn Progress,
    ) -> Result<Wish, ArenaError> {
        for settled in course.open.add(game) {
            keep(kept, &settled)?;
            book.add(&result_of(&settled));
        }
        course.session.count();
        let time_max = self.plan.limits.time_max;
        let now = course.open.now(course.planned, course.until, time_max, book);
        let now = course.session.now(Standing::Pairing(now), 0);
        let wish = progress.played(game, &now);
        progress.tick(&now);
        Ok(wish)
    }

    /// Why a pairing ends whose game was cut off.
    pub(super) fn cut_off(&self) -> PairingEnd {
        if self.stop.is_asked() { PairingEnd::Interrupted } else { PairingEnd::Time }
    }

    /// Ends a pairing. What is told of it.
    pub(super) fn finish(
        &self,
        course: Course,
        ended: PairingEnd,
        kept: Option<&StoredRun>,
        book: &mut Book,
    ) -> Result<PairingOutcome, ArenaError> {
        let Course { mut open, session, used, .. } = course;
        open.close(ended);
        if let Some(settled) = open.settle(true) {
            // Who goes on later plays it again, and then knows more.
            if open.report.ended != PairingEnd::Interrupted {
                keep(kept, &settled)?;
            }
            book.add(&result_of(&settled));
        }
        let used = used + session.began.elapsed();
        let name = |team: BotId| self.plan.teams[team.index()].name.clone();
        Ok(open.told(store_of(kept), name, used))
    }

    /// Starts a team that no game called, to see whether it comes to its welcome.
    pub(super) fn is_welcomed(&self, host: &TeamHost, team: BotId) -> Result<bool, ArenaError> {
        let until = Instant::now() + self.plan.limits.time_max;
        let games = PairingGames { run: self, host, until, failed_before: 0 };
        let nobody = Occupant::Client { name: String::new() };
        let spec = self.spec(host, PerSeat([self.occupant(team), nobody]), 0, None);
        let links = PerSeat([games.link(team).unwrap_or_else(|_| Link::absent()), Link::absent()]);
        let played = one_match::play_on(&games, &spec, links, &mut NoSpectator);
        let id = MatchId { round: 0, pairing: 0, seed_index: 0, swapped: false };
        let report = played.map_err(|error| ArenaError::Match { id, error })?;
        let is_absent =
            |error: &SeatError| error.seat == Seat::First && error.kind == ErrorKind::NotStarted;
        Ok(report.is_some_and(|report| !report.errors.iter().any(is_absent)))
    }

    /// Who sits at a game for a team. One that nothing starts never comes.
    fn occupant(&self, team: BotId) -> Occupant {
        let nobody = || Occupant::Client { name: self.plan.teams[team.index()].name.clone() };
        self.contestants[team.index()].clone().map_or_else(nobody, Occupant::Contestant)
    }

    fn spec(
        &self,
        host: &TeamHost,
        seats: PerSeat<Occupant>,
        seed: i64,
        replay: Option<PathBuf>,
    ) -> MatchSpec {
        let signer = self.means.signer.clone();
        let own_network = host.reach() == TeamNetwork::None;
        let sandbox = self.means.sandbox.as_deref();
        let sandbox = sandbox.map(|sandbox| sandbox.in_words_on(own_network));
        MatchSpec {
            replay,
            signer,
            sandbox,
            ..self.plan.settings.spec(self.config.clone(), seed, seats)
        }
    }
}

/// Returns when the game can survive a power cut.
fn keep(kept: Option<&StoredRun>, record: &MatchRecord) -> Result<(), ArenaError> {
    if let Some(kept) = kept {
        kept.run.record(record)?;
    }
    Ok(())
}

fn store_of(kept: Option<&StoredRun>) -> Option<(&Store, RunId)> {
    kept.map(|kept| (&kept.store, kept.run.id()))
}

impl RunKind for PairingGames<'_> {
    fn game(&self) -> &dyn Playable {
        self.run.game
    }

    fn forgiveness(&self) -> &Forgiveness {
        &self.run.forgiveness
    }

    fn store_folder(&self) -> Option<PathBuf> {
        self.run.store_folder.clone()
    }

    fn halt(&self) -> Option<Halt> {
        Some(Halt { stop: Some(self.run.stop.clone()), at: Some(self.until) })
    }

    fn link(&self, team: BotId) -> Result<Link, SeatingError> {
        self.host.link(self.run.contestants[team.index()].as_ref())
    }

    /// The file is the same in every attempt.
    fn spec(&self, planned: &PlannedMatch, _attempt: u32) -> MatchSpec {
        let run = self.run;
        let name = |team: BotId| file_name_part(&run.plan.teams[team.index()].name);
        let [first, second] = planned.bots.0.map(name);
        let file = format!("{}-{first}-vs-{second}.replay.jsonl.zst", planned.id);
        let replay = run.replays.as_ref().map(|folder| folder.join(file));
        let seats = planned.bots.map(|_, team| run.occupant(team));
        let files = planned.bots.map(|_, team| run.files[team.index()].clone());
        MatchSpec { files, ..run.spec(self.host, seats, planned.seed, replay) }
    }

    /// The next attempt takes the place of its replay.
    fn keeps_attempts(&self) -> bool {
        false
    }

    fn error_text(&self, report: &MatchReport, error: &SeatError) -> String {
        let mut text = error.text.clone();
        // Where nothing was played the text says so by itself.
        if error.kind != ErrorKind::NotStarted && report.turns > 0 {
            text += &after_turns(report.turns, self.game().facts().turn_name);
        }
        if let Some(last) = report.last_stderr[error.seat].lines().last() {
            text += &format!(", its last line on stderr: {last}");
        }
        text
    }

    fn keeps_replay(&self, record: &MatchRecord) -> bool {
        let MatchId { seed_index, swapped, .. } = record.head.id;
        let number = seed_index * 2 + u32::from(swapped);
        let sample = self.run.means.sample;
        let is_sample = sample.is_some_and(|every| number.is_multiple_of(every.get()));
        // Of a game that never began there is nothing to be seen.
        let was_begun = !Seat::BOTH.into_iter().any(|seat| is_absent(record, seat));
        let has_failed = Seat::BOTH.into_iter().any(|seat| failure(record, seat).is_some());
        let is_troubled = record.head.ending.is_void() || has_failed;
        was_begun && (is_sample || (is_troubled && self.failed_before < FAILED_REPLAYS_MAX))
    }
}

/// A pairing of which nothing more is played, as the store has it.
pub(super) fn recalled(
    store: Option<(&Store, RunId)>,
    limits: &EvaluationLimits,
    team_name: impl Fn(BotId) -> String,
    pairing: Pairing,
    book: &mut Book,
) -> Result<PairingOutcome, ArenaError> {
    let (mut open, closed) = recall(store, limits, pairing, book)?;
    let ended = open.end(limits).or(closed).unwrap_or(PairingEnd::Interrupted);
    open.close(ended);
    let used = open.used;
    Ok(open.told(store, team_name, used))
}

/// What was played of a pairing before, and why no game is added to it if that is settled.
fn recall(
    store: Option<(&Store, RunId)>,
    limits: &EvaluationLimits,
    pairing: Pairing,
    book: &mut Book,
) -> Result<(OpenPairing, Option<PairingEnd>), ArenaError> {
    let mut open = OpenPairing::new(pairing.number, pairing.teams);
    for PastGame { mut record, replay, is_disturbed } in pairing.past {
        // What lists leave out of a game.
        if (is_disturbed || open.lacks_words(&record))
            && let Some((store, run)) = store
            && let Some(whole) = store.game_of(run, record.head.id)?
        {
            record = whole;
        }
        open.note(&record, replay.as_deref());
        book.add(&result_of(&record));
    }
    let used = open.used;
    // The game that the end of the time cut off is in no store, nor is what passed between games.
    let is_nearly_spent = used + used / GAPS_PART >= limits.time_max;
    let is_spent =
        used + open.longest >= limits.time_max || (pairing.is_later_begun && is_nearly_spent);
    let is_spent = used > Duration::ZERO && is_spent;
    Ok((open, if is_spent { Some(PairingEnd::Time) } else { pairing.closed }))
}
