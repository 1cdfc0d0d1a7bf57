//! Which colour an ink has on a terminal.
//!
//! Terminals are dark or light and nobody says which. So the inks are middling shades of the 256
//! colours that all of them know, legible on both, and paper is left as it is.

use quintain_core::Seat;
use quintain_core::scene::{Colour, Ink, Paint, Theme};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

/// A bluish green and a vermilion: most eyes can tell them apart.
const FIRST: Color = Color::Indexed(36);
const SECOND: Color = Color::Indexed(202);
const ACCENT: Color = Color::Indexed(33);
const WALL: Color = Color::Indexed(245);
const FAINT: Color = Color::Indexed(240);
const LOSS: Color = Color::Indexed(161);

/// Texts of second rank.
pub(crate) const MUTED: Color = WALL;

/// The colour of an ink; `None` for paper, which is not drawn.
pub(crate) fn colour(ink: Ink, own: &[Paint]) -> Option<Color> {
    match ink {
        Ink::First => Some(FIRST),
        Ink::Second => Some(SECOND),
        Ink::Ground | Ink::Field => None,
        Ink::Faint => Some(FAINT),
        Ink::Wall | Ink::Muted => Some(WALL),
        Ink::Text | Ink::Tint => Some(Color::Reset),
        Ink::Loss => Some(LOSS),
        Ink::Accent => Some(ACCENT),
        Ink::Exact(colour) => Some(nearest(colour)),
        Ink::Own(number) => {
            let paint = own.get(usize::from(number));
            Some(paint.map_or(Color::Reset, |paint| nearest(paint.tone(Theme::Light).plain())))
        }
    }
}

pub(crate) fn of_seat(seat: Seat) -> Color {
    match seat {
        Seat::First => FIRST,
        Seat::Second => SECOND,
    }
}

/// Something small and round, and the same of the second seat: for eyes and terminals without colours.
pub(crate) const BALL: &str = "●";
pub(crate) const RING: &str = "○";

/// The sign before a name.
pub(crate) fn sign(seat: Seat) -> &'static str {
    match seat {
        Seat::First => BALL,
        Seat::Second => RING,
    }
}

/// Where colours are not wanted, what is the first seat's is bold and what is the second's underlined.
pub(crate) fn mark_teams(buffer: &mut Buffer) {
    if std::env::var_os("NO_COLOR").is_none_or(|wish| wish.is_empty()) {
        return;
    }
    for cell in &mut buffer.content {
        for (colour, modifier) in [(FIRST, Modifier::BOLD), (SECOND, Modifier::UNDERLINED)] {
            if cell.fg == colour || cell.bg == colour {
                cell.modifier |= modifier;
            }
        }
        // What the library prints for a colour that is not wanted would take bold and underlined back.
        (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
    }
}

/// The nearest of the 216 colours of the terminal's cube, which starts at number 16.
fn nearest(colour: Colour) -> Color {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |channel: u8| {
        let distance = |&level: &u8| LEVELS[usize::from(level)].abs_diff(channel);
        (0..6).min_by_key(distance).unwrap_or(0)
    };
    Color::Indexed(16 + 36 * level(colour.red) + 6 * level(colour.green) + level(colour.blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_colours_become_the_nearest_of_the_cube() {
        let own = |code| colour(Ink::Own(0), &[Paint::flat(code, 0)]);
        assert_eq!(own(0x000000), Some(Color::Indexed(16)));
        assert_eq!(own(0xFFFAFF), Some(Color::Indexed(231)));
        assert_eq!(own(0xFF5F0A), Some(Color::Indexed(202)));
        assert_eq!(colour(Ink::Own(7), &[]), Some(Color::Reset));
    }
}
