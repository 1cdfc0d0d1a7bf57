//! What both players did in their latest turn, in words: every throw since the turn was theirs.

use quintain_core::scene::{Deeds, Viewing, order_of};
use quintain_core::{PerSeat, Reply, Seat};

use crate::{Direction, Event, Hockey};

pub(crate) fn deeds(watch: &Viewing<'_, Hockey>) -> Deeds {
    PerSeat::from_fn(|seat| {
        let mut lines = match &watch.replies[seat] {
            reply @ Some(Reply::Fault(_)) => order_of(reply.as_ref(), Direction::to_string),
            _ => run(&watch.trail.run(seat)),
        };
        lines.extend(watch.last.iter().filter_map(|event| became(event, seat)));
        lines
    })
}

/// All throws of a turn; all but the last have bounced.
fn run(throws: &[Direction]) -> Vec<String> {
    let words: Vec<&str> = throws.iter().map(|direction| direction.word()).collect();
    match words.len() {
        0 => Vec::new(),
        1 => vec![words.concat()],
        2 => vec![words.join(", "), "bounced once".to_owned()],
        count => vec![words.join(", "), format!("bounced {} times", count - 1)],
    }
}

/// What the rules made of the seat's answer in the latest step.
fn became(event: &Event, seat: Seat) -> Option<String> {
    match *event {
        Event::Refused { seat: who, why } if who == seat => Some(format!("refused {why}")),
        Event::Ended { ending, last } if last == seat => Some(ending.reason().to_owned()),
        _ => None,
    }
}
