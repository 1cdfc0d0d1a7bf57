//! The sites of a map that is being drawn, pushed apart.
//!
//! The same as [`pass`](crate::rules::collide::pass) with sites alone, push by push and bit for bit, in
//! a form that is looked through four sites at a time. The document's edition draws a map anew until it
//! settles, some forty times, and to draw it was the larger part of a match's cost.

use crate::field::{SITE_MARGIN, SITES_MAX};
use crate::rules::collide::{overlap, site_push};
use crate::{Point, map};

/// Sites that are looked at together.
const LANES: usize = 4;

/// Both of a pair stand side by side.
pub(super) struct Layout {
    /// Where there is no site it lies at infinity, out of everybody's reach.
    x: [f64; SITES_MAX],
    y: [f64; SITES_MAX],
    radius: [f64; SITES_MAX],
    count: usize,
}

impl Layout {
    /// # Panics
    /// If there are more sites than a map can have.
    pub(super) fn new(sites: impl Iterator<Item = (Point, f64)>) -> Layout {
        let (y, radius) = ([0.0; SITES_MAX], [0.0; SITES_MAX]);
        let mut layout = Layout { x: [f64::INFINITY; SITES_MAX], y, radius, count: 0 };
        for (place, radius) in sites {
            layout.set_place(layout.count, place);
            layout.radius[layout.count] = radius;
            layout.count += 1;
        }
        layout
    }

    pub(super) fn places(&self) -> impl Iterator<Item = Point> {
        (0..self.count).map(|index| self.place(index))
    }

    fn place(&self, index: usize) -> Point {
        Point::new(self.x[index], self.y[index])
    }

    fn set_place(&mut self, index: usize, place: Point) {
        (self.x[index], self.y[index]) = (place.x, place.y);
    }

    /// Both of a pair go to the mean of where they are and where the other would have them.
    pub(super) fn symmetrise(&mut self) {
        for first in (0..self.count).step_by(2) {
            let (own, image) = (self.place(first), map::mirrored(self.place(first + 1)));
            let place = Point::new((own.x + image.x) / 2.0, (own.y + image.y) / 2.0);
            self.set_place(first, place);
            self.set_place(first + 1, map::mirrored(place));
        }
    }

    /// Returns whether anything was pushed.
    pub(super) fn pass(&mut self) -> bool {
        let mut has_pushed = false;
        for index in 0..self.count {
            let radius = self.radius[index];
            let mut own = self.place(index).clamped(radius + SITE_MARGIN);
            // Nobody pushes itself.
            self.x[index] = f64::INFINITY;
            let mut from = 0;
            while let Some(other) = self.first_overlapped(own, radius, from) {
                has_pushed |= self.push(&mut own, radius, other);
                from = other + 1;
            }
            self.set_place(index, own);
        }
        has_pushed
    }

    /// The first site from `from` on that is too near. Four are looked at without a branch for each,
    /// since nearly always none is.
    #[inline]
    fn first_overlapped(&self, own: Point, radius: f64, from: usize) -> Option<usize> {
        let xs = self.x.as_chunks::<LANES>().0;
        let ys = self.y.as_chunks::<LANES>().0;
        let radii = self.radius.as_chunks::<LANES>().0;
        for chunk in from / LANES..SITES_MAX / LANES {
            let hits: [bool; LANES] = std::array::from_fn(|lane| {
                let place = Point::new(xs[chunk][lane], ys[chunk][lane]);
                let apart = radius + radii[chunk][lane] + SITE_MARGIN;
                own.is_within(place, apart)
            });
            if hits.iter().fold(false, |any, hit| any | hit) {
                let mut places = (chunk * LANES..).zip(hits);
                let hit = places.find(|(other, hit)| *hit && *other >= from);
                if let Some((other, _)) = hit {
                    return Some(other);
                }
            }
        }
        None
    }

    /// Pushes two sites apart, both by as much.
    fn push(&mut self, own: &mut Point, radius: f64, other: usize) -> bool {
        let place = self.place(other);
        let apart = radius + self.radius[other] + SITE_MARGIN;
        let Some(overlap) = overlap(*own, place, apart) else {
            return false;
        };
        let way = place.minus(*own).resized(site_push(overlap));
        *own = own.minus(way);
        self.set_place(other, place.plus(way));
        true
    }
}

const _: () = assert!(SITES_MAX.is_multiple_of(LANES), "no site stands behind the last four");

#[cfg(test)]
mod tests {
    use quintain_core::{Chance, SplitMix64};

    use super::*;
    use crate::rules::collide::{Body, pass};

    #[test]
    fn sites_move_as_the_plain_list_does() {
        let mut luck = SplitMix64::new(1);
        let mut pushes = 0;
        for count in (2..=SITES_MAX).step_by(2).cycle().take(300) {
            let mut bodies: Vec<Body> = (0..count)
                .map(|_| {
                    // Some outside, some in the same place.
                    let place = Point::new(f64::from(luck.below(40)) * 50.0, luck.below(20).into());
                    Body::site(place, f64::from(60 + luck.below(51)))
                })
                .collect();
            let mut layout = Layout::new(bodies.iter().map(|body| (body.place, body.radius)));
            for _ in 0..20 {
                let has_pushed = pass(&mut bodies, SITE_MARGIN);
                assert_eq!(layout.pass(), has_pushed);
                pushes += usize::from(has_pushed);
                let places: Vec<Point> = bodies.iter().map(|body| body.place).collect();
                assert_eq!(layout.places().collect::<Vec<Point>>(), places);
            }
        }
        assert!(pushes > 1_000, "only {pushes} passes pushed anything");
    }
}
