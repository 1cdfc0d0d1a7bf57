//! What people are shown of workers: `/workers` lists them and the jobs that nobody could play, `/worker/NAME` is all
//! that is known of one. No page says anything that a token is for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use askama::Template;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::middleware;
use axum::response::Response;
use axum::routing::get;
use quintain_arena::scale::date_of_ms;
use quintain_core::printable;
use quintain_store::now_ms;
use quintain_store::work::{CanaryResult, Failure, PairShare, Refusals, RunShare, WorkerInfo};
use quintain_tournament::{PlayedPairs, grouped, residual};

use super::Work;
use super::limits::LISTED_MAX;
use super::trust::{CANARIES_JUDGED, is_disturbed};
use crate::error::Refusal;
use crate::guard::{Neighbours, guard};
use crate::page::{CachePolicy, Page};
use crate::url::of_replay;

/// Whoever has said nothing for so long is away.
const AWAY_MS: i64 = 90_000;

pub(super) fn router(work: Arc<Work>, neighbours: &Neighbours) -> Router {
    Router::new()
        .route("/workers", get(workers))
        .route("/worker/{name}", get(worker))
        .with_state(work)
        .layer(middleware::from_fn_with_state(Arc::new(neighbours.clone()), guard))
}

async fn workers(State(work): State<Arc<Work>>) -> Result<Response, Refusal> {
    on_a_thread(work, |work| Ok(WorkersPage::new(work)?.response())).await
}

async fn worker(
    State(work): State<Arc<Work>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, Refusal> {
    let Path(name) = name.map_err(|_| Refusal::NoWorker)?;
    on_a_thread(work, move |work| Ok(WorkerPage::new(work, &name)?.response())).await
}

async fn on_a_thread<T: Send + 'static>(
    work: Arc<Work>,
    task: impl FnOnce(&Work) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let broken = |_| Err(Refusal::Unplayable("This cannot be shown.".to_owned()));
    tokio::task::spawn_blocking(move || task(&work)).await.unwrap_or_else(broken)
}

#[derive(Template)]
#[template(path = "workers.html")]
struct WorkersPage {
    workers: Vec<Row>,
    failures: Vec<GivenUp>,
    /// Requests without a good token.
    strangers: u64,
}

#[derive(Template)]
#[template(path = "worker.html")]
struct WorkerPage {
    row: Row,
    version: String,
    noise: String,
    /// Since when, and why.
    quarantine: Option<(String, String)>,
    last_words: String,
    refusals: Vec<RefusalRow>,
    canaries: Vec<CanaryRow>,
    runs: Vec<RunRow>,
    failures: Vec<GivenUp>,
}

/// One worker in a few figures.
struct Row {
    name: String,
    address: String,
    state: &'static str,
    class: &'static str,
    slots: u64,
    speed: String,
    games: String,
    disturbed: String,
    void: String,
    failed: String,
    refused: String,
    residual: String,
    seen: String,
    last_words: String,
}

struct GivenUp {
    at: String,
    owner: String,
    games: String,
    log: String,
}

struct RefusalRow {
    kind: &'static str,
    times: String,
    last_words: String,
    at: String,
}

struct CanaryRow {
    at: String,
    seed: i64,
    took: String,
    speed: String,
    /// Nothing if it came out as it must.
    wrong: String,
}

struct RunRow {
    at: String,
    games: String,
    disturbed: String,
    is_disturbed: bool,
}

impl WorkersPage {
    fn new(work: &Work) -> Result<WorkersPage, Refusal> {
        let shares = work.board.pair_shares()?;
        let workers = work.board.workers()?;
        let failures = work.board.failures()?;
        Ok(WorkersPage {
            workers: workers.iter().map(|worker| Row::new(worker, &shares)).collect(),
            failures: failures.iter().rev().take(LISTED_MAX).map(GivenUp::new).collect(),
            strangers: work.strangers.load(Ordering::Relaxed),
        })
    }
}

impl WorkerPage {
    fn new(work: &Work, name: &str) -> Result<WorkerPage, Refusal> {
        let worker = work.board.worker(name)?.ok_or(Refusal::NoWorker)?;
        let canaries = work.board.canaries(name, CANARIES_JUDGED)?;
        let failures = work.board.failures()?;
        // A log names each worker in the line that it begins.
        let mark = format!("{name}: ");
        let is_own = |failure: &&Failure| failure.log.lines().any(|line| line.starts_with(&mark));
        let quarantine = worker.quarantine.as_ref();
        Ok(WorkerPage {
            row: Row::new(&worker, &work.board.pair_shares()?),
            version: shown(&worker.version),
            noise: shown(worker.standing.noise.as_deref().unwrap_or_default()),
            quarantine: quarantine.map(|(since, why)| (date_of_ms(*since), shown(why))),
            last_words: lines_shown(&worker.last_words),
            refusals: work.board.refusals(name)?.iter().map(RefusalRow::new).collect(),
            canaries: canaries.iter().map(CanaryRow::new).collect(),
            runs: work.board.shares(name)?.iter().take(LISTED_MAX).map(RunRow::new).collect(),
            failures: failures
                .iter()
                .rev()
                .filter(is_own)
                .take(LISTED_MAX)
                .map(GivenUp::new)
                .collect(),
        })
    }
}

