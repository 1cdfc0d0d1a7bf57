//! Bots between two others: rungs of a ladder that play like a strong bot now and then, and else like a weak one.

use crate::{Bot, Chance, Game, SplitMix64, Thinking};

/// What the names of such bots begin with; how many of a hundred answers are the strong one's follows.
const HALF_GREEDY: &str = "greedy-";
const HALF_SEARCHING: &str = "search-1k-";

/// The [`HouseBot`](crate::HouseBot) that plays like greedy in so many of a hundred answers. The word says what
/// an answer is called, and more may be said of the bot behind that.
#[macro_export]
macro_rules! half_greedy {
    ($percent:literal, $answers:literal $(, $more:literal)?) => {
        $crate::HouseBot::at_once(
            concat!("greedy-", $percent),
            concat!(
                "plays like greedy in ", $percent, " of 100 ", $answers, ", like random in the others"
                $(, $more)?
            ),
        )
    };
}

/// The [`HouseBot`](crate::HouseBot) that searches 1,000 positions in so many of a hundred answers, and else plays
/// like greedy.
#[macro_export]
macro_rules! half_searching {
    ($percent:literal, $answers:literal) => {
        $crate::HouseBot::searching(
            concat!("search-1k-", $percent),
            concat!(
                "plays like search-1k in ",
                $percent,
                " of 100 ",
                $answers,
                ", like greedy in the others"
            ),
            1_000,
        )
    };
}

/// How many of a hundred answers the bot of such a name gives like greedy; `None` for other names.
pub(super) fn greedy_percent(name: &str) -> Option<u32> {
    name.strip_prefix(HALF_GREEDY)?.parse().ok()
}

/// How many of a hundred answers the bot of such a name gives like a search; `None` for other names.
pub(super) fn search_percent(name: &str) -> Option<u32> {
    name.strip_prefix(HALF_SEARCHING)?.parse().ok()
}

/// Says who of two bots answers.
#[derive(Clone, Debug)]
pub struct Coin {
    percent: u32,
    chance: SplitMix64,
}

impl Coin {
    /// One that falls to the strong bot in so many of a hundred throws. Its draws are others than those of a bot with
    /// the same seed.
    pub fn new(percent: u32, seed: i64) -> Coin {
        Coin { percent, chance: SplitMix64::new(!seed as u64) }
    }

    pub fn is_strong(&mut self) -> bool {
        self.chance.below(100) < self.percent
    }
}

/// Plays like one bot in some of its answers, and like another in the others. Both look at every position,
/// since both may learn from it.
#[derive(Clone, Debug)]
pub struct Mixture<Strong, Weak> {
    pub coin: Coin,
    pub strong: Strong,
    pub weak: Weak,
}

impl<G: Game, Strong: Bot<G>, Weak: Bot<G>> Bot<G> for Mixture<Strong, Weak> {
    fn act(&mut self, view: &G::View, thinking: &mut Thinking<'_>) -> G::Action {
        let strong = self.strong.act(view, thinking);
        let weak = self.weak.act(view, thinking);
        if self.coin.is_strong() { strong } else { weak }
    }

    fn watch(&mut self, view: &G::View, answer: Option<&G::Action>) {
        self.strong.watch(view, answer);
        self.weak.watch(view, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HouseBot, Level};

    #[test]
    fn the_name_of_a_mixture_says_how_often_it_is_strong() {
        let bot: HouseBot = half_greedy!(30, "throws");
        assert_eq!(bot.level(), Level::Mixture { percent: 30 });
        assert_eq!(bot.about, "plays like greedy in 30 of 100 throws, like random in the others");
        let bot: HouseBot = half_searching!(40, "throws");
        assert_eq!((bot.name, bot.level()), ("search-1k-40", Level::HalfSearch { percent: 40 }));
        let mut coin = Coin::new(30, 7);
        let strong = (0..10_000).filter(|_| coin.is_strong()).count();
        assert!((2_800..3_200).contains(&strong), "{strong} of 10,000");
    }
}
