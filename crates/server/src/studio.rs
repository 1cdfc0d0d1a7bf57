//! What is made of a replay: its film, its explanations, its picture.

use std::sync::Arc;

use axum::body::Bytes;
use quintain_core::scene::{Eye, Film, Theme};
use quintain_draw::Sheet;

use crate::cache::{Cache, Weighed};
use crate::error::Refusal;
use crate::expected::expected;
use crate::explain::{Detail, Explained, FilePlace, explain, file_text};
use crate::film_text::film_text;
use crate::limits::STEPS_OF_CHUNK;
use crate::packed::Packed;
use crate::scene_text::scene_text;
use crate::served_replays::{ServedReplays, Stamp};

/// What chats and networks show beside a link.
const PICTURE: Sheet = Sheet { width: 1200, height: Some(630), theme: Theme::Light };
/// What stands above the name of a game, at two pixels for one.
pub(crate) const CARD: (u32, u32) = (720, 360);

/// What can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    Film(View),
    Explanations(View),
    File(FilePlace),
    /// The position after so many turns.
    Scene(View, u32),
    Picture,
    /// The stage alone, for light rooms or dark ones.
    Card(Theme),
}

/// Who looks; [`Eye`] as part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    All,
    First,
    Second,
}

impl View {
    pub(crate) fn eye(self) -> Eye {
        match self {
            View::All => Eye::All,
            View::First => Eye::Seat(quintain_core::Seat::First),
            View::Second => Eye::Seat(quintain_core::Seat::Second),
        }
    }

    /// As addresses name it.
    pub(crate) fn parse(name: Option<&str>) -> Result<View, Refusal> {
        match name {
            None | Some("all") => Ok(View::All),
            Some("first") => Ok(View::First),
            Some("second") => Ok(View::Second),
            Some(_) => {
                let expected = "eye: expected all, first or second, found something else";
                Err(Refusal::BadRequest(expected.to_owned()))
            }
        }
    }
}

/// What was made.
pub(crate) enum Piece {
    Film(Packed),
    /// In chunks.
    Explanations(Vec<Packed>),
    File(Packed),
    Scene(Packed),
    Picture(Bytes),
}

impl Weighed for Piece {
    fn bytes(&self) -> usize {
        match self {
            Piece::Film(packed) | Piece::File(packed) | Piece::Scene(packed) => packed.len(),
            Piece::Explanations(chunks) => chunks.iter().map(Packed::len).sum(),
            Piece::Picture(bytes) => bytes.len(),
        }
    }
}

pub(crate) struct Studio {
    replays: Arc<ServedReplays>,
    made: Arc<Cache<(Stamp, Work), Piece>>,
}

impl Studio {
    pub(crate) fn new(replays: Arc<ServedReplays>) -> Studio {
        Studio { replays, made: Cache::new() }
    }

    /// Makes something of a replay, or gives what was made of it before.
    pub(crate) async fn make(
        &self,
        id: String,
        work: Work,
    ) -> Result<(Stamp, Arc<Piece>), Refusal> {
        let replays = Arc::clone(&self.replays);
        let wanted = id.clone();
        let found = tokio::task::spawn_blocking(move || replays.find(&wanted)).await;
        let stamp = found.unwrap_or(Err(Refusal::NoReplay))?.stamp;
        let replays = Arc::clone(&self.replays);
        let piece = self.made.get((stamp.clone(), work), move || make(&replays, &id, work)).await?;
        Ok((stamp, piece))
    }
}

fn make(replays: &ServedReplays, id: &str, work: Work) -> Result<Piece, Refusal> {
    let (mut replay, game) = replays.find(id)?.reader()?;
    match work {
        Work::Film(view) => {
            let film = game.film_seen_by(view.eye(), &mut replay)?;
            let expected = match view {
                View::All => expected(game, &mut replays.find(id)?.reader()?.0),
                // The house knows more than a seat is shown.
                View::First | View::Second => Vec::new(),
            };
            Ok(Piece::Film(Packed::new(&film_text(film, view.eye(), &expected))))
        }
        Work::Explanations(view) => {
            let steps = explain(game, view.eye(), Detail::FULL, &mut replay)?;
            Ok(Piece::Explanations(chunks_of(&steps)))
        }
        Work::File(place) => {
            let text = file_text(game, place, &mut replay)?.ok_or(Refusal::NoPage)?;
            Ok(Piece::File(Packed::new(text.as_bytes())))
        }
        Work::Scene(view, turn) => {
            let film = game.film_seen_by(view.eye(), &mut replay)?;
            Ok(Piece::Scene(Packed::new(&scene_text(&film, view.eye(), turn)?)))
        }
        Work::Picture => {
            let film = game.film(&mut replay)?;
            Ok(Piece::Picture(quintain_draw::png(&film, shown_frame(&film), PICTURE)?.into()))
        }
        Work::Card(theme) => {
            let film = game.film(&mut replay)?;
            let sheet = Sheet { width: CARD.0, height: Some(CARD.1), theme };
            let picture = quintain_draw::stage_png(&film, shown_frame(&film), sheet)?;
            Ok(Piece::Picture(picture.into()))
        }
    }
}

/// Towards the end there is most to see, and at the end often nobody is left.
fn shown_frame(film: &Film) -> usize {
    film.frames.len().saturating_sub(1) * 2 / 3
}

fn chunks_of(steps: &[Explained]) -> Vec<Packed> {
    let packed = |steps: &[Explained]| {
        Packed::new(&serde_json::to_vec(steps).expect("explanations have keys of text"))
    };
    steps.chunks(STEPS_OF_CHUNK).map(packed).collect()
}
