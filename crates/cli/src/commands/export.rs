//! `quintain export`

use std::path::Path;

use anyhow::Context as _;
use quintain_core::scene::Film;
use quintain_draw::{ForeignLetters, GifOptions, Sheet};
use quintain_replay::Recording as _;

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::output::{counted, grouped, remark, shell_word};
use quintain_arena::write_whole;

pub(super) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let (mut replay, game) = super::open_replay(&args.replay)?;
    if let Some(folder) = &args.target.match_log {
        let write = game.facts().abilities.match_log.ok_or_else(|| {
            let game = game.facts().id;
            anyhow::anyhow!("{game} has no match log: its original runner wrote none")
        })?;
        write(&mut replay, folder).map_err(anyhow::Error::from)?;
        remark(format_args!("wrote the match log {}", shell_word(folder)));
    }
    let target = &args.target;
    if let Some(path) = &target.html {
        let page = quintain_server::mailed_page(&args.replay, &[]).map_err(anyhow::Error::from)?;
        write_whole(path, page.as_bytes())?;
        let size = grouped(page.len() as u64);
        remark(format_args!("wrote {}: a page of {size} bytes", shell_word(path)));
    }
    if target.png.is_none() && target.svg.is_none() && target.gif.is_none() {
        return Ok(());
    }
    replay.rewind().map_err(anyhow::Error::from)?;
    let film = game.film(&mut replay)?;
    let (width, height) = args.size;
    let sheet = Sheet { width, height, theme: args.theme };
    let size = sheet.size(&film);
    let frame = frame_of_turn(&film, args.turn)?;
    let of_turn = format!("{} {}", film.turn_name, film.frames[frame].turn);
    if let Some(path) = &args.target.png {
        write_whole(path, &quintain_draw::png(&film, frame, sheet)?)?;
        tell(path, &of_turn, size)?;
    }
    if let Some(path) = &args.target.svg {
        write_whole(path, quintain_draw::svg(&film, frame, sheet).as_bytes())?;
        tell(path, &of_turn, size)?;
    }
    if let Some(path) = &args.target.gif {
        let frames = frames_of_turns(&film, args.turns)?;
        write_gif(path, &film, GifOptions { frames, ..GifOptions::at_speed(sheet, args.speed) })?;
        let count = frames.1 - frames.0 + 1;
        tell(path, &counted(count as u64, "frame"), size)?;
    }
    if target.png.is_some() || target.gif.is_some() {
        tell_of_foreign_letters(&film);
    }
    Ok(())
}

/// No font for all scripts of the world travels with the program.
fn tell_of_foreign_letters(film: &Film) {
    let ForeignLetters { borrowed, spelled } = quintain_draw::foreign_letters(film);
    if !borrowed.is_empty() {
        let letters: String = borrowed.into_iter().collect();
        remark(format_args!(
            "these letters of the names come from a font of this machine, so that another one may draw \
             them differently: {letters}"
        ));
    }
    if !spelled.is_empty() {
        let letters: String = spelled.into_iter().collect();
        remark(format_args!(
            "in PNG and GIF these letters of the names are spelled in Latin ones, since no font here has \
             them: {letters}; --svg shows them with the fonts of the viewer"
        ));
    }
}

/// Says what was written.
fn tell(path: &Path, what: &str, (width, height): (u32, u32)) -> anyhow::Result<()> {
    let bytes = std::fs::metadata(path)?.len();
    let (path, size) = (shell_word(path), grouped(bytes));
    remark(format_args!("wrote {path}: {what}, {width} x {height}, {size} bytes"));
    Ok(())
}

fn frame_of_turn(film: &Film, turn: Option<u32>) -> Result<usize, Failure> {
    let last = film.frames.len() - 1;
    let Some(turn) = turn else { return Ok(last) };
    film.frame_of_turn(turn).ok_or_else(|| {
        let turns = film.frames[last].turn;
        Failure::usage(format!("--turn: expected a turn from 0 to {turns}, found {turn}"))
    })
}

fn frames_of_turns(film: &Film, turns: Option<(u32, u32)>) -> Result<(usize, usize), Failure> {
    let end = film.frames.len() - 1;
    let Some((from, to)) = turns else { return Ok((0, end)) };
    film.frames_of_turns(from, to).ok_or_else(|| {
        let turns = film.frames[end].turn;
        let to = if to == u32::MAX { String::new() } else { to.to_string() };
        Failure::usage(format!(
            "--turns: expected some of the turns from 0 to {turns}, found {from}..{to}"
        ))
    })
}

/// Writes a film of a match.
pub(super) fn write_gif(path: &Path, film: &Film, options: GifOptions) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    quintain_draw::gif(film, options, &mut bytes)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(write_whole(path, &bytes)?)
}
