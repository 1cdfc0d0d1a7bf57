//! How fast films are made of recorded matches.

use std::time::Instant;

use quintain_arena::open_replay;
use quintain_arena::plan::MatchSettings;
use quintain_core::scene::Theme;
use quintain_draw::{GifOptions, Sheet, gif};
use quintain_registry::AnyGame;

use crate::Row;
use crate::matches::QUICK_BOT;
use crate::recorded::record;

const TRIES: u32 = 3;
const SHEET: Sheet = Sheet { width: 800, height: Some(600), theme: Theme::Light };

/// Frames a second of a GIF of a whole match, on one core.
pub(crate) fn frames_per_second(game: &dyn AnyGame) -> anyhow::Result<Row> {
    let id = game.facts().id;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("match.replay.jsonl.zst");
    record(MatchSettings::of(id), QUICK_BOT, &path)?;
    let (mut replay, game) = open_replay(&path)?;
    let film = game.film(&mut replay)?;
    let mut best = 0.0_f64;
    for _ in 0..TRIES {
        let started = Instant::now();
        gif(&film, GifOptions { sheet: SHEET, ..GifOptions::default() }, std::io::sink())?;
        best = best.max(film.frames.len() as f64 / started.elapsed().as_secs_f64());
    }
    Ok(Row::plain(format!("{id}-gif"), best, "frames/s"))
}
