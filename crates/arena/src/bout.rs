//! One game of a tournament: a match, and again if the machine disturbed it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quintain_core::{ErrorKind, PerSeat, Seat};
use quintain_links::{Place, RealWorld};
use quintain_referee::Unprotected;
use quintain_registry::{MatchReport, MatchSpec, Nobody, SeatError, SeatSpec};
use quintain_store::{Disturbance, Ending, FaultCount, Game, Summary, now_ms};
use quintain_tournament::{Finish, GameResult, PlannedGame};

use crate::arena::{Arena, ArenaError, Replays};
use crate::contestant::{ContestantKind, StartError, start};
use crate::kept::{ABORTED, DISTURBED, answers_of, disturbances_of, tags_of};
use crate::ledger::{identity_of, stored_path};

/// How often a match that the machine disturbed is played again before it is void.
pub const REPEATS_MAX: u32 = 3;

/// A finished game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub result: GameResult,
    /// Everything that is kept of it.
    pub kept: Game,
    /// The file, if there is one.
    pub replay: Option<PathBuf>,
    /// As in [`MatchReport`], of the last attempt.
    pub unprotected: PerSeat<Option<Unprotected>>,
}

/// Plays a game until it counts or is void.
pub(crate) fn play(arena: &Arena, planned: &PlannedGame) -> Result<PlayedGame, ArenaError> {
    let began = Instant::now();
    let mut disturbances = Vec::new();
    let mut attempt = 1;
    let report = loop {
        let mut report = play_match(arena, planned, attempt)?;
        arena.forgiveness.judge(planned.bots, &mut report);
        if report.disturbed.is_empty() {
            let game = counted(arena, planned, report, disturbances, began.elapsed());
            arena.forgiveness.count(&game.kept);
            return Ok(game);
        }
        disturbances.extend(disturbances_in(arena, &report, attempt));
        if attempt > REPEATS_MAX {
            break report;
        }
        attempt += 1;
    };
    let replay = report.replay.clone();
    let mut game = void(arena, planned, DISTURBED, began.elapsed());
    game.kept.summary.turns = report.turns;
    game.kept.summary.answers = answers_of(&report);
    game.kept.summary.replay = replay.as_deref().map(|path| stored_path(arena, path));
    game.kept.summary.replay_digest.clone_from(&report.replay_digest);
    game.kept.disturbances = disturbances;
    game.replay = replay;
    game.unprotected = report.unprotected;
    arena.forgiveness.count(&game.kept);
    Ok(game)
}

/// A game in which a bug of ours showed: it counts for nothing and is listed.
pub(crate) fn aborted(arena: &Arena, planned: &PlannedGame) -> PlayedGame {
    let replay = arena.replay_of(planned, 1).filter(|path| path.exists());
    let mut game = void(arena, planned, ABORTED, Duration::ZERO);
    game.kept.summary.replay = replay.as_deref().map(|path| stored_path(arena, path));
    PlayedGame { replay, ..game }
}

fn play_match(
    arena: &Arena,
    planned: &PlannedGame,
    attempt: u32,
) -> Result<MatchReport, ArenaError> {
    let id = planned.id;
    let files = arena.game.facts().abilities.state_files.then_some(arena.files);
    let mut unstarted: PerSeat<Option<StartError>> = PerSeat([None, None]);
    let mut place = |seat| {
        let contestant = &arena.contestants[planned.bots[seat].index()];
        match &contestant.kind {
            ContestantKind::House(_) => Place::Inside,
            ContestantKind::Program(launch) => match start(launch, &contestant.name, files) {
                Ok(child) => Place::Process(child),
                Err(error) => {
                    unstarted[seat] = Some(error);
                    Place::Absent
                }
            },
        }
    };
    let places = PerSeat(Seat::BOTH.map(&mut place));
    let spec = match_spec(arena, planned, attempt);
    let mut world = RealWorld::new(arena.game.framing(), places);
    let played = arena.game.play(&spec, &mut world, &mut Nobody);
    let mut report = played.map_err(|error| ArenaError::Match { id, error })?;
    for error in report.errors.iter_mut().filter(|error| error.kind == ErrorKind::NotStarted) {
        if let Some(why) = &unstarted[error.seat] {
            error.text = format!("could not be started: {why}");
        }
    }
    Ok(report)
}

