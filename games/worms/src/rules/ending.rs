//! The end of a round, and of a match.

use std::cmp::Ordering;

use quintain_core::{Outcome, PerSeat, Seat, Sink, Verdict};

use super::{Round, Worms};
use crate::edition::Disqualified;
use crate::event::{Ending, Event};

/// The count of rounds without a command at which the original's referee makes a note.
const REMINDER: u32 = 3;

impl Worms {
    /// The next living worm by id, from the first again after the last.
    #[inline]
    pub(super) fn pass_turns(&mut self) {
        for seat in Seat::BOTH {
            if !self.is_living(seat) {
                continue;
            }
            let player = &mut self.players[seat];
            let active = usize::from(player.active);
            let worms = player.worms();
            let next = (active + 1..worms.len()).chain(0..=active);
            let next = next.into_iter().find(|&index| worms[index].is_alive());
            player.previous = player.active;
            player.active = next.map_or(player.active, |index| index as u8);
        }
    }

    /// Everyone who shot or bombed a worm in the round in which it died is paid, also twice for one
    /// worm; for an own worm it is the opposite.
    #[inline]
    pub(super) fn score_kills(&mut self, round: &Round, events: &mut impl Sink<Event>) {
        let points = i64::from(self.field.config.game.scores.kill_shot);
        for victim in Seat::BOTH {
            for index in 0..self.players[victim].worms().len() {
                let by = round.hurt_by[victim][index];
                if by == 0 || self.players[victim].worms()[index].is_alive() {
                    continue;
                }
                for seat in Seat::BOTH.into_iter().filter(|seat| by >> seat.index() & 1 == 1) {
                    let points = if seat == victim { -points } else { points };
                    self.players[seat].command_score += points;
                    events.emit(Event::KillScored { seat, points });
                }
            }
        }
    }

    /// Dead worms leave the map, and all worms of a disqualified player.
    #[inline]
    pub(super) fn remove_fallen(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            let is_disqualified = self.is_disqualified(seat);
            for (worm, id) in self.players[seat].worms_mut().iter_mut().zip(1..) {
                if !worm.is_on_map {
                    continue;
                }
                if !worm.is_alive() {
                    events.emit(Event::Died { seat, worm: id });
                }
                worm.is_on_map = worm.is_alive() && !is_disqualified;
            }
        }
    }

    /// Whether the referee makes a note of the player after a round: not of one who is out of the match
    /// by then.
    pub(crate) fn is_reminded(&self, seat: Seat) -> bool {
        self.players[seat].do_nothings == REMINDER && self.is_living(seat)
    }

    #[inline]
    pub(super) fn end_round(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            if self.is_reminded(seat) {
                events.emit(Event::Reminded { seat });
            }
            if self.is_disqualified(seat) {
                events.emit(Event::Disqualified { seat });
            }
        }
        self.ending = self.find_ending();
        if let Some(ending) = self.ending {
            events.emit(Event::Ended { ending });
        }
    }

    #[inline]
    fn find_ending(&self) -> Option<Ending> {
        let living = PerSeat::from_fn(|seat| self.is_living(seat)).0;
        if living == [true, true] {
            let is_limit = self.round >= self.field.config.game.max_rounds as u32;
            return is_limit.then_some(Ending::RoundLimit);
        }
        let disqualified = PerSeat::from_fn(|seat| self.is_disqualified(seat)).0;
        let is_by_score = self.field.switches.disqualified == Disqualified::ByScore;
        Some(match disqualified {
            [false, false] if living == [false, false] => Ending::AllDead,
            [false, false] => Ending::LastStanding,
            _ if is_by_score && living == [false, false] => Ending::NobodyLeft,
            [true, true] => Ending::BothDisqualified,
            _ => Ending::Disqualified,
        })
    }

    pub(super) fn outcome_of(&self, ending: Ending) -> Outcome {
        let verdict = |seat: Seat| match ending {
            Ending::Disqualified | Ending::BothDisqualified if self.is_disqualified(seat) => {
                Verdict::Disqualified
            }
            Ending::Disqualified => Verdict::Win,
            Ending::LastStanding if self.is_living(seat) => Verdict::Win,
            Ending::LastStanding => Verdict::Loss,
            _ => self.verdict_by_score(seat),
        };
        Outcome {
            verdicts: PerSeat::from_fn(verdict),
            scores: PerSeat::from_fn(|seat| self.players[seat].score()),
            reason: ending.reason(),
        }
    }

    /// Equal scores are a draw.
    fn verdict_by_score(&self, seat: Seat) -> Verdict {
        let [own, other] = [seat, seat.other()].map(|seat| self.players[seat].score());
        match own.cmp(&other) {
            Ordering::Greater => Verdict::Win,
            Ordering::Equal => Verdict::Draw,
            Ordering::Less if self.is_disqualified(seat) => Verdict::Disqualified,
            Ordering::Less => Verdict::Loss,
        }
    }
}
