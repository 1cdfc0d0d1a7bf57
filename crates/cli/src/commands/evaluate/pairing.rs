//! One pairing: games of two teams until there are enough, the time is up, or it leads to nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quintain_arena::REPEATS_MAX;
use quintain_core::{PerSeat, Seat};
use quintain_links::{Admission, Door, RealWorld};
use quintain_registry::{AnyGame, MatchSpec, Nobody};
use quintain_tournament::{Book, BotId, Finish, GameId};

use super::Progress;
use super::record::{Entry, Ledger};
use super::teams::Team;
use crate::commands::witness::{Witness, WitnessedWorld};
use crate::failure::Failure;

/// How often it is looked whether somebody asked to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Where the games are played, how many, and what is kept of them.
pub(super) struct Hall {
    pub(super) game: &'static dyn AnyGame,
    pub(super) spec: MatchSpec,
    pub(super) door: Arc<Door>,
    pub(super) admission: Admission,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) games_max: u32,
    pub(super) time_max: Duration,
    pub(super) give_up_after: u32,
    pub(super) ledger: Ledger,
}

/// Why no further game of a pairing was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Games,
    Time,
    GivenUp,
    Interrupted,
}

/// What is told of a pairing beside what is in the book.
pub(super) struct PairingReport {
    pub(super) teams: [BotId; 2],
    /// How the games ended, and how many of them did so.
    pub(super) reasons: BTreeMap<String, u64>,
    /// What each team did wrong first.
    pub(super) failures: [Option<FirstFailure>; 2],
    pub(super) seconds: f64,
    pub(super) ended: Ended,
}

/// The first failure of a team in a pairing.
pub(super) struct FirstFailure {
    /// In words, with the last line that the team wrote to its error output.
    pub(super) text: String,
    pub(super) replay: Option<PathBuf>,
}

/// A pairing while it is played.
struct Course<'a> {
    number: u32,
    report: PairingReport,
    book: &'a mut Book,
    games: u32,
    /// What the games took, and the longest of them.
    used: Duration,
    longest: Duration,
    /// Games in which somebody failed.
    failed: u32,
    /// Of these, the last ones in a row.
    failed_in_row: u32,
    /// Whether each team was ready when it was last called; `None` before that.
    was_ready: [Option<bool>; 2],
    /// A game whose second seat was never called: it has won if it is ready when it is called next.
    walkover: Option<Entry>,
}

/// The end of a game's time, or somebody who asks to stop.
struct Bell<'a> {
    until: Instant,
    stop: &'a AtomicBool,
}

impl Witness for Bell<'_> {
    fn patience(&mut self) -> Option<Duration> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Duration::ZERO);
        }
        Some(self.until.saturating_duration_since(Instant::now()).min(LOOK_EVERY))
    }
}

/// What is played of a pairing.
pub(super) struct Part {
    /// Counts the pairings.
    pub(super) number: u32,
    pub(super) teams: [BotId; 2],
    /// What was played before.
    pub(super) past: Vec<Entry>,
    /// Why no game is added, if that was settled before.
    pub(super) closed: Option<Ended>,
}

