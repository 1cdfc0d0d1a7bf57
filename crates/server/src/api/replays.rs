//! Replays by their ids, and the positions in them. An id stands in a path as one part: each `/` in it is `%2F`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use quintain_core::{PerSeat, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::{ApiAnswer, answer, asked};
use crate::app::{App, Id, Wishes, download, id_of, on_a_thread};
use crate::error::Refusal;
use crate::page::{CachePolicy, Plain};
use crate::pages::ListPage;
use crate::served_replays::{Glance, ServedReplays};
use crate::studio::{Piece, View, Work};

/// A replay in a list.
#[derive(Serialize)]
struct ReplayRow {
    replay: String,
    /// `None` if it is no replay that can be played again here.
    game: Option<String>,
    names: Option<PerSeat<String>>,
    verdicts: Option<PerSeat<Verdict>>,
    /// How it ended, or why the file cannot be shown.
    ending: String,
}

impl ReplayRow {
    fn new(replays: &ServedReplays, id: &str) -> ReplayRow {
        match replays.glance(id) {
            Ok((_, glance)) => ReplayRow {
                replay: id.to_owned(),
                game: Some(glance.header.game.clone()),
                names: Some(glance.names.clone()),
                verdicts: glance.end.as_ref().map(|end| end.verdicts),
                ending: glance.ending.clone(),
            },
            Err(refusal) => ReplayRow {
                replay: id.to_owned(),
                game: None,
                names: None,
                verdicts: None,
                ending: refusal.to_string(),
            },
        }
    }
}

/// Those of the folder, the latest first.
pub(super) async fn list(State(app): State<Arc<App>>, wishes: Wishes) -> ApiAnswer {
    let wishes = asked(wishes, &["page"])?;
    let answered = on_a_thread(&app, move |app| {
        let list = ListPage::read(&app.replays, &wishes)?;
        let rows: Vec<ReplayRow> =
            list.ids.iter().map(|id| ReplayRow::new(&app.replays, id)).collect();
        let ListPage { count, number, pages, .. } = list;
        Ok(answer(&json!({ "replays": rows, "count": count, "page": number, "pages": pages })))
    });
    Ok(answered.await?)
}

pub(super) async fn one(State(app): State<Arc<App>>, id: Id) -> ApiAnswer {
    let id = id_of(id)?;
    let answered = on_a_thread(&app, move |app| {
        let (_, glance) = app.replays.glance(&id)?;
        Ok(answer(&glance_data(&glance)))
    });
    Ok(answered.await?)
}

/// What is said of a match without playing it again: the first and the last line of its replay.
fn glance_data(glance: &Glance) -> Value {
    let line = |kind: &str, line: Value| {
        let mut line = line;
        line["kind"] = json!(kind);
        line
    };
    json!({
        "replay": glance.id,
        "title": glance.title,
        "names": glance.names,
        "ending": glance.ending,
        "header": line("header", json!(glance.header)),
        "end": glance.end.as_ref().map(|end| line("end", json!(end))),
    })
}

pub(super) async fn file(State(app): State<Arc<App>>, id: Id, request: HeaderMap) -> ApiAnswer {
    Ok(download(State(app), id, request).await?)
}

pub(super) async fn scene(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    wishes: Wishes,
    request: HeaderMap,
) -> ApiAnswer {
    let Path((id, turn)) = path.map_err(|_| Refusal::NoReplay)?;
    let wrong = || Refusal::NotThere(format!("turn: expected a number from 0 on, found `{turn}`"));
    let turn = turn.parse().map_err(|_| wrong())?;
    let view = View::parse(asked(wishes, &["eye"])?.get("eye").map(String::as_str))?;
    let (stamp, piece) = app.studio.make(id, Work::Scene(view, turn)).await?;
    let Piece::Scene(scene) = &*piece else { return Err(Refusal::NoReplay.into()) };
    let (kind, cache) = ("application/json", CachePolicy::Checked);
    Ok(Plain { kind, cache, tag: Some(&stamp.tag()), request: &request }.packed(scene))
}
