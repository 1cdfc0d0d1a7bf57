//! A sheet in tiles: which of them are touched, in a few operations for any area.

use quintain_core::scene::Area;

use crate::rectangle::Rectangle;

/// A row of tiles is a number, and a tile one of its bits.
const SIDE: usize = u64::BITS as usize;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tiles {
    sheet: Rectangle,
    /// The width and the height of a tile in pixels.
    tile: (usize, usize),
    rows: Vec<u64>,
}

impl Tiles {
    /// No tile of a sheet.
    pub(crate) fn none(sheet: Rectangle) -> Tiles {
        let tile = (sheet.right.div_ceil(SIDE).max(1), sheet.bottom.div_ceil(SIDE).max(1));
        Tiles { sheet, tile, rows: vec![0; SIDE] }
    }

    /// Adds all tiles that an area touches.
    pub(crate) fn add(&mut self, area: Area) {
        if let Some(place) = Rectangle::touched(area, self.sheet) {
            self.add_place(place);
        }
    }

    /// Adds all tiles of a place that is not empty.
    pub(crate) fn add_place(&mut self, place: Rectangle) {
        let mask = self.columns(place);
        let (top, bottom) = self.lines(place);
        self.rows[top..bottom].iter_mut().for_each(|row| *row |= mask);
    }

    /// The tiles that are among some others, too.
    pub(crate) fn common(&self, others: &Tiles) -> Tiles {
        let rows = self.rows.iter().zip(&others.rows).map(|(row, other)| row & other);
        Tiles { rows: rows.collect(), ..*self }
    }

    /// Whether an area touches one of these tiles.
    pub(crate) fn touches(&self, area: Area) -> bool {
        Rectangle::touched(area, self.sheet).is_some_and(|place| {
            let mask = self.columns(place);
            let (top, bottom) = self.lines(place);
            self.rows[top..bottom].iter().any(|row| row & mask != 0)
        })
    }

    /// The parts of a place that lie in these tiles, row by row and from left to right.
    pub(crate) fn parts(&self, place: Rectangle) -> impl Iterator<Item = Rectangle> {
        let mask = if place.is_empty() { 0 } else { self.columns(place) };
        let (top, bottom) = if place.is_empty() { (0, 0) } else { self.lines(place) };
        let (width, height) = self.tile;
        (top..bottom).flat_map(move |row| {
            runs(self.rows[row] & mask).map(move |(from, to)| {
                let tiles = Rectangle {
                    left: from * width,
                    top: row * height,
                    right: to * width,
                    bottom: (row + 1) * height,
                };
                tiles.common(place)
            })
        })
    }

    /// The bits of the columns of a place that is not empty.
    fn columns(&self, place: Rectangle) -> u64 {
        let (first, last) = (place.left / self.tile.0, (place.right - 1) / self.tile.0);
        (u64::MAX >> (SIDE - 1 - (last - first))) << first
    }

    /// The rows of a place that is not empty, without the last.
    fn lines(&self, place: Rectangle) -> (usize, usize) {
        (place.top / self.tile.1, (place.bottom - 1) / self.tile.1 + 1)
    }
}

/// The stretches of ones in a number: the first bit of each, and the bit behind it.
fn runs(mut bits: u64) -> impl Iterator<Item = (usize, usize)> {
    std::iter::from_fn(move || {
        let from = bits.trailing_zeros();
        let length = bits.checked_shr(from)?.trailing_ones();
        let to = from + length;
        bits = bits.checked_shr(to).and_then(|rest| rest.checked_shl(to)).unwrap_or(0);
        Some((from as usize, to as usize))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_ones_are_found_at_both_ends() {
        let found = |bits| runs(bits).collect::<Vec<_>>();
        assert_eq!(found(0), []);
        assert_eq!(found(u64::MAX), [(0, 64)]);
        assert_eq!(found(1 | 1 << 63), [(0, 1), (63, 64)]);
        assert_eq!(found(0b0111_0010), [(1, 2), (4, 7)]);
    }

    #[test]
    fn every_pixel_of_an_area_is_in_exactly_one_part() {
        for (right, bottom) in [(800, 600), (1, 1), (65, 3), (40, 1000)] {
            let sheet = Rectangle { left: 0, top: 0, right, bottom };
            let mut tiles = Tiles::none(sheet);
            assert_eq!(tiles.parts(sheet).count(), 0);
            let half = right as f64 / 2.0;
            let areas = [
                Area::new(-5.0, -5.0, 7.5, 9.0),
                Area::new(half, 0.2, half + 9.0, 0.1),
                Area::new(-9.0, 2.0, 3.0, 3.0),
            ];
            areas.iter().for_each(|&area| tiles.add(area));
            let mut covered = vec![0; right * bottom];
            for part in tiles.parts(sheet) {
                for y in part.top..part.bottom {
                    covered[y * right + part.left..y * right + part.right]
                        .iter_mut()
                        .for_each(|times| *times += 1);
                }
            }
            assert!(covered.iter().all(|&times| times <= 1));
            for area in areas {
                let Some(place) = Rectangle::touched(area, sheet) else { continue };
                assert!(tiles.touches(area));
                for y in place.top..place.bottom {
                    assert!(
                        covered[y * right + place.left..y * right + place.right]
                            .iter()
                            .all(|&times| times == 1)
                    );
                }
            }
        }
    }
}
