//! The health of each worm on a plate beside it, and what it lost, so that nothing covers anything.
//!
//! They are on a plane of their own: a lens enlarges worms without their plates.

use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Area, Effects, Enter, Ink, Label, Leave, Plate, Point, Shape, Style,
};

use super::changes::Changes;
use super::{id, layer, plane, stage, worm_number};
use crate::event::{Event, Missile};
use crate::rules::Worms;

/// About what a cell measures on the screen, on a wide one and in the part that a narrow one shows.
const CELL_PIXELS: f64 = 25.0;
const LETTER_PIXELS: f64 = 13.5;
const HALF_HEIGHT: f64 = 12.0;
/// Half of what a worm covers.
const WORM_HALF: f64 = 17.0;
/// Right above a worm.
const USUAL: (f64, f64) = (0.0, -33.0);
const DISTANCES: [f64; 4] = [40.0, 56.0, 76.0, 100.0];
/// Clockwise from above. Plates are wider than high, and stand farther away at the sides.
const DIRECTIONS: [(f64, f64); 16] = [
    (0.0, -1.0),
    (0.52, -0.92),
    (0.95, -0.71),
    (1.25, -0.38),
    (1.35, 0.0),
    (1.25, 0.38),
    (0.95, 0.71),
    (0.52, 0.92),
    (0.0, 1.0),
    (-0.52, 0.92),
    (-0.95, 0.71),
    (-1.25, 0.38),
    (-1.35, 0.0),
    (-1.25, -0.38),
    (-0.95, -0.71),
    (-0.52, -0.92),
];

/// A part of the screen, by its middle.
#[derive(Clone, Copy)]
struct Spot {
    x: f64,
    y: f64,
    half_width: f64,
    half_height: f64,
}

impl Spot {
    fn overlaps(&self, other: &Spot) -> bool {
        (self.x - other.x).abs() < self.half_width + other.half_width
            && (self.y - other.y).abs() < self.half_height + other.half_height
    }

    /// How far it reaches out of an area, in all.
    fn beyond(&self, area: &Area) -> f64 {
        let out =
            |low: f64, high: f64, from: f64, to: f64| (from - low).max(0.0) + (high - to).max(0.0);
        let (x, y) = (area.x * CELL_PIXELS, area.y * CELL_PIXELS);
        let right = x + area.width * CELL_PIXELS;
        let bottom = y + area.height * CELL_PIXELS;
        out(self.x - self.half_width, self.x + self.half_width, x, right)
            + out(self.y - self.half_height, self.y + self.half_height, y, bottom)
    }
}

fn on_screen(at: Point) -> Spot {
    let (x, y) = (at.x * CELL_PIXELS, at.y * CELL_PIXELS);
    Spot { x, y, half_width: WORM_HALF, half_height: WORM_HALF }
}

pub(super) fn draw(game: &Worms, events: &[Event], changes: &Changes, effects: &mut Effects<'_>) {
    let mut living = Vec::new();
    for (seat, player) in game.players().iter() {
        for (index, worm) in player.worms().iter().enumerate().filter(|(_, worm)| worm.is_on_map) {
            living.push((seat, index, worm));
        }
    }
    let worms: Vec<Spot> = living.iter().map(|(.., worm)| on_screen(worm.at.into())).collect();
    let hit: Vec<Spot> = events.iter().filter_map(hit).collect();
    let mut room = Room { world: stage::world(game), worms, hit, plates: Vec::new() };
    for (seat, index, worm) in living {
        let text = format!("{}: {}", index + 1, worm.hp);
        let change = changes.words(seat, index);
        let letters = text.len() + change.as_ref().map_or(0, |change| change.len() + 1);
        let half_width = 0.29 * LETTER_PIXELS * letters as f64 + 9.0;
        let own = on_screen(worm.at.into());
        let shift = room.place(&own, half_width);
        room.plates.push(spot(&own, shift, half_width));
        let label = plate_label(worm.at.into(), shift, text, seat);
        let number = id::PLATE + worm_number(seat, index);
        let shape = Shape::new(number, layer::PLATE, label.into(), Style::fill(Ink::Text));
        effects.scene.shapes.push(shape.on_plane(plane::WORDS).leaving(Leave::DYING));
        if let Some(change) = change {
            show_change(worm.at.into(), shift, change, changes.is_loss(seat, index), effects);
        }
    }
    show_last_losses(game, changes, effects);
}