fn match_spec(arena: &Arena, planned: &PlannedGame, attempt: u32) -> MatchSpec {
    let seats = PerSeat::from_fn(|seat| {
        let contestant = &arena.contestants[planned.bots[seat].index()];
        let label = contestant.name.clone();
        match &contestant.kind {
            ContestantKind::House(name) => SeatSpec { label, ..SeatSpec::house(name.as_str()) },
            ContestantKind::Program(_) => {
                let files = arena.digests[planned.bots[seat].index()].clone();
                SeatSpec { manner: arena.files.manner, files, ..SeatSpec::remote(label) }
            }
        }
    });
    MatchSpec {
        config: arena.config.clone(),
        seed: planned.seed,
        seats,
        rules: arena.rules.clone(),
        ask: arena.ask,
        start_limit: PerSeat([arena.start_limit; 2]),
        opening: None,
        replay: arena.replay_of(planned, attempt),
        match_log: None,
        signer: arena.signer.clone(),
    }
}

fn counted(
    arena: &Arena,
    planned: &PlannedGame,
    report: MatchReport,
    disturbances: Vec<Disturbance>,
    duration: Duration,
) -> PlayedGame {
    let errors = report.error_kinds();
    let faults = faults_of(&report);
    let is_troubled = !faults.is_empty() || !disturbances.is_empty();
    let replay = kept_replay(&arena.replays, &report, is_troubled);
    let outcome = report.outcome;
    let ending = Ending::Scored {
        verdicts: outcome.verdicts,
        scores: outcome.scores,
        reason: outcome.reason.to_owned(),
    };
    let result = GameResult {
        id: planned.id,
        bots: planned.bots,
        finish: Finish::from_verdicts(outcome.verdicts),
        errors,
        content: Some(report.content),
    };
    let summary = Summary {
        turns: report.turns,
        content: Some(report.content),
        replay: replay.as_deref().map(|path| stored_path(arena, path)),
        replay_digest: report.replay_digest.clone().filter(|_| replay.is_some()),
        answers: answers_of(&report),
        ..summary_of(planned, ending, duration)
    };
    let (tags, unprotected) = (tags_of(report.tags), report.unprotected);
    PlayedGame { result, kept: Game { summary, faults, disturbances, tags }, replay, unprotected }
}

fn void(arena: &Arena, planned: &PlannedGame, reason: &str, duration: Duration) -> PlayedGame {
    debug_assert!(planned.bots.0.iter().all(|bot| bot.index() < arena.contestants.len()));
    let ending = Ending::Void { reason: reason.to_owned() };
    let result = GameResult {
        id: planned.id,
        bots: planned.bots,
        finish: Finish::Void,
        errors: PerSeat::default(),
        content: None,
    };
    let summary = summary_of(planned, ending, duration);
    let kept = Game { summary, faults: Vec::new(), disturbances: Vec::new(), tags: Vec::new() };
    PlayedGame { result, kept, replay: None, unprotected: PerSeat::default() }
}

fn summary_of(planned: &PlannedGame, ending: Ending, duration: Duration) -> Summary {
    Summary {
        identity: identity_of(planned.id),
        seed: planned.seed,
        bots: planned.bots.map(|_, bot| bot.0),
        ending,
        turns: 0,
        content: None,
        replay: None,
        replay_digest: None,
        duration,
        answers: PerSeat::default(),
        finished_ms: now_ms(),
    }
}

fn faults_of(report: &MatchReport) -> Vec<FaultCount> {
    let fault = |error: &SeatError| FaultCount {
        seat: error.seat,
        kind: error.kind,
        times: error.times,
        text: error.text.clone(),
    };
    report.errors.iter().map(fault).collect()
}

/// An attempt that is thrown away keeps its replay.
fn disturbances_in(arena: &Arena, report: &MatchReport, attempt: u32) -> Vec<Disturbance> {
    let replay = report.replay.as_deref().map(|path| stored_path(arena, path));
    disturbances_of(report, attempt, replay.as_deref())
}

/// Removes the replay of a game that nobody will ask for.
fn kept_replay(replays: &Replays, report: &MatchReport, is_troubled: bool) -> Option<PathBuf> {
    let path = report.replay.as_deref().filter(|path| path.exists())?;
    let is_kept = is_troubled || matches!(replays, Replays::All(_));
    if !is_kept {
        remove(path);
        return None;
    }
    Some(path.to_owned())
}

fn remove(path: &Path) {
    // A file that stays does no harm: the next game of its name replaces it.
    let _ = std::fs::remove_file(path);
}
