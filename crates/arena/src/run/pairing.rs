//! One pairing: games of two teams until there are enough, the time is up, or it leads to nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Seat, Verdict};
use quintain_links::{Halt, Link};
use quintain_record::{BotId, Contestant, Ending, MatchId, MatchRecord, Occupant, SeatError};
use quintain_referee::Stop;
use quintain_registry::{AnyGame, MatchReport, MatchSpec, NoSpectator, Playable, ReadyConfig};
use quintain_replay::after_turns;
use quintain_store::{RunId, Store};
use quintain_tournament::{Book, Finish, MatchResult, PlannedMatch};

use super::progress::Session;
use super::team_host::TeamHost;
use super::{KeptRun, PairingNow, Progress, RunMeans, Standing};
use crate::arena::{ArenaError, file_name_part};
use crate::files::digests_of;
use crate::forgiveness::Forgiveness;
use crate::occupant::SeatingError;
use crate::one_match::{self, PlayedGame, RunKind};
use crate::plan::{EvaluationLimits, EvaluationPlan, Team};
use crate::results::TeamNetwork;
use crate::results::{
    FirstFailure, PairingEnd, PairingOutcome, VoidMatch, disturbed_answers, replay_path,
};
use crate::slots::Wish;

/// Replays of games in which a team failed, per pairing: the first ones show why.
const FAILED_REPLAYS_MAX: u32 = 100;

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
}

/// A game that a store lists.
pub(super) struct PastGame {
    pub(super) record: MatchRecord,
    pub(super) replay: Option<PathBuf>,
    pub(super) is_disturbed: bool,
}

/// Plays the pairings of an evaluation.
pub(super) struct PairingRun<'a> {
    plan: &'a EvaluationPlan,
    means: &'a RunMeans,
    game: &'static dyn AnyGame,
    config: ReadyConfig,
    pub(super) host: TeamHost,
    /// Games are added to it; `None` if nobody keeps them.
    pub(super) kept: Option<&'a KeptRun>,
    /// The folder for replays; `None` keeps none.
    pub(super) replays: Option<&'a Path>,
    stop: &'a Stop,
    /// Whether whoever is told of games has seen enough.
    pub(super) is_enough: bool,
    /// Who plays for the teams, in their order, and what they consist of.
    contestants: Vec<Option<Contestant>>,
    files: Vec<BTreeMap<String, String>>,
    /// Which teams are still excused when the machine kept them waiting.
    pub(super) forgiveness: Forgiveness,
}

/// The games of one pairing, until its time is up.
struct PairingGames<'a> {
    run: &'a PairingRun<'a>,
    until: Instant,
    /// Games in which somebody failed.
    failed_before: u32,
}

/// A pairing to which games are added.
struct OpenPairing<'a> {
    number: u32,
    report: PairingOutcome,
    book: &'a mut Book,
    games: u32,
    /// What the games took, and the longest of them.
    used: Duration,
    longest: Duration,
    /// Games that the machine disturbed.
    disturbed: Vec<MatchRecord>,
    /// Games in which somebody failed.
    failed: u32,
    /// Of these, the last ones in a row, and how many of them each team failed in.
    failed_in_row: u32,
    failed_in_row_by: [u32; 2],
    /// Whether each team was ready when it was last called; `None` before that.
    was_ready: [Option<bool>; 2],
    /// A game whose second seat was never called: it has won if it is ready when it is called next.
    walkover: Option<MatchRecord>,
}

impl<'a> PairingRun<'a> {
    /// Keeps nothing.
    pub(super) fn new(
        plan: &'a EvaluationPlan,
        means: &'a RunMeans,
        (game, config): (&'static dyn AnyGame, ReadyConfig),
        host: TeamHost,
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
            host,
            kept: None,
            replays: None,
            stop,
            is_enough: false,
            files: contestants.iter().map(digests).collect(),
            contestants,
            forgiveness: Forgiveness::default(),
        }
    }

