//! The two sides of a match, and containers indexed by them.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A side in a match. All games of this project have two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "usize", try_from = "usize")]
#[repr(u8)]
pub enum Seat {
    First = 0,
    Second = 1,
}

impl Seat {
    /// Both seats in the order of the game's document.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    #[inline]
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// In sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }

    /// 0 or 1, for wire formats and files. Containers are indexed by the seat itself.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`Seat::index`]; `None` for anything but 0 and 1.
    pub const fn from_index(index: usize) -> Option<Seat> {
        match index {
            0 => Some(Seat::First),
            1 => Some(Seat::Second),
            _ => None,
        }
    }
}

impl From<Seat> for usize {
    fn from(seat: Seat) -> usize {
        seat.index()
    }
}

impl TryFrom<usize> for Seat {
    type Error = String;

    fn try_from(index: usize) -> Result<Seat, String> {
        Seat::from_index(index).ok_or_else(|| format!("expected seat 0 or 1, got {index}"))
    }
}

/// One value per seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerSeat<T>(pub [T; 2]);

impl<T> PerSeat<T> {
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        PerSeat([make(Seat::First), make(Seat::Second)])
    }

    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::BOTH.into_iter().zip(self.0.iter())
    }

    pub fn as_ref(&self) -> PerSeat<&T> {
        let [first, second] = &self.0;
        PerSeat([first, second])
    }

    pub fn map<U>(self, mut make: impl FnMut(Seat, T) -> U) -> PerSeat<U> {
        let [first, second] = self.0;
        PerSeat([make(Seat::First, first), make(Seat::Second, second)])
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat as usize]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat as usize]
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(u8);

impl Seats {
    pub const NONE: Seats = Seats(0);
    pub const BOTH: Seats = Seats(3);

    #[inline]
    pub const fn only(seat: Seat) -> Seats {
        Seats(1 << seat as u8)
    }

    /// This set and `seat`.
    #[inline]
    pub const fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat as u8)
    }

    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat as u8) != 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seat, if it is exactly one.
    #[inline]
    pub const fn single(self) -> Option<Seat> {
        // Written so that which seat it is does not become a branch: in random play nobody, and
        // no processor, can guess it.
        let seat = if self.0 & 2 == 0 { Seat::First } else { Seat::Second };
        if self.0.wrapping_sub(1) < 2 { Some(seat) } else { None }
    }

    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(move |&seat| self.contains(seat))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_seats_contains_what_it_was_made_of() {
        assert_eq!(Seats::BOTH.iter().collect::<Vec<_>>(), Seat::BOTH);
        assert_eq!(Seats::only(Seat::Second).iter().collect::<Vec<_>>(), [Seat::Second]);
        assert!(Seats::NONE.is_empty() && Seats::NONE.iter().next().is_none());
        assert!(!Seats::only(Seat::First).contains(Seat::Second));
        assert_eq!(Seats::only(Seat::First).with(Seat::Second), Seats::BOTH);
    }

    #[test]
    fn index_and_from_index_are_inverse() {
        for seat in Seat::BOTH {
            assert_eq!(Seat::from_index(seat.index()), Some(seat));
        }
        assert_eq!(Seat::from_index(2), None);
    }
}
