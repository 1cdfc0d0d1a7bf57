//! What is played now, and who wants to see it.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use quintain_core::PerSeat;
use quintain_core::scene::Eye;
use quintain_registry::Spectator;
use quintain_store::RunId;

use super::filming::{Camera, FilmQueue};
use super::live_match::{LiveMatch, MatchAbout};
use crate::limits::{FILMED_MAX, FILMED_PERIOD, LIVE_KEPT_MAX};

/// Where a run tells what is played. All clones are one.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    queue: FilmQueue,
    matches: Mutex<Matches>,
}

#[derive(Default)]
struct Matches {
    /// Those that are filmed or were, by number.
    by_number: BTreeMap<u64, Arc<LiveMatch>>,
    count: u64,
    /// What is played and was: runs of a store, the latest last.
    runs: Vec<RunId>,
    is_closed: bool,
    /// When those began that were begun last, the latest last.
    begun: VecDeque<Instant>,
}

impl Hub {
    /// # Errors
    /// The system gives no thread.
    pub fn new() -> io::Result<Hub> {
        Ok(Hub(Arc::new(Inner { queue: FilmQueue::open()?, matches: Mutex::default() })))
    }

    fn matches(&self) -> MutexGuard<'_, Matches> {
        self.0.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match of a number, if it is still known.
    pub(crate) fn find(&self, number: u64) -> Option<Arc<LiveMatch>> {
        self.matches().by_number.get(&number).cloned()
    }

    /// Whether a match of this number is the next to begin.
    pub(crate) fn is_next(&self, number: u64) -> bool {
        self.matches().count + 1 == number
    }

    /// All that are known, the latest first.
    pub(crate) fn list(&self) -> Vec<Arc<LiveMatch>> {
        self.matches().by_number.values().rev().cloned().collect()
    }

    /// A run of a store is played from now on.
    pub(super) fn begin_run(&self, run: RunId) {
        self.matches().runs.push(run);
    }

    /// Nothing more is played.
    pub fn close(&self) {
        self.matches().is_closed = true;
    }

    /// Whether nothing more is played.
    pub(crate) fn is_closed(&self) -> bool {
        self.matches().is_closed
    }

    /// The run of a store that is played, or was.
    pub(crate) fn run(&self) -> Option<RunId> {
        self.matches().runs.last().copied()
    }

    /// Whether a run is played here, or was.
    pub(crate) fn knows(&self, run: RunId) -> bool {
        self.matches().runs.contains(&run)
    }

    /// The matches of a run that can be watched at this moment.
    pub(crate) fn running(&self, run: RunId) -> Vec<Arc<LiveMatch>> {
        let is_running =
            |live: &&Arc<LiveMatch>| live.about.run == Some(run) && live.end().is_none();
        self.matches().by_number.values().filter(is_running).cloned().collect()
    }

    /// Whether one more match should be filmed: pictures cost more than many a match, so that of many matches
    /// only some are.
    pub(crate) fn has_room(&self) -> bool {
        self.matches().has_room()
    }

    /// Begins to film a match.
    pub(crate) fn film(
        &self,
        title: &'static str,
        names: PerSeat<String>,
        seed: i64,
        eye: Eye,
    ) -> (Arc<LiveMatch>, Box<dyn Spectator>) {
        let mut matches = self.matches();
        matches.count += 1;
        matches.note_begun(Instant::now());
        let about = MatchAbout {
            number: matches.count,
            run: matches.runs.last().copied(),
            title,
            names,
            seed,
        };
        let live = Arc::new(LiveMatch::new(about));
        matches.by_number.insert(live.about.number, Arc::clone(&live));
        matches.forget();
        let camera = Camera::new(Arc::clone(&live), self.0.queue.clone(), eye);
        (live, Box::new(camera))
    }

    /// A match is over. `page` is where it can be seen again.
    pub(crate) fn finish(&self, live: Arc<LiveMatch>, page: Option<String>) {
        self.0.queue.finish(live, page);
    }
}

impl Matches {
    fn has_room(&self) -> bool {
        let running = self.by_number.values().filter(|live| live.end().is_none()).count();
        running < FILMED_MAX && self.is_rested(Instant::now())
    }

    /// Whether few enough were begun of late. The first ones of a run may follow each other at once: the one
    /// after a short match may be the long one that people wait to see.
    fn is_rested(&self, now: Instant) -> bool {
        let since = |begun: &Instant| now.saturating_duration_since(*begun);
        self.begun.len() < FILMED_MAX
            || self.begun.front().is_some_and(|begun| since(begun) >= FILMED_PERIOD)
    }

    fn note_begun(&mut self, now: Instant) {
        self.begun.push_back(now);
        if self.begun.len() > FILMED_MAX {
            self.begun.pop_front();
        }
    }

    /// Those that ended long ago go.
    fn forget(&mut self) {
        let over = self.by_number.iter().filter(|(_, live)| live.end().is_some());
        let over: Vec<u64> = over.map(|(number, _)| *number).collect();
        for number in &over[..over.len().saturating_sub(LIVE_KEPT_MAX)] {
            self.by_number.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_matches_are_filmed_however_short_and_later_ones_now_and_then() {
        let mut matches = Matches::default();
        let start = Instant::now();
        for _ in 0..FILMED_MAX {
            assert!(matches.is_rested(start));
            matches.note_begun(start);
        }
        assert!(!matches.is_rested(start));
        assert!(matches.is_rested(start + FILMED_PERIOD));

        // A minute of matches that take a millisecond.
        let mut filmed = 0;
        for millisecond in 0..60_000 {
            let now = start + FILMED_PERIOD + Duration::from_millis(millisecond);
            if matches.is_rested(now) {
                matches.note_begun(now);
                filmed += 1;
            }
        }
        assert_eq!(filmed, 30 * FILMED_MAX);
    }
}
