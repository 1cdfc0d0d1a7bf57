//! Out of the store: sums as standings count them, names of bots, places of replays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quintain_core::PerSeat;
use quintain_record::BotId;
use quintain_store::{PairTally, Results, RunId, RunInfo, Store, StoreError};
use quintain_tournament::{Book, Encounter, PairedResults, Tally};

/// The sums of a run, as the database counts them: a million games take a fraction of a second.
///
/// # Errors
/// The store cannot be read.
pub fn book_of(store: &Store, run: RunId, bots: u32) -> Result<Book, StoreError> {
    let mut encounters: BTreeMap<[BotId; 2], Encounter> = BTreeMap::new();
    for tally in store.tally(run)? {
        encounters.entry(tally.bots).or_default().add(&encounter_of(&tally));
    }
    for mut copies in store.copies(run)? {
        copies.bots.sort_unstable();
        encounters.entry(copies.bots).or_default().copies += copies.games;
    }
    let mut book = Book::new(bots);
    for ([lower, higher], encounter) in encounters {
        book.add_encounter(lower, higher, &encounter);
    }
    for fault in store.faults(run)? {
        book.add_errors(fault.bot, fault.kind, fault.games);
    }
    Ok(book)
}

fn encounter_of(tally: &PairTally) -> Encounter {
    let mut results = PairedResults { singles: tally.singles, ..PairedResults::default() };
    results.pairs.0 = tally.pairs;
    let own = |results: &Results| Tally {
        wins: results.wins,
        draws: results.draws,
        losses: results.losses + results.lost_by_both,
        both_lost: results.lost_by_both,
        ..Tally::default()
    };
    let others = |results: &Results| {
        own(&Results { wins: results.losses, losses: results.wins, ..*results })
    };
    let [first, second] = &tally.by_seat;
    let lower = PerSeat([own(first), own(second)]);
    // Where the lower one had the first seat, the higher one had the second.
    let higher = PerSeat([others(second), others(first)]);
    Encounter::new(results, [lower, higher], tally.voids)
}

/// How the bot of a place is called.
pub fn bot_name(run: &RunInfo, bot: BotId) -> String {
    match run.plan.bots.get(bot.index()) {
        Some(entry) => entry.name.clone(),
        None => format!("bot {}", bot.0),
    }
}

/// Where a stored replay is: paths are kept relative to the folder of the store.
pub fn replay_path(store: &Store, stored: &str) -> PathBuf {
    store.folder().unwrap_or_default().join(stored)
}

/// How a replay is named in a store that is in this folder; `None` if it is a database.
pub fn path_in_store(folder: Option<&Path>, path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let below = folder.and_then(|folder| absolute.strip_prefix(folder).ok());
    below.unwrap_or(&absolute).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use quintain_core::Seat;
    use quintain_record::MatchId;
    use quintain_tournament::{Finish, MatchResult};

    use super::*;

    /// The database's sums say the same as games added one by one.
    #[test]
    fn sums_give_the_same_book_as_games() {
        let mut book = Book::new(2);
        let id = |seed_index, swapped| MatchId { round: 0, pairing: 0, seed_index, swapped };
        let mut add = |id: MatchId, finish| {
            let bots = if id.swapped { [BotId(1), BotId(0)] } else { [BotId(0), BotId(1)] };
            let errors = PerSeat::default();
            book.add(&MatchResult { id, bots: PerSeat(bots), finish, errors, content: None });
        };
        add(id(0, false), Finish::Won(Seat::First));
        add(id(0, true), Finish::Won(Seat::First));
        add(id(1, false), Finish::BothLost);
        add(id(1, true), Finish::Void);
        let tally = PairTally {
            bots: [BotId(0), BotId(1)],
            by_seat: [
                Results { wins: 1, lost_by_both: 1, ..Results::default() },
                Results { losses: 1, ..Results::default() },
            ],
            pairs: [0, 0, 1, 0, 0],
            singles: [0, 1, 0],
            voids: 1,
        };
        let mut summed = Book::new(2);
        summed.add_encounter(BotId(0), BotId(1), &encounter_of(&tally));
        assert_eq!(summed.tallies(), book.tallies());
        assert_eq!((summed.games(), summed.void()), (book.games(), book.void()));
        let both = [(BotId(0), BotId(1)), (BotId(1), BotId(0))];
        for (bot, opponent) in both {
            assert_eq!(summed.results(bot, opponent), book.results(bot, opponent));
            let seats = book.against_by_seat(bot, opponent);
            assert_eq!(summed.against_by_seat(bot, opponent), seats);
        }
    }
}
