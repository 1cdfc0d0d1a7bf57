//! Pictures of matches: a [`Film`] as SVG, PNG and GIF, for light rooms and dark ones.
//!
//! Everything here knows shapes and no game; what a game looks like is said once, in its scenes.
//! Nothing is read from the machine: the fonts are part of the crate, so that the same film gives
//! the same bytes everywhere. Letters that they lack, such as Chinese ones in a name, are the exception:
//! they come from a font of the machine, if it has one, and are spelled in Latin letters else. Moving pictures in a terminal or a browser live elsewhere.
//!
//! Where to start reading: `layout` says what goes where, `sheet` and `stage` put a picture together as a
//! list of items in pixels (`picture`). `svg` writes that list; `painter` paints it, every item for itself
//! (`sprite`). [`gif()`] paints all pictures of a film, each over the one before: `changes` says in which
//! `tiles` they differ, `ground` is what many of them have in common.

mod animation;
mod bands;
mod by_colour;
mod changes;
mod columns;
mod curve;
mod dashes;
mod figures;
mod fonts;
mod foreign;
mod ground;
mod layout;
mod lzw;
mod matrix;
mod narrow;
mod outline;
mod painter;
mod palette;
mod pen;
mod picture;
mod rectangle;
mod shades;
mod sheet;
mod slots;
mod sprite;
mod stage;
mod svg;
mod text;
mod tiles;
#[cfg(test)]
mod whole_pictures;

use quintain_core::scene::{Area, Film};
use thiserror::Error;

pub use animation::{GifOptions, gif};
pub use foreign::{ForeignLetters, foreign_letters};
pub use layout::{NARROW_WIDTH, Sheet};

use crate::layout::Layout;
use crate::painter::{Canvas, Painter};
use crate::sheet::Compositor;

/// Wider or higher sheets are refused, so that a slip of the keyboard does not fill the memory.
pub const SHEET_SIDE_MAX: u32 = 8192;

/// Why a picture could not be made.
#[derive(Debug, Error)]
pub enum DrawError {
    #[error("expected a sheet of 1 to {SHEET_SIDE_MAX} pixels each way, found {width} by {height}")]
    Size { width: u32, height: u32 },
    #[error("expected a film with at least one frame, found none")]
    Empty,
    #[error("the PNG cannot be written: {0}")]
    Png(String),
    #[error("the GIF cannot be written")]
    Gif(#[from] ::gif::EncodingError),
}

/// One frame of a film as an SVG document. A frame beyond the last is the last; a film without
/// frames is its empty stage.
pub fn svg(film: &Film, frame: usize, sheet: Sheet) -> String {
    let mut compositor = Compositor::new(film, sheet);
    let items = compositor.items(frame);
    svg::document(&items, compositor.layout.width, compositor.layout.height)
}

/// One frame of a film as a PNG file. A frame beyond the last is the last.
pub fn png(film: &Film, frame: usize, sheet: Sheet) -> Result<Vec<u8>, DrawError> {
    painted(Compositor::new(film, sheet), frame)
}

/// As [`png()`], but the stage alone, as large as covers the sheet: what goes beyond its edges is cut off.
pub fn stage_png(film: &Film, frame: usize, sheet: Sheet) -> Result<Vec<u8>, DrawError> {
    painted(Compositor::bare(film, sheet), frame)
}

fn painted(mut compositor: Compositor<'_>, frame: usize) -> Result<Vec<u8>, DrawError> {
    let mut canvas = blank(&compositor.layout)?;
    let items = compositor.items(frame);
    Painter::default().paint(&items, &mut canvas);
    canvas.pixels.encode_png().map_err(|error| DrawError::Png(error.to_string()))
}

/// Transparent pixels for a sheet of a reasonable size.
fn blank(layout: &Layout) -> Result<Canvas, DrawError> {
    let (width, height) = (layout.width as u32, layout.height as u32);
    let is_reasonable = width <= SHEET_SIDE_MAX && height <= SHEET_SIDE_MAX;
    let area = Area::new(0.0, 0.0, layout.width, layout.height);
    let canvas = if is_reasonable { Canvas::transparent(area) } else { None };
    canvas.ok_or(DrawError::Size { width, height })
}

/// The number of the frame that is shown when `frame` is asked for; `None` if there are no frames.
fn clamped(film: &Film, frame: usize) -> Option<usize> {
    film.frames.len().checked_sub(1).map(|last| frame.min(last))
}
