//! Places in one system of coordinates as places in another.

use quintain_core::scene::{Area, Point};
use tiny_skia::Transform;

/// What is farther away than this from a sheet is as good as nowhere; larger numbers are too coarse to
/// be drawn with.
const FAR: f64 = 1_000_000.0;

/// A number that can be drawn: what is none becomes 0, and what is too large is cut.
pub(crate) fn tame(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-FAR, FAR) }
}

/// Scales, turns, mirrors and moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

impl Matrix {
    pub(crate) const IDENTITY: Matrix = Matrix { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

    /// Lengths times `scale`, then moved.
    pub(crate) fn scaled(scale: f64, shift: Point) -> Matrix {
        Matrix { a: scale, d: scale, e: shift.x, f: shift.y, ..Matrix::IDENTITY }.tamed()
    }

    /// From the box of a symbol to where it is shown.
    pub(crate) fn symbol(at: Point, size: f64, degrees: f64, is_mirrored: bool) -> Matrix {
        // Not the machine's own, so that pictures are the same everywhere.
        let (sine, cosine) = libm::sincos(tame(degrees).to_radians());
        let across = if is_mirrored { -size } else { size };
        let (a, b) = (cosine * across, sine * across);
        Matrix { a, b, c: -sine * size, d: cosine * size, e: at.x, f: at.y }.tamed()
    }

    /// From the box of -1 to 1 both ways to an area.
    pub(crate) fn onto(area: Area) -> Matrix {
        // A gradient needs some extent to happen in.
        const EXTENT_MIN: f64 = 0.01;
        let half = |length: f64| (length / 2.0).abs().max(EXTENT_MIN);
        let (e, f) = (area.x + area.width / 2.0, area.y + area.height / 2.0);
        Matrix { a: half(area.width), b: 0.0, c: 0.0, d: half(area.height), e, f }.tamed()
    }

    fn tamed(self) -> Matrix {
        let [a, b, c, d, e, f] = self.numbers().map(tame);
        Matrix { a, b, c, d, e, f }
    }

    pub(crate) fn place(&self, point: Point) -> Point {
        let Matrix { a, b, c, d, e, f } = self;
        let (x, y) = (tame(point.x), tame(point.y));
        Point::new(tame(a * x + c * y + e), tame(b * x + d * y + f))
    }

    /// The box around an area, when it is placed.
    pub(crate) fn place_area(&self, area: Area) -> Area {
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        let corners = [(area.x, area.y), (right, area.y), (right, bottom), (area.x, bottom)];
        around(corners.map(|(x, y)| self.place(Point::new(x, y))))
    }

    /// First by `self`, then by `next`.
    pub(crate) fn then(&self, next: &Matrix) -> Matrix {
        let turned = |x: f64, y: f64| (next.a * x + next.c * y, next.b * x + next.d * y);
        let ((a, b), (c, d)) = (turned(self.a, self.b), turned(self.c, self.d));
        let (e, f) = turned(self.e, self.f);
        Matrix { a, b, c, d, e: e + next.e, f: f + next.f }.tamed()
    }

    /// What a length of 1 becomes.
    pub(crate) fn scale(&self) -> f64 {
        (self.a * self.d - self.b * self.c).abs().sqrt()
    }

    pub(crate) fn numbers(&self) -> [f64; 6] {
        [self.a, self.b, self.c, self.d, self.e, self.f]
    }

    pub(crate) fn transform(&self) -> Transform {
        let [a, b, c, d, e, f] = self.numbers().map(|number| number as f32);
        Transform::from_row(a, b, c, d, e, f)
    }
}

/// The box around points; empty at the origin if there are none.
pub(crate) fn around(points: impl IntoIterator<Item = Point>) -> Area {
    let mut points = points.into_iter();
    let Some(first) = points.next() else { return Area::new(0.0, 0.0, 0.0, 0.0) };
    let (mut low, mut high) = (first, first);
    for Point { x, y } in points {
        (low.x, low.y) = (low.x.min(x), low.y.min(y));
        (high.x, high.y) = (high.x.max(x), high.y.max(y));
    }
    Area::new(low.x, low.y, high.x - low.x, high.y - low.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Point, x: f64, y: f64) {
        assert!((found.x - x).abs() < 1e-9 && (found.y - y).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_symbol_is_turned_clockwise_and_mirrored_left_to_right() {
        let at = Point::new(10.0, 20.0);
        let right = Point::new(1.0, 0.0);
        near(Matrix::symbol(at, 2.0, 0.0, false).place(right), 12.0, 20.0);
        near(Matrix::symbol(at, 2.0, 90.0, false).place(right), 10.0, 22.0);
        near(Matrix::symbol(at, 2.0, 0.0, true).place(right), 8.0, 20.0);
    }

    #[test]
    fn matrices_follow_each_other_and_know_their_scale() {
        let first = Matrix::symbol(Point::new(1.0, 2.0), 3.0, 30.0, true);
        let next = Matrix::scaled(2.0, Point::new(-5.0, 7.0));
        let both = first.then(&next);
        let point = Point::new(0.3, -0.7);
        let expected = next.place(first.place(point));
        near(both.place(point), expected.x, expected.y);
        assert!((both.scale() - 6.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_no_number_or_too_far_away_is_tamed() {
        let wild = Matrix::scaled(f64::NAN, Point::new(f64::INFINITY, f64::NEG_INFINITY));
        let placed = wild.place(Point::new(f64::NAN, 1e300));
        assert!(placed.x.is_finite() && placed.y.is_finite());
    }
}
