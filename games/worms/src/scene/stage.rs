//! What stays: space with its stars, the planet with its air, the rulers, the colours and the legend.

use std::fmt::Write;

use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Area, Colour, Curve, CurveKind, Form, Ink, Label, Legend, Paint, Shape, Stage, Style,
    Tone,
};

use super::terrain::{runs_of, write_run};
use super::{id, layer, symbols};
use crate::cell::{Cell, Ground, Terrain};
use crate::rules::Worms;

/// The colours of this game.
pub(crate) mod ink {
    use super::Ink;

    pub(crate) const DIRT: Ink = Ink::Own(0);
    pub(crate) const LAVA: Ink = Ink::Own(1);
    pub(crate) const PACK: Ink = Ink::Own(2);
    pub(in crate::scene) const ICE: Ink = Ink::Own(3);
    pub(in crate::scene) const BANANA: Ink = Ink::Own(4);
    pub(in crate::scene) const SPACE: Ink = Ink::Own(5);
    pub(in crate::scene) const STAR: Ink = Ink::Own(6);
    pub(in crate::scene) const AIR: Ink = Ink::Own(7);
    pub(in crate::scene) const GLOW: Ink = Ink::Own(8);
    pub(in crate::scene) const GRID: Ink = Ink::Own(9);
    pub(in crate::scene) const SOIL: Ink = Ink::Own(10);
    pub(in crate::scene) const SOIL_LIGHT: Ink = Ink::Own(11);
    pub(in crate::scene) const WAVE: Ink = Ink::Own(12);
    pub(in crate::scene) const ICE_RIM: Ink = Ink::Own(13);
    pub(in crate::scene) const SNOW: Ink = Ink::Own(14);
    pub(in crate::scene) const BANANA_RIM: Ink = Ink::Own(15);
    pub(in crate::scene) const BLAST: Ink = Ink::Own(16);
    pub(in crate::scene) const BLAST_RIM: Ink = Ink::Own(17);
    pub(in crate::scene) const FIRE: Ink = Ink::Own(18);
    pub(in crate::scene) const EYE: Ink = Ink::Own(19);
    pub(in crate::scene) const PUPIL: Ink = Ink::Own(20);
    pub(in crate::scene) const BAND: Ink = Ink::Own(21);
    pub(in crate::scene) const HAT: Ink = Ink::Own(22);
    pub(in crate::scene) const GOGGLES: Ink = Ink::Own(23);
    pub(in crate::scene) const GLASS: Ink = Ink::Own(24);
    pub(in crate::scene) const GRAVE: Ink = Ink::Own(25);
    pub(in crate::scene) const RULER: Ink = Ink::Own(26);
    pub(in crate::scene) const LAVA_RIM: Ink = Ink::Own(27);
}

const PALETTE: [Paint; 28] = [
    Paint::down([0xB8_94_6A, 0x94_6F_47], [0x7B_60_46, 0x57_41_2C]),
    Paint::flat(0xC9_34_1C, 0xC4_32_1C),
    Paint::flat(0x3E_A0_54, 0x3E_A0_54),
    veil(0xA8_DC_F2, 0x8F_D0_F0, 150),
    Paint::flat(0xFF_D2_3C, 0xFF_D2_3C),
    Paint::out([0x3A_4A_86, 0x17_1F_45], [0x18_20_4A, 0x07_0A_18]),
    veil(0xFF_FF_FF, 0xFF_FF_FF, 190),
    Paint::out([0xFF_F9_EA, 0xEF_E4_CB], [0x2F_39_4D, 0x22_2A_39]),
    veil(0x8D_A4_EA, 0x5C_78_C8, 60),
    veil(0x7A_60_30, 0xC8_D4_F0, 22),
    Paint::flat(0x6E_4F_2E, 0x3B_2B_1B),
    veil(0xF2_DF_BC, 0xD8_BE_98, 120),
    Paint::flat(0xFF_B6_3E, 0xFF_B6_3E),
    Paint::flat(0x2E_86_AB, 0x5F_B8_DC),
    Paint::flat(0xEA_F7_FD, 0xEA_F7_FD),
    Paint::flat(0x7A_56_00, 0x7A_56_00),
    veil(0xFF_A8_33, 0xFF_A8_33, 170),
    Paint::flat(0xB8_4C_05, 0xFF_C3_73),
    Paint::glow(0xFF_8A_1E, 0xFF_A0_33, 170),
    Paint::flat(0xFF_FF_FF, 0xF4_F6_FA),
    Paint::flat(0x17_1C_28, 0x12_16_1F),
    Paint::flat(0xC2_18_3C, 0xD6_2A_4C),
    Paint::flat(0x33_29_1C, 0x2A_21_17),
    Paint::flat(0x1E_62_70, 0x2C_7D_8C),
    Paint::flat(0xB4_E2_EC, 0xB4_E2_EC),
    Paint::flat(0x9A_A3_B2, 0x6A_75_87),
    Paint::flat(0xC4_CF_F0, 0xA0_AB_BC),
    Paint::flat(0x7A_14_0E, 0x7A_14_0E),
];

/// One colour that lets something through.
const fn veil(light: u32, dark: u32, alpha: u8) -> Paint {
    Paint {
        light: Tone::Flat(Colour::hex(light).with_alpha(alpha)),
        dark: Tone::Flat(Colour::hex(dark).with_alpha(alpha)),
    }
}

