//! Alpha-beta over whole turns, deeper and deeper.

use quintain_core::{Seat, Thinking};

use super::memory::{Bound, Memory, Record};
use super::rink::{Nets, Rink};
use super::turns::{End, Seen, Turns};
use super::worth::{LOST, Taste, WON};
use crate::{Board, Direction, Node};

/// Turns that a search looks ahead at most: more than there are nodes for.
const DEPTH_MAX: usize = 64;
/// Worths beyond this are proven: somebody wins by force.
pub(super) const PROVEN: i32 = WON - 1000;
/// All turns that were tried lose, and there are others that were not.
const LOST_AS_FAR_AS_SEEN: i32 = -PROVEN / 2;
/// A clock is asked once in so many nodes.
const NODES_PER_LOOK: u64 = 128;

/// What a search may spend. A node is a throw on the board of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) nodes: u64,
    /// Whether the clock ends it too.
    pub(super) is_timed: bool,
    /// Turns ahead.
    pub(super) depth: usize,
    /// Throws for finding the turns of one position that is not the first.
    pub(super) throws: usize,
}

impl Limits {
    pub(super) const CLOCK: Limits = Limits { is_timed: true, ..Limits::nodes(u64::MAX) };

    pub(super) const fn nodes(nodes: u64) -> Limits {
        Limits { nodes, is_timed: false, depth: DEPTH_MAX, throws: THROWS_MAX }
    }
}

/// Nodes of a search that goes by the clock where no time passes.
const NODES_WITHOUT_CLOCK: u64 = 40_000;
/// Throws for finding the turns of the position itself, and of those that follow.
const ROOT_THROWS_MAX: usize = 20_000;
const THROWS_MAX: usize = 600;

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// All throws of the turn. Empty if every throw loses at once.
    pub(super) throws: Vec<Direction>,
    /// For the seat to throw.
    pub(super) worth: i32,
    pub(super) depth: usize,
    pub(super) nodes: u64,
}

/// The search is over before its result is known.
struct Over;

pub(super) struct Search {
    nets: Nets,
    taste: Taste,
    plies: Vec<Turns>,
    seen: Seen,
    memory: Memory,
}

/// What changes during one search.
struct Run<'a, 'b> {
    thinking: &'a mut Thinking<'b>,
    limits: Limits,
    nodes: u64,
    next_look: u64,
}

impl Search {
    pub(super) fn new(taste: Taste, limits: &Limits) -> Search {
        let root_throws = root_throws(limits);
        Search {
            nets: Nets::of(&Board::START),
            taste,
            plies: Vec::new(),
            seen: Seen::new(root_throws.max(limits.throws)),
            memory: Memory::new(limits.nodes),
        }
    }

    /// The best turn of a position, as far as the limits let it see.
    pub(super) fn best(
        &mut self,
        board: &Board,
        limits: Limits,
        thinking: &mut Thinking<'_>,
    ) -> Found {
        let (rink, seat) = (Rink::of(board), board.active());
        self.nets = Nets::of(board);
        self.memory.forget();
        if let Some(throws) = way_to_net(board) {
            return Found { throws, worth: WON, depth: 1, nodes: 0 };
        }
        let mut run = Run { thinking, limits, nodes: 0, next_look: NODES_PER_LOOK };
        let mut turns = Turns::default();
        run.nodes += turns.find(&rink, &self.nets, &mut self.seen, root_throws(&limits));
        self.weigh(&mut turns, seat, 0);
        let mut found = Found {
            throws: turns
                .ends
                .first()
                .map_or_else(|| turns.throws_on(), |end| turns.throws_to(end)),
            worth: turns.ends.first().map_or(LOST, |end| end.worth),
            depth: 1,
            nodes: 0,
        };
        self.deepen(&mut turns, seat, &mut run, &mut found);
        found.nodes = run.nodes;
        found
    }

