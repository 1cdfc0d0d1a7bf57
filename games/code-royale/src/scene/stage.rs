//! What stays: the meadow with its stones, the rulers, the colours and the legend.

use std::fmt::Write;

use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Colour, Curve, CurveKind, Form, Ink, Label, Legend, Paint, Shape, Stage, Style, Tone,
};

use super::{id, layer, symbols};
use crate::geometry::{HEIGHT, WIDTH};
use crate::{CodeRoyale, CreepKind, Site};

/// The colours of this game.
pub(super) mod ink {
    use super::Ink;

    pub(in crate::scene) const MEADOW: Ink = Ink::Own(0);
    pub(in crate::scene) const PATCH: Ink = Ink::Own(1);
    pub(in crate::scene) const TUFT: Ink = Ink::Own(2);
    pub(in crate::scene) const STONE: Ink = Ink::Own(3);
    pub(in crate::scene) const STONE_RIM: Ink = Ink::Own(4);
    pub(in crate::scene) const SHADOW: Ink = Ink::Own(5);
    pub(in crate::scene) const RANGE_FIRST: Ink = Ink::Own(6);
    pub(in crate::scene) const RANGE_SECOND: Ink = Ink::Own(7);
    pub(in crate::scene) const ROCK: Ink = Ink::Own(8);
    pub(in crate::scene) const ROCK_LIGHT: Ink = Ink::Own(9);
    pub(in crate::scene) const CAVE: Ink = Ink::Own(10);
    pub(in crate::scene) const COIN: Ink = Ink::Own(11);
    pub(in crate::scene) const COIN_RIM: Ink = Ink::Own(12);
    pub(in crate::scene) const BAR: Ink = Ink::Own(13);
    pub(in crate::scene) const FLASH: Ink = Ink::Own(14);
}

const PALETTE: [Paint; 15] = [
    Paint::down([0xE4_EB_D0, 0xC9_D6_AE], [0x25_33_2A, 0x16_20_1B]),
    veil(0x8F_A6_6B, 0x3D_52_40, [46, 50]),
    Paint::flat(0xA9_BB_88, 0x38_4B_3D),
    Paint::out([0xF2_EE_E4, 0xC6_BD_A9], [0x3A_43_50, 0x22_2A_34]),
    Paint::flat(0xA7_9E_8B, 0x4C_57_68),
    veil(0x2B_33_1C, 0x00_00_00, [64, 110]),
    halo(0x1F_5F_D0, 0x5A_9B_FF),
    halo(0xE2_5A_0C, 0xFF_8A_3C),
    Paint::flat(0x6D_66_5A, 0x8B_83_72),
    Paint::flat(0x8A_82_74, 0xA8_9F_8C),
    Paint::flat(0x22_1D_17, 0x15_12_0E),
    Paint::flat(0xF2_B5_0C, 0xFF_C9_3C),
    Paint::flat(0x7A_56_00, 0x7A_56_00),
    Paint::flat(0x3C_43_4C, 0x0B_0E_14),
    Paint::flat(0xFF_FF_FF, 0xFF_FF_FF),
];

/// A thin layer of one colour, by its alpha in the light and in the dark.
const fn veil(light: u32, dark: u32, alpha: [u8; 2]) -> Paint {
    Paint {
        light: Tone::Flat(Colour::hex(light).with_alpha(alpha[0])),
        dark: Tone::Flat(Colour::hex(dark).with_alpha(alpha[1])),
    }
}

/// Clear in the middle and stronger towards the rim.
const fn halo(light: u32, dark: u32) -> Paint {
    let (light, dark) = (Colour::hex(light), Colour::hex(dark));
    Paint {
        light: Tone::Out(light.with_alpha(8), light.with_alpha(44)),
        dark: Tone::Out(dark.with_alpha(6), dark.with_alpha(48)),
    }
}

const RULER_STEP: i32 = 200;
/// How many tufts of grass there are, and how many darker patches.
const TUFTS: u32 = 150;
const PATCHES: u32 = 34;

pub(super) fn stage(game: &CodeRoyale) -> Stage {
    let mut background = meadow();
    for (site, number) in game.field().sites().iter().zip(0..) {
        mark_site(number, site, &mut background);
    }
    rulers(&mut background);
    Stage {
        background,
        palette: PALETTE.to_vec(),
        symbols: symbols::symbols(),
        legend: legend(),
        curve: Some(Curve { name: "health", kind: CurveKind::Both, max: 0.0 }),
        ..Stage::of_size(WIDTH, HEIGHT)
    }
}

