//! What whoever keeps a server running asks it: whether it is there, whether it can do its work, and how much it does.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use quintain_store::{Store, StoreError};

use crate::exposition::{Exposition, Kind};
use crate::work::Work;

/// The version of the text format.
const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What is upkeep over.
#[derive(Clone)]
pub(crate) struct Upkeep {
    pub(crate) store: Option<Store>,
    pub(crate) work: Option<Arc<Work>>,
}

pub(crate) fn router(upkeep: Upkeep) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/ready", get(ready))
        .route("/metrics", get(metrics))
        .with_state(upkeep)
}

/// The process answers.
async fn health() -> &'static str {
    "ok\n"
}

/// The database answers too.
async fn ready(State(upkeep): State<Upkeep>) -> Response {
    match on_a_thread(move || upkeep.reach()).await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => away("readiness", &error),
    }
}

async fn metrics(State(upkeep): State<Upkeep>) -> Response {
    match on_a_thread(move || upkeep.figures()).await {
        Ok(text) => ([(header::CONTENT_TYPE, METRICS_TYPE)], text).into_response(),
        Err(error) => away("metrics", &error),
    }
}

/// Strangers are not told why.
fn away(what: &str, error: &StoreError) -> Response {
    tracing::warn!(%error, "{what}");
    (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n").into_response()
}

async fn on_a_thread<T: Send + 'static>(
    task: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let broken = |error: tokio::task::JoinError| {
        Err(StoreError::Open { place: "the store".to_owned(), reason: error.to_string() })
    };
    tokio::task::spawn_blocking(task).await.unwrap_or_else(broken)
}

impl Upkeep {
    fn reach(&self) -> Result<(), StoreError> {
        self.store.as_ref().map_or(Ok(()), Store::ping)?;
        self.work.as_ref().map_or(Ok(()), |work| work.store().ping())
    }

    fn figures(&self) -> Result<String, StoreError> {
        let mut text = Exposition::default();
        let (name, version) = ("quintain_build_info", env!("CARGO_PKG_VERSION"));
        text.family(name, Kind::Gauge, "Always 1; the version is its label.");
        text.sample(name, &[("version", version)], 1);
        if let Some(work) = &self.work {
            work.expose(&mut text)?;
        }
        Ok(text.into_text())
    }
}
