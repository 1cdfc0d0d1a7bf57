//! What is kept of the games: each of them in a store, if there is one, and some of their replays.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_arena::{NewFolder, path_in_store, replay_path};
use quintain_core::{ErrorKind, PerSeat, Seat, Verdict};
use quintain_record::{BotId, Disturbance, Ending, MatchId, MatchRecord, MatchRow, SeatError};
use quintain_referee::Unprotected;
use quintain_registry::MatchReport;
use quintain_store::{Filter, Run, RunId, Store};
use quintain_tournament::MatchResult;

use crate::failure::Failure;
use crate::output::file_name_part;

/// Replays of games in which a team failed, per pairing: the first ones show why.
const FAILED_REPLAYS_MAX: u32 = 100;

/// A game that was played, as the store keeps it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) record: MatchRecord,
    pub(super) replay: Option<PathBuf>,
    /// How many answers were late because the machine was busy.
    pub(super) disturbed: u32,
    /// As in the report of its match.
    pub(super) unprotected: PerSeat<Option<Unprotected>>,
}

impl Entry {
    /// `disturbances` are those of the attempts before.
    pub(super) fn new(
        id: MatchId,
        bots: PerSeat<BotId>,
        report: &MatchReport,
        duration: Duration,
        disturbances: Vec<Disturbance>,
    ) -> Entry {
        let mut record = report.record(id, bots, duration);
        for error in &mut record.errors {
            error.text = failure_text(report, error);
        }
        let disturbed = disturbances.len() as u32;
        record.disturbances = disturbances;
        Entry { record, replay: None, disturbed, unprotected: report.unprotected.clone() }
    }

    /// A game from a store, without the words about what went wrong and what it was disturbed by.
    fn listed(row: MatchRow, store: &Store) -> Entry {
        let errors_of = |seat: Seat| {
            let error = move |kind| SeatError { seat, kind, times: 1, text: String::new() };
            row.errors[seat].iter().map(error)
        };
        let errors = Seat::BOTH.into_iter().flat_map(errors_of).collect();
        let replay = row.head.replay.as_deref().map(|path| replay_path(store, path));
        let (disturbances, tags) = (Vec::new(), Vec::new());
        let record = MatchRecord { head: row.head, errors, disturbances, tags };
        Entry { record, replay, disturbed: row.disturbed, unprotected: PerSeat::default() }
    }

    /// What the seat's team did wrong first, in words. A throw that was refused is an error too, as is
    /// meddling, but not what a game is lost by.
    pub(super) fn failure(&self, seat: Seat) -> Option<&str> {
        let is_fatal = |kind: ErrorKind| !matches!(kind, ErrorKind::Illegal | ErrorKind::Meddling);
        let mut errors = self.record.errors.iter();
        let failure = errors.find(|error| error.seat == seat && is_fatal(error.kind))?;
        Some(&failure.text)
    }

    /// Whether the seat's team never came.
    pub(super) fn is_absent(&self, seat: Seat) -> bool {
        self.record.error_kinds()[seat].contains(ErrorKind::NotStarted)
    }

    pub(super) fn is_void(&self) -> bool {
        self.record.head.ending.is_void()
    }

    pub(super) fn result(&self) -> MatchResult {
        // Marks follow from points, whatever was played for them.
        MatchResult { content: None, ..MatchResult::from(&self.record) }
    }

    /// The game, won by nobody.
    pub(super) fn lost_by_both(mut self) -> Entry {
        if let Ending::Scored(scored) = &mut self.record.head.ending {
            scored.verdicts = PerSeat([Verdict::Loss; 2]);
        }
        self
    }
}

fn failure_text(report: &MatchReport, error: &SeatError) -> String {
    let mut text = error.text.clone();
    if error.kind != ErrorKind::NotStarted {
        let plural = if report.turns == 1 { "" } else { "s" };
        text += &format!(" after {} throw{plural}", report.turns);
    }
    if let Some(last) = report.last_stderr[error.seat].lines().last() {
        text += &format!(", its last line on stderr: {last}");
    }
    text
}

/// Where games are kept.
pub(super) struct Ledger {
    // Ended before the store is closed. `None` if nothing is added to it.
    pub(super) run: Option<Run>,
    /// The store, and which of its runs this is.
    pub(super) store: Option<(Store, RunId)>,
    /// The folder for replays; `None` keeps none.
    pub(super) replays: Option<PathBuf>,
    /// A new folder, if it was made for them.
    pub(super) _made: Option<NewFolder>,
    /// Of every so many games of a pairing one replay is kept, whatever happened in it.
    pub(super) sample: Option<NonZero<u32>>,
}

impl Ledger {
    /// The file for a game's replay while it is played.
    pub(super) fn replay_of(&self, id: MatchId, names: PerSeat<&str>) -> Option<PathBuf> {
        let [first, second] = names.0.map(file_name_part);
        let name = format!("{id}-{first}-vs-{second}.replay.jsonl.zst");
        Some(self.replays.as_deref()?.join(name))
    }

    /// Keeps the replay of a game, or removes it if nobody will ask for it. `failed_before` counts the
    /// games of this pairing in which somebody failed.
    pub(super) fn keep_replay(&self, entry: &mut Entry, path: &Path, failed_before: u32) {
        let MatchId { seed_index, swapped, .. } = entry.record.head.id;
        let number = seed_index * 2 + u32::from(swapped);
        let is_sample = self.sample.is_some_and(|every| number.is_multiple_of(every.get()));
        // Of a game that never began there is nothing to be seen.
        let was_begun = !Seat::BOTH.into_iter().any(|seat| entry.is_absent(seat));
        let has_failed = Seat::BOTH.into_iter().any(|seat| entry.failure(seat).is_some());
        let is_troubled = entry.is_void() || has_failed;
        if was_begun && (is_sample || (is_troubled && failed_before < FAILED_REPLAYS_MAX)) {
            let folder = self.store.as_ref().and_then(|(store, _)| store.folder());
            entry.record.head.replay = Some(path_in_store(folder.as_deref(), path));
            entry.replay = Some(path.to_owned());
        } else {
            // A file that stays does no harm.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Returns when the game can survive a power cut.
    pub(super) fn record(&self, entry: &Entry) -> Result<(), Failure> {
        if let Some(run) = &self.run {
            run.record(&entry.record)?;
        }
        Ok(())
    }

    /// What was played before, by pairing.
    pub(super) fn past(&self) -> Result<BTreeMap<u32, Vec<Entry>>, Failure> {
        let mut past: BTreeMap<u32, Vec<Entry>> = BTreeMap::new();
        if let Some((store, run)) = &self.store {
            for listed in store.games(*run, &Filter::default()) {
                let row = listed?;
                past.entry(row.head.id.pairing).or_default().push(Entry::listed(row, store));
            }
        }
        Ok(past)
    }

    /// Finds what lists of a store leave out of a game.
    pub(super) fn find_rest(&self, entry: &mut Entry) -> Result<(), Failure> {
        let Some((store, run)) = &self.store else { return Ok(()) };
        if let Some(record) = store.game_of(*run, entry.record.head.id)? {
            entry.record = record;
        }
        Ok(())
    }

    /// Where a replay is that was kept under this name.
    pub(super) fn path(&self, stored: &str) -> PathBuf {
        match &self.store {
            Some((store, _)) => replay_path(store, stored),
            None => PathBuf::from(stored),
        }
    }
}
