//! What stays the same in all pictures of a film and lies below everything else: painted once.

use std::collections::HashMap;

use crate::painter::{Canvas, Painter};
use crate::picture::Item;
use crate::rectangle::Rectangle;
use crate::tiles::Tiles;

pub(crate) struct Ground {
    items: Vec<Item>,
    pub(crate) canvas: Canvas,
}

impl Ground {
    /// From some pictures of a film: what is in all of them, with nothing below it that is not.
    pub(crate) fn of(samples: &[Vec<Item>], mut canvas: Canvas, painter: &mut Painter) -> Ground {
        let mut items = samples.first().cloned().unwrap_or_default();
        for sample in samples {
            let known: HashMap<u64, &Item> = sample.iter().map(|item| (item.key, item)).collect();
            items.retain(|item| known.get(&item.key) == Some(&item));
        }
        let sheet = canvas.sheet();
        for sample in samples {
            items = lowest(&items, sample, sheet);
        }
        painter.paint(&items, &mut canvas);
        Ground { items, canvas }
    }

    /// Which items of a picture lie above this ground; `None` if it is not the ground of that picture.
    pub(crate) fn above(&self, items: &[Item]) -> Option<Vec<bool>> {
        let mut ground = self.items.iter().peekable();
        let mut above = Pile::new(self.canvas.sheet());
        let mut is_above = Vec::with_capacity(items.len());
        for item in items {
            let is_ground = ground.peek() == Some(&item);
            is_above.push(!is_ground);
            if !is_ground {
                above.add(item);
            } else if above.is_below(item) {
                return None;
            } else {
                ground.next();
            }
        }
        ground.peek().is_none().then_some(is_above)
    }
}

/// Those of some items that have nothing else of a picture below them.
fn lowest(items: &[Item], sample: &[Item], sheet: Rectangle) -> Vec<Item> {
    let mut left = items.iter().peekable();
    let mut others = Pile::new(sheet);
    let mut lowest = Vec::new();
    for item in sample {
        if left.peek() == Some(&item) {
            left.next();
            if !others.is_below(item) {
                lowest.push(item.clone());
                continue;
            }
        }
        others.add(item);
    }
    lowest
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
        let Some(place) = Rectangle::touched(item.bounds, self.sheet) else { return false };
        self.tiles.touches(item.bounds)
            && self.places.iter().any(|other| !other.common(place).is_empty())
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

    fn ground(samples: &[Vec<Item>]) -> Ground {
        let canvas = Canvas::transparent(Area::new(0.0, 0.0, 100.0, 100.0)).expect("it has pixels");
        Ground::of(samples, canvas, &mut Painter::default())
    }

    #[test]
    fn what_is_in_all_pictures_is_the_ground_unless_it_lies_above_something_else() {
        let (wide, left, right) = (dot(1, 50.0, 50.0), dot(2, 10.0, 5.0), dot(3, 90.0, 5.0));
        let moves = |x| dot(4, x, 5.0);
        let first = vec![wide.clone(), moves(10.0), left.clone(), right.clone()];
        let second = vec![wide.clone(), moves(12.0), left.clone(), right.clone()];
        let ground = ground(&[first.clone(), second]);
        assert_eq!(
            ground.items,
            [wide.clone(), right.clone()],
            "the left one lies above what moves"
        );
        let above = ground.above(&first).expect("the ground is there");
        assert_eq!(above, [false, true, true, false]);
        assert_eq!(ground.above(&[right.clone(), wide.clone()]), None, "another order");
        assert_eq!(ground.above(&[wide.clone(), moves(90.0), right]), None, "something is between");
        assert_eq!(ground.above(&[wide]), None, "a part is missing");
    }
}