    /// Whether no further game is begun.
    pub(super) fn is_over(&self) -> bool {
        self.is_enough || self.stop.is_asked()
    }

    /// Plays a pairing, or what is left of it, and writes its games into the book.
    pub(super) fn play(
        &mut self,
        pairing: Pairing,
        book: &mut Book,
        progress: &mut dyn Progress,
    ) -> Result<PairingOutcome, ArenaError> {
        let (plan, planned) = (self.plan, pairing.planned);
        let store = self.kept.map(|kept| (&kept.store, kept.run.id()));
        let (mut open, closed) = recall(store, &plan.limits, pairing, book)?;
        let used = open.used;
        let names = plan.teams.iter().map(|team| team.name.as_str());
        let mut session = Session::new(names, u64::from(open.games), None);
        let until = session.began + plan.limits.time_max.saturating_sub(used);
        let ended = loop {
            if let Some(ended) = open.end(&plan.limits).or(closed) {
                break ended;
            }
            if self.is_over() {
                break PairingEnd::Interrupted;
            }
            let games = PairingGames { run: self, until, failed_before: open.failed };
            let next = open.next();
            let Some(game) = one_match::play(&games, &next, &mut *progress.spectator(&next))?
            else {
                let is_stopped = self.stop.is_asked();
                break if is_stopped { PairingEnd::Interrupted } else { PairingEnd::Time };
            };
            for settled in open.add(&game) {
                self.keep(&settled)?;
                open.book.add(&result_of(&settled));
            }
            session.count();
            let standing = Standing::Pairing(open.now(planned, until, plan.limits.time_max));
            let now = session.now(standing, 0);
            let wish = progress.played(&game, &now);
            progress.tick(&now);
            self.is_enough = wish == Wish::Enough;
        };
        open.close(ended);
        if let Some(settled) = open.settle(true) {
            // Who goes on later plays it again, and then knows more.
            if open.report.ended != PairingEnd::Interrupted {
                self.keep(&settled)?;
            }
            open.book.add(&result_of(&settled));
        }
        let used = used + session.began.elapsed();
        Ok(open.told(store, &plan.teams, used))
    }

    /// Returns when the game can survive a power cut.
    fn keep(&self, record: &MatchRecord) -> Result<(), ArenaError> {
        if let Some(kept) = self.kept {
            kept.run.record(record)?;
        }
        Ok(())
    }

