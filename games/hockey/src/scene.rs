//! What is drawn: the rink, every throw as a line in its thrower's colour, and the puck.
//!
//! One unit is one step of the puck, and node (0, 0) is the origin. A net has the colour of the seat
//! that scores in it, so each player throws towards its own colour; the wire calls that net "your
//! goal". The position does not remember who used a line: [`Trail`] does. Lines that a setup used up
//! belong to nobody and are drawn in the colour of text.

use quintain_core::scene::{
    Area, Eye, Form, Ink, Point, Scene, Shape, Stage, Style, TextScene, Viewing, id_of,
};
use quintain_core::{PerSeat, Seat, Spectate};

use crate::text::board_text;
use crate::{Board, Direction, Ending, Event, Hockey, Node};

/// The throws of a match, in order.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    throws: Vec<Throw>,
}

#[derive(Clone, Copy, Debug)]
struct Throw {
    seat: Seat,
    from: Node,
    direction: Direction,
    to: Node,
}

/// Ids of shapes, far enough apart never to meet: a rink has fewer than 500 lines.
mod id {
    pub(super) const FIELD: u32 = 0;
    pub(super) const NET: u32 = 1;
    pub(super) const RIM: u32 = 3;
    pub(super) const NET_NAME: u32 = 4;
    pub(super) const PUCK: u32 = 6;
    /// Plus the direction's number.
    pub(super) const TARGET: u32 = 10;
    /// Plus the node's number.
    pub(super) const DOT: u32 = 100;
    /// Plus eight times the node's number and the direction's.
    pub(super) const OLD_LINE: u32 = 1000;
    /// Plus the throw's number.
    pub(super) const THROW: u32 = 5000;
}

mod layer {
    pub(super) const FIELD: u8 = 0;
    pub(super) const NET: u8 = 1;
    pub(super) const DOT: u8 = 2;
    pub(super) const LINE: u8 = 3;
    pub(super) const RIM: u8 = 4;
    pub(super) const TARGET: u8 = 5;
    pub(super) const PUCK: u8 = 6;
}

/// Longer names would run over the edge of the picture.
const NAME_LETTERS_MAX: usize = 24;

impl Spectate for Hockey {
    type Trail = Trail;

    fn stage(&self) -> Stage {
        let mut background = vec![Shape::new(
            id::FIELD,
            layer::FIELD,
            Form::polygon(OUTLINE),
            Style::fill(Ink::Field),
        )];
        for (seat, &corners) in NETS.iter() {
            let form = Form::polygon(corners);
            let style = Style::fill(Ink::of(seat)).faded(0.3);
            background.push(Shape::new(id_of(id::NET, seat), layer::NET, form, style));
        }
        for node in Node::all().filter(|&node| Board::START.is_fresh(node)) {
            let form = Form::circle(node, 0.06);
            let number = id::DOT + number(node);
            background.push(Shape::new(number, layer::DOT, form, Style::fill(Ink::Faint)));
        }
        let mut rim = OUTLINE.map(Point::from).to_vec();
        rim.push(rim[0]);
        let style = Style::stroke(Ink::Wall, 0.12);
        background.push(Shape::new(id::RIM, layer::RIM, Form::Line { points: rim }, style));
        let world = Area { x: -1.0, y: -2.6, width: 12.0, height: 15.2 };
        Stage { world, background, palette: Vec::new() }
    }

    fn follow(trail: &mut Trail, events: &[Event]) {
        for event in events {
            if let Event::Threw { seat, from, direction, to, .. } = *event {
                trail.throws.push(Throw { seat, from, direction, to });
            }
        }
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        self.draw_net_names(&names, scene);
        self.draw_old_lines(watch.trail, scene);
        draw_throws(watch, &names, scene);
        if watch.eye == Eye::Seat(self.board().active()) {
            self.draw_targets(scene);
        }
        let puck = Form::circle(self.board().puck(), 0.28);
        let style = Style::fill(Ink::Accent).outlined(Ink::Text, 0.06);
        scene.shapes.push(Shape::new(id::PUCK, layer::PUCK, puck, style).labelled("the puck"));
        scene.caption = self.caption(&names);
    }

    fn text(&self, _eye: Eye, out: &mut TextScene) {
        board_text(self.board(), out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        match *event {
            Event::Threw { seat, direction, next, .. } => {
                let bounce = if next == Some(seat) { ", bounce" } else { "" };
                format!("{} throws {direction}{bounce}", names[seat])
            }
            Event::Refused { seat, why } => format!("{} is refused {why}", names[seat]),
            Event::Ended { ending, last } => {
                let own_goal = match ending {
                    Ending::Goal { winner } if winner != last => ", by an own goal",
                    _ => "",
                };
                format!("{}{own_goal}", result(ending, names))
            }
        }
    }

    fn mark(event: &Event) -> Option<&'static str> {
        match event {
            Event::Threw { .. } | Event::Refused { .. } => None,
            Event::Ended { ending, .. } => Some(match ending {
                Ending::Goal { .. } => "goal",
                Ending::Checkmate { .. } => "checkmate",
                Ending::Timeout { .. } => "timeout",
                Ending::NeverReady { .. } | Ending::NobodyReady => "never ready",
            }),
        }
    }
}

