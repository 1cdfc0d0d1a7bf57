//! The texts that the original referee gives to its viewer, beside the wire. Recorded matches hold
//! them, so they are part of what is compared.

use quintain_core::{PerSeat, Seat};

use crate::protocol::without_trailing_blanks;
use crate::{Event, Refusal};

/// Names that the original knows and lets nobody play. Their league is the highest number it has.
const UNPLAYABLE: [&str; 4] = ["SUPPRESS", "MIDDLE_POSTURE", "RIGHT_POSTURE", "LEFT_POSTURE"];
const UNPLAYABLE_LEAGUE: i64 = i32::MAX as i64;

/// The summary of a turn, counted from 1: the frame's number, then who played what.
pub(crate) fn turn_summary(turn: u32, events: &[Event]) -> Vec<String> {
    let mut lines = vec![format!("frame:{}", turn - 1)];
    for event in events {
        match event {
            Event::Played { seat, action } => {
                lines.push(format!("${} played {action}", seat.index()));
            }
            Event::Refused { seat, why: Refusal::Silent } => {
                lines.push(format!("¤RED¤{}§RED§", timeout(*seat)));
            }
            _ => {}
        }
    }
    lines
}

/// The summary of the result.
pub(crate) fn final_summary(scores: PerSeat<i64>) -> String {
    let [first, second] = scores.0;
    format!("¤GREEN¤Final result: $0({first}), $1({second})§GREEN§")
}

/// The tooltips of a turn, by seat: of the striker, the defender, whoever left or was refused.
/// `lines` are the answers as they were heard.
pub(crate) fn tooltips(events: &[Event], lines: &PerSeat<String>, league: u8) -> Vec<String> {
    let mut tips: Vec<(Seat, String)> = Vec::new();
    for event in events {
        match *event {
            Event::Touched { striker } => tips.push((striker, "touché!".to_owned())),
            Event::Parried { defender } => tips.push((defender, "Parry!".to_owned())),
            Event::Outside { seat } => tips.push((seat, "off-site!".to_owned())),
            Event::Refused { seat, why } => tips.push((seat, refusal(seat, why, lines, league))),
            _ => {}
        }
    }
    tips.sort_by_key(|(seat, _)| *seat);
    tips.into_iter().map(|(seat, text)| format!("{}|{text}", seat.index())).collect()
}

fn refusal(seat: Seat, why: Refusal, lines: &PerSeat<String>, league: u8) -> String {
    let line = lines[seat].as_str();
    match why {
        Refusal::Silent => timeout(seat),
        Refusal::Locked(action) => locked(league, i64::from(action.row().league) - 1),
        Refusal::Unreadable if UNPLAYABLE.contains(&without_trailing_blanks(line)) => {
            locked(league, UNPLAYABLE_LEAGUE)
        }
        Refusal::Unreadable => format!("Excepted: '<action>' found: '{line}'"),
    }
}

/// The original names the league below the one that has the action, and closes a parenthesis that
/// it never opened.
fn locked(league: u8, available: i64) -> String {
    format!(
        "Illegal action for your current league level {league}), \
         available in the league level {available}"
    )
}

fn timeout(seat: Seat) -> String {
    format!("${} timeout!", seat.index())
}
