//! Which places of a picture differ from the picture before.

use std::collections::HashSet;

use quintain_core::scene::Area;

use crate::picture::{Item, common, united};

/// The painter leaves out thin lines on a canvas that is hardly wider than they are.
const SIDE_MIN: f64 = 4.0;

/// More places than this are painted as one.
const PLACES_MAX: usize = 24;

/// The places at which the second list of items looks different from the first, in whole pixels of a sheet
/// and without overlaps.
pub(crate) fn changes(before: &[Item], after: &[Item], sheet: Area) -> Vec<Area> {
    let keys = |items: &[Item]| items.iter().map(|item| item.key).collect::<HashSet<u64>>();
    let (keys_before, keys_after) = (keys(before), keys(after));
    let mut places = Places { sheet, list: Vec::new() };
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (None, None) => return places.apart(),
            (Some(gone), None) => {
                places.add(gone.bounds);
                old.next();
            }
            (None, Some(come)) => {
                places.add(come.bounds);
                new.next();
            }
            (Some(gone), Some(come)) if gone.key == come.key => {
                if gone != come {
                    places.add(gone.bounds);
                    places.add(come.bounds);
                }
                old.next();
                new.next();
            }
            (Some(gone), Some(_)) if !keys_after.contains(&gone.key) => {
                places.add(gone.bounds);
                old.next();
            }
            (Some(_), Some(come)) if !keys_before.contains(&come.key) => {
                places.add(come.bounds);
                new.next();
            }
            // Both are in both pictures, in another order.
            (Some(gone), Some(come)) => {
                places.add(gone.bounds);
                places.add(come.bounds);
                old.next();
                new.next();
            }
        }
    }
}

struct Places {
    sheet: Area,
    list: Vec<Area>,
}

impl Places {
    fn add(&mut self, bounds: Area) {
        let Area { x, y, width, height } = common(bounds, self.sheet);
        if width <= 0.0 || height <= 0.0 {
            return;
        }
        let (left, right) = whole(x, x + width, self.sheet.x + self.sheet.width);
        let (top, bottom) = whole(y, y + height, self.sheet.y + self.sheet.height);
        let place = Area::new(left, top, right - left, bottom - top);
        self.list.push(common(place, self.sheet));
    }

    /// The places, joined where that is not much more to paint, or where they overlap.
    fn apart(mut self) -> Vec<Area> {
        let mut apart: Vec<Area> = Vec::new();
        while let Some(mut place) = self.list.pop() {
            while let Some(index) = apart.iter().position(|&other| belong_together(place, other)) {
                place = united(place, apart.swap_remove(index));
            }
            apart.push(place);
            if apart.len() > PLACES_MAX {
                let all = apart.drain(..).reduce(united);
                self.list.extend(all);
            }
        }
        apart
    }
}

/// A stretch in whole pixels, of a length in which thin lines are painted, up to an end.
fn whole(from: f64, to: f64, end: f64) -> (f64, f64) {
    let from = from.floor();
    let to = to.ceil().max(from + SIDE_MIN).min(end);
    (from.min(to - SIDE_MIN), to)
}

fn belong_together(a: Area, b: Area) -> bool {
    size(common(a, b)) > 0.0 || size(united(a, b)) <= 1.2 * (size(a) + size(b))
}

fn size(area: Area) -> f64 {
    area.width * area.height
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::{Colour, Point};

    use super::*;
    use crate::outline::Outline;
    use crate::picture::{Filling, Piece};

    const SHEET: Area = Area::new(0.0, 0.0, 100.0, 100.0);

    fn dot(key: u64, x: f64, y: f64) -> Item {
        let outline = Outline::Circle { centre: Point::new(x, y), radius: 2.0 };
        let fill = Some(Filling::flat(Colour::hex(0)));
        Item::new(key, vec![Piece::Shape { outline, fill, stroke: None }])
    }

    fn check(before: &[Item], after: &[Item], expected: &[Area]) {
        let mut found = changes(before, after, SHEET);
        found.sort_by(|a, b| a.x.total_cmp(&b.x));
        assert_eq!(found, expected);
    }

    #[test]
    fn what_moved_is_repainted_where_it_was_and_where_it_is() {
        let (a, b) = (dot(1, 10.0, 10.0), dot(2, 50.0, 50.0));
        check(&[a.clone(), b.clone()], &[a.clone(), b.clone()], &[]);
        let moved = dot(2, 80.0, 80.0);
        let (old, new) = (Area::new(47.0, 47.0, 6.0, 6.0), Area::new(77.0, 77.0, 6.0, 6.0));
        check(&[a.clone(), b.clone()], &[a.clone(), moved], &[old, new]);
        check(&[a.clone(), b.clone()], std::slice::from_ref(&a), &[old]);
        check(std::slice::from_ref(&a), &[b.clone(), a.clone()], &[old]);
        check(std::slice::from_ref(&b), &[], &[old]);
    }

    #[test]
    fn what_is_drawn_in_another_order_is_repainted() {
        let (a, b) = (dot(1, 50.0, 50.0), dot(2, 51.0, 50.0));
        check(&[a.clone(), b.clone()], &[b, a], &[Area::new(47.0, 47.0, 7.0, 6.0)]);
    }

    #[test]
    fn a_place_has_room_for_thin_lines_also_at_the_edges_of_the_sheet() {
        assert_eq!(whole(10.2, 11.0, 100.0), (10.0, 14.0));
        assert_eq!(whole(10.0, 17.5, 100.0), (10.0, 18.0));
        assert_eq!(whole(99.0, 100.0, 100.0), (96.0, 100.0));
        let bar = Outline::Rectangle { area: Area::new(0.0, 99.0, 100.0, 9.0), radius: 0.0 };
        let fill = Some(Filling::flat(Colour::hex(0)));
        let bar = Item::new(1, vec![Piece::Shape { outline: bar, fill, stroke: None }]);
        check(&[], &[bar], &[Area::new(0.0, 96.0, 100.0, 4.0)]);
    }

    #[test]
    fn places_do_not_overlap_and_stay_on_the_sheet() {
        let after: Vec<Item> = (0_u32..200)
            .map(|n| dot(u64::from(n), f64::from(n) * 7.0 % 130.0, f64::from(n) % 97.0))
            .collect();
        let places = changes(&[], &after, SHEET);
        assert!(!places.is_empty() && places.len() <= PLACES_MAX);
        for (index, &place) in places.iter().enumerate() {
            assert_eq!(common(place, SHEET), place);
            assert!(places[index + 1..].iter().all(|&other| size(common(place, other)) == 0.0));
        }
    }
}
