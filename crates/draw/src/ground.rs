//! What lies below everything else and is the same in many pictures of a film: painted once for all of them.
//!
//! Most of it is in all pictures. Where a camera moves, the stage is seen from one place or another, and often
//! from one where it has been before.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::changes::{KeyHash, changes};
use crate::painter::{Canvas, Painter};
use crate::picture::Item;
use crate::rectangle::Rectangle;
use crate::tiles::Tiles;

/// How much memory painted grounds may take; there is always room for one.
const BYTES_MAX: usize = 32 << 20;

/// The grounds of a film.
pub(crate) struct Grounds {
    /// What is in all pictures, by its key.
    fixed: HashMap<u64, Item, KeyHash>,
    /// The keys of what belongs to the stage.
    scenery: HashSet<u64, KeyHash>,
    /// Those that were needed so far, the latest first.
    painted: VecDeque<Ground>,
}

#[derive(Clone)]
struct Ground {
    items: Vec<Item>,
    canvas: Canvas,
}

/// How a picture lies on its ground.
pub(crate) struct Footing {
    /// Which of its items belong to the ground.
    pub(crate) is_ground: Vec<bool>,
    /// Where something else lies below a part of the ground, which then is no ground.
    pub(crate) spoilt: Tiles,
}

impl Grounds {
    /// From some pictures of a film: what is in all of them, and the stage, with nothing below it that is neither.
    pub(crate) fn of(samples: &[Vec<Item>], canvas: Canvas) -> Grounds {
        let mut fixed: HashMap<u64, Item, KeyHash> =
            samples.iter().take(1).flatten().map(|item| (item.key, item.clone())).collect();
        for sample in samples {
            let known: HashMap<u64, &Item, KeyHash> =
                sample.iter().map(|item| (item.key, item)).collect();
            fixed.retain(|key, item| known.get(key) == Some(&&*item));
        }
        let scenery = samples.iter().flatten().filter(|item| item.is_scenery);
        let scenery = scenery.map(|item| item.key).collect();
        let sheet = canvas.sheet();
        let bare = Ground { items: Vec::new(), canvas };
        let mut grounds = Grounds { fixed, scenery, painted: VecDeque::from([bare]) };
        // Whatever is no ground may lie below something that was taken for it.
        while samples.iter().any(|sample| grounds.drop_what_is_above(sample, sheet)) {}
        grounds
    }

    /// What lies above something that is no ground is none either. Says whether there was such a thing.
    fn drop_what_is_above(&mut self, sample: &[Item], sheet: Rectangle) -> bool {
        let mut others = Pile::new(sheet);
        let mut has_dropped = false;
        for item in sample {
            if self.has(item) && others.is_below(item) {
                self.fixed.remove(&item.key);
                self.scenery.remove(&item.key);
                has_dropped = true;
            }
            if !self.has(item) {
                others.add(item);
            }
        }
        has_dropped
    }

    fn has(&self, item: &Item) -> bool {
        (item.is_scenery && self.scenery.contains(&item.key))
            || self.fixed.get(&item.key) == Some(item)
    }

    /// Makes the ground of a picture the one that [`canvas`](Grounds::canvas) shows.
    pub(crate) fn lay(&mut self, items: &[Item], painter: &mut Painter) -> Footing {
        let sheet = self.canvas().sheet();
        let mut spoilt = Tiles::none(sheet);
        let mut others = Pile::new(sheet);
        let mut is_ground = Vec::with_capacity(items.len());
        for item in items {
            is_ground.push(self.has(item));
            if is_ground.last() == Some(&false) {
                others.add(item);
            } else {
                others.above(item).for_each(|place| spoilt.add_place(place));
            }
        }
        let ground = || items.iter().zip(&is_ground).filter(|(_, is)| **is).map(|(item, _)| item);
        let known = self.painted.iter().position(|painted| painted.items.iter().eq(ground()));
        let laid = known.and_then(|index| self.painted.remove(index));
        let laid = laid.unwrap_or_else(|| {
            let mut next = self.spare();
            next.repaint(ground().cloned().collect(), painter);
            next
        });
        self.painted.push_front(laid);
        Footing { is_ground, spoilt }
    }

    /// The ground of the latest picture.
    pub(crate) fn canvas(&self) -> &Canvas {
        &self.painted[0].canvas
    }

    /// A copy of the latest ground, to be painted over, in place of one that was not needed for long.
    fn spare(&mut self) -> Ground {
        let latest = &self.painted[0];
        let bytes = latest.canvas.pixels.data().len() * (self.painted.len() + 1);
        if bytes <= BYTES_MAX && !latest.items.is_empty() {
            return latest.clone();
        }
        let mut oldest = self.painted.pop_back().expect("there is always one");
        if let Some(latest) = self.painted.front() {
            let tiles = changes(&oldest.items, &latest.items, latest.canvas.sheet()).tiles;
            oldest.canvas.copy(&tiles, &latest.canvas);
            oldest.items.clone_from(&latest.items);
        }
        oldest
    }
}

