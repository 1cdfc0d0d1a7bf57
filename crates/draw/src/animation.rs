//! A whole film as a GIF that loops for ever.

use std::borrow::Cow;
use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use quintain_core::scene::Film;
use resvg::tiny_skia::Pixmap;

use crate::DrawError;
use crate::layout::{Layout, Sheet};
use crate::paint::{blank, paint};
use crate::palette::Palette;
use crate::sheet::{constant_part, document, frame_part};

/// GIF counts time in hundredths of a second; below two of them viewers slow down to a tenth.
const DELAY_CENTISECONDS_MIN: u32 = 2;

/// How a film is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GifOptions {
    pub sheet: Sheet,
    /// How long a frame is shown; rounded down to hundredths of a second, and at least two.
    pub delay_ms: u32,
    /// How long the last frame is shown.
    pub last_delay_ms: u32,
}

impl Default for GifOptions {
    fn default() -> Self {
        GifOptions { sheet: Sheet::default(), delay_ms: 400, last_delay_ms: 4000 }
    }
}

/// Writes a film as a GIF: one picture per frame of the film, for ever.
///
/// Each picture equals what [`png`](crate::png) gives for the frame, in the nearest of up to 255
/// colours: inks and faded inks on paper are exact, soft edges are approximated.
pub fn gif(film: &Film, options: GifOptions, out: impl Write) -> Result<(), DrawError> {
    let last = film.frames.len().checked_sub(1).ok_or(DrawError::Empty)?;
    let layout = Layout::of(film, options.sheet);
    let mut empty = blank(options.sheet)?;
    paint(&document(&layout, &constant_part(film, &layout)), &mut empty)?;

    let mut palette = Palette::of(film);
    let side = |length: u32| u16::try_from(length).expect("sheets are below 65536 pixels");
    let (width, height) = (side(options.sheet.width), side(options.sheet.height));
    let mut encoder = Encoder::new(out, width, height, &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;

    let mut before: Option<Pixmap> = None;
    for index in 0..=last {
        let mut pixels = empty.clone();
        paint(&document(&layout, &frame_part(film, index, &layout)), &mut pixels)?;
        let delay_ms = if index == last { options.last_delay_ms } else { options.delay_ms };
        let difference = match &before {
            None => whole(&pixels, &mut palette),
            Some(before) => change(before, &pixels, &mut palette),
        };
        encoder.write_frame(&Frame { delay: centiseconds(delay_ms), ..difference })?;
        before = Some(pixels);
    }
    Ok(())
}

fn centiseconds(milliseconds: u32) -> u16 {
    u16::try_from((milliseconds / 10).max(DELAY_CENTISECONDS_MIN)).unwrap_or(u16::MAX)
}

/// The first picture: all of it.
fn whole(pixels: &Pixmap, palette: &mut Palette) -> Frame<'static> {
    let area = Rectangle { left: 0, top: 0, right: row_length(pixels), bottom: height(pixels) };
    area.frame(|x, y| palette.place(colour(pixels, x, y)))
}

/// A later picture: the rectangle that changed, and in it only the pixels that changed.
fn change(before: &Pixmap, after: &Pixmap, palette: &mut Palette) -> Frame<'static> {
    changed(before, after).frame(|x, y| {
        let colour_after = colour(after, x, y);
        if colour(before, x, y) == colour_after {
            Palette::UNCHANGED
        } else {
            palette.place(colour_after)
        }
    })
}

/// A part of the picture, without its right column and its bottom row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rectangle {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Rectangle {
    fn frame(self, mut place: impl FnMut(usize, usize) -> u8) -> Frame<'static> {
        let Rectangle { left, top, right, bottom } = self;
        let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
        for y in top..bottom {
            buffer.extend((left..right).map(|x| place(x, y)));
        }
        let side = |length: usize| u16::try_from(length).expect("sheets are below 65536 pixels");
        Frame {
            dispose: DisposalMethod::Keep,
            transparent: Some(Palette::UNCHANGED),
            left: side(left),
            top: side(top),
            width: side(right - left),
            height: side(bottom - top),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }
}

/// The smallest rectangle with all differences. If there are none it is a single pixel, because
/// every frame of a film takes its time, and a GIF has no empty pictures.
fn changed(before: &Pixmap, after: &Pixmap) -> Rectangle {
    let mut bounds: Option<Rectangle> = None;
    let length = row_length(after) * 4;
    let rows = before.data().chunks_exact(length).zip(after.data().chunks_exact(length));
    for (y, (row_before, row_after)) in rows.enumerate() {
        // Most rows are the same, and whole rows are compared much quicker than pixels.
        if row_before == row_after {
            continue;
        }
        let differs = |(a, b): (&[u8], &[u8])| a != b;
        let mut columns = row_before.chunks_exact(4).zip(row_after.chunks_exact(4));
        let Some(first) = columns.position(differs) else {
            continue;
        };
        let mut columns = row_before.chunks_exact(4).zip(row_after.chunks_exact(4));
        let last = columns.rposition(differs).unwrap_or(first);
        let so_far = bounds.unwrap_or(Rectangle { left: first, top: y, right: 0, bottom: 0 });
        bounds = Some(Rectangle {
            left: so_far.left.min(first),
            right: so_far.right.max(last + 1),
            bottom: y + 1,
            ..so_far
        });
    }
    bounds.unwrap_or(Rectangle { left: 0, top: 0, right: 1, bottom: 1 })
}

/// The colour of a pixel. Sheets are opaque all over, so that it needs no undoing of alpha.
fn colour(pixels: &Pixmap, x: usize, y: usize) -> [u8; 3] {
    let start = (y * row_length(pixels) + x) * 4;
    let data = &pixels.data()[start..start + 4];
    [data[0], data[1], data[2]]
}

fn row_length(pixels: &Pixmap) -> usize {
    pixels.width() as usize
}

fn height(pixels: &Pixmap) -> usize {
    pixels.height() as usize
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::Color;

    use super::*;

    fn with_dots(dots: &[(usize, usize)]) -> Pixmap {
        let mut pixels = Pixmap::new(10, 8).expect("a size above zero");
        pixels.fill(Color::WHITE);
        for &(x, y) in dots {
            pixels.data_mut()[(y * 10 + x) * 4] = 0;
        }
        pixels
    }

    #[test]
    fn the_changed_rectangle_has_all_changes_and_nothing_more() {
        let check = |dots: &[(usize, usize)], left, top, right, bottom| {
            let found = changed(&with_dots(&[]), &with_dots(dots));
            assert_eq!(found, Rectangle { left, top, right, bottom }, "{dots:?}");
        };
        check(&[], 0, 0, 1, 1);
        check(&[(3, 2)], 3, 2, 4, 3);
        check(&[(9, 0), (2, 5), (4, 7)], 2, 0, 10, 8);
        check(&[(0, 0), (9, 7)], 0, 0, 10, 8);
    }

    #[test]
    fn delays_are_hundredths_within_the_limits_of_the_format() {
        assert_eq!([0, 19, 400, 4009].map(centiseconds), [2, 2, 40, 400]);
        assert_eq!(centiseconds(u32::MAX), u16::MAX);
    }
}
