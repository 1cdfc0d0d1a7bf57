//! What a store holds: runs, their matches, and what came of them.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use quintain_arena::plan::RunWish;
use quintain_arena::results::{ListedMatch, PageSize, latest_matches};
use quintain_store::{Filter, RunInfo};
use serde::Serialize;
use serde_json::{Value, json};

use super::{ApiAnswer, answer, asked, without_paths};
use crate::app::{App, Id, Wishes, on_a_thread};
use crate::error::Refusal;
use crate::results::{Archive, MatchList, RunGlance, archive, evaluation_advice};
use crate::served_replays::stored_id;

/// A run without its games.
#[derive(Serialize)]
struct RunData<'a> {
    run: i64,
    name: &'a str,
    kind: &'a str,
    game: &'a str,
    bots: Vec<&'a str>,
    games: u64,
    /// `None` where it depends on the results.
    planned: Option<u64>,
    /// `None` where only its games tell whether it is over.
    state: Option<&'static str>,
    begun_ms: i64,
    /// The command that goes on with it.
    command: Option<String>,
    /// What came of it, by its address.
    report: String,
}

impl<'a> RunData<'a> {
    fn new(archive: &Archive, run: &'a RunInfo) -> Result<RunData<'a>, Refusal> {
        let RunGlance { planned, state } = RunGlance::of(archive, run)?;
        Ok(RunData {
            run: run.id.number(),
            name: &run.plan.name,
            kind: &run.plan.kind,
            game: &run.plan.game,
            bots: run.plan.bots.iter().map(|bot| bot.name.as_str()).collect(),
            games: run.games,
            planned,
            state: state.map(|state| state.code()),
            begun_ms: run.created_ms,
            command: RunWish::of(run).command,
            report: report_of(run),
        })
    }
}

/// What is told of a run, by the last part of its address.
fn report_kind(run: &RunInfo) -> &'static str {
    match run.plan.kind.as_str() {
        "compare" => "comparison",
        "evaluate" => "evaluation",
        _ => "standings",
    }
}

fn report_of(run: &RunInfo) -> String {
    format!("{}/runs/{}/{}", super::PREFIX, run.id, report_kind(run))
}

pub(super) async fn list(State(app): State<Arc<App>>) -> ApiAnswer {
    let answered = on_a_thread(&app, |app| {
        let archive = archive(app)?;
        let runs = archive.store.runs()?;
        let rows: Result<Vec<RunData<'_>>, Refusal> =
            runs.iter().rev().map(|run| RunData::new(archive, run)).collect();
        Ok(answer(&json!({ "runs": rows? })))
    });
    Ok(answered.await?)
}

/// An answer about a run.
async fn about(
    app: Arc<App>,
    run: Id,
    tell: impl FnOnce(&Archive, &RunInfo) -> Result<Value, Refusal> + Send + 'static,
) -> ApiAnswer {
    let Path(run) = run.map_err(|_| Refusal::NoRun)?;
    let answered = on_a_thread(&app, move |app| {
        let archive = archive(app)?;
        Ok(answer(&tell(archive, &archive.run(&run)?)?))
    });
    Ok(answered.await?)
}

pub(super) async fn one(State(app): State<Arc<App>>, run: Id) -> ApiAnswer {
    about(app, run, |archive, run| Ok(json!(RunData::new(archive, run)?))).await
}

/// What came of a run, if it is one of which that is told.
async fn report(
    app: Arc<App>,
    run: Id,
    kind: &'static str,
    tell: impl FnOnce(&Archive, &RunInfo) -> Result<Value, Refusal> + Send + 'static,
) -> ApiAnswer {
    about(app, run, move |archive, run| {
        if report_kind(run) != kind {
            let (run, address) = (run.id, report_of(run));
            let wrong = format!("run {run} has no {kind}; what came of it is at {address}");
            return Err(Refusal::NotThere(wrong));
        }
        let mut report = tell(archive, run)?;
        without_paths(&mut report);
        Ok(report)
    })
    .await
}

pub(super) async fn standings(State(app): State<Arc<App>>, run: Id) -> ApiAnswer {
    report(app, run, "standings", |archive, run| Ok(json!(*archive.tournament(run)?))).await
}

pub(super) async fn evaluation(State(app): State<Arc<App>>, run: Id) -> ApiAnswer {
    report(app, run, "evaluation", |archive, run| {
        Ok(quintain_report::evaluation::json(&*archive.evaluation(run)?, &evaluation_advice()))
    })
    .await
}

/// With what its page shows beside it: how the evidence grew, and the games in pairs.
pub(super) async fn comparison(State(app): State<Arc<App>>, run: Id) -> ApiAnswer {
    report(app, run, "comparison", |archive, run| {
        let store = &archive.store;
        Ok(archive.with_comparison(run, |watched| {
            let report = watched.report(store, run)?;
            let mut object = quintain_report::comparison::json(&report);
            object["pairs"] = json!(report.results.pairs.0);
            object["curve"] = json!(watched.curve());
            Ok(object)
        })?)
    })
    .await
}

pub(super) async fn matches(State(app): State<Arc<App>>, wishes: Wishes) -> ApiAnswer {
    let wishes = asked(wishes, &MatchList::keys())?;
    let answered = on_a_thread(&app, move |app| {
        let list = MatchList::read(archive(app)?, &wishes)?;
        let matches: Vec<Value> = list.page.matches.iter().map(match_data).collect();
        Ok(answer(&json!({ "matches": matches, "next": list.next() })))
    });
    Ok(answered.await?)
}

pub(super) async fn one_match(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, u64)>, PathRejection>,
) -> ApiAnswer {
    let Path((run, number)) = path.map_err(|_| no_match())?;
    about(app, Ok(Path(run)), move |archive, run| {
        let chosen = [(run.clone(), Filter::default())];
        let before = number.checked_add(1).filter(|_| number <= run.games).ok_or_else(no_match)?;
        let size = PageSize { matches: 1, searched: 1 };
        let page = latest_matches(&archive.store, &chosen, Some((run.id, before)), size)?;
        let found = page.matches.iter().find(|listed| listed.number == number);
        found.map(match_data).ok_or_else(no_match)
    })
    .await
}

fn no_match() -> Refusal {
    Refusal::NotThere("There is no match of that number in this run.".to_owned())
}

/// A match with the number of its run, and its replay by its id.
fn match_data(listed: &ListedMatch) -> Value {
    let mut object = quintain_report::match_list::json(listed);
    without_paths(&mut object);
    let replay = listed.replay.as_ref().map(|_| stored_id(listed.run_id, listed.number));
    object["run_id"] = json!(listed.run_id.number());
    object["replay"] = json!(replay);
    object
}
