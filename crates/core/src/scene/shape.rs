//! Shapes: where they are, how they are painted, and what a pointer finds at them.

use std::borrow::Cow;

use serde::ser::SerializeTuple;
use serde::{Serialize, Serializer};

use super::label::Label;
use super::{Enter, Ink, Leave, Motion};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    pub(super) fn is_origin(&self) -> bool {
        *self == Point::default()
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Point::new(x, y)
    }
}

/// As two numbers, with no more decimals than anyone can see.
impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&rounded(self.x))?;
        pair.serialize_element(&rounded(self.y))?;
        pair.end()
    }
}

/// To a thousandth.
fn rounded(length: f64) -> f64 {
    (length * 1000.0).round() / 1000.0
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Area {
        Area { x, y, width, height }
    }
}

/// A shape with an identity, so that a player can move it smoothly from scene to scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    /// The same for the same thing in consecutive scenes, and unique within one.
    pub id: u32,
    /// Higher layers are drawn over lower ones; within one layer the order of the list counts.
    pub layer: u8,
    /// What its coordinates mean: those of the world, or of another plane that a window shows.
    #[serde(skip_serializing_if = "is_zero")]
    pub plane: u8,
    pub form: Form,
    pub style: Style,
    /// Shown when a pointer rests on the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub motion: Motion,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter: Option<Enter>,
    #[serde(skip_serializing_if = "Leave::is_at_once")]
    pub leave: Leave,
    #[serde(skip_serializing_if = "Presence::is_always")]
    pub presence: Presence,
    /// What belongs together and can be switched off together, such as a layer of what a bot drew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// Where a shape is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    #[default]
    Always,
    /// Where there is much room, and not on the screen of a telephone.
    Roomy,
    /// Where there are pixels, and not in dots and letters: what makes a picture pleasant.
    Ornament,
}

impl Presence {
    fn is_always(&self) -> bool {
        *self == Presence::Always
    }
}

fn is_zero(plane: &u8) -> bool {
    *plane == 0
}

impl Shape {
    pub fn new(id: u32, layer: u8, form: Form, style: Style) -> Self {
        Shape {
            id,
            layer,
            plane: 0,
            form,
            style,
            label: None,
            motion: Motion::Glide,
            enter: None,
            leave: Leave::AT_ONCE,
            presence: Presence::Always,
            group: None,
        }
    }

    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub fn on_plane(mut self, plane: u8) -> Self {
        self.plane = plane;
        self
    }

    pub fn moving(mut self, motion: Motion) -> Self {
        self.motion = motion;
        self
    }

    pub fn jumping(self) -> Self {
        self.moving(Motion::Jump)
    }

    pub fn entering(mut self, enter: Enter) -> Self {
        self.enter = Some(enter);
        self
    }

    pub fn leaving(mut self, leave: Leave) -> Self {
        self.leave = leave;
        self
    }

    /// Left out where there is little room.
    pub fn roomy(mut self) -> Self {
        self.presence = Presence::Roomy;
        self
    }

    /// Left out where there are only dots and letters.
    pub fn ornamental(mut self) -> Self {
        self.presence = Presence::Ornament;
        self
    }

    /// About what the shape takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let form = match &self.form {
            Form::Circle { .. } | Form::Symbol { .. } => 0,
            Form::Line { points } | Form::Polygon { points } => {
                heap_bytes(points.capacity() * size_of::<Point>())
            }
            Form::Path { path: Cow::Borrowed(_) } => 0,
            Form::Path { path: Cow::Owned(path) } => heap_bytes(path.capacity()),
            Form::Text(label) => heap_bytes(size_of::<Label>()) + heap_bytes(label.text.capacity()),
        };
        let texts = [&self.label, &self.group].into_iter().flatten();
        size_of::<Shape>() + form + texts.map(|text| heap_bytes(text.capacity())).sum::<usize>()
    }
}

