//! A pairing to which games are added, and what is known of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Seat, Verdict};
use quintain_record::{BotId, Ending, MatchId, MatchRecord, SeatError};
use quintain_store::{RunId, Store};
use quintain_tournament::{Book, Finish, MatchResult, PlannedMatch};

use crate::one_match::PlayedGame;
use crate::plan::EvaluationLimits;
use crate::results::{
    FirstFailure, PairingEnd, PairingOutcome, VoidMatch, disturbed_answers, replay_path,
};
use crate::run::PairingNow;

/// A pairing to which games are added.
pub(super) struct OpenPairing {
    pub(super) number: u32,
    pub(super) report: PairingOutcome,
    pub(super) games: u32,
    /// What the games took, and the longest of them.
    pub(super) used: Duration,
    pub(super) longest: Duration,
    /// Games that the machine disturbed.
    disturbed: Vec<MatchRecord>,
    /// Games in which somebody failed.
    pub(super) failed: u32,
    /// Of these, the last ones in a row, and how many of them each team failed in.
    failed_in_row: u32,
    failed_in_row_by: [u32; 2],
    /// Whether each team was ready when it was last called; `None` before that.
    was_ready: [Option<bool>; 2],
    /// A game whose second seat was never called: it has won if it is ready when it is called next.
    walkover: Option<MatchRecord>,
}

impl OpenPairing {
    pub(super) fn new(number: u32, teams: [BotId; 2]) -> Self {
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

    pub(super) fn end(&self, limits: &EvaluationLimits) -> Option<PairingEnd> {
        if self.games >= limits.games_max {
            return Some(PairingEnd::Games);
        }
        let is_given_up = limits.give_up_after.is_some_and(|max| self.failed_in_row >= max.get());
        is_given_up.then_some(PairingEnd::GivenUp)
    }

    /// Nobody was ready in a pairing that both failed in.
    pub(super) fn close(&mut self, ended: PairingEnd) {
        let was_ready =
            |side: &usize| self.failed_in_row_by[*side] == 0 && self.was_ready[*side] == Some(true);
        let ready = [0, 1].into_iter().find(was_ready).map(|side| self.report.teams[side]);
        self.report.ready = ready.filter(|_| ended == PairingEnd::GivenUp);
        self.report.ended = ended;
    }

    pub(super) fn now(
        &self,
        planned: u32,
        until: Instant,
        time_max: Duration,
        book: &Book,
    ) -> PairingNow {
        let number = self.number + 1;
        PairingNow {
            number,
            planned,
            teams: self.report.teams,
            wins: self.wins(book),
            left: until.saturating_duration_since(Instant::now()),
            later: time_max * planned.saturating_sub(number),
        }
    }

    /// What is told of the pairing, with what the machine disturbed.
    pub(super) fn told(
        mut self,
        store: Option<(&Store, RunId)>,
        name: impl Fn(BotId) -> String,
        used: Duration,
    ) -> PairingOutcome {
        let path = |stored: &str| match store {
            Some((store, _)) => replay_path(store, stored),
            None => PathBuf::from(stored),
        };
        for record in &self.disturbed {
            self.report.disturbed.extend(disturbed_answers(record, &name, path));
            self.report.void.extend(VoidMatch::new(&record.head, &name, path));
        }
        self.report.seconds = used.as_secs_f64();
        self.report
    }

    /// The next game. Seats alternate.
    pub(super) fn next(&self) -> PlannedMatch {
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

    fn wins(&self, book: &Book) -> [u64; 2] {
        let [one, other] = self.report.teams;
        [book.against(one, other).wins, book.against(other, one).wins]
    }

    /// Whether a game from the store tells of a failure that nothing is known about yet.
    pub(super) fn lacks_words(&self, record: &MatchRecord) -> bool {
        Seat::BOTH.into_iter().any(|seat| {
            let is_new = self.report.failures[self.side(record.head.bots[seat])].is_none();
            is_new && failure(record, seat).is_some_and(|error| error.text.is_empty())
        })
    }

    /// Notes everything about a game but who won it.
    pub(super) fn note(&mut self, record: &MatchRecord, replay: Option<&Path>) {
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
    pub(super) fn add(&mut self, game: &PlayedGame) -> Vec<MatchRecord> {
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
    pub(super) fn settle(&mut self, is_end: bool) -> Option<MatchRecord> {
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
pub(super) fn failure(record: &MatchRecord, seat: Seat) -> Option<&SeatError> {
    let is_fatal = |kind: ErrorKind| !matches!(kind, ErrorKind::Illegal | ErrorKind::Meddling);
    let mut errors = record.errors.iter();
    errors.find(|error| error.seat == seat && is_fatal(error.kind))
}

/// Whether the seat's team never came.
pub(super) fn is_absent(record: &MatchRecord, seat: Seat) -> bool {
    record.error_kinds()[seat].contains(ErrorKind::NotStarted)
}

/// The second team is called once the first was welcomed.
fn was_called(record: &MatchRecord, seat: Seat) -> bool {
    seat == Seat::First || !is_absent(record, Seat::First)
}

pub(super) fn result_of(record: &MatchRecord) -> MatchResult {
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
    fn record(open: &OpenPairing, is_void: bool) -> MatchRecord {
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
        let mut open = OpenPairing::new(0, [BotId(0), BotId(1)]);
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
