//! The house bots: one that does anything, and one that leaves heaps which cannot be won.

use quintain_core::{Bot, House, HouseBot, Opine, RandomBot};

use crate::{TAKEN_MAX, TakeAway};

impl House for TakeAway {
    const BOTS: &'static [HouseBot] = &[
        HouseBot::at_once("random", "takes any number of stones"),
        HouseBot::at_once("greedy", "leaves heaps that cannot be won"),
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<TakeAway>>> {
        let mut random = RandomBot::new(seed);
        match name {
            "random" => Some(Box::new(random)),
            "greedy" => Some(Box::new(move |view: &TakeAway| {
                greedy(view).unwrap_or_else(|| random.act(view))
            })),
            _ => None,
        }
    }
}

/// The heaps are small: play-outs tell who wins.
impl Opine for TakeAway {}

/// What leaves a multiple of four, if there is none already.
fn greedy(view: &TakeAway) -> Option<u8> {
    Some(view.stones() % (TAKEN_MAX + 1)).filter(|&surplus| surplus > 0)
}
