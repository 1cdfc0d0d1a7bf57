//! What a game looks like, as shapes and as text, drawn once for every screen.
//!
//! A game fills a [`Stage`] once per match and a [`Scene`] per turn. Renderers (picture, film,
//! terminal, browser) know shapes and no game. Coordinates are the game's own: x to the right, y
//! down, any unit.

use serde::Serialize;

use crate::{Game, PerSeat, Seat};

/// A game that can be watched.
pub trait Spectate: Game {
    /// What a picture shows and the position has forgotten, such as who drew which line. `()` if
    /// the position is enough.
    type Trail: Default;

    /// What stays the same during a match.
    fn stage(&self) -> Stage;

    /// Adds the events of one step. Called once per step, in order, before `draw`.
    fn follow(trail: &mut Self::Trail, events: &[Self::Event]);

    /// The position, as a spectator sees it.
    fn draw(&self, watch: &Watch<'_, Self>, scene: &mut Scene);

    /// The position as plain text.
    fn text(&self, eye: Eye, out: &mut TextScene);

    /// What happened, in a few words: a line of the transcript. Empty for events not worth one.
    fn describe(event: &Self::Event, names: &PerSeat<String>) -> String;

    /// Whether an event deserves a tick on the seek bar, and how it is called there.
    fn mark(event: &Self::Event) -> Option<&'static str>;
}

/// What a spectator knows beside the position.
pub struct Watch<'a, G: Spectate> {
    pub eye: Eye,
    /// Safe to show: control characters have been replaced.
    pub names: &'a PerSeat<String>,
    /// Has followed every step since the match began.
    pub trail: &'a G::Trail,
    /// What happened in the latest step.
    pub last: &'a [G::Event],
}

/// Who looks. A person at play sees what a bot would be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    All,
    Seat(Seat),
}

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

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// What is drawn below every scene of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// The part of the world that is shown.
    pub world: Area,
    pub background: Vec<Shape>,
    /// The colours of [`Ink::Own`], in order.
    pub palette: Vec<Colour>,
}

/// One position, drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    pub shapes: Vec<Shape>,
    pub panels: Vec<Panel>,
    /// One line on the position: whose turn it is, or how it ended.
    pub caption: String,
}

/// A whole match to be shown: the start, then one frame per step.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// The game's name for people.
    pub title: &'static str,
    /// What a turn of the game is called, for instance "throw".
    pub turn_name: &'static str,
    pub names: PerSeat<String>,
    pub stage: Stage,
    pub frames: Vec<Frame>,
    /// How it ended, in one sentence; or that and where the record stops.
    pub ending: String,
}

/// The position after a step, and what happened in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Turns completed.
    pub turn: u32,
    pub scene: Scene,
    pub text: TextScene,
    /// The transcript of the step: events, faults, what bots wrote to their error output.
    pub notes: Vec<String>,
    /// What deserves a tick on the seek bar.
    pub mark: Option<&'static str>,
}

/// A figure with a name beside the board: score, energy, gold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// Whose figure it is; `None` if it belongs to the match.
    #[serde(serialize_with = "seat_as_index")]
    pub seat: Option<Seat>,
    pub name: &'static str,
    pub value: String,
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

    pub const fn faded(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }
}

/// A position as lines of coloured text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextScene {
    pub lines: Vec<Vec<Span>>,
}

/// A piece of one line in one colour; `None` is the terminal's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub ink: Option<Ink>,
}

impl TextScene {
    /// The text without its colours, each line without blanks at its end.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let whole: String = line.iter().map(|span| span.text.as_str()).collect();
            text.push_str(whole.trim_end());
            text.push('\n');
        }
        text
    }
}

fn seat_as_index<S: serde::Serializer>(seat: &Option<Seat>, to: S) -> Result<S::Ok, S::Error> {
    seat.map(Seat::index).serialize(to)
}
