//! Which shade an ink has on a light sheet.
//!
//! The seats are green and red as the contests' own pictures have them, in shades that people with
//! any usual kind of colour blindness can tell apart: a bluish green and a vermilion.

use quintain_core::scene::{Colour, Ink};

/// Texts of second rank: units, counters, names of figures.
pub(crate) const MUTED: Colour = rgb(0x62, 0x6d, 0x7a);

const FIRST: Colour = rgb(0x00, 0x96, 0x6d);
const SECOND: Colour = rgb(0xd6, 0x49, 0x1a);
const GROUND: Colour = rgb(0xf4, 0xf6, 0xf8);
const FIELD: Colour = rgb(0xff, 0xff, 0xff);
const FAINT: Colour = rgb(0xd9, 0xdf, 0xe6);
const WALL: Colour = rgb(0x3d, 0x48, 0x57);
const TEXT: Colour = rgb(0x1d, 0x25, 0x30);
const ACCENT: Colour = rgb(0x25, 0x63, 0xc9);

/// The inks that every stage has.
pub(crate) const COMMON_INKS: [Ink; 8] = [
    Ink::Ground,
    Ink::Field,
    Ink::First,
    Ink::Second,
    Ink::Text,
    Ink::Wall,
    Ink::Faint,
    Ink::Accent,
];

/// The shade of an ink. A number beyond the stage's own palette is drawn like text, so that a
/// game's slip stays visible without spoiling the picture.
pub(crate) fn shade(ink: Ink, own: &[Colour]) -> Colour {
    match ink {
        Ink::First => FIRST,
        Ink::Second => SECOND,
        Ink::Ground => GROUND,
        Ink::Field => FIELD,
        Ink::Faint => FAINT,
        Ink::Wall => WALL,
        Ink::Text => TEXT,
        Ink::Accent => ACCENT,
        Ink::Own(number) => own.get(usize::from(number)).copied().unwrap_or(TEXT),
    }
}

/// A colour as SVG writes it.
pub(crate) fn hex(colour: Colour) -> String {
    format!("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue)
}

const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
    Colour { red, green, blue }
}
