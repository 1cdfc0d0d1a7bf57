//! The fonts that travel with the crate: how wide their letters are and how they look.

use std::collections::HashMap;
use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use tiny_skia::{Path, PathBuilder, Transform};

use crate::foreign::{borrowed, spelled};

pub(crate) const FAMILY: &str = "Noto Sans";

const REGULAR: &[u8] = include_bytes!("../assets/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../assets/NotoSans-Bold.ttf");

/// Half the height of a capital letter, as a share of the size: how far below the middle of the
/// letters their base line lies.
pub(crate) const HALF_CAPITAL: f64 = 0.357;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// A font whose letters have been looked up once.
pub(crate) struct Face {
    font: FontRef<'static>,
    glyphs: HashMap<char, Glyph>,
    /// Those of ASCII once more, by their number: almost all letters are among them.
    usual: Vec<Option<Glyph>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glyph {
    id: GlyphId,
    /// How wide it is at size 1.
    pub(crate) advance: f64,
}

impl Face {
    fn parsed(data: &'static [u8]) -> Face {
        Face::of(FontRef::new(data).expect("the fonts of this crate are well-formed"))
    }

    pub(crate) fn of(font: FontRef<'static>) -> Face {
        let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        let letters = font.charmap().mappings();
        let glyphs = letters.filter_map(|(code, id)| {
            let advance = f64::from(metrics.advance_width(id)?);
            Some((char::from_u32(code)?, Glyph { id, advance }))
        });
        let glyphs: HashMap<char, Glyph> = glyphs.collect();
        let usual = (0..128_u8).map(|code| glyphs.get(&char::from(code)).copied()).collect();
        Face { font, glyphs, usual }
    }

    pub(crate) fn glyph(&self, letter: char) -> Option<Glyph> {
        match self.usual.get(letter as usize) {
            Some(&usual) => usual,
            None => self.glyphs.get(&letter).copied(),
        }
    }

    /// How a letter looks at size 1, its base line at height 0; `None` of a blank.
    pub(crate) fn outline(&self, glyph: Glyph) -> Option<Path> {
        let mut pen = Pen(PathBuilder::new());
        let settings = DrawSettings::unhinted(Size::new(1.0), LocationRef::default());
        self.font.outline_glyphs().get(glyph.id)?.draw(settings, &mut pen).ok()?;
        pen.0.finish()
    }
}

/// Fonts count heights upwards and pictures downwards.
struct Pen(PathBuilder);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, -y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, -y);
    }

    fn quad_to(&mut self, handle_x: f32, handle_y: f32, x: f32, y: f32) {
        self.0.quad_to(handle_x, -handle_y, x, -y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, -y1, x2, -y2, x, -y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

pub(crate) fn face(weight: Weight) -> &'static Face {
    static REGULAR_FACE: LazyLock<Face> = LazyLock::new(|| Face::parsed(REGULAR));
    static BOLD_FACE: LazyLock<Face> = LazyLock::new(|| Face::parsed(BOLD));
    match weight {
        Weight::Regular => &REGULAR_FACE,
        Weight::Bold => &BOLD_FACE,
    }
}

/// How a letter is drawn at size 1: its outline, if it is not blank, and how wide it is.
pub(crate) fn drawn(letter: char, weight: Weight) -> (Option<Path>, f64) {
    let own = face(weight);
    if let Some(glyph) = own.glyph(letter) {
        return (own.outline(glyph), glyph.advance);
    }
    if let Some((face, glyph)) = borrowed(letter) {
        return (face.outline(glyph), glyph.advance);
    }
    let mut builder = PathBuilder::new();
    let mut x = 0.0;
    for glyph in spelled(letter).chars().filter_map(|letter| own.glyph(letter)) {
        let shift = Transform::from_translate(x as f32, 0.0);
        if let Some(outline) = own.outline(glyph).and_then(|outline| outline.transform(shift)) {
            builder.push_path(&outline);
        }
        x += glyph.advance;
    }
    (builder.finish(), x)
}

/// How wide one letter is at size 1.
pub(crate) fn advance(letter: char, weight: Weight) -> f64 {
    let own = face(weight);
    if let Some(glyph) = own.glyph(letter) {
        return glyph.advance;
    }
    if let Some((_, glyph)) = borrowed(letter) {
        return glyph.advance;
    }
    spelled(letter).chars().filter_map(|letter| own.glyph(letter)).map(|glyph| glyph.advance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_signs_and_foreign_letters_have_a_width_and_a_look() {
        for letter in ['W', 'é', 'Ž', 'Ω', 'Я', '→', '●', '…', '\u{fffd}', '漢', '🤖']
        {
            for weight in [Weight::Regular, Weight::Bold] {
                let (outline, width) = drawn(letter, weight);
                assert_eq!(width, advance(letter, weight));
                assert!(width > 0.1 && width < 6.0, "{letter} is {width} wide");
                assert!(outline.is_some(), "{letter} is seen");
            }
        }
        assert!(advance('i', Weight::Regular) < advance('W', Weight::Regular));
    }

    #[test]
    fn all_digits_are_as_wide_as_each_other_so_that_figures_do_not_jump() {
        for weight in [Weight::Regular, Weight::Bold] {
            let widths: Vec<_> = ('0'..='9').map(|digit| advance(digit, weight)).collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}");
        }
    }

    #[test]
    fn a_capital_letter_stands_on_its_base_line_and_is_as_high_as_said() {
        for weight in [Weight::Regular, Weight::Bold] {
            let face = face(weight);
            let outline = face.outline(face.glyph('H').expect("it is there")).expect("it is seen");
            let bounds = outline.bounds();
            assert_eq!(bounds.bottom(), 0.0);
            assert!((f64::from(-bounds.top()) - 2.0 * HALF_CAPITAL).abs() < 0.01, "{bounds:?}");
        }
        let face = face(Weight::Regular);
        assert_eq!(face.outline(face.glyph(' ').expect("it is there")), None);
    }
}
