//! The rink: its nodes, the lines between them, and which of these are still free.
//!
//! The board keeps one byte per node, a bit for each direction in which a free line leaves. That is
//! all there is to know: a node that has been visited has lost at least the line by which the puck
//! came or, if it is where the puck started, the line by which it left. So a node is *fresh*
//! exactly when all eight of its lines are free, and wall nodes, which never have eight, bounce
//! always. `tests/perft.rs` checks this against a version with explicit sets of lines and nodes.

use quintain_core::Seat;

use crate::Direction;

const COLUMNS: usize = 11;
/// The eleven rows of the field, a row with the north net above and one with the south net below.
const ROWS: usize = 13;
const NODES: usize = COLUMNS * ROWS;
const ALL_FREE: u8 = 0xff;

/// A place where the puck can lie: x 0 to 10 from west to east, y 0 to 10 from north to south, and
/// x 4 to 6 with y -1 or 11 inside the nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node(u8);

impl Node {
    /// Where the puck starts.
    pub const CENTRE: Node = Node::at(5, 5);

    /// The node at these coordinates, or `None` where there is none.
    pub const fn new(x: i8, y: i8) -> Option<Node> {
        let in_field = x >= 0 && x <= 10 && y >= 0 && y <= 10;
        let in_net = x >= 4 && x <= 6 && (y == -1 || y == 11);
        if in_field || in_net { Some(Node::at(x, y)) } else { None }
    }

    const fn at(x: i8, y: i8) -> Node {
        Node(((y + 1) as u8) * COLUMNS as u8 + x as u8)
    }

    /// Every node, row by row from the north.
    pub fn all() -> impl Iterator<Item = Node> {
        (-1..=11).flat_map(|y| (0..=10).filter_map(move |x| Node::new(x, y)))
    }

    pub const fn x(self) -> i8 {
        (self.0 % COLUMNS as u8) as i8
    }

    pub const fn y(self) -> i8 {
        (self.0 / COLUMNS as u8) as i8 - 1
    }

    /// The node one step away. There must be a line.
    #[inline]
    const fn step(self, direction: Direction) -> Node {
        const OFFSETS: [i8; 8] = [-11, -10, 1, 12, 11, 10, -1, -12];
        Node(self.0.wrapping_add_signed(OFFSETS[direction as usize]))
    }

    /// The seat that scores when the puck lies here: the first attacks the north net, the second
    /// the south net, whoever threw.
    pub const fn net(self) -> Option<Seat> {
        match self.y() {
            -1 => Some(Seat::First),
            11 => Some(Seat::Second),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn is_net(self) -> bool {
        const FIELD_NODES: u8 = (NODES - 2 * COLUMNS) as u8;
        self.0.wrapping_sub(COLUMNS as u8) >= FIELD_NODES
    }
}

/// The free lines of one node: a set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exits(u8);

impl Exits {
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & bit(direction) != 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn count(self) -> u32 {
        SETS[self.0 as usize] >> 24
    }

    /// The direction with `index` others before it, in the order of [`Direction::ALL`]. `index`
    /// must be below `count`.
    #[inline]
    pub const fn nth(self, index: u32) -> Direction {
        assert!(index < self.count(), "a node has fewer free lines than were counted");
        Direction::from_number((SETS[self.0 as usize] >> (3 * index)) as u8 & 7)
    }

    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.contains(direction))
    }
}

/// The lines that are still free, the puck and whose throw it is. 145 bytes, cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    free: [u8; NODES],
    puck: Node,
    active: Seat,
}

impl Board {
    /// The empty rink, the puck at the centre, the first seat to throw.
    pub const START: Board = Board { free: INITIAL, puck: Node::CENTRE, active: Seat::First };

    /// An empty rink with the puck elsewhere.
    pub const fn empty(puck: Node, active: Seat) -> Board {
        Board { free: INITIAL, puck, active }
    }

    /// The same position with this seat to throw.
    pub const fn with_active(self, active: Seat) -> Board {
        Board { active, ..self }
    }

    #[inline]
    pub const fn puck(&self) -> Node {
        self.puck
    }

    /// The seat to throw. After a throw that ended the game: the one that did not throw it.
    #[inline]
    pub const fn active(&self) -> Seat {
        self.active
    }

    /// The free lines of a node.
    #[inline]
    pub const fn exits(&self, node: Node) -> Exits {
        Exits(self.free[node.0 as usize])
    }

    /// Whether neither the puck has been here nor a wall is: landing here passes the turn.
    pub const fn is_fresh(&self, node: Node) -> bool {
        self.free[node.0 as usize] == ALL_FREE
    }

    /// Whether a line leaves the node in this direction, used or not.
    pub const fn has_line(node: Node, direction: Direction) -> bool {
        INITIAL[node.0 as usize] & bit(direction) != 0
    }

    /// The line's other end, if there is a line.
    pub const fn beyond(node: Node, direction: Direction) -> Option<Node> {
        if Board::has_line(node, direction) { Some(node.step(direction)) } else { None }
    }

    /// Written as a choice, since nobody can predict it and a wrong guess costs more than the throw.
    #[inline]
    pub(crate) fn pass_turn(&mut self, passes: bool) {
        self.active = if passes { self.active.other() } else { self.active };
    }

    /// Moves the puck along a free line and uses that line up. Whether the node was fresh.
    #[inline]
    pub(crate) fn slide(&mut self, direction: Direction) -> bool {
        let out = bit(direction);
        let from = &mut self.free[self.puck.0 as usize];
        assert!(*from & out != 0, "only a free line can be used");
        *from &= !out;

        self.puck = self.puck.step(direction);
        let to = &mut self.free[self.puck.0 as usize];
        let is_fresh = *to == ALL_FREE;
        // Opposite directions lie four bits apart.
        *to &= !out.rotate_left(4);
        is_fresh
    }

