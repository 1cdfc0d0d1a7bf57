//! The bots that search: they remember the road and go on as long as they may.

use quintain_core::{Bot, Thinking};

use super::duel;
use super::memory::Memory;
use super::meter::Meter;
use super::search::{self, Budget};
use super::worth::Weights;
use crate::{Action, Overdrive, View};

pub(crate) struct Champion {
    memory: Memory,
    weights: Weights,
    budget: Budget,
}

impl Champion {
    pub(crate) fn new(budget: Budget, weights: Weights) -> Champion {
        Champion { memory: Memory::new(), weights, budget }
    }
}

impl Bot<Overdrive> for Champion {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        self.memory.observe(view);
        let found = match self.memory.to_line(view) {
            Some(left) if self.budget.plays_end && i32::from(left) < self.weights.end => {
                duel::best_command(&self.memory, view, Meter::new(self.budget.nodes, thinking))
            }
            _ => search::best_command(&self.memory, view, &self.weights, self.budget, thinking),
        };
        // What cannot be a race by the usual numbers is driven through.
        let action = found.unwrap_or(Action::Accelerate);
        self.memory.commit(view, action);
        action
    }

    fn watch(&mut self, view: &View, answer: Option<&Action>) {
        self.memory.observe(view);
        self.memory.commit(view, answer.copied().unwrap_or(Action::Nothing));
    }
}
