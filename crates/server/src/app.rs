//! The addresses, and what is answered at each.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::HttpBody as _;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use quintain_core::Seat;
use quintain_core::scene::Theme;
use quintain_registry::find;

use crate::api;
use crate::assets::{asset, kind_of, version};
use crate::cache::Cache;
use crate::demo::{Demo, Demos, demo};
use crate::error::Refusal;
use crate::explain::FilePlace;
use crate::guard::{Neighbours, guard, refused};
use crate::house_matches::HouseMatches;
use crate::limits::{BODY_TIME_MAX, REQUEST_TIME_MAX};
use crate::live::{Hub, Lease, LiveMatch, Streams, events_of, last_seen};
use crate::mailed::mailed_replay;
use crate::operations::{self, Upkeep};
use crate::page::{CachePolicy, Page as _, Plain};
use crate::pages::{
    EmbedPage, ErrorPage, GamePage, HomePage, LiveListPage, LivePage, MatchPage, PairPage,
    WaitingPage,
};
use crate::people::{self, People};
use crate::permission::Permission;
use crate::results::{self, Archive};
use crate::served_replays::{Found, Glance, ServedReplays};
use crate::studio::{Piece, Studio, View, Work};

pub(crate) type Answer = Result<Response, Refusal>;
pub(crate) type Id = Result<Path<String>, PathRejection>;
pub(crate) type Wishes = Result<Query<HashMap<String, String>>, QueryRejection>;

/// What all answers are made of.
pub(crate) struct App {
    pub(crate) replays: Arc<ServedReplays>,
    /// The store that is shown, if there is one.
    pub(crate) archive: Option<Arc<Archive>>,
    pub(crate) studio: Studio,
    neighbours: Arc<Neighbours>,
    pub(crate) live: Option<Hub>,
    pub(crate) streams: Streams,
    demos: Demos,
    pub(crate) permission: Arc<Permission>,
    pub(crate) house_matches: Arc<HouseMatches>,
    /// Whether this process plays a run, which nothing may disturb.
    pub(crate) is_playing: bool,
}

pub(crate) fn router(
    replays: ServedReplays,
    neighbours: Neighbours,
    live: Option<Hub>,
    upkeep: Upkeep,
    permission: Permission,
) -> Router {
    let permission = Arc::new(permission);
    let folder: Option<PathBuf> = replays.folder().map(Into::into);
    let people = People::new(folder.clone(), Arc::clone(&permission));
    let is_playing = live.is_some();
    let (replays, neighbours) = (Arc::new(replays), Arc::new(neighbours));
    let studio = Studio::new(Arc::clone(&replays));
    let archive = replays.store().map(|store| Arc::new(Archive::new(store.clone(), live.clone())));
    // Where something is played it is not hindered by what nobody has asked for yet.
    if let Some(archive) = archive.clone().filter(|_| live.is_none()) {
        std::thread::spawn(move || archive.warm_up());
    }
    // What is begun here can be watched too. Without a thread for its films it is only played.
    let live = live.or_else(|| Hub::new().ok());
    let app = Arc::new(App {
        house_matches: HouseMatches::new(folder, live.clone()),
        permission,
        is_playing,
        replays,
        archive,
        studio,
        neighbours: Arc::clone(&neighbours),
        live,
        streams: Streams::new(),
        demos: Cache::new(),
    });
    Router::new()
        .merge(results::routes())
        .merge(api::routes())
        .route("/", get(home))
        .route("/game/{id}", get(game))
        .route("/match/{*id}", get(match_page))
        .route("/embed/{*id}", get(embed))
        .route("/fork/{*id}", get(fork))
        .route("/compare-replays", get(compare))
        .route("/film/{*id}", get(film))
        .route("/explain/{chunk}/{*id}", get(explanations))
        .route("/sent/{step}/{seat}/{part}/{*id}", get(sent_file))
        .route("/picture/{*id}", get(picture))
        .route("/card/{*id}", get(card))
        .route("/replay/{*id}", get(download))
        .route("/page/{*id}", get(mail))
        .route("/live", get(live_list))
        .route("/live/{number}", get(live_page))
        .route("/live/{number}/events", get(live_events))
        .route("/demo/{game}", get(demo_film))
        .route("/demo/{game}/{theme}", get(demo_picture))
        .route("/assets/{version}/{name}", get(player_file))
        .fallback(nowhere)
        .with_state(app)
        .merge(people::router(people))
        .merge(operations::router(upkeep))
        .layer(middleware::from_fn(hurry))
        .layer(middleware::from_fn_with_state(neighbours, guard))
}

