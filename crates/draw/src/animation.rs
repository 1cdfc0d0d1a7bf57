//! A whole film as a GIF that loops for ever.

use std::borrow::Cow;
use std::io::Write;
use std::rc::Rc;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use quintain_core::scene::Film;
use tiny_skia::PremultipliedColorU8;

use crate::changes::{Changes, changes};
use crate::ground::{Footing, Grounds};
use crate::layout::Sheet;
use crate::lzw::Compressor;
use crate::painter::{Canvas, Painter};
use crate::palette::{Palette, Seen};
use crate::picture::Item;
use crate::rectangle::Rectangle;
use crate::sheet::Compositor;
use crate::sprite::Sprite;
use crate::tiles::Tiles;
use crate::{DrawError, clamped};

/// GIF counts time in hundredths of a second; below two of them viewers slow down to a tenth.
const DELAY_CENTISECONDS_MIN: u32 = 2;

/// From how many pictures of a film its ground and its colours are chosen.
const SAMPLES: usize = 8;

/// How a film is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GifOptions {
    pub sheet: Sheet,
    /// How long a frame is shown; rounded down to hundredths of a second, and at least two.
    pub delay_ms: u32,
    /// How long the last frame is shown.
    pub last_delay_ms: u32,
    /// The first and the last frame of the film that are shown; a frame beyond the end is the end.
    pub frames: (usize, usize),
}

impl GifOptions {
    /// A film on this sheet that runs so many times as fast as usual.
    pub fn at_speed(sheet: Sheet, speed: f64) -> GifOptions {
        let usual = GifOptions::default();
        let delay_ms = (f64::from(usual.delay_ms) / speed).round() as u32;
        GifOptions { sheet, delay_ms, ..usual }
    }
}

impl Default for GifOptions {
    fn default() -> Self {
        GifOptions {
            sheet: Sheet::default(),
            delay_ms: 400,
            last_delay_ms: 4000,
            frames: (0, usize::MAX),
        }
    }
}

/// Writes a film, or the frames of it that are asked for, as a GIF: one picture per frame, for ever.
///
/// Each picture equals what [`png`](crate::png) gives for the frame, in the nearest of up to 255
/// colours: those of the sheet are exact, soft edges and gradients are approximated. What does not change
/// from one frame to the next is neither painted nor written again.
pub fn gif(film: &Film, options: GifOptions, out: impl Write) -> Result<(), DrawError> {
    let last = clamped(film, options.frames.1).ok_or(DrawError::Empty)?;
    let first = options.frames.0.min(last);
    let samples = samples(first, last);
    let mut reel = Reel::new(film, options.sheet, &samples)?;
    let palette = reel.palette(&samples);
    let sheet = reel.canvas.sheet();
    let mut encoder = Encoder::new(out, side(sheet.right), side(sheet.bottom), &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut shown = Shown::nothing(sheet, palette);
    let mut compressor = Compressor::new();
    for index in first..=last {
        let delay_ms = if index == last { options.last_delay_ms } else { options.delay_ms };
        let tiles = reel.show(index);
        let (bounds, places) = shown.take(&reel.canvas, &tiles);
        let buffer = compressor.compress(&places);
        let frame = Frame { delay: centiseconds(delay_ms), ..frame(bounds, buffer) };
        encoder.write_lzw_pre_encoded_frame(&frame)?;
    }
    Ok(())
}

/// Some frames between two, evenly, from which the film is known beforehand.
pub(crate) fn samples(first: usize, last: usize) -> Vec<usize> {
    let count = SAMPLES.min(last - first + 1);
    (0..count).map(|sample| first + (last - first) * sample / (count - 1).max(1)).collect()
}

fn centiseconds(milliseconds: u32) -> u16 {
    u16::try_from((milliseconds / 10).max(DELAY_CENTISECONDS_MIN)).unwrap_or(u16::MAX)
}

/// The pictures of a film one after the other, each painted over the one before.
pub(crate) struct Reel<'a> {
    film: &'a Film,
    compositor: Compositor<'a>,
    painter: Painter,
    grounds: Grounds,
    pub(crate) canvas: Canvas,
    items: Vec<Item>,
    /// The items as pixels, as far as they were needed.
    sprites: Vec<Option<Rc<Sprite>>>,
}

impl<'a> Reel<'a> {
    pub(crate) fn new(
        film: &'a Film,
        sheet: Sheet,
        samples: &[usize],
    ) -> Result<Reel<'a>, DrawError> {
        let mut compositor = Compositor::new(film, sheet);
        let painter = Painter::default();
        let canvas = crate::blank(&compositor.layout)?;
        let samples: Vec<_> = samples.iter().map(|&index| compositor.items(index)).collect();
        let grounds = Grounds::of(&samples, crate::blank(&compositor.layout)?);
        let (items, sprites) = (Vec::new(), Vec::new());
        Ok(Reel { film, compositor, painter, grounds, canvas, items, sprites })
    }

    /// Paints a picture over the one before, and says where it may differ.
    pub(crate) fn show(&mut self, index: usize) -> Tiles {
        let items = self.compositor.items(index);
        let sheet = self.canvas.sheet();
        let Changes { tiles, kept } = changes(&self.items, &items, sheet);
        self.items = items;
        self.sprites = kept.iter().map(|kept| self.sprites[(*kept)?].take()).collect();
        let Footing { is_ground, spoilt } = self.grounds.lay(&self.items, &mut self.painter);
        let spoilt = tiles.common(&spoilt);
        self.canvas.copy(&tiles, self.grounds.canvas());
        self.canvas.clear(&spoilt);
        for (number, item) in self.items.iter().enumerate() {
            let tiles = if is_ground[number] { &spoilt } else { &tiles };
            if !tiles.touches(item.bounds) {
                continue;
            }
            let sprite = &mut self.sprites[number];
            if sprite.is_none() {
                *sprite = self.painter.remembered(item, sheet);
            }
            if let Some(sprite) = sprite {
                let parts = tiles.parts(sprite.place);
                parts.for_each(|part| sprite.lay(part, &mut self.canvas.pixels));
            }
        }
        tiles
    }

    /// The colours for the whole film, chosen from some of its pictures.
    pub(crate) fn palette(&mut self, samples: &[usize]) -> Palette {
        let mut seen = Seen::nothing();
        for &index in samples {
            self.show(index);
            seen.add(self.canvas.pixels.pixels());
        }
        Palette::of(&self.film.stage.palette, self.compositor.theme(), &seen)
    }
}

