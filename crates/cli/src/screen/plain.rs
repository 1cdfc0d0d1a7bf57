//! A film as plain text, for pipes, files and terminals that can do no more.

use std::io::{self, Write};

use quintain_core::printable;
use quintain_core::scene::Film;
use quintain_core::{PerSeat, Seat};

/// Writes who played, what happened, the last position and the ending. A reader that goes away is
/// an error of the kind that `out` reports.
pub(crate) fn print_film(film: &Film, out: &mut impl Write) -> io::Result<()> {
    let PerSeat([first, second]) = PerSeat::from_fn(|seat: Seat| printable(&film.names[seat]));
    writeln!(out, "{}: {first} against {second}", film.title)?;
    writeln!(out)?;
    let turn_last = film.frames.last().map_or(0, |frame| frame.turn);
    let digits = turn_last.to_string().len();
    for frame in &film.frames {
        for note in &frame.notes {
            writeln!(out, "{:>digits$}  {}", frame.turn, printable(note))?;
        }
    }
    if let Some(frame) = film.frames.last() {
        let position = frame.text.plain();
        if !position.is_empty() {
            writeln!(out)?;
        }
        for line in position.lines() {
            writeln!(out, "{}", printable(line))?;
        }
    }
    if !film.ending.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", printable(&film.ending))?;
    }
    Ok(())
}
