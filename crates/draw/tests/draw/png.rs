//! What the pixels of one picture are.

use quintain_core::scene::{Form, Ink, Point};
use quintain_draw::{DrawError, SHEET_SIDE_MAX, Sheet, png};
use resvg::tiny_skia::Pixmap;

use crate::films::{rink, rink_with_panels};

const FIRST: [u8; 3] = [0x00, 0x96, 0x6d];
const SECOND: [u8; 3] = [0xd6, 0x49, 0x1a];
const GROUND: [u8; 3] = [0xf4, 0xf6, 0xf8];
const FIELD: [u8; 3] = [0xff, 0xff, 0xff];

pub(crate) fn pixels(file: &[u8]) -> Pixmap {
    Pixmap::decode_png(file).expect("the file is a PNG")
}

pub(crate) fn colour(pixels: &Pixmap, x: u32, y: u32) -> [u8; 3] {
    let pixel = pixels.pixel(x, y).expect("the pixel is on the sheet").demultiply();
    assert_eq!(pixel.alpha(), 255, "sheets are opaque");
    [pixel.red(), pixel.green(), pixel.blue()]
}

#[test]
fn a_picture_has_the_size_of_its_sheet() {
    let film = rink_with_panels(2);
    for (width, height) in [(800, 600), (320, 200), (1, 1), (1920, 300), (90, 900)] {
        let picture = pixels(&png(&film, 2, Sheet { width, height }).expect("it can be painted"));
        assert_eq!((picture.width(), picture.height()), (width, height));
    }
}

#[test]
fn a_sheet_of_no_size_or_of_far_too_much_is_refused() {
    let film = rink(["Ann", "Bob"], 0);
    for (width, height) in [(0, 600), (800, 0), (SHEET_SIDE_MAX + 1, 1), (1, u32::MAX)] {
        let refused = png(&film, 0, Sheet { width, height });
        assert!(matches!(refused, Err(DrawError::Size { .. })), "{width} by {height}");
    }
}

#[test]
fn the_header_has_the_colours_of_the_seats() {
    let picture = pixels(&png(&rink(["Ann", "Bob"], 1), 0, Sheet::default()).expect("painted"));
    assert_eq!(colour(&picture, 10, 64), FIRST);
    assert_eq!(colour(&picture, 790, 64), SECOND);
    assert_eq!(colour(&picture, 10, 300), GROUND);
    let row = |from, to| (from..to).flat_map(|x| (10..52).map(move |y| (x, y)));
    let has = |wanted, from, to| row(from, to).any(|(x, y)| colour(&picture, x, y) == wanted);
    assert!(has(FIRST, 20, 120) && !has(SECOND, 20, 120), "the first name is at the left");
    assert!(has(SECOND, 680, 780) && !has(FIRST, 680, 780), "the second name is at the right");
}

#[test]
fn lines_are_where_the_scene_has_them_in_the_colour_of_their_seat() {
    let film = rink(["Ann", "Bob"], 8);
    let picture = pixels(&png(&film, 8, Sheet::default()).expect("painted"));
    let mut seen = [0, 0];
    for shape in film.frames[8].scene.shapes.iter().filter(|shape| shape.layer == 1) {
        let Form::Line { points } = &shape.form else { panic!("layer 1 has the throws") };
        let at = |share: f64| {
            let (from, to) = (points[0], points[1]);
            Point::new(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
        };
        // A throw may lie below a later one and below the puck, so that only fresh lines count.
        if film.frames[8]
            .scene
            .shapes
            .iter()
            .any(|other| other.id > shape.id && covers(other, at(0.5)))
        {
            continue;
        }
        let (x, y) = on_sheet(at(0.5));
        let (index, expected) = match shape.style.stroke {
            Some(Ink::First) => (0, FIRST),
            _ => (1, SECOND),
        };
        assert_eq!(colour(&picture, x, y), expected, "throw {} at {x},{y}", shape.id);
        seen[index] += 1;
    }
    assert!(seen[0] >= 2 && seen[1] >= 2, "both seats have lines that can be seen: {seen:?}");
    let (x, y) = on_sheet(Point::new(9.5, 0.5));
    assert_eq!(colour(&picture, x, y), FIELD);
}

/// Where the rink is on a sheet of the usual size: in the middle between header and footer.
fn on_sheet(point: Point) -> (u32, u32) {
    let scale = (600.0 - 66.0 - 48.0 - 2.0 * 8.0) / 13.0;
    let x = 400.0 + (point.x - 5.0) * scale;
    let y = 66.0 + (600.0 - 66.0 - 48.0) / 2.0 + (point.y - 5.0) * scale;
    (x as u32, y as u32)
}

fn covers(shape: &quintain_core::scene::Shape, point: Point) -> bool {
    match &shape.form {
        Form::Line { points } => {
            let middle = |a: f64, b: f64| (a + b) / 2.0;
            let (from, to) = (points[0], points[1]);
            let centre = Point::new(middle(from.x, to.x), middle(from.y, to.y));
            (centre.x - point.x).hypot(centre.y - point.y) < 0.6
        }
        Form::Circle { centre, radius } => {
            (centre.x - point.x).hypot(centre.y - point.y) < radius + 0.2
        }
        _ => false,
    }
}
