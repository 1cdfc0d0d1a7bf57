//! The track: what lies on its blocks from the start, and what the race adds.

use crate::Powerup;

/// A block of the track. Lanes and blocks count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub lane: u8,
    pub block: u16,
}

impl Place {
    pub const fn new(lane: u8, block: u16) -> Self {
        Place { lane, block }
    }

    /// The place one block behind. Where the engine would push a car off the map and fail, it stays
    /// on the first block.
    #[inline]
    pub(crate) fn behind(self) -> Place {
        Place { lane: self.lane, block: self.block.saturating_sub(1).max(1) }
    }
}

/// What lies on a block. The number is the original's usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Surface {
    Empty,
    Mud,
    OilSpill,
    OilItem,
    FinishLine,
    Boost,
    Wall,
    Lizard,
    Tweet,
    Emp,
}

impl Surface {
    pub const ALL: [Surface; 10] = [
        Surface::Empty,
        Surface::Mud,
        Surface::OilSpill,
        Surface::OilItem,
        Surface::FinishLine,
        Surface::Boost,
        Surface::Wall,
        Surface::Lizard,
        Surface::Tweet,
        Surface::Emp,
    ];

    pub const fn powerup(self) -> Option<Powerup> {
        match self {
            Surface::OilItem => Some(Powerup::Oil),
            Surface::Boost => Some(Powerup::Boost),
            Surface::Lizard => Some(Powerup::Lizard),
            Surface::Tweet => Some(Powerup::Tweet),
            Surface::Emp => Some(Powerup::Emp),
            Surface::Empty
            | Surface::Mud
            | Surface::OilSpill
            | Surface::FinishLine
            | Surface::Wall => None,
        }
    }

    /// The digit by which maps are written down.
    pub const fn digit(self) -> u8 {
        b'0' + self as u8
    }

    pub fn from_digit(digit: u8) -> Option<Surface> {
        Surface::ALL.get(usize::from(digit.wrapping_sub(b'0'))).copied()
    }
}

/// The track as it was laid out. Never changes during a match.
#[derive(Debug, PartialEq)]
pub struct Track {
    lanes: u8,
    length: u16,
    /// Lane by lane.
    surfaces: Box<[Surface]>,
    /// One bit per block that is not empty.
    filled: Box<[u64]>,
}

impl Track {
    /// From whole lanes of equal length.
    pub(crate) fn new(lanes: &[Vec<Surface>]) -> Track {
        let surfaces: Box<[Surface]> = lanes.concat().into();
        let length = lanes.first().map_or(0, Vec::len);
        assert!(lanes.iter().all(|lane| lane.len() == length), "lanes are equally long");
        let mut filled = vec![0; words_for(surfaces.len())];
        for (cell, &surface) in surfaces.iter().enumerate() {
            if surface != Surface::Empty {
                set(&mut filled, cell);
            }
        }
        Track {
            lanes: u8::try_from(lanes.len()).expect("a checked config has few lanes"),
            length: u16::try_from(length).expect("a checked config has a short track"),
            surfaces,
            filled: filled.into(),
        }
    }

    #[inline]
    pub fn lanes(&self) -> u8 {
        self.lanes
    }

    /// The number of the last block, where the finish line is.
    #[inline]
    pub fn length(&self) -> u16 {
        self.length
    }

    /// All blocks, lane by lane.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    #[inline]
    pub(crate) fn cell(&self, place: Place) -> usize {
        let lane = usize::from(place.lane) - 1;
        lane * usize::from(self.length) + usize::from(place.block) - 1
    }

    #[inline]
    pub(crate) fn laid_out(&self, cell: usize) -> Surface {
        self.surfaces[cell]
    }

    /// One bit per block that is not empty, from this one on, at most 64.
    #[inline]
    pub(crate) fn filled(&self, cell: usize, count: usize) -> u64 {
        bits(&self.filled, cell, count)
    }
}

/// What the race has added to the track: oil and trucks, one bit per block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marks {
    /// Oil dropped, then whether the second seat dropped it last, then trucks.
    planes: Box<[u64]>,
    words: usize,
    trucks: usize,
}

impl Marks {
    pub(crate) fn new(cells: usize) -> Marks {
        let words = words_for(cells);
        Marks { planes: vec![0; 3 * words].into(), words, trucks: 0 }
    }

    #[inline]
    fn oil_plane(&self) -> &[u64] {
        &self.planes[..self.words]
    }

    #[inline]
    fn truck_plane(&self) -> &[u64] {
        &self.planes[2 * self.words..]
    }

