//! Colours: by meaning, and those that a stage has of its own.

use serde::{Serialize, Serializer};

use crate::Seat;

/// A colour by its meaning. Renderers choose the shade, dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ink {
    /// The colour of the first seat.
    First,
    /// The colour of the second seat.
    Second,
    /// The sheet on which everything is drawn.
    Ground,
    /// The playing field.
    Field,
    /// Grid lines and other helps.
    Faint,
    /// Walls, rims, obstacles.
    Wall,
    /// Text and outlines.
    Text,
    /// Text that is read second.
    Muted,
    /// What happened in this turn.
    Accent,
    /// What somebody lost, and faults.
    Loss,
    /// Within a symbol: the ink that the shape which shows it is filled with.
    Tint,
    /// A paint of the stage's palette.
    Own(u8),
    /// This very colour, the same in light and dark: what a bot asked for.
    Exact(Colour),
}

impl Ink {
    pub const fn of(seat: Seat) -> Ink {
        match seat {
            Seat::First => Ink::First,
            Seat::Second => Ink::Second,
        }
    }
}

/// Whether a picture is for a light or a dark room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    /// From 0, which is invisible, to 255.
    pub alpha: u8,
}

impl Colour {
    /// An opaque one, from `0xRRGGBB`.
    pub const fn hex(code: u32) -> Colour {
        let [_, red, green, blue] = code.to_be_bytes();
        Colour { red, green, blue, alpha: 255 }
    }

    pub const fn with_alpha(self, alpha: u8) -> Colour {
        Colour { alpha, ..self }
    }
}

/// As pages and pictures write it: `#rrggbb`, with two more digits if it is not opaque.
impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Colour { red, green, blue, alpha } = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")?;
        if *alpha < 255 { write!(f, "{alpha:02x}") } else { Ok(()) }
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One place of a stage's palette: what it is in a light room and in a dark one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Paint {
    pub light: Tone,
    pub dark: Tone,
}

impl Paint {
    /// Two plain colours, from `0xRRGGBB`.
    pub const fn flat(light: u32, dark: u32) -> Paint {
        Paint { light: Tone::Flat(Colour::hex(light)), dark: Tone::Flat(Colour::hex(dark)) }
    }

    /// From one colour at the top to another at the bottom of what is painted.
    pub const fn down(light: [u32; 2], dark: [u32; 2]) -> Paint {
        Paint {
            light: Tone::Down(Colour::hex(light[0]), Colour::hex(light[1])),
            dark: Tone::Down(Colour::hex(dark[0]), Colour::hex(dark[1])),
        }
    }

    /// From one colour in the middle to another at the rim of what is painted.
    pub const fn out(light: [u32; 2], dark: [u32; 2]) -> Paint {
        Paint {
            light: Tone::Out(Colour::hex(light[0]), Colour::hex(light[1])),
            dark: Tone::Out(Colour::hex(dark[0]), Colour::hex(dark[1])),
        }
    }

    /// A light that is strongest in the middle and gone at the rim.
    pub const fn glow(light: u32, dark: u32, alpha: u8) -> Paint {
        Paint { light: glowing(light, alpha), dark: glowing(dark, alpha) }
    }

    pub const fn tone(&self, theme: Theme) -> Tone {
        match theme {
            Theme::Light => self.light,
            Theme::Dark => self.dark,
        }
    }
}

const fn glowing(code: u32, alpha: u8) -> Tone {
    let colour = Colour::hex(code);
    Tone::Out(colour.with_alpha(alpha), colour.with_alpha(0))
}

/// What a place is filled with. A gradient reaches over the box around a circle, a line, a polygon or
/// a text; over the box of the symbol that it is part of; for a path over the whole world of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    Flat(Colour),
    /// From the top to the bottom.
    Down(Colour, Colour),
    /// From the middle to the rim.
    Out(Colour, Colour),
}

impl Tone {
    /// One colour for all of it, for whoever has no gradients.
    pub const fn plain(self) -> Colour {
        match self {
            Tone::Flat(colour) | Tone::Down(colour, _) | Tone::Out(colour, _) => colour,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_written_as_pages_write_it() {
        assert_eq!(Colour::hex(0x01abff).to_string(), "#01abff");
        assert_eq!(Colour::hex(0x01abff).with_alpha(16).to_string(), "#01abff10");
    }
}
