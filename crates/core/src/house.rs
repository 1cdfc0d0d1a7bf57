//! Bots inside the process, and those that a game brings along.

mod mixture;

pub use mixture::{Coin, Mixture};

use crate::{Dialogue, Game, Sample, SplitMix64, Thinking, unhurried};

/// A bot inside the process.
pub trait Bot<G: Game>: Send {
    fn act(&mut self, view: &G::View, thinking: &mut Thinking<'_>) -> G::Action;

    /// Sees a position in which somebody else answers for its seat, so that it knows what happened when it is
    /// asked later. `answer` is what was done there; `None` if that was no action.
    fn watch(&mut self, _view: &G::View, _answer: Option<&G::Action>) {}

    /// What it does where nobody has a clock.
    fn act_unhurried(&mut self, view: &G::View) -> G::Action {
        unhurried(|thinking| self.act(view, thinking))
    }
}

/// A function of what it is shown is a bot that answers at once.
impl<G: Game, F: FnMut(&G::View) -> G::Action + Send> Bot<G> for F {
    fn act(&mut self, view: &G::View, _: &mut Thinking<'_>) -> G::Action {
        self(view)
    }
}

/// Any legal action, each as [`Sample`] has it, in games that hide nothing.
#[derive(Clone, Debug)]
pub struct RandomBot {
    chance: SplitMix64,
}

impl RandomBot {
    pub fn new(seed: i64) -> RandomBot {
        RandomBot { chance: SplitMix64::new(seed as u64) }
    }

    /// What it does, for bots that ask it when they know no better.
    pub fn act<G: Sample<View = G>>(&mut self, view: &G) -> G::Action {
        let seat = view.to_act().single().expect("one seat acts at a time");
        view.sample(seat, &mut self.chance)
    }
}

impl<G: Sample<View = G>> Bot<G> for RandomBot {
    fn act(&mut self, view: &G, _: &mut Thinking<'_>) -> G::Action {
        RandomBot::act(self, view)
    }
}

/// What is said of a house bot in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseBot {
    pub name: &'static str,
    /// What it does, in a sentence without its dot.
    pub about: &'static str,
    pub effort: Effort,
}

impl HouseBot {
    /// A bot that answers at once.
    pub const fn at_once(name: &'static str, about: &'static str) -> HouseBot {
        HouseBot { name, about, effort: Effort::AtOnce }
    }

    /// A bot that searches so many positions for an answer.
    pub const fn searching(name: &'static str, about: &'static str, nodes: u64) -> HouseBot {
        HouseBot { name, about, effort: Effort::Nodes(nodes) }
    }

    /// A bot that searches as long as it may.
    pub const fn by_the_clock(name: &'static str, about: &'static str) -> HouseBot {
        HouseBot { name, about, effort: Effort::Clock }
    }

    /// How it plays, by its name and its effort.
    pub fn level(&self) -> Level {
        match self.effort {
            Effort::Nodes(nodes) => match mixture::search_percent(self.name) {
                Some(percent) => Level::HalfSearch { percent },
                None => Level::Search(Some(nodes)),
            },
            Effort::Clock => Level::Search(None),
            Effort::AtOnce => match mixture::greedy_percent(self.name) {
                Some(percent) => Level::Mixture { percent },
                None if self.name == "greedy" => Level::Greedy,
                None => Level::Random,
            },
        }
    }

    /// The names of some, for sentences.
    pub fn list(bots: &[HouseBot]) -> String {
        let names: Vec<&str> = bots.iter().map(|bot| bot.name).collect();
        names.join(", ")
    }
}

/// What a house bot spends on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Next to nothing.
    AtOnce,
    /// So many positions at most, so that it plays the same on every machine.
    Nodes(u64),
    /// What the time limit allows.
    Clock,
}

/// How a house bot of the usual names plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Random,
    /// Like greedy in so many of a hundred answers, see [`Mixture`].
    Mixture {
        percent: u32,
    },
    Greedy,
    /// Like a search of 1,000 positions in so many of a hundred answers, else like greedy.
    HalfSearch {
        percent: u32,
    },
    /// So many positions an answer, or as many as the clock allows.
    Search(Option<u64>),
}

/// A game with bots of its own.
pub trait House: Game {
    /// Weakest first. There are at least two.
    const BOTS: &'static [HouseBot];

    /// The bot of that name; `None` for a name not in `BOTS`.
    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<Self>>>;

    /// How the bot of that name plays; `None` for a name not in `BOTS`.
    fn level(name: &str) -> Option<Level> {
        Self::BOTS.iter().find(|bot| bot.name == name).map(HouseBot::level)
    }
}

/// A game whose own bots can also play from the far side of the wire.
pub trait HouseClient: House {
    /// The bot of that name, calling itself `name`. The wire does not say which league is played; a
    /// bot that is not told keeps to what all allow.
    fn dialogue(bot: &str, name: &str, seed: i64, league: Option<u8>) -> Option<Box<dyn Dialogue>>;
}
