//! Plays a single match, or the same one from both sides.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Instant;

use quintain_core::PerSeat;
use quintain_links::{Halt, Sandbox};
use quintain_record::{BotId, MatchId, Occupant};
use quintain_referee::Stop;
use quintain_registry::{AnyGame, Branch, MatchError, MatchReport, MatchSpec, ReadyConfig};
use quintain_tournament::PlannedMatch;

use super::progress::Session;
use super::{BrokenOff, Progress, ReplayWish, RunError, RunMeans, RunResult, Standing};
use crate::arena::file_name_part;
use crate::files::digests_of_seats;
use crate::occupant::{Seating, SeatingError, take_seats};
use crate::one_match::PlayedGame;
use crate::open_replay::open_replay;
use crate::plan::{BranchPlan, MatchPlan};
use crate::replay_folder::{REPLAY_EXTENSION, REPLAYS_FOLDER, free_path};
use crate::slots::{RunEnd, Wish};

/// Plays the match of a plan, and then from the other side if that is wished. What the machine disturbed is not
/// played again; the report says so.
///
/// # Errors
/// The plan is wrong, somebody does not come to his seat, or the match cannot be played.
pub fn run_match(
    plan: &MatchPlan,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<Vec<MatchReport>>, RunError> {
    let (game, config) = plan.check(means.match_log.as_deref())?;
    let matches = if plan.both_sides { 2 } else { 1 };
    let mut session = Session::new(plan.seats.0.iter().map(Occupant::name), 0, Some(matches));
    progress.begun(&session.head(None));
    let mut reports = Vec::new();
    let mut ended = RunEnd::Over;
    for swapped in [false, true].into_iter().take(matches as usize) {
        let played = match (stop.is_asked(), ended) {
            (false, RunEnd::Over) => play(plan, means, (game, &config), swapped, progress, stop),
            _ => break,
        };
        let (report, game) = match played {
            Err(RunError::Seating(SeatingError::Stopped)) => break,
            played => match played? {
                Some(played) => played,
                None => break,
            },
        };
        reports.push(report);
        session.count();
        if progress.played(&game, &session.now(Standing::Match, 0)) == Wish::Enough {
            ended = RunEnd::Enough;
        }
    }
    progress.over();
    let is_short = ended == RunEnd::Over && (reports.len() as u64) < matches;
    Ok(RunResult { report: reports, ended: if is_short { RunEnd::Stopped } else { ended } })
}

/// `None` if it was broken off.
fn play(
    plan: &MatchPlan,
    means: &RunMeans,
    (game, config): (&'static dyn AnyGame, &ReadyConfig),
    swapped: bool,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<Option<(MatchReport, PlayedGame)>, RunError> {
    let order = PerSeat(if swapped { [BotId(1), BotId(0)] } else { [BotId(0), BotId(1)] });
    let seats = order.map(|_, bot| plan.seats.0[bot.index()].clone());
    let id = MatchId { swapped, ..MatchId::default() };
    let planned = PlannedMatch { id, bots: order, seed: plan.settings.seed };
    let spec = spec_of(plan, means, config.clone(), &seats);
    let halt = Halt { stop: Some(stop.clone()), at: None };
    let mut seating = Seating {
        address: &means.listen,
        client_limit: plan.scaled_client_limit(),
        stop: stop.clone(),
        absent_plays_on: true,
        persons: persons_of(&seats, &planned, progress),
        sandbox: means.sandbox.clone(),
        tell: &mut |news| progress.seating(&news),
    };
    let mut world = take_seats(game, &seats, &mut seating)?.with_halt(halt);
    let began = Instant::now();
    let mut spectator = progress.spectator(&planned);
    let played = match &plan.branch {
        None => game.play(&spec, &mut world, &mut *spectator),
        Some(BranchPlan { replay, turn }) => {
            let source = replay.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let recording = &mut open_replay(replay)?.0;
            // Programs live through the turns before, a person just joins.
            let is_fed = seats.as_ref().map(|_, seat| !seat.is_person());
            let mut branch = Branch { recording, source, turn: *turn, is_fed };
            game.play_on(&spec, &mut branch, &mut world, &mut *spectator)
        }
    };
    let report = match played {
        Err(MatchError::Stopped { turns }) => {
            let replay = spec.replay.as_deref().filter(|_| turns > 0);
            progress.broken_off(&BrokenOff { planned: &planned, replay, turns });
            return Ok(None);
        }
        played => played?,
    };
    let mut record = report.record(id, order, began.elapsed());
    record.disturbances = report.disturbances(1, None);
    let (replay, unprotected) = (report.replay.clone(), report.unprotected.clone());
    Ok(Some((report, PlayedGame { record, replay, unprotected })))
}

/// The ends at which persons read and write.
fn persons_of(
    seats: &PerSeat<Occupant>,
    planned: &PlannedMatch,
    progress: &mut dyn Progress,
) -> PerSeat<Option<UnixStream>> {
    PerSeat::from_fn(|seat| seats[seat].is_person().then(|| progress.person(planned, seat))?)
}

fn spec_of(
    plan: &MatchPlan,
    means: &RunMeans,
    config: ReadyConfig,
    seats: &PerSeat<Occupant>,
) -> MatchSpec {
    let mut spec = plan.settings.spec(config, plan.settings.seed, seats.clone());
    for (seat, occupant) in seats.iter() {
        spec.rules.clock[seat] &= occupant.is_timed() || plan.times_persons;
        let limits = spec.start_limit[seat].zip(plan.scaled_client_limit());
        spec.start_limit[seat] =
            limits.and_then(|(usual, client)| occupant.start_limit(usual, client));
    }
    MatchSpec {
        files: digests_of_seats(seats),
        replay: replay_of(plan, means, seats),
        match_log: means.match_log.clone(),
        signer: means.signer.clone(),
        sandbox: means.sandbox.as_deref().map(Sandbox::in_words),
        ..spec
    }
}

fn replay_of(plan: &MatchPlan, means: &RunMeans, seats: &PerSeat<Occupant>) -> Option<PathBuf> {
    if let Some(file) = &means.replay_file {
        return Some(file.clone());
    }
    let folder = match &means.replays {
        ReplayWish::None => return None,
        ReplayWish::Usual => Path::new(REPLAYS_FOLDER),
        ReplayWish::All(folder) => folder,
    };
    let [first, second] = seats.as_ref().0.map(|seat| file_name_part(seat.name()));
    let (game, seed) = (&plan.settings.game, plan.settings.seed);
    Some(free_path(folder, &format!("{game}-{first}-vs-{second}-{seed}"), REPLAY_EXTENSION))
}
