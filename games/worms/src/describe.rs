//! What happened, in a few words: the lines of a transcript.

use quintain_core::{PerSeat, Seat, printable};

use crate::command;
use crate::event::{Cause, Event, Missile, ShotResult, ThrowResult};

/// Bots can send long texts; a line of a transcript shows the beginning.
const TEXT_LETTERS_MAX: usize = 60;

/// Empty for what a picture tells better, and for what follows from other lines.
pub(crate) fn describe(event: &Event, names: &PerSeat<String>) -> String {
    let who = |seat: Seat, worm: u8| format!("{}'s worm {worm}", names[seat]);
    match event {
        Event::LavaRises => "lava comes onto the map".to_owned(),
        Event::Selected { seat, worm } => format!("{} selects worm {worm}", names[*seat]),
        Event::SelectRefused { seat, id, why, .. } => {
            let reason = why.sentence(&crate::Order::Absent, Some(*id));
            format!("{} cannot select worm {id}: {reason}", names[*seat])
        }
        Event::Idled { seat, worm, .. } => format!("{} does nothing", who(*seat, *worm)),
        Event::Collided { seat, worm, to, is_swap, .. } => {
            let end = if *is_swap { "they change places" } else { "they are pushed back" };
            format!("{} collides at {} {}, {end}", who(*seat, *worm), to.x, to.y)
        }
        Event::Shot { seat, worm, direction, result, .. } => {
            let end = match result {
                ShotResult::Hit => "and hits",
                ShotResult::Blocked => "and is blocked",
                ShotResult::OutOfRange => "into the air",
            };
            format!("{} shoots {direction} {end}", who(*seat, *worm))
        }
        Event::Threw { seat, worm, missile, at, result, .. } => {
            let what = match missile {
                Missile::Banana => "a banana bomb",
                Missile::Snowball => "a snowball",
            };
            let end = if *result == ThrowResult::DeepSpace { ", lost in deep space" } else { "" };
            format!("{} throws {what} at {} {}{end}", who(*seat, *worm), at.x, at.y)
        }
        Event::Ignored { seat, worm, .. } => format!("{} is frozen", who(*seat, *worm)),
        Event::Refused { seat, order, select, why, .. } => {
            let reason = why.sentence(order, *select);
            let reason: String = printable(&reason).chars().take(TEXT_LETTERS_MAX).collect();
            let what = match command::kind(order) {
                "invalid" => "answer",
                kind => kind,
            };
            format!("{}'s {what} is invalid: {reason}", names[*seat])
        }
        Event::Hurt { seat, worm, damage, cause } => {
            let cause = match cause {
                Cause::Lava => "lava",
                Cause::Collision => "the collision",
                Cause::Shot(_) => "the shot",
                Cause::Banana(_) => "the banana",
            };
            format!("{} loses {damage} to {cause}", who(*seat, *worm))
        }
        Event::Frozen { seat, worm } => format!("{} freezes", who(*seat, *worm)),
        Event::PackTaken { seat, worm, .. } => format!("{} takes a health pack", who(*seat, *worm)),
        Event::PackDestroyed { .. } => "a health pack is destroyed".to_owned(),
        Event::Died { seat, worm } => format!("{} is out", who(*seat, *worm)),
        Event::KillScored { seat, points } => {
            format!("{} gets {points} points for it", names[*seat])
        }
        Event::Disqualified { seat } => {
            format!("{} did nothing for too long and is disqualified", names[*seat])
        }
        Event::Moved { seat, worm, to, .. } => {
            format!("{} moves to {} {}", who(*seat, *worm), to.x, to.y)
        }
        Event::Dug { seat, worm, at } => {
            format!("{} digs at {} {}", who(*seat, *worm), at.x, at.y)
        }
        Event::Blasted { .. }
        | Event::Scored { .. }
        | Event::Reminded { .. }
        | Event::Ended { .. } => String::new(),
    }
}
