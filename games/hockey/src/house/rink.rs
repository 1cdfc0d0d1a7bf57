//! The rink as the search sees it: sets of nodes, so that a flood over all lines is a few shifts.

use quintain_core::{PerSeat, Seat, SplitMix64};

use crate::{Board, Direction, Node};

/// A set of nodes of the field: bit 11 y + x.
pub(super) type Nodes = u128;

pub(super) const FIELD: usize = COLUMNS * COLUMNS;
const COLUMNS: usize = 11;

/// How far the bits of a line's ends lie apart, for east, south east, south and south west. The other
/// four directions are the same lines seen from their other end.
const SHIFTS: [usize; 4] = [1, COLUMNS + 1, COLUMNS, COLUMNS - 1];

/// The lines that are still free, the nodes that the puck has not seen, and the puck. Lines into the nets
/// are no part of it: who throws along one has ended the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rink {
    lines: [Nodes; SHIFTS.len()],
    fresh: Nodes,
    /// Of the used lines.
    hash: u64,
    puck: u8,
}

/// For each seat the nodes from which a free line leads into the net that it attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nets(PerSeat<Nodes>);

/// Where a throw inside the field left the puck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Passed,
    Bounced,
    DeadEnd,
}

impl Nets {
    pub(super) fn of(board: &Board) -> Nets {
        Nets(PerSeat::from_fn(|seat| {
            let leads_into = |node: Node| {
                let ends = board.exits(node).iter().filter_map(|line| Board::beyond(node, line));
                ends.into_iter().any(|end| end.net() == Some(seat))
            };
            nodes_of_field().filter(|&node| leads_into(node)).map(bit_of).sum()
        }))
    }

    pub(super) fn of_seat(&self, seat: Seat) -> Nodes {
        self.0[seat]
    }
}

impl Rink {
    pub(super) fn of(board: &Board) -> Rink {
        let mut rink =
            Rink { lines: [0; 4], fresh: 0, hash: 0, puck: index_of(board.puck()) as u8 };
        for node in nodes_of_field() {
            if board.is_fresh(node) {
                rink.fresh |= bit_of(node);
            }
            for class in 0..SHIFTS.len() {
                let direction = Direction::from_number(class as u8 + 2);
                let Some(end) = Board::beyond(node, direction) else { continue };
                if end.net().is_some() {
                    continue;
                }
                if board.exits(node).contains(direction) {
                    rink.lines[class] |= bit_of(node);
                } else {
                    rink.hash ^= KEYS.lines[class][index_of(node)];
                }
            }
        }
        rink
    }

    /// The same for the same lines, puck and seat to throw, and hardly ever for others.
    #[inline]
    pub(super) fn key(&self, active: Seat) -> u64 {
        let seat = KEYS.seats[active.index()];
        self.hash ^ KEYS.pucks[usize::from(self.puck)] ^ seat
    }

    #[inline]
    pub(super) fn puck(&self) -> Nodes {
        1 << self.puck
    }

    /// The free lines of the puck's node inside the field, a bit for each direction.
    #[inline]
    pub(super) fn exits(&self) -> u8 {
        let puck = usize::from(self.puck);
        let mut exits = 0;
        for (class, (&lines, shift)) in self.lines.iter().zip(SHIFTS).enumerate() {
            let forwards = (lines >> puck) as u8 & 1;
            let backwards = if puck >= shift { (lines >> (puck - shift)) as u8 & 1 } else { 0 };
            exits |= forwards << (class + 2) | backwards << ((class + 6) % 8);
        }
        exits
    }

    /// Uses up a free line of the puck's node.
    #[inline]
    pub(super) fn throw(&mut self, direction: u8, nets: &Nets) -> Step {
        let from = usize::from(self.puck);
        let is_forwards = (2..6).contains(&direction);
        let class = usize::from(if is_forwards { direction - 2 } else { (direction ^ 4) - 2 });
        let shift = SHIFTS[class];
        let to = if is_forwards { from + shift } else { from - shift };
        let line = from.min(to);
        debug_assert!(self.lines[class] >> line & 1 == 1, "only a free line can be used");
        self.lines[class] ^= 1 << line;
        self.hash ^= KEYS.lines[class][line];
        self.puck = to as u8;
        let is_fresh = self.fresh >> to & 1 == 1;
        self.fresh &= !(1 << from | 1 << to);
        if is_fresh {
            return Step::Passed;
        }
        let nets = nets.0[Seat::First] | nets.0[Seat::Second];
        let is_open = nets >> to & 1 == 1 || self.exits() != 0;
        if is_open { Step::Bounced } else { Step::DeadEnd }
    }

