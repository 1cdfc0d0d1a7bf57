//! The house bots, from one that throws anywhere to one that searches for as long as it may.

mod champion;
mod greedy;
mod memory;
mod opinion;
mod rink;
mod search;
mod turns;
mod worth;

use quintain_core::{
    Bot, Chance, Coin, Dialogue, House, HouseBot, HouseClient, Level, Mixture, SplitMix64,
    half_greedy,
};

use self::champion::Champion;
use self::greedy::Greedy;
use self::search::Limits;
use crate::client::Client;
use crate::{Direction, Hockey, View};

impl House for Hockey {
    const BOTS: &'static [HouseBot] = &[
        HouseBot::at_once("random", "throws along any free line"),
        half_greedy!(30, "throws"),
        half_greedy!(53, "throws"),
        half_greedy!(71, "throws"),
        half_greedy!(81, "throws"),
        half_greedy!(88, "throws"),
        half_greedy!(93, "throws"),
        half_greedy!(97, "throws"),
        HouseBot::at_once(
            "greedy",
            "scores if it can, else goes near the net and gives no goal away",
        ),
        HouseBot::searching(
            "search-300",
            "searches whole turns ahead, 300 throws for each turn",
            300,
        ),
        HouseBot::searching(
            "search-1k",
            "searches whole turns ahead, 1,000 throws for each turn",
            1_000,
        ),
        HouseBot::searching(
            "search-10k",
            "searches whole turns ahead, 10,000 throws for each turn",
            10_000,
        ),
        HouseBot::searching(
            "search-100k",
            "searches whole turns ahead, 100,000 throws for each turn",
            100_000,
        ),
        HouseBot::by_the_clock(
            "champion",
            "searches whole turns ahead for as long as the clock allows",
        ),
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Hockey>>> {
        let mut chance = SplitMix64::new(seed as u64);
        let random = move |view: &View| random(view, &mut chance);
        let greedy = Greedy { chance };
        Some(match Hockey::level(name)? {
            Level::Random => Box::new(random),
            Level::Greedy => Box::new(greedy),
            Level::Mixture { percent } => {
                Box::new(Mixture { coin: Coin::new(percent, seed), strong: greedy, weak: random })
            }
            Level::HalfSearch { percent } => {
                let strong = Champion::new(Limits::nodes(1_000), seed);
                Box::new(Mixture { coin: Coin::new(percent, seed), strong, weak: greedy })
            }
            Level::Search(Some(nodes)) => Box::new(Champion::new(Limits::nodes(nodes), seed)),
            Level::Search(None) => Box::new(Champion::new(Limits::CLOCK, seed)),
        })
    }
}

impl HouseClient for Hockey {
    fn dialogue(bot: &str, name: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        Some(Box::new(Client::new(name, Hockey::bot(bot, seed)?)))
    }
}

/// Any free line, each as likely as the others.
fn random(view: &View, chance: &mut SplitMix64) -> Direction {
    let exits = view.board.exits(view.board.puck());
    exits.nth(chance.below(exits.count()))
}

#[cfg(test)]
mod tests;