/// How much of space is seen around the map.
const MARGIN: f64 = 1.0;
const STARS: u32 = 90;
const RULER_STEP: usize = 4;

/// What is shown of the world.
pub(super) fn world(game: &Worms) -> Area {
    let size = f64::from(game.ground().size()) + 2.0 * MARGIN;
    Area::new(-0.5 - MARGIN, -0.5 - MARGIN, size, size)
}

pub(super) fn stage(game: &Worms) -> Stage {
    let mut background = space(game);
    background.extend(planet(game.ground()));
    rulers(game, &mut background);
    Stage {
        background,
        palette: PALETTE.to_vec(),
        symbols: symbols::symbols(game),
        legend: legend(game),
        curve: Some(Curve { name: "health", kind: CurveKind::Both, max: 0.0 }),
        ..Stage::of_world(world(game))
    }
}

fn space(game: &Worms) -> Vec<Shape> {
    let Area { x, y, width, height } = world(game);
    let all = Form::rectangle(x, y, width, height);
    let all = Shape::new(id::SPACE, layer::SPACE, all, Style::fill(ink::SPACE));
    let mut stars = String::new();
    for number in 0..STARS {
        let (across, down) = scattered(number);
        let (x, y) = (x + across * width, y + down * height);
        let r = 0.03 + 0.02 * f64::from(number % 4);
        write!(stars, "M{x:.2} {y:.2}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0z", d = 2.0 * r)
            .expect("a text takes everything");
    }
    let stars = Shape::new(id::SPACE + 1, layer::SPACE, Form::path(stars), Style::fill(ink::STAR));
    vec![all.ornamental(), stars.ornamental()]
}

/// Shares of the sky that look thrown, and are the same in every match.
fn scattered(number: u32) -> (f64, f64) {
    let mixed = (number + 1).wrapping_mul(0x9E37_79B1);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA77);
    let mixed = mixed ^ mixed >> 13;
    (f64::from(mixed % 1009) / 1009.0, f64::from(mixed / 1009 % 1013) / 1013.0)
}

/// All that is not deep space, which never changes: a glow around it, the air, and thin lines between
/// cells.
fn planet(ground: &Ground) -> Vec<Shape> {
    let is_planet = |cell: Cell| ground.at(cell) != Terrain::DeepSpace;
    let (mut body, mut grid) = (String::new(), String::new());
    for y in 0..ground.size() {
        for run in runs_of(ground, y, is_planet) {
            write_run(ground, &run, is_planet, &mut body);
            let (left, top) = (f64::from(run.from) - 0.5, f64::from(y) - 0.5);
            write!(grid, "M{left} {top}h{}", run.length()).expect("a text takes everything");
            for x in run.from + 1..=run.to {
                write!(grid, "M{} {top}v1", f64::from(x) - 0.5).expect("a text takes everything");
            }
        }
    }
    let body = Form::path(body);
    let shapes = [
        (body.clone(), Style::stroke(ink::GLOW, 1.5)),
        (body.clone(), Style::stroke(ink::GLOW, 0.9)),
        (body.clone(), Style::stroke(ink::GLOW, 0.45)),
        (body, Style::fill(ink::AIR)),
        (Form::path(grid), Style::stroke(ink::GRID, 0.03)),
    ];
    let shapes = shapes.into_iter().zip(id::PLANET..);
    shapes
        .map(|((form, style), id)| Shape::new(id, layer::PLANET, form, style).ornamental())
        .collect()
}

/// The numbers of columns above the map and of rows to its left.
fn rulers(game: &Worms, background: &mut Vec<Shape>) {
    let style = Style::fill(ink::RULER);
    let edge = -0.5 - MARGIN / 2.0;
    for cell in (0..game.ground().size()).step_by(RULER_STEP) {
        let at = f64::from(cell);
        let column = Label::new((at, edge), 12.0, cell.to_string());
        let row = Label::new((edge - 0.3, at), 12.0, cell.to_string()).anchored(Anchor::Start);
        for (label, base) in [(column, id::COLUMN), (row, id::ROW)] {
            let number = base + u32::from(cell);
            background.push(Shape::new(number, layer::SPACE, label.into(), style).roomy());
        }
    }
}

fn legend(game: &Worms) -> Vec<Legend> {
    let mut legend = Vec::new();
    let words = ["commando: headband", "agent: hat, bananas", "technologist: goggles"];
    let worms = game.players()[Seat::First].worms().len();
    for (class, text) in words.into_iter().enumerate() {
        if let Some(index) = (0..worms).find(|&index| game.class_number(index) == class) {
            let form = Form::symbol(symbols::worm(game, Seat::First, index), (0.0, 0.0), 1.0);
            legend.push(Legend::new(form, Style::fill(Ink::First), text));
        }
    }
    let square = || Form::rounded(Area::new(-0.8, -0.8, 1.6, 1.6), 0.35);
    let of_ink = |ink, rim| Style::fill(ink).outlined(rim, 0.14);
    legend.extend([
        Legend::new(square(), of_ink(ink::DIRT, ink::SOIL), "dirt, can be dug"),
        Legend::new(square(), of_ink(ink::LAVA, ink::LAVA_RIM), "lava"),
        Legend::new(square(), of_ink(ink::BLAST, ink::BLAST_RIM), "blast, damage by cell"),
        Legend::new(
            Form::symbol(symbols::PACK, (0.0, 0.0), 1.0),
            Style::fill(ink::PACK),
            "health pack",
        ),
    ]);
    legend
}
