//! Bots that know the plan and forget it: levels between doing anything and greedy.

use quintain_core::{Bot, Chance, SplitMix64, Thinking};

use super::greedy::Greedy;
use super::random::Random;
use crate::{Action, CodeRoyale, View};

/// Of so many turns some are left to chance.
const TURNS: u32 = 100;

/// Does what greedy would do, but for some turns in which it does anything.
pub(super) struct Novice {
    /// Of a hundred.
    turns_forgotten: u32,
    chance: SplitMix64,
    greedy: Greedy,
    random: Random,
}

impl Novice {
    pub(super) fn new(turns_forgotten: u32, seed: i64) -> Novice {
        Novice {
            turns_forgotten,
            chance: SplitMix64::new(seed as u64),
            greedy: Greedy::default(),
            random: Random::new(seed),
        }
    }
}

impl Bot<CodeRoyale> for Novice {
    /// Both look at every turn, since both learn from it.
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        let planned = self.greedy.act(view, thinking);
        let anything = self.random.act(view, thinking);
        let forgets = self.chance.below(TURNS) < self.turns_forgotten;
        if forgets { anything } else { planned }
    }
}
