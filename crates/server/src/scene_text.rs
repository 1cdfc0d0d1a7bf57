//! One position of a match as data, as `schemas/scene.json` says it.

use quintain_core::PerSeat;
use quintain_core::scene::{Eye, Film, Mark, Scene, Stage};
use serde::Serialize;

use crate::error::Refusal;
use crate::film_text::marks_seen_by;

/// A frame with all that is needed to draw it.
#[derive(Serialize)]
struct WholeScene<'a> {
    title: &'static str,
    turn_name: &'static str,
    names: &'a PerSeat<String>,
    frame: usize,
    frames: usize,
    turn: u32,
    stage: &'a Stage,
    scene: &'a Scene,
    marks: Vec<&'a Mark>,
    notes: &'a [String],
}

/// The last frame in which no more turns than these are completed, as the player finds it. What happened is told to
/// whoever may see everything.
pub(crate) fn scene_text(film: &Film, eye: Eye, turn: u32) -> Result<Vec<u8>, Refusal> {
    let last = film.frames.last().map_or(0, |frame| frame.turn);
    let number = film.frames.iter().rposition(|frame| frame.turn <= turn && turn <= last);
    let number = number.ok_or_else(|| {
        Refusal::NotThere(format!("turn: expected a number from 0 to {last}, found {turn}"))
    })?;
    let frame = &film.frames[number];
    let whole = WholeScene {
        title: film.title,
        turn_name: film.turn_name,
        names: &film.names,
        frame: number,
        frames: film.frames.len(),
        turn: frame.turn,
        stage: &film.stage,
        scene: &frame.scene,
        marks: marks_seen_by(eye, frame).collect(),
        notes: if eye == Eye::All { &frame.notes } else { &[] },
    };
    Ok(serde_json::to_vec(&whole).expect("scenes have keys of text and finite numbers"))
}
