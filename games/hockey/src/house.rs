//! The house bots, from one that throws anywhere to one that searches for as long as it may.

mod champion;
mod greedy;
mod memory;
mod rink;
mod search;
mod turns;
mod worth;

use quintain_core::{
    Bot, Chance, Dialogue, Effort, House, HouseBot, HouseClient, SplitMix64, Thinking,
};

use self::champion::Champion;
use self::greedy::Greedy;
use self::search::Limits;
use crate::client::Client;
use crate::{Direction, Hockey, View};

impl House for Hockey {
    const BOTS: &'static [HouseBot] = &[
        HouseBot { name: "random", about: "throws along any free line", effort: Effort::AtOnce },
        dizzy("dizzy-75", "plays as greedy, but throws along any free line in 75 of 100 throws"),
        dizzy("dizzy-55", "plays as greedy, but throws along any free line in 55 of 100 throws"),
        dizzy("dizzy-40", "plays as greedy, but throws along any free line in 40 of 100 throws"),
        dizzy("dizzy-28", "plays as greedy, but throws along any free line in 28 of 100 throws"),
        dizzy("dizzy-18", "plays as greedy, but throws along any free line in 18 of 100 throws"),
        dizzy("dizzy-11", "plays as greedy, but throws along any free line in 11 of 100 throws"),
        dizzy("dizzy-6", "plays as greedy, but throws along any free line in 6 of 100 throws"),
        dizzy("dizzy-2", "plays as greedy, but throws along any free line in 2 of 100 throws"),
        HouseBot {
            name: "greedy",
            about: "scores if it can, else goes near the net and gives no goal away",
            effort: Effort::AtOnce,
        },
        searching("search-1k", "searches whole turns ahead, 1,000 throws for each turn", 1_000),
        searching("search-10k", "searches whole turns ahead, 10,000 throws for each turn", 10_000),
        searching(
            "search-100k",
            "searches whole turns ahead, 100,000 throws for each turn",
            100_000,
        ),
        HouseBot {
            name: "champion",
            about: "searches whole turns ahead for as long as the clock allows",
            effort: Effort::Clock,
        },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Hockey>>> {
        let mut chance = SplitMix64::new(seed as u64);
        let effort = Hockey::BOTS.iter().find(|bot| bot.name == name)?.effort;
        Some(match (name, effort) {
            ("random", _) => Box::new(move |view: &View| random(view, &mut chance)),
            (_, Effort::AtOnce) if name.starts_with(DIZZY) => {
                let percent = name[DIZZY.len()..].parse().ok()?;
                Box::new(Dizzy { greedy: Greedy { chance }, percent, chance })
            }
            ("greedy", _) => Box::new(Greedy { chance }),
            (_, Effort::Nodes(nodes)) => Box::new(Champion::new(Limits::nodes(nodes), seed)),
            _ => Box::new(Champion::new(Limits::CLOCK, seed)),
        })
    }
}

/// What the names of those begin with that now and then throw anywhere; the number of a hundred throws
/// follows.
const DIZZY: &str = "dizzy-";

const fn dizzy(name: &'static str, about: &'static str) -> HouseBot {
    HouseBot { name, about, effort: Effort::AtOnce }
}

const fn searching(name: &'static str, about: &'static str, nodes: u64) -> HouseBot {
    HouseBot { name, about, effort: Effort::Nodes(nodes) }
}

impl HouseClient for Hockey {
    fn dialogue(bot: &str, name: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        Some(Box::new(Client::new(name, Hockey::bot(bot, seed)?)))
    }
}

/// Throws anywhere in some of a hundred throws, and else as greedy does.
struct Dizzy {
    greedy: Greedy,
    percent: u32,
    chance: SplitMix64,
}

impl Bot<Hockey> for Dizzy {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Direction {
        if self.chance.below(100) < self.percent {
            random(view, &mut self.chance)
        } else {
            self.greedy.act(view, thinking)
        }
    }
}

/// Any free line, each as likely as the others.
fn random(view: &View, chance: &mut SplitMix64) -> Direction {
    let exits = view.board.exits(view.board.puck());
    exits.nth(chance.below(exits.count()))
}

#[cfg(test)]
mod tests;