    /// Looks one turn further each time, until somebody's win is proven or nothing is left to spend.
    fn deepen(&mut self, turns: &mut Turns, seat: Seat, run: &mut Run<'_, '_>, found: &mut Found) {
        for depth in 2..=run.limits.depth.min(DEPTH_MAX) {
            let is_forced = run.limits.is_timed && turns.ends.len() < 2;
            let is_decided = found.worth.abs() >= PROVEN || is_forced || turns.ends.is_empty();
            if is_decided || run.is_over() {
                return;
            }
            let is_finished = self.try_all(turns, seat, depth, run, found).is_ok();
            found.depth = depth - usize::from(!is_finished);
            if !is_finished {
                return;
            }
            turns.ends.sort_by_key(|end| -end.worth);
        }
    }

    /// One pass over the turns of the position itself, best first.
    fn try_all(
        &mut self,
        turns: &mut Turns,
        seat: Seat,
        depth: usize,
        run: &mut Run<'_, '_>,
        found: &mut Found,
    ) -> Result<(), Over> {
        let mut best = LOST;
        for place in 0..turns.ends.len() {
            let End { rink, worth, .. } = turns.ends[place];
            let worth = if worth <= -PROVEN {
                worth
            } else {
                -self.search(&rink, seat.other(), depth - 1, 1, [-WON, -best], run)?
            };
            turns.ends[place].worth =
                if worth > best || place == 0 { worth } else { worth.min(best) - 1 };
            if worth > best || place == 0 {
                best = worth;
                found.worth = worth;
                found.throws = turns.throws_to(&turns.ends[place]);
            }
        }
        Ok(())
    }

    /// The worth of a position for the seat to throw, who cannot score in this turn, between the bounds.
    fn search(
        &mut self,
        rink: &Rink,
        seat: Seat,
        depth: usize,
        ply: usize,
        [alpha, beta]: [i32; 2],
        run: &mut Run<'_, '_>,
    ) -> Result<i32, Over> {
        let key = rink.key(seat);
        let known = self.memory.get(key);
        if let Some(worth) = known.and_then(|record| record.settles(depth, ply, [alpha, beta])) {
            return Ok(worth);
        }
        if run.is_over() {
            return Err(Over);
        }
        let mut turns = self.take_turns(ply);
        run.nodes += turns.find(rink, &self.nets, &mut self.seen, run.limits.throws);
        self.weigh(&mut turns, seat, ply);
        if let Some(record) = known {
            prefer(&mut turns.ends, record.best, seat);
        }
        let result = self.try_ends(&turns, seat, depth, ply, [alpha, beta], run);
        let is_complete = turns.is_complete;
        self.plies[ply] = turns;
        let (mut worth, best) = result?;
        if worth <= -PROVEN && !is_complete {
            worth = LOST_AS_FAR_AS_SEEN;
        }
        let bound = Bound::of(worth, [alpha, beta]);
        self.memory.put(key, Record::new(worth, bound, depth, ply, best));
        Ok(worth)
    }