impl Ground {
    /// Paints another one over it, where they differ.
    fn repaint(&mut self, items: Vec<Item>, painter: &mut Painter) {
        let sheet = self.canvas.sheet();
        let tiles = changes(&self.items, &items, sheet).tiles;
        self.canvas.clear(&tiles);
        for item in items.iter().filter(|item| tiles.touches(item.bounds)) {
            // What a camera moves is painted elsewhere each time, and there only once.
            let sprite = match item.is_scenery {
                true => painter.sprite(item, sheet).map(Into::into),
                false => painter.remembered(item, sheet),
            };
            if let Some(sprite) = sprite {
                let parts = tiles.parts(sprite.place);
                parts.for_each(|part| sprite.lay(part, &mut self.canvas.pixels));
            }
        }
        self.items = items;
    }
}

/// Where some items are; roughly, too, since most items are far from each other.
struct Pile {
    sheet: Rectangle,
    places: Vec<Rectangle>,
    tiles: Tiles,
}

impl Pile {
    fn new(sheet: Rectangle) -> Pile {
        Pile { sheet, places: Vec::new(), tiles: Tiles::none(sheet) }
    }

    fn add(&mut self, item: &Item) {
        self.places.extend(Rectangle::touched(item.bounds, self.sheet));
        self.tiles.add(item.bounds);
    }

    /// Whether a pixel of an item has a part of the pile below it.
    fn is_below(&self, item: &Item) -> bool {
        self.above(item).next().is_some()
    }

    /// The places of an item that may have a part of the pile below them.
    fn above(&self, item: &Item) -> impl Iterator<Item = Rectangle> {
        let place = Rectangle::touched(item.bounds, self.sheet);
        let place = place.filter(|_| self.tiles.touches(item.bounds));
        let places = place.map(|place| self.places.iter().map(move |other| other.common(place)));
        places.into_iter().flatten().filter(|common| !common.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::{Area, Colour, Point};

    use super::*;
    use crate::outline::Outline;
    use crate::picture::{Filling, Piece};

    fn dot(key: u64, x: f64, radius: f64) -> Item {
        let outline = Outline::Circle { centre: Point::new(x, 50.0), radius };
        let fill = Some(Filling::flat(Colour::hex(0)));
        Item::new(key, vec![Piece::Shape { outline, fill, stroke: None }])
    }

    fn grounds(samples: &[Vec<Item>]) -> Grounds {
        let canvas = Canvas::transparent(Area::new(0.0, 0.0, 100.0, 100.0)).expect("it has pixels");
        Grounds::of(samples, canvas)
    }

    #[test]
    fn what_is_in_all_pictures_is_the_ground_unless_it_lies_above_something_else() {
        let (wide, left, right) = (dot(1, 50.0, 50.0), dot(2, 10.0, 5.0), dot(3, 90.0, 5.0));
        let moves = |x| dot(4, x, 5.0);
        let first = vec![wide.clone(), moves(10.0), left.clone(), right.clone()];
        let second = vec![wide.clone(), moves(12.0), left.clone(), right.clone()];
        let mut grounds = grounds(&[first.clone(), second]);
        let mut lay = |items: &[Item]| grounds.lay(items, &mut Painter::default());
        let none = Tiles::none(Rectangle::sheet(100, 100));
        let footing = lay(&first);
        assert_eq!(footing.is_ground, [true, false, false, true], "one lies above what moves");
        assert_eq!(footing.spoilt, none);
        let footing = lay(&[wide.clone(), moves(90.0), right.clone()]);
        assert_eq!(footing.is_ground, [true, false, true]);
        assert!(footing.spoilt.touches(right.bounds), "something is between");
        assert!(!footing.spoilt.touches(left.bounds));
        assert_eq!(lay(&[wide]).is_ground, [true], "a part is missing");
    }

    #[test]
    fn a_stage_that_was_seen_before_from_the_same_place_is_not_painted_again() {
        let seen = |x| vec![dot(1, 90.0, 5.0), Item { is_scenery: true, ..dot(2, x, 9.0) }];
        let mut grounds = grounds(&[seen(30.0), seen(40.0)]);
        let mut painter = Painter::default();
        let mut lay = |x| {
            let footing = grounds.lay(&seen(x), &mut painter);
            assert_eq!(footing.is_ground, [true, true]);
            (grounds.painted.len(), grounds.canvas().pixels.clone())
        };
        let (first, second) = (lay(30.0), lay(60.0));
        assert!(first.1 != second.1, "it looks different from there");
        assert_eq!((first.0, second.0), (1, 2));
        assert!(lay(30.0) == (2, first.1));
        assert!(lay(60.0) == (2, second.1));
    }
}
