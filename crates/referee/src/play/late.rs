//! Clocks, and what becomes of a seat whose time is up: whether a late answer is still waited for, and
//! whose fault it was.
//!
//! For an answer that comes at once nothing is read but the clock on the wall. What a bot has used, and what
//! each of its threads waited for, is read only when it has been thinking for [`LOOK_AFTER`], and from its
//! deadline on at every look. What happened before the first look is not known: it is at most that moment, and
//! if the referee came later to it, then because the machine did not let it, and that is granted.

use std::time::Duration;

use quintain_core::{Seat, Spoken};

use super::MatchLoop;
use crate::noise::{LateAnswer, Watch};
use crate::{Heard, Incoming, Timing, Wait};

/// How long a bot has been thinking when the counts of its threads are first read.
pub(super) const LOOK_AFTER: Duration = Duration::from_millis(1);
/// How often a bot that is late is looked at again.
const PATIENCE_STEP: Duration = Duration::from_millis(5);
/// How long after its deadline a bot is waited for that the machine does not let run. Beside several
/// others that want a core, a bot of the lowest priority gets some hundredth of it.
const PATIENCE_MAX: Duration = Duration::from_secs(30);
/// How old the system's counts may be when a clock starts. A bot that answers at once is asked again
/// before that, and to ask the system at every question and every answer would cost more than
/// everything else the referee does for it.
const COUNTS_AGE_MAX: Duration = Duration::from_millis(1);
/// Lines in one turn from which on a bot is not excused any more. No answer of the games has as many,
/// with some tries that were refused; and every line wakes the referee, who may have to wait for a
/// processor each time.
const LINES_EXCUSED_MAX: u64 = 20;

/// The clock of a seat, from its question on.
#[derive(Clone, Copy, Default)]
pub(super) struct SeatClock {
    pub(super) asked_at: Duration,
    pub(super) limit: Duration,
    pub(super) deadline: Option<Duration>,
    /// Until when a late answer is still waited for, to learn why it is late.
    pub(super) patience: Option<Duration>,
    /// When the bot is looked at for the first time.
    pub(super) first_look: Option<Duration>,
    pub(super) cpu_before: Option<Duration>,
    /// How much older than the question this is.
    pub(super) cpu_age: Duration,
}

impl SeatClock {
    /// What the referee has used itself since the question.
    fn given(&self) -> Duration {
        self.deadline.unwrap_or_default().saturating_sub(self.asked_at + self.limit)
    }

    /// Takes time that the referee spent on something else off what the bot took. It could not look
    /// at the bot meanwhile.
    pub(super) fn give_back(&mut self, spent: Duration) {
        for moment in [&mut self.deadline, &mut self.first_look].into_iter().flatten() {
            *moment += spent;
        }
    }

    /// When something must be decided about the seat.
    fn due(&self) -> Option<Duration> {
        self.patience.or(self.deadline)
    }
}

/// What the system counted, and when.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    pub(super) value: Duration,
    pub(super) at: Duration,
}

impl Counted {
    fn is_recent(&self, now: Duration) -> bool {
        now.saturating_sub(self.at) < COUNTS_AGE_MAX
    }
}

