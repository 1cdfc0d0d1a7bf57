//! Which places of a picture differ from the picture before.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::picture::Item;
use crate::rectangle::Rectangle;
use crate::tiles::Tiles;

/// What leads from one picture to the next.
pub(crate) struct Changes {
    /// Where they may look different.
    pub(crate) tiles: Tiles,
    /// For each item of the second picture its number in the first, if it is in both and looks the same.
    pub(crate) kept: Vec<Option<usize>>,
}

/// Compares two lists of items in their order. What is kept is in the same order in both, and all else marks
/// its place: elsewhere the same items lie over each other in the same way.
pub(crate) fn changes(before: &[Item], after: &[Item], sheet: Rectangle) -> Changes {
    let (keys_before, keys_after) = (keys(before), keys(after));
    let mut tiles = Tiles::none(sheet);
    let mut kept = vec![None; after.len()];
    let (mut old, mut new) = (0, 0);
    while let (Some(gone), Some(come)) = (before.get(old), after.get(new)) {
        let is_same = gone.key == come.key;
        if is_same && gone == come {
            kept[new] = Some(old);
            (old, new) = (old + 1, new + 1);
            continue;
        }
        let is_gone = !keys_after.contains(&gone.key);
        let is_new = !keys_before.contains(&come.key);
        // What is in both pictures has changed, or is in another order.
        if is_gone || !is_new {
            tiles.add(gone.bounds);
            old += 1;
        }
        if is_new || !is_gone {
            tiles.add(come.bounds);
            new += 1;
        }
    }
    before[old..].iter().for_each(|gone| tiles.add(gone.bounds));
    after[new..].iter().for_each(|come| tiles.add(come.bounds));
    Changes { tiles, kept }
}

/// For maps and sets of keys.
pub(crate) type KeyHash = BuildHasherDefault<KeyHasher>;

fn keys(items: &[Item]) -> HashSet<u64, KeyHash> {
    items.iter().map(|item| item.key).collect()
}

/// Keys are numbers of our own making, which need no protection and are asked for all the time.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::{Colour, Point};

    use super::*;
    use crate::outline::Outline;
    use crate::picture::{Filling, Piece};

    const SHEET: Rectangle = Rectangle { left: 0, top: 0, right: 100, bottom: 100 };

    fn dot(key: u64, x: f64, y: f64) -> Item {
        let outline = Outline::Circle { centre: Point::new(x, y), radius: 2.0 };
        let fill = Some(Filling::flat(Colour::hex(0)));
        Item::new(key, vec![Piece::Shape { outline, fill, stroke: None }])
    }

    /// What is kept, and that exactly the places of some items are marked.
    fn check(before: &[Item], after: &[Item], kept: &[Option<usize>], marked: &[&Item]) {
        let found = changes(before, after, SHEET);
        let mut expected = Tiles::none(SHEET);
        marked.iter().for_each(|item| expected.add(item.bounds));
        assert_eq!(found.kept, kept);
        assert_eq!(found.tiles, expected);
    }

    #[test]
    fn what_moved_is_repainted_where_it_was_and_where_it_is() {
        let (a, b) = (dot(1, 10.0, 10.0), dot(2, 50.0, 50.0));
        let both = [a.clone(), b.clone()];
        check(&both, &both, &[Some(0), Some(1)], &[]);
        let moved = dot(2, 80.0, 80.0);
        check(&both, &[a.clone(), moved.clone()], &[Some(0), None], &[&b, &moved]);
        check(&both, std::slice::from_ref(&a), &[Some(0)], &[&b]);
        check(std::slice::from_ref(&a), &[b.clone(), a.clone()], &[None, Some(0)], &[&b]);
        check(std::slice::from_ref(&b), &[], &[], &[&b]);
    }

    #[test]
    fn what_is_drawn_in_another_order_is_repainted() {
        let (a, b) = (dot(1, 50.0, 50.0), dot(2, 51.0, 50.0));
        check(&[a.clone(), b.clone()], &[b.clone(), a.clone()], &[None, None], &[&a, &b]);
    }
}
