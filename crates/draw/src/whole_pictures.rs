//! That the pictures of a film are the same pixels as if each were painted as a whole, in whole matches of
//! every game.

use gif::{ColorOutput, DecodeOptions};
use quintain_core::ConfigChoice;
use quintain_core::scene::{Film, Theme};
use quintain_registry::{AnyGame, GAMES};
use quintain_replay::Reader;

use crate::animation::{GifOptions, Reel, gif, samples};
use crate::layout::Sheet;
use crate::painter::Painter;
use crate::palette::Palette;
use crate::sheet::Compositor;

const SEED: i64 = 1;

/// A whole match of house bots.
fn shoot(game: &'static dyn AnyGame) -> Film {
    let config = game.configure(&ConfigChoice::default()).expect("a game has a usual config");
    let position = game.position(&config, SEED).expect("a seed is a match");
    let mut seated = position.seated(game.facts().quick_house_bot(), SEED).expect("house bots");
    while seated.position().outcome().is_none() {
        seated.step().expect("house bots play to the end");
    }
    let saved = seated.position().save().expect("a match can be saved");
    let mut replay = Reader::new(&saved[..]).expect("what was saved is a replay");
    game.film(&mut replay).expect("a replay is a film")
}

fn check(film: &Film, sheet: Sheet) {
    let last = film.frames.len() - 1;
    let samples = samples(0, last);
    let mut reel = Reel::new(film, sheet, &samples).expect("a film can be painted");
    let mut palette = reel.palette(&samples);
    let mut compositor = Compositor::new(film, sheet);
    let mut painter = Painter::default();

    let mut file = Vec::new();
    gif(film, GifOptions { sheet, ..GifOptions::default() }, &mut file).expect("a film is a GIF");
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(file.as_slice()).expect("the file is a GIF");
    assert!(decoder.global_palette() == Some(&palette.bytes()[..]));
    let width = usize::from(decoder.width());
    let mut seen = vec![Palette::UNCHANGED; width * usize::from(decoder.height())];

    for index in 0..=last {
        reel.show(index);
        let mut expected = crate::blank(&compositor.layout).expect("it has a size");
        painter.paint(&compositor.items(index), &mut expected);
        let is_same = expected.pixels.data() == reel.canvas.pixels.data();
        assert!(is_same, "{} {index} {sheet:?}: painted in parts it differs", film.title);
        let frame = decoder.read_next_frame().expect("a whole frame").expect("one for each turn");
        for (row, places) in frame.buffer.chunks_exact(usize::from(frame.width)).enumerate() {
            let start = (usize::from(frame.top) + row) * width + usize::from(frame.left);
            for (seen, &place) in seen[start..].iter_mut().zip(places) {
                *seen = if place == Palette::UNCHANGED { *seen } else { place };
            }
        }
        let pixels = expected.pixels.pixels().iter();
        let is_same = pixels.zip(&seen).all(|(&pixel, &seen)| palette.place(pixel) == seen);
        assert!(is_same, "{} {index} {sheet:?}: a viewer sees something else", film.title);
    }
}

/// A wide sheet in the one theme, and a narrow one in the other.
const SHEETS: [Sheet; 2] = [
    Sheet { width: 800, height: Some(600), theme: Theme::Light },
    Sheet { width: 400, height: None, theme: Theme::Dark },
];

#[test]
fn a_film_painted_in_parts_is_the_film_painted_as_a_whole() {
    std::thread::scope(|threads| {
        for game in GAMES {
            threads.spawn(|| {
                let film = shoot(*game);
                SHEETS.iter().for_each(|&sheet| check(&film, sheet));
            });
        }
    });
}
