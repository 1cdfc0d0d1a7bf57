//! Plays a tournament, and says how one stands.

use quintain_referee::Stop;
use quintain_registry::Spectator;
use quintain_store::{RunInfo, Store};
use quintain_tournament::{Book, Form, MatchResult, PlannedMatch, Question, Schedule, Settings};
use tempfile::TempDir;

use super::progress::Session;
use super::{
    Progress, ReplayWish, RunError, RunMeans, RunResult, Standing, StoredRun, look_up_run, rehearse,
};
use crate::arena::Replays;
use crate::one_match::PlayedGame;
use crate::plan::{PlanError, RunWish, TournamentPlan, of_run, stored_schedule};
use crate::results::{TournamentReport, tournament_report};
use crate::slots::{RunEnd, Supervisor, Wish};

/// Plays what is left of a tournament.
///
/// # Errors
/// The plan is wrong, a bot cannot be started, games cannot be played or kept.
pub fn run_tournament(
    plan: &TournamentPlan,
    means: &RunMeans,
    progress: &mut dyn Progress,
    stop: &Stop,
) -> Result<RunResult<TournamentReport>, RunError> {
    let game = plan.settings.game()?;
    let config = plan.settings.config(game)?;
    plan.check()?;
    rehearse(means, game, &plan.bots)?;
    // Removed when the store is closed.
    let (temporary, address) = address(means)?;
    let wish = RunWish::of_tournament(plan.schedule.games, plan.rating);
    let kept = StoredRun::open(&address, means, wish, || {
        plan.settings.run_plan(
            means.run_name(plan.usual_name()),
            plan.schedule.form.name(),
            &plan.bots,
            plan.form_settings(),
        )
    })?;
    let (store, info) = (&kept.store, kept.run.info());
    let replays = match (&means.replays, &temporary) {
        (ReplayWish::Usual, Some(_)) => Replays::None,
        _ => means.kept_replays(Some(&kept), String::new)?.0,
    };
    let arena =
        means.arena(&plan.settings, (game, config), plan.bots.clone(), Some(store), replays);
    let mut schedule = schedule_of(plan, info)?;
    let mut book = Book::new(plan.schedule.bots);
    let mut ended = RunEnd::Over;
    if is_complete(plan, &schedule, info) {
        let names = plan.bots.iter().map(|bot| bot.name.as_str());
        progress.begun(&Session::new(names, info.games, Some(info.games)).head(Some(info.id)));
    } else {
        recall(store, info, &mut schedule, &mut book)?;
        arena.forgiveness.recall(store, info.id)?;
        let session = Session::of(&arena, &schedule);
        progress.begun(&session.head(Some(info.id)));
        let mut counter = Counter { book, session, progress };
        let run = Some(&kept.run);
        let played = means.play(&arena, &mut schedule, run, stop, &mut counter);
        counter.progress.over();
        ended = played?;
    }
    let report = tournament_report(store, info, &schedule, plan.rating, means.is_forced)?;
    Ok(RunResult { report, ended })
}

/// How a stored tournament stands. Nothing is played, and whoever plays is not hindered.
///
/// # Errors
/// There is no such run in the store of `means`, or it is not one of this plan.
pub fn standings(plan: &TournamentPlan, means: &RunMeans) -> Result<TournamentReport, RunError> {
    let address = means.store.as_ref().ok_or(RunError::NoStore)?;
    let bots = plan.bots.iter().map(|bot| bot.name.as_str());
    let (store, info) = look_up_run(address, &means.run_name(plan.usual_name()), bots)?;
    let mut schedule = schedule_of(plan, &info)?;
    // The places of some forms follow from the rounds.
    if !plan.is_simple() {
        recall(&store, &info, &mut schedule, &mut Book::new(plan.schedule.bots))?;
    }
    Ok(tournament_report(&store, &info, &schedule, plan.rating, means.is_forced)?)
}

/// What a store has of a tournament, by itself: nobody has to know its plan.
///
/// # Errors
/// The run is no tournament, or cannot be read.
pub fn tournament_in(
    store: &Store,
    info: &RunInfo,
    wish: &RunWish,
) -> Result<TournamentReport, RunError> {
    let none = || RunError::NoTournament { store: store.place(), name: info.plan.name.clone() };
    let settings = stored_schedule(info, wish).ok_or_else(none)?;
    let is_simple = matches!(settings.form, Form::RoundRobin | Form::Gauntlet { .. });
    let mut schedule = Schedule::new(settings).map_err(|_| none())?;
    if !is_simple {
        let mut book = Book::new(schedule.settings().bots);
        recall(store, info, &mut schedule, &mut book)?;
    }
    let mut report = tournament_report(store, info, &schedule, wish.rating(), false)?;
    report.planned = report.planned.filter(|_| !is_simple || wish.games_per_pair.is_some());
    Ok(report)
}

/// How many games a stored run is to have, where that follows from what it is and what was wished: a test may be
/// decided at any time, and rounds may follow from results.
pub fn planned_games(info: &RunInfo, wish: &RunWish) -> Option<u64> {
    let settings = stored_schedule(info, wish).filter(|_| wish.games_per_pair.is_some());
    match settings {
        Some(settings) => Schedule::new(settings).ok()?.planned(),
        None => match wish.question() {
            Question::Games(games) => Some(games.into()),
            Question::Test(_) => None,
        },
    }
}

/// Where the games are kept, if only until the report is made.
fn address(means: &RunMeans) -> Result<(Option<TempDir>, String), RunError> {
    if let Some(address) = &means.store {
        return Ok((None, address.clone()));
    }
    let folder = tempfile::Builder::new().prefix("quintain-tournament-").tempdir();
    let folder = folder.map_err(RunError::Temporary)?;
    let address = folder.path().join("games.db").display().to_string();
    Ok((Some(folder), address))
}

fn schedule_of(plan: &TournamentPlan, info: &RunInfo) -> Result<Schedule, RunError> {
    let seeds = of_run(plan.schedule.seeds.clone(), info);
    let settings = Settings { seeds, ..plan.schedule.clone() };
    Schedule::new(settings).map_err(|error| PlanError::wrong("bot", error).into())
}

/// Whether there is nothing to play. Where rounds follow from results only playing them again
/// tells; they are few.
fn is_complete(plan: &TournamentPlan, schedule: &Schedule, info: &RunInfo) -> bool {
    plan.is_simple() && schedule.planned() == Some(info.games)
}

/// Tells the schedule what was played before.
fn recall(
    store: &Store,
    info: &RunInfo,
    schedule: &mut Schedule,
    book: &mut Book,
) -> Result<(), RunError> {
    for row in store.results(info.id, 0) {
        let result = MatchResult::from(&row?);
        schedule.record(&result).map_err(RunError::Record)?;
        book.add(&result);
    }
    Ok(())
}

/// The games of a tournament as they come in.
struct Counter<'a> {
    book: Book,
    session: Session,
    progress: &'a mut dyn Progress,
}

impl Supervisor for Counter<'_> {
    fn spectator(&mut self, next: &PlannedMatch) -> Box<dyn Spectator> {
        self.progress.spectator(next)
    }

    fn game(&mut self, game: &PlayedGame) -> Wish {
        self.session.count();
        self.book.add(&MatchResult::from(&game.record));
        let standing = Standing::Tournament(&self.book);
        self.progress.played(game, &self.session.now(standing, 0))
    }

    fn tick(&mut self, running: u64) {
        let standing = Standing::Tournament(&self.book);
        self.progress.tick(&self.session.now(standing, running));
    }
}
