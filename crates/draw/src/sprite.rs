//! An item painted for itself, to be laid over what is below it.

use tiny_skia::Pixmap;

use crate::rectangle::Rectangle;

pub(crate) struct Sprite {
    /// Where it is on the sheet.
    pub(crate) place: Rectangle,
    /// Those of its place, and perhaps more at the right and at the bottom, which are not shown.
    pixels: Pixmap,
    /// Where the pixels of each row of the place begin and end that are not transparent.
    rows: Vec<(usize, usize)>,
}

impl Sprite {
    /// Of what is painted, made weaker as a whole.
    pub(crate) fn new(place: Rectangle, mut pixels: Pixmap, opacity: f64) -> Sprite {
        if opacity < 1.0 {
            let share = (opacity.max(0.0) * 256.0).round() as u32;
            let weaker = |byte: &mut u8| *byte = ((u32::from(*byte) * share + 128) >> 8) as u8;
            pixels.data_mut().iter_mut().for_each(weaker);
        }
        let rows = pixels.pixels().chunks_exact(pixels.width() as usize).take(place.height());
        let rows = rows.map(|row| {
            let row = &row[..place.width()];
            let first = row.iter().position(|pixel| pixel.alpha() > 0);
            let last = row.iter().rposition(|pixel| pixel.alpha() > 0);
            first.zip(last).map_or((0, 0), |(first, last)| (first, last + 1))
        });
        Sprite { place, rows: rows.collect(), pixels }
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.pixels.data().len() + size_of_val(&self.rows[..])
    }

    /// Lays a part of its place over a sheet.
    pub(crate) fn lay(&self, part: Rectangle, sheet: &mut Pixmap) {
        let (own_width, width) = (self.pixels.width() as usize, sheet.width() as usize);
        for y in part.top..part.bottom {
            let row = y - self.place.top;
            let (first, last) = self.rows[row];
            let left = part.left.max(self.place.left + first);
            let right = part.right.min(self.place.left + last);
            if left >= right {
                continue;
            }
            let from = (row * own_width + left - self.place.left) * 4;
            let (to, length) = ((y * width + left) * 4, (right - left) * 4);
            let above = &self.pixels.data()[from..from + length];
            let below = &mut sheet.data_mut()[to..to + length];
            for (above, below) in above.chunks_exact(4).zip(below.chunks_exact_mut(4)) {
                match above[3] {
                    0 => {}
                    255 => below.copy_from_slice(above),
                    alpha => lay_pixel(above, below, 255 - alpha),
                }
            }
        }
    }
}

/// Lays a pixel over another one, of which a share of 255 is still seen. Two channels are reckoned at once.
fn lay_pixel(above: &[u8], below: &mut [u8], share: u8) {
    const EVEN: u32 = 0x00ff_00ff;
    let whole = |pixel: &[u8]| u32::from_le_bytes([pixel[0], pixel[1], pixel[2], pixel[3]]);
    let weaker = |channels: u32| {
        let product = channels * u32::from(share) + 0x0080_0080;
        ((product + ((product >> 8) & EVEN)) >> 8) & EVEN
    };
    let seen = whole(below);
    let seen = weaker(seen & EVEN) | weaker((seen >> 8) & EVEN) << 8;
    // Channels are at most their alpha, so that no sum is above 255.
    below.copy_from_slice(&whole(above).wrapping_add(seen).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_laid_over_another_is_their_rounded_mean() {
        for alpha in 0..=255_u8 {
            for below in [0, 1, 77, 128, 254, 255_u8] {
                for above in [0, alpha / 3, alpha] {
                    let mut pixel = [below, 255 - below, below, 255];
                    lay_pixel(&[above, above, 0, alpha], &mut pixel, 255 - alpha);
                    let rest = |channel: u8| {
                        (f64::from(channel) * f64::from(255 - alpha) / 255.0).round() as u8
                    };
                    let expected =
                        [above + rest(below), above + rest(255 - below), rest(below), 255];
                    assert_eq!(pixel, expected, "{above} of {alpha} over {below}");
                }
            }
        }
    }
}
