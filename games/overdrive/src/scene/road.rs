//! What stays: verges, kerbs, asphalt, and the lines between the lanes.

use quintain_core::scene::{Area, Curve, CurveKind, Form, Ink, Legend, Paint, Shape, Stage, Style};

use super::symbols::{self, ink};
use super::{Lens, NARROW, WIDE, boards};
use crate::Track;

/// Ids of what stays.
mod id {
    pub(super) const VERGE: u32 = 0;
    pub(super) const TUFTS: u32 = 1;
    pub(super) const ASPHALT: u32 = 2;
    /// Upper and lower.
    pub(super) const KERB: u32 = 3;
    pub(super) const KERB_RED: u32 = 5;
    /// Plus the lane.
    pub(super) const LANE_LINE: u32 = 10;
}

mod layer {
    pub(super) const VERGE: u8 = 0;
    pub(super) const ROAD: u8 = 1;
    pub(super) const LINE: u8 = 2;
}

const PALETTE: [Paint; 17] = [
    Paint::flat(0xC9D08F, 0x1E2A20),
    Paint::flat(0x9AA75E, 0x33472F),
    Paint::down([0x5C6472, 0x69717F], [0x20252F, 0x272D39]),
    Paint::flat(0xC8262F, 0x96242B),
    Paint::flat(0xF2F3F5, 0x8A94A6),
    Paint::flat(0x6B4423, 0x7A5230),
    Paint::flat(0x8A5E36, 0x946A44),
    Paint::flat(0x1A1626, 0x07060C),
    Paint::flat(0x6C4FA8, 0x7B5FC0),
    Paint::flat(0xB1452F, 0xA4452F),
    Paint::flat(0xE8C7A6, 0xC9A17E),
    Paint::down([0xC3C9D2, 0x8B94A3], [0xAAB3C2, 0x6C7686]),
    Paint::flat(0x171B25, 0x0B0E14),
    Paint::flat(0xFFFFFF, 0xF3F0EA),
    Paint::flat(0xC2185B, 0xC2185B),
    Paint::flat(0x2E7D32, 0x2E7D32),
    Paint::flat(0x5E2B97, 0x6B35A8),
];

/// How far the grass reaches beside the road and beyond its ends.
const BESIDE: f64 = 8.0;
const BEYOND: f64 = 40.0;

pub(super) fn stage(track: &Track) -> Stage {
    let (lanes, length) = (f64::from(track.lanes()), f64::from(track.length()));
    let mut background = ground(lanes, length);
    for lane in 1..track.lanes() {
        let y = f64::from(lane) + 0.5;
        let form = Form::line((0.5, y), (length + 0.5, y));
        let style = Style::stroke(ink::PAINT, 0.06).dashed(0.75);
        let line = Shape::new(id::LANE_LINE + u32::from(lane), layer::LINE, form, style);
        background.push(line.ornamental());
    }
    background.extend(boards::background(track));
    let Lens { sight, proportions: (across, down), .. } = WIDE;
    let rows = sight * down / across;
    Stage {
        narrow: Some(NARROW.proportions),
        background,
        palette: PALETTE.to_vec(),
        symbols: symbols::all(),
        legend: legend(),
        curve: Some(Curve {
            name: "blocks by which the first car leads",
            kind: CurveKind::Difference,
            max: 0.0,
        }),
        ..Stage::of_world(Area::new(0.5, (lanes + 1.0 - rows) / 2.0, sight, rows))
    }
}

fn ground(lanes: f64, length: f64) -> Vec<Shape> {
    let (left, width) = (-BEYOND, length + 2.0 * BEYOND);
    let verge = Form::rectangle(left, -BESIDE, width, lanes + 1.0 + 2.0 * BESIDE);
    let road = Form::rectangle(0.5, 0.5, length, lanes);
    let mut shapes = vec![
        Shape::new(id::VERGE, layer::VERGE, verge, Style::fill(ink::VERGE)),
        Shape::new(
            id::TUFTS,
            layer::VERGE,
            Form::path(tufts(lanes, length)),
            Style::stroke(ink::TUFT, 0.06),
        ),
        Shape::new(id::ASPHALT, layer::ROAD, road, Style::fill(ink::ASPHALT)),
    ];
    for (number, y) in [(0, 0.42), (1, lanes + 0.58)] {
        let line = || Form::line((0.5, y), (length + 0.5, y));
        let white = Style::stroke(ink::PAINT, 0.16);
        let red = Style::stroke(ink::KERB, 0.16).dashed(1.0);
        shapes.push(Shape::new(id::KERB + number, layer::ROAD, line(), white));
        shapes.push(Shape::new(id::KERB_RED + number, layer::LINE, line(), red));
    }
    shapes.into_iter().map(Shape::ornamental).collect()
}

/// Tufts of grass on both sides, the same for every track.
fn tufts(lanes: f64, length: f64) -> String {
    let count = (length / 2.0) as u32;
    let tuft = |number: u32| {
        // Any numbers that look scattered will do.
        let scattered = number.wrapping_mul(2_654_435_761) >> 8;
        let x = f64::from(number) * 2.0 + f64::from(scattered % 17) / 10.0;
        let away = 0.25 + f64::from(scattered / 17 % 23) / 12.0;
        let y = if number.is_multiple_of(2) { -away } else { lanes + 1.2 + away };
        format!("M{x:.1} {y:.1}l-.1 -.2m.1 .2l.1 -.2")
    };
    (0..count).map(tuft).collect()
}

fn legend() -> Vec<Legend> {
    let entry = |symbol, text| {
        Legend::new(Form::symbol(symbol, (0.0, 0.0), 0.95), Style::fill(Ink::Text), text)
    };
    let car = |symbol, ink, text| {
        Legend::new(Form::symbol(symbol, (0.0, 0.0), 0.95), Style::fill(ink), text)
    };
    vec![
        car(symbols::COUPE, Ink::First, "the first car"),
        car(symbols::WEDGE, Ink::Second, "the second car"),
        entry(symbols::MUD, "mud: slower, damage"),
        entry(symbols::OIL_SPILL, "oil: slower, damage"),
        entry(symbols::WALL, "wall: nearly stops, damage"),
        entry(symbols::TRUCK, "truck: stops the car behind it"),
        entry(symbols::BOOST, "boost"),
        entry(symbols::OIL, "oil to drop"),
        entry(symbols::LIZARD, "lizard: jumps over everything"),
        entry(symbols::TWEET, "tweet: sets a truck"),
        entry(symbols::EMP, "EMP: stops the car ahead"),
    ]
}