/// A line leads to the edge of the worm, not over its face.
fn plate_label(at: Point, (right, down): (f64, f64), text: String, seat: Seat) -> Label {
    if (right, down) == USUAL {
        let label = Label::new(at, LETTER_PIXELS, text).bold();
        return label.shifted(right, down).on(Plate::of(seat));
    }
    let share = WORM_HALF / (right * right + down * down).sqrt();
    let (x, y) = (right * share, down * share);
    let edge = Point::new(at.x + x / CELL_PIXELS, at.y + y / CELL_PIXELS);
    let label = Label::new(edge, LETTER_PIXELS, text).bold().shifted(right - x, down - y);
    label.on(Plate::of(seat).with_leader())
}

fn spot(worm: &Spot, (x, y): (f64, f64), half_width: f64) -> Spot {
    Spot { x: worm.x + x, y: worm.y + y, half_width, half_height: HALF_HEIGHT }
}

/// What plates have to leave free.
struct Room {
    world: Area,
    worms: Vec<Spot>,
    /// Where a banana hit.
    hit: Vec<Spot>,
    plates: Vec<Spot>,
}

impl Room {
    /// Where a plate covers least, as near as possible.
    fn place(&self, worm: &Spot, half_width: f64) -> (f64, f64) {
        let around = DISTANCES.into_iter().flat_map(|distance| {
            DIRECTIONS.map(|(x, y)| ((distance * x).round(), (distance * y).round()))
        });
        let cost = |shift: (f64, f64)| self.cost(&spot(worm, shift, half_width), shift);
        let mut best = (cost(USUAL), USUAL);
        for shift in around {
            let cost = cost(shift);
            if cost < best.0 {
                best = (cost, shift);
            }
        }
        best.1
    }

    fn cost(&self, spot: &Spot, (right, down): (f64, f64)) -> f64 {
        let covered = |others: &[Spot]| others.iter().filter(|it| spot.overlaps(it)).count() as f64;
        400.0 * covered(&self.plates)
            + 300.0 * covered(&self.worms)
            + 45.0 * covered(&self.hit)
            + 100.0 * spot.beyond(&self.world)
            + (right * right + down * down).sqrt()
    }
}

/// The usual reach of a banana; its numbers should be read.
fn hit(event: &Event) -> Option<Spot> {
    match *event {
        Event::Threw { at, missile: Missile::Banana, .. } => {
            let half = 1.6 * CELL_PIXELS;
            Some(Spot { half_width: half, half_height: half, ..on_screen(at.into()) })
        }
        _ => None,
    }
}

/// Beside the plate, on the side that is away from the worm.
fn show_change(
    at: Point,
    (right, down): (f64, f64),
    text: String,
    is_loss: bool,
    effects: &mut Effects<'_>,
) {
    let (side, anchor) = if right < 0.0 { (-1.0, Anchor::End) } else { (1.0, Anchor::Start) };
    let away = 34.0 * side;
    let label = Label::new(at, 16.0, text).bold().anchored(anchor).shifted(right + away, down);
    let ink = if is_loss { Ink::Loss } else { Ink::Text };
    let style = Style::fill(ink).with_halo(Ink::Ground);
    let shape = Shape::new(0, layer::PLATE, label.into(), style).on_plane(plane::WORDS);
    effects.show(shape.entering(Enter::NUMBER).leaving(Leave::Fade(0, 30)));
}

/// What killed those who have no plate any more.
fn show_last_losses(game: &Worms, changes: &Changes, effects: &mut Effects<'_>) {
    for seat in Seat::BOTH {
        for (index, worm) in game.players()[seat].worms().iter().enumerate() {
            if let Some(text) = changes.words(seat, index).filter(|_| !worm.is_on_map) {
                show_change(worm.at.into(), (-30.0, -26.0), text, true, effects);
            }
        }
    }
}