/// What a viewer sees after the frames so far.
struct Shown {
    sheet: Rectangle,
    palette: Palette,
    /// The picture, and the place in the palette of each pixel; none has one before the first frame.
    pixels: Vec<PremultipliedColorU8>,
    places: Vec<u8>,
    /// The new places of a frame; between frames there are none.
    fresh: Vec<u8>,
}

impl Shown {
    fn nothing(sheet: Rectangle, palette: Palette) -> Shown {
        let count = sheet.right * sheet.bottom;
        let nothing = vec![Palette::UNCHANGED; count];
        let pixels = vec![PremultipliedColorU8::TRANSPARENT; count];
        Shown { sheet, palette, pixels, places: nothing.clone(), fresh: nothing }
    }

    /// The places that lead from what is shown to a new picture, which differs at most in some tiles, and
    /// where they are.
    fn take(&mut self, canvas: &Canvas, tiles: &Tiles) -> (Rectangle, Vec<u8>) {
        let mut bounds: Option<Rectangle> = None;
        for part in self.parts(tiles) {
            if let Some(changed) = self.compare(canvas, part) {
                bounds = Some(bounds.map_or(changed, |bounds| bounds.united(changed)));
            }
        }
        // Every frame of a film takes its time, and a GIF has no empty pictures.
        let bounds = bounds.unwrap_or(Rectangle::sheet(1, 1));
        let mut places = Vec::with_capacity(bounds.width() * bounds.height());
        let rows = self.fresh.chunks_exact_mut(self.sheet.right);
        for row in rows.take(bounds.bottom).skip(bounds.top) {
            let changed = &mut row[bounds.left..bounds.right];
            places.extend_from_slice(changed);
            changed.fill(Palette::UNCHANGED);
        }
        (bounds, places)
    }

    /// The tiles of a frame; before the first frame, all of the sheet.
    fn parts(&self, tiles: &Tiles) -> Vec<Rectangle> {
        let is_first = self.places.first() == Some(&Palette::UNCHANGED);
        if is_first { vec![self.sheet] } else { tiles.parts(self.sheet).collect() }
    }

    /// Notes the places of a part that have changed; says where they are.
    fn compare(&mut self, canvas: &Canvas, part: Rectangle) -> Option<Rectangle> {
        let mut changed: Option<Rectangle> = None;
        for y in part.top..part.bottom {
            let start = y * self.sheet.right;
            let row = start + part.left..start + part.right;
            let (new, old) = (&canvas.pixels.pixels()[row.clone()], &mut self.pixels[row.clone()]);
            // Most pixels are the same, and comparing them is much quicker than finding their places.
            if new == old {
                continue;
            }
            let (shown, fresh) = (&mut self.places[row.clone()], &mut self.fresh[row]);
            let (mut first, mut last) = (usize::MAX, 0);
            // Neighbours are often of one colour.
            let mut found = (new[0], self.palette.place(new[0]));
            for (x, (&new, old)) in
                new.iter().zip(old).enumerate().filter(|(_, (new, old))| *new != *old)
            {
                *old = new;
                if new != found.0 {
                    found = (new, self.palette.place(new));
                }
                let place = found.1;
                if shown[x] != place {
                    (shown[x], fresh[x]) = (place, place);
                    (first, last) = (first.min(x), x + 1);
                }
            }
            if first < last {
                let (left, right) = (part.left + first, part.left + last);
                let line = Rectangle { left, top: y, right, bottom: y + 1 };
                changed = Some(changed.map_or(line, |changed| changed.united(line)));
            }
        }
        changed
    }
}

/// The frame of compressed places.
fn frame(bounds: Rectangle, buffer: Vec<u8>) -> Frame<'static> {
    Frame {
        dispose: DisposalMethod::Keep,
        transparent: Some(Palette::UNCHANGED),
        left: side(bounds.left),
        top: side(bounds.top),
        width: side(bounds.width()),
        height: side(bounds.height()),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}

fn side(length: usize) -> u16 {
    u16::try_from(length).expect("sheets are below 65536 pixels")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_hundredths_within_the_limits_of_the_format() {
        assert_eq!([0, 19, 400, 4009].map(centiseconds), [2, 2, 40, 400]);
        assert_eq!(centiseconds(u32::MAX), u16::MAX);
    }
}
