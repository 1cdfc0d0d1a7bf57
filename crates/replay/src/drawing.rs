//! What bots draw: lines on their error output that become shapes, tips and marks of the turn in which
//! they were written.
//!
//! `[DRAW] circle 12 8 0.5 gold fill`, `[DRAW:threats] cell 3 4 loss`, `[TIP] 3 4 here it burns`,
//! `[MARK] plan changed`. Coordinates are those of the game. It is a closed language: what does not
//! follow it is counted and drawn nowhere, and no text of a bot becomes markup.

use std::borrow::Cow;

use quintain_core::scene::{
    Area, Colour, Form, Ink, Label, Mark, MarkKind, Plate, Point, Shape, Style, shortened,
};
use quintain_core::{Seat, Spectate, printable};

/// Shapes of one bot in one turn. One that draws more has a fault, not something to show.
pub const DRAWN_SHAPES_MAX: usize = 2_000;
/// Points of one polygon or line.
const POINTS_MAX: usize = 500;
/// Letters of a text, a tip, a mark, and of the name of a layer.
const TEXT_LETTERS_MAX: usize = 120;
const LAYER_LETTERS_MAX: usize = 24;
/// Beyond all shapes of games.
const FIRST_ID: u32 = 0xF000_0000;
/// Above everything that a game draws.
const LAYER: u8 = 250;
/// The layer of lines that name none.
const PLAIN_LAYER: &str = "drawing";

/// What a bot drew in a turn.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) marks: Vec<Mark>,
    /// Shapes beyond the limit.
    pub(crate) dropped: usize,
    /// Lines that could not be understood, and the first of them.
    pub(crate) misread: usize,
    pub(crate) first_misread: Option<String>,
}

impl Drawing {
    /// Reads what a bot wrote in a turn of a game; lines of other kinds are passed over.
    pub(crate) fn read<G: Spectate>(seat: Seat, text: &str, world: Area) -> Drawing {
        Drawing::placed(seat, text, world, |point| G::place_named_by(seat, point))
    }

    fn placed(seat: Seat, text: &str, world: Area, place: impl Fn(Point) -> Point) -> Drawing {
        let mut drawing = Drawing::default();
        let pen = Pen { seat, unit: world.width.max(world.height) };
        for line in text.lines().map(str::trim) {
            let Some(order) = Order::of(line) else {
                continue;
            };
            match order.carry_out(&pen) {
                Some(Drawn::Mark(mark)) => drawing.add_mark(mark),
                Some(Drawn::Shape(mut shape)) => {
                    put(&mut shape.form, &place);
                    drawing.add_shape(seat, shape);
                }
                None => drawing.misread(line),
            }
        }
        drawing
    }

    fn add_shape(&mut self, seat: Seat, mut shape: Shape) {
        if self.shapes.len() >= DRAWN_SHAPES_MAX {
            self.dropped += 1;
            return;
        }
        shape.id = FIRST_ID + seat.index() as u32 * 0x10_0000 + self.shapes.len() as u32;
        self.shapes.push(shape);
    }

    fn add_mark(&mut self, mark: Mark) {
        if self.marks.len() >= DRAWN_SHAPES_MAX {
            self.dropped += 1;
            return;
        }
        self.marks.push(mark);
    }

    fn misread(&mut self, line: &str) {
        self.misread += 1;
        let shown = || shortened(&printable(line), TEXT_LETTERS_MAX);
        self.first_misread.get_or_insert_with(shown);
    }

    /// What the transcript says of what is not shown.
    pub(crate) fn notes(&self, name: &str) -> Vec<String> {
        let mut notes = Vec::new();
        if self.dropped > 0 {
            let dropped = self.dropped;
            notes.push(format!(
                "{name} drew more than {DRAWN_SHAPES_MAX} shapes: {dropped} not shown"
            ));
        }
        if let Some(first) = &self.first_misread {
            let count = self.misread;
            notes.push(format!("{name} drew what cannot be read, {count} lines, first: {first}"));
        }
        notes
    }
}

/// Whether a line is one of this language, well-formed or not.
pub(crate) fn is_drawing(line: &str) -> bool {
    Order::of(line.trim()).is_some()
}

/// Puts a form to where its points are in the world.
fn put(form: &mut Form, place: &impl Fn(Point) -> Point) {
    match form {
        Form::Circle { centre: at, .. } | Form::Symbol { at, .. } => *at = place(*at),
        Form::Line { points } | Form::Polygon { points } => {
            points.iter_mut().for_each(|point| *point = place(*point));
        }
        Form::Text(label) => label.at = place(label.at),
        Form::Path { .. } => {}
    }
}

