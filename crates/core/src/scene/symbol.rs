//! Pictures that are drawn once and shown many times: icons, pieces, cars.

use serde::Serialize;

use super::Ink;

/// A picture of several parts, in a box from -1 to 1 both ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Symbol {
    pub name: &'static str,
    /// What stands for it where there are only letters.
    pub sign: char,
    pub parts: Vec<Part>,
}

impl Symbol {
    pub const fn new(name: &'static str, sign: char, parts: Vec<Part>) -> Symbol {
        Symbol { name, sign, parts }
    }
}

/// One path of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Part {
    /// In the language of SVG's `d`, absolute or relative.
    pub path: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<Ink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stroke: Option<Ink>,
    /// Of the stroke, in units of the symbol's box.
    pub width: f64,
    pub opacity: f64,
}

impl Part {
    pub const fn fill(ink: Ink, path: &'static str) -> Part {
        Part { path, fill: Some(ink), stroke: None, width: 0.0, opacity: 1.0 }
    }

    pub const fn stroke(ink: Ink, width: f64, path: &'static str) -> Part {
        Part { path, fill: None, stroke: Some(ink), width, opacity: 1.0 }
    }

    pub const fn outlined(mut self, ink: Ink, width: f64) -> Part {
        (self.stroke, self.width) = (Some(ink), width);
        self
    }

    pub const fn faded(mut self, opacity: f64) -> Part {
        self.opacity = opacity;
        self
    }
}
