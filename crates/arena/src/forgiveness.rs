//! How often a bot is excused because the machine kept it waiting.
//!
//! Whether an answer was late through the machine's fault is judged from what the system counts, and what
//! it counts can be influenced by who wants to: a bot that is about to lose gains by a game that does not
//! count. So void games are charged to the bots that were late in them, and whose share of them is too
//! large has no more of them. On a machine on which one game in five is disturbed one in six hundred is void.

use std::sync::{Mutex, PoisonError};

use quintain_core::{PerSeat, Seat};
use quintain_record::{BotId, MatchRecord};
use quintain_referee::Unprotected;
use quintain_registry::MatchReport;
use quintain_store::{Filter, RunId, Store, StoreError};

/// Void games that a bot may have in any case.
pub const VOIDS_FREE: u64 = 3;
/// One more for each so many games that it has played.
pub const GAMES_PER_VOID: u64 = 50;

/// The games and void games of the bots of a run. All slots share it.
#[derive(Debug, Default)]
pub struct Forgiveness(Mutex<Vec<Account>>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Account {
    /// Void ones too.
    games: u64,
    /// In which it was late.
    voids: u64,
}

impl Account {
    fn is_used_up(&self) -> bool {
        self.voids >= VOIDS_FREE + self.games / GAMES_PER_VOID
    }
}

impl Forgiveness {
    /// Takes what was played in a run before.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn recall(&self, store: &Store, run: RunId) -> Result<(), StoreError> {
        for tally in store.tally(run)? {
            for bot in tally.bots {
                self.change(bot, |account| account.games += tally.games() + tally.voids);
            }
        }
        let void = Filter { void: Some(true), ..Filter::default() };
        for numbered in store.whole_games(run, &void) {
            self.charge(&numbered?.1);
        }
        Ok(())
    }

    /// Counts a finished game.
    pub fn count(&self, record: &MatchRecord) {
        for (_, &bot) in record.head.bots.iter() {
            self.change(bot, |account| account.games += 1);
        }
        self.charge(record);
    }

    /// A void game is charged to every bot that was late in one of its attempts.
    fn charge(&self, record: &MatchRecord) {
        if !record.head.ending.is_void() {
            return;
        }
        for seat in Seat::BOTH {
            if record.disturbances.iter().any(|late| late.seat == seat) {
                self.change(record.head.bots[seat], |account| account.voids += 1);
            }
        }
    }

    /// Strikes out of a report what is not forgiven any more: that answer was late. The report says so.
    pub fn judge(&self, bots: PerSeat<BotId>, report: &mut MatchReport) {
        for seat in Seat::BOTH {
            let account = self.account(bots[seat]);
            if account.is_used_up() {
                report.disturbed.retain(|late| late.seat != seat);
                report.unprotected[seat] = Some(Unprotected::UsedUp { voids: account.voids });
            }
        }
    }

    fn account(&self, bot: BotId) -> Account {
        let accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.get(bot.index()).copied().unwrap_or_default()
    }

    fn change(&self, bot: BotId, change: impl FnOnce(&mut Account)) {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = bot.index();
        if accounts.len() <= place {
            accounts.resize(place + 1, Account::default());
        }
        change(&mut accounts[place]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_has_a_few_void_games_in_any_case_and_then_one_in_fifty() {
        let is_used_up = |voids, games| Account { games, voids }.is_used_up();
        assert!(!is_used_up(VOIDS_FREE - 1, 2));
        assert!(is_used_up(VOIDS_FREE, 3));
        assert!(!is_used_up(VOIDS_FREE, GAMES_PER_VOID));
        assert!(is_used_up(VOIDS_FREE + 20, 20 * GAMES_PER_VOID));
        assert!(!is_used_up(VOIDS_FREE + 20, 21 * GAMES_PER_VOID));
    }
}
