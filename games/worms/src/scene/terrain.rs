//! Dirt, lava and health packs.
//!
//! Each row of cells is drawn by shapes of its own, so that a dig changes few of them. Their ids tell how
//! the row looks: a row that changes is another shape, and the old one stays until what changed it hits.

use std::fmt::Write;

use quintain_core::scene::{Form, Leave, Point, Scene, Shape, Style};

use super::stage::ink;
use super::{id, layer, symbols};
use crate::cell::{Cell, Ground, MAP_SIZE_MAX, Terrain};
use crate::rules::Worms;

/// Neighbours in a row that are of one kind.
pub(super) struct Run {
    pub(super) y: u8,
    pub(super) from: u8,
    pub(super) to: u8,
}

impl Run {
    pub(super) fn length(&self) -> u8 {
        self.to + 1 - self.from
    }
}

/// How round corners are, and how far the darker rim reaches beyond.
const RADIUS: f64 = 0.26;
const RIM: f64 = 0.07;

/// The runs of a row of which this holds.
pub(super) fn runs_of(ground: &Ground, y: u8, holds: impl Fn(Cell) -> bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for x in (0..ground.size()).filter(|&x| holds(Cell { x, y })) {
        match runs.last_mut() {
            Some(run) if run.to + 1 == x => run.to = x,
            _ => runs.push(Run { y, from: x, to: x }),
        }
    }
    runs
}

/// Which corners of a run have nothing of its kind above or below: upper left, upper right, lower right,
/// lower left.
fn free_corners(ground: &Ground, run: &Run, holds: impl Fn(Cell) -> bool) -> [bool; 4] {
    let is_free = |x: u8, down: i32| {
        let cell = Cell::within(ground.size(), i32::from(x), i32::from(run.y) + down);
        !cell.is_some_and(&holds)
    };
    [is_free(run.from, -1), is_free(run.to, -1), is_free(run.to, 1), is_free(run.from, 1)]
}

/// Adds a run to a path, round at its free corners. A hair higher than a row, so that no light shines
/// between two.
pub(super) fn write_run(
    ground: &Ground,
    run: &Run,
    holds: impl Fn(Cell) -> bool,
    path: &mut String,
) {
    let free = free_corners(ground, run, holds);
    let [a, b, c, d] = free.map(|is_free| if is_free { RADIUS } else { 0.0 });
    let (left, top) = (f64::from(run.from) - 0.5, f64::from(run.y) - 0.5);
    let (right, bottom) = (f64::from(run.to) + 0.5, top + 1.02);
    write!(path, "M{:.2} {top}H{:.2}", left + a, right - b).expect("a text takes everything");
    let mut corner = |r: f64, x: f64, y: f64, then: &str| {
        if r > 0.0 {
            write!(path, "a{r} {r} 0 0 1 {x:.2} {y:.2}").expect("a text takes everything");
        }
        path.push_str(then);
    };
    corner(b, b, b, &format!("V{:.2}", bottom - c));
    corner(c, -c, c, &format!("H{:.2}", left + d));
    corner(d, -d, -d, &format!("V{:.2}", top + a));
    corner(a, a, -a, "z");
}

/// All runs of a row as one polygon that reaches a little beyond them, its free corners cut off. Between
/// two runs it has no height.
fn polygon(ground: &Ground, runs: &[Run], holds: impl Fn(Cell) -> bool, rim: f64) -> Form {
    let mut points: Vec<Point> = Vec::new();
    for run in runs {
        let free = free_corners(ground, run, &holds);
        let cut = free.map(|is_free| if is_free { RADIUS / 2.0 + rim } else { 0.0 });
        let (left, right) = (f64::from(run.from) - 0.5 - rim, f64::from(run.to) + 0.5 + rim);
        let (top, bottom) = (f64::from(run.y) - 0.5 - rim, f64::from(run.y) + 0.5 + rim);
        let bottom = bottom + if rim > 0.0 { 0.04 } else { 0.02 };
        let corners = [
            (left + cut[3], bottom),
            (left, bottom - cut[3]),
            (left, top + cut[0]),
            (left + cut[0], top),
            (right - cut[1], top),
            (right, top + cut[1]),
            (right, bottom - cut[2]),
            (right - cut[2], bottom),
        ];
        points.extend(corners.map(Point::from));
    }
    Form::polygon(points)
}

/// How a row and its neighbours look, in few bits.
fn version(ground: &Ground, y: u8, holds: impl Fn(Cell) -> bool) -> u32 {
    let mut sum: u32 = 0x811C_9DC5;
    for row in y.saturating_sub(1)..=(y + 1).min(ground.size() - 1) {
        for x in 0..ground.size() {
            sum = (sum ^ u32::from(holds(Cell { x, y: row }))).wrapping_mul(0x0100_0193);
        }
    }
    sum >> 16 ^ sum & 0xFFFF
}

