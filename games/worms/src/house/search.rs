//! The search: a tree of rounds in which both players choose at once, each by what its own commands have
//! brought so far (decoupled bandits), on the rules themselves.
//!
//! Nodes keep no position: every try plays from the root, so that luck falls anew each time. A node is one
//! pair of commands after another; when a try leaves the tree, both sides go on by a simple policy up to a
//! horizon, and what is thought of the position there is written down for all commands on the way.

use quintain_core::{Game, Replies, Seat, SplitMix64, Thinking};

use crate::action::Action;
use crate::house::choice::{Arm, Choice, Choices};
use crate::house::memory::Memory;
use crate::house::opinion::Opinion;
use crate::house::playout;
use crate::house::{Mind, greedy};
use crate::rules::Worms;
use crate::sight::Sight;

/// Rounds that a try looks ahead.
const HORIZON: usize = 12;
/// How curious the search is about commands that it has seldom tried.
const CURIOSITY: f32 = 0.9;
/// What a command that was never tried is thought to fall short of the others.
const UNTRIED: f32 = 0.05;
/// A pair of commands is looked at more closely when it comes up for this time.
const GROWTH: u32 = 3;
/// The most nodes of the tree; it takes about 1 kB for each.
const TREE_MAX: usize = 50_000;
/// Rounds that a bot that goes by the clock plays where there is no clock.
const CLOCKLESS_ROUNDS: u64 = 2_000;
/// Rounds between two looks at the clock: some tens of microseconds.
const CLOCK_ROUNDS: u64 = 256;

struct Node {
    /// Where the arms of both players begin in [`Search::arms`], and how many there are.
    arms: [(u32, u32); 2],
    /// Where the children begin in [`Search::children`], by the arms of both.
    children: u32,
    visits: u32,
    /// The sum of what came of it, from the first player's side.
    total: f32,
}

/// A bot that searches.
pub(super) struct Search {
    /// Rounds that it plays for an answer; by the clock if there is no such number.
    rounds_max: Option<u64>,
    memory: Memory,
    chance: SplitMix64,
    nodes: Vec<Node>,
    arms: Vec<Arm>,
    /// How often a pair of arms came up; from [`GROWTH`] on, that and the index of its node.
    children: Vec<u32>,
    /// The nodes of a try, and the arms that were chosen there.
    path: Vec<(u32, [u32; 2])>,
    /// Rounds played for this answer.
    rounds: u64,
}

impl Mind for Search {
    fn decide(&mut self, sight: &Sight, thinking: &mut Thinking<'_>) -> Action {
        let Some(game) = self.memory.position(sight) else {
            return greedy::decide(sight);
        };
        self.search(&game, &Opinion::new(&game, sight), thinking);
        self.most_tried(sight.seat).to_action()
    }

    fn watch(&mut self, sight: &Sight) {
        self.memory.position(sight);
    }
}

impl Search {
    pub(super) fn new(rounds_max: Option<u64>, seed: i64) -> Search {
        Search {
            rounds_max,
            memory: Memory::new(),
            chance: SplitMix64::new(seed as u64),
            nodes: Vec::new(),
            arms: Vec::new(),
            children: Vec::new(),
            path: Vec::new(),
            rounds: 0,
        }
    }

    /// What the first player may expect of a position, of which everything is known.
    pub(super) fn expectation(&mut self, game: &Worms, thinking: &mut Thinking<'_>) -> f64 {
        let opinion = Opinion::new(game, &Sight::of_view(&game.view(Seat::First)));
        self.search(game, &opinion, thinking);
        let Node { visits, total, .. } = self.nodes[0];
        opinion.expectation(game, f64::from(total) / f64::from(visits.max(1)))
    }

    fn search(&mut self, game: &Worms, opinion: &Opinion, thinking: &mut Thinking<'_>) {
        self.nodes.clear();
        self.arms.clear();
        self.children.clear();
        self.rounds = 0;
        self.grow(game, true);
        let mut asked = 0;
        loop {
            self.try_once(game, opinion);
            if self.rounds >= asked {
                asked = self.rounds + CLOCK_ROUNDS;
                if self.is_enough(thinking) {
                    break;
                }
            }
        }
    }

    /// Whether it has thought for long enough; also asked where the answer is known, since others are heard
    /// meanwhile.
    fn is_enough(&self, thinking: &mut Thinking<'_>) -> bool {
        let (is_over, used) = (thinking.is_over(), thinking.used());
        match self.rounds_max {
            Some(rounds) => self.rounds >= rounds,
            None => is_over || used == 0.0 && self.rounds >= CLOCKLESS_ROUNDS,
        }
    }

