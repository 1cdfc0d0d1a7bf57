//! What is on a sheet, in pixels and in the order of drawing: what the writer of SVG writes and the
//! painter paints.

use std::hash::{DefaultHasher, Hash, Hasher};

use quintain_core::scene::{Anchor, Area, Colour, Point, Tone};

use crate::fonts::{HALF_CAPITAL, Weight};
use crate::matrix::Matrix;
use crate::outline::Outline;
use crate::text;

/// The width of the line around letters, as a share of their size.
pub(crate) const HALO: f64 = 0.28;

/// A thing on the sheet: drawn as a whole, faded as a whole, redrawn as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// The same for the same thing in consecutive pictures.
    pub(crate) key: u64,
    pub(crate) pieces: Vec<Piece>,
    /// From 0 to 1.
    pub(crate) opacity: f64,
    /// What it is cut to.
    pub(crate) clip: Option<Clip>,
    /// What is told when a pointer rests on it.
    pub(crate) tip: Option<String>,
    /// All that it can touch.
    pub(crate) bounds: Area,
    /// It belongs to the stage: from the same place it always looks the same.
    pub(crate) is_scenery: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clip {
    /// Of whole pixels.
    pub(crate) area: Area,
    /// The largest circle in the middle of the area instead of all of it.
    pub(crate) is_round: bool,
}

impl Clip {
    pub(crate) fn circle(&self) -> Outline {
        let Area { x, y, width, height } = self.area;
        let centre = Point::new(x + width / 2.0, y + height / 2.0);
        Outline::Circle { centre, radius: width.min(height) / 2.0 }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Shape { outline: Outline, fill: Option<Filling>, stroke: Option<Stroke> },
    Letters(Letters),
}

/// A tone, and over which place its gradient goes: from the box of -1 to 1 both ways to the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Filling {
    pub(crate) tone: Tone,
    pub(crate) reach: Matrix,
}

impl Filling {
    pub(crate) fn flat(colour: Colour) -> Filling {
        Filling { tone: Tone::Flat(colour), reach: Matrix::IDENTITY }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) filling: Filling,
    pub(crate) width: f64,
    /// The length of dashes and of the gaps between them.
    pub(crate) dash: Option<f64>,
}

impl Stroke {
    pub(crate) fn plain(colour: Colour, width: f64) -> Stroke {
        Stroke { filling: Filling::flat(colour), width, dash: None }
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Letters {
    /// Where the middle of the letters is in height, and its anchor in width.
    pub(crate) at: Point,
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) anchor: Anchor,
    pub(crate) text: String,
    pub(crate) filling: Filling,
    pub(crate) halo: Option<Colour>,
}

impl Letters {
    pub(crate) fn base_line(&self) -> f64 {
        self.at.y + HALF_CAPITAL * self.size
    }

    /// The place of the letters themselves; some reach a little above and below.
    pub(crate) fn area(&self) -> Area {
        let width = text::width(&self.text, self.size, self.weight);
        let x = self.at.x - width * anchor_share(self.anchor);
        Area::new(x, self.at.y - self.size / 2.0, width, self.size)
    }

    fn bounds(&self) -> Area {
        // Accents and tails, and what slanted letters overlap.
        grown(self.area(), self.size * (0.35 + HALO / 2.0))
    }
}

/// How much of a text's width is to the left of its place.
pub(crate) fn anchor_share(anchor: Anchor) -> f64 {
    match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    }
}

impl Piece {
    fn bounds(&self) -> Area {
        match self {
            Piece::Letters(letters) => letters.bounds(),
            Piece::Shape { outline, stroke, .. } => {
                let half = stroke.map_or(0.0, |stroke| stroke.width / 2.0);
                // One pixel more for soft edges.
                grown(outline.bounds(), half + 1.0)
            }
        }
    }
}

impl Item {
    pub(crate) fn new(key: u64, pieces: Vec<Piece>) -> Item {
        let mut bounds = pieces.iter().map(Piece::bounds);
        let first = bounds.next().unwrap_or(Area::new(0.0, 0.0, 0.0, 0.0));
        let bounds = bounds.fold(first, united);
        Item { key, pieces, opacity: 1.0, clip: None, tip: None, bounds, is_scenery: false }
    }

    /// Something of the sheet itself, which is the same thing as long as nothing about it changes.
    pub(crate) fn fixed(pieces: Vec<Piece>) -> Item {
        let mut item = Item::new(0, pieces);
        let mut hasher = DefaultHasher::new();
        let Area { x, y, width, height } = item.bounds;
        [x, y, width, height].map(f64::to_bits).hash(&mut hasher);
        for piece in &item.pieces {
            if let Piece::Letters(letters) = piece {
                letters.text.hash(&mut hasher);
            }
        }
        item.key = hasher.finish();
        item
    }

    pub(crate) fn clipped(mut self, clip: Clip) -> Item {
        self.bounds = common(self.bounds, clip.area);
        self.clip = Some(clip);
        self
    }

    pub(crate) fn is_seen(&self) -> bool {
        self.bounds.width > 0.0 && self.bounds.height > 0.0 && self.opacity > 0.0
    }
}

pub(crate) fn grown(area: Area, by: f64) -> Area {
    Area::new(area.x - by, area.y - by, area.width + 2.0 * by, area.height + 2.0 * by)
}

pub(crate) fn united(a: Area, b: Area) -> Area {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let right = (a.x + a.width).max(b.x + b.width);
    let bottom = (a.y + a.height).max(b.y + b.height);
    Area::new(x, y, right - x, bottom - y)
}

/// What two areas have in common; without extent if that is nothing.
pub(crate) fn common(a: Area, b: Area) -> Area {
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let right = (a.x + a.width).min(b.x + b.width);
    let bottom = (a.y + a.height).min(b.y + b.height);
    Area::new(x, y, (right - x).max(0.0), (bottom - y).max(0.0))
}
