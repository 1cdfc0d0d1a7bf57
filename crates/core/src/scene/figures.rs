//! What is told beside the picture: figures, curves, marks on the seek bar, the legend.

use std::borrow::Cow;

use serde::Serialize;

use super::shape::heap_bytes;
use super::{Form, Style};
use crate::Seat;

/// A figure with a name beside the board: score, energy, gold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// Whose figure it is; `None` if it belongs to the match.
    pub seat: Option<Seat>,
    pub name: &'static str,
    pub value: String,
    /// What became of it in this turn, for instance `-5 this turn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gauge: Option<Gauge>,
    /// Whether it is the number that decides, shown larger than the others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_decisive: bool,
}

impl Panel {
    pub fn new(seat: impl Into<Option<Seat>>, name: &'static str, value: impl ToString) -> Panel {
        let (seat, value) = (seat.into(), value.to_string());
        Panel { seat, name, value, change: None, gauge: None, is_decisive: false }
    }

    pub fn changed(mut self, change: impl Into<String>) -> Panel {
        self.change = Some(change.into());
        self
    }

    pub fn with_gauge(mut self, gauge: Gauge) -> Panel {
        self.gauge = Some(gauge);
        self
    }

    pub fn decisive(mut self) -> Panel {
        self.is_decisive = true;
        self
    }

    /// About what it takes beside itself.
    pub(super) fn heap_bytes(&self) -> usize {
        let change = self.change.as_ref().map_or(0, String::capacity);
        heap_bytes(self.value.capacity()) + heap_bytes(change)
    }
}

/// A figure as a bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gauge {
    pub value: f64,
    pub max: f64,
    /// Into how many cells the bar is cut; 0 for a bar of one piece.
    pub cells: u8,
}

/// What a seek bar is a picture of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Curve {
    pub name: &'static str,
    pub kind: CurveKind,
    /// The value that fills the half of the bar; 0 for the greatest of the match.
    pub max: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CurveKind {
    /// The first seat's values go up from the middle and the second's down.
    Both,
    /// One line: by how much the first seat's value is above the second's.
    Difference,
}

/// Something on the seek bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    pub kind: MarkKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    pub text: Cow<'static, str>,
}

impl Mark {
    pub const fn new(kind: MarkKind, seat: Option<Seat>, text: &'static str) -> Mark {
        Mark { kind, seat, text: Cow::Borrowed(text) }
    }

    /// An event of a seat.
    pub const fn event(seat: Seat, text: &'static str) -> Mark {
        Mark::new(MarkKind::Event, Some(seat), text)
    }

    /// An event of the match.
    pub const fn common(text: &'static str) -> Mark {
        Mark::new(MarkKind::Event, None, text)
    }

    /// Something of a seat that is gone for good: a worm, a tower.
    pub const fn loss(seat: Seat, text: &'static str) -> Mark {
        Mark::new(MarkKind::Loss, Some(seat), text)
    }

    pub const fn warning(seat: Seat, text: &'static str) -> Mark {
        Mark::new(MarkKind::Warning, Some(seat), text)
    }

    pub const fn fault(seat: Seat, text: &'static str) -> Mark {
        Mark::new(MarkKind::Fault, Some(seat), text)
    }

    pub(super) fn bytes(&self) -> usize {
        let text = if let Cow::Owned(text) = &self.text { text.capacity() } else { 0 };
        size_of::<Mark>() + heap_bytes(text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    Event,
    Loss,
    Warning,
    Fault,
    /// A mark that a bot made itself.
    Own,
}

/// What something in the picture is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Legend {
    /// How it looks, in a box from -1 to 1 both ways.
    pub looks: Vec<(Form, Style)>,
    pub text: &'static str,
}

impl Legend {
    pub fn new(form: Form, style: Style, text: &'static str) -> Legend {
        Legend { looks: vec![(form, style)], text }
    }
}
