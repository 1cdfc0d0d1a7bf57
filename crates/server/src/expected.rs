//! What the first seat could expect at every step of a match: the line on the seek bar.

use quintain_core::scene::Film;
use quintain_registry::AnyGame;
use quintain_replay::{Reader, Replay};

/// Positions that are looked at to judge one: few, since somebody waits for the film.
const NODES: u64 = 200;
/// Longer matches are shown without the line.
const STEPS_MAX: usize = 2000;

/// Before each step and after the last one, by the game's house, from -1 to 1. Nothing where the match cannot be
/// played again, which whoever makes the film tells.
pub(crate) fn expected(game: &'static dyn AnyGame, reader: &mut Reader<'static>) -> Vec<f64> {
    let mut values = Vec::new();
    if let Ok(replay) = Replay::of(reader)
        && replay.steps.len() <= STEPS_MAX
    {
        let judged = game.positions(&replay, &mut |position| values.push(position.opinion(NODES)));
        if judged.is_err() {
            values.clear();
        }
    }
    values
}

/// The same for every frame of the film.
pub(crate) fn by_frame(film: &Film, expected: &[f64]) -> Vec<f64> {
    if expected.is_empty() {
        return Vec::new();
    }
    let position = |frame: usize| film.step_of(frame).map_or(0, |step| step + 1);
    let value = |frame: usize| expected.get(position(frame)).copied().unwrap_or_default();
    (0..film.frames.len()).map(value).collect()
}
