//! The book of a tournament: every encounter of two bots, summed up as games come in.

use std::collections::BTreeMap;

use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_record::BotId;

use crate::copies::Contents;
use crate::match_result::{MatchResult, Score};
use crate::pairs::PairedResults;
use crate::tally::{ErrorCounts, Tally};

/// Sums of all games, by pair of bots. Games may come in any order, each one once; the two games of a
/// seed find each other. It takes memory for pairs of bots and for half-played pairs of games; for games
/// only where it is known what was played in them.
#[derive(Clone, Debug, Default)]
pub struct Book {
    bots: u32,
    encounters: BTreeMap<(BotId, BotId), Encounter>,
    /// Scores of the lower bot in games whose partner has not come yet.
    open: BTreeMap<OpenPair, Score>,
    contents: BTreeMap<(BotId, BotId), Contents>,
    errors_apart: Vec<ErrorCounts>,
    void: u64,
}

type OpenPair = (u32, u32, u32, BotId, BotId);

/// What two bots did against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encounter {
    /// From the view of the bot with the lower number.
    pub results: PairedResults,
    /// The lower bot's games by the seat that it had, then the higher bot's.
    tallies: [PerSeat<Tally>; 2],
    /// Games of the two that do not count.
    pub void: u64,
    /// Games that are copies of others: they count, but make nothing surer.
    pub copies: u64,
}

impl Encounter {
    /// From sums that were made elsewhere. `tallies` are the lower bot's games by the seat that it
    /// had, then the higher bot's.
    pub fn new(results: PairedResults, tallies: [PerSeat<Tally>; 2], void: u64) -> Encounter {
        Encounter { results, tallies, void, copies: 0 }
    }

    /// Games that are no copies of others.
    pub fn different(&self) -> u64 {
        self.results.games() - self.copies
    }

    /// Adds further games of the same two bots.
    pub fn add(&mut self, other: &Encounter) {
        self.results.add(&other.results);
        self.void += other.void;
        self.copies += other.copies;
        for (own, other) in self.tallies.iter_mut().zip(&other.tallies) {
            for seat in Seat::BOTH {
                own[seat] += &other[seat];
            }
        }
    }
}

impl Book {
    pub fn new(bots: u32) -> Book {
        Book { bots, errors_apart: vec![ErrorCounts::default(); bots as usize], ..Book::default() }
    }

    pub fn bots(&self) -> u32 {
        self.bots
    }

    /// Adds a finished game.
    ///
    /// # Panics
    /// If a bot meets itself or is not in the list.
    pub fn add(&mut self, result: &MatchResult) {
        let [first, second] = result.bots.0;
        assert!(first != second, "a bot does not meet itself");
        assert!(first.max(second).0 < self.bots, "every bot is in the list");
        let (lower, higher) = (first.min(second), first.max(second));
        let lower_seat = if first == lower { Seat::First } else { Seat::Second };
        let encounter = self.encounters.entry((lower, higher)).or_default();
        let id = result.id;
        let key = (id.round, id.pairing, id.seed_index, lower, higher);
        let Some(score) = result.finish.score(lower_seat) else {
            self.void += 1;
            encounter.void += 1;
            // Nobody will come for the other game any more; if it is still to come, it stays open,
            // which costs a few bytes and changes no figure.
            self.open.remove(&key);
            return;
        };
        let contents = self.contents.entry((lower, higher)).or_default();
        let is_new = contents.add(first, result.content);
        encounter.copies += u64::from(!is_new);
        match self.open.remove(&key) {
            Some(counted) => encounter.results.complete(counted, score),
            None => {
                encounter.results.add_single(score);
                self.open.insert(key, score);
            }
        }
        for (side, seat) in [lower_seat, lower_seat.other()].into_iter().enumerate() {
            encounter.tallies[side][seat].add(seat, result.finish, result.errors[seat]);
        }
    }

    /// Adds games that were summed up elsewhere, the lower bot first. Their pairs are complete: a
    /// game that is added later finds no partner among them.
    pub fn add_encounter(&mut self, lower: BotId, higher: BotId, encounter: &Encounter) {
        assert!(lower < higher && higher.0 < self.bots, "two bots of the list, the lower first");
        self.void += encounter.void;
        self.encounters.entry((lower, higher)).or_default().add(encounter);
    }

    /// Adds errors that are known by bot only, as a store counts them. They appear in
    /// [`Book::tally`] and in no encounter.
    pub fn add_errors(&mut self, bot: BotId, kind: ErrorKind, games: u64) {
        self.errors_apart[bot.index()].add(kind, games);
    }

    /// Games that count.
    pub fn games(&self) -> u64 {
        self.encounters.values().map(|encounter| encounter.results.games()).sum()
    }

    /// Games that do not count.
    pub fn void(&self) -> u64 {
        self.void
    }

    /// Games that count and are no copies of others between the same two bots.
    pub fn different(&self) -> u64 {
        self.encounters.values().map(Encounter::different).sum()
    }

    /// Everybody who met, the lower bot first, in the order of the list.
    pub fn encounters(&self) -> impl Iterator<Item = (BotId, BotId, &Encounter)> {
        self.encounters.iter().map(|(&(lower, higher), encounter)| (lower, higher, encounter))
    }

    /// The results of one bot against another, in pairs.
    pub fn results(&self, bot: BotId, opponent: BotId) -> PairedResults {
        let results = self.encounter(bot, opponent).map(|encounter| encounter.results);
        let results = results.unwrap_or_default();
        if bot < opponent { results } else { results.flipped() }
    }

