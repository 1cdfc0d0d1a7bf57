//! Which colour an ink has, in a light room and in a dark one.
//!
//! The seats are blue and orange, which people with any usual kind of colour blindness can tell apart.
//! Letters are thinner than shapes: where a shade of a shape has too little contrast for them, they have
//! one of their own.

use quintain_core::Seat;
use quintain_core::scene::{Colour, Ink, Paint, Theme, Tone};

/// The colours of one theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Table {
    /// What the sheet itself is painted with.
    pub(crate) page: Colour,
    /// What stands on the page: the header, the figures of a seat.
    pub(crate) card: Colour,
    /// What lies lower than the page: the ground of a bar or a curve.
    pub(crate) sunk: Colour,
    /// Lines that only decorate.
    pub(crate) line: Colour,
    pub(crate) text: Colour,
    pub(crate) muted: Colour,
    faint: Colour,
    wall: Colour,
    pub(crate) gold: Colour,
    gold_letters: Colour,
    pub(crate) loss: Colour,
    seats: [Colour; 2],
    seat_letters: [Colour; 2],
}

const LIGHT: Table = Table {
    page: Colour::hex(0xf4_f2_ec),
    card: Colour::hex(0xff_ff_ff),
    sunk: Colour::hex(0xea_e7_df),
    line: Colour::hex(0xd8_d4_c9),
    text: Colour::hex(0x1a_21_30),
    muted: Colour::hex(0x58_61_73),
    faint: Colour::hex(0x8b_93_a1),
    wall: Colour::hex(0x3d_47_57),
    gold: Colour::hex(0xf2_b5_0c),
    gold_letters: Colour::hex(0x7a_56_00),
    loss: Colour::hex(0xb4_15_3a),
    seats: [Colour::hex(0x1f_5f_d0), Colour::hex(0xe2_5a_0c)],
    seat_letters: [Colour::hex(0x18_50_b4), Colour::hex(0xad_3f_05)],
};

const DARK: Table = Table {
    page: Colour::hex(0x0f_13_1a),
    card: Colour::hex(0x18_1e_29),
    sunk: Colour::hex(0x0b_0e_14),
    line: Colour::hex(0x2c_35_45),
    text: Colour::hex(0xe9_ed_f4),
    muted: Colour::hex(0xa0_ab_bc),
    faint: Colour::hex(0x6b_76_88),
    wall: Colour::hex(0x9a_a6_b8),
    gold: Colour::hex(0xff_c9_3c),
    gold_letters: Colour::hex(0xff_d8_73),
    loss: Colour::hex(0xff_7b_93),
    seats: [Colour::hex(0x5a_9b_ff), Colour::hex(0xff_8a_3c)],
    seat_letters: [Colour::hex(0x92_be_ff), Colour::hex(0xff_b1_80)],
};

impl Table {
    pub(crate) const fn of(theme: Theme) -> &'static Table {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    /// The colour of a seat's shapes.
    pub(crate) const fn seat(&self, seat: Seat) -> Colour {
        self.seats[seat.index()]
    }

    /// The colour of a seat's words.
    pub(crate) const fn seat_letters(&self, seat: Seat) -> Colour {
        self.seat_letters[seat.index()]
    }

    /// The colour of words on what happened in this turn.
    pub(crate) const fn gold_words(&self) -> Colour {
        self.gold_letters
    }

    /// Every colour that a sheet has without any game.
    pub(crate) fn all(&self) -> Vec<Colour> {
        let Table { page, card, sunk, line, text, muted, faint, wall, .. } = *self;
        let Table { gold, gold_letters, loss, seats, seat_letters, .. } = *self;
        let single = [page, card, text, muted, gold, loss, line, sunk, faint, wall, gold_letters];
        [seats, seat_letters].concat().into_iter().chain(single).collect()
    }
}

/// The colours of a stage in one theme.
#[derive(Clone, Copy)]
pub(crate) struct Shades<'a> {
    pub(crate) table: &'static Table,
    theme: Theme,
    own: &'a [Paint],
}

impl<'a> Shades<'a> {
    pub(crate) fn new(own: &'a [Paint], theme: Theme) -> Shades<'a> {
        Shades { table: Table::of(theme), theme, own }
    }

    /// What a shape of this ink is painted with. A number beyond the stage's own palette is drawn like
    /// text, so that a game's slip stays visible without spoiling the picture.
    pub(crate) fn tone(&self, ink: Ink) -> Tone {
        let table = self.table;
        Tone::Flat(match ink {
            Ink::First => table.seats[0],
            Ink::Second => table.seats[1],
            Ink::Ground => table.card,
            Ink::Field => table.page,
            Ink::Faint => table.faint,
            Ink::Wall => table.wall,
            Ink::Text | Ink::Tint => table.text,
            Ink::Muted => table.muted,
            Ink::Loss => table.loss,
            Ink::Accent => table.gold,
            Ink::Exact(colour) => colour,
            Ink::Own(number) => {
                let own = self.own.get(usize::from(number));
                return own.map_or(Tone::Flat(table.text), |paint| paint.tone(self.theme));
            }
        })
    }

    /// The lightest and the darkest colour of the sheet.
    pub(crate) fn light_and_dark(&self) -> (Colour, Colour) {
        match self.theme {
            Theme::Light => (self.table.card, self.table.text),
            Theme::Dark => (self.table.text, self.table.card),
        }
    }

    /// What letters of this ink are painted with.
    pub(crate) fn letters(&self, ink: Ink) -> Tone {
        let table = self.table;
        match ink {
            Ink::First => Tone::Flat(table.seat_letters[0]),
            Ink::Second => Tone::Flat(table.seat_letters[1]),
            Ink::Accent => Tone::Flat(table.gold_letters),
            Ink::Faint => Tone::Flat(table.muted),
            other => self.tone(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ink_has_a_colour_in_both_themes_and_an_unknown_one_is_drawn_like_text() {
        let own = [Paint::flat(1, 2)];
        for (theme, expected) in [(Theme::Light, 1), (Theme::Dark, 2)] {
            let shades = Shades::new(&own, theme);
            assert_eq!(shades.tone(Ink::Own(0)), Tone::Flat(Colour::hex(expected)));
            assert_eq!(shades.tone(Ink::Own(1)), shades.tone(Ink::Text));
            assert_ne!(shades.tone(Ink::First), shades.letters(Ink::First));
            assert_ne!(shades.tone(Ink::First), shades.tone(Ink::Second));
        }
    }
}
