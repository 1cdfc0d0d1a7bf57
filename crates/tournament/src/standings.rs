//! The table at the end: who is how strong, with how many games and errors.

use quintain_record::BotId;
use serde::{Serialize, Serializer};

use crate::book::Book;
use crate::rating::{Rating, RatingSettings, rate};
use crate::tally::Tally;

/// How strength is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RatingKind {
    /// From all games at once.
    #[default]
    BradleyTerry,
    /// Round by round.
    Glicko,
}

impl RatingKind {
    pub const ALL: [RatingKind; 2] = [RatingKind::BradleyTerry, RatingKind::Glicko];

    /// As people know it.
    pub const fn name(self) -> &'static str {
        match self {
            RatingKind::BradleyTerry => "Bradley-Terry",
            RatingKind::Glicko => "Glicko-2",
        }
    }

    /// As files and options name it.
    pub const fn key(self) -> &'static str {
        match self {
            RatingKind::BradleyTerry => "bradley-terry",
            RatingKind::Glicko => "glicko",
        }
    }
}

impl Serialize for RatingKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The bots of a tournament, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    pub rows: Vec<Row>,
    /// Games that count.
    pub games: u64,
    /// Games that do not.
    pub void: u64,
}

/// One bot's line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// From 1. Bots of equal rating and equal share of points have the same place.
    pub place: u32,
    pub bot: BotId,
    pub tally: Tally,
    pub rating: Rating,
}

/// The standings by Bradley-Terry ratings with intervals.
pub fn standings(book: &Book, settings: &RatingSettings) -> Standings {
    standings_by(book, &rate(book, settings))
}

/// The standings by other ratings, one for each bot in the order of the list: those of a
/// [`GlickoLadder`](crate::GlickoLadder), for instance.
pub fn standings_by(book: &Book, ratings: &[Rating]) -> Standings {
    assert_eq!(ratings.len(), book.bots() as usize, "every bot has a rating");
    let tallies = book.tallies();
    let share = |bot: BotId| tallies[bot.index()].share().unwrap_or(0.5);
    let mut bots: Vec<BotId> = BotId::all(book.bots()).collect();
    // Ratings of equal bots may differ in their last bits; what nobody could see is no difference.
    let key = |bot: BotId| (ratings[bot.index()].value * 1e6).round();
    let order = |one: BotId, other: BotId| {
        key(other).total_cmp(&key(one)).then(share(other).total_cmp(&share(one)))
    };
    bots.sort_by(|&one, &other| order(one, other).then(one.cmp(&other)));
    let mut rows: Vec<Row> = Vec::with_capacity(bots.len());
    for (number, bot) in (1..).zip(bots) {
        let place = match rows.last() {
            Some(above) if order(above.bot, bot).is_eq() => above.place,
            _ => number,
        };
        rows.push(Row { place, bot, tally: tallies[bot.index()], rating: ratings[bot.index()] });
    }
    Standings { rows, games: book.games(), void: book.void() }
}

impl Standings {
    /// The cross table in the order of the rows: each row's games against each column's bot, with
    /// `None` where a bot would meet itself.
    pub fn cross_table(&self, book: &Book) -> Vec<Vec<Option<Tally>>> {
        let against = |row: &Row, column: &Row| {
            (row.bot != column.bot).then(|| book.against(row.bot, column.bot))
        };
        let fields = |row| self.rows.iter().map(|column| against(row, column)).collect();
        self.rows.iter().map(fields).collect()
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{PerSeat, Seat};
    use quintain_record::MatchId;

    use super::*;
    use crate::match_result::{Finish, MatchResult};

    fn book(bots: u32, games: &[([u32; 2], Finish)]) -> Book {
        let mut book = Book::new(bots);
        book.extend((0..).zip(games).map(|(seed_index, &(bots, finish))| MatchResult {
            id: MatchId { round: 0, pairing: 0, seed_index, swapped: false },
            bots: PerSeat(bots.map(BotId)),
            finish,
            errors: PerSeat::default(),
            content: None,
        }));
        book
    }

    #[test]
    fn the_best_is_first_and_equals_share_a_place() {
        const WON: Finish = Finish::Won(Seat::First);
        let games = [([2, 0], WON), ([2, 1], WON), ([0, 1], Finish::Drawn), ([3, 2], Finish::Void)];
        let book = book(4, &games);
        let table = standings(&book, &RatingSettings { resamples: 50, ..Default::default() });
        let order: Vec<(u32, u32)> = table.rows.iter().map(|row| (row.place, row.bot.0)).collect();
        assert_eq!(order, [(1, 2), (2, 3), (3, 0), (3, 1)]);
        assert_eq!((table.games, table.void), (3, 1));
        // The mean is that of the two who are bounded from both sides.
        let [best, absent, one, other] = table.rows[..] else { panic!("four rows") };
        assert!((one.rating.value + other.rating.value - 3000.0).abs() < 1e-6, "{table:?}");
        let in_words = best.rating.interval_in_words();
        assert!(in_words.ends_with(" or more"), "unbeaten: {in_words}");
        assert_eq!(absent.rating.interval_in_words(), "anything");
        let cross = table.cross_table(&book);
        let points = |row: usize, column: usize| cross[row][column].map(|tally| tally.points());
        assert_eq!((points(0, 2), points(2, 0), points(2, 3)), (Some(1.0), Some(0.0), Some(0.5)));
        assert_eq!((cross[0][0], points(0, 1)), (None, Some(0.0)));
    }

    #[test]
    fn a_table_of_nobody_is_empty() {
        assert_eq!(standings(&Book::new(0), &RatingSettings::default()).rows, []);
        let alone = standings(&Book::new(1), &RatingSettings::default());
        assert_eq!((alone.rows.len(), alone.rows[0].rating.value), (1, 1500.0));
    }
}
