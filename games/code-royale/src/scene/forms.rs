//! The outlines of the two players: the first is round, the second has eight corners.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use quintain_core::Seat;
use quintain_core::scene::{Form, Point};

/// A ring is a chain of this many lines, four to a quarter.
const RING_LINES: usize = 16;
/// The first quarter of an outline of size 1, clockwise from the top. Sines are not asked for: their last
/// bits differ between machines.
const ROUND: [(f64, f64); 4] = [
    (0.0, -1.0),
    (0.382_683_43, -0.923_879_53),
    (FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
    (0.923_879_53, -0.382_683_43),
];
/// The same with corners, which are the second and the last.
const ANGULAR: [(f64, f64); 4] =
    [(0.0, -1.0), (CORNER, -1.0), (FRAC_1_SQRT_2, -FRAC_1_SQRT_2), (1.0, -CORNER)];
/// Half a side of an octagon around a circle of radius 1.
const CORNER: f64 = SQRT_2 - 1.0;

/// A closed outline around a place.
pub(super) fn outline(seat: Seat, centre: Point, size: f64) -> Form {
    match seat {
        Seat::First => Form::circle(centre, size),
        Seat::Second => {
            let corner = |index: usize| placed(stop(seat, 2 * index + 1), centre, size);
            Form::polygon((0..8).map(corner))
        }
    }
}

/// A share of an outline, clockwise from the top. It always has the same number of points, so that it
/// grows and shrinks smoothly.
pub(super) fn ring(seat: Seat, centre: Point, size: f64, share: f64) -> Form {
    let end = share.clamp(0.0, 1.0) * RING_LINES as f64;
    let point = |index: usize| placed(rim(seat, end.min(index as f64)), centre, size);
    Form::chain((0..=RING_LINES).map(point))
}

fn placed((x, y): (f64, f64), centre: Point, size: f64) -> Point {
    Point::new(centre.x + x * size, centre.y + y * size)
}

/// The end of one of the lines.
fn stop(seat: Seat, index: usize) -> (f64, f64) {
    let quarter = match seat {
        Seat::First => ROUND,
        Seat::Second => ANGULAR,
    };
    let (x, y) = quarter[index % 4];
    match index / 4 % 4 {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}

/// The place after so many lines, of which the last may be a part.
fn rim(seat: Seat, lines: f64) -> (f64, f64) {
    let (from, to) = (stop(seat, lines as usize), stop(seat, lines as usize + 1));
    let share = lines.fract();
    let (x, y) = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
    match seat {
        Seat::First => {
            let length = (x * x + y * y).sqrt();
            (x / length, y / length)
        }
        Seat::Second => (x, y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(form: &Form) -> Vec<Point> {
        match form {
            Form::Line { points } | Form::Polygon { points } => points.clone(),
            _ => panic!("neither a line nor a polygon"),
        }
    }

    #[test]
    fn a_ring_passes_through_all_corners_and_stops_at_its_share() {
        let centre = Point::new(10.0, 20.0);
        let whole = points(&ring(Seat::Second, centre, 4.0, 1.0));
        for corner in points(&outline(Seat::Second, centre, 4.0)) {
            let is_near = |point: &Point| {
                (point.x - corner.x).abs() < 1e-6 && (point.y - corner.y).abs() < 1e-6
            };
            assert!(whole.iter().any(is_near), "{corner:?}");
        }
        let half = points(&ring(Seat::First, centre, 4.0, 0.5));
        assert_eq!(half.len(), whole.len());
        assert!((half[16].x - 10.0).abs() < 1e-6 && (half[16].y - 24.0).abs() < 1e-6);
        assert_eq!(points(&ring(Seat::First, centre, 4.0, -1.0)), [Point::new(10.0, 16.0); 17]);
    }
}
