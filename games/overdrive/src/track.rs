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
    /// What lies before each block, all in all.
    before: Box<[Counts]>,
}

impl Track {
    /// From whole lanes of equal length.
    pub(crate) fn new(lanes: &[Vec<Surface>]) -> Track {
        let length = lanes.first().map_or(0, Vec::len);
        assert!(lanes.iter().all(|lane| lane.len() == length), "lanes are equally long");
        let surfaces: Box<[Surface]> = lanes.concat().into();
        let mut before = Counts::default();
        let sums = surfaces.iter().map(|&surface| {
            let sum = before;
            before.add(surface);
            sum
        });
        Track {
            lanes: u8::try_from(lanes.len()).expect("a checked config has few lanes"),
            length: u16::try_from(length).expect("a checked config has a short track"),
            before: sums.collect(),
            surfaces,
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

    /// What lies on the blocks from one up to another that does not count, at most 63.
    #[inline]
    pub(crate) fn between(&self, first: usize, end: usize) -> Counts {
        Counts(self.before[end].0.wrapping_sub(self.before[first].0))
    }
}

/// How many there are of each surface, in six bits each. Sums run over into each other and into
/// nothing, but their differences do not, as long as no surface is there more than 63 times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts(u64);

impl Counts {
    const BITS: u32 = 6;
    pub(crate) const OBSTACLES: Counts =
        Counts(Self::all(Surface::Mud) | Self::all(Surface::OilSpill) | Self::all(Surface::Wall));
    pub(crate) const PICKUPS: Counts = Counts(
        Self::all(Surface::OilItem)
            | Self::all(Surface::Boost)
            | Self::all(Surface::Lizard)
            | Self::all(Surface::Tweet)
            | Self::all(Surface::Emp),
    );

    const fn all(surface: Surface) -> u64 {
        ((1 << Self::BITS) - 1) << (surface as u32 * Self::BITS)
    }

    #[inline]
    pub(crate) fn one(surface: Surface) -> Counts {
        Counts(1 << (surface as u32 * Self::BITS))
    }

    #[inline]
    pub(crate) fn add(&mut self, surface: Surface) {
        self.0 = self.0.wrapping_add(Counts::one(surface).0);
    }

    #[inline]
    pub(crate) fn remove(&mut self, surface: Surface) {
        self.0 = self.0.wrapping_sub(Counts::one(surface).0);
    }

    /// Whether there is anything of some kinds.
    #[inline]
    pub(crate) fn has(self, kinds: Counts) -> bool {
        self.0 & kinds.0 != 0
    }

    /// Those of some kinds, by their numbers, each as often as it is there.
    #[inline]
    pub(crate) fn of(self, kinds: Counts) -> impl Iterator<Item = Surface> {
        let mut left = self.0 & kinds.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let surface = left.trailing_zeros() / Self::BITS;
            left -= 1 << (surface * Self::BITS);
            Some(Surface::ALL[surface as usize])
        })
    }
}

/// What the race has added to the track: oil and trucks, one bit per block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marks {
    /// One plane after the other, see [`Plane`].
    words: Box<[u64]>,
    words_per_plane: usize,
    trucks: usize,
}

#[derive(Clone, Copy)]
enum Plane {
    /// Oil that was dropped.
    Oil,
    /// Whether the second seat was the last to drop oil there.
    OilOfSecond,
    Trucks,
}

const PLANES: usize = 3;

impl Marks {
    pub(crate) fn new(track: &Track) -> Marks {
        let words_per_plane = words_for(track.surfaces.len());
        Marks { words: vec![0; PLANES * words_per_plane].into(), words_per_plane, trucks: 0 }
    }

    #[inline]
    fn plane(&self, plane: Plane) -> &[u64] {
        &self.words[plane as usize * self.words_per_plane..][..self.words_per_plane]
    }

    #[inline]
    fn plane_mut(&mut self, plane: Plane) -> &mut [u64] {
        &mut self.words[plane as usize * self.words_per_plane..][..self.words_per_plane]
    }

    #[inline]
    pub(crate) fn has_trucks(&self) -> bool {
        self.trucks > 0
    }

    /// Bits of the blocks with oil that was dropped, from this one on, 1 to 64.
    #[inline]
    pub(crate) fn oil(&self, cell: usize, count: usize) -> u64 {
        bits(self.plane(Plane::Oil), cell, count)
    }