impl<G: Spoken> MatchLoop<'_, G> {
    pub(super) fn recent_cpu(&mut self, seat: Seat, now: Duration) -> Option<Counted> {
        if !self.cpu[seat].is_some_and(|counted| counted.is_recent(now)) {
            self.read_cpu(seat, now);
        }
        self.cpu[seat]
    }

    fn read_cpu(&mut self, seat: Seat, now: Duration) -> Option<Duration> {
        let value = self.world.cpu(seat);
        self.cpu[seat] = value.map(|value| Counted { value, at: now });
        value
    }

    /// Looks for the first time at who has been thinking for a while.
    pub(super) fn look_at_thinkers(&mut self, now: Duration) {
        for seat in Seat::BOTH {
            if self.table.is_asked(seat)
                && self.clocks[seat].first_look.is_some_and(|moment| moment <= now)
            {
                self.look_at(seat);
            }
        }
    }

    pub(super) fn next_first_look(&self) -> Option<Duration> {
        let asked = Seat::BOTH.into_iter().filter(|&seat| self.table.is_asked(seat));
        asked.filter_map(|seat| self.clocks[seat].first_look).min()
    }

    /// Reads what is counted for a bot, and says how long the referee had to wait since it last did.
    fn look_at(&mut self, seat: Seat) -> Duration {
        let planned = self.clocks[seat].first_look.take();
        let (now, cpu_of_known) = (self.world.now(), self.world.cpu(seat));
        let waited_before = planned.map(|_| self.world.referee_waited());
        let Some(counts) = self.world.counts(seat) else { return Duration::ZERO };
        self.follow_cpu(seat, cpu_of_known);
        let referee_waited = self.world.referee_waited();
        match &mut self.watches[seat] {
            Some(watch) => watch.look(counts, referee_waited),
            nobody => {
                // Both until it looked, and while it did.
                let late = planned.map_or(Duration::ZERO, |planned| now.saturating_sub(planned));
                let waited = waited_before
                    .map_or(Duration::ZERO, |before| referee_waited.saturating_sub(before));
                let asked_at = self.clocks[seat].asked_at;
                *nobody = Some(Watch::new(asked_at, late + waited, counts, referee_waited));
                Duration::ZERO
            }
        }
    }

    /// A look may find processes that were not known before: what they have used so far was not used
    /// for this answer.
    fn follow_cpu(&mut self, seat: Seat, cpu_of_known: Option<Duration>) {
        let clock = &mut self.clocks[seat];
        if let (Some(before), Some(known)) = (clock.cpu_before, cpu_of_known)
            && let Some(all) = self.world.cpu(seat)
        {
            clock.cpu_before = Some(all.saturating_sub(known.saturating_sub(before)));
        }
    }

    pub(super) fn next_due(&self) -> Option<Duration> {
        let asked = Seat::BOTH.into_iter().filter(|&seat| self.table.is_asked(seat));
        asked.filter_map(|seat| self.clocks[seat].due()).min()
    }

    /// Somebody is due. An answer that was read too late is heard first, since it tells why.
    pub(super) fn time_is_up(&mut self, now: Duration) {
        if let Wait::Came(incoming) = self.world.next(Some(now)) {
            return self.take(incoming);
        }
        for seat in Seat::BOTH {
            self.be_patient_with(seat, now);
        }
        self.give_up_all(|play, seat| play.clocks[seat].due().is_some_and(|due| due <= now));
    }

    /// Gives a seat that was due before `moment` some more time, if there is reason to.
    pub(super) fn be_patient_with(&mut self, seat: Seat, moment: Duration) {
        let is_due = self.clocks[seat].due().is_some_and(|due| due <= moment);
        if self.table.is_asked(seat) && is_due && self.has_patience(seat) {
            self.clocks[seat].patience = Some(self.world.now() + PATIENCE_STEP);
        }
    }

    /// Whether a late bot is waited for: it may still be excused. What it has said is looked for
    /// last, since a bot that does not want to run any more may just have answered.
    fn has_patience(&mut self, seat: Seat) -> bool {
        let (clock, now) = (self.clocks[seat], self.world.now());
        clock.deadline.is_some_and(|deadline| now < deadline + PATIENCE_MAX)
            && self.gone[seat].is_none()
            && (self.is_kept_waiting(seat, now) || self.world.has_said(seat))
    }

    fn is_kept_waiting(&mut self, seat: Seat, now: Duration) -> bool {
        let wants_to_run = self.world.wants_to_run(seat);
        let late = self.late_answer(seat, now);
        late.is_some_and(|late| {
            late.may_be_excused() && (wants_to_run || late.waited() > late.overrun())
        })
    }

    /// When something had to be decided, now that this came: who answers late needs no patience.
    fn due_by(&self, seat: Seat, incoming: &Incoming) -> Option<Duration> {
        let clock = &self.clocks[seat];
        if seat == incoming.seat { clock.deadline } else { clock.due() }
    }

    pub(super) fn next_due_by(&self, incoming: &Incoming) -> Option<Duration> {
        let asked = Seat::BOTH.into_iter().filter(|&seat| self.table.is_asked(seat));
        asked.filter_map(|seat| self.due_by(seat, incoming)).min()
    }

    /// Gives up every seat whose time was up when this came.
    pub(super) fn expire(&mut self, incoming: &Incoming) {
        let Incoming { seat, at, ref heard } = *incoming;
        let is_late = self.clocks[seat].deadline.is_some_and(|deadline| deadline < at);
        if self.table.is_asked(seat) && is_late && matches!(heard, Heard::Line(_)) {
            self.judge_late_answer(seat, at);
        }
        self.give_up_all(|play, seat| play.due_by(seat, incoming).is_some_and(|due| due <= at));
    }

    fn judge_late_answer(&mut self, seat: Seat, at: Duration) {
        let late = self.late_answer(seat, at);
        self.record.answers[seat] = Some(self.timing(seat, at));
        self.record.late[seat] = late.filter(LateAnswer::is_disturbed);
        self.record.disturbed[seat] = self.record.late[seat].is_some();
    }

    /// What is known of an answer that came at this moment, or had not come by then.
    fn late_answer(&mut self, seat: Seat, at: Duration) -> Option<LateAnswer> {
        let referee_waited = self.look_at(seat);
        let clock = self.clocks[seat];
        // Nobody looked between the moment at which it was due and this one, whatever the reason.
        let unread = at.saturating_sub(clock.due()?);
        let cpu = self.world.cpu(seat)?.saturating_sub(clock.cpu_before?);
        let (deadline, watch) = (clock.deadline?, self.watches[seat].as_ref()?);
        Some(LateAnswer {
            wall: at.saturating_sub(clock.asked_at),
            limit: deadline.saturating_sub(clock.asked_at),
            cpu,
            cpu_age: clock.cpu_age,
            bot_waited: watch.waited(at),
            referee_waited: referee_waited.max(unread),
            is_followed: self.world.unprotected(seat).is_none(),
            is_chatty: self.lines_this_turn[seat] > LINES_EXCUSED_MAX,
            is_crowded: watch.is_crowded(at),
        })
    }

    /// How long an answer took that came at this moment.
    pub(super) fn timing(&mut self, seat: Seat, at: Duration) -> Timing {
        if self.watches[seat].is_some() {
            self.look_at(seat);
        }
        let clock = self.clocks[seat];
        let wall = at.saturating_sub(clock.asked_at);
        let cpu = if wall < LOOK_AFTER { None } else { self.read_cpu(seat, at) };
        Timing {
            wall,
            given: clock.given(),
            cpu: cpu.zip(clock.cpu_before).map(|(now, before)| now.saturating_sub(before)),
            waited: self.watches[seat].as_ref().map(|watch| watch.waited(at)),
        }
    }
}
