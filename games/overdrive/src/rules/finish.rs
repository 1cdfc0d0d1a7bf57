//! The end of a race: the line, the last round, and too many invalid commands.

use quintain_core::{Outcome, PerSeat, Seat, Sink, Verdict};

use super::Race;
use crate::course::Course;
use crate::{Car, Ending, Event, State};

impl Race {
    /// When the rounds are over, who is furthest has finished; both if they are level.
    #[inline]
    pub(super) fn apply_round_limit(&mut self, course: &Course, events: &mut impl Sink<Event>) {
        if self.round < course.config.figures.max_rounds as u32 {
            return;
        }
        let furthest = self.cars.0.each_ref().map(|car| car.place.block).into_iter().max();
        for seat in Seat::BOTH {
            let car = &mut self.cars[seat];
            if Some(car.place.block) == furthest {
                car.states.push(State::Finished);
                events.emit(Event::Finished { seat });
            }
        }
    }

    /// Ends the match if somebody has finished, or else if somebody is disqualified.
    #[inline]
    pub(super) fn judge(&mut self, course: &Course, events: &mut impl Sink<Event>) {
        let has_finished =
            self.cars.0.each_ref().map(|car| car.states.last() == Some(State::Finished));
        let length = course.track.length();
        let is_at_line = |seat: Seat| self.cars[seat].place.block == length;
        let ending = match has_finished {
            [false, false] => self.disqualification(course, events),
            [first, second] => {
                let winner = match (first, second) {
                    (true, true) => self.better_finisher(),
                    (true, false) => Seat::First,
                    (false, _) => Seat::Second,
                };
                self.winner = Some(winner);
                Some(match (is_at_line(winner), first && second) {
                    (true, true) => Ending::BothFinished,
                    (true, false) => Ending::Finished,
                    (false, true) => Ending::RoundLimitLevel,
                    (false, false) => Ending::RoundLimit,
                })
            }
        };
        self.ending = ending;
        if let Some(ending) = ending {
            events.emit(Event::Ended { ending });
        }
    }

    /// "The bot that crossed the finish line with the highest speed will win", then "the highest
    /// score"; then, by the engine, the first player.
    fn better_finisher(&self) -> Seat {
        let key = |car: &Car| (car.speed, car.score);
        let [first, second] = self.cars.0.each_ref().map(key);
        if second > first { Seat::Second } else { Seat::First }
    }

    #[inline]
    fn disqualification(
        &mut self,
        course: &Course,
        events: &mut impl Sink<Event>,
    ) -> Option<Ending> {
        let limit = course.config.switches.invalid_in_a_row_max;
        let is_out = |car: &Car| limit > 0 && car.invalid_in_a_row >= limit;
        let out = PerSeat(self.cars.0.each_ref().map(is_out));
        for seat in Seat::BOTH {
            if out[seat] {
                events.emit(Event::Disqualified { seat });
            }
        }
        match out.0 {
            [false, false] => None,
            [true, true] => Some(Ending::RaceInvalid),
            [first_is_out, _] => {
                self.winner = Some(if first_is_out { Seat::Second } else { Seat::First });
                Some(Ending::Disqualified)
            }
        }
    }

    pub(super) fn result(&self, ending: Ending) -> Outcome {
        let is_by_rule = matches!(ending, Ending::Disqualified | Ending::RaceInvalid);
        let verdict = |seat: Seat| match self.winner {
            Some(winner) if winner == seat => Verdict::Win,
            _ if is_by_rule => Verdict::Disqualified,
            _ => Verdict::Loss,
        };
        Outcome {
            verdicts: PerSeat::from_fn(verdict),
            scores: PerSeat::from_fn(|seat| i64::from(self.cars[seat].score)),
            reason: ending.reason(),
        }
    }
}