impl Hockey {
    fn caption(&self, names: &PerSeat<String>) -> String {
        match self.ending() {
            Some(ending) => result(ending, names),
            None => format!("{} to throw", names[self.board().active()]),
        }
    }

    fn draw_net_names(&self, names: &PerSeat<String>, scene: &mut Scene) {
        for (seat, name) in names.iter() {
            let y = match seat {
                Seat::First => -1.95,
                Seat::Second => 11.95,
            };
            let form = Form::text((5.0, y), 0.5, format!("{name} scores here"));
            let style = Style::fill(Ink::of(seat));
            scene.shapes.push(Shape::new(id_of(id::NET_NAME, seat), layer::NET, form, style));
        }
    }

    /// Lines that were used before the trail began.
    fn draw_old_lines(&self, trail: &Trail, scene: &mut Scene) {
        let is_thrown = |node: Node, end: Node| {
            let joins =
                |throw: &Throw| [(node, end), (end, node)].contains(&(throw.from, throw.to));
            trail.throws.iter().any(joins)
        };
        for node in Node::all() {
            // The other four directions are these, seen from the other end.
            for direction in &Direction::ALL[2..6] {
                let Some(end) = Board::beyond(node, *direction) else {
                    continue;
                };
                if self.board().exits(node).contains(*direction) || is_thrown(node, end) {
                    continue;
                }
                let form = Form::line(node, end);
                let number = id::OLD_LINE + 8 * number(node) + *direction as u32;
                let style = Style::stroke(Ink::Text, 0.1).faded(0.5);
                scene.shapes.push(Shape::new(number, layer::LINE, form, style));
            }
        }
    }

    /// Where a person can click to throw.
    fn draw_targets(&self, scene: &mut Scene) {
        let puck = self.board().puck();
        if self.ending().is_some() {
            return;
        }
        for direction in self.board().exits(puck).iter() {
            let Some(end) = Board::beyond(puck, direction) else {
                continue;
            };
            let form = Form::circle(end, 0.25);
            let style = Style::fill(Ink::Accent).faded(0.35).outlined(Ink::Accent, 0.05);
            let shape = Shape::new(id::TARGET + direction as u32, layer::TARGET, form, style);
            scene.shapes.push(shape.labelled(direction.word()).sending(direction.word()));
        }
    }
}

/// The latest throw is drawn broader than the others.
fn draw_throws(watch: &Viewing<'_, Hockey>, names: &PerSeat<String>, scene: &mut Scene) {
    let has_thrown = watch.last.iter().any(|event| matches!(event, Event::Threw { .. }));
    let latest = watch.trail.throws.len().checked_sub(1).filter(|_| has_thrown);
    for (index, throw) in watch.trail.throws.iter().enumerate() {
        let width = if latest == Some(index) { 0.26 } else { 0.14 };
        let form = Form::line(throw.from, throw.to);
        let style = Style::stroke(Ink::of(throw.seat), width);
        let label = format!("throw {}: {} {}", index + 1, names[throw.seat], throw.direction);
        let shape = Shape::new(id::THROW + index as u32, layer::LINE, form, style);
        scene.shapes.push(shape.labelled(label));
    }
}

fn result(ending: Ending, names: &PerSeat<String>) -> String {
    match (ending, ending.winner()) {
        (Ending::NeverReady { winner }, _) => {
            let loser = &names[winner.other()];
            format!("{} wins: {loser} {}", names[winner], ending.reason())
        }
        (_, Some(winner)) => format!("{} wins: {}", names[winner], ending.reason()),
        (_, None) => "nobody wins: neither player ever became ready".to_owned(),
    }
}

fn number(node: Node) -> u32 {
    (node.y() + 1) as u32 * 11 + node.x() as u32
}

impl From<Node> for Point {
    fn from(node: Node) -> Point {
        Point::new(f64::from(node.x()), f64::from(node.y()))
    }
}

/// The rim with both nets, clockwise from the north-west corner.
const OUTLINE: [(f64, f64); 12] = [
    (0.0, 0.0),
    (4.0, 0.0),
    (4.0, -1.0),
    (6.0, -1.0),
    (6.0, 0.0),
    (10.0, 0.0),
    (10.0, 10.0),
    (6.0, 10.0),
    (6.0, 11.0),
    (4.0, 11.0),
    (4.0, 10.0),
    (0.0, 10.0),
];

const NETS: PerSeat<[(f64, f64); 4]> = PerSeat([
    [(4.0, -1.0), (6.0, -1.0), (6.0, 0.0), (4.0, 0.0)],
    [(4.0, 10.0), (6.0, 10.0), (6.0, 11.0), (4.0, 11.0)],
]);
