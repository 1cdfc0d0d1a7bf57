//! One pairing: games of two teams until there are enough, the time is up, or it leads to nothing.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::time::{Duration, Instant};

use quintain_arena::results::{
    FirstFailure, PairingEnd, PairingOutcome, VoidMatch, disturbed_answers,
};
use quintain_arena::{Forgiveness, REPEATS_MAX};
use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_links::{Halt, Link, RealWorld};
use quintain_record::{BotId, MatchId, SeatError};
use quintain_referee::Stop;
use quintain_registry::{AnyGame, MatchError, MatchReport, MatchSpec, NoSpectator};
use quintain_tournament::{Book, Finish};

use super::Progress;
use super::record::{Entry, Ledger};
use super::teams::{Ground, Team};
use crate::failure::Failure;

/// Where the games are played, how many, and what is kept of them.
pub(super) struct Hall {
    pub(super) game: &'static dyn AnyGame,
    pub(super) spec: MatchSpec,
    /// What the teams consist of, in their order.
    pub(super) files: Vec<BTreeMap<String, String>>,
    pub(super) ground: Ground,
    pub(super) stop: Stop,
    pub(super) limits: Limits,
    pub(super) ledger: Ledger,
    /// Which teams are still excused when the machine kept them waiting.
    pub(super) forgiveness: Forgiveness,
}

/// How much of a pairing is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    pub(super) games_max: u32,
    pub(super) time_max: Duration,
    /// Games in a row that were lost by a failure; `None`: however many.
    pub(super) give_up_after: Option<NonZero<u32>>,
}

/// A pairing while it is played.
struct Course<'a> {
    number: u32,
    report: PairingOutcome,
    book: &'a mut Book,
    games: u32,
    /// What the games took, and the longest of them.
    used: Duration,
    longest: Duration,
    /// Games that the machine disturbed.
    disturbed: Vec<Entry>,
    /// Games in which somebody failed.
    failed: u32,
    /// Of these, the last ones in a row, and how many of them each team failed in.
    failed_in_row: u32,
    failed_in_row_by: [u32; 2],
    /// Whether each team was ready when it was last called; `None` before that.
    was_ready: [Option<bool>; 2],
    /// A game whose second seat was never called: it has won if it is ready when it is called next.
    walkover: Option<Entry>,
}

/// What is played of a pairing.
pub(super) struct Part {
    /// Counts the pairings.
    pub(super) number: u32,
    pub(super) teams: [BotId; 2],
    /// What was played before.
    pub(super) past: Vec<Entry>,
    /// Why no game is added, if that was settled before.
    pub(super) closed: Option<PairingEnd>,
}

impl Hall {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// Plays a pairing, or what is left of it, and writes its games into the book.
    pub(super) fn play_pairing(
        &self,
        teams: &[Team],
        part: Part,
        book: &mut Book,
        progress: &mut Progress,
    ) -> Result<PairingOutcome, Failure> {
        let (mut course, closed) = recall(&self.ledger, &self.limits, part, book)?;
        let used = course.used;
        let begun = Instant::now();
        let until = begun + self.limits.time_max.saturating_sub(used);
        let ended = loop {
            if let Some(ended) = course.end(&self.limits).or(closed) {
                break ended;
            }
            let Some(entry) = self.play_game(teams, &course, until)? else {
                break if self.is_stopped() { PairingEnd::Interrupted } else { PairingEnd::Time };
            };
            let name = |team: BotId| teams[team.index()].name.as_str();
            progress.unprotected.tell(entry.result().bots, &entry.unprotected, name);
            for settled in course.add(entry) {
                self.ledger.record(&settled)?;
                course.book.add(&settled.result());
            }
            let names = course.report.teams.map(|team| teams[team.index()].name.as_str());
            let left = until.saturating_duration_since(Instant::now());
            progress.tell(names, u64::from(course.games), course.wins(), left);
        };
        course.close(ended);
        if let Some(settled) = course.settle(true) {
            // Who goes on later plays it again, and then knows more.
            if course.report.ended != PairingEnd::Interrupted {
                self.ledger.record(&settled)?;
            }
            course.book.add(&settled.result());
        }
        let used = used + begun.elapsed();
        Ok(course.told(&self.ledger, teams, used))
    }