/// Nobody waits for ever, neither for an answer nor for who does not send what was announced.
async fn hurry(uri: Uri, request: Request, next: Next) -> Response {
    let (time_max, refusal) = if request.body().is_end_stream() {
        (REQUEST_TIME_MAX, Refusal::TooSlow)
    } else {
        // What is sent is a few words, and nothing that is done with them takes long.
        (BODY_TIME_MAX, Refusal::Unfinished)
    };
    let answer = tokio::time::timeout(time_max, next.run(request)).await;
    answer.unwrap_or_else(|_| refused(uri.path(), &refusal))
}

impl axum::response::IntoResponse for Refusal {
    fn into_response(self) -> Response {
        ErrorPage::new(&self).response()
    }
}

async fn nowhere(uri: Uri) -> Response {
    refused(uri.path(), &Refusal::NoPage)
}

pub(crate) fn id_of(id: Id) -> Result<String, Refusal> {
    id.map(|Path(id)| id).map_err(|_| Refusal::NoReplay)
}

pub(crate) fn wishes_of(wishes: Wishes) -> Result<HashMap<String, String>, Refusal> {
    let unreadable = |_| Refusal::BadRequest("What follows the ? cannot be read.".to_owned());
    wishes.map(|Query(wishes)| wishes).map_err(unreadable)
}

/// Work that reads files.
pub(crate) async fn on_a_thread<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let app = Arc::clone(app);
    let broken = |_| Err(Refusal::Unplayable("This cannot be shown.".to_owned()));
    tokio::task::spawn_blocking(move || work(&app)).await.unwrap_or_else(broken)
}

async fn home(State(app): State<Arc<App>>, wishes: Wishes) -> Answer {
    let wishes = wishes_of(wishes)?;
    on_a_thread(&app, move |app| Ok(HomePage::new(&app.replays, &wishes)?.response())).await
}

async fn game(id: Id) -> Answer {
    let Path(id) = id.map_err(|_| Refusal::NoPage)?;
    let game = quintain_registry::find(&id).ok_or(Refusal::NoPage)?;
    Ok(GamePage::new(game)?.response())
}

async fn match_page(State(app): State<Arc<App>>, id: Id, headers: HeaderMap) -> Answer {
    let id = id_of(id)?;
    on_a_thread(&app, move |app| {
        let (_, glance) = app.replays.glance(&id)?;
        Ok(MatchPage::new(&app.replays, &glance, &site_of(&headers)).response())
    })
    .await
}

