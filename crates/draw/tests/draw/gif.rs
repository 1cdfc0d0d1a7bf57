//! That a film decodes to what its single pictures are.

use gif::{ColorOutput, DecodeOptions, Repeat};
use quintain_core::scene::{Film, Shape, Theme};
use quintain_draw::{DrawError, GifOptions, Sheet, gif, png};

use crate::films::{rink, rink_with_panels, sized};
use crate::gallery::gallery;
use crate::png::{colour, pixels};

/// How far a channel of all but one in two thousand pixels may be from the PNG, of 255.
const DIFFERENCE_MAX: u8 = 40;

/// How far almost all pixels may be from the PNG: what lies between are soft edges.
const USUAL_DIFFERENCE_MAX: u8 = 12;

/// Of a thousand pixels, how many may be farther away.
const UNUSUAL_PER_MILLE_MAX: usize = 20;

struct Decoded {
    /// Each whole picture, as red, green and blue.
    pictures: Vec<Vec<[u8; 3]>>,
    delays: Vec<u16>,
    repeat: Repeat,
    bytes: usize,
}

fn decoded(film: &Film, options: GifOptions) -> Decoded {
    let mut file = Vec::new();
    gif(film, options, &mut file).expect("the film can be written");
    let mut decode = DecodeOptions::new();
    decode.set_color_output(ColorOutput::RGBA);
    let mut decoder = decode.read_info(file.as_slice()).expect("the file is a GIF");
    let width = usize::from(decoder.width());
    let mut canvas = vec![[0; 3]; width * usize::from(decoder.height())];
    let mut decoded =
        Decoded { pictures: Vec::new(), delays: Vec::new(), repeat: decoder.repeat(), bytes: 0 };
    while let Some(frame) = decoder.read_next_frame().expect("the frame is whole") {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            if pixel[3] == 255 {
                canvas[(top + y) * width + left + x] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        decoded.delays.push(frame.delay);
        decoded.pictures.push(canvas.clone());
    }
    Decoded { bytes: file.len(), ..decoded }
}

#[test]
fn a_film_loops_for_ever_and_holds_its_last_frame() {
    let sheet = sized(200, 150);
    let options = GifOptions { sheet, delay_ms: 250, last_delay_ms: 3000, ..GifOptions::default() };
    let decoded = decoded(&rink(["Ann", "Bob"], 9), options);
    assert_eq!(decoded.repeat, Repeat::Infinite);
    assert_eq!(decoded.delays, [25, 25, 25, 25, 25, 25, 25, 25, 25, 300]);
}

#[test]
fn frames_are_the_pictures_in_the_colours_of_the_palette() {
    let dark = Sheet { theme: Theme::Dark, ..Sheet::default() };
    for (film, sheet) in [
        (rink(["Ann", "Bob"], 12), Sheet::default()),
        (rink_with_panels(6), dark),
        (faded(rink(["Ann", "Bob"], 6)), Sheet::default()),
        (gallery(96.0, 50.0, 30), Sheet::default()),
        (gallery(60.0, 60.0, 8), dark),
        (gallery(60.0, 60.0, 8), Sheet { width: 400, ..dark }),
    ] {
        let decoded = decoded(&film, GifOptions { sheet, ..GifOptions::default() });
        assert_eq!(decoded.pictures.len(), film.frames.len());
        // All frames are painted over each other, so that the last of them tells of the others.
        let last = film.frames.len() - 1;
        for frame in [0, 1, last / 2, last] {
            let picture = &decoded.pictures[frame];
            let file = png(&film, frame, sheet).expect("the frame can be painted");
            let expected = pixels(&file);
            let (mut unusual, mut far) = (0, 0);
            for (index, &found) in picture.iter().enumerate() {
                let (x, y) = (index as u32 % expected.width(), index as u32 / expected.width());
                let wanted = colour(&expected, x, y);
                let distance = (0..3).map(|i| wanted[i].abs_diff(found[i])).max();
                unusual += usize::from(distance > Some(USUAL_DIFFERENCE_MAX));
                far += usize::from(distance > Some(DIFFERENCE_MAX));
            }
            let title = film.title;
            let unusual_max = picture.len() * UNUSUAL_PER_MILLE_MAX / 1000;
            assert!(unusual <= unusual_max, "{title} {frame}: {unusual} pixels differ");
            assert!(far * 2000 <= picture.len(), "{title} {frame}: {far} pixels differ much");
        }
    }
}

#[test]
fn the_colours_of_the_seats_are_exact_whatever_else_is_in_the_film() {
    let film = gallery(96.0, 50.0, 5);
    let sheet = Sheet { width: 1400, ..Sheet::default() };
    let decoded = decoded(&film, GifOptions { sheet, ..GifOptions::default() });
    for picture in &decoded.pictures {
        assert_eq!(picture[50 * 1400 + 3], [0x1f, 0x5f, 0xd0]);
        assert_eq!(picture[50 * 1400 + 1398], [0xe2, 0x5a, 0x0c]);
    }
}

#[test]
fn the_same_film_gives_the_same_bytes() {
    let film = gallery(96.0, 50.0, 6);
    let write = || {
        let mut file = Vec::new();
        gif(&film, GifOptions::default(), &mut file).expect("the film can be written");
        file
    };
    assert!(write() == write());
}

#[test]
fn a_range_of_frames_is_that_part_of_the_film() {
    let film = gallery(96.0, 50.0, 9);
    let part = decoded(&film, GifOptions { frames: (3, 5), ..GifOptions::default() });
    assert_eq!(part.pictures.len(), 3);
    let beyond = decoded(&film, GifOptions { frames: (8, 99), ..GifOptions::default() });
    assert_eq!(beyond.pictures.len(), 2);
}

#[test]
fn a_frame_costs_what_changed() {
    let bytes = |throws| decoded(&rink(["Ann", "Bob"], throws), GifOptions::default()).bytes;
    let start = bytes(0);
    let per_frame = (bytes(20) - start) / 20;
    assert!(per_frame * 4 < start, "{per_frame} bytes a frame after {start} for the first");
}

#[test]
fn frames_without_change_keep_their_time() {
    let mut film = rink(["Ann", "Bob"], 1);
    film.ending.clear();
    film.frames = vec![film.frames[0].clone(); 4];
    // The bar at the bottom would move; a sheet one pixel high has none of it.
    let sheet = sized(40, 1);
    let decoded = decoded(&film, GifOptions { sheet, ..GifOptions::default() });
    assert_eq!(decoded.pictures.len(), 4);
}

#[test]
fn a_film_without_frames_is_refused() {
    let film = Film { frames: Vec::new(), ..rink(["Ann", "Bob"], 0) };
    let refused = gif(&film, GifOptions::default(), Vec::new());
    assert!(matches!(refused, Err(DrawError::Empty)));
}

/// The film with every shape of the scenes half seen through.
fn faded(mut film: Film) -> Film {
    let fade = |shape: &mut Shape| shape.style.opacity = 0.35;
    film.frames.iter_mut().for_each(|frame| frame.scene.shapes.iter_mut().for_each(fade));
    film
}
