//! What the latest round did: steps, digs, shots, what was thrown and where it hit.

use quintain_core::Seat;
use quintain_core::scene::{Area, Effects, Enter, Form, Ink, Label, Leave, Point, Shape, Style};

use super::stage::{self, ink};
use super::terrain::write_cell;
use super::{distance, layer, symbols, worms};
use crate::cell::{Cell, Terrain};
use crate::event::{Event, Missile, ShotResult, ThrowResult};
use crate::rules::Worms;

/// What fades when the next round begins.
const FADING: Leave = Leave::Fade(0, 30);
/// An arc is a chain of this many lines.
const ARC_LINES: u32 = 10;

pub(super) fn draw(game: &Worms, events: &[Event], effects: &mut Effects<'_>) {
    for event in events {
        match *event {
            Event::Moved { seat, worm, from, .. } => step(game, seat, worm, from, effects),
            Event::Collided { seat, worm, from, to, .. } => {
                step(game, seat, worm, from, effects);
                burst(to.into(), 0.8, effects);
            }
            Event::Dug { at, .. } => rubble(symbols::CRUMBS, at, effects),
            Event::Shot { seat, from, at, result, .. } => {
                shot(game, seat, from, at, result, effects);
            }
            Event::Threw { seat, worm, missile, from, at, result } => {
                throw(game, seat, missile, from, at, effects);
                match (result, missile) {
                    (ThrowResult::DeepSpace, _) => lost(at, effects),
                    (_, Missile::Banana) => blast(game, worm, at, effects),
                    (_, Missile::Snowball) => freeze(game, worm, at, effects),
                }
            }
            Event::Blasted { at } => rubble(symbols::SHARDS, at, effects),
            Event::PackTaken { at, .. } | Event::PackDestroyed { at } => pack_gone(at, effects),
            _ => {}
        }
    }
    for (seat, worm) in events.iter().filter_map(acted) {
        mark_actor(game, seat, worm, effects);
    }
}

/// Who did something that is seen.
fn acted(event: &Event) -> Option<(Seat, u8)> {
    match *event {
        Event::Moved { seat, worm, .. }
        | Event::Collided { seat, worm, .. }
        | Event::Dug { seat, worm, .. }
        | Event::Shot { seat, worm, .. }
        | Event::Threw { seat, worm, .. } => Some((seat, worm)),
        _ => None,
    }
}

fn mark_actor(game: &Worms, seat: Seat, worm: u8, effects: &mut Effects<'_>) {
    let worm = &game.players()[seat].worms()[usize::from(worm) - 1];
    if worm.is_on_map {
        let style = Style::stroke(Ink::Accent, 0.1).dashed(0.24);
        let shape = Shape::new(0, layer::GROUND_EFFECT, Form::circle(worm.at, 0.78), style);
        effects.show(shape.ornamental().entering(Enter::ORDER).leaving(FADING));
    }
}

/// A ghost where it was and a trail to where it is.
fn step(game: &Worms, seat: Seat, worm: u8, from: Cell, effects: &mut Effects<'_>) {
    let index = usize::from(worm) - 1;
    let to = game.players()[seat].worms()[index].at;
    let style = Style::stroke(Ink::of(seat), 0.22).faded(0.45);
    let style = if seat == Seat::Second { style.dashed(0.3) } else { style };
    let trail = Shape::new(0, layer::GROUND_EFFECT, Form::line(from, to), style);
    effects.show(trail.ornamental().entering(Enter::TRAIL).leaving(Leave::SLOWLY));
    let form = worms::figure(game, seat, index, from.into());
    let ghost = Shape::new(0, layer::GROUND_EFFECT, form, Style::fill(Ink::of(seat)).faded(0.3));
    effects.show(ghost.ornamental().entering(Enter::ORDER).leaving(Leave::SLOWLY));
}

fn symbol(symbol: u8, at: Point, size: f64, tint: Ink, enter: Enter) -> Shape {
    let form = Form::symbol(symbol, at, size);
    Shape::new(0, layer::EFFECT, form, Style::fill(tint)).entering(enter).leaving(FADING)
}

fn burst(at: Point, size: f64, effects: &mut Effects<'_>) {
    effects.show(symbol(symbols::BURST, at, size, Ink::Accent, Enter::IMPACT));
}

/// What is left of dirt.
fn rubble(kind: u8, at: Cell, effects: &mut Effects<'_>) {
    let mut shape = symbol(kind, at.into(), 0.46, ink::SOIL, Enter::IMPACT);
    shape.layer = layer::GROUND_EFFECT;
    effects.show(shape.ornamental());
}

fn pack_gone(at: Cell, effects: &mut Effects<'_>) {
    let form = Form::circle(at, 0.62);
    let shape = Shape::new(0, layer::EFFECT, form, Style::stroke(Ink::Accent, 0.12));
    effects.show(shape.entering(Enter::IMPACT).leaving(FADING));
}

/// The nearest point of the picture: a shot may end outside.
fn inside((x, y): (f64, f64), world: &Area) -> Point {
    let within = |at: f64, from: f64, length: f64| at.clamp(from, from + length);
    Point::new(within(x, world.x, world.width), within(y, world.y, world.height))
}

