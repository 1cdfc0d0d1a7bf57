//! The colours of a GIF: at most 255 for a whole film, and one place for "as before".
//!
//! The colours of the sheet and the plain ones of the stage are exact; a coarse grid catches what nobody
//! foresaw; all others are chosen from pictures of the film, so that gradients have many steps.

use quintain_core::scene::{Colour, Paint, Theme, Tone};
use tiny_skia::PremultipliedColorU8;

use crate::by_colour::{ByColour, levels, number};
use crate::shades::Table;

/// One of the 256 places stands for "as in the frame before".
const COLOURS_MAX: usize = 255;

/// The levels of a channel in the grid: nothing is further than 64 from one of them.
const GRID: [u8; 3] = [0, 128, 255];

/// So many of a stage's own plain colours are exact; a stage with more of them is no longer plain.
const OWN_MAX: usize = 64;

pub(crate) struct Palette {
    colours: Vec<[u8; 3]>,
    /// The places of the colours that were asked for.
    known: ByColour<u8>,
}

impl Palette {
    /// The place that means "as in the frame before".
    pub(crate) const UNCHANGED: u8 = COLOURS_MAX as u8;

    /// Of a stage's own paints, and the pixels of some of its pictures.
    pub(crate) fn of(own: &[Paint], theme: Theme, seen: &Seen) -> Palette {
        let mut colours: Vec<[u8; 3]> = Vec::with_capacity(COLOURS_MAX);
        let mut add = |colour: [u8; 3]| {
            if colours.len() < COLOURS_MAX && !colours.contains(&colour) {
                colours.push(colour);
            }
        };
        Table::of(theme).all().into_iter().map(channels).for_each(&mut add);
        let own = own.iter().filter_map(|paint| match paint.tone(theme) {
            Tone::Flat(colour) => Some(channels(colour)),
            Tone::Down(..) | Tone::Out(..) => None,
        });
        own.take(OWN_MAX).for_each(&mut add);
        for red in GRID {
            for green in GRID {
                GRID.iter().for_each(|&blue| add([red, green, blue]));
            }
        }
        let room = COLOURS_MAX - colours.len();
        let chosen = seen.chosen(room, &colours);
        colours.extend(chosen);
        Palette { colours, known: ByColour::new() }
    }

    /// All places as red, green, blue.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; (COLOURS_MAX + 1) * 3];
        for (place, colour) in bytes.chunks_exact_mut(3).zip(&self.colours) {
            place.copy_from_slice(colour);
        }
        bytes
    }

    /// The place whose colour is nearest; of several, the first.
    pub(crate) fn place(&mut self, pixel: PremultipliedColorU8) -> u8 {
        let Palette { colours, known } = self;
        *known.get(number(pixel), || {
            let colour = levels(number(pixel));
            let nearest = (0..colours.len()).min_by_key(|&index| distance(colours[index], colour));
            u8::try_from(nearest.unwrap_or(0)).expect("there are at most 255 colours")
        })
    }
}

fn channels(colour: Colour) -> [u8; 3] {
    [colour.red, colour.green, colour.blue]
}

/// As eyes see it, roughly: green counts most and blue least.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let square = |index: usize| u32::from(a[index].abs_diff(b[index])).pow(2);
    3 * square(0) + 4 * square(1) + 2 * square(2)
}

/// How often colours were seen.
pub(crate) struct Seen(ByColour<u64>);

impl Seen {
    pub(crate) fn nothing() -> Seen {
        Seen(ByColour::new())
    }

    pub(crate) fn add(&mut self, pixels: &[PremultipliedColorU8]) {
        for run in pixels.chunk_by(|a, b| a == b) {
            *self.0.get(number(run[0]), || 0) += run.len() as u64;
        }
    }

    /// So many colours that stand for all that were seen and are not known already: boxes of colours are
    /// halved where most pixels differ most, and each box has its mean.
    fn chosen(&self, count: usize, known: &[[u8; 3]]) -> Vec<[u8; 3]> {
        let seen = self.0.all().map(|(colour, times)| (levels(colour), times));
        let mut all: Vec<([u8; 3], u64)> =
            seen.filter(|(colour, _)| !known.contains(colour)).collect();
        // The same film must give the same file, in whatever order its colours were seen.
        all.sort_unstable();
        let mut boxes = vec![ColourBox::of(all)];
        while boxes.len() < count {
            let widest = (0..boxes.len()).max_by_key(|&index| (boxes[index].cost, index));
            let Some(index) = widest.filter(|&index| boxes[index].cost > 0) else { break };
            let (low, high) = boxes.swap_remove(index).halves();
            boxes.extend([low, high]);
        }
        boxes
            .iter()
            .filter(|one| !one.colours.is_empty())
            .map(ColourBox::mean)
            .take(count)
            .collect()
    }
}

