//! A whole film as a GIF that loops for ever.

use std::borrow::Cow;
use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use quintain_core::scene::{Area, Film};

use crate::changes::changes;
use crate::ground::Ground;
use crate::layout::Sheet;
use crate::lzw::Compressor;
use crate::painter::{Canvas, Painter};
use crate::palette::{Palette, Seen};
use crate::picture::Item;
use crate::sheet::Compositor;
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
    let (width, height) = (reel.canvas.pixels.width(), reel.canvas.pixels.height());
    let side = |length: u32| u16::try_from(length).expect("sheets are below 65536 pixels");
    let mut encoder = Encoder::new(out, side(width), side(height), &palette.bytes())?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut shown = Shown { width: width as usize, places: Vec::new(), palette };
    let mut compressor = Compressor::new();
    for index in first..=last {
        let delay_ms = if index == last { options.last_delay_ms } else { options.delay_ms };
        let areas = reel.show(index);
        let (bounds, places) = shown.take(&reel.canvas, &areas);
        let buffer = compressor.compress(&places);
        let frame = Frame { delay: centiseconds(delay_ms), ..bounds.frame(buffer) };
        encoder.write_lzw_pre_encoded_frame(&frame)?;
    }
    Ok(())
}

/// Some frames between two, evenly, from which the film is known beforehand.
fn samples(first: usize, last: usize) -> Vec<usize> {
    let count = SAMPLES.min(last - first + 1);
    (0..count).map(|sample| first + (last - first) * sample / (count - 1).max(1)).collect()
}

fn centiseconds(milliseconds: u32) -> u16 {
    u16::try_from((milliseconds / 10).max(DELAY_CENTISECONDS_MIN)).unwrap_or(u16::MAX)
}

/// The pictures of a film one after the other, each painted over the one before.
struct Reel<'a> {
    film: &'a Film,
    compositor: Compositor<'a>,
    painter: Painter,
    ground: Ground,
    canvas: Canvas,
    items: Vec<Item>,
}

impl<'a> Reel<'a> {
    fn new(film: &'a Film, sheet: Sheet, samples: &[usize]) -> Result<Reel<'a>, DrawError> {
        let mut compositor = Compositor::new(film, sheet);
        let mut painter = Painter::default();
        let canvas = crate::blank(&compositor.layout)?;
        let samples: Vec<_> = samples.iter().map(|&index| compositor.items(index)).collect();
        let ground = Ground::of(&samples, crate::blank(&compositor.layout)?, &mut painter);
        Ok(Reel { film, compositor, painter, ground, canvas, items: Vec::new() })
    }

    /// Paints a picture over the one before, and says where it differs.
    fn show(&mut self, index: usize) -> Vec<Area> {
        let items = self.compositor.items(index);
        let above = self.ground.above(&items);
        let mut areas = Vec::new();
        for area in changes(&self.items, &items, self.canvas.area()) {
            let part = match &above {
                Some(above) => self.ground.canvas.part(area).map(|part| (part, above.clone())),
                None => Canvas::transparent(area).map(|part| (part, items.iter().collect())),
            };
            let Some((mut part, items)) = part else { continue };
            self.painter.paint(&items, &mut part);
            if let Some(area) = self.canvas.difference(&part) {
                self.canvas.put(&part);
                areas.push(area);
            }
        }
        self.items = items;
        areas
    }

    /// The colours for the whole film, chosen from some of its pictures.
    fn palette(&mut self, samples: &[usize]) -> Palette {
        let mut seen = Seen::default();
        for &index in samples {
            self.show(index);
            seen.add(self.canvas.pixels.pixels());
        }
        Palette::of(&self.film.stage.palette, self.compositor.theme(), &seen)
    }
}

/// What a viewer sees after the frames so far.
struct Shown {
    width: usize,
    /// The place in the palette of each pixel; empty before the first frame.
    places: Vec<u8>,
    palette: Palette,
}

impl Shown {
    /// The places that lead from what is shown to a new picture, which differs at most in some areas, and
    /// where they are.
    fn take(&mut self, canvas: &Canvas, areas: &[Area]) -> (Rectangle, Vec<u8>) {
        let pixels = canvas.pixels.pixels();
        if self.places.is_empty() {
            let palette = &mut self.palette;
            self.places = pixels.iter().map(|&pixel| palette.place(pixel)).collect();
            let height = self.places.len() / self.width;
            let whole = Rectangle { left: 0, top: 0, right: self.width, bottom: height };
            return (whole, self.places.clone());
        }
        let mut changed: Vec<(usize, usize, u8)> = Vec::new();
        let mut bounds: Option<Rectangle> = None;
        for area in areas {
            let (left, right) = (area.x as usize, (area.x + area.width) as usize);
            for y in area.y as usize..(area.y + area.height) as usize {
                for x in left..right {
                    let at = y * self.width + x;
                    let place = self.palette.place(pixels[at]);
                    if self.places[at] != place {
                        self.places[at] = place;
                        changed.push((x, y, place));
                        bounds = Some(Rectangle::around(bounds, x, y));
                    }
                }
            }
        }
        // Every frame of a film takes its time, and a GIF has no empty pictures.
        let bounds = bounds.unwrap_or(Rectangle { left: 0, top: 0, right: 1, bottom: 1 });
        let width = bounds.right - bounds.left;
        let mut buffer = vec![Palette::UNCHANGED; width * (bounds.bottom - bounds.top)];
        for (x, y, place) in changed {
            buffer[(y - bounds.top) * width + x - bounds.left] = place;
        }
        (bounds, buffer)
    }
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
    /// The smallest one with all of another and a pixel.
    fn around(before: Option<Rectangle>, x: usize, y: usize) -> Rectangle {
        let Some(Rectangle { left, top, right, bottom }) = before else {
            return Rectangle { left: x, top: y, right: x + 1, bottom: y + 1 };
        };
        Rectangle {
            left: left.min(x),
            top: top.min(y),
            right: right.max(x + 1),
            bottom: bottom.max(y + 1),
        }
    }

    /// The frame of compressed places.
    fn frame(self, buffer: Vec<u8>) -> Frame<'static> {
        let Rectangle { left, top, right, bottom } = self;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_grows_around_pixels_and_no_further() {
        let dots = [(9, 0), (2, 5), (4, 7)];
        let around =
            dots.into_iter().fold(None, |so_far, (x, y)| Some(Rectangle::around(so_far, x, y)));
        assert_eq!(around, Some(Rectangle { left: 2, top: 0, right: 10, bottom: 8 }));
    }

    #[test]
    fn delays_are_hundredths_within_the_limits_of_the_format() {
        assert_eq!([0, 19, 400, 4009].map(centiseconds), [2, 2, 40, 400]);
        assert_eq!(centiseconds(u32::MAX), u16::MAX);
    }
}