    /// Bits of the blocks with a truck, from this one on, 1 to 64.
    #[inline]
    pub(crate) fn trucks(&self, cell: usize, count: usize) -> u64 {
        bits(self.plane(Plane::Trucks), cell, count)
    }

    /// Who dropped the oil on this block last: whether it was the second seat. Of no meaning where
    /// nobody did.
    #[inline]
    pub(crate) fn is_oil_of_second(&self, cell: usize) -> bool {
        is_set(self.plane(Plane::OilOfSecond), cell)
    }

    #[inline]
    pub(crate) fn is_oil(&self, cell: usize) -> bool {
        is_set(self.plane(Plane::Oil), cell)
    }

    pub(crate) fn is_truck(&self, cell: usize) -> bool {
        is_set(self.plane(Plane::Trucks), cell)
    }

    pub(crate) fn drop_oil(&mut self, cell: usize, by_second: bool) {
        set(self.plane_mut(Plane::Oil), cell);
        let owner = self.plane_mut(Plane::OilOfSecond);
        if by_second {
            set(owner, cell);
        } else {
            clear(owner, cell);
        }
    }

    /// Puts a truck where there is none.
    pub(crate) fn add_truck(&mut self, cell: usize) {
        assert!(!self.is_truck(cell), "no block holds two trucks");
        set(self.plane_mut(Plane::Trucks), cell);
        self.trucks += 1;
    }

    /// Takes a truck away, if there is one.
    pub(crate) fn remove_truck(&mut self, cell: usize) {
        if self.is_truck(cell) {
            clear(self.plane_mut(Plane::Trucks), cell);
            self.trucks -= 1;
        }
    }

    /// The cells with a truck, in order.
    pub(crate) fn truck_cells(&self) -> impl Iterator<Item = usize> {
        self.plane(Plane::Trucks).iter().enumerate().flat_map(|(word, &plane)| {
            (0..WORD).filter(move |bit| plane >> bit & 1 != 0).map(move |bit| word * WORD + bit)
        })
    }

    /// What the race has added, as words that are not 0 with their index.
    pub(crate) fn added(&self) -> impl Iterator<Item = (usize, u64)> {
        self.words.iter().copied().enumerate().filter(|&(_, word)| word != 0)
    }
}

const WORD: usize = u64::BITS as usize;

/// One word more than needed, so that two neighbours can be read at every place.
fn words_for(cells: usize) -> usize {
    cells / WORD + 2
}

#[inline]
fn bits(words: &[u64], from: usize, count: usize) -> u64 {
    debug_assert!((1..=WORD).contains(&count));
    let (at, shift) = (from / WORD, from % WORD);
    let pair = &words[at..at + 2];
    // Shifted twice, since a shift by a whole word is none.
    let both = pair[0] >> shift | pair[1] << 1 << (WORD - 1 - shift);
    both & u64::MAX >> (WORD - count)
}

#[inline]
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
            for count in [1, 5, 16, 63, 64] {
                let read = bits(&words, from, count);
                for bit in 0..WORD {
                    let expected = bit < count && is_set(&words, (from + bit).min(207));
                    assert_eq!(read >> bit & 1 != 0, expected, "{from} {count} {bit}");
                }
            }
        }
    }

    #[test]
    fn what_lies_between_is_counted_at_any_place() {
        let surface = |block: usize| Surface::ALL[block * block / 7 % 10];
        let track = Track::new(&vec![(0..1500).map(surface).collect::<Vec<_>>(); 2]);
        for first in (0..2900).step_by(17) {
            for length in [0, 1, 15, 51] {
                let mut expected = track.surfaces()[first..first + length].to_vec();
                expected.sort_by_key(|&surface| surface as u8);
                let counts = track.between(first, first + length);
                let all = Counts(u64::MAX >> 4);
                assert_eq!(counts.of(all).collect::<Vec<_>>(), expected);
            }
        }
        let mut counts = Counts::one(Surface::Wall);
        counts.add(Surface::Emp);
        counts.remove(Surface::Wall);
        assert_eq!(counts, Counts::one(Surface::Emp));
    }

    #[test]
    fn trucks_are_listed_in_order_and_oil_remembers_its_owner() {
        let mut marks = Marks::new(&Track::new(&vec![vec![Surface::Empty; 1500]; 4]));
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
