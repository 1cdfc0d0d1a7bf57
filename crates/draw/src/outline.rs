//! Lines and curves as the painter and the writer want them, read once from the language of SVG.

use std::collections::HashMap;
use std::rc::Rc;

use quintain_core::scene::{Area, Point};
use svgtypes::{SimplePathSegment, SimplifyingPathParser};
use tiny_skia::{Path, PathBuilder, PathSegment};

use crate::matrix::{Matrix, around, tame};

/// Paths of more parts are shown without those that cannot be seen: the marks of a whole road, of which a picture
/// shows a little.
const PARTS_MIN: usize = 32;

/// A path that may be shown at many places. Two are the same if they are the very same.
#[derive(Clone, Debug)]
pub(crate) struct SharedPath(Rc<KnownPath>);

#[derive(Debug)]
struct KnownPath {
    whole: Path,
    /// The parts of one that has many, none of them connected with another.
    parts: Vec<Path>,
}

impl PartialEq for SharedPath {
    fn eq(&self, other: &SharedPath) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Where something is, in pixels of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    Circle { centre: Point, radius: f64 },
    Chain { points: Vec<Point>, is_closed: bool },
    Rectangle { area: Area, radius: f64 },
    Path { path: SharedPath, placed: Matrix },
}

impl Outline {
    /// The box around it.
    pub(crate) fn bounds(&self) -> Area {
        match self {
            Outline::Circle { centre, radius } => {
                let (left, top) = (centre.x - radius, centre.y - radius);
                Area::new(left, top, 2.0 * radius, 2.0 * radius)
            }
            Outline::Chain { points, .. } => around(points.iter().copied()),
            Outline::Rectangle { area, .. } => *area,
            Outline::Path { path, placed } => placed_bounds(&path.0.whole, placed),
        }
    }

    /// As a path in pixels of the sheet; `None` if there is nothing to draw.
    pub(crate) fn path(&self) -> Option<Path> {
        let mut builder = PathBuilder::new();
        match self {
            Outline::Circle { centre, radius } => {
                builder.push_circle(centre.x as f32, centre.y as f32, *radius as f32);
            }
            Outline::Chain { points, is_closed } => {
                let (first, rest) = points.split_first()?;
                builder.move_to(first.x as f32, first.y as f32);
                rest.iter().for_each(|point| builder.line_to(point.x as f32, point.y as f32));
                if *is_closed {
                    builder.close();
                }
            }
            Outline::Rectangle { area, radius } => push_rectangle(&mut builder, *area, *radius),
            Outline::Path { path, placed } => {
                return path.0.whole.clone().transform(placed.transform());
            }
        }
        builder.finish()
    }

    /// As [`path`](Outline::path), at least of what touches an area.
    pub(crate) fn path_within(&self, area: Area) -> Option<Path> {
        let Outline::Path { path, placed } = self else { return self.path() };
        if path.0.parts.is_empty() {
            return self.path();
        }
        let mut builder = PathBuilder::new();
        for part in &path.0.parts {
            let Area { x, y, width, height } = placed_bounds(part, placed);
            let is_beside = x > area.x + area.width || x + width < area.x;
            if !is_beside && y <= area.y + area.height && y + height >= area.y {
                builder.push_path(part);
            }
        }
        builder.finish()?.transform(placed.transform())
    }
}

fn placed_bounds(path: &Path, placed: &Matrix) -> Area {
    let bounds = path.bounds();
    let [x, y] = [bounds.x(), bounds.y()].map(f64::from);
    let [width, height] = [bounds.width(), bounds.height()].map(f64::from);
    placed.place_area(Area::new(x, y, width, height))
}

