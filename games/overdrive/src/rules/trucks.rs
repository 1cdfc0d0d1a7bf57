//! Cyber trucks: who drives into one, and where tweets put them.

use quintain_core::{Digest, PerSeat, Seat, Sink};

use super::commands::slow_down;
use super::{Drive, Race, digest_place};
use crate::course::Course;
use crate::edition::Trucks;
use crate::{Event, Place, Powerup, State};

/// A tweet that is not settled yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tweeted {
    seat: Seat,
    place: Place,
    /// Where the player's truck stood when it tweeted, or had stood.
    old: Option<Place>,
}

/// Two of the last round, if they were not settled, and two of this one.
const QUEUE_MAX: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Queue {
    entries: [Option<Tweeted>; QUEUE_MAX],
    length: usize,
}

impl Queue {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn push(&mut self, seat: Seat, place: Place, old: Option<Place>) {
        self.entries[self.length] = Some(Tweeted { seat, place, old });
        self.length += 1;
    }

    fn take(&mut self) -> impl Iterator<Item = Tweeted> + use<> {
        std::mem::take(self).entries.into_iter().flatten()
    }

    /// Both places, if there are exactly two tweets.
    fn pair(&self) -> Option<[Tweeted; 2]> {
        match self.entries {
            [Some(first), Some(second), None, None] => Some([first, second]),
            _ => None,
        }
    }

    pub(super) fn digest(&self, to: &mut Digest) {
        for tweeted in self.entries.iter().flatten() {
            to.u8(tweeted.seat as u8);
            digest_place(Some(tweeted.place), to);
            digest_place(tweeted.old, to);
        }
        to.u8(self.length as u8);
    }
}

impl Race {
    /// Cars stop behind the trucks that stood there when the round began. One truck can stop both.
    #[inline]
    pub(super) fn apply_trucks(
        &mut self,
        course: &Course,
        drives: &mut PerSeat<Drive>,
        events: &mut impl Sink<Event>,
    ) {
        if !self.marks.has_trucks() {
            return;
        }
        let met = PerSeat::from_fn(|seat| self.truck_in_the_way(course, seat, &drives[seat]));
        for seat in Seat::BOTH {
            let Some(place) = met[seat] else { continue };
            let (drive, car) = (&mut drives[seat], &mut self.cars[seat]);
            let figures = &course.config.figures;
            drive.target = place.behind();
            drive.has_met_truck = true;
            car.states.push(State::HitCyberTruck);
            slow_down(seat, car, course.struck(car.speed), events);
            car.score += figures.hit_cybertruck_score_penalty;
            let damage = i32::from(car.damage) + figures.damage_cybertruck;
            car.damage = damage.min(figures.damage_max_value) as u8;
            events.emit(Event::HitTruck { seat, place });
        }
        for place in met.0.into_iter().flatten() {
            self.remove_truck(course, place);
        }
    }

    /// The nearest truck on the way, which a jump passes, or else the one where the way ends.
    #[inline(always)]
    fn truck_in_the_way(&self, course: &Course, seat: Seat, drive: &Drive) -> Option<Place> {
        if drive.is_fixing {
            return None;
        }
        let Drive { start, target, .. } = *drive;
        let begin = match self.cars[seat].is_lizard {
            true => target.block,
            false => target.block.min(start.block + u16::from(start.lane == target.lane)),
        };
        let first = course.track.cell(Place::new(target.lane, begin));
        let trucks = self.marks.trucks(first, usize::from(target.block - begin) + 1);
        let nearest = begin + trucks.trailing_zeros() as u16;
        (trucks != 0).then_some(Place::new(target.lane, nearest))
    }

    fn remove_truck(&mut self, course: &Course, place: Place) {
        self.marks.remove_truck(course.track.cell(place));
        for car in &mut self.cars.0 {
            if car.truck == Some(place) {
                car.has_truck = false;
            }
        }
    }

    /// Trucks come to stand when everything else has happened, so they are met from the next round on.
    #[inline]
    pub(super) fn apply_tweets(&mut self, course: &Course, events: &mut impl Sink<Event>) {
        if self.queue.len() == 0 {
            return;
        }
        match course.config.switches.trucks {
            Trucks::Owned => self.settle_by_owner(course, events),
            Trucks::Queued => self.settle_in_order(course, events),
        }
    }

    /// The document: both are judged before either is placed. A place that is wanted twice, or where a
    /// truck of somebody else stands, is refused; one's own truck moves.
    fn settle_by_owner(&mut self, course: &Course, events: &mut impl Sink<Event>) {
        let pair = self.queue.pair();
        let is_contested = pair.is_some_and(|[first, second]| first.place == second.place);
        let mut granted = [None; QUEUE_MAX];
        for (slot, tweeted) in granted.iter_mut().zip(self.queue.take()) {
            let Tweeted { seat, place, .. } = tweeted;
            let is_taken = self.marks.is_truck(course.track.cell(place));
            let is_own = self.cars[seat].has_truck && self.cars[seat].truck == Some(place);
            if is_contested || is_taken && !is_own {
                self.refund(course, seat, place, events);
            } else {
                *slot = Some(tweeted);
            }
        }
        for Tweeted { seat, .. } in granted.into_iter().flatten() {
            let car = &self.cars[seat];
            if let Some(old) = car.truck.filter(|_| car.has_truck) {
                self.remove_truck(course, old);
            }
        }
        for Tweeted { seat, place, .. } in granted.into_iter().flatten() {
            self.place_truck(course, seat, place, events);
        }
    }

    /// The engine: one after the other. Two tweets to one place stay in the queue, so they are refunded
    /// again every round until somebody tweets (D18). The place remembered by a tweet is cleared
    /// whoever's truck stands there by now (D19).
    fn settle_in_order(&mut self, course: &Course, events: &mut impl Sink<Event>) {
        if let Some(pair) = self.queue.pair()
            && pair[0].place == pair[1].place
        {
            for Tweeted { seat, place, .. } in pair {
                self.refund(course, seat, place, events);
            }
            return;
        }
        for Tweeted { seat, place, old } in self.queue.take() {
            if self.marks.is_truck(course.track.cell(place)) {
                self.refund(course, seat, place, events);
                continue;
            }
            if let Some(old) = old {
                self.remove_truck(course, old);
            }
            self.place_truck(course, seat, place, events);
        }
    }

    fn refund(&mut self, course: &Course, seat: Seat, place: Place, events: &mut impl Sink<Event>) {
        let car = &mut self.cars[seat];
        car.powerups.push(Powerup::Tweet);
        car.score -= course.config.figures.use_powerup_bonus;
        events.emit(Event::TweetRefunded { seat, place });
    }

    fn place_truck(
        &mut self,
        course: &Course,
        seat: Seat,
        place: Place,
        events: &mut impl Sink<Event>,
    ) {
        self.marks.add_truck(course.track.cell(place));
        let car = &mut self.cars[seat];
        car.truck = Some(place);
        car.has_truck = true;
        events.emit(Event::TruckPlaced { seat, place });
    }
}