/// What a piece of the heap takes, with what the allocator keeps about it.
pub(super) fn heap_bytes(capacity: usize) -> usize {
    const BOOKKEEPING: usize = 16;
    if capacity == 0 { 0 } else { capacity + BOOKKEEPING }
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
    /// Anything else, in the language of SVG's `d` and in coordinates of its plane.
    Path {
        path: Cow<'static, str>,
    },
    /// A symbol of the stage.
    Symbol {
        /// Its place in the stage's list.
        symbol: u8,
        at: Point,
        /// What a length of 1 in the symbol's box measures.
        size: f64,
        /// By how many degrees it is turned, clockwise.
        turned: f64,
        /// Whether left and right are exchanged.
        is_mirrored: bool,
    },
    /// Boxed, since it is the largest and one of the rarest.
    Text(Box<Label>),
}

impl Form {
    pub fn circle(centre: impl Into<Point>, radius: f64) -> Form {
        Form::Circle { centre: centre.into(), radius }
    }

    /// A single line.
    pub fn line(from: impl Into<Point>, to: impl Into<Point>) -> Form {
        Form::Line { points: vec![from.into(), to.into()] }
    }

    /// A line of several points.
    pub fn chain<P: Into<Point>>(points: impl IntoIterator<Item = P>) -> Form {
        Form::Line { points: points.into_iter().map(P::into).collect() }
    }

    pub fn polygon<P: Into<Point>>(corners: impl IntoIterator<Item = P>) -> Form {
        Form::Polygon { points: corners.into_iter().map(P::into).collect() }
    }

    /// By its upper left corner.
    pub fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Form {
        Form::polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }

    pub fn path(path: impl Into<Cow<'static, str>>) -> Form {
        Form::Path { path: path.into() }
    }

    /// A rectangle with round corners.
    pub fn rounded(area: Area, radius: f64) -> Form {
        let Area { x, y, width, height } = area;
        let r = radius.min(width / 2.0).min(height / 2.0);
        let (w, h) = (width - 2.0 * r, height - 2.0 * r);
        let left = x + r;
        Form::path(format!(
            "M{left} {y}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1 -{r} {r}h-{w}\
             a{r} {r} 0 0 1 -{r} -{r}v-{h}a{r} {r} 0 0 1 {r} -{r}z"
        ))
    }

    pub fn symbol(symbol: u8, at: impl Into<Point>, size: f64) -> Form {
        Form::Symbol { symbol, at: at.into(), size, turned: 0.0, is_mirrored: false }
    }

    /// A text with its middle at a place and its height in units of the world.
    pub fn text(at: impl Into<Point>, size: f64, text: impl Into<String>) -> Form {
        Label::new(at, 0.0, text).sized(size).into()
    }
}

impl From<Label> for Form {
    fn from(label: Label) -> Form {
        Form::Text(Box::new(label))
    }
}

/// How a shape is painted. Widths are in the units of the world. A symbol has inks of its own; its
/// `fill` is the tint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Style {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<Ink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stroke: Option<Ink>,
    #[serde(skip_serializing_if = "is_nothing")]
    pub stroke_width: f64,
    /// The length of the dashes of its stroke, which is one line otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dash: Option<f64>,
    /// From 0 (invisible) to 1.
    #[serde(skip_serializing_if = "is_whole")]
    pub opacity: f64,
    /// Around letters, so that they can be read on anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halo: Option<Ink>,
}

fn is_nothing(length: &f64) -> bool {
    *length == 0.0
}

fn is_whole(opacity: &f64) -> bool {
    *opacity == 1.0
}

impl Style {
    const NONE: Style =
        Style { fill: None, stroke: None, stroke_width: 0.0, dash: None, opacity: 1.0, halo: None };

    pub const fn fill(ink: Ink) -> Self {
        Style { fill: Some(ink), ..Style::NONE }
    }

    pub const fn stroke(ink: Ink, width: f64) -> Self {
        Style { stroke: Some(ink), stroke_width: width, ..Style::NONE }
    }

    /// With a rim of another ink.
    pub const fn outlined(mut self, ink: Ink, width: f64) -> Self {
        (self.stroke, self.stroke_width) = (Some(ink), width);
        self
    }

    pub const fn dashed(mut self, length: f64) -> Self {
        self.dash = Some(length);
        self
    }

    pub const fn faded(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    pub const fn with_halo(mut self, ink: Ink) -> Self {
        self.halo = Some(ink);
        self
    }
}