    /// A field of the cross table: the games of the row's bot against the column's.
    pub fn against(&self, bot: BotId, opponent: BotId) -> Tally {
        let by_seat = self.against_by_seat(bot, opponent);
        let mut tally = by_seat[Seat::First];
        tally += &by_seat[Seat::Second];
        tally
    }

    /// The same, by the seat that the bot had.
    pub fn against_by_seat(&self, bot: BotId, opponent: BotId) -> PerSeat<Tally> {
        let side = usize::from(bot > opponent);
        self.encounter(bot, opponent).map(|encounter| encounter.tallies[side]).unwrap_or_default()
    }

    /// All games of one bot.
    pub fn tally(&self, bot: BotId) -> Tally {
        self.tallies()[bot.index()]
    }

    /// All games of each bot, in the order of the list.
    pub fn tallies(&self) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.bots as usize];
        for (&(lower, higher), encounter) in &self.encounters {
            for (bot, by_seat) in [lower, higher].into_iter().zip(&encounter.tallies) {
                for (_, tally) in by_seat.iter() {
                    tallies[bot.index()] += tally;
                }
            }
        }
        for (tally, errors) in tallies.iter_mut().zip(&self.errors_apart) {
            for (kind, games) in errors.iter() {
                tally.errors.add(kind, games);
            }
        }
        tallies
    }

    fn encounter(&self, bot: BotId, opponent: BotId) -> Option<&Encounter> {
        self.encounters.get(&(bot.min(opponent), bot.max(opponent)))
    }
}

impl Extend<MatchResult> for Book {
    fn extend<I: IntoIterator<Item = MatchResult>>(&mut self, games: I) {
        for game in games {
            self.add(&game);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::match_result::Finish;
    use crate::pairs::Pentanomial;
    use quintain_record::MatchId;

    fn game(seed_index: u32, swapped: bool, bots: [u32; 2], finish: Finish) -> MatchResult {
        MatchResult {
            id: MatchId { round: 0, pairing: 0, seed_index, swapped },
            bots: PerSeat(bots.map(BotId)),
            finish,
            errors: PerSeat::default(),
            content: None,
        }
    }

    #[test]
    fn the_two_games_of_a_seed_become_a_pair() {
        let mut book = Book::new(3);
        book.add(&game(0, false, [2, 0], Finish::Won(Seat::First)));
        assert_eq!(book.results(BotId(2), BotId(0)).singles, [0, 0, 1]);
        book.add(&game(0, true, [0, 2], Finish::Drawn));
        book.add(&game(1, false, [2, 0], Finish::BothLost));
        let results = book.results(BotId(2), BotId(0));
        assert_eq!((results.pairs, results.singles), (Pentanomial([0, 0, 0, 1, 0]), [0, 1, 0]));
        assert_eq!(book.results(BotId(0), BotId(2)), results.flipped());
        assert_eq!(book.results(BotId(0), BotId(1)), PairedResults::default());
        let seats = book.against_by_seat(BotId(2), BotId(0));
        assert_eq!((seats[Seat::First].games(), seats[Seat::Second].games()), (2, 1));
        let tally = book.against(BotId(0), BotId(2));
        assert_eq!((tally.wins, tally.draws, tally.losses), (0, 1, 2));
    }

    #[test]
    fn a_void_game_leaves_its_partner_single() {
        for void_first in [false, true] {
            let mut book = Book::new(2);
            let mut games =
                [game(0, false, [0, 1], Finish::Void), game(0, true, [1, 0], Finish::Drawn)];
            if !void_first {
                games.reverse();
            }
            book.extend(games);
            assert_eq!((book.games(), book.void()), (1, 1));
            assert_eq!(book.results(BotId(0), BotId(1)).singles, [0, 1, 0]);
        }
    }

    #[test]
    fn errors_are_counted_by_bot_and_by_opponent() {
        let mut book = Book::new(3);
        let mut crash = game(0, false, [1, 0], Finish::Won(Seat::Second));
        crash.errors[Seat::First].insert(ErrorKind::Crash);
        book.add(&crash);
        book.add_errors(BotId(1), ErrorKind::Timeout, 4);
        assert_eq!(book.against(BotId(1), BotId(0)).errors[ErrorKind::Crash], 1);
        assert_eq!(book.against(BotId(0), BotId(1)).errors.total(), 0);
        assert_eq!(book.tally(BotId(1)).errors.total(), 5);
    }

    /// Any finish that counts.
    fn any_finish() -> impl Strategy<Value = Finish> {
        let [first, second] = Seat::BOTH.map(Finish::Won);
        prop::sample::select(vec![first, second, Finish::Drawn, Finish::BothLost])
    }

    proptest! {
        /// Whatever the order, the sums are the same; whatever the games, they add up.
        #[test]
        fn order_does_not_matter(
            order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle(),
            finishes in prop::collection::vec(any_finish(), 24),
        ) {
            let games: Vec<MatchResult> = (0_u32..24).zip(&finishes).map(|(number, &finish)| {
                let bots = [[0, 1], [0, 2], [1, 2]][number as usize / 2 % 3];
                let swapped = number % 2 == 1;
                let bots = if swapped { [bots[1], bots[0]] } else { bots };
                game(number / 2, swapped, bots, finish)
            }).collect();
            let mut straight = Book::new(3);
            straight.extend(games.iter().copied());
            let mut shuffled = Book::new(3);
            shuffled.extend(order.iter().map(|&index| games[index]));
            prop_assert_eq!(&straight.encounters, &shuffled.encounters);
            prop_assert!(straight.open.is_empty() && shuffled.open.is_empty());
            prop_assert_eq!(straight.games(), 24);
            let total: u64 = straight.tallies().iter().map(Tally::games).sum();
            prop_assert_eq!(total, 48);
        }
    }
}
