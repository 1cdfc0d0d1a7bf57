//! Plays an evaluation: every team meets every other one, one pairing at a time.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::Seat;
use quintain_record::{BotId, MatchRecord, MatchRow, SeatError};
use quintain_referee::Stop;
use quintain_registry::PrivateKey;
use quintain_store::{Filter, Run, RunId, Store};
use quintain_tournament::Book;

use super::TeamHost;
use super::pairing::{EvaluationProgress, Pairing, PairingRun, PastGame, recalled};
use crate::arena::ArenaError;
use crate::forgiveness::Forgiveness;
use crate::plan::{EvaluationLimits, EvaluationPlan, Team};
use crate::results::{EvaluationReport, PairingEnd, PlayedEvaluation, replay_path};

/// What marks do not depend on.
pub struct EvaluationMeans {
    pub host: TeamHost,
    // Ended before the store is closed.
    /// Games are added to it; `None` if nobody keeps them.
    pub run: Option<Run>,
    /// The store, and which of its runs it is.
    pub store: Option<(Store, RunId)>,
    /// The folder for replays; `None` keeps none.
    pub replays: Option<PathBuf>,
    /// Of every so many games of a pairing one replay is kept, whatever happened in it.
    pub sample: Option<NonZero<u32>>,
    /// Signs the replays.
    pub signer: Option<Arc<PrivateKey>>,
}

impl EvaluationMeans {
    /// Keeps nothing.
    pub fn new(host: TeamHost) -> Self {
        EvaluationMeans { host, run: None, store: None, replays: None, sample: None, signer: None }
    }
}

/// Plays every pairing that is not over, until it is stopped. A pairing is over when a later one was begun.
///
/// # Errors
/// A game cannot be set up or not be kept.
pub fn run_evaluation(
    plan: &EvaluationPlan,
    means: &EvaluationMeans,
    progress: &mut dyn EvaluationProgress,
    stop: &Stop,
) -> Result<EvaluationReport, ArenaError> {
    let run = PairingRun::new(plan, means, stop, Forgiveness::default());
    if let Some((store, id)) = &means.store {
        run.forgiveness.recall(store, *id)?;
    }
    let all = pairings_of(&plan.teams);
    let mut past = past_games(means.store.as_ref())?;
    let last_begun = past.keys().next_back().copied();
    let mut book = Book::new(team_count(&plan.teams));
    let mut pairings = Vec::new();
    for (number, &teams) in (0..).zip(&all) {
        let closed = match last_begun {
            Some(last) if number < last => Some(PairingEnd::Time),
            _ if stop.is_asked() => break,
            _ => None,
        };
        let past = past.remove(&number).unwrap_or_default();
        let pairing = Pairing { number, planned: all.len(), teams, past, closed };
        pairings.push(run.play(pairing, &mut book, progress)?);
    }
    let mut played = PlayedEvaluation {
        pairings,
        network: Some(means.host.reach()),
        replays: means.replays.clone(),
        ..nothing_played(plan.game.facts().id, &plan.teams, &plan.limits, plan.weight, book)
    };
    // Who was never called, be it the only team, has its script started once: it may earn its share.
    for (id, team) in BotId::all(team_count(&plan.teams)).zip(&plan.teams) {
        if !stop.is_asked() && team.runs_script() && played.welcomed(id).is_none() {
            played.tried[id.index()] = Some(run.is_welcomed(id)?);
        }
    }
    Ok(played.report())
}

/// What is in the store, by the limits that the games were played with. Whoever plays is not hindered.
///
/// # Errors
/// The store cannot be read.
pub fn stored_evaluation(
    game: &str,
    teams: &[Team],
    limits: &EvaluationLimits,
    weight: Option<f64>,
    store: &(Store, RunId),
) -> Result<EvaluationReport, ArenaError> {
    let mut past = past_games(Some(store))?;
    let last = past.keys().next_back().copied();
    let all = pairings_of(teams);
    let mut book = Book::new(team_count(teams));
    let mut pairings = Vec::new();
    for (number, &pair) in (0..).zip(&all).take_while(|(number, _)| Some(*number) <= last) {
        let is_last = Some(number) == last;
        let closed = Some(if is_last { PairingEnd::Interrupted } else { PairingEnd::Time });
        let past = past.remove(&number).unwrap_or_default();
        let pairing = Pairing { number, planned: all.len(), teams: pair, past, closed };
        pairings.push(recalled(Some(store), limits, teams, pairing, &mut book)?);
    }
    let nothing = nothing_played(game, teams, limits, weight, book);
    Ok(PlayedEvaluation { pairings, ..nothing }.report())
}

fn nothing_played(
    game: &str,
    teams: &[Team],
    limits: &EvaluationLimits,
    weight: Option<f64>,
    book: Book,
) -> PlayedEvaluation {
    PlayedEvaluation {
        game: game.to_owned(),
        teams: teams.iter().map(Team::evaluated).collect(),
        book,
        pairings: Vec::new(),
        pairings_planned: pairings_of(teams).len(),
        games_max: limits.games_max,
        tried: vec![None; teams.len()],
        weight,
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
fn past_games(store: Option<&(Store, RunId)>) -> Result<BTreeMap<u32, Vec<PastGame>>, ArenaError> {
    let mut past: BTreeMap<u32, Vec<PastGame>> = BTreeMap::new();
    if let Some((store, run)) = store {
        for listed in store.games(*run, &Filter::default()) {
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
