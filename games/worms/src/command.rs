//! The text of commands: read, written, and what is wrong with one that cannot be read.
//!
//! Reading follows the original to the letter, since its sentences are shown to players: pieces stand
//! between semicolons, parts one space apart, numbers are what its language takes for numbers.

use std::fmt::Write as _;
use std::sync::Arc;

use quintain_core::{java_int, java_upper_is};

use crate::action::{Action, Direction, Order};

/// A piece with more spaces than this is not split any further.
const PARTS_MAX: usize = 4;

/// Reads an answer, the text after the prefix. Every text has a meaning.
pub(crate) fn read(text: &str) -> Action {
    if text.is_empty() {
        return Action::MISSING;
    }
    let mut action = Action::of(Order::Absent);
    for piece in text.split(';').map(trim).filter(|piece| !piece.is_empty()) {
        match read_piece(piece) {
            Ok(Piece::Select(id)) => action.select = Some(id),
            Ok(Piece::Order(order)) => action.order = order,
            Err(problem) => {
                action.has_unreadable_select |= problem.is_about_select();
                action.order = Order::Unreadable(Arc::from(piece));
            }
        }
    }
    action
}

/// The inverse of [`read`]: a text with this meaning.
pub(crate) fn write(action: &Action) -> String {
    let mut text = String::new();
    let order = written(&action.order);
    let is_order_the_select =
        matches!(&action.order, Order::Unreadable(piece) if is_unreadable_select(piece));
    if action.has_unreadable_select && !is_order_the_select {
        text.push_str("select;");
    }
    if let Some(id) = action.select {
        write!(text, "select {id};").expect("a string takes any text");
    }
    match &action.order {
        Order::Missing => {}
        // One semicolon is an answer, none is not.
        Order::Absent if text.is_empty() => text.push(';'),
        Order::Absent => {}
        _ => text.push_str(&order),
    }
    text
}

fn written(order: &Order) -> String {
    match order {
        Order::Missing | Order::Absent => String::new(),
        Order::Nothing => "nothing".to_owned(),
        Order::Move { x, y } => format!("move {x} {y}"),
        Order::Dig { x, y } => format!("dig {x} {y}"),
        Order::Banana { x, y } => format!("banana {x} {y}"),
        Order::Shoot(direction) => format!("shoot {direction}"),
        Order::Snowball { x, y } => format!("snowball {x} {y}"),
        Order::Unreadable(piece) => piece.to_string(),
    }
}

/// The order as the state files show it when it was heard.
pub(crate) fn echo(order: &Order) -> String {
    match order {
        Order::Nothing => "nothing \"Player chose to do nothing\"".to_owned(),
        Order::Absent => "nothing \"No command received for player\"".to_owned(),
        Order::Missing | Order::Unreadable(_) => format!("invalid command {}", order.complaint()),
        readable => written(readable),
    }
}

/// The first word of the order, as the CSV file names it.
pub(crate) const fn kind(order: &Order) -> &'static str {
    match order {
        Order::Nothing | Order::Absent => "nothing",
        Order::Move { .. } => "move",
        Order::Dig { .. } => "dig",
        Order::Banana { .. } => "banana",
        Order::Shoot(_) => "shoot",
        Order::Snowball { .. } => "snowball",
        Order::Missing | Order::Unreadable(_) => "invalid",
    }
}

/// Why a piece is no command, in the original's words.
pub(crate) fn complaint(piece: &str) -> String {
    match read_piece(piece) {
        Err(problem) => problem.sentence(piece),
        Ok(_) => panic!("only what cannot be read is complained of"),
    }
}

enum Piece {
    Select(i32),
    Order(Order),
}

