//! A film as plain text, for pipes, files and terminals that can do no more.

use std::io::{self, Write};

use quintain_core::printable;
use quintain_core::scene::{Film, Frame};
use quintain_core::{PerSeat, Seat};

/// Writes who played, what happened, the last position and the ending.
///
/// # Errors
/// Those of `out`: a reader that goes away is one.
pub fn print_film(film: &Film, out: &mut impl Write) -> io::Result<()> {
    let PerSeat([first, second]) = PerSeat::from_fn(|seat: Seat| printable(&film.names[seat]));
    writeln!(out, "{}: {first} against {second}", film.title)?;
    writeln!(out)?;
    let turn_last = film.frames.last().map_or(0, |frame| frame.turn);
    let digits = turn_last.to_string().len();
    for frame in &film.frames {
        print_notes(frame, digits, out)?;
    }
    if let Some(frame) = film.frames.last() {
        print_position(frame, out)?;
    }
    if !film.ending.is_empty() {
        writeln!(out)?;
        writeln!(out, "{}", printable(&film.ending))?;
    }
    Ok(())
}

/// What happened, with the turn in so many digits.
pub(crate) fn print_notes(frame: &Frame, digits: usize, out: &mut impl Write) -> io::Result<()> {
    for note in &frame.notes {
        writeln!(out, "{:>digits$}  {}", frame.turn, printable(note))?;
    }
    Ok(())
}

pub(crate) fn print_position(frame: &Frame, out: &mut impl Write) -> io::Result<()> {
    let position = frame.text.plain();
    if !position.is_empty() {
        writeln!(out)?;
    }
    for line in position.lines() {
        writeln!(out, "{}", printable(line))?;
    }
    Ok(())
}
