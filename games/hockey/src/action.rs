//! What a player can do: throw the puck one step in one of eight directions.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A throw. The order is that of the document's list of commands: clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Direction {
    #[serde(rename = "north")]
    North,
    #[serde(rename = "north east")]
    NorthEast,
    #[serde(rename = "east")]
    East,
    #[serde(rename = "south east")]
    SouthEast,
    #[serde(rename = "south")]
    South,
    #[serde(rename = "south west")]
    SouthWest,
    #[serde(rename = "west")]
    West,
    #[serde(rename = "north west")]
    NorthWest,
}

impl Direction {
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// The direction at this place of [`Direction::ALL`], counted from 0 and modulo 8. Written out
    /// because the compiler sees that this is no work at all, unlike a look-up.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> Direction {
        match number % 8 {
            0 => Direction::North,
            1 => Direction::NorthEast,
            2 => Direction::East,
            3 => Direction::SouthEast,
            4 => Direction::South,
            5 => Direction::SouthWest,
            6 => Direction::West,
            _ => Direction::NorthWest,
        }
    }

    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::from_number(self as u8 + 4)
    }

    /// The step to the east and to the south.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (1, -1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, -1),
        }
    }

    /// The document's word, in lower case with one blank inside the diagonals.
    pub const fn word(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::NorthEast => "north east",
            Direction::East => "east",
            Direction::SouthEast => "south east",
            Direction::South => "south",
            Direction::SouthWest => "south west",
            Direction::West => "west",
            Direction::NorthWest => "north west",
        }
    }

    /// The inverse of [`Direction::word`]: exactly the word, nothing around it.
    pub fn from_word(word: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.word() == word)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why a throw is refused. It costs nothing but the time that goes on running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// There is no line in that direction: the rim, or the outside of a post.
    Wall(Direction),
    /// The line has been used, in whichever direction and by whomever.
    Used(Direction),
    /// An answer without meaning. The protocol answers those itself, so the rules see none from
    /// it; they treat one as a refused throw.
    Unreadable,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::Wall(direction) => write!(f, "{direction}: there is a wall"),
            Illegal::Used(direction) => write!(f, "{direction}: the line has been used"),
            Illegal::Unreadable => f.write_str("an answer without meaning"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_of_a_direction_steps_back() {
        for direction in Direction::ALL {
            let ((x, y), (back_x, back_y)) = (direction.step(), direction.opposite().step());
            assert_eq!((x + back_x, y + back_y), (0, 0), "{direction}");
        }
    }

    #[test]
    fn words_are_read_back_and_nothing_else_is() {
        for direction in Direction::ALL {
            assert_eq!(Direction::from_word(direction.word()), Some(direction));
        }
        for word in ["", "North", "north ", " north", "northeast", "north  east", "nord"] {
            assert_eq!(Direction::from_word(word), None, "{word:?}");
        }
    }
}
