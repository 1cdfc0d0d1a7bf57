//! Dashes of a chain of lines, only where they are seen.
//!
//! A road may be thousands of dashes long and its window show twenty of them.

use quintain_core::scene::{Area, Point};
use tiny_skia::{Path, PathBuilder};

/// More of them than anyone could tell apart in one stretch.
const DASHES_MAX: f64 = 5000.0;

/// The dashes of a chain that lie within an area, as long as the gaps between them.
pub(crate) fn dashed(points: &[Point], dash: f64, visible: Area) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let period = 2.0 * dash;
    let mut done = 0.0;
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to.x - from.x).hypot(to.y - from.y);
        let at = |along: f64| {
            let share = along / length;
            (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
        };
        if let Some((enters, leaves)) = within(from, to, visible).filter(|_| length > 0.0) {
            let (first, last) = (enters * length, leaves * length);
            if (last - first) / period > DASHES_MAX {
                push(&mut builder, at(first), at(last));
            } else {
                let mut start = ((done + first) / period).floor() * period - done;
                while start < last {
                    let (begin, end) = (start.max(first), (start + dash).min(last));
                    if end > begin {
                        push(&mut builder, at(begin), at(end));
                    }
                    start += period;
                }
            }
        }
        done += length;
    }
    builder.finish()
}

fn push(builder: &mut PathBuilder, from: (f64, f64), to: (f64, f64)) {
    builder.move_to(from.0 as f32, from.1 as f32);
    builder.line_to(to.0 as f32, to.1 as f32);
}

/// The part of a line that lies within an area, in shares of its length.
fn within(from: Point, to: Point, area: Area) -> Option<(f64, f64)> {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    let sides = [
        (from.x, to.x - from.x, area.x, area.x + area.width),
        (from.y, to.y - from.y, area.y, area.y + area.height),
    ];
    for (start, way, low, high) in sides {
        if way == 0.0 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - start) / way, (high - start) / way);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    (enters < leaves).then_some((enters, leaves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dashes(points: &[(f64, f64)], dash: f64) -> Option<usize> {
        let points: Vec<Point> = points.iter().map(|&point| point.into()).collect();
        let path = dashed(&points, dash, Area::new(0.0, 0.0, 100.0, 100.0))?;
        Some(path.segments().count() / 2)
    }

    #[test]
    fn only_the_dashes_that_are_seen_are_made() {
        assert_eq!(dashes(&[(0.0, 50.0), (40.0, 50.0)], 10.0), Some(2));
        assert_eq!(dashes(&[(-1e6, 50.0), (1e6, 50.0)], 10.0), Some(5));
        assert_eq!(dashes(&[(0.0, 500.0), (100.0, 500.0)], 10.0), None);
        assert_eq!(dashes(&[(0.0, 50.0), (100.0, 50.0)], 1e-9), Some(1));
        assert_eq!(dashes(&[(5.0, 5.0), (5.0, 5.0)], 3.0), None);
    }

    #[test]
    fn dashes_go_on_around_a_corner() {
        // A dash of 10, of which 4 lie on the second line.
        let points = [Point::new(0.0, 0.0), Point::new(26.0, 0.0), Point::new(26.0, 20.0)];
        let path = dashed(&points, 10.0, Area::new(-1.0, -1.0, 99.0, 99.0)).expect("it is seen");
        let bounds: Vec<_> = path.segments().collect();
        assert_eq!(
            bounds.len(),
            2 * 4,
            "two on the first line, a rest and another one: {bounds:?}"
        );
    }
}
