//! That the SVG and the pixels of a picture are the same picture: another painter paints the SVG.

use std::sync::Arc;

use quintain_core::scene::{Film, Theme};
use quintain_draw::{Sheet, png, svg};
use resvg::usvg::{self, fontdb};
use tiny_skia::Pixmap;

use crate::films::rink_with_panels;
use crate::gallery::gallery;
use crate::png::pixels;

/// Pictures are compared by the mean colours of squares of this many pixels.
const BLOCK: u32 = 8;
/// How far the mean colour of a square may be off: soft edges differ a little.
const DIFFERENCE_MAX: u32 = 14;
/// Of a thousand squares, how many may be off by more.
const DIFFERENT_PER_MILLE_MAX: usize = 4;

fn painted_by_another(document: &str) -> Pixmap {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../../assets/NotoSans-Regular.ttf").to_vec());
    fonts.load_font_data(include_bytes!("../../assets/NotoSans-Bold.ttf").to_vec());
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(document, &options).expect("the document is SVG");
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).expect("it has a size");
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels
}

/// The sums of the channels of a square.
fn block(pixels: &Pixmap, left: u32, top: u32) -> [u32; 3] {
    let places = (top..top + BLOCK).flat_map(|y| (left..left + BLOCK).map(move |x| (x, y)));
    places.filter_map(|(x, y)| pixels.pixel(x, y)).fold([0; 3], |[red, green, blue], pixel| {
        [
            red + u32::from(pixel.red()),
            green + u32::from(pixel.green()),
            blue + u32::from(pixel.blue()),
        ]
    })
}

fn check(film: &Film, sheet: Sheet) {
    for frame in [0, film.frames.len() - 1] {
        let own = pixels(&png(film, frame, sheet).expect("it can be painted"));
        let other = painted_by_another(&svg(film, frame, sheet));
        assert_eq!((own.width(), own.height()), (other.width(), other.height()));
        let blocks: Vec<_> = (0..own.height() / BLOCK)
            .flat_map(|row| {
                (0..own.width() / BLOCK).map(move |column| (column * BLOCK, row * BLOCK))
            })
            .collect();
        let is_off = |&&(x, y): &&(u32, u32)| {
            let (a, b) = (block(&own, x, y), block(&other, x, y));
            let worst = (0..3).map(|index| a[index].abs_diff(b[index])).max();
            worst > Some(DIFFERENCE_MAX * BLOCK * BLOCK)
        };
        let off: Vec<_> = blocks.iter().filter(is_off).collect();
        let off_max = blocks.len() * DIFFERENT_PER_MILLE_MAX / 1000;
        assert!(
            off.len() <= off_max,
            "{sheet:?} frame {frame}: {} squares differ: {off:?}",
            off.len()
        );
    }
}

#[test]
fn the_svg_painted_by_another_is_the_same_picture() {
    for theme in [Theme::Light, Theme::Dark] {
        for width in [1000, 400] {
            let sheet = Sheet { width, height: None, theme };
            check(&gallery(96.0, 50.0, 7), sheet);
            check(&gallery(60.0, 66.0, 7), sheet);
        }
    }
    check(&rink_with_panels(5), Sheet::default());
}