/// What is wrong with a piece.
enum Problem<'a> {
    Unknown,
    /// The command's word, as the sentence has it, the parts found and the parts needed.
    Length {
        word: &'static str,
        is_select: bool,
        parts: usize,
        expected: usize,
    },
    Number {
        word: &'static str,
        first: &'a str,
    },
    Coordinates {
        x: Option<i32>,
        y: Option<i32>,
    },
    WormId(&'a str),
    Direction(&'a str),
}

impl Problem<'_> {
    fn is_about_select(&self) -> bool {
        matches!(self, Problem::WormId(_) | Problem::Length { is_select: true, .. })
    }

    fn sentence(&self, piece: &str) -> String {
        let or_null = |number: &Option<i32>| match number {
            Some(number) => number.to_string(),
            None => "null".to_owned(),
        };
        match self {
            Problem::Unknown => format!("Unknown command: {piece}"),
            Problem::Length { word, parts, expected, .. } => {
                format!("Cannot parse {word} command: Invalid length {parts}, expected {expected}")
            }
            Problem::Number { word, first } => {
                format!("Cannot parse {word} coordinates as numbers: [{first}]")
            }
            Problem::Coordinates { x, y } => format!(
                "Cannot parse coordinates: Invalid coordinate x:{} y:{}",
                or_null(x),
                or_null(y)
            ),
            Problem::WormId(text) => format!("Cannot parse worm Id as a number: {text}"),
            Problem::Direction(text) => {
                format!("Cannot parse direction command: Invalid direction {text}")
            }
        }
    }
}

fn is_unreadable_select(piece: &str) -> bool {
    matches!(read_piece(piece), Err(problem) if problem.is_about_select())
}

fn read_piece(piece: &str) -> Result<Piece, Problem<'_>> {
    let mut parts = [""; PARTS_MAX];
    let mut count = 0;
    for (slot, part) in parts.iter_mut().zip(piece.splitn(PARTS_MAX, ' ')) {
        *slot = part;
        count += 1;
    }
    let need = |word: &'static str, said: &'static str, expected: usize| {
        let is_select = word == "select";
        let problem = Problem::Length { word: said, is_select, parts: count, expected };
        if count == expected { Ok(()) } else { Err(problem) }
    };
    // The original makes words lower case and directions upper case. Lower case makes none of these
    // words of other letters than theirs; upper case makes an S of the long s.
    let order = match parts[0].to_ascii_lowercase().as_str() {
        "nothing" => Order::Nothing,
        "move" => {
            need("move", "move", 3)?;
            let (x, y) = numbers("move", parts[1], parts[2])?;
            Order::Move { x, y }
        }
        "dig" => {
            need("dig", "dig", 3)?;
            let (x, y) = numbers("dig", parts[1], parts[2])?;
            Order::Dig { x, y }
        }
        "banana" => {
            need("banana", "banana", 3)?;
            let (x, y) = coordinates(parts[1], parts[2])?;
            Order::Banana { x, y }
        }
        "snowball" => {
            need("snowball", "snowball", 3)?;
            let (x, y) = coordinates(parts[1], parts[2])?;
            Order::Snowball { x, y }
        }
        "shoot" => {
            // The original's sentence speaks of a move.
            need("shoot", "move", 2)?;
            Order::Shoot(direction(parts[1]).ok_or(Problem::Direction(parts[1]))?)
        }
        "select" => {
            need("select", "select", 2)?;
            return java_int(parts[1]).map(Piece::Select).ok_or(Problem::WormId(parts[1]));
        }
        _ => return Err(Problem::Unknown),
    };
    Ok(Piece::Order(order))
}

fn numbers<'a>(word: &'static str, x: &'a str, y: &str) -> Result<(i32, i32), Problem<'a>> {
    java_int(x).zip(java_int(y)).ok_or(Problem::Number { word, first: x })
}

fn coordinates<'a>(x: &str, y: &str) -> Result<(i32, i32), Problem<'a>> {
    let (x, y) = (java_int(x), java_int(y));
    x.zip(y).ok_or(Problem::Coordinates { x, y })
}

fn direction(text: &str) -> Option<Direction> {
    Direction::ALL.into_iter().find(|direction| java_upper_is(text, direction.name()))
}

/// The language of the original trims everything up to the space.
fn trim(piece: &str) -> &str {
    piece.trim_matches(|letter: char| letter <= ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_heard() {
        let texts = [
            "",
            ";",
            "nothing",
            "move 1 2",
            "dig -3 4",
            "shoot ne",
            "banana 5 6",
            "snowball 7 8",
            "select 2;move 1 2",
            "select 2",
            "select x;move 1 2",
            "select x",
            "move 1 2;select x",
            "select 1;select x",
            "select x;foo",
            "foo",
            "No Command",
            "select 3;nothing at all",
            "move 1 2;dig 3 4;select 9;",
            "select x;select 2",
            "select x;;",
        ];
        for text in texts {
            let action = read(text);
            assert_eq!(read(&write(&action)), action, "{text:?} said as {:?}", write(&action));
        }
    }
}
