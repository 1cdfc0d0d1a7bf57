//! The colours of a GIF: at most 256 for a whole film.
//!
//! All that is ever painted is an ink, a faded ink over paper, or the soft edge between inks. So
//! the palette holds the inks exactly, then the fades exactly, and then ever finer mixes of pairs,
//! those with the two papers (sheet and field) first, until it is full. A coarse grid over all
//! colours catches the rest, so that no channel is ever off by more than half a step of the grid.

use std::collections::HashMap;

use quintain_core::scene::{Colour, Film, Ink, Shape};

use crate::shades::{COMMON_INKS, MUTED, shade};

/// One of the 256 places stands for "as in the frame before".
const COLOURS_MAX: usize = 255;

/// The levels of a channel in the grid: nothing is further than 43 from one of them.
const GRID: [u8; 4] = [0, 85, 170, 255];

/// Finest mixes: in steps of a 32nd.
const MIX_LEVELS: u32 = 5;

pub(crate) struct Palette {
    colours: Vec<Colour>,
    nearest: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// The place that means "as in the frame before".
    pub(crate) const UNCHANGED: u8 = COLOURS_MAX as u8;

    pub(crate) fn of(film: &Film) -> Palette {
        let own = &film.stage.palette;
        let papers = [Ink::Field, Ink::Ground].map(|ink| shade(ink, own));
        let mut inks = COMMON_INKS.map(|ink| shade(ink, own)).to_vec();
        inks.push(MUTED);
        let mut colours = Colours(inks.clone());
        colours.add_grid();
        inks.extend(own);
        own.iter().for_each(|&colour| colours.add(colour));
        for shape in shapes(film).filter(|shape| shape.style.opacity < 1.0) {
            for ink in [shape.style.fill, shape.style.stroke].into_iter().flatten() {
                for paper in papers {
                    colours.add(mixed(paper, shade(ink, own), shape.style.opacity));
                }
            }
        }
        for level in 1..=MIX_LEVELS {
            for paper in papers {
                inks.iter().for_each(|&ink| colours.add_mixes(paper, ink, level));
            }
            // Two inks meet more rarely than an ink and paper: coarser steps do.
            for (index, &ink) in inks.iter().enumerate() {
                for &other in &inks[index + 1..] {
                    colours.add_mixes(ink, other, level - 1);
                }
            }
        }
        Palette { colours: colours.0, nearest: HashMap::new() }
    }

    /// All places as red, green, blue.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; (COLOURS_MAX + 1) * 3];
        for (place, colour) in bytes.chunks_exact_mut(3).zip(&self.colours) {
            place.copy_from_slice(&[colour.red, colour.green, colour.blue]);
        }
        bytes
    }

    /// The place whose colour is nearest; of several, the first.
    pub(crate) fn place(&mut self, pixel: [u8; 3]) -> u8 {
        let colours = &self.colours;
        *self.nearest.entry(pixel).or_insert_with(|| {
            let nearest = (0..colours.len()).min_by_key(|&index| distance(colours[index], pixel));
            u8::try_from(nearest.unwrap_or(0)).expect("there are at most 255 colours")
        })
    }
}

/// Colours without repetition, up to what a palette can hold.
struct Colours(Vec<Colour>);

impl Colours {
    fn add(&mut self, colour: Colour) {
        if self.0.len() < COLOURS_MAX && !self.0.contains(&colour) {
            self.0.push(colour);
        }
    }

    fn add_grid(&mut self) {
        for red in GRID {
            for green in GRID {
                GRID.iter().for_each(|&blue| self.add(Colour { red, green, blue }));
            }
        }
    }

    /// The mixes that a level adds to the ones before it: halves, then quarters, then eighths.
    fn add_mixes(&mut self, from: Colour, to: Colour, level: u32) {
        let steps = 1_u32 << level;
        for step in (1..steps).step_by(2) {
            self.add(mixed(from, to, f64::from(step) / f64::from(steps)));
        }
    }
}

fn shapes(film: &Film) -> impl Iterator<Item = &Shape> {
    let scenes = film.frames.iter().flat_map(|frame| &frame.scene.shapes);
    film.stage.background.iter().chain(scenes)
}

fn mixed(from: Colour, to: Colour, share: f64) -> Colour {
    let channel = |from: u8, to: u8| {
        let mix = f64::from(from) * (1.0 - share) + f64::from(to) * share;
        // The cast saturates, which is right for shares outside of 0 to 1.
        mix.round() as u8
    };
    Colour {
        red: channel(from.red, to.red),
        green: channel(from.green, to.green),
        blue: channel(from.blue, to.blue),
    }
}

/// The largest difference of a channel, then the sum of all as a tie-break.
fn distance(colour: Colour, [red, green, blue]: [u8; 3]) -> (u8, u32) {
    let differences =
        [colour.red.abs_diff(red), colour.green.abs_diff(green), colour.blue.abs_diff(blue)];
    let sum = differences.iter().map(|&difference| u32::from(difference).pow(2)).sum();
    let [a, b, c] = differences;
    (a.max(b).max(c), sum)
}

#[cfg(test)]
mod tests {
    use quintain_core::PerSeat;
    use quintain_core::scene::{Area, Form, Point, Stage, Style};

    use super::*;

    fn film(own: Vec<Colour>, background: Vec<Shape>) -> Film {
        let world = Area { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
        Film {
            title: "Empty",
            turn_name: "turn",
            names: PerSeat::default(),
            stage: Stage { world, background, palette: own },
            frames: Vec::new(),
            ending: String::new(),
        }
    }

    #[test]
    fn inks_and_fades_are_exact() {
        let own = Colour { red: 1, green: 2, blue: 3 };
        let dot = Form::Circle { centre: Point::new(0.0, 0.0), radius: 1.0 };
        let faded = Shape::new(0, 0, dot, Style::fill(Ink::First).faded(0.37));
        let mut palette = Palette::of(&film(vec![own], vec![faded]));
        let fade = mixed(shade(Ink::Field, &[]), shade(Ink::First, &[]), 0.37);
        for colour in [own, shade(Ink::First, &[]), shade(Ink::Second, &[]), MUTED, fade] {
            let place = palette.place([colour.red, colour.green, colour.blue]);
            assert_eq!(palette.colours[usize::from(place)], colour);
        }
    }

    #[test]
    fn no_colour_is_off_by_more_than_half_a_step_of_the_grid() {
        let mut palette = Palette::of(&film(Vec::new(), Vec::new()));
        let levels = || (0..=255_u8).step_by(15);
        for red in levels() {
            for (green, blue) in levels().flat_map(|green| levels().map(move |blue| (green, blue)))
            {
                let place = palette.place([red, green, blue]);
                let colour = palette.colours[usize::from(place)];
                assert!(distance(colour, [red, green, blue]).0 <= 43, "{red} {green} {blue}");
            }
        }
    }

    #[test]
    fn a_stage_with_very_many_colours_of_its_own_leaves_room_for_the_sign_of_no_change() {
        let own = (0..=255).map(|blue| Colour { red: 9, green: 9, blue }).collect();
        let palette = Palette::of(&film(own, Vec::new()));
        assert_eq!(palette.colours.len(), COLOURS_MAX);
        assert_eq!(palette.bytes().len(), 256 * 3);
    }
}
