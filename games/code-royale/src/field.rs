//! The building sites: what never changes about them, and what stands on them.

use std::sync::Arc;

use arrayvec::ArrayVec;
use quintain_core::Seat;

use crate::geometry::{HEIGHT, WIDTH};
use crate::{CreepKind, Point};

/// No map has more.
pub const SITES_MAX: usize = 24;
/// A site keeps this far from the edge of the field.
pub(crate) const SITE_MARGIN: f64 = 90.0;
/// Two things closer than this touch.
pub(crate) const CONTACT: f64 = 5.0;

/// What is fixed about a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    pub place: Point,
    pub radius: f64,
    /// The highest rate of a mine here.
    pub rate_max: u8,
}

impl Site {
    /// Whether a circle at `place` touches the site.
    #[inline]
    pub(crate) fn is_touched(&self, place: Point, radius: f64) -> bool {
        place.is_within(self.place, self.radius + radius + CONTACT)
    }
}

/// What changes about a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plot {
    /// Gold left in the ground.
    pub gold: i32,
    pub structure: Option<Structure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    pub owner: Seat,
    pub works: Works,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Works {
    Mine {
        rate: u8,
    },
    Tower {
        /// Below 0 when giants hit harder than needed.
        hp: i32,
        /// As computed when it last acted.
        range: i32,
    },
    Barracks {
        creep: CreepKind,
        /// Turns of training done; `None` when idle.
        training: Option<u8>,
    },
}

impl Works {
    pub const fn is_mine(&self) -> bool {
        matches!(self, Works::Mine { .. })
    }

    pub const fn is_tower(&self) -> bool {
        matches!(self, Works::Tower { .. })
    }

    pub const fn is_barracks(&self) -> bool {
        matches!(self, Works::Barracks { .. })
    }
}

/// All sites of a match, shared by its positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    sites: ArrayVec<Site, SITES_MAX>,
    /// Whether no site overlaps another or the margin, so that none will ever move.
    is_settled: bool,
    /// The same sites on whole numbers, unless they stand there already. Made beforehand: a crowded
    /// map can start with sites that were pushed to a fraction, and a turn takes nothing from the heap.
    rounded: Option<Arc<Field>>,
    /// For each cell of the field the sites that a unit with its centre there could touch.
    near: Vec<u32>,
}

const CELL: f64 = 64.0;
const COLUMNS: usize = 30;
const ROWS: usize = 16;
/// The largest unit, the giant, and what is still contact.
const REACH: f64 = 40.0 + CONTACT;

impl Field {
    pub(crate) fn new(sites: ArrayVec<Site, SITES_MAX>) -> Field {
        let mut near = vec![0; COLUMNS * ROWS];
        for (index, site) in sites.iter().enumerate() {
            let reach = site.radius + REACH;
            let (left, top) = cell(Point::new(site.place.x - reach, site.place.y - reach));
            let (right, bottom) = cell(Point::new(site.place.x + reach, site.place.y + reach));
            for row in top..=bottom {
                for mask in &mut near[row * COLUMNS + left..=row * COLUMNS + right] {
                    *mask |= 1 << index;
                }
            }
        }
        Field { is_settled: is_settled(&sites), rounded: rounded(&sites), sites, near }
    }

    #[inline]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// The field as it is from the end of the first turn on, if it is another one.
    #[inline]
    pub(crate) fn rounded(&self) -> Option<&Arc<Field>> {
        self.rounded.as_ref()
    }

    /// The sites that a unit there could touch, and perhaps some more, as a set of bits.
    #[inline]
    pub(crate) fn near(&self, place: Point) -> u32 {
        let (column, row) = cell(place);
        self.near[row * COLUMNS + column]
    }

    /// The site whose centre is nearest, the first of several.
    pub(crate) fn nearest(&self, place: Point) -> Option<usize> {
        let mut best = None;
        let mut best_distance = f64::INFINITY;
        for (index, site) in self.sites.iter().enumerate() {
            let distance = place.squared_distance(site.place);
            if distance < best_distance {
                (best, best_distance) = (Some(index), distance);
            }
        }
        best
    }
}

/// Beyond the edge the nearest cell counts: who is out there is farther from every site than
/// somebody in that cell can be.
#[inline]
fn cell(place: Point) -> (usize, usize) {
    const {
        assert!(COLUMNS as f64 * CELL >= WIDTH && ROWS as f64 * CELL >= HEIGHT);
    }
    // A cast to an unsigned integer takes everything negative for 0.
    let column = ((place.x / CELL) as usize).min(COLUMNS - 1);
    let row = ((place.y / CELL) as usize).min(ROWS - 1);
    (column, row)
}

fn is_settled(sites: &[Site]) -> bool {
    sites.iter().enumerate().all(|(index, site)| {
        let is_inside = site.place.clamped(site.radius + SITE_MARGIN) == site.place;
        let is_apart =
            |other: &Site| !site.place.is_within(other.place, site.radius + other.radius);
        is_inside && sites[index + 1..].iter().all(is_apart)
    })
}

fn rounded(sites: &[Site]) -> Option<Arc<Field>> {
    let whole = sites.iter().map(|&site| Site { place: site.place.rounded(), ..site });
    let is_whole = whole.clone().zip(sites).all(|(whole, site)| whole.place == site.place);
    (!is_whole).then(|| Arc::new(Field::new(whole.collect())))
}

/// The indices of the bits of a set, lowest first.
#[inline]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (index < 32).then_some(index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(x: f64, y: f64, radius: f64) -> Site {
        Site { place: Point::new(x, y), radius, rate_max: 1 }
    }

    fn field(sites: &[Site]) -> Field {
        Field::new(sites.iter().copied().collect())
    }

    #[test]
    fn whoever_touches_a_site_is_near_it() {
        let sites =
            [site(150.0, 150.0, 60.0), site(900.0, 500.0, 90.0), site(1800.0, 890.0, 110.0)];
        let field = field(&sites);
        for x in -40..=1960 {
            for y in (-40..=1040).step_by(7) {
                let place = Point::new(f64::from(x), f64::from(y));
                for (index, site) in sites.iter().enumerate() {
                    let touches = site.is_touched(place, 40.0);
                    assert!(!touches || field.near(place) & 1 << index != 0, "{place:?}");
                }
            }
        }
    }

    #[test]
    fn a_field_is_settled_if_nothing_overlaps() {
        assert!(field(&[site(150.0, 150.0, 60.0), site(270.0, 150.0, 60.0)]).is_settled());
        assert!(!field(&[site(150.0, 150.0, 60.0), site(269.0, 150.0, 60.0)]).is_settled());
        assert!(!field(&[site(149.0, 150.0, 60.0)]).is_settled());
    }

    #[test]
    fn bits_are_listed_lowest_first() {
        assert_eq!(bits(0).count(), 0);
        assert_eq!(bits(0x8000_0005).collect::<Vec<_>>(), [0, 2, 31]);
    }

    #[test]
    fn the_first_of_the_nearest_sites_is_taken() {
        let field = field(&[site(300.0, 300.0, 60.0), site(500.0, 300.0, 60.0)]);
        assert_eq!(field.nearest(Point::new(400.0, 300.0)), Some(0));
        assert_eq!(field.nearest(Point::new(401.0, 300.0)), Some(1));
    }
}
