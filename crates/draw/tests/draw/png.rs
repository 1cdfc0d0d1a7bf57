//! What the pixels of one picture are.

use quintain_core::scene::{Area, Film, Form, Ink, Point, Scene, Shape, Style, Theme};
use quintain_draw::{DrawError, SHEET_SIDE_MAX, Sheet, png, stage_png, svg};
use resvg::usvg::roxmltree::Document;
use tiny_skia::Pixmap;

use crate::films::{rink, rink_with_panels, sized};
use crate::gallery::gallery;

const FIRST: [u8; 3] = [0x1f, 0x5f, 0xd0];
const SECOND: [u8; 3] = [0xe2, 0x5a, 0x0c];
const FIELD: [u8; 3] = [0xf4, 0xf2, 0xec];
const CARD: [u8; 3] = [0xff, 0xff, 0xff];
const FIRST_IN_THE_DARK: [u8; 3] = [0x5a, 0x9b, 0xff];
const CARD_IN_THE_DARK: [u8; 3] = [0x18, 0x1e, 0x29];

pub(crate) fn pixels(file: &[u8]) -> Pixmap {
    Pixmap::decode_png(file).expect("the file is a PNG")
}

pub(crate) fn colour(pixels: &Pixmap, x: u32, y: u32) -> [u8; 3] {
    let pixel = pixels.pixel(x, y).expect("the pixel is on the sheet").demultiply();
    assert_eq!(pixel.alpha(), 255, "sheets are opaque");
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// Where the stage is, as the SVG of the same sheet says: the place that it is cut to.
fn stage(film: &Film, sheet: Sheet) -> Area {
    let document = svg(film, 0, sheet);
    let tree = Document::parse(&document).expect("the document is XML");
    let mut nodes = tree.root().descendants();
    let clip = nodes.find(|node| node.has_tag_name("clipPath")).expect("the stage is cut");
    let rectangle = clip.first_element_child().expect("to a rectangle");
    let number = |name| {
        let text = rectangle.attribute(name).expect("it has a place");
        text.parse::<f64>().expect("it is a number")
    };
    Area::new(number("x"), number("y"), number("width"), number("height"))
}

/// Where a point of the world is on a sheet.
fn on_sheet(film: &Film, sheet: Sheet, point: Point) -> (u32, u32) {
    let (stage, world) = (stage(film, sheet), film.stage.world);
    let x = stage.x + (point.x - world.x) / world.width * stage.width;
    let y = stage.y + (point.y - world.y) / world.height * stage.height;
    (x as u32, y as u32)
}

#[test]
fn a_stage_alone_covers_its_sheet_whatever_the_proportions() {
    let mut film = gallery(96.0, 50.0, 2);
    let Area { x, y, width, height } = film.stage.world;
    let ground = Form::rectangle(x, y, width, height);
    film.stage.background = vec![Shape::new(1, 0, ground, Style::fill(Ink::First))];
    film.stage.narrow = None;
    film.frames.iter_mut().for_each(|frame| frame.scene = Scene::default());
    for (width, height) in [(560, 350), (300, 300), (100, 400), (900, 90)] {
        let picture = pixels(&stage_png(&film, 1, sized(width, height)).expect("it is painted"));
        assert_eq!((picture.width(), picture.height()), (width, height));
        for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width / 2, height / 2)] {
            assert_eq!(colour(&picture, x, y), FIRST, "{x} {y} of {width} by {height}");
        }
    }
}

#[test]
fn a_picture_has_the_size_of_its_sheet() {
    for film in [rink_with_panels(2), gallery(96.0, 50.0, 2)] {
        for (width, height) in [(800, 600), (320, 200), (1, 1), (1920, 300), (90, 900)] {
            let picture = pixels(&png(&film, 2, sized(width, height)).expect("it can be painted"));
            assert_eq!((picture.width(), picture.height()), (width, height));
        }
        for width in [1400, 600, 599, 160] {
            let sheet = Sheet { width, ..Sheet::default() };
            let picture = pixels(&png(&film, 2, sheet).expect("it can be painted"));
            assert_eq!((picture.width(), picture.height()), sheet.size(&film));
            let stage = stage(&film, sheet);
            let share = stage.width * stage.height / f64::from(picture.width() * picture.height());
            assert!(share > 0.35, "the stage has {share} of a sheet of {width}");
        }
    }
}

#[test]
fn a_stage_without_figures_has_its_own_proportions() {
    for (width, height) in [(96.0, 50.0), (60.0, 60.0), (60.0, 80.0), (35.0, 11.0)] {
        let film = gallery(width, height, 1);
        for sheet_width in [1400, 800] {
            let stage = stage(&film, Sheet { width: sheet_width, ..Sheet::default() });
            let off = (stage.width / stage.height) / (width / height);
            assert!((0.98..1.02).contains(&off), "{width} by {height}: {stage:?}");
        }
    }
}

