//! That no number and no text, however wild, can spoil a picture.

use quintain_core::scene::{Area, Film, Form, Point, Shape, Size, Style, Theme, Window};
use quintain_draw::{GifOptions, Sheet, gif, png, svg};
use resvg::usvg::roxmltree::Document;

use crate::films::sized;
use crate::gallery::gallery;
use crate::png::pixels;

const WILD: [f64; 13] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    -1.0,
    0.0,
    1e-12,
    1e9,
    -3e38,
    65_536.5,
    -70_000.25,
];

fn film() -> Film {
    gallery(96.0, 50.0, 2)
}

/// Every number of a film.
fn numbers(film: &mut Film) -> Vec<&mut f64> {
    let mut all = Vec::new();
    let stage = &mut film.stage;
    area(&mut stage.world, &mut all);
    if let Some((width, height)) = &mut stage.narrow {
        all.extend([width, height]);
    }
    all.extend(stage.curve.iter_mut().map(|curve| &mut curve.max));
    for (form, style) in stage.legend.iter_mut().flat_map(|entry| &mut entry.looks) {
        looks(form, style, &mut all);
    }
    stage.background.iter_mut().for_each(|shape| of_shape(shape, &mut all));
    for frame in &mut film.frames {
        let scene = &mut frame.scene;
        scene.shapes.iter_mut().for_each(|shape| of_shape(shape, &mut all));
        for window in scene.windows.wide.iter_mut().chain(&mut scene.windows.narrow) {
            let Window { view, place, .. } = window;
            area(view, &mut all);
            area(place, &mut all);
        }
        for gauge in scene.panels.iter_mut().filter_map(|panel| panel.gauge.as_mut()) {
            all.extend([&mut gauge.value, &mut gauge.max]);
        }
        all.extend(scene.curve.0.iter_mut());
    }
    all
}

fn area<'a>(area: &'a mut Area, all: &mut Vec<&'a mut f64>) {
    all.extend([&mut area.x, &mut area.y, &mut area.width, &mut area.height]);
}

fn point<'a>(point: &'a mut Point, all: &mut Vec<&'a mut f64>) {
    all.extend([&mut point.x, &mut point.y]);
}

fn of_shape<'a>(shape: &'a mut Shape, all: &mut Vec<&'a mut f64>) {
    looks(&mut shape.form, &mut shape.style, all);
}

fn looks<'a>(form: &'a mut Form, style: &'a mut Style, all: &mut Vec<&'a mut f64>) {
    match form {
        Form::Circle { centre, radius } => {
            point(centre, all);
            all.push(radius);
        }
        Form::Line { points } | Form::Polygon { points } => {
            points.iter_mut().for_each(|one| point(one, all));
        }
        Form::Path { .. } => {}
        Form::Symbol { at, size, turned, .. } => {
            point(at, all);
            all.extend([size, turned]);
        }
        Form::Text(label) => {
            point(&mut label.at, all);
            point(&mut label.shift, all);
            match &mut label.size {
                Size::World(size) | Size::Screen(size) => all.push(size),
            }
        }
    }
    all.extend([&mut style.stroke_width, &mut style.opacity]);
    all.extend(style.dash.as_mut());
}

/// Draws a film on one of two sheets; the picture is whole, opaque and of finite numbers.
fn check(film: &Film, what: &str, number: usize) {
    let wide = sized(600, 150);
    let narrow = Sheet { width: 90, height: None, theme: Theme::Dark };
    let sheet = [wide, narrow][number % 2];
    let document = svg(film, 1, sheet);
    let tree = Document::parse(&document).unwrap_or_else(|error| panic!("{what}: {error}"));
    for node in tree.root().descendants().filter(|node| node.is_element()) {
        for attribute in node.attributes() {
            let is_number =
                !attribute.value().contains("NaN") && !attribute.value().contains("inf");
            assert!(is_number, "{what}: {attribute:?}");
        }
    }
    let picture = pixels(&png(film, 1, sheet).unwrap_or_else(|error| panic!("{what}: {error}")));
    assert!(picture.pixels().iter().all(|pixel| pixel.alpha() == 255), "{what}: a hole");
}

#[test]
fn any_number_in_any_place_gives_a_picture() {
    let count = numbers(&mut film()).len();
    assert!(count > 300, "{count} numbers");
    for index in 0..count {
        let mut film = film();
        let wild = WILD[index % WILD.len()];
        *numbers(&mut film)[index] = wild;
        check(&film, &format!("number {index} is {wild}"), index);
    }
}

#[test]
fn many_wild_numbers_at_once_give_a_film() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for round in 0..60 {
        let mut film = film();
        let share = 1 + next(20);
        for number in numbers(&mut film) {
            if next(share) == 0 {
                *number = WILD[next(WILD.len())];
            }
        }
        check(&film, &format!("round {round}"), round);
        let options = GifOptions { sheet: sized(160, 120), ..GifOptions::default() };
        let mut file = Vec::new();
        gif(&film, options, &mut file).unwrap_or_else(|error| panic!("round {round}: {error}"));
    }
}

#[test]
fn any_text_as_a_path_gives_a_picture() {
    let far = "M1e300 1e300L-1e300 5z".to_owned();
    let long = "M0 0".to_owned() + &"l1 1".repeat(50_000);
    let paths =
        ["", "M", "\"/><script>", "M0 0A1 1 0 0 1 NaN 3", "M0 0L1", &far, &long, "z", "m1 1z"];
    for (number, path) in paths.into_iter().enumerate() {
        let mut film = film();
        for frame in &mut film.frames {
            for shape in &mut frame.scene.shapes {
                if let Form::Path { path: own } = &mut shape.form {
                    *own = path.to_owned().into();
                }
            }
        }
        check(&film, &path[..path.len().min(40)], number);
    }
}
