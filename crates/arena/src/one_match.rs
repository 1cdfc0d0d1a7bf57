//! One game of a run: a match, and again if the machine disturbed it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_links::{Halt, Link, RealWorld, Sandbox};
use quintain_record::{
    BotId, Contestant, Ending, MatchHead, MatchRecord, Occupant, SeatError, VoidReason,
};
use quintain_referee::{MatchRules, Unprotected};
use quintain_registry::{MatchError, MatchReport, MatchSpec, Playable, Spectator};
use quintain_store::now_ms;
use quintain_tournament::PlannedMatch;

use crate::arena::{Arena, ArenaError, Replays};
use crate::forgiveness::Forgiveness;
use crate::occupant::{SeatNeeds, SeatingError, take_seat};
use crate::results::path_in_store;

/// How often a match that the machine disturbed is played again before it is void.
pub const REPEATS_MAX: u32 = 3;

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Everything that is kept of it.
    pub record: MatchRecord,
    /// The file, if there is one.
    pub replay: Option<PathBuf>,
    /// As in [`MatchReport`], of the last attempt.
    pub unprotected: PerSeat<Option<Unprotected>>,
}

/// What the games of one kind of run do in their own way. All else is the same for all: when a game is
/// played again, when it is void, and what is kept of it.
pub(crate) trait RunKind {
    fn game(&self) -> &dyn Playable;

    fn forgiveness(&self) -> &Forgiveness;

    /// Where the store is, if it is a file.
    fn store_folder(&self) -> Option<PathBuf>;

    /// What can cut a game off.
    fn halt(&self) -> Option<Halt>;

    fn link(&self, bot: BotId) -> Result<Link, SeatingError>;

    fn spec(&self, planned: &PlannedMatch, attempt: u32) -> MatchSpec;

    /// Whether replays of attempts that were thrown away stay.
    fn keeps_attempts(&self) -> bool;

    /// What is told of an error.
    fn error_text(&self, report: &MatchReport, error: &SeatError) -> String;

    /// Whether somebody will ask for the replay of a game.
    fn keeps_replay(&self, record: &MatchRecord) -> bool;
}

/// Plays a game until it counts or is void. `None` if it was cut off.
pub(crate) fn play(
    kind: &impl RunKind,
    planned: &PlannedMatch,
    spectator: &mut dyn Spectator,
) -> Result<Option<PlayedGame>, ArenaError> {
    let stored = |path: &Path| path_in_store(kind.store_folder().as_deref(), path);
    let began = Instant::now();
    let mut disturbances = Vec::new();
    let mut attempt = 1;
    let report = loop {
        let spec = kind.spec(planned, attempt);
        let Some(mut report) = play_match(kind, planned, &spec, spectator)? else {
            if let Some(path) = &spec.replay {
                // A game that does not count needs no replay; one that stays does no harm.
                let _ = std::fs::remove_file(path);
            }
            return Ok(None);
        };
        if let Some(error) = report.replay_error.take() {
            // The game cannot be kept, and is played again when there is room.
            let _ = spec.replay.as_deref().map(std::fs::remove_file);
            let (id, error) = (planned.id, error.into());
            return Err(ArenaError::Match { id, error });
        }
        kind.forgiveness().judge(planned.bots, &mut report);
        let replay = report.replay.as_deref().filter(|_| kind.keeps_attempts()).map(stored);
        disturbances.extend(report.disturbances(attempt, replay.as_deref()));
        if report.disturbed.is_empty() || attempt > REPEATS_MAX {
            break report;
        }
        attempt += 1;
    };
    let mut record = report.record(planned.id, planned.bots, began.elapsed());
    for error in &mut record.errors {
        error.text = kind.error_text(&report, error);
    }
    record.disturbances = disturbances;
    let replay = kept_replay(kind, &report, &record);
    record.head.replay = replay.as_deref().map(stored);
    record.head.replay_digest = report.replay_digest.filter(|_| replay.is_some());
    kind.forgiveness().count(&record);
    Ok(Some(PlayedGame { record, replay, unprotected: report.unprotected }))
}