#[test]
fn a_sheet_of_no_size_or_of_far_too_much_is_refused() {
    let film = rink(["Ann", "Bob"], 0);
    for (width, height) in [(0, 600), (800, 0), (SHEET_SIDE_MAX + 1, 1), (1, u32::MAX)] {
        let refused = png(&film, 0, sized(width, height));
        assert!(matches!(refused, Err(DrawError::Size { .. })), "{width} by {height}");
    }
}

#[test]
fn the_header_has_the_colours_of_the_seats_in_both_themes() {
    let film = gallery(96.0, 50.0, 1);
    let sheet = Sheet { width: 1400, ..Sheet::default() };
    let picture = pixels(&png(&film, 0, sheet).expect("painted"));
    assert_eq!(colour(&picture, 3, 50), FIRST);
    assert_eq!(colour(&picture, 1398, 50), SECOND);
    assert_eq!(colour(&picture, 1396, 50), CARD, "the second has two stripes");
    assert_eq!(colour(&picture, 36, 60), FIRST, "a full disc");
    assert_eq!(colour(&picture, 1341, 57), CARD, "a hollow diamond");
    assert_eq!(colour(&picture, 300, 10), CARD);
    let dark = Sheet { theme: Theme::Dark, ..sheet };
    let picture = pixels(&png(&film, 0, dark).expect("painted"));
    assert_eq!(colour(&picture, 3, 50), FIRST_IN_THE_DARK);
    assert_eq!(colour(&picture, 300, 10), CARD_IN_THE_DARK);
}

#[test]
fn lines_are_where_the_scene_has_them_in_the_colour_of_their_seat() {
    let film = rink(["Ann", "Bob"], 8);
    let sheet = Sheet { width: 1400, ..Sheet::default() };
    let picture = pixels(&png(&film, 8, sheet).expect("painted"));
    let shapes = &film.frames[8].scene.shapes;
    let mut seen = [0, 0];
    for shape in shapes.iter().filter(|shape| shape.layer == 1) {
        let Form::Line { points } = &shape.form else { panic!("layer 1 has the throws") };
        let middle =
            Point::new((points[0].x + points[1].x) / 2.0, (points[0].y + points[1].y) / 2.0);
        // A throw may lie below a later one and below the puck, so that only fresh lines count.
        if shapes.iter().any(|other| other.id > shape.id && covers(other, middle)) {
            continue;
        }
        let (x, y) = on_sheet(&film, sheet, middle);
        let (index, expected) = match shape.style.stroke {
            Some(Ink::First) => (0, FIRST),
            _ => (1, SECOND),
        };
        assert_eq!(colour(&picture, x, y), expected, "throw {} at {x},{y}", shape.id);
        seen[index] += 1;
    }
    assert!(seen[0] >= 2 && seen[1] >= 2, "both seats have lines that can be seen: {seen:?}");
    let (x, y) = on_sheet(&film, sheet, Point::new(9.5, 0.5));
    assert_eq!(colour(&picture, x, y), FIELD);
}

fn covers(shape: &Shape, point: Point) -> bool {
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

#[test]
fn gradients_go_from_the_top_to_the_bottom_and_from_the_middle_to_the_rim() {
    let film = gallery(96.0, 50.0, 1);
    let sheet = Sheet { width: 1400, ..Sheet::default() };
    let picture = pixels(&png(&film, 0, sheet).expect("painted"));
    let at = |x: f64, y: f64| {
        let (x, y) = on_sheet(&film, sheet, Point::new(x, y));
        colour(&picture, x, y)
    };
    let near = |found: [u8; 3], wanted: [u8; 3]| (0..3).all(|i| found[i].abs_diff(wanted[i]) < 6);
    assert!(near(at(0.5, 0.2), [0xe9, 0xe4, 0xd8]), "the sky at its top: {:?}", at(0.5, 0.2));
    assert!(near(at(0.5, 49.8), [0xb3, 0x9c, 0x7b]), "and at its bottom: {:?}", at(0.5, 49.8));
    // The blast is at (10, 25) and 3 wide, the middle of it has a dot of a leader.
    let (inner, outer) = (at(9.2, 24.5), at(7.6, 24.5));
    assert!(inner[2] > 150 && outer[2] < 90, "white within, red at the rim: {inner:?} {outer:?}");
}

#[test]
fn a_lens_shows_a_part_larger_and_is_cut_to_a_circle() {
    let film = gallery(96.0, 50.0, 1);
    let sheet = Sheet { width: 1400, ..Sheet::default() };
    let picture = pixels(&png(&film, 0, sheet).expect("painted"));
    let stage = stage(&film, sheet);
    let place = |x: f64, y: f64| {
        let (left, top) = (stage.x + 0.74 * stage.width, stage.y + 0.5 * stage.height);
        ((left + x * 0.24 * stage.width) as u32, (top + y * 0.46 * stage.height) as u32)
    };
    let (x, y) = place(0.5, 0.35);
    let [red, _, blue] = colour(&picture, x, y);
    assert!(red > 200 && blue < 200, "the blast fills the middle of the lens");
    let (x, y) = place(0.02, 0.02);
    let [red, green, blue] = colour(&picture, x, y);
    assert!(red.abs_diff(green) < 20 && green > blue, "the corner shows the sky behind the lens");
}
