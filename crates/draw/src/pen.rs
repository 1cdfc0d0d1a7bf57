//! What the sheet itself is written and drawn with.

use quintain_core::Seat;
use quintain_core::scene::{Anchor, Area, Colour, Point};

use crate::fonts::Weight;
use crate::layout::Measures;
use crate::outline::Outline;
use crate::picture::{Filling, Item, Letters, Piece, Stroke};
use crate::shades::Table;
use crate::text::{shortened, width, wrapped};

/// Adds items of the sheet in a theme.
pub(crate) struct Pen<'a> {
    pub(crate) out: &'a mut Vec<Item>,
    pub(crate) table: &'static Table,
    pub(crate) measures: Measures,
}

/// How a line of words looks. Its size is in units of the design.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) colour: Colour,
    pub(crate) anchor: Anchor,
}

impl Words {
    pub(crate) const fn regular(size: f64, colour: Colour) -> Words {
        Words { size, weight: Weight::Regular, colour, anchor: Anchor::Start }
    }

    pub(crate) const fn bold(size: f64, colour: Colour) -> Words {
        Words { size, weight: Weight::Bold, colour, anchor: Anchor::Start }
    }

    pub(crate) const fn anchored(mut self, anchor: Anchor) -> Words {
        self.anchor = anchor;
        self
    }
}

impl Pen<'_> {
    pub(crate) fn unit(&self) -> f64 {
        self.measures.unit
    }

    pub(crate) fn rectangle(&mut self, area: Area, radius: f64, colour: Colour) {
        self.shape(Outline::Rectangle { area, radius }, Some(colour), None);
    }

    pub(crate) fn shape(&mut self, outline: Outline, fill: Option<Colour>, stroke: Option<Stroke>) {
        let fill = fill.map(Filling::flat);
        self.add(Item::fixed(vec![Piece::Shape { outline, fill, stroke }]));
    }

    pub(crate) fn add(&mut self, item: Item) {
        if item.is_seen() {
            self.out.push(item);
        }
    }

    /// How wide a text is in these words.
    pub(crate) fn width(&self, words: Words, text: &str) -> f64 {
        width(text, self.measures.letters(words.size), words.weight)
    }

    /// Writes a text whose letters have their middle at the height `y`, shortened if need be.
    pub(crate) fn write(&mut self, words: Words, x: f64, y: f64, text: &str, room: f64) {
        let size = self.measures.letters(words.size);
        if text.is_empty() || size <= 0.0 || room < size {
            return;
        }
        let text = shortened(text, size, words.weight, room).into_owned();
        self.add(Item::fixed(vec![Piece::Letters(Letters {
            at: Point::new(x, y),
            size,
            weight: words.weight,
            anchor: words.anchor,
            text,
            filling: Filling::flat(words.colour),
            halo: None,
        })]));
    }

    /// Writes a text in lines of an even distance, the first of them at the height `y`; says how many.
    pub(crate) fn write_lines(
        &mut self,
        words: Words,
        (x, y): (f64, f64),
        text: &str,
        room: f64,
        lines_max: usize,
    ) -> usize {
        let size = self.measures.letters(words.size);
        let lines = wrapped(text, size, words.weight, room, lines_max);
        for (index, line) in lines.iter().enumerate() {
            self.write(words, x, y + index as f64 * size * LINE, line, room);
        }
        lines.len()
    }

    /// The sign of a seat: a full disc for the first, a hollow diamond for the second.
    pub(crate) fn sign(&mut self, seat: Seat, centre: Point, radius: f64) {
        let (colour, card) = (self.table.seat(seat), self.table.card);
        let number = match seat {
            Seat::First => {
                self.shape(Outline::Circle { centre, radius }, Some(colour), None);
                Words::bold(0.0, card)
            }
            Seat::Second => {
                let reach = radius * 1.1;
                let corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)];
                let points = corners.map(|(x, y)| Point::new(centre.x + x, centre.y + y)).to_vec();
                let diamond = Outline::Chain { points, is_closed: true };
                self.shape(diamond, Some(card), Some(Stroke::plain(colour, radius * 0.22)));
                Words::bold(0.0, self.table.seat_letters(seat))
            }
        };
        self.add(Item::fixed(vec![Piece::Letters(Letters {
            at: centre,
            size: radius * 1.1,
            weight: number.weight,
            anchor: Anchor::Middle,
            text: (seat.index() + 1).to_string(),
            filling: Filling::flat(number.colour),
            halo: None,
        })]));
    }
}

/// The distance of lines, in sizes of their letters.
pub(crate) const LINE: f64 = 1.4;
