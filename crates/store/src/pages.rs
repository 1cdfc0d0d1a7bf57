//! Games read a page at a time, so that a million of them never are in memory at once.

use std::collections::VecDeque;

use quintain_record::{MatchRecord, MatchRow};

use crate::{Filter, RunId, Store, StoreError};

/// The games of a filter, one after the other. After an error there are no more.
#[derive(Debug)]
pub struct Games<T = MatchRow> {
    store: Store,
    run: RunId,
    filter: Filter,
    read: ReadPage<T>,
    page: VecDeque<T>,
    /// The number of the last game that was read; `None` when all were.
    after: Option<u64>,
}

/// The games of a filter with everything that is kept of them.
pub type WholeGames = Games<(u64, MatchRecord)>;

/// Reads the page after the game of a number.
pub(crate) type ReadPage<T> = fn(&Store, RunId, &Filter, u64) -> Result<Page<T>, StoreError>;

pub(crate) struct Page<T> {
    pub(crate) games: VecDeque<T>,
    /// Behind which number the next page begins; `None` if this one is the last.
    pub(crate) next: Option<u64>,
}

impl<T> Games<T> {
    pub(crate) fn new(store: Store, run: RunId, filter: Filter, read: ReadPage<T>) -> Games<T> {
        Games { store, run, filter, read, page: VecDeque::new(), after: Some(0) }
    }
}

impl<T> Iterator for Games<T> {
    type Item = Result<T, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty()
            && let Some(after) = self.after.take()
        {
            match (self.read)(&self.store, self.run, &self.filter, after) {
                Ok(page) => (self.page, self.after) = (page.games, page.next),
                Err(error) => return Some(Err(error)),
            }
        }
        self.page.pop_front().map(Ok)
    }
}
