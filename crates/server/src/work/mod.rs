//! Games for other machines: workers claim jobs, say that they are there, and report; organisers place orders and
//! collect what came of them. What is said is in `quintain_arena::work::wire`, who has which job in `quintain_store`.
//!
//! A worker runs programs of strangers, so nothing that it says is believed: every replay is played again before its
//! game is counted, games whose end is known are among those that it plays (`canaries.rs`), and a token opens these
//! addresses and nothing else. What workers are like is judged in `trust.rs` and shown to people in `pages.rs`.

mod blobs;
mod canaries;
mod figures;
mod limits;
mod orders;
mod pages;
mod proof;
mod refusal;
mod replays;
mod sweep;
mod tallies;
mod token_owner;
mod trust;
mod workers;

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use quintain_store::work::{BEAT, JobBoard, LEASE, RefusalKind, TokenKind};
use quintain_store::{Store, StoreError};
use tokio::sync::Notify;

use self::blobs::Blobs;
use self::canaries::Canaries;
use self::limits::{BODY_BYTES_MAX, REQUEST_TIME_MAX, WORDS_BYTES_MAX};
use self::proof::Prover;
use self::refusal::WorkRefusal;
use self::tallies::Tallies;
use crate::guard::Neighbours;

pub(crate) use self::token_owner::word_of;
pub use self::trust::ScaleLimits;

/// The board of a store, to be served to workers and organisers.
pub struct Work {
    board: JobBoard,
    blobs: Blobs,
    prover: Prover,
    /// Games whose end is known, if they are handed out.
    canaries: Canaries,
    has_canaries: bool,
    /// Between what times may be multiplied for the speed of a worker; `None`: they are not.
    scale: Option<ScaleLimits>,
    /// Requests without a good token since the server began.
    strangers: AtomicU64,
    /// When it was last looked for what can be forgotten.
    swept: Mutex<Option<Instant>>,
    /// How long a worker holds a job without saying anything, and how often it should.
    lease: Duration,
    beat: Duration,
    /// How long a request may take.
    patience: Duration,
    /// Told when there are new jobs, or jobs that somebody gave back.
    jobs: Notify,
    /// Told when there are new results.
    results: Notify,
    tallies: Tallies,
}

impl Work {
    /// `folder` is where archives of bots are kept, and replays until they are collected.
    ///
    /// # Errors
    /// The board cannot be opened.
    pub fn open(store: &Store, folder: &Path) -> Result<Work, StoreError> {
        let board = JobBoard::open(store)?;
        Ok(Work {
            prover: Prover::of(&board)?,
            board,
            blobs: Blobs::new(folder),
            canaries: Canaries::default(),
            has_canaries: false,
            scale: None,
            strangers: AtomicU64::new(0),
            swept: Mutex::new(None),
            lease: LEASE,
            beat: BEAT,
            patience: REQUEST_TIME_MAX,
            jobs: Notify::new(),
            results: Notify::new(),
            tallies: Tallies::default(),
        })
    }

    pub(crate) fn store(&self) -> &Store {
        self.board.store()
    }

    /// Whether an organiser has the token with this word.
    pub(crate) fn knows_organiser(&self, word: &str) -> Result<bool, StoreError> {
        let token = self.board.who_is(word)?;
        Ok(token.is_some_and(|token| token.kind == TokenKind::Organiser))
    }

    /// The same with leases of another length, of which a third is the time between two beats.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Work {
        Work { lease, beat: lease / 3, ..self }
    }

    /// The same where no request may take longer than this, its body included.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Work {
        Work { patience, ..self }
    }

    /// The same with games among the jobs whose end is known, by which workers are trusted and measured; times are
    /// multiplied for their speed within limits, if there are some.
    #[must_use]
    pub fn with_canaries(self, scale: Option<ScaleLimits>) -> Work {
        Work { has_canaries: true, scale, ..self }
    }
}

pub(crate) fn router(work: Arc<Work>, neighbours: &Neighbours) -> Router {
    let words = DefaultBodyLimit::max(WORDS_BYTES_MAX);
    let bytes = DefaultBodyLimit::max(BODY_BYTES_MAX);
    Router::new()
        .route("/jobs/claim", post(workers::claim).layer(words))
        .route("/jobs/beat", post(workers::beat).layer(words))
        .route("/jobs/report", post(workers::report).layer(bytes))
        .route("/jobs/blob/{digest}", get(blobs::send).put(blobs::receive).layer(bytes))
        .route("/jobs/order", post(orders::place).layer(words))
        .route("/jobs/order/{order}", delete(orders::withdraw).layer(words))
        .route("/jobs/order/{order}/jobs", post(orders::add_jobs).layer(words))
        .route("/jobs/order/{order}/collect", post(orders::collect).layer(words))
        .route("/jobs/order/{order}/recall", post(orders::recall).layer(words))
        .with_state(Arc::clone(&work))
        .layer(middleware::from_fn_with_state(Arc::clone(&work), hurry))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&work), count))
        .merge(pages::router(work, neighbours))
}

/// Counts every request and how it was answered.
async fn count(
    State(work): State<Arc<Work>>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    work.tallies.count_request(path.as_str(), response.status().as_u16());
    response
}

/// Nobody sends for ever, and nobody begins with what is too long in any case.
async fn hurry(State(work): State<Arc<Work>>, request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let word = word_of(request.headers());
    if length.is_some_and(|length| length > BODY_BYTES_MAX as u64) {
        return refuse(&work, word, RefusalKind::TooLong, WorkRefusal::TooLong(BODY_BYTES_MAX))
            .await;
    }
    match tokio::time::timeout(work.patience, next.run(request)).await {
        Ok(answer) => answer,
        Err(_) => refuse(&work, word, RefusalKind::TooSlow, WorkRefusal::TooSlow).await,
    }
}

/// Refuses what nobody has looked at yet, and counts it for the worker whose token it carries.
async fn refuse(
    work: &Arc<Work>,
    word: Option<String>,
    kind: RefusalKind,
    refusal: WorkRefusal,
) -> Response {
    let why = refusal.to_string();
    let counted = on_a_thread(work, move |work| {
        let token = word.map(|word| work.board.who_is(&word)).transpose()?.flatten();
        if let Some(token) = token.filter(|token| token.kind == TokenKind::Worker) {
            work.board.note_refusal(&token.name, kind, &why)?;
        }
        Ok(())
    });
    // If that fails there is nobody to tell.
    let _ = counted.await;
    refusal.into_response()
}

/// Work that waits for the database or for a disk.
async fn on_a_thread<T: Send + 'static>(
    work: &Arc<Work>,
    task: impl FnOnce(&Work) -> Result<T, WorkRefusal> + Send + 'static,
) -> Result<T, WorkRefusal> {
    let work = Arc::clone(work);
    let broken = |_| Err(WorkRefusal::Away("a bug in quintain, please report it".to_owned()));
    tokio::task::spawn_blocking(move || task(&work)).await.unwrap_or_else(broken)
}
