//! Shapes, and the colours that they are painted in.

use serde::Serialize;

use crate::Seat;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Point::new(x, y)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// A colour by its meaning. Renderers choose the shade, dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ink {
    /// The colour of the first seat.
    First,
    /// The colour of the second seat.
    Second,
    /// The sheet on which everything is drawn.
    Ground,
    /// The playing field.
    Field,
    /// Grid lines and other helps.
    Faint,
    /// Walls, rims, obstacles.
    Wall,
    /// Text and outlines.
    Text,
    /// What the eye should find first.
    Accent,
    /// A colour of the stage's palette.
    Own(u8),
}

impl Ink {
    pub const fn of(seat: Seat) -> Ink {
        match seat {
            Seat::First => Ink::First,
            Seat::Second => Ink::Second,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Colour {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

/// A shape with an identity, so that a player can move it smoothly from scene to scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    /// The same for the same thing in consecutive scenes, and unique within one.
    pub id: u32,
    /// Higher layers are drawn over lower ones; within one layer the order of the list counts.
    pub layer: u8,
    pub form: Form,
    pub style: Style,
    /// Shown when a pointer rests on the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The text that a click sends as the answer of the person who is to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sends: Option<String>,
    pub motion: Motion,
}

impl Shape {
    pub fn new(id: u32, layer: u8, form: Form, style: Style) -> Self {
        Shape { id, layer, form, style, label: None, sends: None, motion: Motion::Glide }
    }

    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub fn sending(mut self, answer: impl Into<String>) -> Self {
        self.sends = Some(answer.into());
        self
    }

    pub fn jumping(mut self) -> Self {
        self.motion = Motion::Jump;
        self
    }

    /// About what the shape takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let form = match &self.form {
            Form::Circle { .. } => 0,
            Form::Line { points } | Form::Polygon { points } => {
                heap_bytes(points.capacity() * size_of::<Point>())
            }
            Form::Text { text, .. } => heap_bytes(text.capacity()),
        };
        let texts = [&self.label, &self.sends].into_iter().flatten();
        size_of::<Shape>() + form + texts.map(|text| heap_bytes(text.capacity())).sum::<usize>()
    }
}

/// What a piece of the heap takes, with what the allocator keeps about it.
pub(super) fn heap_bytes(capacity: usize) -> usize {
    const BOOKKEEPING: usize = 16;
    if capacity == 0 { 0 } else { capacity + BOOKKEEPING }
}

/// How a shape comes to a new place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    Glide,
    Jump,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Circle {
        centre: Point,
        radius: f64,
    },
    /// A chain of lines; two points make a single one.
    Line {
        points: Vec<Point>,
    },
    Polygon {
        points: Vec<Point>,
    },
    Text {
        at: Point,
        size: f64,
        anchor: Anchor,
        text: String,
    },
}

impl Form {
    pub fn circle(centre: impl Into<Point>, radius: f64) -> Form {
        Form::Circle { centre: centre.into(), radius }
    }

    /// A single line.
    pub fn line(from: impl Into<Point>, to: impl Into<Point>) -> Form {
        Form::Line { points: vec![from.into(), to.into()] }
    }

    pub fn polygon<P: Into<Point>>(corners: impl IntoIterator<Item = P>) -> Form {
        Form::Polygon { points: corners.into_iter().map(P::into).collect() }
    }

    /// By its upper left corner.
    pub fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Form {
        Form::polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }

    /// With its middle at a place.
    pub fn text(at: impl Into<Point>, size: f64, text: impl Into<String>) -> Form {
        Form::Text { at: at.into(), size, anchor: Anchor::Middle, text: text.into() }
    }
}

/// Which point of a text its position names. The height is always the middle of the letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How a shape is painted. Widths are in the units of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Style {
    pub fill: Option<Ink>,
    pub stroke: Option<Ink>,
    pub stroke_width: f64,
    /// From 0 (invisible) to 1.
    pub opacity: f64,
}

impl Style {
    pub const fn fill(ink: Ink) -> Self {
        Style { fill: Some(ink), stroke: None, stroke_width: 0.0, opacity: 1.0 }
    }

    pub const fn stroke(ink: Ink, width: f64) -> Self {
        Style { fill: None, stroke: Some(ink), stroke_width: width, opacity: 1.0 }
    }

    /// With a rim of another ink.
    pub const fn outlined(mut self, ink: Ink, width: f64) -> Self {
        (self.stroke, self.stroke_width) = (Some(ink), width);
        self
    }

    pub const fn faded(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }
}
