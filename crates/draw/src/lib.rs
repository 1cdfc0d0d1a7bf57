//! Pictures of matches: a [`Film`] as SVG, PNG and GIF.
//!
//! Everything here knows shapes and no game; what a game looks like is said once, in its scenes.
//! Nothing is read from the machine: the fonts are part of the crate, so that the same film gives
//! the same bytes everywhere. Moving pictures in a terminal or a browser live elsewhere.
//!
//! Where to start reading: [`svg`] puts a sheet together, `layout` says what goes where, `shapes`
//! turns a scene into elements. [`png`] paints that sheet; [`gif()`] paints all of them, one palette
//! for the whole film and only what changed from frame to frame.

mod animation;
mod fonts;
mod layout;
mod paint;
mod palette;
mod shades;
mod shapes;
mod sheet;
mod text;

use quintain_core::scene::Film;
use thiserror::Error;

pub use animation::{GifOptions, gif};
pub use fonts::missing_letters;
pub use layout::Sheet;
pub use paint::png;
pub use sheet::svg;

/// Wider or higher sheets are refused, so that a slip of the keyboard does not fill the memory.
pub const SHEET_SIDE_MAX: u32 = 8192;

/// Why a picture could not be made.
#[derive(Debug, Error)]
pub enum DrawError {
    #[error("expected a sheet of 1 to {SHEET_SIDE_MAX} pixels each way, found {width} by {height}")]
    Size { width: u32, height: u32 },
    #[error("expected a film with at least one frame, found none")]
    Empty,
    #[error("the sheet cannot be painted")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the PNG cannot be written: {0}")]
    Png(String),
    #[error("the GIF cannot be written")]
    Gif(#[from] ::gif::EncodingError),
}

/// The number of the frame that is shown when `frame` is asked for; `None` if there are no frames.
fn clamped(film: &Film, frame: usize) -> Option<usize> {
    film.frames.len().checked_sub(1).map(|last| frame.min(last))
}