    /// All nodes that a free line joins to one of these.
    #[inline]
    fn around(&self, nodes: Nodes) -> Nodes {
        let mut around = 0;
        for (lines, shift) in self.lines.into_iter().zip(SHIFTS) {
            around |= (nodes & lines) << shift | (nodes >> shift) & lines;
        }
        around
    }

    /// The nodes from which the turn's rebounds can lead to one of `goals`.
    #[inline]
    pub(super) fn before(&self, goals: Nodes) -> Nodes {
        let mut nodes = goals;
        let mut newest = goals & !self.fresh;
        while newest != 0 {
            let around = self.around(newest) & !nodes;
            nodes |= around;
            newest = around & !self.fresh;
        }
        nodes
    }

    /// The fresh nodes on which a turn from the puck's node can end, as far as lines that the turn uses up
    /// do not matter.
    #[inline]
    pub(super) fn ends(&self) -> Nodes {
        let mut seen = self.puck();
        let mut newest = seen;
        let mut ends = 0;
        while newest != 0 {
            let around = self.around(newest) & !seen;
            seen |= around;
            ends |= around & self.fresh;
            newest = around & !self.fresh;
        }
        ends
    }

    /// The nodes from which one turn more is needed than from `nodes`, with those from which fewer are.
    #[inline]
    pub(super) fn one_turn_before(&self, nodes: Nodes) -> Nodes {
        self.before(nodes | self.around(nodes & self.fresh))
    }
}

fn nodes_of_field() -> impl Iterator<Item = Node> {
    Node::all().filter(|node| node.net().is_none())
}

fn index_of(node: Node) -> usize {
    COLUMNS * node.y() as usize + node.x() as usize
}

fn bit_of(node: Node) -> Nodes {
    1 << index_of(node)
}

/// Random numbers whose sum without carry names a position.
struct Keys {
    lines: [[u64; FIELD]; SHIFTS.len()],
    pucks: [u64; FIELD],
    seats: [u64; 2],
}

static KEYS: Keys = {
    let mut state = SplitMix64::new(2017);
    let mut keys = Keys { lines: [[0; FIELD]; 4], pucks: [0; FIELD], seats: [0; 2] };
    let mut index = 0;
    while index < FIELD {
        let mut class = 0;
        while class < SHIFTS.len() {
            keys.lines[class][index] = state.next_u64();
            class += 1;
        }
        keys.pucks[index] = state.next_u64();
        index += 1;
    }
    keys.seats[1] = state.next_u64();
    keys
};

#[cfg(test)]
mod tests {
    use quintain_core::Chance;

    use super::*;
    use crate::Landing;

    /// Random games, throw by throw on both boards.
    #[test]
    fn the_rink_follows_the_rules() {
        for seed in 0..200 {
            let mut chance = SplitMix64::new(seed);
            let mut board = Board::START;
            let (mut rink, nets) = (Rink::of(&board), Nets::of(&board));
            loop {
                let exits = board.exits(board.puck());
                let direction = exits.nth(chance.below(exits.count()));
                let inside = exits.iter().filter(|&line| {
                    Board::beyond(board.puck(), line).is_some_and(|end| end.net().is_none())
                });
                assert_eq!(rink.exits(), inside.map(|line| 1 << line as u8).sum::<u8>());
                let landing = board.throw(direction);
                if let Landing::Goal(seat) = landing {
                    assert!(nets.of_seat(seat) & rink.puck() != 0);
                    break;
                }
                let expected = match landing {
                    Landing::Passed => Step::Passed,
                    Landing::Bounced => Step::Bounced,
                    _ => Step::DeadEnd,
                };
                assert_eq!(rink.throw(direction as u8, &nets), expected);
                assert_eq!(rink, Rink::of(&board));
                if landing == Landing::DeadEnd {
                    break;
                }
            }
        }
    }

    #[test]
    fn an_empty_rink_is_five_turns_from_each_net_and_its_mouth_one() {
        let (rink, nets) = (Rink::of(&Board::START), Nets::of(&Board::START));
        for seat in Seat::BOTH {
            let mut nodes = rink.before(nets.of_seat(seat));
            assert_eq!(nodes.count_ones(), 8);
            for _ in 0..3 {
                nodes = rink.one_turn_before(nodes);
                assert!(nodes & rink.puck() == 0);
            }
            assert!(rink.one_turn_before(nodes) & rink.puck() != 0);
        }
    }
}