impl Hall {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Plays a pairing, or what is left of it, and writes its games into the book.
    pub(super) fn play_pairing(
        &self,
        teams: &[Team],
        part: Part,
        book: &mut Book,
        progress: &mut Progress,
    ) -> Result<PairingReport, Failure> {
        let mut course = Course::new(part.number, part.teams, book);
        for mut entry in part.past {
            if course.lacks_words(&entry) {
                self.ledger.find_words(&mut entry)?;
            }
            course.note(&entry);
            course.book.add(&entry.result());
        }
        let used = course.used;
        // The game that the end of the time cut off is in no store.
        let is_spent = used > Duration::ZERO && used + course.longest >= self.time_max;
        let closed = if is_spent { Some(Ended::Time) } else { part.closed };
        let begun = Instant::now();
        let until = begun + self.time_max.saturating_sub(used);
        course.report.ended = loop {
            if let Some(ended) = self.end_of(&course).or(closed) {
                break ended;
            }
            let Some(entry) = self.play_game(teams, &course, until)? else {
                break if self.is_stopped() { Ended::Interrupted } else { Ended::Time };
            };
            for settled in course.add(entry) {
                self.ledger.record(&settled)?;
                course.book.add(&settled.result());
            }
            let names = part.teams.map(|team| teams[team.index()].name.as_str());
            let left = until.saturating_duration_since(Instant::now());
            progress.tell(names, u64::from(course.games), course.wins(), left);
        };
        if let Some(settled) = course.settle(true) {
            // Who goes on later plays it again, and then knows more.
            if course.report.ended != Ended::Interrupted {
                self.ledger.record(&settled)?;
            }
            course.book.add(&settled.result());
        }
        course.report.seconds = (used + begun.elapsed()).as_secs_f64();
        Ok(course.report)
    }

    fn end_of(&self, course: &Course<'_>) -> Option<Ended> {
        if course.games >= self.games_max {
            return Some(Ended::Games);
        }
        (course.failed_in_row >= self.give_up_after).then_some(Ended::GivenUp)
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
        for seat in Seat::BOTH {
            names[seat].clone_into(&mut spec.seats[seat].label);
        }
        let begun = Instant::now();
        for repeat in 0..=REPEATS_MAX {
            let place = |seat: Seat| teams[seats[seat].index()].place(&self.door, self.admission);
            let places = PerSeat([place(Seat::First)?, place(Seat::Second)?]);
            let bell = Bell { until, stop: &self.stop };
            let world = RealWorld::new(self.game.framing(), places);
            let mut world = WitnessedWorld::new(world, bell);
            let report = self.game.play(&spec, &mut world, &mut Nobody)?;
            if world.is_cut() {
                if let Some(path) = &spec.replay {
                    // A game that does not count needs no replay; one that stays does no harm.
                    let _ = std::fs::remove_file(path);
                }
                return Ok(None);
            }
            if report.disturbed.is_empty() || repeat == REPEATS_MAX {
                let mut entry = Entry::new(id, seats, &report, begun.elapsed());
                if let Some(path) = report.replay.as_deref().filter(|path| path.exists()) {
                    self.ledger.keep_replay(&mut entry, path, course.failed);
                }
                return Ok(Some(entry));
            }
        }
        unreachable!("the last repeat ends the loop")
    }
}

impl<'a> Course<'a> {
    fn new(number: u32, teams: [BotId; 2], book: &'a mut Book) -> Self {
        Course {
            number,
            report: PairingReport {
                teams,
                reasons: BTreeMap::new(),
                failures: [None, None],
                seconds: 0.0,
                ended: Ended::Games,
            },
            book,
            games: 0,
            used: Duration::ZERO,
            longest: Duration::ZERO,
            failed: 0,
            failed_in_row: 0,
            was_ready: [None; 2],
            walkover: None,
        }
    }

    fn next_id(&self) -> GameId {
        let (seed_index, swapped) = (self.games / 2, self.games % 2 == 1);
        GameId { round: 0, pairing: self.number, seed_index, swapped }
    }

    fn seats(&self, id: GameId) -> PerSeat<BotId> {
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
                self.was_ready[side] = Some(!entry.is_absent(seat));
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
            let reason = entry.kept.summary.ending.reason().to_owned();
            *self.report.reasons.entry(reason).or_default() += 1;
        }
        let is_failure = match result.finish {
            Finish::Won(winner) => entry.failure(winner.other()).is_some(),
            _ => true,
        };
        self.failed += u32::from(is_failure);
        self.failed_in_row = if is_failure { self.failed_in_row + 1 } else { 0 };
        self.games += 1;
        self.used += entry.kept.summary.duration;
        self.longest = self.longest.max(entry.kept.summary.duration);
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
