//! What happened, in a few words: the lines of a transcript, and what each player did in a round.

use quintain_core::scene::{Deeds, Eye, Viewing, order_of};
use quintain_core::{PerSeat, Seat};

use crate::{Action, Event, Obstacle, Overdrive, Place};

/// Empty for what other lines tell.
pub(crate) fn describe(event: &Event, names: &PerSeat<String>) -> String {
    match *event {
        Event::Commanded { action: Action::Unreadable(_), .. } => String::new(),
        Event::Commanded { seat, action } => format!("{}: {action}", names[seat]),
        Event::Invalid { seat, why } => format!("{}: invalid, {why}", names[seat]),
        Event::RearEnded { seat } => {
            format!("{} is stuck behind {}", names[seat], names[seat.other()])
        }
        Event::SideCollision => "the cars collide side by side".to_owned(),
        Event::Ended { ending } => format!("the match is over: {}", ending.reason()),
        _ => told(event).map_or_else(String::new, |(seat, what)| format!("{} {what}", names[seat])),
    }
}

/// Whom an event happened to, and what it was.
fn told(event: &Event) -> Option<(Seat, String)> {
    Some(match *event {
        Event::Invalid { seat, why } => (seat, format!("invalid: {why}")),
        Event::BoostEnded { seat } => (seat, "is no longer boosted".to_owned()),
        Event::Oiled { seat, place } => (seat, format!("drops oil at {}", at(place))),
        Event::Hit { seat, what } => (seat, format!("hits {}", obstacle(what))),
        Event::HitTruck { seat, place } => (seat, format!("hits the truck at {}", at(place))),
        Event::HitEmp { seat } => (seat, "is stopped by an EMP".to_owned()),
        Event::PickedUp { seat, powerup } => (seat, format!("picks up {}", powerup.name())),
        Event::RearEnded { seat } => (seat, "is stuck behind the other car".to_owned()),
        Event::PutBack { seat } => (seat, "is put back a block".to_owned()),
        Event::TruckPlaced { seat, place } => (seat, format!("sets a truck at {}", at(place))),
        Event::TweetRefunded { seat, place } => {
            (seat, format!("gets its tweet back: {} is taken", at(place)))
        }
        Event::Finished { seat } => (seat, "has finished".to_owned()),
        Event::Disqualified { seat } => (seat, "is disqualified".to_owned()),
        Event::Commanded { .. } | Event::SideCollision | Event::Ended { .. } => return None,
    })
}

impl Overdrive {
    /// What each player did in the latest round. Nobody at play is told what the other commanded.
    pub(crate) fn deeds(&self, watch: &Viewing<'_, Overdrive>) -> Deeds {
        PerSeat::from_fn(|seat| {
            if watch.eye == Eye::Seat(seat.other()) {
                return Vec::new();
            }
            let mut lines = order_of(watch.replies[seat].as_ref(), order);
            if lines.is_empty() {
                return lines;
            }
            let happened = watch.last.iter().filter_map(told);
            lines.extend(counted(happened.filter(|(who, _)| *who == seat).map(|(_, what)| what)));
            if watch.last.contains(&Event::SideCollision) {
                lines.push("collides with the other car".to_owned());
            }
            let car = &self.cars()[seat];
            lines.push(format!("to {} at speed {}", at(car.place), car.speed));
            lines
        })
    }
}

/// The same words once, with how often they were said.
pub(crate) fn counted(said: impl Iterator<Item = String>) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for words in said {
        match counts.iter_mut().find(|(known, _)| *known == words) {
            Some((_, count)) => *count += 1,
            None => counts.push((words, 1)),
        }
    }
    let told = |(words, count)| if count > 1 { format!("{words} ×{count}") } else { words };
    counts.into_iter().map(told).collect()
}

/// A text that is no command has no words of its own.
fn order(action: &Action) -> String {
    match action {
        Action::Unreadable(_) => "no command".to_owned(),
        action => action.to_string(),
    }
}

fn obstacle(what: Obstacle) -> &'static str {
    match what {
        Obstacle::Mud => "mud",
        Obstacle::Oil => "oil",
        Obstacle::Wall => "a wall",
    }
}

pub(crate) fn at(place: Place) -> String {
    format!("lane {}, block {}", place.lane, place.block)
}
