//! The original's log of a round, from the events of ours.

use quintain_core::Seat;

use crate::action::Order;
use crate::command;
use crate::event::{Event, Missile, ShotResult};

/// Player, command, score, success, message.
pub(super) type Feedback = (u8, String, i64, bool, String);

/// What the original would log of these events: the feedback, and the errors.
pub(super) fn log(events: &[Event], round: u32) -> (Vec<Feedback>, Vec<String>) {
    let (mut feedback, mut errors) = (Vec::new(), Vec::new());
    let mut open: Option<Entry> = None;
    for event in events {
        if let Event::Scored { points, .. } = event {
            let entry = open.take().expect("a score follows its command");
            if let Some(error) = &entry.error {
                let (player, worm) = (entry.player, entry.worm);
                errors.push(format!(
                    "GameError - Player {player}, worm {worm}, round {round}: {error}"
                ));
            }
            feedback.push((entry.player, entry.command, *points, entry.success, entry.message));
        } else if let Some(entry) = Entry::of(event) {
            open = Some(entry);
        }
    }
    (feedback, errors)
}

struct Entry {
    player: u8,
    worm: u8,
    command: String,
    success: bool,
    message: String,
    error: Option<String>,
}

impl Entry {
    fn of(event: &Event) -> Option<Entry> {
        let (seat, worm, command, success, message) = match event {
            Event::SelectRefused { seat, worm, id, why } => {
                let sentence = why.sentence(&Order::Absent, Some(*id));
                return Some(Entry::invalid(*seat, *worm, sentence));
            }
            Event::Refused { seat, worm, order, select, why } => {
                return Some(Entry::invalid(*seat, *worm, why.sentence(order, *select)));
            }
            Event::Ignored { seat, worm, order } => {
                let message = "Frozen worms cannot follow your commands".to_owned();
                let command = command::echo(order);
                let (player, error) = (player(*seat), None);
                return Some(Entry {
                    player,
                    worm: *worm,
                    command,
                    success: false,
                    message,
                    error,
                });
            }
            Event::Selected { seat, worm } => {
                let message = format!("Selected {}", name(*seat, *worm));
                (*seat, *worm, format!("select {worm}"), true, message)
            }
            other => Self::deed(other)?,
        };
        let error = (!success).then(|| message.clone());
        Some(Entry { player: player(seat), worm, command, success, message, error })
    }

    fn invalid(seat: Seat, worm: u8, error: String) -> Entry {
        Entry {
            player: player(seat),
            worm,
            command: "invalid".to_owned(),
            success: false,
            message: "Success".to_owned(),
            error: Some(error),
        }
    }

    /// What a worm did.
    fn deed(event: &Event) -> Option<(Seat, u8, String, bool, String)> {
        Some(match *event {
            Event::Idled { seat, worm, is_chosen } => {
                let order = if is_chosen { Order::Nothing } else { Order::Absent };
                let message = format!("{} successfully did nothing", name(seat, worm));
                (seat, worm, command::echo(&order), true, message)
            }
            Event::Moved { seat, worm, from, to } => {
                let command = format!("move {} {}", to.x, to.y);
                let message = format!("Worm MOVED from {} {} to {} {}", from.x, from.y, to.x, to.y);
                (seat, worm, command, true, message)
            }
            Event::Dug { seat, worm, at } => {
                let place = format!("{} {}", at.x, at.y);
                (seat, worm, format!("dig {place}"), true, format!("Worm dug out {place}"))
            }
            Event::Shot { seat, worm, direction, from, at, result } => {
                let message = format!(
                    "{}'s shot {} at {} {} from {} {}",
                    name(seat, worm),
                    result.name(),
                    at.0,
                    at.1,
                    from.x,
                    from.y
                );
                (seat, worm, format!("shoot {direction}"), result == ShotResult::Hit, message)
            }
            Event::Threw { seat, worm, missile, from, at, result } => {
                let (word, title) = match missile {
                    Missile::Banana => ("banana", "Banana"),
                    Missile::Snowball => ("snowball", "Snowball"),
                };
                let command = format!("{word} {} {}", at.x, at.y);
                let result_name = result.name();
                let message = format!(
                    "{title} hit {result_name} at {} {} from {} {}",
                    at.x, at.y, from.x, from.y
                );
                let success = result != crate::ThrowResult::DeepSpace;
                (seat, worm, command, success, message)
            }
            Event::Collided { seat, worm, from, to, is_swap } => {
                let word = if is_swap { "SWAPPED" } else { "PUSHEDBACK" };
                let message =
                    format!("Worm {word} from {} {} to {} {}", from.x, from.y, from.x, from.y);
                (seat, worm, format!("move {} {}", to.x, to.y), false, message)
            }
            _ => return None,
        })
    }
}

fn player(seat: Seat) -> u8 {
    seat.index() as u8 + 1
}

fn name(seat: Seat, worm: u8) -> String {
    format!("Worm(player={}, id={worm})", player(seat))
}