/// How a client called whatever stands before this server, or this server itself.
pub(crate) const FORWARDED_SCHEME: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// How the client calls this server; [`guard`] has looked at it.
pub(crate) fn site_of(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_secret = headers.get(FORWARDED_SCHEME).is_some_and(|scheme| scheme == "https");
    let scheme = if is_secret { "https" } else { "http" };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

async fn embed(State(app): State<Arc<App>>, id: Id) -> Answer {
    let id = id_of(id)?;
    on_a_thread(&app, move |app| {
        let (_, glance) = app.replays.glance(&id)?;
        Ok(EmbedPage::new(&glance, &app.neighbours.embedders).response())
    })
    .await
}

/// A match that goes on from another one, beside that one.
async fn fork(State(app): State<Arc<App>>, id: Id) -> Answer {
    let id = id_of(id)?;
    on_a_thread(&app, move |app| {
        let (_, branch) = app.replays.glance(&id)?;
        let Some(from) = &branch.header.from else {
            let wrong = "This match was played from its start: it goes on from no other one.";
            return Err(Refusal::BadRequest(wrong.to_owned()));
        };
        let origin = app.replays.origin_of(&branch).ok_or_else(|| {
            let name = quintain_core::printable(&from.replay).into_owned();
            Refusal::BadRequest(format!(
                "This match goes on from {name}, which is not among the replays here."
            ))
        })?;
        let (_, origin) = app.replays.glance(&origin)?;
        Ok(PairPage::fork(&origin, &branch, from.turn).response())
    })
    .await
}

async fn compare(State(app): State<Arc<App>>, wishes: Wishes) -> Answer {
    let mut wishes = wishes_of(wishes)?;
    let mut side = |name: &str| wishes.remove(name).filter(|id| !id.is_empty());
    let (left, right) = (side("left"), side("right"));
    on_a_thread(&app, move |app| {
        let glance = |id: Option<String>| -> Result<Option<Arc<Glance>>, Refusal> {
            id.map(|id| app.replays.glance(&id).map(|(_, glance)| glance)).transpose()
        };
        match (glance(left)?, glance(right)?) {
            (Some(left), Some(right)) if left.header.game == right.header.game => {
                Ok(PairPage::compare(&left, &right).response())
            }
            (Some(left), Some(right)) => Err(Refusal::BadRequest(format!(
                "Expected two matches of one game, found {} and {}.",
                left.title, right.title
            ))),
            _ => Err(Refusal::BadRequest(
                "Expected two replays: /compare-replays?left=...&right=...".to_owned(),
            )),
        }
    })
    .await
}

fn view_of(wishes: Wishes) -> Result<View, Refusal> {
    View::parse(wishes_of(wishes)?.get("eye").map(String::as_str))
}

async fn film(State(app): State<Arc<App>>, id: Id, wishes: Wishes, request: HeaderMap) -> Answer {
    let view = view_of(wishes)?;
    let (stamp, piece) = app.studio.make(id_of(id)?, Work::Film(view)).await?;
    let Piece::Film(film) = &*piece else { return Err(Refusal::NoPage) };
    let (kind, cache) = ("application/x-ndjson; charset=utf-8", CachePolicy::Checked);
    Ok(Plain { kind, cache, tag: Some(&stamp.tag()), request: &request }.packed(film))
}

async fn explanations(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    wishes: Wishes,
    request: HeaderMap,
) -> Answer {
    let view = view_of(wishes)?;
    let Path((chunk, id)) = path.map_err(|_| Refusal::NoReplay)?;
    let (stamp, piece) = app.studio.make(id, Work::Explanations(view)).await?;
    let Piece::Explanations(chunks) = &*piece else { return Err(Refusal::NoPage) };
    let chunk = chunk.parse().ok().and_then(|chunk: usize| chunks.get(chunk));
    let chunk = chunk.ok_or(Refusal::NoPage)?;
    let (kind, cache) = ("application/json; charset=utf-8", CachePolicy::Checked);
    Ok(Plain { kind, cache, tag: Some(&stamp.tag()), request: &request }.packed(chunk))
}

/// A state file that a bot was sent.
async fn sent_file(
    State(app): State<Arc<App>>,
    path: Result<Path<(usize, String, usize, String)>, PathRejection>,
    request: HeaderMap,
) -> Answer {
    let Path((step, seat, part, id)) = path.map_err(|_| Refusal::NoPage)?;
    let seat = Seat::BOTH.into_iter().find(|known| known.name() == seat).ok_or(Refusal::NoPage)?;
    let work = Work::File(FilePlace { step, seat, part });
    let (stamp, piece) = app.studio.make(id, work).await?;
    let Piece::File(text) = &*piece else { return Err(Refusal::NoPage) };
    let (kind, cache) = ("text/plain; charset=utf-8", CachePolicy::Checked);
    Ok(Plain { kind, cache, tag: Some(&stamp.tag()), request: &request }.packed(text))
}

async fn card(State(app): State<Arc<App>>, id: Id, wishes: Wishes, request: HeaderMap) -> Answer {
    let theme = match wishes_of(wishes)?.get("theme").map(String::as_str) {
        None | Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        Some(_) => {
            let expected = "theme: expected light or dark, found something else";
            return Err(Refusal::BadRequest(expected.to_owned()));
        }
    };
    still(&app, id_of(id)?, Work::Card(theme), &request).await
}

async fn still(app: &App, id: String, work: Work, request: &HeaderMap) -> Answer {
    let (stamp, piece) = app.studio.make(id, work).await?;
    let Piece::Picture(bytes) = &*piece else { return Err(Refusal::NoPage) };
    let (kind, cache) = ("image/png", CachePolicy::Checked);
    Ok(Plain { kind, cache, tag: Some(&stamp.tag()), request }.bytes(bytes.clone()))
}

async fn picture(State(app): State<Arc<App>>, id: Id, request: HeaderMap) -> Answer {
    still(&app, id_of(id)?, Work::Picture, &request).await
}

pub(crate) async fn download(State(app): State<Arc<App>>, id: Id, request: HeaderMap) -> Answer {
    let id = id_of(id)?;
    let name = file_name(&id).to_owned();
    let bytes = on_a_thread(&app, move |app| app.replays.find(&id).and_then(Found::bytes)).await?;
    let (kind, cache) = ("application/octet-stream", CachePolicy::Fresh);
    let plain = Plain { kind, cache, tag: None, request: &request };
    Ok(attached(plain.bytes(bytes), &name))
}

/// The page that needs no server, to be kept.
async fn mail(State(app): State<Arc<App>>, id: Id, request: HeaderMap) -> Answer {
    let id = id_of(id)?;
    let stem = file_name(&id).split('.').next().unwrap_or_default();
    let name = format!("{stem}.html");
    let page = on_a_thread(&app, move |app| mailed_replay(&app.replays, &id, &[])).await?;
    let (kind, cache) = ("text/html; charset=utf-8", CachePolicy::Fresh);
    Ok(attached(Plain { kind, cache, tag: None, request: &request }.bytes(page), &name))
}

fn file_name(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// To be kept in a file, not shown.
fn attached(mut response: Response, name: &str) -> Response {
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

pub(crate) type Number = Result<Path<u64>, PathRejection>;

pub(crate) fn live_match(app: &App, number: Number) -> Result<Arc<LiveMatch>, Refusal> {
    let Path(number) = number.map_err(|_| Refusal::NotLive)?;
    app.live.as_ref().and_then(|hub| hub.find(number)).ok_or(Refusal::NotLive)
}

/// What is played now.
async fn live_list(State(app): State<Arc<App>>) -> Answer {
    let hub = app.live.as_ref().ok_or(Refusal::NotLive)?;
    Ok(LiveListPage::new(&hub.list()).response())
}

/// A match that is played now; one that is over and was kept is on its own page.
async fn live_page(State(app): State<Arc<App>>, number: Number) -> Answer {
    if let (Some(hub), Ok(Path(number))) = (&app.live, &number)
        && hub.is_next(*number)
    {
        return Ok(WaitingPage.response());
    }
    let live = live_match(&app, number)?;
    match live.end().and_then(|end| end.page) {
        Some(page) => Ok(Redirect::to(&page).into_response()),
        None => Ok(LivePage::new(&live).response()),
    }
}

async fn live_events(
    State(app): State<Arc<App>>,
    Extension(lease): Extension<Lease>,
    number: Number,
    wishes: Wishes,
    request: HeaderMap,
) -> Answer {
    let last_seen = last_seen(&request, &wishes_of(wishes)?);
    let (live, place) = (live_match(&app, number)?, app.streams.place()?);
    Ok(events_of(live, last_seen, place, &lease))
}

async fn demo_of(app: &App, game: &str) -> Result<Arc<Demo>, Refusal> {
    demo(&app.demos, find(game).ok_or(Refusal::NoPage)?).await
}

async fn demo_film(State(app): State<Arc<App>>, game: Id, request: HeaderMap) -> Answer {
    let demo = demo_of(&app, &id_of(game)?).await?;
    let (kind, cache) = ("application/x-ndjson; charset=utf-8", CachePolicy::Checked);
    let tag = format!("\"{}\"", version());
    Ok(Plain { kind, cache, tag: Some(&tag), request: &request }.packed(&demo.film))
}

async fn demo_picture(
    State(app): State<Arc<App>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: HeaderMap,
) -> Answer {
    let Path((game, theme)) = path.map_err(|_| Refusal::NoPage)?;
    let demo = demo_of(&app, &game).await?;
    let picture = match theme.as_str() {
        "light" => demo.light.clone(),
        "dark" => demo.dark.clone(),
        _ => return Err(Refusal::NoPage),
    };
    let (kind, cache) = ("image/png", CachePolicy::Checked);
    let tag = format!("\"{}\"", version());
    Ok(Plain { kind, cache, tag: Some(&tag), request: &request }.bytes(picture))
}

async fn player_file(
    path: Result<Path<(String, String)>, PathRejection>,
    request: HeaderMap,
) -> Answer {
    let Path((wanted, name)) = path.map_err(|_| Refusal::NoPage)?;
    let bytes = asset(&name).filter(|_| wanted == version()).ok_or(Refusal::NoPage)?;
    let (kind, cache) = (kind_of(&name), CachePolicy::Forever);
    let response = Plain { kind, cache, tag: None, request: &request }.bytes(bytes.into_owned());
    debug_assert_eq!(response.status(), StatusCode::OK);
    Ok(response)
}
