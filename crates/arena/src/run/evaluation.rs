//! Plays an evaluation: every team meets every other one, as many pairings side by side as there are networks for.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use quintain_core::Seat;
use quintain_record::{BotId, MatchRecord, MatchRow, SeatError};
use quintain_referee::Stop;
use quintain_store::{BotEntry, Filter, RunId, RunInfo, Store};
use quintain_tournament::Book;

use super::pairing::{Pairing, PairingRun, PastGame, recalled};
use super::progress::Session;
use super::sides::Sides;
use super::team_host::TeamHost;
use super::{Progress, RunError, RunMeans, RunResult, StoredRun, look_up_run};
use crate::arena::ArenaError;
use crate::occupant::SeatNews;
use crate::plan::{EvaluationLimits, EvaluationPlan, RunWish, Team};
use crate::results::{EvaluatedTeam, EvaluationReport, PairingEnd, PlayedEvaluation, replay_path};
use crate::slots::RunEnd;

/// Plays every pairing that is not over, until it is stopped.
///
/// # Errors
/// The plan is wrong, teams cannot be let in, a game cannot be set up or not be kept.
pub fn run_evaluation(
    plan: &EvaluationPlan,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<EvaluationReport>, RunError> {
    let (game, config) = plan.check()?;
    let all = pairings_of(plan.teams.len());
    let most = means.concurrency.get().min(all.len());
    let (hosts, open_because) = TeamHost::open_several(means, most)?;
    if let Some(why) = &open_because {
        progress.seating(&SeatNews::OpenNetwork(why));
    }
    let open = |address: &String| {
        let name = means.run_name(plan.usual_name());
        StoredRun::open(address, means, plan.wish(), || Ok(plan.identity(name)))
    };
    let kept = means.store.as_ref().map(open).transpose()?;
    // It is removed in the end if nothing was left in it.
    let stem = || format!("evaluate-{}", plan.settings.game);
    let (replays, _folder) = means.kept_replays(kept.as_ref(), stem)?;
    let store = kept.as_ref().map(|kept| (&kept.store, kept.run.id()));
    let mut run = PairingRun::new(plan, means, (game, config), stop);
    run.store_folder = kept.as_ref().and_then(|kept| kept.store.folder());
    run.replays = replays.folder().map(Path::to_owned);
    if let Some((store, id)) = store {
        run.forgiveness.recall(store, id)?;
    }
    let past = past_games(store)?;
    let finished = past.values().map(|games| games.len() as u64).sum();
    let names = plan.teams.iter().map(|team| team.name.as_str());
    let session = Session::new(names, finished, None);
    progress.begun(&session.head(store.map(|(_, run)| run)));
    let mut book = Book::new(team_count(plan.teams.len()));
    let kept = kept.as_ref();
    let sides = Sides { run: &run, kept, book: &mut book, progress: &mut *progress };
    let (pairings, is_enough) = sides.play(&hosts, waiting(&all, past))?;
    progress.over();
    let mut played = PlayedEvaluation {
        pairings,
        network: Some(hosts[0].reach()),
        side_by_side: Some(hosts.len()),
        replays: run.replays.clone(),
        ..nothing_played(
            &plan.settings.game,
            plan.limits.games_max,
            plan.weight,
            plan.teams.iter().map(Team::evaluated).collect(),
            book,
        )
    };
    // Who was never called, be it the only team, has its script started once: it may earn its share.
    for (id, team) in BotId::all(team_count(plan.teams.len())).zip(&plan.teams) {
        let is_over = is_enough || stop.is_asked();
        if !is_over && team.runs_script() && played.welcomed(id).is_none() {
            played.tried[id.index()] = Some(run.is_welcomed(&hosts[0], id)?);
        }
    }
    let report = played.report();
    let ended = match (report.is_complete, is_enough) {
        (true, _) => RunEnd::Over,
        (false, true) => RunEnd::Enough,
        (false, false) => RunEnd::Stopped,
    };
    Ok(RunResult { report, ended })
}

/// All pairings with what was played of them before, in their order.
fn waiting(all: &[[BotId; 2]], mut past: BTreeMap<u32, Vec<PastGame>>) -> VecDeque<Pairing> {
    let last_begun = past.keys().next_back().copied();
    let planned = all.len() as u32;
    let pairing = |(number, &teams): (u32, &[BotId; 2])| Pairing {
        number,
        planned,
        teams,
        past: past.remove(&number).unwrap_or_default(),
        closed: None,
        is_later_begun: last_begun.is_some_and(|last| number < last),
    };
    (0..).zip(all).map(pairing).collect()
}

/// What is in the store of `means`, by the limits that the games were played with. Nothing is played, and
/// whoever plays is not hindered.
///
/// # Errors
/// There is no such evaluation of these teams in the store.
pub fn stored_evaluation(
    plan: &EvaluationPlan,
    means: &RunMeans,
) -> Result<EvaluationReport, RunError> {
    let address = means.store.as_ref().ok_or(RunError::NoStore)?;
    let names = plan.teams.iter().map(|team| team.name.as_str());
    let (store, info) = look_up_run(address, &means.run_name(plan.usual_name()), names)?;
    evaluation_in(&store, &info, &plan.wish())
}

/// What a store has of an evaluation, by the limits that the games were played with, and what was wished for
/// its marks.
///
/// # Errors
/// The run is no evaluation, or cannot be read.
pub fn evaluation_in(
    store: &Store,
    info: &RunInfo,
    wish: &RunWish,
) -> Result<EvaluationReport, RunError> {
    let limits = EvaluationLimits::of_run(&info.plan).ok_or_else(|| {
        let (name, store) = (info.plan.name.clone(), store.place());
        RunError::NoEvaluation { store, name }
    })?;
    let store = Some((store, info.id));
    let mut past = past_games(store)?;
    let last = past.keys().next_back().copied();
    let teams = evaluated_teams(info, wish);
    let all = pairings_of(teams.len());
    let mut book = Book::new(team_count(teams.len()));
    let mut pairings = Vec::new();
    for (number, &pair) in (0..).zip(&all).take_while(|(number, _)| Some(*number) <= last) {
        let is_last = Some(number) == last;
        let closed = Some(if is_last { PairingEnd::Interrupted } else { PairingEnd::Time });
        let past = past.remove(&number).unwrap_or_default();
        let (planned, is_later_begun) = (all.len() as u32, !is_last);
        let pairing = Pairing { number, planned, teams: pair, past, closed, is_later_begun };
        let name = |team: BotId| teams[team.index()].name.clone();
        pairings.push(recalled(store, &limits, name, pairing, &mut book)?);
    }
    let nothing = nothing_played(&info.plan.game, limits.games_max, wish.weight, teams, book);
    Ok(PlayedEvaluation { pairings, ..nothing }.report())
}

/// The teams of a run with what is known of them. Of one that nothing was written down about it is taken that
/// its script starts it.
fn evaluated_teams(info: &RunInfo, wish: &RunWish) -> Vec<EvaluatedTeam> {
    let team = |entry: &BotEntry| {
        let known = wish.teams.iter().find(|team| team.name == entry.name).cloned();
        known.unwrap_or_else(|| EvaluatedTeam {
            name: entry.name.clone(),
            runs_script: true,
            started_by: Some(entry.spec.clone()),
            programs: 0,
            has_windows_line_ends: false,
        })
    };
    info.plan.bots.iter().map(team).collect()
}

fn nothing_played(
    game: &str,
    games_max: u32,
    weight: Option<f64>,
    teams: Vec<EvaluatedTeam>,
    book: Book,
) -> PlayedEvaluation {
    PlayedEvaluation {
        game: game.to_owned(),
        pairings: Vec::new(),
        pairings_planned: pairings_of(teams.len()).len(),
        tried: vec![None; teams.len()],
        teams,
        book,
        games_max,
        weight,
        network: None,
        side_by_side: None,
        replays: None,
    }
}

fn team_count(teams: usize) -> u32 {
    u32::try_from(teams).expect("a folder has fewer entries")
}

/// Every team meets every other one.
fn pairings_of(teams: usize) -> Vec<[BotId; 2]> {
    let count = team_count(teams);
    let with_later = |one: BotId| {
        BotId::all(count).filter(move |other| one < *other).map(move |other| [one, other])
    };
    BotId::all(count).flat_map(with_later).collect()
}

/// What was played before, by pairing.
fn past_games(store: Option<(&Store, RunId)>) -> Result<BTreeMap<u32, Vec<PastGame>>, ArenaError> {
    let mut past: BTreeMap<u32, Vec<PastGame>> = BTreeMap::new();
    if let Some((store, run)) = store {
        for listed in store.games(run, &Filter::default()) {
            let row = listed?;
            past.entry(row.head.id.pairing).or_default().push(past_game(row, store));
        }
    }
    Ok(past)
}

/// A game from a store, without the words about what went wrong and what it was disturbed by.
fn past_game(row: MatchRow, store: &Store) -> PastGame {
    let errors_of = |seat: Seat| {
        let error =
            move |kind| SeatError { seat, kind, times: 1, cause: None, text: String::new() };
        row.errors[seat].iter().map(error)
    };
    let errors = Seat::BOTH.into_iter().flat_map(errors_of).collect();
    let replay = row.head.replay.as_deref().map(|path| replay_path(store, path));
    let (disturbances, tags) = (Vec::new(), Vec::new());
    let record = MatchRecord { head: row.head, errors, disturbances, tags };
    PastGame { record, replay, is_disturbed: row.disturbed > 0 }
}
