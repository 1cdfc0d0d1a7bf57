//! All runs of a store, and which of them are being played.

use askama::Template;
use quintain_arena::plan::RunWish;
use quintain_arena::run::planned_games;
use quintain_store::RunInfo;
use quintain_tournament::grouped;

use super::archive::Archive;
use super::head::{BotLink, Figure, RunState, game_title, kind_in_words, shown};
use super::links::{self, Matches};
use crate::error::Refusal;
use crate::limits::RUN_BOTS_NAMED;
use crate::page::{CachePolicy, Page};

#[derive(Template)]
#[template(path = "runs.html")]
pub(crate) struct RunsPage {
    store: String,
    playing: usize,
    runs: Vec<RunRow>,
}

struct RunRow {
    name: String,
    address: String,
    kind: String,
    game: String,
    bots: Vec<BotLink>,
    /// Bots that are not named for want of room.
    more_bots: usize,
    games: Figure,
    planned: Option<String>,
    state: Option<RunState>,
    begun: String,
}

/// What is known of a run without its games.
pub(crate) struct RunGlance {
    pub(crate) planned: Option<u64>,
    /// `None` where only the games tell whether it is over.
    pub(crate) state: Option<RunState>,
}

impl RunGlance {
    pub(crate) fn of(archive: &Archive, run: &RunInfo) -> Result<RunGlance, Refusal> {
        let planned = planned_games(run, &RunWish::of(run));
        let state = match (archive.store.is_played(run.id)?, planned) {
            (true, _) => Some(RunState::Playing),
            (false, Some(planned)) => Some(RunState::of(false, run.games >= planned)),
            // Whether a test is decided takes all of its games.
            (false, None) => None,
        };
        Ok(RunGlance { planned, state })
    }
}

impl RunsPage {
    pub(crate) fn new(archive: &Archive) -> Result<RunsPage, Refusal> {
        let runs = archive.store.runs()?;
        let rows: Result<Vec<RunRow>, Refusal> =
            runs.iter().rev().map(|run| RunRow::new(archive, run)).collect();
        let runs = rows?;
        let is_playing = |row: &&RunRow| row.state == Some(RunState::Playing);
        let playing = runs.iter().filter(is_playing).count();
        Ok(RunsPage { store: shown(&archive.store.place()), playing, runs })
    }
}

impl RunRow {
    fn new(archive: &Archive, run: &RunInfo) -> Result<RunRow, Refusal> {
        let RunGlance { planned, state } = RunGlance::of(archive, run)?;
        let bots = &run.plan.bots;
        let named = bots.iter().take(RUN_BOTS_NAMED);
        Ok(RunRow {
            name: shown(&run.plan.name),
            address: links::run(run.id),
            kind: kind_in_words(&run.plan.kind),
            game: game_title(&run.plan.game),
            bots: named.map(|bot| BotLink::new(&bot.name)).collect(),
            more_bots: bots.len().saturating_sub(RUN_BOTS_NAMED),
            games: Figure::new(run.games, &Matches::of_run(&run.plan.name)),
            planned: planned.map(grouped),
            state,
            begun: quintain_arena::scale::date_of_ms(run.created_ms),
        })
    }
}

impl Page for RunsPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}
