//! Throws as text, and what a player knows as data.

use quintain_core::scene::Form;
use quintain_core::{Game as _, Notation, ParseError, Seat, Suggestion};
use serde::Serialize;

use crate::protocol::read_direction;
use crate::{Board, Direction, Hockey, Node, View};

impl Notation for Hockey {
    fn write(action: &Direction) -> String {
        action.word().to_owned()
    }

    fn read(text: &str) -> Result<Direction, ParseError> {
        let expected = "one of the eight directions, such as north east";
        read_direction(text).ok_or_else(|| ParseError::new(expected, text))
    }

    fn data(view: &View) -> impl Serialize {
        Data {
            goal: match view.seat {
                Seat::First => "north",
                Seat::Second => "south",
            },
            is_active: view.board.active() == view.seat,
            ball: place(view.board.puck()),
            lines: used_lines(&view.board).collect(),
        }
    }

    fn suggest(&self, seat: Seat, _typed: &str) -> Vec<Suggestion> {
        let view = &self.view(seat);
        let puck = view.board.puck();
        let suggest = |throw: Direction| {
            let end = Board::beyond(puck, throw)?;
            Some(
                Suggestion::new(throw.word(), promise(view, end))
                    .aimed_at(Form::circle(end, REACH)),
            )
        };
        view.board.exits(puck).iter().filter_map(suggest).collect()
    }
}

/// How far from a node a person may point who means it.
const REACH: f64 = 0.36;

/// Where a throw leads that ends there.
fn promise(view: &View, end: Node) -> String {
    let (x, y) = (end.x(), end.y());
    match end.net() {
        Some(scorer) if scorer == view.seat => "goal".to_owned(),
        Some(_) => "own goal".to_owned(),
        None if view.board.is_fresh(end) => format!("to {x} {y}"),
        None => format!("to {x} {y}, bounces"),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    goal: &'static str,
    is_active: bool,
    ball: Place,
    /// Those that have been drawn, each from its northern end, or its western one.
    lines: Vec<[Place; 2]>,
}

/// x and y, as in "ball is at (5, 5)".
type Place = [i8; 2];

fn place(node: Node) -> Place {
    [node.x(), node.y()]
}

fn used_lines(board: &Board) -> impl Iterator<Item = [Place; 2]> {
    const ONCE: [Direction; 4] =
        [Direction::East, Direction::SouthEast, Direction::South, Direction::SouthWest];
    let lines = Node::all().flat_map(|node| ONCE.map(|direction| (node, direction)));
    let used = lines.filter(|&(node, direction)| {
        Board::has_line(node, direction) && !board.exits(node).contains(direction)
    });
    used.filter_map(|(node, direction)| Some([place(node), place(Board::beyond(node, direction)?)]))
}