impl Row {
    fn new(worker: &WorkerInfo, shares: &[PairShare]) -> Row {
        let quiet_ms = now_ms() - worker.seen_ms;
        let (state, class) = match () {
            () if worker.quarantine.is_some() => ("in quarantine", "warn"),
            () if quiet_ms > AWAY_MS => ("away", ""),
            () if worker.standing.noise.is_some() => ("noisy: no clock", "warn"),
            () => ("there", "ok"),
        };
        let first_line = worker.last_words.lines().next().unwrap_or_default();
        Row {
            name: shown(&worker.name),
            address: of_replay("/worker/", &worker.name),
            state,
            class,
            slots: worker.slots,
            speed: worker.standing.speed_milli.map(speed_in_words).unwrap_or_default(),
            games: grouped(worker.games),
            disturbed: share_in_words(worker.disturbed_games, worker.games),
            void: grouped(worker.void_games),
            failed: grouped(worker.failed_jobs),
            refused: grouped(worker.refused),
            residual: residual_of(&worker.name, shares)
                .map_or_else(String::new, |value| format!("{value:+.1}")),
            seen: ago(quiet_ms),
            last_words: shown(first_line),
        }
    }
}

/// How far a worker's pairs differ from those of all, over all pairings that it played.
fn residual_of(worker: &str, shares: &[PairShare]) -> Option<f64> {
    let mut groups: BTreeMap<(i64, u32), PlayedPairs> = BTreeMap::new();
    for share in shares {
        let group = groups.entry((share.order, share.pairing)).or_default();
        *group.all.entry(share.half_points).or_default() += share.pairs;
        if share.worker == worker {
            *group.own.entry(share.half_points).or_default() += share.pairs;
        }
    }
    residual(groups.values())
}

impl GivenUp {
    fn new(failure: &Failure) -> GivenUp {
        let games: Vec<String> = failure.games.iter().map(|game| game.in_words()).collect();
        GivenUp {
            at: date_of_ms(failure.at_ms),
            owner: shown(&failure.owner),
            games: games.join("; "),
            log: lines_shown(&failure.log),
        }
    }
}

impl RefusalRow {
    fn new(refusals: &Refusals) -> RefusalRow {
        RefusalRow {
            kind: refusals.kind.in_words(),
            times: grouped(refusals.times),
            last_words: shown(&refusals.last_words),
            at: date_of_ms(refusals.at_ms),
        }
    }
}

impl CanaryRow {
    fn new(canary: &CanaryResult) -> CanaryRow {
        let speed = 1000 * canary.known_us / canary.took_us.max(1);
        CanaryRow {
            at: date_of_ms(canary.at_ms),
            seed: canary.seed,
            took: format!("{} ms", canary.took_us / 1000),
            speed: speed_in_words(speed),
            wrong: shown(canary.wrong.as_deref().unwrap_or_default()),
        }
    }
}

impl RunRow {
    fn new(share: &RunShare) -> RunRow {
        RunRow {
            at: date_of_ms(share.at_ms),
            games: grouped(share.games),
            disturbed: share_in_words(share.disturbed, share.games),
            is_disturbed: is_disturbed(share),
        }
    }
}

/// Against the server.
fn speed_in_words(milli: i64) -> String {
    format!("{:.2}", milli as f64 / 1000.0)
}

fn share_in_words(part: u64, all: u64) -> String {
    match all {
        0 => String::new(),
        all => format!("{} ({:.1} %)", grouped(part), 100.0 * part as f64 / all as f64),
    }
}

fn ago(ms: i64) -> String {
    match ms / 1000 {
        ..120 => format!("{} s ago", (ms / 1000).max(0)),
        seconds @ 120..7200 => format!("{} min ago", seconds / 60),
        seconds => format!("{} h ago", seconds / 3600),
    }
}

fn shown(text: &str) -> String {
    printable(text).into_owned()
}

fn lines_shown(text: &str) -> String {
    text.lines().map(|line| printable(line).into_owned()).collect::<Vec<_>>().join("\n")
}

impl Page for WorkersPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}

impl Page for WorkerPage {
    const CACHE: CachePolicy = CachePolicy::Fresh;
}
