//! What comes: the lines of all throws, those of this turn in order, the lines that are free, the puck.

use quintain_core::scene::{
    Enter, Entrance, Form, Ink, Label, Leave, Point, Scene, Shape, Style, Viewing,
};
use quintain_core::{PerSeat, Seat};

use super::rink::{ink, symbol};
use super::{Throw, Trail};
use crate::{Board, Direction, Event, Hockey, Node};

/// Ids of shapes, far enough apart never to meet: a rink has fewer than 500 lines.
mod id {
    pub(super) const PUCK: u32 = 60;
    pub(super) const FREE: u32 = 80;
    pub(super) const FREE_END: u32 = 300;
    pub(super) const FREE_BOUNCE: u32 = 310;
    /// Plus the node's number.
    pub(super) const VISITED: u32 = 400;
    /// Plus eight times the node's number and the direction's.
    pub(super) const OLD_LINE: u32 = 1000;
    /// Plus the throw's number.
    pub(super) const THROW: u32 = 5000;
    pub(super) const HOLLOW: u32 = 6000;
    pub(super) const GLOW: u32 = 7000;
    pub(super) const PLATE: u32 = 8000;
    pub(super) const NUMBER: u32 = 9000;
}

mod layer {
    pub(super) const GLOW: u8 = 5;
    pub(super) const LINE: u8 = 6;
    pub(super) const VISITED: u8 = 8;
    pub(super) const FREE: u8 = 9;
    pub(super) const NUMBER: u8 = 10;
    pub(super) const PUCK: u8 = 12;
}

/// A line is drawn while the puck runs along it.
const DRAWN: Enter = Enter { how: Entrance::Trace, from: 0, to: 60 };
const NUMBERED: Enter = Enter { how: Entrance::Grow, from: 50, to: 70 };

/// All throws; the latest is broader than the others, and those of its turn glow and have numbers.
pub(super) fn draw_throws(watch: &Viewing<'_, Hockey>, names: &PerSeat<String>, scene: &mut Scene) {
    let has_thrown = watch.last.iter().any(|event| matches!(event, Event::Threw { .. }));
    let latest = watch.trail.throws.len().checked_sub(1).filter(|_| has_thrown);
    let run = watch.trail.latest_run();
    for (index, throw) in watch.trail.throws.iter().enumerate() {
        let number = index as u32;
        let width = if latest == Some(index) { 0.24 } else { 0.15 };
        let label = format!("throw {}: {} {}", index + 1, names[throw.seat], throw.direction);
        let style = Style::stroke(Ink::of(throw.seat), width);
        let shape = Shape::new(id::THROW + number, layer::LINE, way(throw), style);
        scene.shapes.push(shape.labelled(label).jumping().entering(DRAWN));
        if throw.seat == Seat::Second {
            let style = Style::stroke(ink::HOLLOW, width * 0.36);
            let shape = Shape::new(id::HOLLOW + number, layer::LINE, way(throw), style);
            scene.shapes.push(shape.jumping().entering(DRAWN).ornamental());
        }
        if run.contains(&index) {
            draw_of_this_turn(throw, number, index - run.start + 1, scene);
        }
    }
    draw_visited(watch.trail, scene);
}

