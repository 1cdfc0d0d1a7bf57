//! Who asks, by the token that the request carries. It is looked at before anything of the body is read.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::extract::rejection::BytesRejection;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use quintain_store::work::TokenKind;
use serde::de::DeserializeOwned;

use super::limits::WORDS_BYTES_MAX;
use super::refusal::WorkRefusal;
use super::{Work, on_a_thread};

/// A worker, by its name.
pub(super) struct Worker(pub(super) String);

/// An organiser, by its name.
pub(super) struct Organiser(pub(super) String);

/// Either of them.
pub(super) struct Either;

impl FromRequestParts<Arc<Work>> for Worker {
    type Rejection = WorkRefusal;

    async fn from_request_parts(parts: &mut Parts, work: &Arc<Work>) -> Result<Self, WorkRefusal> {
        token_owner(parts, work, Some(TokenKind::Worker)).await.map(Worker)
    }
}

impl FromRequestParts<Arc<Work>> for Organiser {
    type Rejection = WorkRefusal;

    async fn from_request_parts(parts: &mut Parts, work: &Arc<Work>) -> Result<Self, WorkRefusal> {
        token_owner(parts, work, Some(TokenKind::Organiser)).await.map(Organiser)
    }
}

impl FromRequestParts<Arc<Work>> for Either {
    type Rejection = WorkRefusal;

    async fn from_request_parts(parts: &mut Parts, work: &Arc<Work>) -> Result<Self, WorkRefusal> {
        token_owner(parts, work, None).await.map(|_| Either)
    }
}

async fn token_owner(
    parts: &Parts,
    work: &Arc<Work>,
    kind: Option<TokenKind>,
) -> Result<String, WorkRefusal> {
    let stranger = || {
        work.strangers.fetch_add(1, Ordering::Relaxed);
        WorkRefusal::Stranger(match kind {
            Some(TokenKind::Worker) => "a worker",
            Some(TokenKind::Organiser) => "an organiser",
            None => "a worker or an organiser",
        })
    };
    let word = word_of(&parts.headers).ok_or_else(stranger)?;
    let token = on_a_thread(work, move |work| Ok(work.board.who_is(&word)?)).await?;
    let token = token.filter(|token| kind.is_none_or(|kind| kind == token.kind));
    token.map(|token| token.name).ok_or_else(stranger)
}

/// The word of the token that a request carries.
pub(crate) fn word_of(headers: &HeaderMap) -> Option<String> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    Some(given.strip_prefix("Bearer ")?.trim().to_owned())
}

/// What a body says.
pub(super) fn read<T: DeserializeOwned>(
    body: Result<Bytes, BytesRejection>,
) -> Result<T, WorkRefusal> {
    let body = body.map_err(|error| WorkRefusal::of_body(&error, WORDS_BYTES_MAX))?;
    parsed(&body)
}

pub(super) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, WorkRefusal> {
    let unreadable =
        |error| WorkRefusal::Unreadable(format!("the request cannot be read: {error}"));
    serde_json::from_slice(body).map_err(unreadable)
}