/// Whose drawing it is, and how long the longer side of the world is.
struct Pen {
    seat: Seat,
    unit: f64,
}

enum Drawn {
    Shape(Shape),
    Mark(Mark),
}

/// A line that begins as one of this language.
struct Order<'a> {
    kind: Kind<'a>,
    rest: &'a str,
}

enum Kind<'a> {
    Draw { layer: &'a str },
    Tip,
    Mark,
}

impl<'a> Order<'a> {
    fn of(line: &'a str) -> Option<Order<'a>> {
        let (tag, rest) = line.strip_prefix('[')?.split_once(']')?;
        let kind = match tag.split_once(':') {
            None if tag == "DRAW" => Kind::Draw { layer: PLAIN_LAYER },
            None if tag == "TIP" => Kind::Tip,
            None if tag == "MARK" => Kind::Mark,
            Some(("DRAW", layer)) => Kind::Draw { layer },
            _ => return None,
        };
        Some(Order { kind, rest: rest.trim() })
    }

    /// `None` if it does not follow the language.
    fn carry_out(self, pen: &Pen) -> Option<Drawn> {
        match self.kind {
            Kind::Mark if self.rest.is_empty() => None,
            Kind::Mark => Some(Drawn::Mark(Mark {
                kind: MarkKind::Own,
                seat: Some(pen.seat),
                text: Cow::Owned(words(self.rest)),
            })),
            Kind::Tip => {
                let (at, text) = placed_text(self.rest)?;
                let label = Label::new(at, 12.0, "i").bold().on(Plate::of(pen.seat));
                let shape = Shape::new(0, LAYER, label.into(), Style::fill(Ink::of(pen.seat)));
                Some(Drawn::Shape(grouped(shape.labelled(words(text)), pen, "tips")?))
            }
            Kind::Draw { layer } => {
                let (form, rest) = self.rest.split_once(char::is_whitespace)?;
                let shape = match form {
                    "text" => text(rest.trim(), pen)?,
                    _ => figure(form, rest, pen)?,
                };
                Some(Drawn::Shape(grouped(shape, pen, layer)?))
            }
        }
    }
}

/// In the layer of a name, which a viewer can switch off.
fn grouped(mut shape: Shape, pen: &Pen, layer: &str) -> Option<Shape> {
    let is_name = !layer.is_empty()
        && layer.chars().count() <= LAYER_LETTERS_MAX
        && layer.chars().all(|letter| letter.is_alphanumeric() || "-_ ".contains(letter));
    shape.group = Some(format!("{}: {layer}", pen.seat.index() + 1));
    is_name.then(|| shape.jumping())
}

/// `X Y WORDS`, with a colour before the words if the first of them is one.
fn text(rest: &str, pen: &Pen) -> Option<Shape> {
    let (at, rest) = placed_text(rest)?;
    let (first, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (ink, rest) = match ink(first, pen.seat) {
        Some(ink) if !after.trim().is_empty() => (ink, after.trim()),
        _ => (Ink::Text, rest),
    };
    let label = Label::new(at, 13.0, words(rest)).bold();
    Some(Shape::new(0, LAYER, label.into(), Style::fill(ink).with_halo(Ink::Ground)))
}

fn placed_text(rest: &str) -> Option<(Point, &str)> {
    let (x, rest) = rest.split_once(char::is_whitespace)?;
    let (y, rest) = rest.trim_start().split_once(char::is_whitespace)?;
    let text = rest.trim();
    (!text.is_empty()).then_some((Point::new(number(x)?, number(y)?), text))
}

/// Everything that is numbers first, then perhaps a colour, `fill`, and a width.
fn figure(form: &str, rest: &str, pen: &Pen) -> Option<Shape> {
    let mut parts = rest.split_whitespace().peekable();
    let mut numbers = Vec::new();
    while let Some(value) = parts.peek().and_then(|part| number(part)) {
        parts.next();
        numbers.push(value);
        if numbers.len() > 2 * POINTS_MAX {
            return None;
        }
    }
    let (mut ink_chosen, mut is_filled) = (Ink::of(pen.seat), false);
    for part in parts {
        match part {
            "fill" => is_filled = true,
            colour => ink_chosen = ink(colour, pen.seat)?,
        }
    }
    let width = pen.unit / 250.0;
    let line = Style::stroke(ink_chosen, width);
    let (form, style) = match (form, numbers.as_slice()) {
        ("circle", &[x, y, radius]) if radius > 0.0 => {
            (Form::circle((x, y), radius), area_style(ink_chosen, is_filled, width))
        }
        ("rect", &[x, y, w, h]) if w > 0.0 && h > 0.0 => {
            (Form::rectangle(x, y, w, h), area_style(ink_chosen, is_filled, width))
        }
        // The square around a point: a cell where a game has cells.
        ("cell", &[x, y]) => {
            (Form::rectangle(x - 0.5, y - 0.5, 1.0, 1.0), area_style(ink_chosen, true, 0.0))
        }
        ("poly", corners) if corners.len() >= 6 && corners.len().is_multiple_of(2) => {
            (Form::polygon(points(corners)), area_style(ink_chosen, is_filled, width))
        }
        ("line", ends) if ends.len() >= 4 && ends.len().is_multiple_of(2) => {
            (Form::chain(points(ends)), line)
        }
        ("arrow", &[x1, y1, x2, y2]) => {
            (Form::chain(arrow(Point::new(x1, y1), Point::new(x2, y2), pen.unit)), line)
        }
        _ => return None,
    };
    Some(Shape::new(0, LAYER, form, style))
}

fn area_style(ink: Ink, is_filled: bool, width: f64) -> Style {
    match is_filled {
        true => Style::fill(ink).faded(0.4),
        false => Style::stroke(ink, width),
    }
}

fn points(numbers: &[f64]) -> Vec<Point> {
    numbers.chunks_exact(2).map(|pair| Point::new(pair[0], pair[1])).collect()
}

/// A line with a head, drawn without lifting the pen.
fn arrow(from: Point, to: Point, unit: f64) -> Vec<Point> {
    let (across, down) = (to.x - from.x, to.y - from.y);
    let length = (across * across + down * down).sqrt();
    if length == 0.0 {
        return vec![from, to];
    }
    let head = (unit / 50.0).min(length / 2.0);
    let (x, y) = (across / length * head, down / length * head);
    let left = Point::new(to.x - x - y * 0.6, to.y - y + x * 0.6);
    let right = Point::new(to.x - x + y * 0.6, to.y - y - x * 0.6);
    vec![from, to, left, to, right]
}

/// A colour by its meaning, or `#rrggbb` with two digits more for one that shows what is below it.
fn ink(word: &str, seat: Seat) -> Option<Ink> {
    Some(match word {
        "first" => Ink::First,
        "second" => Ink::Second,
        "own" => Ink::of(seat),
        "other" => Ink::of(seat.other()),
        "gold" => Ink::Accent,
        "loss" => Ink::Loss,
        "text" => Ink::Text,
        "muted" => Ink::Muted,
        "faint" => Ink::Faint,
        _ => Ink::Exact(colour(word.strip_prefix('#')?)?),
    })
}

fn colour(digits: &str) -> Option<Colour> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    match digits.len() {
        6 => Some(Colour::hex(code)),
        8 => Some(Colour::hex(code >> 8).with_alpha((code & 0xFF) as u8)),
        _ => None,
    }
}

/// No further away than any world reaches.
fn number(word: &str) -> Option<f64> {
    const FAR: f64 = 1e6;
    word.parse().ok().filter(|number: &f64| number.abs() <= FAR)
}

fn words(text: &str) -> String {
    shortened(&printable(text), TEXT_LETTERS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Area = Area::new(0.0, 0.0, 100.0, 50.0);

    fn read(text: &str) -> Drawing {
        Drawing::placed(Seat::First, text, WORLD, |point| point)
    }

    fn check(line: &str, form: Form, style: Style) {
        let drawing = read(line);
        assert_eq!(drawing.misread, 0, "{line}");
        let [shape] = drawing.shapes.as_slice() else { panic!("{line}: one shape") };
        assert_eq!((&shape.form, shape.style), (&form, style), "{line}");
    }

    #[test]
    fn every_form_is_drawn_where_it_is_said_to_be() {
        let rim = |ink| Style::stroke(ink, 0.4);
        let full = |ink| Style::fill(ink).faded(0.4);
        check("[DRAW] circle 12.5 8 0.4", Form::circle((12.5, 8.0), 0.4), rim(Ink::First));
        check("[DRAW] circle 1 2 3 gold fill", Form::circle((1.0, 2.0), 3.0), full(Ink::Accent));
        check("[DRAW] rect 1 2 3 4 other", Form::rectangle(1.0, 2.0, 3.0, 4.0), rim(Ink::Second));
        check("[DRAW] cell 3 4 loss", Form::rectangle(2.5, 3.5, 1.0, 1.0), full(Ink::Loss));
        check("[DRAW] line 0 0 5 5", Form::line((0.0, 0.0), (5.0, 5.0)), rim(Ink::First));
        let corners = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        let exact = Ink::Exact(Colour::hex(0x00FF00));
        check("[DRAW] poly 0 0 5 0 5 5 #00ff00", Form::polygon(corners), rim(exact));
        let arrow = [(0.0, 0.0), (10.0, 0.0), (8.0, 1.2), (10.0, 0.0), (8.0, -1.2)];
        check("[DRAW] arrow 0 0 10 0", Form::chain(arrow), rim(Ink::First));
        let label = Label::new((3.0, 4.0), 13.0, "mine here").bold();
        let style = Style::fill(Ink::Second).with_halo(Ink::Ground);
        check("[DRAW] text 3 4 second mine here", label.into(), style);
    }

    #[test]
    fn layers_tips_and_marks_have_their_names() {
        let drawing =
            read("[DRAW:threat] cell 1 1\n[TIP] 3 4 it burns\n[MARK] plan B\nplain words");
        let groups: Vec<_> = drawing.shapes.iter().map(|shape| shape.group.as_deref()).collect();
        assert_eq!(groups, [Some("1: threat"), Some("1: tips")]);
        assert_eq!(drawing.shapes[1].label.as_deref(), Some("it burns"));
        assert_eq!(drawing.marks.len(), 1);
        assert_eq!((drawing.marks[0].kind, &*drawing.marks[0].text), (MarkKind::Own, "plan B"));
        assert_eq!(drawing.misread, 0, "other lines are not ours");
    }

    #[test]
    fn what_does_not_follow_the_language_is_counted_and_not_drawn() {
        for line in [
            "[DRAW]",
            "[DRAW] circel 1 2 3",
            "[DRAW] circle 1 2",
            "[DRAW] circle 1 2 -3",
            "[DRAW] circle 1 2 NaN",
            "[DRAW] circle 1 2 inf",
            "[DRAW] circle 1 2 1e7",
            "[DRAW] circle 1 2 3 purple",
            "[DRAW] circle 1 2 3 #12345",
            "[DRAW] circle 1 2 3 #+12345",
            "[DRAW] poly 1 2 3 4 5",
            "[DRAW:] cell 1 1",
            "[DRAW:<b>] cell 1 1",
            "[DRAW] text 1 2",
            "[TIP] 1 2",
            "[MARK]",
        ] {
            let drawing = read(line);
            assert_eq!((drawing.misread, drawing.shapes.len()), (1, 0), "{line}");
            assert_eq!(drawing.first_misread.as_deref(), Some(line));
        }
    }

    #[test]
    fn too_many_shapes_are_dropped_and_counted() {
        let text = "[DRAW] cell 1 1\n".repeat(DRAWN_SHAPES_MAX + 5);
        let drawing = read(&text);
        assert_eq!((drawing.shapes.len(), drawing.dropped), (DRAWN_SHAPES_MAX, 5));
        assert_eq!(drawing.notes("Anna"), ["Anna drew more than 2000 shapes: 5 not shown"]);
        let points = " 1".repeat(2 * POINTS_MAX + 2);
        assert_eq!(read(&format!("[DRAW] line{points}")).misread, 1);
    }

    #[test]
    fn both_seats_have_ids_of_their_own() {
        let id = |seat| Drawing::placed(seat, "[DRAW] cell 1 1", WORLD, |point| point).shapes[0].id;
        assert_ne!(id(Seat::First), id(Seat::Second));
    }

    #[test]
    fn a_seat_that_is_told_a_mirrored_world_draws_in_that_one() {
        let mirror = |point: Point| Point::new(500.0 - point.x, point.y);
        let text = "[DRAW] circle 20 0 5\n[DRAW] line 0 0 10 0\n[DRAW] text 30 0 here";
        let drawing = Drawing::placed(Seat::Second, text, WORLD, mirror);
        assert_eq!(drawing.shapes[0].form, Form::circle((480.0, 0.0), 5.0));
        assert_eq!(drawing.shapes[1].form, Form::line((500.0, 0.0), (490.0, 0.0)));
        let Form::Text(label) = &drawing.shapes[2].form else { panic!("a text") };
        assert_eq!(label.at, Point::new(470.0, 0.0));
    }

    #[test]
    fn no_text_is_longer_than_its_limit_or_holds_a_control_character() {
        let drawing = read(&format!("[DRAW] text 1 2 {}\u{1b}[31m", "x".repeat(5_000)));
        let Form::Text(label) = &drawing.shapes[0].form else { panic!("a text") };
        assert_eq!(label.text.chars().count(), TEXT_LETTERS_MAX);
        let drawing = read("[TIP] 1 2 a\u{1b}b");
        assert_eq!(drawing.shapes[0].label.as_deref(), Some("a\u{fffd}b"));
    }
}
