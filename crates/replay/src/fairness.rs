//! Whether the times of a record agree with the faults in it.
//!
//! Times are measurements, which nothing can prove. But what the referee found follows from them: who
//! was late had run out of time, and who answered had not.

use std::time::Duration;

use quintain_core::{Fault, PerSeat, Seat, Spoken};
use quintain_referee::{Input, LINES_PER_TURN_MAX, StepRecord, Table};

use crate::format::{Header, micros};
use crate::rerun::Mismatch;

/// Times are kept in whole microseconds, so that sums of them are off by this much.
const ROUNDING_US: u64 = 2;

/// Follows the clocks of a match that is played again.
pub(crate) struct Fairness {
    /// Files of format 1 lack some of the times.
    has_times: bool,
    /// Turns before this one were played by others, under limits that are not known here.
    first_turn: u32,
    time_scale: f64,
    clock: PerSeat<bool>,
    /// Whether a house bot sits there, which is never cut short.
    is_inside: PerSeat<bool>,
    /// The time of the latest question.
    limits: PerSeat<Duration>,
    /// Who will never answer again.
    is_gone: PerSeat<bool>,
    /// No step of these bots is over.
    is_opening: bool,
    turn: u32,
    lines_this_turn: PerSeat<u64>,
    /// What the seats did in this step.
    has_answered: PerSeat<bool>,
    is_late: PerSeat<bool>,
    has_failed: PerSeat<bool>,
}

impl Fairness {
    pub(crate) fn new(header: &Header) -> Self {
        Fairness {
            has_times: header.format > 1,
            first_turn: header.from.as_ref().map_or(0, |from| from.turn.saturating_sub(1)),
            time_scale: header.time_scale,
            clock: header.clock,
            is_inside: PerSeat::from_fn(|seat| header.players[seat].house.is_some()),
            limits: PerSeat::default(),
            is_gone: PerSeat::default(),
            is_opening: true,
            turn: 0,
            lines_this_turn: PerSeat::default(),
            has_answered: PerSeat::default(),
            is_late: PerSeat::default(),
            has_failed: PerSeat::default(),
        }
    }

    /// Notes the limits of the seats that have just been asked.
    pub(crate) fn note_asked<G: Spoken>(&mut self, table: &mut Table<G>) {
        for seat in table.take_prompted().iter() {
            let seconds = table.game.time_limit(seat).as_secs_f64() * self.time_scale;
            self.limits[seat] = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        }
    }

    pub(crate) fn begin(&mut self, step: &StepRecord) {
        if step.turn != self.turn {
            (self.turn, self.lines_this_turn) = (step.turn, PerSeat::default());
        }
        self.has_answered = PerSeat::default();
        self.is_late = PerSeat::default();
        self.has_failed = PerSeat::default();
    }

    /// Looks at something that was heard; `is_answer` if the seat's answer was complete with it.
    pub(crate) fn hear(
        &mut self,
        input: &Input,
        is_answer: bool,
        step: &StepRecord,
    ) -> Result<(), Mismatch> {
        if !self.is_followed(step) {
            return Ok(());
        }
        match *input {
            Input::Line { seat, asked, .. } => {
                self.has_answered[seat] |= is_answer;
                self.count_line(seat)?;
                if asked && self.is_gone[seat] {
                    let expected = "nothing of a seat that was gone".to_owned();
                    return Err(("answer", expected, name_of(seat)));
                }
                if is_answer { self.check_answer(seat, step) } else { Ok(()) }
            }
            Input::Fault { seat, fault, after } => {
                self.has_failed[seat] = true;
                self.check_fault(seat, fault, after.unwrap_or_default(), step)
            }
        }
    }

    /// Looks at the step as a whole.
    pub(crate) fn finish(&mut self, step: &StepRecord) -> Result<(), Mismatch> {
        if !self.is_followed(step) {
            return Ok(());
        }
        self.is_opening = false;
        for seat in Seat::BOTH {
            let has_time = step.answers[seat].is_some();
            if has_time && !self.has_answered[seat] && !self.has_failed[seat] {
                let expected = "none of a seat that gave no answer".to_owned();
                return Err(("time of an answer", expected, name_of(seat)));
            }
            if step.disturbed[seat] && !(self.is_late[seat] && has_time) {
                let expected = "an answer that came late".to_owned();
                return Err(("disturbed", expected, format!("none of {}", name_of(seat))));
            }
        }
        Ok(())
    }

    fn is_followed(&self, step: &StepRecord) -> bool {
        self.has_times && step.turn >= self.first_turn
    }

    fn count_line(&mut self, seat: Seat) -> Result<(), Mismatch> {
        self.lines_this_turn[seat] += 1;
        if self.lines_this_turn[seat] > LINES_PER_TURN_MAX {
            let expected = format!("at most {LINES_PER_TURN_MAX} in a turn");
            return Err(("lines", expected, format!("more of {}", name_of(seat))));
        }
        Ok(())
    }

    fn check_answer(&self, seat: Seat, step: &StepRecord) -> Result<(), Mismatch> {
        let Some(time) = step.answers[seat] else {
            return Err(("time of the answer", "a number".to_owned(), "none".to_owned()));
        };
        let allowed = micros(self.limits[seat]).saturating_add(micros(time.given));
        let is_timed = self.clock[seat] && !self.is_inside[seat];
        if is_timed && micros(time.wall) > allowed.saturating_add(ROUNDING_US) {
            let expected = format!("at most {}, or a fault", ms(allowed));
            return Err(("time of the answer", expected, ms(micros(time.wall))));
        }
        Ok(())
    }

    fn check_fault(
        &mut self,
        seat: Seat,
        fault: Fault,
        after: Duration,
        step: &StepRecord,
    ) -> Result<(), Mismatch> {
        if matches!(fault, Fault::NotStarted(_)) && !self.is_opening && !self.is_gone[seat] {
            let expected = "it before the first step".to_owned();
            return Err(("a failed start", expected, format!("it of {}", name_of(seat))));
        }
        self.is_gone[seat] |= fault.is_lasting();
        if fault != Fault::Late {
            return Ok(());
        }
        self.is_late[seat] = true;
        if !self.clock[seat] {
            return Err(("late", "a seat with a clock".to_owned(), name_of(seat)));
        }
        let limit = micros(self.limits[seat]);
        let answered = step.answers[seat].map_or(Duration::MAX, |time| time.wall);
        let waited = micros(after.min(answered));
        if waited.saturating_add(ROUNDING_US) < limit {
            return Err(("late", format!("a wait of at least {}", ms(limit)), ms(waited)));
        }
        Ok(())
    }
}

fn name_of(seat: Seat) -> String {
    format!("seat {}", seat.index())
}

fn ms(microseconds: u64) -> String {
    format!("{} ms", microseconds as f64 / 1e3)
}
