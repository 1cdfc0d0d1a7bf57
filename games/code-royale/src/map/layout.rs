//! The sites of a map that is being drawn, pushed apart.
//!
//! The same as [`pass`](crate::rules::collide::pass) with sites alone, push by push and bit for bit, but
//! only pairs are looked at that could touch. The document's edition draws a map anew until it settles,
//! some ten times, and to draw it was the larger part of a match's cost.

use crate::field::{SITE_MARGIN, SITES_MAX};
use crate::rules::collide::{overlap, site_push};
use crate::{Point, map};

/// How much farther apart than they are to be sites count as neighbours. With less of it there are fewer
/// neighbours, and they must be looked for more often.
const SLACK: f64 = 200.0;
/// More than rounding takes from a distance.
const ROUNDING: f64 = 1e-3;

/// Both of a pair stand side by side.
pub(super) struct Layout {
    places: [Point; SITES_MAX],
    radius: [f64; SITES_MAX],
    /// Where each site was when its neighbours were last looked for. It is no farther from there than half
    /// of the slack, so that who is no neighbour does not touch it.
    bases: [Point; SITES_MAX],
    /// The neighbours of each, as a set of bits.
    near: [u32; SITES_MAX],
    count: usize,
}

impl Layout {
    /// # Panics
    /// If there are more sites than a map can have.
    pub(super) fn new(sites: impl Iterator<Item = (Point, f64)>) -> Layout {
        // Nobody is near who is not there yet.
        let nowhere = [Point::new(f64::INFINITY, f64::INFINITY); SITES_MAX];
        let (radius, near) = ([0.0; SITES_MAX], [0; SITES_MAX]);
        let mut layout = Layout { places: nowhere, radius, bases: nowhere, near, count: 0 };
        for (place, radius) in sites {
            layout.radius[layout.count] = radius;
            layout.count += 1;
            layout.set_place(layout.count - 1, place);
        }
        layout
    }

    pub(super) fn places(&self) -> &[Point] {
        &self.places[..self.count]
    }

    #[inline]
    fn set_place(&mut self, index: usize, place: Point) {
        self.places[index] = place;
        if !place.is_within(self.bases[index], SLACK / 2.0) {
            self.find_neighbours(index);
        }
    }

    #[inline(never)]
    fn find_neighbours(&mut self, index: usize) {
        let (base, bit) = (self.places[index], 1 << index);
        let reach = self.radius[index] + SITE_MARGIN + SLACK + ROUNDING;
        let mut near = 0;
        for other in 0..self.count {
            let is_near = base.is_within(self.bases[other], reach + self.radius[other]);
            near |= u32::from(is_near) << other;
            self.near[other] = self.near[other] & !bit | u32::from(is_near) << index;
        }
        self.bases[index] = base;
        // Nobody pushes itself.
        self.near[index] = near & !bit;
    }

    /// Both of a pair go to the mean of where they are and where the other would have them.
    pub(super) fn symmetrise(&mut self) {
        for first in (0..self.count).step_by(2) {
            let (own, image) = (self.places[first], map::mirrored(self.places[first + 1]));
            let place = Point::new((own.x + image.x) / 2.0, (own.y + image.y) / 2.0);
            self.set_place(first, place);
            self.set_place(first + 1, map::mirrored(place));
        }
    }

    /// Returns whether anything was pushed.
    pub(super) fn pass(&mut self) -> bool {
        let mut has_pushed = false;
        for index in 0..self.count {
            let place = self.places[index].clamped(self.radius[index] + SITE_MARGIN);
            self.set_place(index, place);
            let mut later = u32::MAX;
            // A push can bring new neighbours, of whom the later ones are looked at too.
            while let others @ 1.. = self.near[index] & later {
                let other = others.trailing_zeros();
                later = u32::MAX << other << 1;
                has_pushed |= self.push(index, other as usize);
            }
        }
        has_pushed
    }

    /// Pushes two sites apart, both by as much, if they are too near.
    #[inline]
    fn push(&mut self, index: usize, other: usize) -> bool {
        let (own, place) = (self.places[index], self.places[other]);
        let apart = self.radius[index] + self.radius[other] + SITE_MARGIN;
        let Some(overlap) = overlap(own, place, apart) else {
            return false;
        };
        let way = place.minus(own).resized(site_push(overlap));
        self.set_place(index, own.minus(way));
        self.set_place(other, place.plus(way));
        true
    }
}

const _: () = assert!(SITES_MAX <= u32::BITS as usize, "a set of sites fits into 32 bits");

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
                assert_eq!(layout.places(), places);
            }
        }
        assert!(pushes > 1_000, "only {pushes} passes pushed anything");
    }
}