    /// Uses a line up without a throw, for setups. False if there is no such free line.
    pub(crate) fn use_line(&mut self, node: Node, direction: Direction) -> bool {
        if !self.exits(node).contains(direction) {
            return false;
        }
        self.free[node.0 as usize] &= !bit(direction);
        self.free[node.step(direction).0 as usize] &= !bit(direction.opposite());
        true
    }

    /// The free lines of all nodes, for the digest.
    pub(crate) fn free_bytes(&self) -> &[u8] {
        &self.free
    }
}

#[inline]
const fn bit(direction: Direction) -> u8 {
    1 << direction as u8
}

/// Whether a line joins two neighbouring nodes on an empty rink.
const fn is_joined(node: Node, direction: Direction) -> bool {
    let (dx, dy) = direction.step();
    let (x, y) = (node.x(), node.y());
    let Some(end) = Node::new(x + dx, y + dy) else {
        return false;
    };
    // Into a net, lines lead only from the mouth's centre, and from the posts to the net's centre.
    if node.is_net() || end.is_net() {
        let (inside, outside) = if node.is_net() { (node, end) } else { (end, node) };
        return !outside.is_net() && (outside.x() == 5 || (outside.is_post() && inside.x() == 5));
    }
    // No line runs along the rim, except across the mouth between the posts.
    let along_side = dx == 0 && (x == 0 || x == 10);
    let along_end = dy == 0 && (y == 0 || y == 10);
    let across_mouth = x >= 4 && x <= 6 && end.x() >= 4 && end.x() <= 6;
    !along_side && (!along_end || across_mouth)
}

impl Node {
    const fn is_post(self) -> bool {
        (self.x() == 4 || self.x() == 6) && (self.y() == 0 || self.y() == 10)
    }
}

/// The lines of every node of an empty rink.
const INITIAL: [u8; NODES] = {
    let mut free = [0; NODES];
    let mut index = 0;
    while index < NODES {
        let node = Node(index as u8);
        let mut number = 0;
        while number < 8 {
            let direction = Direction::ALL[number];
            if Node::new(node.x(), node.y()).is_some() && is_joined(node, direction) {
                free[index] |= bit(direction);
            }
            number += 1;
        }
        index += 1;
    }
    free
};

/// For each set of directions their number in the highest byte and, below it, the directions
/// themselves in order, three bits each. Processors without an instruction for either would have
/// to loop; one look-up answers both questions of a random throw.
const SETS: [u32; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut found = 0;
        let mut number = 0;
        while number < 8 {
            if set & (1 << number) != 0 {
                table[set] |= number << (3 * found);
                found += 1;
            }
            number += 1;
        }
        table[set] |= found << 24;
        set += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn exits(x: i8, y: i8) -> String {
        let node = Node::new(x, y).expect("the test names a node");
        let words: Vec<_> = Board::START.exits(node).iter().map(Direction::word).collect();
        words.join(", ")
    }

    #[test]
    fn every_kind_of_node_has_its_lines() {
        let eight = "north, north east, east, south east, south, south west, west, north west";
        assert_eq!(exits(1, 9), eight);
        assert_eq!(exits(5, 0), eight);
        assert_eq!(exits(5, 10), eight);
        assert_eq!(exits(0, 5), "north east, east, south east");
        assert_eq!(exits(10, 5), "south west, west, north west");
        assert_eq!(exits(2, 0), "south east, south, south west");
        assert_eq!(exits(8, 10), "north, north east, north west");
        assert_eq!(exits(0, 0), "south east");
        assert_eq!(exits(10, 0), "south west");
        assert_eq!(exits(0, 10), "north east");
        assert_eq!(exits(10, 10), "north west");
        assert_eq!(exits(4, 0), "north east, east, south east, south, south west");
        assert_eq!(exits(6, 0), "south east, south, south west, west, north west");
        assert_eq!(exits(4, 10), "north, north east, east, south east, north west");
        assert_eq!(exits(6, 10), "north, north east, south west, west, north west");
        assert_eq!(exits(4, -1), "south east");
        assert_eq!(exits(5, -1), "south east, south, south west");
        assert_eq!(exits(6, 11), "north west");
    }

    #[test]
    fn every_line_has_two_ends() {
        for node in Node::all() {
            for direction in Board::START.exits(node).iter() {
                let end = node.step(direction);
                assert!(Board::has_line(end, direction.opposite()), "{node:?} {direction}");
            }
        }
    }

    #[test]
    fn there_are_127_nodes_and_their_coordinates_are_read_back() {
        let nodes: Vec<Node> = Node::all().collect();
        assert_eq!(nodes.len(), 127);
        for node in nodes {
            assert_eq!(Node::new(node.x(), node.y()), Some(node));
            assert_eq!(node.is_net(), node.net().is_some());
        }
        for (x, y) in [(-1, 5), (11, 5), (3, -1), (7, 11), (5, -2), (5, 12), (127, -128)] {
            assert_eq!(Node::new(x, y), None, "({x}, {y})");
        }
    }

    #[test]
    fn tables_agree_with_the_definition() {
        for set in 0..=255 {
            let exits = Exits(set);
            let directions: Vec<_> = exits.iter().collect();
            assert_eq!(directions.len(), exits.count() as usize);
            for (index, &direction) in directions.iter().enumerate() {
                assert_eq!(exits.nth(index as u32), direction);
            }
        }
    }
}
