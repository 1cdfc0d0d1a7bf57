//! The rink: where the puck is, which nodes it has seen and which segments it has used.

use std::collections::HashSet;

/// The highest x and y. (0, 0) is the north-west corner.
const LAST: i32 = 10;

/// The column of both mouths. The puck starts in the middle of the rink.
pub const MIDDLE: i32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
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

    /// The word that the host understands.
    pub fn word(self) -> &'static str {
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

    pub fn from_word(word: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.word() == word)
    }

    fn step_from(self, node: Node) -> Node {
        let (dx, dy) = match self {
            Direction::North => (0, -1),
            Direction::NorthEast => (1, -1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, 1),
            Direction::South => (0, 1),
            Direction::SouthWest => (-1, 1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, -1),
        };
        Node { x: node.x + dx, y: node.y + dy }
    }
}

/// The end of the rink at which a player scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    North,
    South,
}

impl Goal {
    /// The row of the nodes inside the net.
    pub fn net_row(self) -> i32 {
        match self {
            Goal::North => -1,
            Goal::South => LAST + 1,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Board {
    puck: Node,
    visited: HashSet<Node>,
    /// Each segment with its smaller node first.
    used: HashSet<(Node, Node)>,
}

impl Board {
    pub fn new() -> Board {
        let puck = Node { x: MIDDLE, y: MIDDLE };
        Board { puck, visited: HashSet::from([puck]), used: HashSet::new() }
    }

    /// The node to which a throw in this direction would bring the puck.
    pub fn target(&self, direction: Direction) -> Node {
        direction.step_from(self.puck)
    }

    /// The directions in which the puck can be thrown now.
    pub fn legal(&self) -> impl Iterator<Item = Direction> {
        let is_free = |direction: &Direction| self.is_free(self.puck, self.target(*direction));
        Direction::ALL.into_iter().filter(is_free)
    }

    /// Whether whoever throws in this direction may throw again.
    pub fn bounces(&self, direction: Direction) -> bool {
        let node = self.target(direction);
        is_wall(node) || self.visited.contains(&node)
    }

    /// Whether the puck would be stuck after this throw, which loses the game.
    pub fn is_dead_end(&self, direction: Direction) -> bool {
        let node = self.target(direction);
        let mut neighbours = Direction::ALL.into_iter().map(|step| step.step_from(node));
        !is_net(node) && !neighbours.any(|next| next != self.puck && self.is_free(node, next))
    }

    /// Moves the puck, whoever has thrown it.
    pub fn throw(&mut self, direction: Direction) {
        let node = self.target(direction);
        self.used.insert(segment(self.puck, node));
        self.visited.insert(node);
        self.puck = node;
    }

    /// Whether there is a segment between two neighbouring nodes that nobody has used yet.
    fn is_free(&self, a: Node, b: Node) -> bool {
        let is_outside = |node: Node| node.x < 0 || node.x > LAST;
        let along_side = a.x == b.x && (a.x == 0 || a.x == LAST);
        // Along an end wall, or from it into the net: only around the middle of the mouth.
        let at_end = a.y.max(b.y) <= 0 || a.y.min(b.y) >= LAST;
        let at_mouth = a.x == MIDDLE || b.x == MIDDLE;
        !is_outside(a)
            && !is_outside(b)
            && !along_side
            && (!at_end || at_mouth)
            && !self.used.contains(&segment(a, b))
    }
}

pub fn is_net(node: Node) -> bool {
    node.y == Goal::North.net_row() || node.y == Goal::South.net_row()
}

/// Walls throw the puck back. The two mouths are open, their posts are walls.
fn is_wall(node: Node) -> bool {
    let on = |value: i32| value == 0 || value == LAST;
    on(node.x) || (on(node.y) && node.x != MIDDLE)
}

fn segment(a: Node, b: Node) -> (Node, Node) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board after these throws.
    fn after(words: &[&str]) -> Board {
        let mut board = Board::new();
        for word in words {
            let direction = Direction::from_word(word).unwrap();
            assert!(board.legal().any(|legal| legal == direction), "{word} is legal");
            board.throw(direction);
        }
        board
    }

    /// A board on which the puck has been put down somewhere.
    fn at(x: i32, y: i32) -> Board {
        Board { puck: Node { x, y }, ..Board::new() }
    }

    fn check_exits(x: i32, y: i32, expected: &[&str]) {
        let board = at(x, y);
        let mut exits: Vec<&str> = board.legal().map(Direction::word).collect();
        let mut expected = expected.to_vec();
        exits.sort_unstable();
        expected.sort_unstable();
        assert_eq!(exits, expected, "exits of ({x}, {y})");
    }

    #[test]
    fn words_and_directions_are_inverse() {
        for direction in Direction::ALL {
            assert_eq!(Direction::from_word(direction.word()), Some(direction));
        }
        assert_eq!(Direction::from_word("nord"), None);
    }

    #[test]
    fn every_kind_of_node_has_its_exits() {
        let all: Vec<&str> = Direction::ALL.into_iter().map(Direction::word).collect();
        check_exits(3, 7, &all);
        check_exits(0, 4, &["north east", "east", "south east"]);
        check_exits(10, 4, &["north west", "west", "south west"]);
        check_exits(2, 0, &["south west", "south", "south east"]);
        check_exits(8, 10, &["north west", "north", "north east"]);
        check_exits(0, 0, &["south east"]);
        check_exits(10, 0, &["south west"]);
        check_exits(0, 10, &["north east"]);
        check_exits(10, 10, &["north west"]);
        check_exits(4, 0, &["north east", "east", "south", "south east", "south west"]);
        check_exits(6, 0, &["north west", "west", "south", "south east", "south west"]);
        check_exits(4, 10, &["south east", "east", "north", "north east", "north west"]);
        check_exits(6, 10, &["south west", "west", "north", "north east", "north west"]);
        check_exits(5, 0, &all);
        check_exits(5, 10, &all);
    }

    #[test]
    fn a_segment_is_used_once_in_either_direction() {
        let board = after(&["north"]);
        assert!(!board.legal().any(|direction| direction == Direction::South));
        assert_eq!(board.legal().count(), 7);
    }

    #[test]
    fn walls_and_visited_nodes_bounce_and_the_open_mouth_does_not() {
        let board = after(&["north", "east", "south west"]);
        assert_eq!(board.target(Direction::North), Node { x: 5, y: 4 });
        assert!(after(&["north", "east"]).bounces(Direction::SouthWest));
        assert!(!after(&["north"]).bounces(Direction::East));
        assert!(at(4, 1).bounces(Direction::North));
        assert!(at(1, 4).bounces(Direction::West));
        assert!(!at(5, 1).bounces(Direction::North));
    }

    #[test]
    fn a_corner_is_a_dead_end_and_the_net_is_none() {
        assert!(at(1, 1).is_dead_end(Direction::NorthWest));
        assert!(!at(1, 1).is_dead_end(Direction::North));
        assert!(!at(5, 0).is_dead_end(Direction::North));
    }

    #[test]
    fn the_second_entry_into_a_rim_node_is_a_dead_end() {
        // Into the west wall, out by another segment; the third one is the last.
        let mut board = at(1, 4);
        for word in ["west", "north east", "south"] {
            assert!(!board.is_dead_end(Direction::from_word(word).unwrap()), "{word}");
            board.throw(Direction::from_word(word).unwrap());
        }
        board.throw(Direction::South);
        assert!(board.is_dead_end(Direction::NorthWest));
    }
}
