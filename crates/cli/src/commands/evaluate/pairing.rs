//! One pairing: games of two teams until there are enough, the time is up, or it leads to nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quintain_core::{Fault, PerSeat, Seat};
use quintain_links::{Door, RealWorld};
use quintain_registry::{AnyGame, MatchReport, MatchSpec, Nobody};
use quintain_tournament::{Book, BotId, Finish, GameId, GameResult};

use super::Progress;
use super::cut::CutWorld;
use super::teams::Team;
use crate::failure::Failure;

/// How often a game is played again in which the machine kept a team from answering in time.
const REPEATS_MAX: u32 = 3;

/// Where the games are played, and how many.
pub(super) struct Hall {
    pub(super) game: &'static dyn AnyGame,
    pub(super) spec: MatchSpec,
    pub(super) door: Arc<Door>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) games_max: u32,
    pub(super) time_max: Duration,
    pub(super) give_up_after: u32,
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
    pub(super) reasons: BTreeMap<&'static str, u64>,
    /// What each team did wrong first, in words, and the last line that it wrote to its error output.
    pub(super) failures: [Option<String>; 2],
    pub(super) seconds: f64,
    pub(super) ended: Ended,
}

/// A pairing while it is played.
struct Course<'a> {
    number: u32,
    report: PairingReport,
    book: &'a mut Book,
    /// Games in a row that were lost by a failure.
    failed_in_row: u32,
    /// Whether each team was ready when it was last called; `None` before that.
    was_ready: [Option<bool>; 2],
    /// A game whose second seat was never called: it has won if it is ready when it is called next.
    walkover: Option<GameResult>,
}

impl Hall {
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Plays a pairing and writes its games into the book.
    pub(super) fn play_pairing(
        &self,
        number: u32,
        teams: &[Team],
        pair: [BotId; 2],
        book: &mut Book,
        progress: &mut Progress,
    ) -> Result<PairingReport, Failure> {
        let begun = Instant::now();
        let until = begun + self.time_max;
        let mut course = Course::new(number, pair, book);
        let mut games = 0;
        course.report.ended = loop {
            if games == self.games_max {
                break Ended::Games;
            }
            let id = GameId {
                round: 0,
                pairing: number,
                seed_index: games / 2,
                swapped: games % 2 == 1,
            };
            let Some(report) = self.play_game(teams, course.seats(id), id, until)? else {
                break if self.is_stopped() { Ended::Interrupted } else { Ended::Time };
            };
            games += 1;
            course.add(id, &report);
            if course.failed_in_row >= self.give_up_after {
                break Ended::GivenUp;
            }
            let names = pair.map(|team| teams[team.index()].name.as_str());
            let left = until.saturating_duration_since(Instant::now());
            progress.tell(names, u64::from(games), course.wins(), left);
        };
        course.settle(true);
        course.report.seconds = begun.elapsed().as_secs_f64();
        Ok(course.report)
    }

    /// One game that counts, or is void because the machine disturbed it again and again. `None` if it
    /// was cut off.
    fn play_game(
        &self,
        teams: &[Team],
        seats: PerSeat<BotId>,
        id: GameId,
        until: Instant,
    ) -> Result<Option<MatchReport>, Failure> {
        let mut spec = self.spec.clone();
        spec.seed = i64::from(id.seed_index);
        for (seat, team) in seats.iter() {
            spec.seats[seat].label.clone_from(&teams[team.index()].name);
        }
        let mut repeats = 0;
        loop {
            let place = |seat: Seat| teams[seats[seat].index()].place(&self.door);
            let places = PerSeat([place(Seat::First)?, place(Seat::Second)?]);
            let world = RealWorld::new(self.game.framing(), places);
            let mut world = CutWorld::new(world, until, &self.stop);
            let report = self.game.play(&spec, &mut world, &mut Nobody)?;
            if world.is_cut() {
                return Ok(None);
            }
            if report.disturbed.is_empty() || repeats == REPEATS_MAX {
                return Ok(Some(report));
            }
            repeats += 1;
        }
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
            failed_in_row: 0,
            was_ready: [None; 2],
            walkover: None,
        }
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

    fn add(&mut self, id: GameId, report: &MatchReport) {
        let bots = self.seats(id);
        let errors = report.error_kinds();
        let is_absent = |seat: Seat| {
            let mut faults = report.faults.iter().filter(|(faulty, _)| *faulty == seat);
            faults.any(|(_, fault)| matches!(fault, Fault::NotStarted(_)))
        };
        let is_void = !report.disturbed.is_empty();
        let finish = match is_void {
            true => Finish::Void,
            false => Finish::from_verdicts(report.outcome.verdicts),
        };
        let was_called = PerSeat([true, !is_absent(Seat::First)]);
        for (seat, team) in bots.iter() {
            let side = self.side(*team);
            if was_called[seat] {
                self.was_ready[side] = Some(!is_absent(seat));
            }
            if !is_void && self.report.failures[side].is_none() {
                self.report.failures[side] = failure_of(report, seat);
            }
        }
        *self.report.reasons.entry(report.outcome.reason).or_default() += u64::from(!is_void);
        let is_failure = match finish {
            // A throw that was refused is an error too, but not what a game is lost by.
            Finish::Won(winner) => report.faults.iter().any(|(seat, _)| *seat != winner),
            _ => true,
        };
        self.failed_in_row = if is_failure { self.failed_in_row + 1 } else { 0 };
        self.settle(false);
        let result = GameResult { id, bots, finish, errors };
        match was_called[Seat::Second] {
            true => self.book.add(&result),
            false => self.walk_over(result),
        }
    }

    /// Nobody has won by the other's absence who would have been absent as well.
    fn walk_over(&mut self, result: GameResult) {
        let winner = self.side(result.bots[Seat::Second]);
        match self.was_ready[winner] {
            Some(true) => self.book.add(&result),
            Some(false) => self.book.add(&GameResult { finish: Finish::BothLost, ..result }),
            None => self.walkover = Some(result),
        }
    }

    /// Counts a game that waited for its winner to be called. At the end it counts as it is.
    fn settle(&mut self, is_end: bool) {
        let Some(result) = self.walkover else { return };
        let winner = self.side(result.bots[Seat::Second]);
        let finish = match self.was_ready[winner] {
            Some(false) => Finish::BothLost,
            Some(true) => result.finish,
            None if is_end => result.finish,
            None => return,
        };
        self.walkover = None;
        self.book.add(&GameResult { finish, ..result });
    }
}

fn failure_of(report: &MatchReport, seat: Seat) -> Option<String> {
    let (_, fault) = report.faults.iter().find(|(faulty, _)| *faulty == seat)?;
    let mut text = format!("{fault} after {} throws", report.turns);
    if let Some(last) = report.last_stderr[seat].lines().last() {
        text += &format!(", its last line on stderr: {last}");
    }
    Some(text)
}
