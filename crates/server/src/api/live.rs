//! What is played now.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};

use super::{ApiAnswer, answer, asked};
use crate::app::{App, Id, Wishes, live_match};
use crate::error::Refusal;
use crate::live::{Lease, LiveMatch, events_of, last_seen};

pub(super) async fn list(State(app): State<Arc<App>>) -> Response {
    let known = app.live.as_ref().map(|hub| hub.list()).unwrap_or_default();
    let matches: Vec<Value> = known.iter().map(|live| match_data(live)).collect();
    answer(&json!({ "live": matches }))
}

fn match_data(live: &LiveMatch) -> Value {
    let about = &live.about;
    json!({
        "number": about.number,
        "run": about.run.map(|run| run.number()),
        "title": about.title,
        "names": about.names,
        "seed": about.seed,
        "end": live.end(),
    })
}

/// The film as it grows, event by event.
pub(super) async fn events(
    State(app): State<Arc<App>>,
    Extension(lease): Extension<Lease>,
    number: Id,
    wishes: Wishes,
    request: HeaderMap,
) -> ApiAnswer {
    let Path(number) = number.map_err(|_| Refusal::NotLive)?;
    let number: u64 = number.parse().map_err(|_| Refusal::NotLive)?;
    let wishes = asked(wishes, &["after"])?;
    if let Some(after) = wishes.get("after").filter(|after| after.parse::<u64>().is_err()) {
        let wrong = format!("after: expected the number of an event, found `{after}`");
        return Err(Refusal::BadRequest(wrong).into());
    }
    let last_seen = last_seen(&request, &wishes);
    let (live, place) = (live_match(&app, Ok(Path(number)))?, app.streams.place()?);
    Ok(events_of(live, last_seen, place, &lease))
}