pub(super) fn draw(game: &Worms, scene: &mut Scene) {
    let ground = game.ground();
    for y in 0..ground.size() {
        draw_lava(ground, y, scene);
    }
    for y in 0..ground.size() {
        draw_dirt(ground, y, scene);
    }
    draw_packs(game, scene);
}

fn row_shape(base: u32, y: u8, version: u32, layer: u8, form: Form, style: Style) -> Shape {
    let number = base + u32::from(y) * id::VERSIONS + version;
    Shape::new(number, layer, form, style).jumping().leaving(Leave::AT_IMPACT)
}

fn draw_lava(ground: &Ground, y: u8, scene: &mut Scene) {
    let is_lava = |cell: Cell| ground.at(cell) == Terrain::Lava;
    let runs = runs_of(ground, y, is_lava);
    if runs.is_empty() {
        return;
    }
    let version = version(ground, y, is_lava);
    let rim = polygon(ground, &runs, is_lava, RIM);
    let style = Style::fill(ink::LAVA_RIM);
    let rim = row_shape(id::LAVA_RIM, y, version, layer::LAVA_RIM, rim, style);
    scene.shapes.push(rim.ornamental());
    let body = polygon(ground, &runs, is_lava, 0.0);
    let style = Style::fill(ink::LAVA);
    scene.shapes.push(row_shape(id::LAVA, y, version, layer::LAVA, body, style));
    let mut waves = String::new();
    for cell in runs.iter().flat_map(|run| run.from..=run.to).filter(|x| (x + y).is_multiple_of(2))
    {
        let (x, y) = (f64::from(cell) - 0.24, f64::from(y) + f64::from(cell % 3) * 0.16 - 0.14);
        write!(waves, "M{x:.2} {y:.2}q.12-.18 .24 0t.24 0").expect("a text takes everything");
    }
    let style = Style::stroke(ink::WAVE, 0.08);
    let waves = row_shape(id::WAVES, y, version, layer::LAVA, Form::path(waves), style);
    scene.shapes.push(waves.ornamental());
}

fn draw_dirt(ground: &Ground, y: u8, scene: &mut Scene) {
    let is_dirt = |cell: Cell| ground.at(cell) == Terrain::Dirt;
    let runs = runs_of(ground, y, is_dirt);
    if runs.is_empty() {
        return;
    }
    let version = version(ground, y, is_dirt);
    let mut push = |base, layer, form: Form, style| {
        scene.shapes.push(row_shape(base, y, version, layer, form, style));
    };
    push(id::SOIL, layer::SOIL, polygon(ground, &runs, is_dirt, RIM), Style::fill(ink::SOIL));
    let (mut body, mut light) = (String::new(), String::new());
    for run in &runs {
        write_run(ground, run, is_dirt, &mut body);
        write_light(ground, run, &mut light);
    }
    push(id::DIRT, layer::DIRT, Form::path(body), Style::fill(ink::DIRT));
    push(id::LIGHT, layer::DIRT, Form::path(light), Style::stroke(ink::SOIL_LIGHT, 0.07));
}

/// Light on the upper edge of a run, and some pebbles.
fn write_light(ground: &Ground, run: &Run, path: &mut String) {
    let y = f64::from(run.y);
    for x in run.from..=run.to {
        let above = Cell::within(ground.size(), i32::from(x), i32::from(run.y) - 1);
        if !above.is_some_and(|cell| ground.at(cell) == Terrain::Dirt) {
            write!(path, "M{:.2} {:.2}h.5", f64::from(x) - 0.25, y - 0.41)
                .expect("a text takes everything");
        }
        if (u16::from(x) * 5 + u16::from(run.y) * 3).is_multiple_of(7) {
            write!(path, "M{:.2} {:.2}h.13", f64::from(x) - 0.1, y + 0.12)
                .expect("a text takes everything");
        }
    }
}

fn draw_packs(game: &Worms, scene: &mut Scene) {
    for pack in game.packs() {
        let number = u32::from(pack.at.y) * MAP_SIZE_MAX as u32 + u32::from(pack.at.x);
        let form = Form::symbol(symbols::PACK, pack.at, 0.52);
        let shape = Shape::new(id::PACK + number, layer::PACK, form, Style::fill(ink::PACK));
        let shape = shape.labelled(format!("health pack, +{}", pack.value));
        scene.shapes.push(shape.jumping().leaving(Leave::AT_IMPACT));
    }
}

/// A cell with round corners, somewhat smaller than it is.
pub(super) fn write_cell(cell: Cell, path: &mut String) {
    let Point { x, y } = cell.into();
    write!(
        path,
        "M{:.2} {:.2}h.56a.18 .18 0 0 1 .18 .18v.56a.18 .18 0 0 1-.18 .18h-.56\
         a.18 .18 0 0 1-.18-.18v-.56a.18 .18 0 0 1 .18-.18z",
        x - 0.28,
        y - 0.46
    )
    .expect("a text takes everything");
}
