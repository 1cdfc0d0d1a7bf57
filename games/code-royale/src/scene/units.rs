//! Queens and creeps: who they are, how they are, and where they came from.

use quintain_core::Seat;
use quintain_core::scene::{
    self, Effects, Enter, Entrance, Form, Ink, Label, Leave, Scene, Shape, Style, id_of,
};

use super::forms::{outline, ring};
use super::{Trail, id, layer, symbols};
use crate::describe::creep_name;
use crate::geometry::{HEIGHT, WIDTH};
use crate::{CodeRoyale, Creep, Point};

/// Larger than she is: her health has to be read.
pub(super) const QUEEN_SIZE: f64 = 44.0;
/// Icons of creeps are larger than their bodies, which touch each other.
const CREEP_SIZE: f64 = 1.4;
/// The health of a queen with the most that a match starts with.
const HEALTHY: i32 = 100;
/// Who moved less than this has no trail.
const STEP_MIN: f64 = 8.0;

/// From the top to the bottom, so that nobody covers what is before it.
pub(super) fn draw_creeps(game: &CodeRoyale, seat: Seat, name: &str, scene: &mut Scene) {
    let mut creeps: Vec<&Creep> = game.creeps()[seat].as_slice().iter().collect();
    creeps.sort_by(|one, other| one.place.y.total_cmp(&other.place.y));
    for creep in creeps {
        draw_creep(creep, seat, name, scene);
    }
}

fn draw_creep(creep: &Creep, seat: Seat, name: &str, scene: &mut Scene) {
    let stats = creep.kind.stats();
    let number = seat.index() as u32 * id::CREEPS_PER_SEAT + u32::from(creep.number);
    let size = CREEP_SIZE * stats.radius;
    let form = Form::symbol(symbols::creep(seat, creep.kind), creep.place, size);
    let label = format!("{name}'s {}, {} of {} HP", creep_name(creep.kind), creep.hp, stats.hp);
    let body = Shape::new(id::CREEP + number, layer::CREEP, form, Style::fill(Ink::of(seat)));
    let coming = Enter { how: Entrance::Grow, from: 60, to: 90 };
    scene.shapes.push(body.labelled(label).entering(coming).leaving(Leave::DYING));
    let share = (f64::from(creep.hp) / f64::from(stats.hp)).clamp(0.0, 1.0);
    let half = symbols::BAR_HALF * size;
    // A line beyond the edge would be outside the picture.
    let y = (creep.place.y + symbols::BAR_BELOW * size).min(HEIGHT);
    let left = creep.place.x - half;
    let form = Form::line((left.max(0.0), y), ((left + 2.0 * half * share).clamp(0.0, WIDTH), y));
    let style = Style::stroke(Ink::of(seat), 0.14 * size);
    let health = Shape::new(id::CREEP_HEALTH + number, layer::CREEP, form, style);
    scene.shapes.push(health.ornamental().entering(coming).leaving(Leave::DYING));
}

/// A crown, and her health in a ring that is as full as she is healthy. On a narrow screen the figure is
/// small; where there is room a larger one stands over it.
pub(super) fn draw_queen(game: &CodeRoyale, seat: Seat, name: &str, scene: &mut Scene) {
    let player = &game.players()[seat];
    let centre = shown_at(player.queen);
    let seat_ink = Ink::of(seat);
    let text = player.hp.to_string();
    let label = format!("{name}'s queen, {} HP", player.hp);
    let share = f64::from(player.hp) / f64::from(HEALTHY);
    let part = |base: u32, form: Form, style: Style| {
        Shape::new(id_of(base, seat), layer::QUEEN, form, style).labelled(label.clone())
    };
    let face = Style::fill(Ink::Ground);
    let body = outline(seat, centre, QUEEN_SIZE);
    let small = Label::new(centre, 13.0, text.clone()).bold();
    let large = Label::new(centre, 0.0, text.clone()).bold().sized(figure_size(&text));
    let crown = Form::symbol(symbols::CROWN, (centre.x, crown_height(centre.y)), 26.0);
    scene.shapes.extend([
        part(id::QUEEN, body, face.outlined(Ink::Faint, 7.0)),
        part(id::QUEEN_RING, ring(seat, centre, QUEEN_SIZE, share), Style::stroke(seat_ink, 7.0))
            .ornamental(),
        part(id::QUEEN_SMALL, small.into(), Style::fill(seat_ink).with_halo(Ink::Ground)),
        part(id::QUEEN_FACE, outline(seat, centre, QUEEN_SIZE - 5.0), face).roomy(),
        part(id::QUEEN_HP, large.into(), Style::fill(seat_ink)).roomy(),
        part(id::QUEEN_CROWN, crown, Style::fill(seat_ink)),
    ]);
}

/// Where her ring is: at the edge of the field so far inside that it is whole.
fn shown_at(queen: Point) -> scene::Point {
    let inside = QUEEN_SIZE + 4.0;
    scene::Point::new(queen.x.clamp(inside, WIDTH - inside), queen.y.clamp(inside, HEIGHT - inside))
}

/// Above her, or below where that is beyond the edge.
fn crown_height(queen: f64) -> f64 {
    let away = QUEEN_SIZE + 14.0;
    if queen > away + 12.0 { queen - away } else { queen + away }
}

/// Three digits have to fit into the ring as well.
fn figure_size(text: &str) -> f64 {
    if text.len() < 3 { 42.0 } else { 32.0 }
}

/// From where they were to where they are; a queen leaves her ghost there.
pub(super) fn draw_trails(game: &CodeRoyale, trail: &Trail, effects: &mut Effects<'_>) {
    let Some(before) = trail.before() else {
        return;
    };
    for seat in Seat::BOTH {
        let player = &game.players()[seat];
        let queen = before.queens[seat].place;
        if draw_trail(seat, queen, player.queen, 12.0, effects) {
            let ghost = outline(seat, queen.into(), 0.7 * QUEEN_SIZE);
            let style = Style::stroke(Ink::of(seat), 3.0).faded(0.55);
            let style = if seat == Seat::Second { style.dashed(8.0) } else { style };
            let shape = Shape::new(0, layer::TRAIL, ghost, style);
            effects.show(shape.ornamental().entering(Enter::ORDER).leaving(Leave::SLOWLY));
        }
        for creep in game.creeps()[seat].as_slice() {
            if let Some(from) = before.creep(seat, creep.number) {
                let width = 0.35 * creep.kind.stats().radius;
                draw_trail(seat, from, creep.place, width, effects);
            }
        }
    }
}

/// Returns whether there is one.
fn draw_trail(seat: Seat, from: Point, to: Point, width: f64, effects: &mut Effects<'_>) -> bool {
    if from.is_within(to, STEP_MIN) {
        return false;
    }
    let style = Style::stroke(Ink::of(seat), width).faded(0.32);
    let style = if seat == Seat::Second { style.dashed(2.0 * width) } else { style };
    let shape = Shape::new(0, layer::TRAIL, Form::line(from, to), style);
    effects.show(shape.ornamental().entering(Enter::TRAIL).leaving(Leave::SLOWLY));
    true
}
