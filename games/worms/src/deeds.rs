//! What both players did in the latest round, in words.

use quintain_core::scene::{Deeds, Eye, Viewing, order_of, order_words};
use quintain_core::{PerSeat, Seat, printable};

use crate::action::{Action, Order};
use crate::command;
use crate::event::{Cause, Event, Missile, ShotResult, ThrowResult};
use crate::render::previous_command;
use crate::rules::Worms;

/// A person at play is told the command of the other and no more, as a bot is.
pub(crate) fn deeds(game: &Worms, watch: &Viewing<'_, Worms>) -> Deeds {
    PerSeat::from_fn(|seat| {
        let mut lines = order_of(watch.replies[seat].as_ref(), order);
        if lines.is_empty() {
            return lines;
        }
        if watch.eye == Eye::Seat(seat.other()) {
            return vec![order_words(&previous_command(&game.players()[seat].last))];
        }
        let own = commanded(watch.last, seat);
        lines.extend(by_whom(game, own, seat));
        lines.extend(own.iter().find_map(|event| course(event, seat)));
        lines.extend(effect(own, seat));
        lines.extend(watch.last.iter().filter_map(|event| befell(event, seat)));
        lines.extend(points(watch.last, seat));
        lines
    })
}

/// An answer without a command has no words of its own.
fn order(action: &Action) -> String {
    match (command::write(action), &action.order) {
        (_, Order::Missing) => "no command".to_owned(),
        (text, Order::Absent) if text == ";" => "no command".to_owned(),
        (text, _) => text.replace(';', "; "),
    }
}

/// The events of a seat's command, up to its [`Event::Scored`]. A select has one of its own before it.
fn commanded(events: &[Event], seat: Seat) -> &[Event] {
    let is_end = |event: &Event| matches!(event, Event::Scored { seat: who, .. } if *who == seat);
    let end = events.iter().rposition(is_end).unwrap_or(0);
    let before = |event: &Event| matches!(event, Event::Scored { .. });
    let start = events[..end].iter().rposition(before).map_or(0, |index| index + 1);
    &events[start..end]
}

fn by_whom(game: &Worms, own: &[Event], seat: Seat) -> Option<String> {
    let worm = own.iter().find_map(|event| match *event {
        Event::Moved { seat: who, worm, .. }
        | Event::Collided { seat: who, worm, .. }
        | Event::Dug { seat: who, worm, .. }
        | Event::Shot { seat: who, worm, .. }
        | Event::Threw { seat: who, worm, .. }
        | Event::Ignored { seat: who, worm, .. } => (who == seat).then_some(worm),
        _ => None,
    })?;
    let profession = &game.class_of(usize::from(worm) - 1).profession_name;
    Some(format!("by worm {worm}, the {}", printable(&profession.to_lowercase())))
}

/// What became of the command itself.
fn course(event: &Event, seat: Seat) -> Option<String> {
    let words = match event {
        Event::Collided { seat: who, is_swap, .. } if *who == seat => match is_swap {
            true => "collides, they change places",
            false => "collides, they are pushed back",
        },
        Event::Shot { seat: who, result: ShotResult::Blocked, .. } if *who == seat => "is blocked",
        Event::Shot { seat: who, result: ShotResult::OutOfRange, .. } if *who == seat => {
            "hits nobody"
        }
        Event::Threw { seat: who, result: ThrowResult::DeepSpace, .. } if *who == seat => {
            "lost in deep space"
        }
        Event::Ignored { seat: who, .. } if *who == seat => "is frozen and does not hear",
        Event::Refused { seat: who, order, select, why, .. } if *who == seat => {
            return Some(format!("invalid: {}", printable(&why.sentence(order, *select))));
        }
        _ => return None,
    };
    Some(words.to_owned())
}

/// Whom and what an attack hit.
fn effect(own: &[Event], seat: Seat) -> Vec<String> {
    let hurt = own.iter().filter_map(|event| match *event {
        Event::Hurt { seat: victim, worm, damage, cause: Cause::Shot(by) | Cause::Banana(by) } => {
            (by == seat).then_some((victim, worm, damage))
        }
        _ => None,
    });
    let hurt: Vec<(Seat, u8, i32)> = hurt.collect();
    let whose = |victim: Seat| if victim == seat { "its own worm" } else { "worm" };
    let mut lines = Vec::new();
    match hurt[..] {
        [] => {}
        [(victim, worm, damage)] => {
            lines.push(format!("hits {} {worm} for {damage}", whose(victim)));
        }
        _ => {
            let sum = |is_meant: &dyn Fn(Seat) -> bool| -> i32 {
                let meant = hurt.iter().filter(|(victim, ..)| is_meant(*victim));
                meant.map(|(_, _, damage)| damage).sum()
            };
            let (all, of_own) = (sum(&|_| true), sum(&|victim| victim == seat));
            let itself =
                if of_own > 0 { format!(", {of_own} of it to itself") } else { String::new() };
            lines.push(format!("{all} damage{itself}"));
        }
    }
    let count = |is_meant: fn(&Event) -> bool| own.iter().filter(|event| is_meant(event)).count();
    let frozen = count(|event| matches!(event, Event::Frozen { .. }));
    let is_snowball = |event: &Event| {
        matches!(event, Event::Threw { missile: Missile::Snowball, result, .. }
            if *result != ThrowResult::DeepSpace)
    };
    if own.iter().any(is_snowball) {
        lines.push(format!("freezes {frozen}"));
    }
    match count(|event| matches!(event, Event::Blasted { .. })) {
        0 => {}
        dirt => lines.push(format!("{dirt} dirt destroyed")),
    }
    lines
}

/// What the round did to the seat beside its command.
fn befell(event: &Event, seat: Seat) -> Option<String> {
    Some(match *event {
        Event::SelectRefused { seat: who, id, why, .. } if who == seat => {
            format!("cannot select worm {id}: {}", why.sentence(&Order::Absent, Some(id)))
        }
        Event::Hurt { seat: who, worm, damage, cause: Cause::Lava } if who == seat => {
            format!("worm {worm} loses {damage} to lava")
        }
        Event::Hurt { seat: who, worm, damage, cause: Cause::Collision } if who == seat => {
            format!("worm {worm} loses {damage} to the collision")
        }
        Event::PackTaken { seat: who, worm, .. } if who == seat => {
            format!("worm {worm} takes a health pack")
        }
        Event::Died { seat: who, worm } if who == seat => format!("worm {worm} is out"),
        Event::Disqualified { seat: who } if who == seat => {
            "did nothing for too long: disqualified".to_owned()
        }
        _ => return None,
    })
}

/// What the round was worth.
fn points(events: &[Event], seat: Seat) -> Option<String> {
    let scored = events.iter().filter_map(|event| match *event {
        Event::Scored { seat: who, points } | Event::KillScored { seat: who, points } => {
            (who == seat).then_some(points)
        }
        _ => None,
    });
    match scored.sum::<i64>() {
        0 => None,
        points => Some(format!("score {points:+}")),
    }
}
