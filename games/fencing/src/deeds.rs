//! What both fencers did in the latest turn, in words.

use quintain_core::scene::{Deeds, Viewing, order_of};
use quintain_core::{Notation, PerSeat, Seat};

use crate::{Event, Fencing};

pub(crate) fn deeds(watch: &Viewing<'_, Fencing>) -> Deeds {
    PerSeat::from_fn(|seat| {
        let mut lines = order_of(watch.replies[seat].as_ref(), Fencing::write);
        lines.extend(watch.last.iter().filter_map(|event| became(event, seat)));
        lines
    })
}

/// What an event was for a seat.
fn became(event: &Event, seat: Seat) -> Option<String> {
    let words = match *event {
        Event::Refused { seat: who, why } if who == seat => {
            return Some(format!("disqualified: {why}"));
        }
        Event::Exhausted { seat: who } if who == seat => "no energy left for it",
        Event::Doped { seat: who } if who == seat => "one drug too many",
        Event::Touched { striker } if striker == seat => "touches",
        Event::Touched { .. } => "is touched",
        Event::Parried { defender } if defender == seat => "parries",
        Event::Parried { .. } => "is parried",
        Event::Outside { seat: who } if who == seat => "is outside",
        Event::Collided => "collides",
        Event::Respawned => "returns to its place",
        _ => return None,
    };
    Some(words.to_owned())
}
