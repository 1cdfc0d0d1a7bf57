//! Words in a picture.

use serde::Serialize;

use super::{Ink, Point};

/// A text at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    pub at: Point,
    /// How far from `at` it stands, in pixels of the screen.
    #[serde(skip_serializing_if = "Point::is_origin")]
    pub shift: Point,
    pub size: Size,
    #[serde(skip_serializing_if = "Anchor::is_middle")]
    pub anchor: Anchor,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_bold: bool,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plate: Option<Plate>,
}

impl Label {
    /// With its middle at a place, in pixels of the screen.
    pub fn new(at: impl Into<Point>, pixels: f64, text: impl Into<String>) -> Label {
        Label {
            at: at.into(),
            shift: Point::default(),
            size: Size::Screen(pixels),
            anchor: Anchor::Middle,
            is_bold: false,
            text: text.into(),
            plate: None,
        }
    }

    /// With its height in units of the world: it grows with what it stands on.
    pub fn sized(mut self, units: f64) -> Label {
        self.size = Size::World(units);
        self
    }

    pub fn bold(mut self) -> Label {
        self.is_bold = true;
        self
    }

    pub fn anchored(mut self, anchor: Anchor) -> Label {
        self.anchor = anchor;
        self
    }

    /// So many pixels to the right and down.
    pub fn shifted(mut self, right: f64, down: f64) -> Label {
        self.shift = Point::new(right, down);
        self
    }

    pub fn on(mut self, plate: Plate) -> Label {
        self.plate = Some(plate);
        self
    }
}

/// How high letters are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// In units of the world.
    World(f64),
    /// In pixels of the screen, however large the world is drawn.
    Screen(f64),
}

/// Which point of a text its position names. The height is always the middle of the letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    Start,
    #[default]
    Middle,
    End,
}

impl Anchor {
    fn is_middle(&self) -> bool {
        *self == Anchor::Middle
    }
}

/// A box behind a text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Plate {
    pub fill: Ink,
    pub rim: Ink,
    /// Half circles at its sides instead of corners.
    pub is_round: bool,
    /// A line from the plate to the place that the text belongs to.
    pub has_leader: bool,
}

impl Plate {
    /// The plate of a seat: round for the first, with corners for the second.
    pub const fn of(seat: crate::Seat) -> Plate {
        let is_round = matches!(seat, crate::Seat::First);
        Plate { fill: Ink::Ground, rim: Ink::of(seat), is_round, has_leader: false }
    }

    pub const fn with_leader(mut self) -> Plate {
        self.has_leader = true;
        self
    }
}
