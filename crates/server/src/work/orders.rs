//! The calls of organisers: orders, their jobs, and what came of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use quintain_arena::work::wire::{
    CollectAnswer, CollectRequest, Introduction, NewJobs, OrderNumber, OrderRequest, Recalled,
    ReportedGame, Version,
};
use quintain_arena::work::{JobFailure, JobGame, Order};
use quintain_registry::find;
use quintain_store::work::{Lease, NewGame, NewOrder, OrderId, OrderNow, PlayedResult};

use super::limits::{
    COLLECT_BYTES_MAX, COLLECT_GAMES_MAX, COLLECT_TIME_MAX, JOB_GAMES_MAX, WORDS_BYTES_MAX,
};
use super::refusal::WorkRefusal;
use super::replays::Replays;
use super::sweep::sweep;
use super::token_owner::{Organiser, parsed, read};
use super::{Work, on_a_thread};

type Answer = Result<Response, WorkRefusal>;
type Body = Result<Bytes, BytesRejection>;
type Number = Result<Path<i64>, PathRejection>;

pub(super) async fn place(
    State(work): State<Arc<Work>>,
    Organiser(name): Organiser,
    body: Body,
) -> Answer {
    let body = body.map_err(|error| WorkRefusal::of_body(&error, WORDS_BYTES_MAX))?;
    let Introduction { version, .. } = parsed(&body)?;
    Version::own().check(&version).map_err(WorkRefusal::Version)?;
    let request: OrderRequest = parsed(&body)?;
    on_a_thread(&work, move |work| {
        check_order(work, &request.order)?;
        let unreadable = |error: serde_json::Error| WorkRefusal::Unreadable(error.to_string());
        let body = serde_json::to_string(&request.order).map_err(unreadable)?;
        let OrderId(order) = work.board.place_order(&NewOrder {
            key: &request.key,
            owner: &name,
            body: &body,
            is_timed: request.order.is_timed(),
        })?;
        sweep(work);
        Ok(Json(OrderNumber { order }).into_response())
    })
    .await
}

/// What no worker could play is refused at once.
fn check_order(work: &Work, order: &Order) -> Result<(), WorkRefusal> {
    let Some(game) = find(&order.game) else {
        return Err(WorkRefusal::Wrong(format!("there is no game `{}`", order.game)));
    };
    game.restore_config(order.edition, &order.config)
        .map_err(|error| WorkRefusal::Wrong(error.to_string()))?;
    match order.archives().find(|digest| !work.blobs.has_bot(digest)) {
        Some(missing) => Err(WorkRefusal::Wrong(format!("the archive {missing} is not here"))),
        None => Ok(()),
    }
}

pub(super) async fn add_jobs(
    State(work): State<Arc<Work>>,
    Organiser(name): Organiser,
    number: Number,
    body: Body,
) -> Answer {
    let Path(number) = number?;
    let NewJobs { jobs } = read(body)?;
    if jobs.iter().any(|job| job.is_empty() || job.len() > JOB_GAMES_MAX) {
        let wrong = format!("expected jobs of 1 to {JOB_GAMES_MAX} games, found another one");
        return Err(WorkRefusal::Wrong(wrong));
    }
    on_a_thread(&work, move |work| {
        let order = own_order(work, &name, number)?;
        let jobs: Vec<Vec<NewGame>> =
            jobs.iter().map(|job| job.iter().map(new_game).collect()).collect();
        work.board.add_jobs(order, &jobs)?;
        work.jobs.notify_waiters();
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

fn new_game(game: &JobGame) -> NewGame {
    let body = serde_json::to_string(game).expect("a game of a job is plain data");
    NewGame { id: game.id, body }
}

/// Gives results; if there are none, they are waited for.
pub(super) async fn collect(
    State(work): State<Arc<Work>>,
    Organiser(name): Organiser,
    number: Number,
    body: Body,
) -> Answer {
    let Path(number) = number?;
    let request: CollectRequest = read(body)?;
    let (began, wait) =
        (Instant::now(), Duration::from_millis(request.wait_ms).min(COLLECT_TIME_MAX));
    let taken = Arc::new(request.taken);
    loop {
        let told = work.results.notified();
        let (name, taken) = (name.clone(), Arc::clone(&taken));
        let collected = on_a_thread(&work, move |work| {
            let order = own_order(work, &name, number)?;
            let now = work.board.collect(order, &taken, COLLECT_GAMES_MAX)?;
            for lease in &now.forgotten {
                work.blobs.forget_replays(order, *lease);
            }
            collected(work, order, now)
        })
        .await?;
        let left = wait.saturating_sub(began.elapsed());
        if !collected.games.is_empty() || !collected.failures.is_empty() || left.is_zero() {
            return Ok(Json(collected).into_response());
        }
        let _ = tokio::time::timeout(left, told).await;
    }
}

/// Results with their replays, as many as an answer holds.
fn collected(work: &Work, order: OrderId, now: OrderNow) -> Result<CollectAnswer, WorkRefusal> {
    let OrderNow { results, running, slots, failures, .. } = now;
    let mut answer = CollectAnswer { running, slots, ..CollectAnswer::default() };
    let mut bytes = 0;
    // Results of one report are together.
    let mut open: Option<(Lease, Replays)> = None;
    for PlayedResult { game, body, lease, .. } in results {
        let strange =
            |_| WorkRefusal::Away("the store holds a game that cannot be read".to_owned());
        let record = serde_json::from_str(&body).map_err(strange)?;
        if open.as_ref().is_none_or(|(of, _)| *of != lease) {
            open = Some((lease, work.blobs.replays(order, lease)?));
        }
        let replay = open.as_mut().and_then(|(_, replays)| replays.remove(&game));
        let replay = replay.unwrap_or_default();
        bytes += replay.len();
        answer.games.push(ReportedGame { record, replay });
        if bytes > COLLECT_BYTES_MAX {
            break;
        }
    }
    let failures = failures.into_iter();
    answer.failures =
        failures.map(|failure| JobFailure { games: failure.games, log: failure.log }).collect();
    Ok(answer)
}

pub(super) async fn recall(
    State(work): State<Arc<Work>>,
    Organiser(name): Organiser,
    number: Number,
) -> Answer {
    let Path(number) = number?;
    on_a_thread(&work, move |work| {
        let order = own_order(work, &name, number)?;
        Ok(Json(Recalled { games: work.board.recall(order)? }).into_response())
    })
    .await
}

pub(super) async fn withdraw(
    State(work): State<Arc<Work>>,
    Organiser(name): Organiser,
    number: Number,
) -> Answer {
    let Path(number) = number?;
    on_a_thread(&work, move |work| {
        let order = own_order(work, &name, number)?;
        work.board.withdraw(order)?;
        work.blobs.forget_order(order);
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// An order of somebody else is none.
fn own_order(work: &Work, name: &str, number: i64) -> Result<OrderId, WorkRefusal> {
    let owner = work.board.owner_of(OrderId(number))?;
    match owner.is_some_and(|owner| owner == name) {
        true => Ok(OrderId(number)),
        false => Err(WorkRefusal::NotThere),
    }
}