/// The parts of a path that has many.
fn parts(path: &Path) -> Vec<Path> {
    let is_start = |segment: &PathSegment| matches!(segment, PathSegment::MoveTo(_));
    if path.segments().filter(is_start).count() < PARTS_MIN {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut builder = PathBuilder::new();
    for segment in path.segments() {
        if is_start(&segment) {
            parts.extend(std::mem::replace(&mut builder, PathBuilder::new()).finish());
        }
        match segment {
            PathSegment::MoveTo(to) => builder.move_to(to.x, to.y),
            PathSegment::LineTo(to) => builder.line_to(to.x, to.y),
            PathSegment::QuadTo(handle, to) => builder.quad_to(handle.x, handle.y, to.x, to.y),
            PathSegment::CubicTo(first, second, to) => {
                builder.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
            }
            PathSegment::Close => builder.close(),
        }
    }
    parts.extend(builder.finish());
    parts
}

fn push_rectangle(builder: &mut PathBuilder, area: Area, radius: f64) {
    // How far the handles of a quarter circle are from its ends.
    const HANDLE: f32 = 0.552_285;
    let (left, top) = (area.x as f32, area.y as f32);
    let (right, bottom) = ((area.x + area.width) as f32, (area.y + area.height) as f32);
    let r = radius.min(area.width / 2.0).min(area.height / 2.0).max(0.0) as f32;
    if r == 0.0 {
        builder.move_to(left, top);
        builder.line_to(right, top);
        builder.line_to(right, bottom);
        builder.line_to(left, bottom);
        builder.close();
        return;
    }
    let near = r * (1.0 - HANDLE);
    builder.move_to(left + r, top);
    builder.line_to(right - r, top);
    builder.cubic_to(right - near, top, right, top + near, right, top + r);
    builder.line_to(right, bottom - r);
    builder.cubic_to(right, bottom - near, right - near, bottom, right - r, bottom);
    builder.line_to(left + r, bottom);
    builder.cubic_to(left + near, bottom, left, bottom - near, left, bottom - r);
    builder.line_to(left, top + r);
    builder.cubic_to(left, top + near, left + near, top, left + r, top);
    builder.close();
}

/// Paths that were read already, by their text.
#[derive(Default)]
pub(crate) struct PathBook(HashMap<String, Option<SharedPath>>);

impl PathBook {
    /// A path by its text, up to the first thing in it that is no path; `None` if that leaves nothing.
    pub(crate) fn get(&mut self, text: &str) -> Option<SharedPath> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let known = |whole| KnownPath { parts: parts(&whole), whole };
        let read = read(text).map(|path| SharedPath(Rc::new(known(path))));
        self.0.insert(text.to_owned(), read.clone());
        read
    }
}

fn read(text: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let number = |value: f64| tame(value) as f32;
    for segment in SimplifyingPathParser::from(text).map_while(Result::ok) {
        match segment {
            SimplePathSegment::MoveTo { x, y } => builder.move_to(number(x), number(y)),
            SimplePathSegment::LineTo { x, y } => builder.line_to(number(x), number(y)),
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                builder.quad_to(number(x1), number(y1), number(x), number(y));
            }
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                let ([x1, y1], [x2, y2]) = ([x1, y1].map(number), [x2, y2].map(number));
                builder.cubic_to(x1, y1, x2, y2, number(x), number(y));
            }
            SimplePathSegment::ClosePath => builder.close(),
        }
    }
    builder.finish()
}

/// A path in the language of SVG, written by `number`.
pub(crate) fn written(path: &Path, number: impl Fn(f64) -> String) -> String {
    let mut text = String::with_capacity(path.len() * 12);
    let mut push = |letter: char, points: &[tiny_skia::Point]| {
        text.push(letter);
        for (index, point) in points.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            let (x, y) = (number(f64::from(point.x)), number(f64::from(point.y)));
            text.push_str(&format!("{gap}{x} {y}"));
        }
    };
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => push('M', &[to]),
            PathSegment::LineTo(to) => push('L', &[to]),
            PathSegment::QuadTo(handle, to) => push('Q', &[handle, to]),
            PathSegment::CubicTo(first, second, to) => push('C', &[first, second, to]),
            PathSegment::Close => push('Z', &[]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_up_to_its_first_mistake_and_only_once() {
        let mut book = PathBook::default();
        let path = book.get("M1 2h3v4z M9 nonsense").expect("it begins well");
        let text = written(&path.0.whole, |number| number.to_string());
        assert_eq!(text, "M1 2L4 2L4 6Z");
        assert_eq!(book.get("M1 2h3v4z M9 nonsense"), Some(path));
        for empty in ["", "M1 1", "\"><script>", "L3 3"] {
            assert_eq!(book.get(empty), None, "{empty}");
        }
    }

    #[test]
    fn of_a_path_of_many_parts_those_that_are_seen_are_drawn() {
        let text: String = (0..100).map(|x| format!("M{x} 0l0.5 0M{x} 5h1v1z")).collect();
        let path = PathBook::default().get(&text).expect("it is a path");
        let outline = Outline::Path { path, placed: Matrix::scaled(10.0, Point::new(0.0, 7.0)) };
        let seen = |area| outline.path_within(area).map(|path| path.segments().count());
        assert_eq!(outline.path().map(|path| path.segments().count()), Some(600));
        assert_eq!(seen(Area::new(-5.0, -5.0, 2000.0, 2000.0)), Some(600));
        assert_eq!(seen(Area::new(101.0, 0.0, 10.0, 8.0)), Some(2 * 2));
        assert_eq!(seen(Area::new(0.0, 100.0, 9.0, 9.0)), None);
    }

    #[test]
    fn a_rectangle_has_no_more_roundness_than_room() {
        let area = Area::new(10.0, 10.0, 4.0, 20.0);
        for radius in [0.0, 1.0, 2.0, 50.0, -1.0] {
            let path = Outline::Rectangle { area, radius }.path().expect("it has an extent");
            let bounds = path.bounds();
            assert_eq!((bounds.x(), bounds.right(), bounds.bottom()), (10.0, 14.0, 30.0));
        }
    }
}
