//! The addresses below `/play`.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::{FormRejection, PathRejection, QueryRejection, StringRejection};
use axum::extract::{DefaultBodyLimit, Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use quintain_core::Seat;
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::news::{Known, Newsreel, address_of};
use super::stage;
use super::wish::game_named;
use super::{People, Room, Wish};
use crate::app::site_of;
use crate::error::Refusal;
use crate::limits::{NEWS_TIME_MAX, SENT_BYTES_MAX};
use crate::page::{CachePolicy, Page as _, Plain};
use crate::pages::{ChoosePage, JoinPage, PlayPage, SetupPage};

type Answer = Result<Response, Refusal>;
type Word = Result<Path<String>, PathRejection>;
type Fields = Result<Form<HashMap<String, String>>, FormRejection>;
type Wishes = Result<Query<HashMap<String, String>>, QueryRejection>;
type Text = Result<String, StringRejection>;

pub(crate) fn router(people: Arc<People>) -> Router {
    Router::new()
        .route("/play", get(choose))
        .route("/play/{game}", get(setup).post(begin))
        .route("/play/at/{token}", get(page))
        .route("/play/at/{token}/join", post(join))
        .route("/play/at/{token}/news", get(news))
        .route("/play/at/{token}/offers", get(offers))
        .route("/play/at/{token}/answer", post(answer))
        .route("/play/at/{token}/back", post(take_back))
        .route("/play/at/{token}/resign", post(resign))
        .route("/play/at/{token}/again", post(again))
        .with_state(people)
        .layer(DefaultBodyLimit::max(SENT_BYTES_MAX))
}

async fn choose(State(people): State<Arc<People>>) -> Answer {
    people.folder()?;
    Ok(ChoosePage::new().response())
}

async fn setup(State(people): State<Arc<People>>, game: Word) -> Answer {
    people.folder()?;
    let needs_token = people.permission.needs_token();
    Ok(SetupPage::new(game_named(&word(game)?)?, needs_token).response())
}

fn word(word: Word) -> Result<String, Refusal> {
    word.map(|Path(word)| word).map_err(|_| Refusal::NoPage)
}

fn unreadable<E>(_: E) -> Refusal {
    Refusal::BadRequest("What was sent cannot be read.".to_owned())
}

async fn begin(State(people): State<Arc<People>>, game: Word, fields: Fields) -> Answer {
    people.folder()?;
    let Form(fields) = fields.map_err(unreadable)?;
    people.permission.check(fields.get("token").cloned()).await?;
    let room = people.begin(Wish::read(game_named(&word(game)?)?, &fields)?)?;
    Ok(see(&room, room.wish.seat))
}

/// Sends the browser to the page of a seat.
fn see(room: &Room, seat: Seat) -> Response {
    let token = room.token_of(seat).unwrap_or_default();
    Redirect::to(&address_of(token)).into_response()
}

async fn page(State(people): State<Arc<People>>, token: Word, headers: HeaderMap) -> Answer {
    let token = word(token)?;
    let (room, seat) = people.find(&token)?;
    if room.is_invited(seat) {
        return Ok(JoinPage::new(&room, &token).response());
    }
    let invitation = room.token_of(seat.other());
    let invitation = invitation.map(|token| format!("{}{}", site_of(&headers), address_of(token)));
    Ok(PlayPage::new(&room, seat, &token, invitation).response())
}

async fn join(State(people): State<Arc<People>>, token: Word, fields: Fields) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    let Form(fields) = fields.map_err(unreadable)?;
    room.join(seat, fields.get("name").map_or("", String::as_str))?;
    stage::play(&room);
    Ok(see(&room, seat))
}

/// What is new to a page; it waits for it.
async fn news(
    State(people): State<Arc<People>>,
    token: Word,
    wishes: Wishes,
    request: HeaderMap,
) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    let known = Known::read(&wishes.map(|Query(wishes)| wishes).map_err(unreadable)?);
    let mut changed = room.subscribe();
    let place = room.listen(seat);
    let until = Instant::now() + NEWS_TIME_MAX;
    let news = loop {
        if let Some(news) = room.news(seat, &known) {
            break news;
        }
        let has_place = place.is_some();
        if !has_place || !matches!(timeout_at(until, changed.changed()).await, Ok(Ok(()))) {
            break Newsreel::none();
        }
    };
    let (kind, cache) = ("application/x-ndjson; charset=utf-8", CachePolicy::Fresh);
    Ok(Plain { kind, cache, tag: None, request: &request }.bytes(news.0))
}

/// What a person may go on with.
async fn offers(
    State(people): State<Arc<People>>,
    token: Word,
    wishes: Wishes,
    request: HeaderMap,
) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    let Query(wishes) = wishes.map_err(unreadable)?;
    let chosen = wishes.get("chosen").map_or("", String::as_str);
    Ok(plain(&json!(room.offers(seat, chosen)).to_string(), &request))
}

fn plain(text: &str, request: &HeaderMap) -> Response {
    let (kind, cache) = ("application/json; charset=utf-8", CachePolicy::Fresh);
    Plain { kind, cache, tag: None, request }.bytes(text.to_owned())
}

/// Nothing to say, or what was wrong.
fn done(result: Result<(), String>) -> Response {
    match result {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(complaint) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            (StatusCode::CONFLICT, kind, complaint).into_response()
        }
    }
}

async fn answer(State(people): State<Arc<People>>, token: Word, text: Text) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    let text = text.map_err(unreadable)?;
    Ok(done(room.answer(seat, &text)))
}

async fn take_back(State(people): State<Arc<People>>, token: Word) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    let taken = room.take_back(seat);
    if taken.is_ok() {
        // After the end nobody plays here any more.
        stage::begin(&room);
    }
    Ok(done(taken))
}

async fn resign(State(people): State<Arc<People>>, token: Word) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    Ok(done(room.resign(seat)))
}

/// The same game once more, with the seats swapped.
async fn again(State(people): State<Arc<People>>, token: Word) -> Answer {
    let (room, seat) = people.find(&word(token)?)?;
    let next = room.rematch(|| people.begin_again(&room))?;
    let token = next.token_for(&room, seat).unwrap_or_default();
    Ok(Redirect::to(&address_of(&token)).into_response())
}