/// A game in which a bug of ours showed: it counts for nothing and is listed.
pub(crate) fn aborted(arena: &Arena, planned: &PlannedMatch) -> PlayedGame {
    let replay = arena.replay_of(planned, 1).filter(|path| path.exists());
    let stored = |path: &Path| path_in_store(arena.store_folder.as_deref(), path);
    let head = MatchHead {
        id: planned.id,
        seed: planned.seed,
        bots: planned.bots,
        ending: Ending::Void(VoidReason::Aborted),
        turns: 0,
        content: None,
        replay: replay.as_deref().map(stored),
        replay_digest: None,
        sandbox: arena.sandbox.as_deref().map(Sandbox::in_words),
        duration: Duration::ZERO,
        answers: PerSeat::default(),
        finished_ms: now_ms(),
    };
    let (errors, disturbances, tags) = (Vec::new(), Vec::new(), Vec::new());
    let record = MatchRecord { head, errors, disturbances, tags };
    PlayedGame { record, replay, unprotected: PerSeat::default() }
}

fn play_match(
    kind: &impl RunKind,
    planned: &PlannedMatch,
    spec: &MatchSpec,
    spectator: &mut dyn Spectator,
) -> Result<Option<MatchReport>, ArenaError> {
    let id = planned.id;
    let mut unstarted: PerSeat<Option<SeatingError>> = PerSeat([None, None]);
    let mut link_of = |seat: Seat| {
        kind.link(planned.bots[seat]).unwrap_or_else(|error| {
            unstarted[seat] = Some(error);
            Link::absent()
        })
    };
    let links = PerSeat(Seat::BOTH.map(&mut link_of));
    let played = play_on(kind, spec, links, spectator);
    let played = played.map_err(|error| ArenaError::Match { id, error })?;
    let Some(mut report) = played else { return Ok(None) };
    for error in report.errors.iter_mut().filter(|error| error.kind == ErrorKind::NotStarted) {
        if let Some(why) = &unstarted[error.seat] {
            error.text = format!("could not be started: {why}");
        }
    }
    Ok(Some(report))
}

/// Plays a match on these links. `None` if it was cut off.
pub(crate) fn play_on(
    kind: &impl RunKind,
    spec: &MatchSpec,
    links: PerSeat<Link>,
    spectator: &mut dyn Spectator,
) -> Result<Option<MatchReport>, MatchError> {
    let mut world = RealWorld::new(kind.game().framing(), links);
    if let Some(halt) = kind.halt() {
        world = world.with_halt(halt);
    }
    match kind.game().play(spec, &mut world, spectator) {
        Err(MatchError::Stopped { .. }) => Ok(None),
        played => played.map(Some),
    }
}

/// Removes the replay of a game that nobody will ask for.
fn kept_replay(kind: &impl RunKind, report: &MatchReport, record: &MatchRecord) -> Option<PathBuf> {
    let path = report.replay.as_deref().filter(|path| path.exists())?;
    if !kind.keeps_replay(record) {
        // A file that stays does no harm: the next game of its name replaces it.
        let _ = std::fs::remove_file(path);
        return None;
    }
    Some(path.to_owned())
}

impl Arena {
    fn contestant(&self, bot: BotId) -> &Contestant {
        &self.contestants[bot.index()]
    }
}

impl RunKind for Arena {
    fn game(&self) -> &dyn Playable {
        self.game
    }

    fn forgiveness(&self) -> &Forgiveness {
        &self.forgiveness
    }

    fn store_folder(&self) -> Option<PathBuf> {
        self.store_folder.clone()
    }

    fn halt(&self) -> Option<Halt> {
        None
    }

    fn link(&self, bot: BotId) -> Result<Link, SeatingError> {
        let has_files = self.game.facts().abilities.state_files;
        let sandbox = self.sandbox.as_ref();
        take_seat(self.contestant(bot), &SeatNeeds { has_files, sandbox, ..SeatNeeds::default() })
    }

    fn spec(&self, planned: &PlannedMatch, attempt: u32) -> MatchSpec {
        let seats = planned.bots.map(|_, bot| Occupant::from(self.contestant(bot).clone()));
        let usual = self.settings.spec(self.config.clone(), planned.seed, seats);
        MatchSpec {
            rules: MatchRules { machine_scale: self.machine_scale, ..usual.rules },
            files: planned.bots.map(|_, bot| self.digests[bot.index()].clone()),
            replay: self.replay_of(planned, attempt),
            signer: self.signer.clone(),
            sandbox: self.sandbox.as_deref().map(Sandbox::in_words),
            ..usual
        }
    }

    fn keeps_attempts(&self) -> bool {
        true
    }

    fn error_text(&self, _report: &MatchReport, error: &SeatError) -> String {
        error.text.clone()
    }

    fn keeps_replay(&self, record: &MatchRecord) -> bool {
        let is_troubled = !record.errors.is_empty() || !record.disturbances.is_empty();
        is_troubled || matches!(self.replays, Replays::All(_))
    }
}
