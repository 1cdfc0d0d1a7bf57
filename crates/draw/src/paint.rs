//! A sheet as pixels.

use quintain_core::scene::Film;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;

use crate::layout::Sheet;
use crate::{DrawError, SHEET_SIDE_MAX, fonts, svg};

/// One frame of a film as a PNG file. A frame beyond the last is the last.
pub fn png(film: &Film, frame: usize, sheet: Sheet) -> Result<Vec<u8>, DrawError> {
    let mut pixels = blank(sheet)?;
    paint(&svg(film, frame, sheet), &mut pixels)?;
    pixels.encode_png().map_err(|error| DrawError::Png(error.to_string()))
}

/// Transparent pixels for a sheet of a reasonable size.
pub(crate) fn blank(sheet: Sheet) -> Result<Pixmap, DrawError> {
    let Sheet { width, height } = sheet;
    let is_reasonable = width <= SHEET_SIDE_MAX && height <= SHEET_SIDE_MAX;
    let pixels = if is_reasonable { Pixmap::new(width, height) } else { None };
    pixels.ok_or(DrawError::Size { width, height })
}

/// Paints an SVG document over what is there.
pub(crate) fn paint(document: &str, pixels: &mut Pixmap) -> Result<(), DrawError> {
    let options = usvg::Options {
        font_family: fonts::FAMILY.to_owned(),
        fontdb: fonts::database(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(document, &options)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    Ok(())
}
