//! Two cars that want the same block, or one that runs into the other from behind.

use quintain_core::{PerSeat, Seat, Sink};

use super::{Drive, Race};
use crate::course::Course;
use crate::edition::{Landing, SideAfterTruck};
use crate::{Event, Place};

impl Race {
    /// The first case that fits is all that happens. No speed, damage or score changes.
    #[inline]
    pub(super) fn apply_collisions(
        &mut self,
        course: &Course,
        drives: &mut PerSeat<Drive>,
        events: &mut impl Sink<Event>,
    ) {
        let is_same = drives[Seat::First].target == drives[Seat::Second].target;
        let jumps = PerSeat(self.cars.0.each_ref().map(|car| car.is_lizard));
        let rear = PerSeat::from_fn(|seat| is_rear(&drives[seat], &drives[seat.other()]));
        if jumps.0 == [false, false] {
            if let Some(seat) = Seat::BOTH.into_iter().find(|&seat| rear[seat]) {
                let front = drives[seat.other()].target;
                put_behind(&mut drives[seat], front);
                events.emit(Event::RearEnded { seat });
            } else if is_same {
                collide_sideways(course, drives);
                events.emit(Event::SideCollision);
            }
        } else if is_same {
            let seat = self.who_lands(course, drives, &jumps, rear[Seat::First]);
            let front = drives[seat.other()].target;
            put_behind(&mut drives[seat], front);
            events.emit(Event::PutBack { seat });
        }
    }

    /// Who gives way when a jump ends on the other car (D11).
    fn who_lands(
        &self,
        course: &Course,
        drives: &PerSeat<Drive>,
        jumps: &PerSeat<bool>,
        is_first_rear: bool,
    ) -> Seat {
        match (course.config.switches.landing, jumps.0) {
            (Landing::Jumper, [true, false]) => Seat::First,
            (Landing::Jumper, [false, true]) => Seat::Second,
            (Landing::Jumper, _) => {
                let [first, second] = drives.0.map(|drive| drive.start.block);
                if first < second { Seat::First } else { Seat::Second }
            }
            (Landing::SecondPlayer, _) if is_first_rear => Seat::First,
            (Landing::SecondPlayer, _) => Seat::Second,
        }
    }
}

/// Whether a car started behind the other in its lane and would reach or pass it in one lane.
#[inline]
fn is_rear(drive: &Drive, other: &Drive) -> bool {
    drive.start.lane == other.start.lane
        && drive.start.block < other.start.block
        && drive.target.lane == other.target.lane
        && drive.target.block >= other.target.block
}

fn put_behind(drive: &mut Drive, front: Place) {
    drive.target = front.behind();
    drive.has_collided = true;
}

/// "Both bots will remain in the lane they were previously, with a speed penalty of -1": one block of
/// distance. In the document's example of a truck (case 2) they stand level behind it.
fn collide_sideways(course: &Course, drives: &mut PerSeat<Drive>) {
    let is_behind_truck = drives.0.iter().any(|drive| drive.has_met_truck)
        && course.config.switches.side_after_truck == SideAfterTruck::CommonBlock;
    for drive in &mut drives.0 {
        let own = Place::new(drive.start.lane, drive.target.block);
        drive.target = if is_behind_truck { own } else { own.behind() };
        drive.has_collided = true;
    }
}