    fn arms_of(&self, node: usize, seat: Seat) -> &[Arm] {
        let (start, count) = self.nodes[node].arms[seat.index()];
        &self.arms[start as usize..(start + count) as usize]
    }

    fn most_tried(&self, seat: Seat) -> Choice {
        let arms = self.arms_of(0, seat);
        let best =
            arms.iter().reduce(|best, arm| if arm.visits > best.visits { arm } else { best });
        best.expect("a player has always a command").choice
    }

    /// Adds a node for the position and returns its index.
    fn grow(&mut self, game: &Worms, is_root: bool) -> usize {
        let arms = Seat::BOTH.map(|seat| {
            let start = self.arms.len();
            Choices::list(game, seat, is_root, &mut self.arms);
            (start as u32, (self.arms.len() - start) as u32)
        });
        let children = self.children.len();
        self.children.resize(children + (arms[0].1 * arms[1].1) as usize, 0);
        self.nodes.push(Node { arms, children: children as u32, visits: 0, total: 0.0 });
        self.nodes.len() - 1
    }

    /// Plays once from the root to the horizon and writes down what came of it.
    fn try_once(&mut self, root: &Worms, opinion: &Opinion) {
        let mut game = root.clone();
        self.path.clear();
        let mut node = Some(0);
        while let Some(inner) = node.filter(|_| self.path.len() < HORIZON) {
            node = self.descend(&mut game, inner);
        }
        for _ in self.path.len()..HORIZON {
            if game.outcome().is_some() {
                break;
            }
            let [first, second] =
                Seat::BOTH.map(|seat| playout::choose(&game, seat, &mut self.chance));
            self.play(&mut game, first, second);
        }
        let value = match game.outcome() {
            Some(outcome) => match outcome.winner() {
                Some(Seat::First) => 1.0,
                Some(Seat::Second) => -1.0,
                None => 0.0,
            },
            None => opinion.of(&game),
        };
        self.learn(value);
    }

    /// Plays the round that both choose at a node; returns the next node if the tree goes on there.
    fn descend(&mut self, game: &mut Worms, node: usize) -> Option<usize> {
        let chosen = Seat::BOTH.map(|seat| self.choose(node, seat));
        let [first, second] =
            [0, 1].map(|side| self.arms_of(node, Seat::BOTH[side])[chosen[side] as usize].choice);
        self.path.push((node as u32, chosen));
        self.play(game, first, second);
        if game.outcome().is_some() {
            return None;
        }
        let place = {
            let Node { children, arms, .. } = self.nodes[node];
            (children + chosen[0] * arms[1].1 + chosen[1]) as usize
        };
        match self.children[place] {
            count if count + 1 < GROWTH => {
                self.children[place] += 1;
                None
            }
            count if count < GROWTH => {
                if self.nodes.len() < TREE_MAX {
                    self.children[place] = GROWTH + self.grow(game, false) as u32;
                }
                None
            }
            child => Some((child - GROWTH) as usize),
        }
    }

    fn play(&mut self, game: &mut Worms, first: Choice, second: Choice) {
        let replies = Replies::both(first.to_action(), second.to_action());
        game.advance(&replies, &mut self.chance, &mut ());
        self.rounds += 1;
    }

    /// The arm with the most to hope for.
    fn choose(&self, node: usize, seat: Seat) -> u32 {
        let Node { visits, total, .. } = self.nodes[node];
        let mean = if visits == 0 { 0.0 } else { total / visits as f32 };
        let untried = if seat == Seat::First { mean } else { -mean } - UNTRIED;
        let curiosity = CURIOSITY * (visits as f32 + 1.0).sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        for (index, arm) in self.arms_of(node, seat).iter().enumerate() {
            let tries = arm.visits as f32;
            let known = if arm.visits == 0 { untried } else { arm.total / tries };
            let hope = known + curiosity * arm.prior / (1.0 + tries);
            if hope > best.1 {
                best = (index as u32, hope);
            }
        }
        best.0
    }

    fn learn(&mut self, value: f32) {
        for &(node, chosen) in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.total += value;
            for (side, signed) in [value, -value].into_iter().enumerate() {
                let arm = &mut self.arms[(node.arms[side].0 + chosen[side]) as usize];
                arm.visits += 1;
                arm.total += signed;
            }
        }
    }
}