    #[inline]
    pub(crate) fn has_trucks(&self) -> bool {
        self.trucks > 0
    }

    /// Bits of the blocks with oil that was dropped, from this one on, at most 64.
    #[inline]
    pub(crate) fn oil(&self, cell: usize, count: usize) -> u64 {
        bits(self.oil_plane(), cell, count)
    }

    /// Bits of the blocks with a truck, from this one on, at most 64.
    #[inline]
    pub(crate) fn trucks(&self, cell: usize, count: usize) -> u64 {
        bits(self.truck_plane(), cell, count)
    }

    /// Who dropped the oil on this block last: whether it was the second seat. Of no meaning where
    /// nobody did.
    #[inline]
    pub(crate) fn is_oil_of_second(&self, cell: usize) -> bool {
        is_set(&self.planes[self.words..2 * self.words], cell)
    }

    pub(crate) fn is_oil(&self, cell: usize) -> bool {
        is_set(self.oil_plane(), cell)
    }

    pub(crate) fn is_truck(&self, cell: usize) -> bool {
        is_set(self.truck_plane(), cell)
    }

    pub(crate) fn drop_oil(&mut self, cell: usize, by_second: bool) {
        let (oil, rest) = self.planes.split_at_mut(self.words);
        set(oil, cell);
        if by_second {
            set(rest, cell);
        } else {
            clear(rest, cell);
        }
    }

    /// Puts a truck where there is none.
    pub(crate) fn add_truck(&mut self, cell: usize) {
        assert!(!self.is_truck(cell), "no block holds two trucks");
        set(&mut self.planes[2 * self.words..], cell);
        self.trucks += 1;
    }

    /// Takes a truck away, if there is one.
    pub(crate) fn remove_truck(&mut self, cell: usize) {
        if self.is_truck(cell) {
            clear(&mut self.planes[2 * self.words..], cell);
            self.trucks -= 1;
        }
    }

    /// The cells with a truck, in order.
    pub(crate) fn truck_cells(&self) -> impl Iterator<Item = usize> {
        self.truck_plane().iter().enumerate().flat_map(|(word, &plane)| {
            (0..WORD).filter(move |bit| plane >> bit & 1 != 0).map(move |bit| word * WORD + bit)
        })
    }

    /// What is not 0, with its index.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, u64)> {
        self.planes.iter().copied().enumerate().filter(|&(_, word)| word != 0)
    }
}

const WORD: usize = u64::BITS as usize;

/// One word more than needed, so that two neighbours can be read at every place.
fn words_for(cells: usize) -> usize {
    cells / WORD + 2
}

#[inline]
fn bits(words: &[u64], from: usize, count: usize) -> u64 {
    let at = from / WORD;
    let pair = u128::from(words[at]) | u128::from(words[at + 1]) << WORD;
    let mask = u64::MAX.checked_shr((WORD - count) as u32).unwrap_or(0);
    (pair >> (from % WORD)) as u64 & mask
}

fn is_set(words: &[u64], cell: usize) -> bool {
    words[cell / WORD] >> (cell % WORD) & 1 != 0
}

fn set(words: &mut [u64], cell: usize) {
    words[cell / WORD] |= 1 << (cell % WORD);
}

fn clear(words: &mut [u64], cell: usize) {
    words[cell / WORD] &= !(1 << (cell % WORD));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_across_words() {
        let mut words = vec![0; words_for(200)];
        for cell in [0, 3, 63, 64, 70, 127, 128, 199] {
            set(&mut words, cell);
        }
        for from in 0..200 {
            for count in [0, 1, 5, 16, 63, 64] {
                let read = bits(&words, from, count);
                for bit in 0..WORD {
                    let expected = bit < count && is_set(&words, (from + bit).min(207));
                    assert_eq!(read >> bit & 1 != 0, expected, "{from} {count} {bit}");
                }
            }
        }
    }

    #[test]
    fn trucks_are_listed_in_order_and_oil_remembers_its_owner() {
        let mut marks = Marks::new(6000);
        for cell in [5999, 0, 1500, 64] {
            marks.add_truck(cell);
        }
        marks.remove_truck(64);
        marks.remove_truck(65);
        assert_eq!(marks.truck_cells().collect::<Vec<_>>(), [0, 1500, 5999]);
        assert!(marks.has_trucks());
        marks.drop_oil(77, true);
        assert!(marks.is_oil(77) && marks.is_oil_of_second(77) && !marks.is_oil(76));
        marks.drop_oil(77, false);
        assert!(marks.is_oil(77) && !marks.is_oil_of_second(77));
        assert_eq!(marks.oil(70, 16), 1 << 7);
    }
}