/// Gold below a line, and how many throws of the turn led to it.
fn draw_of_this_turn(throw: &Throw, number: u32, place: usize, scene: &mut Scene) {
    let style = Style::stroke(Ink::Accent, 0.42).faded(0.45);
    let glow = Shape::new(id::GLOW + number, layer::GLOW, way(throw), style);
    scene.shapes.push(glow.jumping().entering(DRAWN).leaving(Leave::SLOWLY).ornamental());
    let [from, to] = [throw.from, throw.to].map(Point::from);
    let middle = Point::new((from.x + to.x) / 2.0, (from.y + to.y) / 2.0);
    let ink = Ink::of(throw.seat);
    let (form, style, words) = match throw.seat {
        Seat::First => (Form::circle(middle, 0.2), Style::fill(ink), Ink::Ground),
        Seat::Second => (diamond(middle, 0.27), Style::fill(Ink::Ground).outlined(ink, 0.06), ink),
    };
    let plate = Shape::new(id::PLATE + number, layer::NUMBER, form, style);
    scene.shapes.push(plate.jumping().entering(NUMBERED).ornamental());
    let label = Label::new(middle, 12.0, place.to_string()).sized(0.27).bold();
    let shape = Shape::new(id::NUMBER + number, layer::NUMBER, label.into(), Style::fill(words));
    scene.shapes.push(shape.jumping().entering(NUMBERED).ornamental());
}

fn diamond(middle: Point, reach: f64) -> Form {
    let Point { x, y } = middle;
    Form::polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)])
}

/// Where the puck was: it bounces there.
fn draw_visited(trail: &Trail, scene: &mut Scene) {
    let mut nodes: Vec<Node> =
        trail.throws.iter().flat_map(|throw| [throw.from, throw.to]).collect();
    nodes.sort_unstable_by_key(|&node| number(node));
    nodes.dedup();
    for node in nodes {
        let style = Style::fill(ink::HOLLOW).outlined(Ink::Text, 0.035);
        let form = Form::circle(node, 0.085);
        let shape = Shape::new(id::VISITED + number(node), layer::VISITED, form, style);
        scene.shapes.push(shape.jumping().ornamental());
    }
}

impl Hockey {
    /// Lines that were used before the trail began.
    pub(super) fn draw_old_lines(&self, trail: &Trail, scene: &mut Scene) {
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

    /// The lines along which the puck can go, with an arc where it would bounce.
    pub(super) fn draw_free_lines(&self, scene: &mut Scene) {
        let (puck, ink) = (self.board().puck(), Ink::of(self.board().active()));
        for (direction, end) in self.free_ends() {
            let number = direction as u32;
            let from = Point::from(puck);
            let to = Point::from(end);
            let part =
                |share: f64| (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
            let mut add = |id, form, style| {
                let shape = Shape::new(id + number, layer::FREE, form, style).jumping();
                scene.shapes.push(shape.ornamental());
            };
            let dotted = Style::stroke(ink, 0.05).dashed(0.1).faded(0.9);
            add(id::FREE, Form::line(part(0.34), part(0.86)), dotted);
            add(id::FREE_END, Form::circle(end, 0.13), Style::stroke(ink, 0.05));
            if !self.board().is_fresh(end) && end.net().is_none() {
                let arc = format!("M{} {}a.24 .24 0 0 1 .48 0", to.x - 0.24, to.y - 0.04);
                add(id::FREE_BOUNCE, Form::path(arc), Style::stroke(ink, 0.05));
            }
        }
    }

    /// In the colour of who is to throw; of nobody when the match is over.
    pub(super) fn draw_puck(&self, scene: &mut Scene) {
        let tint = match self.ending() {
            None => Ink::of(self.board().active()),
            Some(_) => Ink::Accent,
        };
        let form = Form::symbol(symbol::PUCK, self.board().puck(), 0.27);
        let shape = Shape::new(id::PUCK, layer::PUCK, form, Style::fill(tint));
        scene.shapes.push(shape.labelled("the puck"));
    }

    /// Where the puck can go; nowhere after the end.
    fn free_ends(&self) -> Vec<(Direction, Node)> {
        let puck = self.board().puck();
        let exits = self.board().exits(puck).iter().filter(|_| self.ending().is_none());
        exits.filter_map(|direction| Some((direction, Board::beyond(puck, direction)?))).collect()
    }
}

fn way(throw: &Throw) -> Form {
    Form::line(throw.from, throw.to)
}

pub(super) fn number(node: Node) -> u32 {
    (node.y() + 1) as u32 * 11 + node.x() as u32
}
