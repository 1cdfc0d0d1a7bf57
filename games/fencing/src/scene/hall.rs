//! What stays: the wall with its light, the floor, the strip of the piste with its marks.

use quintain_core::Seat;
use quintain_core::scene::{
    Area, Curve, CurveKind, Form, Ink, Label, Legend, Paint, Shape, Stage, Style, id_of,
};

use super::{END, PROPORTIONS, PROPORTIONS_NARROW, boards};
use crate::setup::SPAWN;

/// Ids of what stays in the hall.
mod id {
    pub(super) const WALL: u32 = 0;
    pub(super) const PANELLING: u32 = 1;
    pub(super) const LIGHT: u32 = 2;
    pub(super) const FLOOR: u32 = 3;
    pub(super) const BOARDS: u32 = 4;
    pub(super) const STRIP: u32 = 5;
    pub(super) const EDGE: u32 = 6;
    pub(super) const END: u32 = 7;
    pub(super) const SPAWN: u32 = 9;
    pub(super) const TICKS: u32 = 11;
    /// Plus the mark's number.
    pub(super) const NUMBER: u32 = 20;
}

mod layer {
    pub(super) const WALL: u8 = 0;
    pub(super) const FLOOR: u8 = 1;
    pub(super) const STRIP: u8 = 2;
    pub(super) const MARK: u8 = 3;
}

/// The colours of this game.
pub(super) mod ink {
    use super::Ink;

    pub(super) const WALL: Ink = Ink::Own(0);
    pub(super) const PANELLING: Ink = Ink::Own(1);
    pub(super) const LIGHT: Ink = Ink::Own(2);
    pub(super) const FLOOR: Ink = Ink::Own(3);
    pub(super) const STRIP: Ink = Ink::Own(4);
    /// What a fencer wears on feet and hands, and the steel of a blade.
    pub(in crate::scene) const LEATHER: Ink = Ink::Own(5);
    pub(in crate::scene) const STEEL: Ink = Ink::Own(6);
    /// The inside of whoever is drawn hollow.
    pub(in crate::scene) const WHITE: Ink = Ink::Own(7);
    pub(in crate::scene) const SHADOW: Ink = Ink::Own(8);
    /// The board with the lamps.
    pub(in crate::scene) const BOARD: Ink = Ink::Own(9);
    pub(in crate::scene) const LAMP_OFF: Ink = Ink::Own(10);
    pub(in crate::scene) const BOARD_TEXT: Ink = Ink::Own(11);
    /// The scores on the dark board, in the shades that are bright on it.
    pub(in crate::scene) const BRIGHT_FIRST: Ink = Ink::Own(12);
    pub(in crate::scene) const BRIGHT_SECOND: Ink = Ink::Own(13);
    pub(in crate::scene) const GLOW: Ink = Ink::Own(14);
    /// The rim of the first fencer, and the cloth of the limbs that are behind.
    pub(in crate::scene) const RIM_FIRST: Ink = Ink::Own(15);
    pub(in crate::scene) const BEHIND_FIRST: Ink = Ink::Own(16);
    pub(in crate::scene) const BEHIND_SECOND: Ink = Ink::Own(17);
}

const PALETTE: [Paint; 18] = [
    Paint::down([0xE9E4D8, 0xFBF9F3], [0x151B2A, 0x212B41]),
    Paint::flat(0xD9D3C5, 0x1A2236),
    Paint::down([0xFFFFFF, 0xFBF9F3], [0x33405E, 0x212B41]),
    Paint::down([0xC9B79C, 0xB39C7B], [0x2A2B33, 0x1A1B21]),
    Paint::down([0xEEF1F5, 0xC3CAD5], [0x59647A, 0x3A4357]),
    Paint::flat(0x171B25, 0x0B0E14),
    Paint::flat(0x4A5366, 0xB9C2D2),
    Paint::flat(0xFFFFFF, 0xF3F0EA),
    Paint::flat(0x3A4152, 0x05070B),
    Paint::flat(0x171B25, 0x0B0E14),
    Paint::flat(0x3A3328, 0x2A2D36),
    Paint::flat(0xA0ABBC, 0xA0ABBC),
    Paint::flat(0x92BEFF, 0x92BEFF),
    Paint::flat(0xFFB180, 0xFFB180),
    Paint::glow(0xF2B50C, 0xFFC93C, 200),
    Paint::flat(0x123E8E, 0xBBD6FF),
    Paint::flat(0x1A50B2, 0x3F7FE6),
    Paint::flat(0xE3E1DB, 0xCBC7BE),
];

/// How far the hall reaches beyond the piste, so that no camera sees its end.
const BEYOND: f64 = 300.0;
const CEILING: f64 = -500.0;
/// Where the wall meets the floor, and where the strip ends towards the spectator.
const SKIRTING: f64 = -4.0;
pub(super) const STRIP_END: f64 = 10.0;
const FLOOR_END: f64 = 200.0;
/// Every so many steps of the piste have their number.
pub(super) const NUMBERED: f64 = 20.0;