    /// The next game of a course: one that counts, or is void because the machine disturbed it again
    /// and again. `None` if it was cut off.
    fn play_game(
        &self,
        teams: &[Team],
        course: &Course<'_>,
        until: Instant,
    ) -> Result<Option<Entry>, Failure> {
        let id = course.next_id();
        let seats = course.seats(id);
        let name = |seat: Seat| teams[seats[seat].index()].name.as_str();
        let names = PerSeat::from_fn(name);
        let mut spec = self.spec.clone();
        spec.seed = i64::from(id.seed_index);
        spec.replay = self.ledger.replay_of(id, names);
        spec.seats = seats.map(|_, team| teams[team.index()].occupant(&self.ground));
        spec.files = seats.map(|_, team| self.files[team.index()].clone());
        let begun = Instant::now();
        let mut disturbances = Vec::new();
        for attempt in 1..=REPEATS_MAX + 1 {
            let link = |seat: Seat| teams[seats[seat].index()].seat_link(&self.ground);
            let links = PerSeat([link(Seat::First)?, link(Seat::Second)?]);
            let Some(mut report) = self.play_until(&spec, links, until)? else {
                if let Some(path) = &spec.replay {
                    // A game that does not count needs no replay; one that stays does no harm.
                    let _ = std::fs::remove_file(path);
                }
                return Ok(None);
            };
            self.forgiveness.judge(seats, &mut report);
            // The next attempt takes the place of its replay.
            disturbances.extend(report.disturbances(attempt, None));
            if report.disturbed.is_empty() || attempt > REPEATS_MAX {
                let mut entry = Entry::new(id, seats, &report, begun.elapsed(), disturbances);
                self.forgiveness.count(&entry.record);
                if let Some(path) = report.replay.as_deref().filter(|path| path.exists()) {
                    self.ledger.keep_replay(&mut entry, path, course.failed);
                    let head = &mut entry.record.head;
                    if head.replay.is_some() {
                        head.replay_digest.clone_from(&report.replay_digest);
                    }
                }
                return Ok(Some(entry));
            }
        }
        unreachable!("the last attempt ends the loop")
    }

    /// Starts a team that no game called, to see whether it comes to its welcome.
    pub(super) fn is_welcomed(&self, team: &Team) -> Result<bool, Failure> {
        let mut spec = self.spec.clone();
        spec.seats[Seat::First] = team.occupant(&self.ground);
        let links = PerSeat([team.seat_link(&self.ground)?, Link::absent()]);
        let until = Instant::now() + self.limits.time_max;
        let report = self.play_until(&spec, links, until)?;
        let is_absent =
            |error: &SeatError| error.seat == Seat::First && error.kind == ErrorKind::NotStarted;
        Ok(report.is_some_and(|report| !report.errors.iter().any(is_absent)))
    }

    /// Plays a match. `None` if it was cut off, by the end of its time or by somebody.
    fn play_until(
        &self,
        spec: &MatchSpec,
        links: PerSeat<Link>,
        until: Instant,
    ) -> Result<Option<MatchReport>, Failure> {
        let halt = Halt { stop: Some(self.stop.clone()), at: Some(until) };
        let mut world = RealWorld::new(self.game.framing(), links).with_halt(halt);
        match self.game.play(spec, &mut world, &mut NoSpectator) {
            Err(MatchError::Stopped { .. }) => Ok(None),
            played => Ok(Some(played?)),
        }
    }
}

/// A pairing of which nothing more is played, as the store has it.
pub(super) fn recalled(
    ledger: &Ledger,
    limits: &Limits,
    teams: &[Team],
    part: Part,
    book: &mut Book,
) -> Result<PairingOutcome, Failure> {
    let (mut course, closed) = recall(ledger, limits, part, book)?;
    let ended = course.end(limits).or(closed).unwrap_or(PairingEnd::Interrupted);
    course.close(ended);
    let used = course.used;
    Ok(course.told(ledger, teams, used))
}

