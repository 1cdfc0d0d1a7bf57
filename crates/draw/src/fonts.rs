//! The fonts that travel with the crate, and how wide their letters are.

use std::sync::{Arc, LazyLock};

use quintain_core::scene::Film;
use resvg::usvg::fontdb;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

pub(crate) const FAMILY: &str = "Noto Sans";

const REGULAR: &[u8] = include_bytes!("../assets/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../assets/NotoSans-Bold.ttf");

/// Half the height of a capital letter, as a share of the size: how far below the middle of the
/// letters their base line lies.
pub(crate) const HALF_CAPITAL: f64 = 0.357;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// The fonts as the painter wants them. No font of the machine is ever added.
pub(crate) fn database() -> Arc<fontdb::Database> {
    static DATABASE: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut database = fontdb::Database::new();
        database.load_font_data(REGULAR.to_vec());
        database.load_font_data(BOLD.to_vec());
        database.set_sans_serif_family(FAMILY);
        Arc::new(database)
    });
    Arc::clone(&DATABASE)
}

/// How wide one letter is at size 1. A letter that the font lacks is as wide as its box.
pub(crate) fn advance(letter: char, weight: Weight) -> f64 {
    let font = match weight {
        Weight::Regular => &*REGULAR_FONT,
        Weight::Bold => &*BOLD_FONT,
    };
    let glyph = font.charmap().map(letter).unwrap_or_default();
    let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
    f64::from(metrics.advance_width(glyph).unwrap_or(1.0))
}

/// The letters of a film's names that PNG and GIF show as boxes, since the fonts of this crate have
/// Latin, Greek and Cyrillic letters only. A viewer of an SVG has more.
pub fn missing_letters(film: &Film) -> Vec<char> {
    let letters = film.names.iter().flat_map(|(_, name)| name.chars());
    let mut missing: Vec<char> =
        letters.filter(|letter| REGULAR_FONT.charmap().map(*letter).is_none()).collect();
    missing.sort_unstable();
    missing.dedup();
    missing
}

static REGULAR_FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| parsed(REGULAR));
static BOLD_FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| parsed(BOLD));

fn parsed(data: &'static [u8]) -> FontRef<'static> {
    FontRef::new(data).expect("the fonts of this crate are well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_are_in_one_family() {
        let database = database();
        let families: Vec<_> = database.faces().map(|face| face.families[0].0.as_str()).collect();
        assert_eq!(families, [FAMILY, FAMILY]);
        let weights: Vec<_> = database.faces().map(|face| face.weight.0).collect();
        assert_eq!(weights, [400, 700]);
    }

    #[test]
    fn letters_signs_and_missing_letters_have_a_width() {
        for letter in ['W', 'é', 'Ž', 'Ω', 'Я', '→', '●', '…', '\u{fffd}', '漢', '🤖']
        {
            for weight in [Weight::Regular, Weight::Bold] {
                let width = advance(letter, weight);
                assert!(width > 0.1 && width < 1.5, "{letter} is {width} wide");
            }
        }
        assert!(advance('i', Weight::Regular) < advance('W', Weight::Regular));
    }
}
