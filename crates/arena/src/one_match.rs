//! One game of a tournament: a match, and again if the machine disturbed it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_links::{Link, RealWorld};
use quintain_record::{
    Contestant, Disturbance, Ending, MatchHead, MatchRecord, Occupant, VoidReason,
};
use quintain_referee::Unprotected;
use quintain_registry::{MatchReport, MatchSpec, NoSpectator};
use quintain_store::now_ms;
use quintain_tournament::PlannedMatch;

use crate::arena::{Arena, ArenaError, Replays};
use crate::occupant::{SeatNeeds, SeatingError, take_seat};
use crate::results::stored_path;

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

/// Plays a game until it counts or is void.
pub(crate) fn play(arena: &Arena, planned: &PlannedMatch) -> Result<PlayedGame, ArenaError> {
    let began = Instant::now();
    let mut disturbances = Vec::new();
    let mut attempt = 1;
    let report = loop {
        let mut report = play_match(arena, planned, attempt)?;
        arena.forgiveness.judge(planned.bots, &mut report);
        disturbances.extend(disturbances_in(arena, &report, attempt));
        if report.disturbed.is_empty() || attempt > REPEATS_MAX {
            break report;
        }
        attempt += 1;
    };
    let mut record = report.record(planned.id, planned.bots, began.elapsed());
    record.disturbances = disturbances;
    let replay = kept_replay(&arena.replays, &report, &record);
    record.head.replay = replay.as_deref().map(|path| stored_path(arena, path));
    record.head.replay_digest = report.replay_digest.filter(|_| replay.is_some());
    arena.forgiveness.count(&record);
    Ok(PlayedGame { record, replay, unprotected: report.unprotected })
}

/// A game in which a bug of ours showed: it counts for nothing and is listed.
pub(crate) fn aborted(arena: &Arena, planned: &PlannedMatch) -> PlayedGame {
    let replay = arena.replay_of(planned, 1).filter(|path| path.exists());
    let head = MatchHead {
        id: planned.id,
        seed: planned.seed,
        bots: planned.bots,
        ending: Ending::Void(VoidReason::Aborted),
        turns: 0,
        content: None,
        replay: replay.as_deref().map(|path| stored_path(arena, path)),
        replay_digest: None,
        duration: Duration::ZERO,
        answers: PerSeat::default(),
        finished_ms: now_ms(),
    };
    let (errors, disturbances, tags) = (Vec::new(), Vec::new(), Vec::new());
    let record = MatchRecord { head, errors, disturbances, tags };
    PlayedGame { record, replay, unprotected: PerSeat::default() }
}

fn play_match(
    arena: &Arena,
    planned: &PlannedMatch,
    attempt: u32,
) -> Result<MatchReport, ArenaError> {
    let id = planned.id;
    let has_files = arena.game.facts().abilities.state_files;
    let needs = SeatNeeds { has_files, ..SeatNeeds::default() };
    let mut unstarted: PerSeat<Option<SeatingError>> = PerSeat([None, None]);
    let mut link_of = |seat| {
        take_seat(contestant(arena, planned, seat), &needs).unwrap_or_else(|error| {
            unstarted[seat] = Some(error);
            Link::absent()
        })
    };
    let links = PerSeat(Seat::BOTH.map(&mut link_of));
    let spec = match_spec(arena, planned, attempt);
    let mut world = RealWorld::new(arena.game.framing(), links);
    let played = arena.game.play(&spec, &mut world, &mut NoSpectator);
    let mut report = played.map_err(|error| ArenaError::Match { id, error })?;
    for error in report.errors.iter_mut().filter(|error| error.kind == ErrorKind::NotStarted) {
        if let Some(why) = &unstarted[error.seat] {
            error.text = format!("could not be started: {why}");
        }
    }
    Ok(report)
}

fn contestant<'a>(arena: &'a Arena, planned: &PlannedMatch, seat: Seat) -> &'a Contestant {
    &arena.contestants[planned.bots[seat].index()]
}

fn match_spec(arena: &Arena, planned: &PlannedMatch, attempt: u32) -> MatchSpec {
    MatchSpec {
        config: arena.config.clone(),
        seed: planned.seed,
        seats: PerSeat::from_fn(|seat| {
            Occupant::Contestant(contestant(arena, planned, seat).clone())
        }),
        files: planned.bots.map(|_, bot| arena.digests[bot.index()].clone()),
        rules: arena.rules.clone(),
        ask: arena.ask,
        start_limit: PerSeat([arena.start_limit; 2]),
        opening: None,
        replay: arena.replay_of(planned, attempt),
        match_log: None,
        signer: arena.signer.clone(),
    }
}

/// The late answers of an attempt that was thrown away, with its replay.
fn disturbances_in(arena: &Arena, report: &MatchReport, attempt: u32) -> Vec<Disturbance> {
    let replay = report.replay.as_deref().map(|path| stored_path(arena, path));
    report.disturbances(attempt, replay.as_deref())
}

/// Removes the replay of a game that nobody will ask for.
fn kept_replay(replays: &Replays, report: &MatchReport, record: &MatchRecord) -> Option<PathBuf> {
    let path = report.replay.as_deref().filter(|path| path.exists())?;
    let is_troubled = !record.errors.is_empty() || !record.disturbances.is_empty();
    if !is_troubled && !matches!(replays, Replays::All(_)) {
        // A file that stays does no harm: the next game of its name replaces it.
        let _ = std::fs::remove_file(path);
        return None;
    }
    Some(path.to_owned())
}