/// What was played of a pairing before, and why no game is added to it if that is settled.
fn recall<'a>(
    ledger: &Ledger,
    limits: &Limits,
    part: Part,
    book: &'a mut Book,
) -> Result<(Course<'a>, Option<PairingEnd>), Failure> {
    let mut course = Course::new(part.number, part.teams, book);
    for mut entry in part.past {
        if entry.disturbed > 0 || course.lacks_words(&entry) {
            ledger.find_rest(&mut entry)?;
        }
        course.note(&entry);
        course.book.add(&entry.result());
    }
    let used = course.used;
    // The game that the end of the time cut off is in no store.
    let is_spent = used > Duration::ZERO && used + course.longest >= limits.time_max;
    Ok((course, if is_spent { Some(PairingEnd::Time) } else { part.closed }))
}

impl<'a> Course<'a> {
    fn new(number: u32, teams: [BotId; 2], book: &'a mut Book) -> Self {
        Course {
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

    fn end(&self, limits: &Limits) -> Option<PairingEnd> {
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

    /// What is told of the pairing, with what the machine disturbed.
    fn told(mut self, ledger: &Ledger, teams: &[Team], used: Duration) -> PairingOutcome {
        let name = |bot: BotId| teams[bot.index()].name.clone();
        let path = |stored: &str| ledger.path(stored);
        for entry in &self.disturbed {
            self.report.disturbed.extend(disturbed_answers(&entry.record, name, path));
            self.report.void.extend(VoidMatch::new(&entry.record.head, name, path));
        }
        self.report.seconds = used.as_secs_f64();
        self.report
    }

    fn next_id(&self) -> MatchId {
        let (seed_index, swapped) = (self.games / 2, self.games % 2 == 1);
        MatchId { round: 0, pairing: self.number, seed_index, swapped }
    }

    fn seats(&self, id: MatchId) -> PerSeat<BotId> {
        assert_eq!(id.pairing, self.number, "a game of this pairing");
        let [one, other] = self.report.teams;
        PerSeat(if id.swapped { [other, one] } else { [one, other] })
    }

    fn side(&self, team: BotId) -> usize {
        usize::from(team == self.report.teams[1])
    }

    fn wins(&self) -> [u64; 2] {
        let [one, other] = self.report.teams;
        [self.book.against(one, other).wins, self.book.against(other, one).wins]
    }

    /// Whether a game from the store tells of a failure that nothing is known about yet.
    fn lacks_words(&self, entry: &Entry) -> bool {
        let bots = entry.result().bots;
        Seat::BOTH.into_iter().any(|seat| {
            let is_new = self.report.failures[self.side(bots[seat])].is_none();
            is_new && entry.failure(seat) == Some("")
        })
    }

    /// Notes everything about a game but who won it.
    fn note(&mut self, entry: &Entry) {
        let result = entry.result();
        for seat in Seat::BOTH {
            let side = self.side(result.bots[seat]);
            if was_called(entry, seat) {
                let is_ready = !entry.is_absent(seat);
                self.was_ready[side] = Some(is_ready);
                let welcomed = &mut self.report.welcomed[side];
                *welcomed = Some(welcomed.unwrap_or(false) || is_ready);
            }
            if !entry.is_void() && self.report.failures[side].is_none() {
                let first = |text: &str| FirstFailure {
                    text: text.to_owned(),
                    replay: entry.replay.clone(),
                };
                self.report.failures[side] = entry.failure(seat).map(first);
            }
        }
        if !entry.is_void() {
            let reason = entry.record.head.ending.reason().to_owned();
            *self.report.reasons.entry(reason).or_default() += 1;
        }
        let is_failure = match result.finish {
            Finish::Won(winner) => entry.failure(winner.other()).is_some(),
            _ => true,
        };
        if entry.disturbed > 0 {
            self.disturbed.push(entry.clone());
        }
        self.failed += u32::from(is_failure);
        // A void game is nobody's failure, and proves nobody well.
        if !entry.is_void() {
            self.count_in_row(entry, is_failure);
        }
        self.games += 1;
        self.used += entry.record.head.duration;
        self.longest = self.longest.max(entry.record.head.duration);
    }

    fn count_in_row(&mut self, entry: &Entry, is_failure: bool) {
        if !is_failure {
            (self.failed_in_row, self.failed_in_row_by) = (0, [0; 2]);
            return;
        }
        self.failed_in_row += 1;
        for seat in Seat::BOTH.into_iter().filter(|seat| entry.failure(*seat).is_some()) {
            let side = self.side(entry.result().bots[seat]);
            self.failed_in_row_by[side] += 1;
        }
    }

    /// Takes a game that was just played. Returns those of which it is now known who won them.
    fn add(&mut self, entry: Entry) -> Vec<Entry> {
        self.note(&entry);
        let before = self.settle(false);
        let now = match was_called(&entry, Seat::Second) {
            true => Some(entry),
            false => {
                self.walkover = Some(entry);
                self.settle(false)
            }
        };
        before.into_iter().chain(now).collect()
    }

    /// A game that waited for its winner to be called: nobody has won by the other's absence who would
    /// have been absent as well. At the end it counts as it is.
    fn settle(&mut self, is_end: bool) -> Option<Entry> {
        let winner = self.side(self.walkover.as_ref()?.result().bots[Seat::Second]);
        match self.was_ready[winner] {
            Some(true) => self.walkover.take(),
            Some(false) => self.walkover.take().map(Entry::lost_by_both),
            None if is_end => self.walkover.take(),
            None => None,
        }
    }
}

/// The second team is called once the first was welcomed.
fn was_called(entry: &Entry, seat: Seat) -> bool {
    seat == Seat::First || !entry.is_absent(Seat::First)
}

#[cfg(test)]
mod tests {
    use quintain_core::Verdict;
    use quintain_record::{Ending, MatchHead, MatchRecord, Scored, SeatError, VoidReason};

    use super::*;

    /// The next game of two teams: lost by the second seat because it failed, or void.
    fn entry(course: &Course<'_>, is_void: bool) -> Entry {
        let (seat, kind) = (Seat::Second, ErrorKind::Timeout);
        let error = SeatError { seat, kind, times: 1, text: "was late".to_owned() };
        let scored = Ending::Scored(Scored {
            verdicts: PerSeat([Verdict::Win, Verdict::Loss]),
            scores: PerSeat([1, 0]),
            reason: "timeout".to_owned(),
        });
        let void = Ending::Void(VoidReason::Disturbed);
        let head = MatchHead {
            id: course.next_id(),
            seed: 0,
            bots: PerSeat([BotId(0), BotId(1)]),
            ending: if is_void { void } else { scored },
            turns: 1,
            content: None,
            replay: None,
            replay_digest: None,
            duration: Duration::from_millis(5),
            answers: PerSeat::default(),
            finished_ms: 0,
        };
        let (disturbances, tags) = (Vec::new(), Vec::new());
        let record = MatchRecord { head, errors: vec![error], disturbances, tags };
        let unprotected = PerSeat::default();
        Entry { record, replay: None, disturbed: u32::from(is_void), unprotected }
    }

    #[test]
    fn a_pairing_is_given_up_after_failures_but_not_after_void_games() {
        let time_max = Duration::from_secs(9);
        let limits = Limits { games_max: 100, time_max, give_up_after: NonZero::new(3) };
        let mut book = Book::new(2);
        let mut course = Course::new(0, [BotId(0), BotId(1)], &mut book);
        for is_void in [true, true, true, true, false, true, false, true] {
            let entry = entry(&course, is_void);
            course.note(&entry);
            assert_eq!(course.end(&limits), None);
        }
        let last = entry(&course, false);
        course.note(&last);
        assert_eq!(course.end(&limits), Some(PairingEnd::GivenUp));
        assert_eq!(course.end(&Limits { give_up_after: None, ..limits }), None);
    }
}
