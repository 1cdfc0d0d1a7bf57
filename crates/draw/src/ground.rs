//! What stays the same in all pictures of a film and lies below everything else: painted once.

use std::collections::HashMap;

use quintain_core::scene::Area;

use crate::painter::{Canvas, Painter};
use crate::picture::{Item, common};

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
        for sample in samples {
            items = lowest(&items, sample);
        }
        painter.paint(&items.iter().collect::<Vec<_>>(), &mut canvas);
        Ground { items, canvas }
    }

    /// The items of a picture that lie above this ground; `None` if it is not the ground of that picture.
    pub(crate) fn above<'a>(&self, items: &'a [Item]) -> Option<Vec<&'a Item>> {
        let mut ground = self.items.iter().peekable();
        let mut above: Vec<&Item> = Vec::with_capacity(items.len());
        for item in items {
            if ground.peek() != Some(&item) {
                above.push(item);
                continue;
            }
            if above.iter().any(|other| overlap(other.bounds, item.bounds)) {
                return None;
            }
            ground.next();
        }
        ground.peek().is_none().then_some(above)
    }
}

/// Those of some items that have nothing else of a picture below them.
fn lowest(items: &[Item], sample: &[Item]) -> Vec<Item> {
    let mut left = items.iter().peekable();
    let mut others: Vec<&Item> = Vec::new();
    let mut lowest = Vec::new();
    for item in sample {
        if left.peek() == Some(&item) {
            left.next();
            if !others.iter().any(|other| overlap(other.bounds, item.bounds)) {
                lowest.push(item.clone());
                continue;
            }
        }
        others.push(item);
    }
    lowest
}

fn overlap(a: Area, b: Area) -> bool {
    let shared = common(a, b);
    shared.width > 0.0 && shared.height > 0.0
}

#[cfg(test)]
mod tests {
    use quintain_core::scene::{Colour, Point};

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
        assert_eq!(above, [&moves(10.0), &left]);
        assert_eq!(ground.above(&[right.clone(), wide.clone()]), None, "another order");
        assert_eq!(ground.above(&[wide.clone(), moves(90.0), right]), None, "something is between");
        assert_eq!(ground.above(&[wide]), None, "a part is missing");
    }
}
