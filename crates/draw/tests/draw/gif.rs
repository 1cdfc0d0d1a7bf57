//! That a film decodes to what its single pictures are.

use gif::{ColorOutput, DecodeOptions, Repeat};
use quintain_core::scene::{Film, Shape};
use quintain_draw::{DrawError, GifOptions, Sheet, gif, png};

use crate::films::{rink, rink_with_panels};
use crate::png::{colour, pixels};

/// How far a channel may be from the PNG, of 255: half a step of the palette's coarse grid.
const DIFFERENCE_MAX: u8 = 43;

/// How far all but one in a thousand pixels may be from the PNG.
const USUAL_DIFFERENCE_MAX: u8 = 20;

/// Of a thousand pixels, how many may differ at all: the soft edges.
const DIFFERENT_PER_MILLE_MAX: usize = 30;

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
    let sheet = Sheet { width: 200, height: 150 };
    let options = GifOptions { sheet, delay_ms: 250, last_delay_ms: 3000 };
    let decoded = decoded(&rink(["Ann", "Bob"], 9), options);
    assert_eq!(decoded.repeat, Repeat::Infinite);
    assert_eq!(decoded.delays, [25, 25, 25, 25, 25, 25, 25, 25, 25, 300]);
}

#[test]
fn frames_are_the_pictures_in_the_colours_of_the_palette() {
    for film in [rink(["Ann", "Bob"], 12), rink_with_panels(6), faded(rink(["Ann", "Bob"], 6))] {
        let decoded = decoded(&film, GifOptions::default());
        assert_eq!(decoded.pictures.len(), film.frames.len());
        for (frame, picture) in decoded.pictures.iter().enumerate() {
            let file = png(&film, frame, Sheet::default()).expect("the frame can be painted");
            let expected = pixels(&file);
            let (mut different, mut far) = (0, 0);
            for (index, &found) in picture.iter().enumerate() {
                let (x, y) = (index as u32 % 800, index as u32 / 800);
                let wanted = colour(&expected, x, y);
                let distance = (0..3).map(|i| wanted[i].abs_diff(found[i])).max();
                let is_near = distance <= Some(DIFFERENCE_MAX);
                assert!(is_near, "frame {frame} at {x},{y}: {found:?}, expected {wanted:?}");
                different += usize::from(found != wanted);
                far += usize::from(distance > Some(USUAL_DIFFERENCE_MAX));
            }
            let different_max = picture.len() * DIFFERENT_PER_MILLE_MAX / 1000;
            assert!(different < different_max, "frame {frame}: {different} pixels differ");
            assert!(far * 1000 < picture.len(), "frame {frame}: {far} pixels differ much");
        }
    }
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
    let sheet = Sheet { width: 40, height: 1 };
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
