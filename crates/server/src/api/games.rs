//! The games, with what can be chosen about them.

use axum::response::Response;
use quintain_arena::results::{ListedGame, bots_of, settings_of};
use quintain_registry::{AnyGame, GAMES, find, known_games};
use quintain_report::games::settings_json;
use serde_json::json;

use super::{ApiAnswer, answer};
use crate::app::{Id, id_of};
use crate::error::Refusal;

pub(super) async fn list() -> Response {
    let games: Vec<ListedGame> = GAMES.iter().map(|game| ListedGame::of(*game)).collect();
    answer(&json!({ "games": games }))
}

pub(super) async fn one(game: Id) -> ApiAnswer {
    let game = game_named(&id_of(game)?)?;
    let settings = settings_of(game).map_err(|error| Refusal::Unplayable(error.to_string()))?;
    Ok(answer(&settings_json(&ListedGame::of(game), &bots_of(game), &settings)))
}

pub(super) fn game_named(id: &str) -> Result<&'static dyn AnyGame, Refusal> {
    let known = known_games();
    let unknown = || Refusal::NotThere(format!("game: expected one of {known}, found `{id}`"));
    find(id).ok_or_else(unknown)
}