pub(super) fn stage() -> Stage {
    let mut background = hall();
    background.extend(strip());
    background.extend(boards::background());
    // The whole piste, for whoever has no camera.
    let width = END + 40.0;
    let (across, down) = PROPORTIONS;
    let height = width * down / across;
    Stage {
        narrow: Some(PROPORTIONS_NARROW),
        background,
        palette: PALETTE.to_vec(),
        legend: legend(),
        curve: Some(Curve {
            name: "energy: first up, second down",
            kind: CurveKind::Both,
            max: 0.0,
        }),
        ..Stage::of_world(Area::new(-20.0, -height * 0.7, width, height))
    }
}

fn hall() -> Vec<Shape> {
    let (left, width) = (-BEYOND, END + 2.0 * BEYOND);
    let panel = 50.0;
    let count = (width / panel) as u32;
    let posts = (0..count).step_by(2).map(|number| {
        let x = left + f64::from(number) * panel;
        format!("M{x} {CEILING}h{panel}V{SKIRTING}h-{panel}z")
    });
    let cones = (0..count).step_by(3).map(|number| {
        let x = left + (f64::from(number) + 0.5) * panel;
        format!("M{} {}L{} {SKIRTING}H{}z", x, -125.0, x + 48.0, x - 48.0)
    });
    let boards = (0..(width / 22.0) as u32).map(|number| {
        let x = left + f64::from(number) * 22.0;
        format!("M{x} {STRIP_END}L{} {FLOOR_END}", x + (x - END / 2.0) * 0.9)
    });
    let ground = |top: f64, bottom: f64| Form::rectangle(left, top, width, bottom - top);
    let shape = |id, layer, form, style| Shape::new(id, layer, form, style).ornamental();
    vec![
        shape(id::WALL, layer::WALL, ground(-140.0, SKIRTING), Style::fill(ink::WALL)),
        shape(
            id::PANELLING,
            layer::WALL,
            Form::path(posts.collect::<String>()),
            Style::fill(ink::PANELLING).faded(0.55),
        ),
        shape(
            id::LIGHT,
            layer::WALL,
            Form::path(cones.collect::<String>()),
            Style::fill(ink::LIGHT).faded(0.45),
        ),
        shape(id::FLOOR, layer::FLOOR, ground(SKIRTING, 60.0), Style::fill(ink::FLOOR)),
        shape(
            id::BOARDS,
            layer::FLOOR,
            Form::path(boards.collect::<String>()),
            Style::stroke(ink::SHADOW, 0.25).faded(0.35),
        ),
    ]
}

fn strip() -> Vec<Shape> {
    let surface = Form::rectangle(0.0, 0.0, END, STRIP_END);
    let edge = Form::rectangle(0.0, STRIP_END, END, 1.2);
    let mut shapes = vec![
        Shape::new(id::STRIP, layer::STRIP, surface, Style::fill(ink::STRIP)).ornamental(),
        Shape::new(id::EDGE, layer::STRIP, edge, Style::fill(Ink::Wall)),
    ];
    for (number, x) in [0.0, END].into_iter().enumerate() {
        let form = Form::line((x, -8.0), (x, STRIP_END));
        let id = id::END + number as u32;
        shapes.push(Shape::new(id, layer::MARK, form, Style::stroke(Ink::Wall, 1.4)));
    }
    for (seat, &x) in SPAWN.iter() {
        let x = f64::from(x);
        let form = Form::line((x, 0.0), (x, STRIP_END));
        let style = Style::stroke(Ink::of(seat), 0.9).faded(0.8);
        shapes.push(Shape::new(id_of(id::SPAWN, seat), layer::MARK, form, style));
    }
    let ticks: String = (1..50).map(|number| format!("M{} {}v2", number * 10, 8)).collect();
    let ticks =
        Shape::new(id::TICKS, layer::MARK, Form::path(ticks), Style::stroke(Ink::Wall, 0.25));
    shapes.push(ticks.ornamental());
    for number in 0..=25_u32 {
        let label = Label::new(
            (f64::from(number) * NUMBERED, STRIP_END + 3.6),
            13.0,
            (number * NUMBERED as u32).to_string(),
        );
        let style = Style::fill(Ink::Text).with_halo(ink::FLOOR);
        shapes.push(Shape::new(id::NUMBER + number, layer::MARK, label.bold().into(), style));
    }
    shapes
}

fn legend() -> Vec<Legend> {
    let reach = |seat| {
        let style = Style::fill(Ink::of(seat)).faded(0.4);
        Legend::new(
            Form::rectangle(-0.9, -0.3, 1.8, 0.6),
            style,
            match seat {
                Seat::First => "how far a lunge of the first fencer reaches",
                Seat::Second => "how far a lunge of the second fencer reaches",
            },
        )
    };
    let arrow = Form::path("M-.9 0H.7M.3 -.4L.8 0L.3 .4");
    vec![
        reach(Seat::First),
        reach(Seat::Second),
        Legend::new(arrow, Style::stroke(Ink::Text, 0.2), "the way somebody went in this turn"),
        Legend::new(super::effects::star((0.0, 0.0), 0.9), Style::fill(Ink::Accent), "a touch"),
    ]
}