/// A line of fire with a glow of its own colour.
fn shot(
    game: &Worms,
    seat: Seat,
    from: Cell,
    at: (i32, i32),
    result: ShotResult,
    effects: &mut Effects<'_>,
) {
    let end = inside((f64::from(at.0), f64::from(at.1)), &stage::world(game));
    let strokes = [(Ink::of(seat), 0.6, 0.25), (Ink::of(seat), 0.26, 0.95), (ink::EYE, 0.1, 1.0)];
    for (index, (ink, width, opacity)) in strokes.into_iter().enumerate() {
        let style = Style::stroke(ink, width).faded(opacity);
        let line = Shape::new(0, layer::SHOT, Form::line(from, end), style);
        // Dots know one line.
        let line = if index == 1 { line } else { line.ornamental() };
        effects.show(line.entering(Enter::SHOT).leaving(FADING));
    }
    // Before whoever is hit, who should be seen.
    let share = 0.6 / distance(from.into(), end).max(1.0);
    let from: Point = from.into();
    let before = Point::new(end.x + (from.x - end.x) * share, end.y + (from.y - end.y) * share);
    match result {
        ShotResult::Hit => burst(before, 0.46, effects),
        ShotResult::Blocked => burst(before, 0.34, effects),
        ShotResult::OutOfRange => {}
    }
}

/// The way through the air, and the thing at its end.
fn throw(
    game: &Worms,
    seat: Seat,
    missile: Missile,
    from: Cell,
    at: Cell,
    effects: &mut Effects<'_>,
) {
    let (from, to): (Point, Point) = (from.into(), at.into());
    let height = 0.7 + 0.22 * distance(from, to);
    let world = stage::world(game);
    let point = |index| {
        let share = f64::from(index) / f64::from(ARC_LINES);
        let (x, y) = (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
        inside((x, y - 4.0 * height * share * (1.0 - share)), &world)
    };
    let style = Style::stroke(Ink::of(seat), 0.16).dashed(0.36);
    let arc = Form::chain((0..=ARC_LINES).map(point));
    let arc = Shape::new(0, layer::SHOT, arc, style);
    effects.show(arc.entering(Enter::SHOT).leaving(FADING));
    let mut thing = match missile {
        Missile::Banana => symbol(symbols::BANANA, to, 0.5, ink::BANANA, Enter::thrown(from)),
        Missile::Snowball => symbol(symbols::SNOWBALL, to, 0.44, ink::ICE_RIM, Enter::thrown(from)),
    };
    thing.layer = layer::SHOT;
    effects.show(thing);
}

fn lost(at: Cell, effects: &mut Effects<'_>) {
    let style = Style::stroke(ink::RULER, 0.1).dashed(0.2);
    let shape = Shape::new(0, layer::EFFECT, Form::circle(at, 0.6), style);
    effects.show(shape.entering(Enter::IMPACT).leaving(FADING));
}

/// Every cell that a banana hurts, with its damage.
fn blast(game: &Worms, worm: u8, at: Cell, effects: &mut Effects<'_>) {
    let arms = &game.field().arms[game.class_number(usize::from(worm) - 1)];
    let radius = f64::from(arms.banana_radius);
    let glow = Form::circle(at, radius + 1.4);
    let glow = Shape::new(0, layer::GROUND_EFFECT, glow, Style::fill(ink::FIRE));
    effects.show(glow.ornamental().entering(Enter::IMPACT).leaving(FADING));
    let ground = game.ground();
    let is_hurt = |cell: &Cell| ground.at(*cell) != Terrain::DeepSpace;
    let damage = |cell: Cell| Some((cell, arms.blast(at.square_to(cell))?));
    let cells: Vec<(Cell, i32)> = ground.cells().filter(is_hurt).filter_map(damage).collect();
    let mut path = String::new();
    cells.iter().for_each(|(cell, _)| write_cell(*cell, &mut path));
    let style = Style::fill(ink::BLAST).outlined(ink::BLAST_RIM, 0.06);
    let shape = Shape::new(0, layer::GROUND_EFFECT, Form::path(path), style);
    effects.show(shape.entering(Enter::IMPACT).leaving(FADING));
    let rim = Form::circle(at, radius + 0.6);
    let rim =
        Shape::new(0, layer::GROUND_EFFECT, rim, Style::stroke(Ink::Accent, 0.08).dashed(0.3));
    effects.show(rim.entering(Enter::IMPACT).leaving(FADING));
    for (cell, damage) in cells {
        let label = Label::new(cell, 0.0, damage.to_string()).bold().sized(0.48);
        let style = Style::fill(ink::HAT);
        let shape = Shape::new(0, layer::GROUND_EFFECT, label.into(), style).roomy();
        effects.show(shape.entering(Enter::IMPACT).leaving(FADING));
    }
}

/// The square that a snowball covers with ice.
fn freeze(game: &Worms, worm: u8, at: Cell, effects: &mut Effects<'_>) {
    let arms = &game.field().arms[game.class_number(usize::from(worm) - 1)];
    let reach = f64::from(arms.freeze_radius) + 0.5;
    let world = stage::world(game);
    let Point { x, y } = at.into();
    let corners = [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)];
    let corners = corners.map(|(dx, dy)| inside((x + dx, y + dy), &world));
    let style = Style::fill(ink::ICE).outlined(ink::ICE_RIM, 0.1).faded(0.48);
    let shape = Shape::new(0, layer::GROUND_EFFECT, Form::polygon(corners), style);
    effects.show(shape.entering(Enter::IMPACT).leaving(FADING));
    let ground = game.ground();
    let mut path = String::new();
    let covered = ground.cells().filter(|cell| cell.steps_to(at) <= arms.freeze_radius);
    covered.for_each(|cell| write_cell(cell, &mut path));
    let style = Style::stroke(ink::SNOW, 0.07).faded(0.8);
    let cells = Shape::new(0, layer::GROUND_EFFECT, Form::path(path), style);
    effects.show(cells.entering(Enter::IMPACT).leaving(FADING));
}
