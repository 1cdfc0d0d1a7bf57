//! Places on the map, and what they are made of.

use serde::{Deserialize, Serialize};

/// The widest map. A row is a word of this many bits.
pub const MAP_SIZE_MAX: usize = 64;

/// A place on the map: x to the right, y down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(u8, u8)", into = "(u8, u8)")]
pub struct Cell {
    pub x: u8,
    pub y: u8,
}

impl Cell {
    pub const fn new(x: u8, y: u8) -> Cell {
        Cell { x, y }
    }

    /// The place of these coordinates on a map of this size, if it has one.
    #[inline]
    pub fn within(size: u8, x: i32, y: i32) -> Option<Cell> {
        let is_inside = |value: i32| value >= 0 && value < i32::from(size);
        (is_inside(x) && is_inside(y)).then_some(Cell { x: x as u8, y: y as u8 })
    }

    /// Steps between two places for somebody who also walks diagonally.
    #[inline]
    pub fn steps_to(self, other: Cell) -> u8 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// The square of the distance as the crow flies.
    #[inline]
    pub fn square_to(self, other: Cell) -> u32 {
        let (dx, dy) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        u32::from(dx) * u32::from(dx) + u32::from(dy) * u32::from(dy)
    }

    /// The distance as the crow flies, rounded down, is at most `range`.
    #[inline]
    pub fn is_in_range(self, other: Cell, range: i32) -> bool {
        // floor(d) <= range is d < range + 1, and squares of both are whole numbers.
        let beyond = i64::from(range) + 1;
        i64::from(self.square_to(other)) < beyond * beyond
    }
}

impl From<(u8, u8)> for Cell {
    fn from((x, y): (u8, u8)) -> Cell {
        Cell { x, y }
    }
}

impl From<Cell> for (u8, u8) {
    fn from(cell: Cell) -> (u8, u8) {
        (cell.x, cell.y)
    }
}

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Terrain {
    DeepSpace = 0,
    Dirt = 1,
    Air = 2,
    Lava = 3,
}

impl Terrain {
    pub const ALL: [Terrain; 4] = [Terrain::DeepSpace, Terrain::Dirt, Terrain::Air, Terrain::Lava];

    /// The name in the state files.
    pub const fn name(self) -> &'static str {
        match self {
            Terrain::DeepSpace => "DEEP_SPACE",
            Terrain::Dirt => "DIRT",
            Terrain::Air => "AIR",
            Terrain::Lava => "LAVA",
        }
    }

    /// The letter in a setup.
    pub const fn letter(self) -> char {
        match self {
            Terrain::DeepSpace => '*',
            Terrain::Dirt => '#',
            Terrain::Air => '.',
            Terrain::Lava => 'L',
        }
    }

    pub fn from_letter(letter: char) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|terrain| terrain.letter() == letter)
    }

    /// Worms can stand in it and shoot through it.
    #[inline]
    pub const fn is_open(self) -> bool {
        matches!(self, Terrain::Air | Terrain::Lava)
    }
}

/// The terrain of the whole map: two bits a cell, a word a row, so that lava rises by rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    size: u8,
    /// Air and lava.
    open: [u64; MAP_SIZE_MAX],
    /// Dirt among what is not open, lava among what is.
    full: [u64; MAP_SIZE_MAX],
}

impl Ground {
    /// A map of deep space.
    ///
    /// # Panics
    /// If the size is above [`MAP_SIZE_MAX`].
    pub fn new(size: u8) -> Ground {
        assert!(usize::from(size) <= MAP_SIZE_MAX, "a row is one word");
        Ground { size, open: [0; MAP_SIZE_MAX], full: [0; MAP_SIZE_MAX] }
    }

    pub fn size(&self) -> u8 {
        self.size
    }

    /// All places, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| Cell { x, y }))
    }

    /// What the cell is made of. It must be on the map.
    #[inline]
    pub fn at(&self, cell: Cell) -> Terrain {
        let row = usize::from(cell.y) % MAP_SIZE_MAX;
        let bit = |rows: &[u64; MAP_SIZE_MAX]| rows[row] >> (cell.x % 64) & 1;
        Terrain::ALL[(bit(&self.open) * 2 + bit(&self.full)) as usize & 3]
    }

    #[inline]
    pub fn set(&mut self, cell: Cell, terrain: Terrain) {
        let (row, bit) = (usize::from(cell.y) % MAP_SIZE_MAX, 1_u64 << (cell.x % 64));
        let put = |word: &mut u64, is_set: bool| {
            if is_set {
                *word |= bit;
            } else {
                *word &= !bit;
            }
        };
        put(&mut self.open[row], terrain as u8 & 2 != 0);
        put(&mut self.full[row], terrain as u8 & 1 != 0);
    }

    /// All that a row is, as one value: equal rows look alike.
    #[inline]
    pub fn row(&self, y: u8) -> (u64, u64) {
        let row = usize::from(y) % MAP_SIZE_MAX;
        (self.open[row], self.full[row])
    }

    /// Turns air into lava wherever the rows of `beyond` have a bit.
    #[inline]
    pub(crate) fn flood(&mut self, beyond: &[u64]) {
        for ((full, open), beyond) in self.full.iter_mut().zip(&self.open).zip(beyond) {
            *full |= open & beyond;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrain_is_kept_cell_by_cell() {
        let mut ground = Ground::new(33);
        for (index, cell) in ground.cells().enumerate() {
            ground.set(cell, Terrain::ALL[index % 4]);
        }
        for (index, cell) in ground.cells().enumerate() {
            assert_eq!(ground.at(cell), Terrain::ALL[index % 4]);
            assert_eq!(Terrain::from_letter(ground.at(cell).letter()), Some(ground.at(cell)));
        }
        ground.flood(&[u64::MAX; 33]);
        for (index, cell) in ground.cells().enumerate() {
            let expected = if index % 4 == 2 { Terrain::Lava } else { Terrain::ALL[index % 4] };
            assert_eq!(ground.at(cell), expected);
        }
    }

    #[test]
    fn ranges_are_distances_rounded_down() {
        let from = Cell::new(10, 10);
        let is_near = |x, y, range| from.is_in_range(Cell::new(x, y), range);
        assert!(is_near(14, 10, 4) && !is_near(15, 10, 4));
        assert!(is_near(13, 13, 4) && !is_near(14, 14, 4));
        assert!(is_near(14, 12, 4) && is_near(14, 13, 5) && !is_near(14, 13, 4));
        assert!(is_near(10, 10, 0));
    }
}
