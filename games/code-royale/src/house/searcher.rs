//! The bots that search: they remember what they saw, and play on from there in their heads.

use quintain_core::{Bot, Thinking};

use super::beam::{Beam, Known};
use super::budget::Budget;
use super::greedy::Greedy;
use super::judgement::Weights;
use super::memory::Memory;
use super::waves::Waves;
use crate::{Action, CodeRoyale, View};

/// The part of the time limit that the champion thinks for. A limit of 50 milliseconds is tight beside
/// others who want the processor.
const CLOCK_SHARE: f64 = 0.55;
/// What the champion simulates at most, also where nobody has a clock.
const NODES_MAX: u64 = 12_000;

pub(super) struct Searcher {
    nodes_max: u64,
    clock_share: Option<f64>,
    memory: Memory,
    waves: Waves,
    beam: Beam,
    /// For what cannot be searched: lines that no host would send.
    fallback: Greedy,
}

impl Searcher {
    pub(super) fn of_nodes(nodes_max: u64) -> Searcher {
        Searcher::new(nodes_max, None)
    }

    pub(super) fn champion() -> Searcher {
        Searcher::new(NODES_MAX, Some(CLOCK_SHARE))
    }

    fn new(nodes_max: u64, clock_share: Option<f64>) -> Searcher {
        Searcher {
            nodes_max,
            clock_share,
            memory: Memory::default(),
            waves: Waves::default(),
            beam: Beam::default(),
            fallback: Greedy::default(),
        }
    }
}

impl Bot<CodeRoyale> for Searcher {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        self.memory.learn(view);
        let Some(game) = self.memory.position(view) else {
            return self.fallback.act(view, thinking);
        };
        let mut budget = Budget::new(self.nodes_max, self.clock_share, thinking);
        let train = self.waves.choose(&game, view.seat, &mut budget);
        let known =
            Known { has_mines: self.memory.has_mines(), has_towers: self.memory.has_towers() };
        let weights = Weights::of(game.league());
        let order = self.beam.choose(&game, view.seat, (&train, known, weights), &mut budget);
        Action::new(order, &train)
    }

    fn watch(&mut self, view: &View, answer: Option<&Action>) {
        self.memory.learn(view);
        self.fallback.watch(view, answer);
    }
}
