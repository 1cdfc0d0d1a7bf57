//! What programs ask for, below `/api/v1`: the data behind the pages, as JSON.
//!
//! Nothing is computed here: games, runs and results are what `quintain_arena::results` gathers and `quintain-report`
//! writes for programs, filters are those of the list of matches, live events those of the player. [`ROUTES`] is all
//! there is, and each of them has its place in `schemas/api.json`, the OpenAPI document (`document.rs`).
//!
//! Nothing but a look is asked of anybody, except for matches of house bots, which can be begun.
//!
//! Whatever is refused is refused as a problem of RFC 9457, in the words of the pages.

mod document;
mod games;
mod house_matches;
mod live;
mod replays;
mod runs;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderMap;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::{App, Wishes, wishes_of};
use crate::error::Refusal;
use crate::limits::{RETRY_SECONDS, SENT_BYTES_MAX};
use crate::page::{CachePolicy, Plain};

pub(crate) use document::document;

/// What all of these addresses begin with.
const PREFIX: &str = "/api/v1";

/// Something that can be asked for.
struct Route {
    /// In small letters, as the document has it.
    #[cfg_attr(not(test), expect(dead_code, reason = "what is compared with the document"))]
    method: &'static str,
    /// Behind [`PREFIX`].
    path: &'static str,
    answered_by: fn() -> MethodRouter<Arc<App>>,
}

const fn look(path: &'static str, answered_by: fn() -> MethodRouter<Arc<App>>) -> Route {
    Route { method: "get", path, answered_by }
}

/// All of them. One that is not in the document, and one that is there alone, fails a test.
const ROUTES: [Route; 20] = [
    look("/openapi.json", || get(document::send)),
    look("/schemas/{name}", || get(document::send_schema)),
    look("/games", || get(games::list)),
    look("/games/{game}", || get(games::one)),
    look("/runs", || get(runs::list)),
    look("/runs/{run}", || get(runs::one)),
    look("/runs/{run}/standings", || get(runs::standings)),
    look("/runs/{run}/comparison", || get(runs::comparison)),
    look("/runs/{run}/evaluation", || get(runs::evaluation)),
    look("/runs/{run}/matches/{number}", || get(runs::one_match)),
    look("/matches", || get(runs::matches)),
    look("/replays", || get(replays::list)),
    look("/replays/{replay}", || get(replays::one)),
    look("/replays/{replay}/file", || get(replays::file)),
    look("/replays/{replay}/scenes/{turn}", || get(replays::scene)),
    look("/live", || get(live::list)),
    look("/live/{number}/events", || get(live::events)),
    look("/house-matches", || get(house_matches::list)),
    look("/house-matches/{number}", || get(house_matches::one)),
    Route {
        method: "post",
        path: "/house-matches",
        answered_by: || post(house_matches::begin).layer(DefaultBodyLimit::max(SENT_BYTES_MAX)),
    },
];

pub(crate) fn routes() -> Router<Arc<App>> {
    let add = |router: Router<Arc<App>>, route: &Route| {
        router.route(&format!("{PREFIX}{}", route.path), (route.answered_by)())
    };
    let other_method = || async { Problem(Refusal::OtherMethod) };
    ROUTES.iter().fold(Router::new(), add).method_not_allowed_fallback(other_method)
}

/// Whether it is no person who asks for such a path.
pub(crate) fn is_for_programs(path: &str) -> bool {
    path.starts_with("/api/")
}

type ApiAnswer = Result<Response, Problem>;

/// A refusal for programs.
struct Problem(Refusal);

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        Problem(refusal)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        problem(&self.0)
    }
}

/// A refusal as RFC 9457 has it.
pub(crate) fn problem(refusal: &Refusal) -> Response {
    let (status, title) = refusal.status();
    let detail = refusal.to_string();
    let body = json!({
        "type": "about:blank",
        "title": title,
        "status": status.as_u16(),
        "detail": detail,
    });
    let (kind, cache) = ("application/problem+json", CachePolicy::Fresh);
    let plain = Plain { kind, cache, tag: None, request: &HeaderMap::new() };
    let mut response = plain.bytes(body.to_string());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    match refusal {
        Refusal::NoToken => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        Refusal::QueueFull => {
            headers.insert(header::RETRY_AFTER, RETRY_SECONDS.into());
        }
        _ => {}
    }
    response
}

/// What stands behind the `?`: these keys alone, and each with a value.
fn asked(wishes: Wishes, known: &[&str]) -> Result<HashMap<String, String>, Refusal> {
    let wishes = wishes_of(wishes)?;
    if let Some(key) = wishes.keys().find(|key| !known.contains(&key.as_str())) {
        let known = known.join(", ");
        return Err(Refusal::BadRequest(format!("expected {known} behind the ?, found `{key}`")));
    }
    match wishes.iter().find(|(_, value)| value.is_empty()) {
        Some((key, _)) => Err(Refusal::BadRequest(format!("{key}: expected a value, found none"))),
        None => Ok(wishes),
    }
}

/// An answer that is asked for anew each time.
fn answer(value: &impl Serialize) -> Response {
    let (kind, cache) = ("application/json", CachePolicy::Fresh);
    let text = serde_json::to_vec(value).expect("results have keys of text");
    Plain { kind, cache, tag: None, request: &HeaderMap::new() }.bytes(text)
}

/// Takes out where files lie on this machine: replays have ids here.
fn without_paths(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields
                .retain(|key, _| !["replay", "replays", "failure_replays"].contains(&key.as_str()));
            fields.values_mut().for_each(without_paths);
        }
        Value::Array(items) => items.iter_mut().for_each(without_paths),
        _ => {}
    }
}
