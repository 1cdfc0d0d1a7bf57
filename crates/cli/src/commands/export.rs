//! `quintain export`

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Context as _;
use quintain_arena::open_replay;
use quintain_core::scene::Film;
use quintain_draw::{GifOptions, Sheet};
use quintain_replay::Recording as _;

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::output::{grouped, remark, shell_word};

pub(super) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let (mut replay, game) = open_replay(&args.replay)?;
    if let Some(folder) = &args.target.match_log {
        let write = game.facts().abilities.match_log.ok_or_else(|| {
            let game = game.facts().id;
            anyhow::anyhow!("{game} has no match log: its original runner wrote none")
        })?;
        write(&mut replay, folder).map_err(anyhow::Error::from)?;
        remark(format_args!("wrote the match log {}", shell_word(folder)));
    }
    let target = &args.target;
    if target.png.is_none() && target.svg.is_none() && target.gif.is_none() {
        return Ok(());
    }
    replay.rewind().map_err(anyhow::Error::from)?;
    let film = game.film(&mut replay)?;
    let (width, height) = args.size;
    let sheet = Sheet { width, height };
    let frame = frame_of_turn(&film, args.turn)?;
    let of_turn = format!("{} {}", film.turn_name, film.frames[frame].turn);
    if let Some(path) = &args.target.png {
        write_whole(path, &quintain_draw::png(&film, frame, sheet)?)?;
        tell(path, &of_turn, sheet)?;
    }
    if let Some(path) = &args.target.svg {
        write_whole(path, quintain_draw::svg(&film, frame, sheet).as_bytes())?;
        tell(path, &of_turn, sheet)?;
    }
    if let Some(path) = &args.target.gif {
        write_gif(path, &film, sheet)?;
        tell(path, &format!("{} frames", film.frames.len()), sheet)?;
    }
    if target.png.is_some() || target.gif.is_some() {
        tell_of_boxes(&film);
    }
    Ok(())
}

/// No font for all scripts of the world travels with the program.
fn tell_of_boxes(film: &Film) {
    let missing = quintain_draw::missing_letters(film);
    if !missing.is_empty() {
        let letters: String = missing.into_iter().collect();
        remark(format_args!(
            "in PNG and GIF these letters of the names are boxes: {letters}; --svg shows them with \
             the fonts of the viewer"
        ));
    }
}

/// Says what was written.
fn tell(path: &Path, what: &str, sheet: Sheet) -> anyhow::Result<()> {
    let bytes = std::fs::metadata(path)?.len();
    let Sheet { width, height } = sheet;
    let (path, size) = (shell_word(path), grouped(bytes));
    remark(format_args!("wrote {path}: {what}, {width} x {height}, {size} bytes"));
    Ok(())
}

/// The last frame of that turn: a rejected move leaves the turn where it was.
fn frame_of_turn(film: &Film, turn: Option<u32>) -> Result<usize, Failure> {
    let last = film.frames.len() - 1;
    let Some(turn) = turn else { return Ok(last) };
    let found = film.frames.iter().rposition(|frame| frame.turn == turn);
    found.ok_or_else(|| {
        let turns = film.frames[last].turn;
        Failure::usage(format!("--turn: expected a turn from 0 to {turns}, found {turn}"))
    })
}

fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a film of a match.
pub(super) fn write_gif(path: &Path, film: &Film, sheet: Sheet) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(context)?);
    let options = GifOptions { sheet, ..GifOptions::default() };
    quintain_draw::gif(film, options, &mut file).with_context(context)?;
    file.flush().with_context(context)
}