fn meadow() -> Vec<Shape> {
    let ground = Form::rectangle(0.0, 0.0, WIDTH, HEIGHT);
    let mut patches = String::new();
    for number in 0..PATCHES {
        let (x, y) = scattered(number, 1);
        let (half, low) = (60 + number % 5 * 28, 9 + number % 3 * 5);
        write!(patches, "M{x} {y}a{half} {low} 0 1 0 {0} 0a{half} {low} 0 1 0-{0} 0z", 2 * half)
            .expect("a text takes everything");
    }
    let mut tufts = String::new();
    for number in 0..TUFTS {
        let (x, y) = scattered(number, 2);
        write!(tufts, "M{x} {y}q-1-6-6-9m8 9v-12m2 12q1-6 6-8").expect("a text takes everything");
    }
    let shapes = [
        (ground, Style::fill(ink::MEADOW)),
        (Form::path(patches), Style::fill(ink::PATCH)),
        (Form::path(tufts), Style::stroke(ink::TUFT, 2.0)),
    ];
    let shapes = shapes.into_iter().zip(id::MEADOW..);
    shapes
        .map(|((form, style), id)| Shape::new(id, layer::GROUND, form, style).ornamental())
        .collect()
}

/// Places that look thrown, and are the same in every match.
fn scattered(number: u32, salt: u32) -> (u32, u32) {
    let mixed = (number * 2 + salt).wrapping_mul(0x9E37_79B1);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA77);
    let mixed = mixed ^ mixed >> 13;
    (mixed % WIDTH as u32, mixed / 2048 % HEIGHT as u32)
}

/// The rim of a site, over which its stone is laid where there are pixels, and its number.
fn mark_site(number: u32, site: &Site, background: &mut Vec<Shape>) {
    let (x, y, radius) = (site.place.x, site.place.y, site.radius);
    let style = Style::stroke(ink::STONE_RIM, 3.0);
    let rim = Form::circle((x, y), radius);
    let rim = Shape::new(id::STONE_RIM + number, layer::SITE, rim, style);
    let label = Label::new((x - 0.79 * radius, y - 0.85 * radius), 12.0, number.to_string());
    let style = Style::fill(Ink::Muted).with_halo(Ink::Ground);
    let figure = Shape::new(id::SITE_NUMBER + number, layer::SITE_WORDS, label.into(), style);
    background.extend([rim, figure.roomy()]);
}

/// The numbers of places at the lower and the left edge.
fn rulers(background: &mut Vec<Shape>) {
    let style = Style::fill(Ink::Muted).with_halo(Ink::Ground);
    let mut ticks = String::new();
    let mut add = |number: u32, label: Label| {
        let shape = Shape::new(id::RULER + 1 + number, layer::SITE_WORDS, label.into(), style);
        background.push(shape.roomy());
    };
    for step in 1..=9 {
        let x = step * RULER_STEP;
        write!(ticks, "M{x} {HEIGHT}v-14").expect("a text takes everything");
        let label = Label::new((f64::from(x), HEIGHT), 12.0, x.to_string()).shifted(0.0, -20.0);
        add(step as u32, label);
    }
    for step in 1..=4 {
        let y = step * RULER_STEP;
        write!(ticks, "M0 {y}h14").expect("a text takes everything");
        let label = Label::new((0.0, f64::from(y)), 12.0, y.to_string()).shifted(16.0, 0.0);
        add(10 + step as u32, label.anchored(Anchor::Start));
    }
    let style = Style::stroke(Ink::Muted, 2.0);
    let ticks = Shape::new(id::RULER, layer::SITE_WORDS, Form::path(ticks), style);
    background.push(ticks.roomy());
}

fn legend() -> Vec<Legend> {
    let symbol = |symbol, text| {
        Legend::new(Form::symbol(symbol, (0.0, 0.0), 1.0), Style::fill(Ink::Muted), text)
    };
    let second = |kind| symbols::creep(Seat::Second, kind);
    vec![
        symbol(symbols::MINE, "mine: gold left, coins a turn"),
        symbol(symbols::tower(Seat::First), "tower: HP, range"),
        symbol(symbols::house(Seat::First), "barracks, ring of training"),
        symbol(second(CreepKind::Knight), "knight"),
        symbol(second(CreepKind::Archer), "archer"),
        symbol(second(CreepKind::Giant), "giant"),
    ]
}
