//! A short film of each game, to be shown again and again: house bots play it, always the same one, when it is
//! first wanted.

use std::sync::Arc;

use axum::body::Bytes;
use quintain_core::ConfigChoice;
use quintain_core::scene::{Eye, Film, Theme};
use quintain_draw::{Sheet, stage_png};
use quintain_registry::AnyGame;
use quintain_replay::Reader;

use crate::cache::{Cache, Weighed};
use crate::error::Refusal;
use crate::film_text::film_text;
use crate::packed::Packed;
use crate::studio::CARD;

/// The match is always the same.
const SEED: i64 = 7;
/// How much of a match is played at most, and how much of it is shown.
const STEPS_MAX: usize = 120;
const FRAMES: usize = 48;

/// What is shown of a game.
pub(crate) struct Demo {
    pub(crate) film: Packed,
    /// The middle of it, for whoever wants no motion.
    pub(crate) light: Bytes,
    pub(crate) dark: Bytes,
}

impl Weighed for Demo {
    fn bytes(&self) -> usize {
        self.film.len() + self.light.len() + self.dark.len()
    }
}

pub(crate) type Demos = Arc<Cache<&'static str, Demo>>;

/// The film of a game, made now or before.
pub(crate) async fn demo(demos: &Demos, game: &'static dyn AnyGame) -> Result<Arc<Demo>, Refusal> {
    demos.get(game.facts().id, move || make(game)).await
}

fn make(game: &'static dyn AnyGame) -> Result<Demo, Refusal> {
    let film = shoot(game)?;
    let still = |theme| {
        let sheet = Sheet { width: CARD.0, height: Some(CARD.1), theme };
        stage_png(&film, film.frames.len() / 2, sheet)
    };
    let (light, dark) = (still(Theme::Light)?.into(), still(Theme::Dark)?.into());
    Ok(Demo { light, dark, film: Packed::new(&film_text(film, Eye::All, &[])) })
}

/// The middle of a match: its beginning is quiet.
fn shoot(game: &'static dyn AnyGame) -> Result<Film, Refusal> {
    let unplayable = |error: &dyn std::fmt::Display| Refusal::Unplayable(error.to_string());
    let config = game.configure(&ConfigChoice::default()).map_err(|error| unplayable(&error))?;
    let position = game.position(&config, SEED).map_err(|error| unplayable(&error))?;
    let bot = game.facts().quick_house_bot();
    let mut seated = position.seated(bot, SEED).ok_or(Refusal::NoPage)?;
    for _ in 0..STEPS_MAX {
        if seated.position().outcome().is_some() || seated.step().is_err() {
            break;
        }
    }
    let saved = seated.position().save().map_err(|error| unplayable(&error))?;
    let mut film = game.film(&mut Reader::new(&saved[..])?)?;
    let first = film.frames.len().saturating_sub(FRAMES) / 2;
    film.frames.truncate(first + FRAMES);
    film.frames.drain(..first);
    Ok(film)
}

#[cfg(test)]
mod tests {
    use quintain_registry::GAMES;

    use super::*;

    #[test]
    fn every_game_has_a_film_to_show_and_it_is_always_the_same() {
        for game in GAMES {
            let [one, other] = [(), ()].map(|()| shoot(*game).expect("house bots play"));
            assert_eq!(one, other, "{}", game.facts().id);
            assert!(one.frames.len() > 20, "{}: {}", game.facts().id, one.frames.len());
        }
    }
}
