//! What one seat may know: its own car, where the other is and how fast, and the blocks around.

use quintain_core::Seat;
use quintain_core::entelect::Prefix;

use crate::{Place, Powerups, States, Surface};

#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub seat: Seat,
    /// The round now being played, from 1.
    pub round: u32,
    pub rounds_max: u32,
    pub own: OwnCar,
    pub opponent: Rival,
    pub window: Window,
    pub numbers: Numbers,
    /// Where the player's line may have the prefix of its answer.
    pub prefix: Prefix,
}

/// The own car, as far as state files show it.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnCar {
    pub place: Place,
    pub speed: u8,
    pub damage: u8,
    pub score: i32,
    pub is_boosting: bool,
    pub boost_counter: u16,
    pub states: States,
    pub powerups: Powerups,
}

/// The other car. The document shows no more of it, but this at any distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    pub place: Place,
    pub speed: u8,
}

/// The visible part of every lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub first_block: u16,
    /// Blocks per lane.
    pub width: usize,
    /// Lane by lane.
    pub cells: Vec<Cell>,
}

impl Window {
    pub fn lanes(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks_exact(self.width)
    }

    /// The block at a place; `None` if it is out of sight.
    pub fn get(&self, place: Place) -> Option<Cell> {
        let lane = self.lanes().nth(usize::from(place.lane).checked_sub(1)?)?;
        lane.get(usize::from(place.block.checked_sub(self.first_block)?)).copied()
    }
}

/// A visible block, in one byte: what lies on it, whether a truck and which car stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell(u8);

impl Cell {
    const TRUCK: u8 = 1 << 4;
    const CAR_SHIFT: u8 = 5;
    /// One more than the index of any cell.
    pub(crate) const INDEX_END: usize = 3 << 5;

    pub const fn new(surface: Surface) -> Cell {
        Cell(surface as u8)
    }

    pub const fn with_truck(self) -> Cell {
        Cell(self.0 | Cell::TRUCK)
    }

    /// A car takes the place of another.
    pub const fn with_car(self, seat: Seat) -> Cell {
        Cell(self.0 & 0x1f | (seat as u8 + 1) << Cell::CAR_SHIFT)
    }

    pub const fn surface(self) -> Surface {
        Surface::ALL[(self.0 & 0xf) as usize]
    }

    pub const fn has_truck(self) -> bool {
        self.0 & Cell::TRUCK != 0
    }

    pub const fn car(self) -> Option<Seat> {
        match self.0 >> Cell::CAR_SHIFT {
            0 => None,
            1 => Some(Seat::First),
            _ => Some(Seat::Second),
        }
    }

    /// A small number of its own for each kind of cell.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every cell there can be.
    pub(crate) fn all() -> impl Iterator<Item = Cell> {
        Surface::ALL.into_iter().flat_map(|surface| {
            let bare = Cell::new(surface);
            [bare, bare.with_truck()]
                .into_iter()
                .flat_map(|cell| [cell, cell.with_car(Seat::First), cell.with_car(Seat::Second)])
        })
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (surface, truck, car) = (self.surface(), self.has_truck(), self.car());
        f.debug_struct("Cell")
            .field("surface", &surface)
            .field("truck", &truck)
            .field("car", &car)
            .finish()
    }
}

/// The numbers that state files have for surfaces and for no car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// By surface, in the order of [`Surface::ALL`].
    pub surfaces: [u8; Surface::ALL.len()],
    pub no_car: u8,
}
