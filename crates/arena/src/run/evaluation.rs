//! Plays an evaluation: every team meets every other one, one pairing at a time.

use std::collections::BTreeMap;
use std::path::Path;

use quintain_core::Seat;
use quintain_record::{BotId, MatchRecord, MatchRow, SeatError};
use quintain_referee::Stop;
use quintain_store::{Filter, RunId, Store};
use quintain_tournament::Book;

use super::pairing::{Pairing, PairingRun, PastGame, recalled};
use super::progress::Session;
use super::team_host::TeamHost;
use super::{KeptRun, Progress, RunError, RunMeans, RunResult, look_up_run};
use crate::arena::ArenaError;
use crate::occupant::SeatNews;
use crate::plan::{EvaluationLimits, EvaluationPlan, Team};
use crate::results::{EvaluationReport, PairingEnd, PlayedEvaluation, replay_path};
use crate::slots::RunEnd;

/// Plays every pairing that is not over, until it is stopped. A pairing is over when a later one was begun.
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
    let (host, open_because) = TeamHost::open(means)?;
    if let Some(why) = &open_because {
        progress.seating(&SeatNews::OpenNetwork(why));
    }
    let open = |address: &String| {
        KeptRun::open(address, || Ok(plan.identity(means.run_name(plan.usual_name()))))
    };
    let kept = means.store.as_ref().map(open).transpose()?;
    // It is removed in the end if nothing was left in it.
    let stem = || format!("evaluate-{}", plan.settings.game);
    let (replays, _folder) = means.kept_replays(kept.as_ref(), stem)?;
    let store = kept.as_ref().map(|kept| (&kept.store, kept.run.id()));
    let mut run = PairingRun::new(plan, means, (game, config), host, stop);
    (run.kept, run.replays) = (kept.as_ref(), replays.folder());
    if let Some((store, id)) = store {
        run.forgiveness.recall(store, id)?;
    }
    let all = pairings_of(&plan.teams);
    let mut past = past_games(store)?;
    let finished = past.values().map(|games| games.len() as u64).sum();
    let names = plan.teams.iter().map(|team| team.name.as_str());
    progress.begun(&Session::new(names, finished, None).head());
    let last_begun = past.keys().next_back().copied();
    let mut book = Book::new(team_count(&plan.teams));
    let mut pairings = Vec::new();
    for (number, &teams) in (0..).zip(&all) {
        let closed = match last_begun {
            Some(last) if number < last => Some(PairingEnd::Time),
            _ if run.is_over() => break,
            _ => None,
        };
        let past = past.remove(&number).unwrap_or_default();
        let pairing = Pairing { number, planned: all.len() as u32, teams, past, closed };
        pairings.push(run.play(pairing, &mut book, progress)?);
    }
    progress.over();
    let mut played = PlayedEvaluation {
        pairings,
        network: Some(run.host.reach()),
        replays: run.replays.map(Path::to_owned),
        ..nothing_played(plan, book)
    };
    // Who was never called, be it the only team, has its script started once: it may earn its share.
    for (id, team) in BotId::all(team_count(&plan.teams)).zip(&plan.teams) {
        if !run.is_over() && team.runs_script() && played.welcomed(id).is_none() {
            played.tried[id.index()] = Some(run.is_welcomed(id)?);
        }
    }
    let report = played.report();
    let ended = match (report.is_complete, run.is_enough) {
        (true, _) => RunEnd::Over,
        (false, true) => RunEnd::Enough,
        (false, false) => RunEnd::Stopped,
    };
    Ok(RunResult { report, ended })
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
    let limits = EvaluationLimits::of_run(&info.plan).ok_or_else(|| {
        let (name, store) = (info.plan.name.clone(), store.place());
        RunError::NoEvaluation { store, name }
    })?;
    let plan = &EvaluationPlan { limits, ..plan.clone() };
    let store = Some((&store, info.id));
    let mut past = past_games(store)?;
    let last = past.keys().next_back().copied();
    let all = pairings_of(&plan.teams);
    let mut book = Book::new(team_count(&plan.teams));
    let mut pairings = Vec::new();
    for (number, &pair) in (0..).zip(&all).take_while(|(number, _)| Some(*number) <= last) {
        let is_last = Some(number) == last;
        let closed = Some(if is_last { PairingEnd::Interrupted } else { PairingEnd::Time });
        let past = past.remove(&number).unwrap_or_default();
        let pairing = Pairing { number, planned: all.len() as u32, teams: pair, past, closed };
        pairings.push(recalled(store, plan, pairing, &mut book)?);
    }
    Ok(PlayedEvaluation { pairings, ..nothing_played(plan, book) }.report())
}

fn nothing_played(plan: &EvaluationPlan, book: Book) -> PlayedEvaluation {
    PlayedEvaluation {
        game: plan.settings.game.clone(),
        teams: plan.teams.iter().map(Team::evaluated).collect(),
        book,
        pairings: Vec::new(),
        pairings_planned: pairings_of(&plan.teams).len(),
        games_max: plan.limits.games_max,
        tried: vec![None; plan.teams.len()],
        weight: plan.weight,
        network: None,
        replays: None,
    }
}

fn team_count(teams: &[Team]) -> u32 {
    u32::try_from(teams.len()).expect("a folder has fewer entries")
}

/// Every team meets every other one.
fn pairings_of(teams: &[Team]) -> Vec<[BotId; 2]> {
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
