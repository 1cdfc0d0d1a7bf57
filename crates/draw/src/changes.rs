//! Which places of a picture differ from the picture before.

use std::collections::HashSet;

use quintain_core::scene::Area;

use crate::picture::{Item, common, united};

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
        let (left, top) = (bounds.x.floor(), bounds.y.floor());
        let right = (bounds.x + bounds.width).ceil();
        let bottom = (bounds.y + bounds.height).ceil();
        let place = common(Area::new(left, top, right - left, bottom - top), self.sheet);
        if size(place) > 0.0 {
            self.list.push(place);
        }
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
