//! How fast films are made of recorded matches.

use std::process::Command;
use std::time::Instant;

use quintain_arena::open_replay;
use quintain_core::scene::Theme;
use quintain_draw::{GifOptions, Sheet, gif};
use quintain_registry::AnyGame;

use super::matches::QUICK_BOT;
use super::{Row, report_of, rules, this_program};

const TRIES: u32 = 3;
const SHEET: Sheet = Sheet { width: 800, height: Some(600), theme: Theme::Light };

/// Frames a second of a GIF of a whole match, on one core.
pub(super) fn frames_per_second(game: &dyn AnyGame) -> anyhow::Result<Row> {
    let id = game.facts().id;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("match.replay.jsonl.zst");
    let bot = format!("house:{QUICK_BOT}");
    let seed = rules::SEED.to_string();
    let mut play = Command::new(this_program()?);
    play.args(["play", id, &bot, &bot, "--seed", &seed, "--json", "--replay"]).arg(&path);
    report_of(&mut play)?;
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
