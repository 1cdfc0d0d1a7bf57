//! What a store holds, in the browser: runs, their matches, and what came of them.
//!
//! A page is a struct with its template here too. What a page says is put into words by `quintain-report` and
//! drawn by its charts; what it knows comes from `quintain_arena::results`. Every number that counts matches
//! leads to the list of them (`links.rs`).

mod archive;
mod bot;
mod comparison;
mod evaluation;
mod files;
mod followed;
mod head;
mod links;
mod matches;
mod progress;
mod projector;
mod runs;
mod tournament;
mod troubles;

use std::sync::Arc;

use askama::Template as _;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::get;
use axum::{Extension, Router};
use quintain_report::Advice;
use quintain_store::{RunId, RunInfo};

use crate::app::{Answer, App, Id, Wishes, on_a_thread, wishes_of};
use crate::error::Refusal;
use crate::live::Lease;
use crate::page::{Page as _, fresh_page};
use crate::pages::WaitingPage;

pub(crate) use archive::Archive;
use bot::BotPage;
use comparison::ComparisonPage;
use evaluation::EvaluationPage;
pub(crate) use evaluation::evaluation_advice;
pub use files::{evaluation_page, tournament_page};
use followed::{follow, news_of};
pub(crate) use matches::MatchList;
use matches::MatchesPage;
use projector::ProjectorPage;
pub(crate) use runs::RunGlance;
use runs::RunsPage;
use tournament::TournamentPage;

/// The addresses of what a store holds.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/runs", get(runs))
        .route("/now", get(now))
        .route("/run/{id}", get(run))
        .route("/run/{id}/events", get(run_events))
        .route("/run/{id}/projector", get(projector))
        .route("/run/{id}/projector/events", get(projector_events))
        .route("/matches", get(matches))
        .route("/bot", get(bot))
}

/// What a reader of a page can do.
fn advice() -> Advice<'static> {
    Advice {
        on_refusal: "let them be played again while nothing else runs on it",
        on_errors: "each number leads to its games",
    }
}

pub(crate) fn archive(app: &App) -> Result<&Archive, Refusal> {
    app.archive.as_deref().ok_or(Refusal::NoStore)
}

async fn runs(State(app): State<Arc<App>>) -> Answer {
    on_a_thread(&app, |app| Ok(RunsPage::new(archive(app)?)?.response())).await
}

/// The page of what is played now: here, or else by whoever plays in this store, or was last.
async fn now(State(app): State<Arc<App>>) -> Answer {
    on_a_thread(&app, |app| {
        Ok(match run_now(archive(app)?)? {
            Some(run) => Redirect::to(&links::run(run)).into_response(),
            None => WaitingPage.response(),
        })
    })
    .await
}

fn run_now(archive: &Archive) -> Result<Option<RunId>, Refusal> {
    if let Some(hub) = &archive.live {
        return Ok(hub.run());
    }
    let runs = archive.store.runs()?;
    let is_played = |run: &&RunInfo| archive.store.is_played(run.id).unwrap_or(false);
    Ok(runs.iter().rev().find(is_played).or(runs.last()).map(|run| run.id))
}

async fn run(State(app): State<Arc<App>>, id: Id) -> Answer {
    shown(&app, id, RunView::Page).await
}

async fn projector(State(app): State<Arc<App>>, id: Id) -> Answer {
    shown(&app, id, RunView::Projector).await
}

async fn run_events(
    State(app): State<Arc<App>>,
    Extension(lease): Extension<Lease>,
    id: Id,
) -> Answer {
    events(app, &lease, id, RunView::Page).await
}

async fn projector_events(
    State(app): State<Arc<App>>,
    Extension(lease): Extension<Lease>,
    id: Id,
) -> Answer {
    events(app, &lease, id, RunView::Projector).await
}

async fn shown(app: &Arc<App>, id: Id, view: RunView) -> Answer {
    let Path(id) = id.map_err(|_| Refusal::NoRun)?;
    on_a_thread(app, move |app| {
        let archive = archive(app)?;
        Ok(fresh_page(view.text(archive, &archive.run(&id)?)?))
    })
    .await
}

/// What a page of a run says, sent again whenever that changes.
async fn events(app: Arc<App>, lease: &Lease, id: Id, view: RunView) -> Answer {
    let Path(id) = id.map_err(|_| Refusal::NoRun)?;
    let place = app.streams.place()?;
    let known = id.clone();
    on_a_thread(&app, move |app| archive(app)?.run(&known).map(drop)).await?;
    let look = move |last: Option<followed::Moment>| {
        let (app, id) = (Arc::clone(&app), id.clone());
        let look = move |app: &App| news_of(archive(app)?, &id, view, last.as_ref());
        async move { on_a_thread(&app, look).await }
    };
    Ok(follow(look, place, lease))
}

/// How a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RunView {
    Page,
    /// Large, part by part.
    Projector,
}

impl RunView {
    /// The page as text.
    fn text(self, archive: &Archive, run: &RunInfo) -> Result<String, Refusal> {
        let text = match (self, run.plan.kind.as_str()) {
            (RunView::Projector, _) => ProjectorPage::new(archive, run)?.render(),
            (_, "compare") => ComparisonPage::new(archive, run)?.render(),
            (_, "evaluate") => EvaluationPage::new(archive, run)?.render(),
            _ => TournamentPage::new(archive, run)?.render(),
        };
        text.map_err(|error| Refusal::Unplayable(format!("This page cannot be shown: {error}")))
    }
}

async fn bot(State(app): State<Arc<App>>, wishes: Wishes) -> Answer {
    let wishes = wishes_of(wishes)?;
    on_a_thread(&app, move |app| Ok(BotPage::new(archive(app)?, &wishes)?.response())).await
}

async fn matches(State(app): State<Arc<App>>, wishes: Wishes) -> Answer {
    let wishes = wishes_of(wishes)?;
    on_a_thread(&app, move |app| Ok(MatchesPage::new(archive(app)?, &wishes)?.response())).await
}