    /// The worth of the best turn, and the key of its end.
    fn try_ends(
        &mut self,
        turns: &Turns,
        seat: Seat,
        depth: usize,
        ply: usize,
        [mut alpha, beta]: [i32; 2],
        run: &mut Run<'_, '_>,
    ) -> Result<(i32, u64), Over> {
        let (mut best, mut best_key) = (LOST + ply as i32, 0);
        for end in &turns.ends {
            let worth = if depth <= 1 || end.worth <= -PROVEN {
                end.worth
            } else {
                -self.search(&end.rink, seat.other(), depth - 1, ply + 1, [-beta, -alpha], run)?
            };
            if worth > best {
                (best, best_key) = (worth, end.rink.key(seat.other()));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok((best, best_key))
    }

    /// The worth of every end as it looks without a search, best first.
    fn weigh(&self, turns: &mut Turns, seat: Seat, ply: usize) {
        for end in &mut turns.ends {
            end.worth = match self.taste.worth(&end.rink, &self.nets, seat.other()) {
                Some(worth) => -worth,
                None => LOST + ply as i32 + 1,
            };
        }
        turns.ends.sort_by_key(|end| -end.worth);
    }

    /// The room for the turns of a ply, lent for the time that they are looked at.
    fn take_turns(&mut self, ply: usize) -> Turns {
        while self.plies.len() <= ply {
            self.plies.push(Turns::default());
        }
        std::mem::take(&mut self.plies[ply])
    }
}

impl Run<'_, '_> {
    fn is_over(&mut self) -> bool {
        if self.nodes < self.next_look {
            return false;
        }
        self.next_look = self.nodes + NODES_PER_LOOK;
        let is_timeless = self.thinking.used() == 0.0 && self.nodes >= NODES_WITHOUT_CLOCK;
        let is_late = self.limits.is_timed && (is_timeless || self.thinking.is_over());
        is_late || self.nodes >= self.limits.nodes
    }
}

/// A third of the nodes may go into finding the turns of the position itself.
fn root_throws(limits: &Limits) -> usize {
    ROOT_THROWS_MAX.min(limits.nodes as usize / 3)
}

/// The throws of a shortest turn that scores, if there is one. A turn to the net needs no node twice, so it
/// is enough to know which nodes can be come to.
fn way_to_net(board: &Board) -> Option<Vec<Direction>> {
    let mut reached = vec![(board.puck(), 0, Direction::North)];
    let mut next = 0;
    while let Some(&(node, ..)) = reached.get(next) {
        for direction in board.exits(node).iter() {
            let end = Board::beyond(node, direction)?;
            match end.net() {
                Some(seat) if seat == board.active() => {
                    return Some(way_back(&reached, next, direction));
                }
                Some(_) => {}
                None if board.is_fresh(end) => {}
                None if reached.iter().any(|&(other, ..)| other == end) => {}
                None => reached.push((end, next, direction)),
            }
        }
        next += 1;
    }
    None
}

/// The throws to a place of `reached`, and the last one after them.
fn way_back(
    reached: &[(Node, usize, Direction)],
    mut place: usize,
    last: Direction,
) -> Vec<Direction> {
    let mut throws = vec![last];
    while place != 0 {
        let (_, before, direction) = reached[place];
        throws.push(direction);
        place = before;
    }
    throws.reverse();
    throws
}

/// Moves the end with this key to the front.
fn prefer(ends: &mut [End], key: u64, seat: Seat) {
    if let Some(place) = ends.iter().position(|end| end.rink.key(seat.other()) == key) {
        ends[..=place].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quintain_core::{Chance, SplitMix64, no_time};

    use super::*;
    use crate::{Landing, Setup};

    const PLENTY: Limits =
        Limits { nodes: 3_000_000, is_timed: false, depth: DEPTH_MAX, throws: 100_000 };

    fn best(board: &Board, limits: Limits) -> Found {
        let mut elapsed = no_time;
        let mut thinking = Thinking::new(&mut elapsed, std::time::Duration::MAX);
        Search::new(Taste { salt: 1 }, &limits).best(board, limits, &mut thinking)
    }

    /// Whether the seat to throw wins, by trying every throw of everybody.
    fn wins(board: &Board, known: &mut BTreeMap<Vec<u8>, bool>) -> bool {
        let mut key = board.free_bytes().to_vec();
        key.extend([board.puck().x() as u8, board.puck().y() as u8, board.active() as u8]);
        if let Some(&wins) = known.get(&key) {
            return wins;
        }
        let result = board.exits(board.puck()).iter().any(|direction| {
            let mut next = *board;
            match next.throw(direction) {
                Landing::Goal(seat) => seat == board.active(),
                Landing::DeadEnd => false,
                Landing::Bounced => wins(&next, known),
                Landing::Passed => !wins(&next, known),
            }
        });
        known.insert(key, result);
        result
    }

    /// A rink on which only some lines are free: all of a few nodes, so that turns pass there, and a few
    /// more, all of them near the puck.
    fn small_ending(chance: &mut SplitMix64) -> Option<Board> {
        let (x, y) = (1 + chance.below(9) as i8, chance.below(11) as i8);
        let puck = Node::new(x, y)?;
        let active = Seat::BOTH[chance.below(2) as usize];
        let mut free = Vec::new();
        let mut node = puck;
        for _ in 0..2 {
            node = step(node, chance).filter(|node| node.net().is_none())?;
            free.extend(lines_of(node));
        }
        for _ in 0..5 {
            let near = step(puck, chance).unwrap_or(puck);
            let lines: Vec<Line> = lines_of(near).collect();
            free.extend(lines.get(chance.below(8) as usize));
        }
        let mut board = Board::empty(puck, active);
        for node in Node::all() {
            for direction in Direction::ALL.into_iter().skip(2).take(4) {
                let is_free =
                    free.contains(&line(node, direction)) || !Board::has_line(node, direction);
                assert!(is_free || board.use_line(node, direction));
            }
        }
        (!board.exits(puck).is_empty()).then_some(board)
    }

    type Line = (Node, Direction);

    /// The same for both ends.
    fn line(node: Node, direction: Direction) -> Line {
        match Board::beyond(node, direction) {
            Some(end) if !(2..6).contains(&(direction as u8)) => (end, direction.opposite()),
            _ => (node, direction),
        }
    }

    fn lines_of(node: Node) -> impl Iterator<Item = Line> {
        let lines = Direction::ALL.into_iter().filter(move |&to| Board::has_line(node, to));
        lines.map(move |to| line(node, to))
    }

    fn step(node: Node, chance: &mut SplitMix64) -> Option<Node> {
        Board::beyond(node, Direction::ALL[chance.below(8) as usize])
    }

    #[test]
    fn a_thousand_small_endings_are_solved_as_by_brute_force() {
        let mut chance = SplitMix64::new(15);
        let (mut solved, mut won, mut later) = (0, 0, 0);
        while solved < 1000 {
            let Some(board) = small_ending(&mut chance) else { continue };
            let expected = wins(&board, &mut BTreeMap::new());
            let found = best(&board, PLENTY);
            assert!(found.worth.abs() >= PROVEN, "not solved: {board:?} {found:?}");
            assert_eq!(found.worth > 0, expected, "{board:?} {found:?}");
            solved += 1;
            won += usize::from(expected);
            later += usize::from(found.worth.abs() < WON - 1);
        }
        assert!((200..800).contains(&won), "{won} of the endings were won");
        assert!(later >= 100, "{later} of the endings took more than a turn");
    }

    #[test]
    fn a_goal_in_this_turn_is_thrown_at_once() {
        use Direction::{North, NorthEast, NorthWest};
        // The document's example of a goal, one throw before the bounce.
        let setup = Setup::after(&[North, NorthEast, North, NorthWest]).expect("possible throws");
        let found = best(&setup.to_board().expect("playable"), Limits::nodes(1));
        assert_eq!((found.throws.len(), found.worth), (2, WON));
        assert!(found.throws[0] == NorthWest || found.throws[0] == NorthEast);
    }

    #[test]
    fn a_position_without_any_way_out_is_lost() {
        let used = Direction::ALL.into_iter().filter(|&to| to != Direction::NorthWest);
        let used = used.map(|to| (1, 1, to)).collect();
        let corner = Setup { puck: (1, 1), used, active: 0, turn: 9 };
        let found = best(&corner.to_board().expect("playable"), PLENTY);
        assert_eq!((found.throws.len(), found.worth), (0, LOST));
    }

    #[test]
    fn a_search_throws_little_more_than_it_may() {
        for nodes in [300, 1_000, 10_000] {
            let found = best(&Board::START, Limits::nodes(nodes));
            let most = nodes + THROWS_MAX as u64 + NODES_PER_LOOK;
            assert!(found.nodes <= most && !found.throws.is_empty(), "{found:?}");
        }
    }
}
