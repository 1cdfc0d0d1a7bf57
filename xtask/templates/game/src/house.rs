//! The house bots: one that does anything, and one that leaves heaps which cannot be won.

use quintain_core::{Bot, House, RandomBot};

use crate::{TAKEN_MAX, TakeAway};

impl House for TakeAway {
    const NAMES: &'static [&'static str] = &["random", "greedy"];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<TakeAway>>> {
        let random = RandomBot::new(seed);
        match name {
            "random" => Some(Box::new(random)),
            "greedy" => Some(Box::new(Greedy { otherwise: Box::new(random) })),
            _ => None,
        }
    }
}

/// Leaves a multiple of four, or anything if there is one already.
struct Greedy {
    otherwise: Box<dyn Bot<TakeAway>>,
}

impl Bot<TakeAway> for Greedy {
    fn act(&mut self, view: &TakeAway) -> u8 {
        match view.stones() % (TAKEN_MAX + 1) {
            0 => self.otherwise.act(view),
            surplus => surplus,
        }
    }
}
