//! The rules once more, written from the document with explicit sets: slow, and easy to believe.

use std::collections::BTreeSet;

use quintain_core::Seat;
use quintain_hockey::Direction;

/// x from west to east, y from north to south.
pub(crate) type Place = (i8, i8);

/// How a game of the oracle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Goal { winner: Seat },
    Checkmate { loser: Seat },
}

#[derive(Clone)]
pub(crate) struct Oracle {
    pub(crate) puck: Place,
    pub(crate) active: Seat,
    pub(crate) end: Option<End>,
    /// Lines that are used, each with its smaller end first.
    broken: BTreeSet<(Place, Place)>,
    visited: BTreeSet<Place>,
}

impl Oracle {
    pub(crate) fn new() -> Self {
        let puck = (5, 5);
        Oracle {
            puck,
            active: Seat::First,
            end: None,
            broken: BTreeSet::new(),
            visited: BTreeSet::from([puck]),
        }
    }

    /// Free lines of the puck's node, also once the game is over.
    pub(crate) fn legal(&self) -> Vec<Direction> {
        let is_free = |direction: &Direction| {
            let to = step(self.puck, *direction);
            (is_line(self.puck, to) || is_line(to, self.puck))
                && !self.broken.contains(&line(self.puck, to))
        };
        Direction::ALL.into_iter().filter(is_free).collect()
    }

    pub(crate) fn throw(&mut self, direction: Direction) {
        assert!(self.end.is_none() && self.legal().contains(&direction));
        let thrower = self.active;
        let from = self.puck;
        self.puck = step(from, direction);
        self.broken.insert(line(from, self.puck));
        let bounces = is_wall(self.puck) || self.visited.contains(&self.puck);
        self.visited.insert(self.puck);
        if !bounces {
            self.active = thrower.other();
        }
        if self.puck.1 == -1 {
            self.end = Some(End::Goal { winner: Seat::First });
        } else if self.puck.1 == 11 {
            self.end = Some(End::Goal { winner: Seat::Second });
        } else if self.legal().is_empty() {
            self.end = Some(End::Checkmate { loser: thrower });
        }
    }

    /// Sequences of exactly `depth` throws from here.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.end.is_some() {
            return 0;
        }
        let count = |direction| {
            let mut next = self.clone();
            next.throw(direction);
            next.perft(depth - 1)
        };
        self.legal().into_iter().map(count).sum()
    }
}

fn step((x, y): Place, direction: Direction) -> Place {
    let (dx, dy) = direction.step();
    (x + dx, y + dy)
}

fn line(a: Place, b: Place) -> (Place, Place) {
    (a.min(b), a.max(b))
}

fn is_field((x, y): Place) -> bool {
    (0..=10).contains(&x) && (0..=10).contains(&y)
}

/// The rim is wall, except for the middle of each mouth.
fn is_wall((x, y): Place) -> bool {
    let is_rim = x == 0 || x == 10 || y == 0 || y == 10;
    is_rim && (x, y) != (5, 0) && (x, y) != (5, 10)
}

fn is_line(a: Place, b: Place) -> bool {
    let nets = [((5, 0), -1), ((5, 10), 11)];
    if is_field(a) && is_field(b) {
        let along_a_wall =
            (a.0 == b.0 && (a.0 == 0 || a.0 == 10)) || (a.1 == b.1 && (a.1 == 0 || a.1 == 10));
        let is_mouth = |place| nets.iter().any(|&(middle, _)| middle == place);
        return !along_a_wall || is_mouth(a) || is_mouth(b);
    }
    // Into a net: from the middle of its mouth to any of its nodes, from a post to the middle one.
    nets.iter().any(|&((x, y), behind)| {
        let from_middle = a == (x, y) && b.1 == behind && (b.0 - x).abs() <= 1;
        let from_post = a.1 == y && (a.0 - x).abs() == 1 && b == (x, behind);
        from_middle || from_post
    })
}