/// Some colours that are near to each other.
struct ColourBox {
    colours: Vec<([u8; 3], u64)>,
    /// The channel in which they differ most.
    channel: usize,
    /// How much would be gained by halving it; 0 if it has one colour.
    cost: u64,
}

impl ColourBox {
    fn of(colours: Vec<([u8; 3], u64)>) -> ColourBox {
        let times: u64 = colours.iter().map(|(_, times)| times).sum();
        let spread = |channel: usize| {
            let values = colours.iter().map(|(colour, _)| colour[channel]);
            let (low, high) =
                values.fold((255, 0), |(low, high), value| (low.min(value), high.max(value)));
            u64::from(high.saturating_sub(low))
        };
        let widths = [3 * spread(0), 4 * spread(1), 2 * spread(2)];
        let channel = (0..3).max_by_key(|&channel| widths[channel]).unwrap_or(0);
        // Few pixels of a very different colour count as well: the root is a compromise.
        let cost = widths[channel] * widths[channel] * times.isqrt();
        ColourBox { colours, channel, cost }
    }

    fn halves(mut self) -> (ColourBox, ColourBox) {
        let channel = self.channel;
        self.colours.sort_unstable_by_key(|(colour, _)| (colour[channel], *colour));
        let sum: u64 =
            self.colours.iter().map(|(colour, times)| u64::from(colour[channel]) * times).sum();
        let times: u64 = self.colours.iter().map(|(_, times)| times).sum();
        let mean = sum / times.max(1);
        let middle = self.colours.partition_point(|(colour, _)| u64::from(colour[channel]) <= mean);
        let middle = middle.clamp(1, self.colours.len() - 1);
        let high = self.colours.split_off(middle);
        (ColourBox::of(self.colours), ColourBox::of(high))
    }

    fn mean(&self) -> [u8; 3] {
        let times: u64 = self.colours.iter().map(|(_, times)| times).sum();
        [0, 1, 2].map(|channel| {
            let sum: u64 =
                self.colours.iter().map(|(colour, times)| u64::from(colour[channel]) * times).sum();
            ((sum + times / 2) / times.max(1)) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel([red, green, blue]: [u8; 3]) -> PremultipliedColorU8 {
        PremultipliedColorU8::from_rgba(red, green, blue, 255).expect("it is opaque")
    }

    fn found(palette: &mut Palette, colour: [u8; 3]) -> [u8; 3] {
        let place = palette.place(pixel(colour));
        palette.colours[usize::from(place)]
    }

    #[test]
    fn inks_and_plain_colours_of_the_stage_are_exact_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let own = [Paint::flat(0x01_02_03, 0x04_05_06)];
            let mut palette = Palette::of(&own, theme, &Seen::nothing());
            let Tone::Flat(own) = own[0].tone(theme) else { panic!("it is flat") };
            for colour in Table::of(theme).all().into_iter().chain([own]).map(channels) {
                assert_eq!(found(&mut palette, colour), colour);
            }
        }
    }

    #[test]
    fn a_gradient_that_was_seen_has_fine_steps() {
        let mut seen = Seen::nothing();
        let gradient: Vec<_> = (0..=255).map(|level| pixel([level, 40, 255 - level])).collect();
        seen.add(&gradient);
        let mut palette = Palette::of(&[], Theme::Light, &seen);
        for level in 0..=255_u8 {
            let [red, green, blue] = found(&mut palette, [level, 40, 255 - level]);
            let off = red.abs_diff(level).max(green.abs_diff(40)).max(blue.abs_diff(255 - level));
            assert!(off <= 2, "{level}: off by {off}");
        }
    }

    #[test]
    fn no_colour_is_off_by_more_than_half_a_step_of_the_grid() {
        let mut palette = Palette::of(&[], Theme::Light, &Seen::nothing());
        let levels = || (0..=255_u8).step_by(15);
        for red in levels() {
            for (green, blue) in levels().flat_map(|green| levels().map(move |blue| (green, blue)))
            {
                let near = found(&mut palette, [red, green, blue]);
                let nearest_possible = 3 * 64 * 64 + 4 * 64 * 64 + 2 * 64 * 64;
                assert!(distance(near, [red, green, blue]) <= nearest_possible);
            }
        }
    }

    #[test]
    fn a_stage_with_very_many_colours_of_its_own_leaves_room_for_the_sign_of_no_change() {
        let own: Vec<Paint> = (0..=255).map(|blue| Paint::flat(0x09_09_00 + blue, 0)).collect();
        let mut seen = Seen::nothing();
        seen.add(&(0..=255).map(|blue| pixel([9, 9, blue])).collect::<Vec<_>>());
        let palette = Palette::of(&own, Theme::Light, &seen);
        assert!(palette.colours.len() <= COLOURS_MAX);
        assert_eq!(palette.bytes().len(), 256 * 3);
    }
}
