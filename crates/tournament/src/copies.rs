//! Games that were played before: bots without luck of their own play the same game again and again.

use std::collections::HashSet;

use quintain_record::BotId;

use crate::words::{grouped, number_in_words};

/// How many of the games of two bots are different ones.
///
/// A copy of a game shows nothing, so copies must not make anything more certain. Yet a game that comes
/// often counts more than a rare one, or else the rare ones would decide. So means are those of all games,
/// and evidence is multiplied by the share of different ones. That is right in both extremes: copies of k
/// pairs are worth k pairs of the same mean; and where independent games merely happen to be alike (a game
/// of few moves and much luck), evidence that is multiplied by less than 1 makes a claim only rarer than
/// its risk. In between it errs on the side of saying less.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// Who had the first seat, and what was played.
    seen: HashSet<(BotId, u64)>,
    games: u64,
    different: u64,
}

impl Contents {
    /// Counts a game, by who had the first seat and what was played, if that is known; whether it is a
    /// new one.
    pub(crate) fn add(&mut self, first: BotId, content: Option<u64>) -> bool {
        let is_new = content.is_none_or(|content| self.seen.insert((first, content)));
        self.games += 1;
        self.different += u64::from(is_new);
        is_new
    }

    pub(crate) fn different(&self) -> u64 {
        self.different
    }

    /// The share of different games.
    pub(crate) fn worth(&self) -> f64 {
        if self.games == 0 { 1.0 } else { self.different as f64 / self.games as f64 }
    }
}

/// How many games are different ones, as a sentence: "all 200 games are two different ones". Nothing if
/// all are.
pub fn copies_in_words(games: u64, different: u64) -> Option<String> {
    let all = grouped(games);
    match different {
        _ if different >= games => None,
        1 => Some(format!("all {all} games are the same one")),
        _ => Some(format!("all {all} games are {} different ones", number_in_words(different))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_new_once_for_each_who_begins_and_always_if_nothing_is_known_of_it() {
        let mut contents = Contents::default();
        assert_eq!(contents.worth(), 1.0);
        let games = [(0, Some(7)), (1, Some(7)), (0, Some(7)), (0, None)];
        let new = games.map(|(first, content)| contents.add(BotId(first), content));
        assert_eq!(new, [true, true, false, true]);
        assert!(contents.add(BotId(0), None));
        assert_eq!((contents.different(), contents.worth()), (4, 0.8));
    }

    #[test]
    fn copies_are_told_in_words() {
        let check = |games, different, expected: &str| {
            assert_eq!(copies_in_words(games, different).as_deref().unwrap_or(""), expected);
        };
        check(200, 200, "");
        check(0, 0, "");
        check(200, 2, "all 200 games are two different ones");
        check(1_204, 1, "all 1,204 games are the same one");
        check(200, 37, "all 200 games are 37 different ones");
    }
}
