//! Matches between house bots: what begins one, and what is told of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use quintain_arena::plan::GameRules;
use quintain_core::Edition;
use serde::Deserialize;
use serde_json::{Value, json};

use super::games::game_named;
use super::{ApiAnswer, PREFIX, answer};
use crate::app::{App, Id, id_of};
use crate::error::Refusal;
use crate::house_matches::{HouseMatch, HouseWish, Phase};
use crate::limits::SENT_BYTES_MAX;

/// What is sent, as the document says it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    game: String,
    bots: [String; 2],
    seed: Option<i64>,
    edition: Option<Edition>,
    league: Option<u8>,
    #[serde(default)]
    set: BTreeMap<String, Value>,
}

impl Sent {
    fn read(headers: &HeaderMap, body: Result<Bytes, BytesRejection>) -> Result<Sent, Refusal> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::OtherKind(kind.to_owned()));
        }
        let body = body.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLong(SENT_BYTES_MAX),
            _ => Refusal::BadRequest("The request was cut off.".to_owned()),
        })?;
        let unreadable =
            |error| Refusal::BadRequest(format!("The request cannot be read: {error}"));
        serde_json::from_slice(&body).map_err(unreadable)
    }

    fn wish(self) -> Result<HouseWish, Refusal> {
        let game =
            game_named(&self.game).map_err(|unknown| Refusal::BadRequest(unknown.to_string()))?;
        for bot in &self.bots {
            check_bot(game.facts().house_bots.iter().map(|bot| bot.name), plain_name(bot))?;
        }
        Ok(HouseWish {
            game,
            bots: self.bots.map(|bot| plain_name(&bot).to_owned()),
            rules: GameRules {
                edition: self.edition.unwrap_or_default(),
                league: self.league,
                set: self.set.into_iter().collect(),
                ..GameRules::default()
            },
            seed: self.seed,
        })
    }
}

fn plain_name(bot: &str) -> &str {
    bot.strip_prefix("house:").unwrap_or(bot)
}

fn check_bot(known: impl Iterator<Item = &'static str>, found: &str) -> Result<(), Refusal> {
    let known: Vec<&str> = known.collect();
    let wrong = || format!("bots: expected some of {}, found `{found}`", known.join(", "));
    if known.contains(&found) { Ok(()) } else { Err(Refusal::BadRequest(wrong())) }
}

pub(super) async fn begin(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> ApiAnswer {
    app.permission.check_headers(&headers).await?;
    if app.is_playing {
        return Err(Refusal::Forbidden(
            "A run is played here, which nothing shall disturb: ask a server that only shows.",
        )
        .into());
    }
    let begun = app.house_matches.begin(Sent::read(&headers, body)?.wish()?)?;
    let mut response = answer(&match_data(&begun));
    *response.status_mut() = StatusCode::ACCEPTED;
    let address = format!("{PREFIX}/house-matches/{}", begun.number);
    if let Ok(address) = HeaderValue::from_str(&address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    Ok(response)
}

pub(super) async fn list(State(app): State<Arc<App>>) -> Response {
    let all: Vec<Value> = app.house_matches.list().iter().map(|one| match_data(one)).collect();
    answer(&json!({ "house_matches": all }))
}

pub(super) async fn one(State(app): State<Arc<App>>, number: Id) -> ApiAnswer {
    let number = id_of(number)?;
    let found = number.parse().ok().and_then(|number| app.house_matches.find(number));
    let nothing = || Refusal::NotThere("There is no such match, or not any more.".to_owned());
    let found = found.ok_or_else(nothing)?;
    Ok(answer(&match_data(&found)))
}

fn match_data(one: &HouseMatch) -> Value {
    let state = one.state();
    let (code, result, problem) = match &state.phase {
        Phase::Waiting => ("waiting", None, None),
        Phase::Playing => ("playing", None, None),
        Phase::Over(played) => ("over", Some(&**played), None),
        Phase::Failed(why) => ("failed", None, Some(why)),
    };
    json!({
        "number": one.number,
        "state": code,
        "game": one.game.facts().id,
        "bots": one.bots,
        "seed": one.seed(),
        "live": state.live,
        "result": result,
        "replay": result.and_then(|played| played.replay.as_ref()),
        "problem": problem,
    })
}