    /// Starts a team that no game called, to see whether it comes to its welcome.
    pub(super) fn is_welcomed(&self, team: BotId) -> Result<bool, ArenaError> {
        let until = Instant::now() + self.plan.limits.time_max;
        let games = PairingGames { run: self, until, failed_before: 0 };
        let nobody = Occupant::Client { name: String::new() };
        let spec = self.spec(PerSeat([self.occupant(team), nobody]), 0, None);
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

    fn spec(&self, seats: PerSeat<Occupant>, seed: i64, replay: Option<PathBuf>) -> MatchSpec {
        let signer = self.means.signer.clone();
        let own_network = self.host.reach() == TeamNetwork::None;
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

impl RunKind for PairingGames<'_> {
    fn game(&self) -> &dyn Playable {
        self.run.game
    }

    fn forgiveness(&self) -> &Forgiveness {
        &self.run.forgiveness
    }

    fn store_folder(&self) -> Option<PathBuf> {
        self.run.kept.and_then(|kept| kept.store.folder())
    }

    fn halt(&self) -> Option<Halt> {
        Some(Halt { stop: Some(self.run.stop.clone()), at: Some(self.until) })
    }

    fn link(&self, team: BotId) -> Result<Link, SeatingError> {
        self.run.host.link(self.run.contestants[team.index()].as_ref())
    }

    /// The file is the same in every attempt.
    fn spec(&self, planned: &PlannedMatch, _attempt: u32) -> MatchSpec {
        let run = self.run;
        let name = |team: BotId| file_name_part(&run.plan.teams[team.index()].name);
        let [first, second] = planned.bots.0.map(name);
        let file = format!("{}-{first}-vs-{second}.replay.jsonl.zst", planned.id);
        let replay = run.replays.map(|folder| folder.join(file));
        let seats = planned.bots.map(|_, team| run.occupant(team));
        let files = planned.bots.map(|_, team| run.files[team.index()].clone());
        MatchSpec { files, ..run.spec(seats, planned.seed, replay) }
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
    plan: &EvaluationPlan,
    pairing: Pairing,
    book: &mut Book,
) -> Result<PairingOutcome, ArenaError> {
    let (mut open, closed) = recall(store, &plan.limits, pairing, book)?;
    let ended = open.end(&plan.limits).or(closed).unwrap_or(PairingEnd::Interrupted);
    open.close(ended);
    let used = open.used;
    Ok(open.told(store, &plan.teams, used))
}

/// What was played of a pairing before, and why no game is added to it if that is settled.
fn recall<'a>(
    store: Option<(&Store, RunId)>,
    limits: &EvaluationLimits,
    pairing: Pairing,
    book: &'a mut Book,
) -> Result<(OpenPairing<'a>, Option<PairingEnd>), ArenaError> {
    let mut open = OpenPairing::new(pairing.number, pairing.teams, book);
    for PastGame { mut record, replay, is_disturbed } in pairing.past {
        // What lists leave out of a game.
        if (is_disturbed || open.lacks_words(&record))
            && let Some((store, run)) = store
            && let Some(whole) = store.game_of(run, record.head.id)?
        {
            record = whole;
        }
        open.note(&record, replay.as_deref());
        open.book.add(&result_of(&record));
    }
    let used = open.used;
    // The game that the end of the time cut off is in no store.
    let is_spent = used > Duration::ZERO && used + open.longest >= limits.time_max;
    Ok((open, if is_spent { Some(PairingEnd::Time) } else { pairing.closed }))
}

impl<'a> OpenPairing<'a> {
    fn new(number: u32, teams: [BotId; 2], book: &'a mut Book) -> Self {
        OpenPairing {
            number,
            report: PairingOutcome {
                teams,
                welcomed: [None; 2],
                ready: None,
                reasons: BTreeMap::new(),
                failures: [None, None],
                void: Vec::new(),
                disturbed: Vec::new(),
                seconds: 0.0,
                ended: PairingEnd::Games,
            },
            book,
            games: 0,
            used: Duration::ZERO,
            longest: Duration::ZERO,
            disturbed: Vec::new(),
            failed: 0,
            failed_in_row: 0,
            failed_in_row_by: [0; 2],
            was_ready: [None; 2],
            walkover: None,
        }
    }

    fn end(&self, limits: &EvaluationLimits) -> Option<PairingEnd> {
        if self.games >= limits.games_max {
            return Some(PairingEnd::Games);
        }
        let is_given_up = limits.give_up_after.is_some_and(|max| self.failed_in_row >= max.get());
        is_given_up.then_some(PairingEnd::GivenUp)
    }

    /// Nobody was ready in a pairing that both failed in.
    fn close(&mut self, ended: PairingEnd) {
        let was_ready =
            |side: &usize| self.failed_in_row_by[*side] == 0 && self.was_ready[*side] == Some(true);
        let ready = [0, 1].into_iter().find(was_ready).map(|side| self.report.teams[side]);
        self.report.ready = ready.filter(|_| ended == PairingEnd::GivenUp);
        self.report.ended = ended;
    }

    fn now(&self, planned: u32, until: Instant, time_max: Duration) -> PairingNow {
        let number = self.number + 1;
        PairingNow {
            number,
            planned,
            teams: self.report.teams,
            wins: self.wins(),
            left: until.saturating_duration_since(Instant::now()),
            later: time_max * planned.saturating_sub(number),
        }
    }

    /// What is told of the pairing, with what the machine disturbed.
    fn told(
        mut self,
        store: Option<(&Store, RunId)>,
        teams: &[Team],
        used: Duration,
    ) -> PairingOutcome {
        let name = |bot: BotId| teams[bot.index()].name.clone();
        let path = |stored: &str| match store {
            Some((store, _)) => replay_path(store, stored),
            None => PathBuf::from(stored),
        };
        for record in &self.disturbed {
            self.report.disturbed.extend(disturbed_answers(record, name, path));
            self.report.void.extend(VoidMatch::new(&record.head, name, path));
        }
        self.report.seconds = used.as_secs_f64();
        self.report
    }

    /// The next game. Seats alternate.
    fn next(&self) -> PlannedMatch {
        let (seed_index, swapped) = (self.games / 2, self.games % 2 == 1);
        let [one, other] = self.report.teams;
        PlannedMatch {
            id: MatchId { round: 0, pairing: self.number, seed_index, swapped },
            bots: PerSeat(if swapped { [other, one] } else { [one, other] }),
            seed: i64::from(seed_index),
        }
    }

    fn side(&self, team: BotId) -> usize {
        usize::from(team == self.report.teams[1])
    }

    fn wins(&self) -> [u64; 2] {
        let [one, other] = self.report.teams;
        [self.book.against(one, other).wins, self.book.against(other, one).wins]
    }

    /// Whether a game from the store tells of a failure that nothing is known about yet.
    fn lacks_words(&self, record: &MatchRecord) -> bool {
        Seat::BOTH.into_iter().any(|seat| {
            let is_new = self.report.failures[self.side(record.head.bots[seat])].is_none();
            is_new && failure(record, seat).is_some_and(|error| error.text.is_empty())
        })
    }

    /// Notes everything about a game but who won it.
    fn note(&mut self, record: &MatchRecord, replay: Option<&Path>) {
        let is_void = record.head.ending.is_void();
        for seat in Seat::BOTH {
            let side = self.side(record.head.bots[seat]);
            if was_called(record, seat) {
                let is_ready = !is_absent(record, seat);
                self.was_ready[side] = Some(is_ready);
                let welcomed = &mut self.report.welcomed[side];
                *welcomed = Some(welcomed.unwrap_or(false) || is_ready);
            }
            if !is_void && self.report.failures[side].is_none() {
                let replay = replay.map(Path::to_owned);
                let first = |error: &SeatError| FirstFailure {
                    text: error.text.clone(),
                    cause: error.cause,
                    replay,
                };
                self.report.failures[side] = failure(record, seat).map(first);
            }
        }
        if !is_void {
            let reason = record.head.ending.reason().to_owned();
            *self.report.reasons.entry(reason).or_default() += 1;
        }
        let is_failure = match result_of(record).finish {
            Finish::Won(winner) => failure(record, winner.other()).is_some(),
            _ => true,
        };
        if !record.disturbances.is_empty() {
            self.disturbed.push(record.clone());
        }
        self.failed += u32::from(is_failure);
        // A void game is nobody's failure, and proves nobody well.
        if !is_void {
            self.count_in_row(record, is_failure);
        }
        self.games += 1;
        self.used += record.head.duration;
        self.longest = self.longest.max(record.head.duration);
    }

    fn count_in_row(&mut self, record: &MatchRecord, is_failure: bool) {
        if !is_failure {
            (self.failed_in_row, self.failed_in_row_by) = (0, [0; 2]);
            return;
        }
        self.failed_in_row += 1;
        for seat in Seat::BOTH.into_iter().filter(|seat| failure(record, *seat).is_some()) {
            let side = self.side(record.head.bots[seat]);
            self.failed_in_row_by[side] += 1;
        }
    }

    /// Takes a game that was just played. Returns those of which it is now known who won them.
    fn add(&mut self, game: &PlayedGame) -> Vec<MatchRecord> {
        self.note(&game.record, game.replay.as_deref());
        let record = game.record.clone();
        let before = self.settle(false);
        let now = match was_called(&record, Seat::Second) {
            true => Some(record),
            false => {
                self.walkover = Some(record);
                self.settle(false)
            }
        };
        before.into_iter().chain(now).collect()
    }

    /// A game that waited for its winner to be called: nobody has won by the other's absence who would
    /// have been absent as well. At the end it counts as it is.
    fn settle(&mut self, is_end: bool) -> Option<MatchRecord> {
        let winner = self.side(self.walkover.as_ref()?.head.bots[Seat::Second]);
        match self.was_ready[winner] {
            Some(true) => self.walkover.take(),
            Some(false) => self.walkover.take().map(lost_by_both),
            None if is_end => self.walkover.take(),
            None => None,
        }
    }
}

/// What the seat's team did wrong first. A throw that was refused is an error too, as is
/// meddling, but not what a game is lost by.
fn failure(record: &MatchRecord, seat: Seat) -> Option<&SeatError> {
    let is_fatal = |kind: ErrorKind| !matches!(kind, ErrorKind::Illegal | ErrorKind::Meddling);
    let mut errors = record.errors.iter();
    errors.find(|error| error.seat == seat && is_fatal(error.kind))
}

/// Whether the seat's team never came.
fn is_absent(record: &MatchRecord, seat: Seat) -> bool {
    record.error_kinds()[seat].contains(ErrorKind::NotStarted)
}

/// The second team is called once the first was welcomed.
fn was_called(record: &MatchRecord, seat: Seat) -> bool {
    seat == Seat::First || !is_absent(record, Seat::First)
}

fn result_of(record: &MatchRecord) -> MatchResult {
    // Marks follow from points, whatever was played for them.
    MatchResult { content: None, ..MatchResult::from(record) }
}

/// The game, won by nobody.
fn lost_by_both(mut record: MatchRecord) -> MatchRecord {
    if let Ending::Scored(scored) = &mut record.head.ending {
        scored.verdicts = PerSeat([Verdict::Loss; 2]);
    }
    record
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use quintain_record::{MatchHead, Scored, VoidReason};

    use super::*;

    /// The next game of two teams: lost by the second seat because it failed, or void.
    fn record(open: &OpenPairing<'_>, is_void: bool) -> MatchRecord {
        let (seat, kind) = (Seat::Second, ErrorKind::Timeout);
        let error = SeatError { seat, kind, times: 1, cause: None, text: "was late".to_owned() };
        let scored = Ending::Scored(Scored {
            verdicts: PerSeat([Verdict::Win, Verdict::Loss]),
            scores: PerSeat([1, 0]),
            reason: "timeout".to_owned(),
        });
        let void = Ending::Void(VoidReason::Disturbed);
        let head = MatchHead {
            id: open.next().id,
            seed: 0,
            bots: PerSeat([BotId(0), BotId(1)]),
            ending: if is_void { void } else { scored },
            turns: 1,
            content: None,
            replay: None,
            replay_digest: None,
            sandbox: None,
            duration: Duration::from_millis(5),
            answers: PerSeat::default(),
            finished_ms: 0,
        };
        let (disturbances, tags) = (Vec::new(), Vec::new());
        MatchRecord { head, errors: vec![error], disturbances, tags }
    }

    #[test]
    fn a_pairing_is_given_up_after_failures_but_not_after_void_games() {
        let time_max = Duration::from_secs(9);
        let give_up_after = NonZero::new(3);
        let limits = EvaluationLimits { games_max: 100, time_max, give_up_after };
        let mut book = Book::new(2);
        let mut open = OpenPairing::new(0, [BotId(0), BotId(1)], &mut book);
        for is_void in [true, true, true, true, false, true, false, true] {
            let record = record(&open, is_void);
            open.note(&record, None);
            assert_eq!(open.end(&limits), None);
        }
        let last = record(&open, false);
        open.note(&last, None);
        assert_eq!(open.end(&limits), Some(PairingEnd::GivenUp));
        assert_eq!(open.end(&EvaluationLimits { give_up_after: None, ..limits }), None);
    }
}
