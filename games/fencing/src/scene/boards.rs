//! The planes beside the hall: the board with the lamps and the whole piste in small.

use quintain_core::Seat;
use quintain_core::scene::{Area, Form, Ink, Label, Point, Scene, Shape, Style, Window, id_of};

use super::hall::ink;
use super::{END, facing};
use crate::setup::SPAWN;
use crate::{Event, Fencing};

const LAMPS: u8 = 1;
const SMALL_PISTE: u8 = 2;

const LAMPS_VIEW: Area = Area::new(0.0, 0.0, 100.0, 28.0);
const PISTE_VIEW: Area = Area::new(-30.0, -12.0, END + 60.0, 24.0);

pub(super) const WINDOWS: [Window; 2] = [
    Window::whole(LAMPS, LAMPS_VIEW).placed(1, Area::new(0.38, 0.0, 0.24, 0.15)),
    Window::whole(SMALL_PISTE, PISTE_VIEW).placed(2, Area::new(0.1, 0.915, 0.8, 0.075)),
];

/// Ids of what is on the boards. What each seat has is followed by its number.
mod id {
    pub(super) const BOARD: u32 = 300;
    pub(super) const CORDS: u32 = 301;
    pub(super) const COLON: u32 = 302;
    pub(super) const LAMP_GLOW: u32 = 304;
    pub(super) const LAMP: u32 = 306;
    pub(super) const POINTS: u32 = 308;
    pub(super) const SMALL_GROUND: u32 = 310;
    pub(super) const SMALL_STRIP: u32 = 311;
    pub(super) const SMALL_MARKS: u32 = 312;
    pub(super) const SMALL_END: u32 = 313;
    pub(super) const SMALL_FENCER: u32 = 316;
    pub(super) const SMALL_NUMBER: u32 = 318;
}

mod layer {
    pub(super) const BOARD: u8 = 20;
    pub(super) const THING: u8 = 21;
    pub(super) const WORDS: u8 = 22;
}

/// What stays on the boards.
pub(super) fn background() -> Vec<Shape> {
    let board = Form::rounded(Area::new(1.0, 1.0, 98.0, 26.0), 3.0);
    let dots = Form::path("M50 11h.01M50 18h.01");
    let strip = Form::line((0.0, 0.0), (END, 0.0));
    let ground = Form::rounded(Area::new(-29.0, -11.0, END + 58.0, 22.0), 11.0);
    let marks: String = SPAWN.0.iter().map(|x| format!("M{x} -5v10")).collect();
    let marks = format!("M0 -6v12M{END} -6v12{marks}");
    let mut shapes = vec![
        Shape::new(
            id::BOARD,
            layer::BOARD,
            board,
            Style::fill(ink::BOARD).outlined(ink::STEEL, 0.6),
        )
        .on_plane(LAMPS),
        Shape::new(
            id::CORDS,
            layer::BOARD,
            Form::path("M18 1v-4M82 1v-4"),
            Style::stroke(ink::LEATHER, 1.2),
        )
        .on_plane(LAMPS),
        Shape::new(id::COLON, layer::WORDS, dots, Style::stroke(ink::BOARD_TEXT, 2.2))
            .on_plane(LAMPS),
        Shape::new(id::SMALL_GROUND, layer::BOARD, ground, Style::fill(Ink::Ground).faded(0.92))
            .on_plane(SMALL_PISTE),
        Shape::new(id::SMALL_STRIP, layer::BOARD, strip, Style::stroke(Ink::Faint, 4.0))
            .on_plane(SMALL_PISTE),
        Shape::new(id::SMALL_MARKS, layer::BOARD, Form::path(marks), Style::stroke(Ink::Text, 1.4))
            .on_plane(SMALL_PISTE),
    ];
    for (number, x) in [(0, -14.0), (1, END + 15.0)] {
        let text = if number == 0 { "0" } else { "500" };
        let label = Label::new((x, 0.0), 13.0, text).bold();
        let id = id::SMALL_END + number;
        let shape = Shape::new(id, layer::WORDS, label.into(), Style::fill(Ink::Text));
        shapes.push(shape.on_plane(SMALL_PISTE));
    }
    shapes
}

impl Fencing {
    /// The score, and the lamp of whoever has just touched.
    pub(super) fn draw_lamps(&self, last: &[Event], scene: &mut Scene) {
        for seat in Seat::BOTH {
            let middle = 50.0 - 36.0 * facing(seat);
            let has_point = last.iter().any(|event| match *event {
                Event::Touched { striker } => striker == seat,
                Event::Outside { seat: who } => who != seat,
                _ => false,
            });
            let bright = match seat {
                Seat::First => ink::BRIGHT_FIRST,
                Seat::Second => ink::BRIGHT_SECOND,
            };
            let fill = if has_point { Ink::of(seat) } else { ink::LAMP_OFF };
            let mut add = |id, layer, form, style| {
                let shape = Shape::new(id_of(id, seat), layer, form, style);
                scene.shapes.push(shape.jumping().on_plane(LAMPS));
            };
            if has_point {
                let style = Style::fill(bright).faded(0.25);
                add(id::LAMP_GLOW, layer::BOARD, lamp(seat, middle, 11.0), style);
            }
            let style =
                Style::fill(fill).outlined(if has_point { ink::WHITE } else { ink::STEEL }, 0.5);
            add(id::LAMP, layer::THING, lamp(seat, middle, 7.5), style);
            let at = (50.0 - 16.0 * facing(seat), 14.5);
            let points = self.fencers()[seat].points.to_string();
            let label = Label::new(at, 12.0, points).sized(19.0).bold();
            add(id::POINTS, layer::WORDS, label.into(), Style::fill(bright));
        }
    }

    pub(super) fn draw_small_piste(&self, scene: &mut Scene) {
        for (seat, fencer) in self.fencers().iter() {
            let x = f64::from(fencer.position);
            let (style, words) = match seat {
                Seat::First => (Style::fill(Ink::First), Ink::Ground),
                Seat::Second => (Style::fill(Ink::Ground).outlined(Ink::Second, 2.0), Ink::Second),
            };
            let form = sign(seat, Point::new(x, 0.0), 9.0);
            let shape = Shape::new(id_of(id::SMALL_FENCER, seat), layer::THING, form, style);
            scene.shapes.push(shape.on_plane(SMALL_PISTE).labelled(format!("at {x}")));
            let number = if seat == Seat::First { "1" } else { "2" };
            let label = Label::new((x, 0.0), 12.0, number).sized(10.0).bold();
            let shape = Shape::new(
                id_of(id::SMALL_NUMBER, seat),
                layer::WORDS,
                label.into(),
                Style::fill(words),
            );
            scene.shapes.push(shape.on_plane(SMALL_PISTE));
        }
    }
}

fn lamp(seat: Seat, x: f64, size: f64) -> Form {
    sign(seat, Point::new(x, 14.5), size)
}

/// A disc of the first seat, a diamond of the second.
fn sign(seat: Seat, at: Point, size: f64) -> Form {
    let Point { x, y } = at;
    match seat {
        Seat::First => Form::circle(at, size),
        Seat::Second => Form::polygon([(x, y - size), (x + size, y), (x, y + size), (x - size, y)]),
    }
}
