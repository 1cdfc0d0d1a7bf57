//! What part of the planet is shown where: all of it, a lens where worms stand side by side, and on a
//! narrow screen the fight with a small planet.

use quintain_core::scene::{Area, Eye, Form, Ink, Point, Scene, Shape, Style, Window, Windows};
use quintain_core::{Game as _, Seat};

use super::stage::{self, ink};
use super::{distance, id, layer, plane, worm_number};
use crate::cell::Cell;
use crate::event::Event;
use crate::rules::Worms;

/// What a narrow screen shows, in cells.
const NARROW: f64 = 16.0;
/// How far apart two places of it may be.
const NARROW_REACH: u8 = 11;
/// The side of a lens and of the small planet, in shares of the stage.
const LENS: f64 = 0.32;
const SMALL: f64 = 0.25;
const SMALL_MARGIN: f64 = 0.02;
/// The least that a lens shows, in cells.
const LENS_CELLS: f64 = 5.0;
const WHOLE: Area = Area::new(0.0, 0.0, 1.0, 1.0);

pub(super) fn open(game: &Worms, eye: Eye, events: &[Event], scene: &mut Scene) {
    let world = stage::world(game);
    let part = narrow_part(game, eye, events, &world);
    let both = |view| {
        vec![Window::whole(plane::PLANET, view), Window::whole(plane::WORDS, view).placed(1, WHOLE)]
    };
    let mut windows = Windows { wide: both(world), narrow: both(part) };
    let (small, _) = freest_corner(&places(game), (SMALL, SMALL_MARGIN), &part);
    windows.narrow.push(Window::whole(plane::PLANET, world).placed(3, small).round());
    windows.narrow.push(Window::whole(plane::MAP, world).placed(4, small).round());
    draw_map(game, &part, scene);
    if let Some((view, place)) = lens(game, &world) {
        windows.wide.push(Window::whole(plane::PLANET, view).placed(2, place).round());
        draw_lens_line(&view, &place, &world, scene);
    }
    scene.windows = windows;
}

/// On the small planet: large signs for worms, which would not be seen there, and a frame around what is
/// shown.
fn draw_map(game: &Worms, part: &Area, scene: &mut Scene) {
    const SIZE: f64 = 1.3;
    let Area { x, y, width, height } = *part;
    let frame = Form::rectangle(x, y, width, height);
    let frame = Shape::new(id::FRAME, layer::LENS, frame, Style::stroke(ink::EYE, 0.5));
    scene.shapes.push(frame.on_plane(plane::MAP));
    for (seat, player) in game.players().iter() {
        for (index, worm) in player.worms().iter().enumerate().filter(|(_, worm)| worm.is_on_map) {
            let Point { x, y } = worm.at.into();
            let corners = [(0.0, -SIZE), (SIZE, 0.0), (0.0, SIZE), (-SIZE, 0.0)];
            let form = match seat {
                Seat::First => Form::circle((x, y), SIZE),
                Seat::Second => Form::polygon(corners.map(|(dx, dy)| (x + dx, y + dy))),
            };
            let number = id::MAP + worm_number(seat, index);
            let style = Style::fill(Ink::of(seat)).outlined(ink::EYE, 0.4);
            scene.shapes.push(Shape::new(number, layer::LENS, form, style).on_plane(plane::MAP));
        }
    }
}

fn places(game: &Worms) -> Vec<Cell> {
    let worms = game.players().0.iter().flat_map(|player| player.worms());
    worms.filter(|worm| worm.is_on_map).map(|worm| worm.at).collect()
}

/// Where the latest round happened, or where the worms are; for a person at play, around the worm that is to
/// act. What does not fit beside the most important place is left to the small planet.
fn narrow_part(game: &Worms, eye: Eye, events: &[Event], world: &Area) -> Area {
    let mut acted: Vec<(u8, Cell)> = events.iter().filter_map(place_of).collect();
    acted.sort_by_key(|(rank, _)| *rank);
    let seen = acted.into_iter().map(|(_, cell)| cell);
    let mut shown: Vec<Cell> = Vec::new();
    for cell in acting(game, eye).into_iter().chain(seen).chain(places(game)) {
        if shown.iter().all(|other| other.steps_to(cell) <= NARROW_REACH) {
            shown.push(cell);
        }
    }
    let size = NARROW.min(world.width);
    let Point { x, y } = middle(&shown);
    // To whole cells, so that the picture rests while somebody takes a step.
    let within = |at: f64, from: f64, length: f64| {
        (at.round() - size / 2.0).clamp(from, from + length - size)
    };
    Area::new(within(x, world.x, world.width), within(y, world.y, world.height), size, size)
}

/// The worm of whoever looks that is to act.
fn acting(game: &Worms, eye: Eye) -> Option<Cell> {
    let Eye::Seat(seat) = eye else { return None };
    let player = &game.players()[seat];
    let worm = player.worms().get(usize::from(player.active_id()).checked_sub(1)?)?;
    game.to_act().contains(seat).then_some(worm.at)
}

/// Where something happened, and which of several such places is seen first.
fn place_of(event: &Event) -> Option<(u8, Cell)> {
    match *event {
        Event::Threw { at, .. } => Some((0, at)),
        Event::Shot { from, .. } => Some((1, from)),
        Event::Collided { to, .. } => Some((1, to)),
        Event::Dug { at, .. } => Some((2, at)),
        Event::Moved { to, .. } => Some((3, to)),
        _ => None,
    }
}

/// The middle of the box around some cells; the origin if there are none.
fn middle(cells: &[Cell]) -> Point {
    let range = |of: fn(&Cell) -> u8| {
        let least = cells.iter().map(of).min().unwrap_or(0);
        let most = cells.iter().map(of).max().unwrap_or(0);
        (f64::from(least) + f64::from(most)) / 2.0
    };
    Point::new(range(|cell| cell.x), range(|cell| cell.y))
}

/// What a lens shows, and where it is: in the corner that is farthest from all worms.
fn lens(game: &Worms, world: &Area) -> Option<(Area, Area)> {
    let places = places(game);
    let crowd = crowd(&places)?;
    let Point { x, y } = middle(&crowd);
    let span = |of: fn(&Cell) -> u8| {
        let most = crowd.iter().map(of).max().unwrap_or(0);
        f64::from(most - crowd.iter().map(of).min().unwrap_or(0))
    };
    let size = (span(|cell| cell.x).max(span(|cell| cell.y)) + 3.4).max(LENS_CELLS);
    let view = Area::new(x - size / 2.0, y - size / 2.0, size, size);
    let (place, room) = freest_corner(&places, (LENS, 0.0), world);
    let is_free = room > LENS * world.width / 2.0 + 1.5;
    is_free.then_some((view, place))
}

/// The corner of a view whose middle is farthest from all worms, and how far it is.
fn freest_corner(places: &[Cell], (size, margin): (f64, f64), view: &Area) -> (Area, f64) {
    let (near, far) = (margin, 1.0 - size - margin);
    let room = |x: f64, y: f64| {
        let place = Area::new(x, y, size, size);
        let centre = lens_centre(&place, view);
        let to = |cell: &Cell| distance((*cell).into(), centre);
        (place, places.iter().map(to).fold(f64::INFINITY, f64::min))
    };
    // Of corners that are as free, the lower right one.
    let others = [(near, near), (far, near), (near, far)].map(|(x, y)| room(x, y));
    others
        .into_iter()
        .fold(room(far, far), |best, other| if other.1 > best.1 { other } else { best })
}

fn lens_centre(place: &Area, world: &Area) -> Point {
    let x = world.x + (place.x + place.width / 2.0) * world.width;
    Point::new(x, world.y + (place.y + place.height / 2.0) * world.height)
}

/// The most worms of which each stands beside another one, if there are any.
fn crowd(places: &[Cell]) -> Option<Vec<Cell>> {
    let mut left = places.to_vec();
    let mut best: Vec<Cell> = Vec::new();
    while let Some(start) = left.pop() {
        let mut group = vec![start];
        let mut next = 0;
        while next < group.len() {
            let cell = group[next];
            let (near, far): (Vec<Cell>, Vec<Cell>) =
                left.into_iter().partition(|other| other.steps_to(cell) <= 1);
            group.extend(near);
            left = far;
            next += 1;
        }
        if group.len() > best.len().max(1) {
            best = group;
        }
    }
    (!best.is_empty()).then_some(best)
}

/// From what is enlarged to where it is shown.
fn draw_lens_line(view: &Area, place: &Area, world: &Area, scene: &mut Scene) {
    let radius = view.width / 2.0;
    let from = Point::new(view.x + radius, view.y + radius);
    let to = lens_centre(place, world);
    let length = distance(from, to).max(1.0);
    let along = |way: f64| {
        let share = way / length;
        Point::new(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    };
    let end = along(length - LENS * world.width / 2.0);
    let style = Style::stroke(ink::EYE, 0.12);
    let forms = [Form::circle(from, radius), Form::line(along(radius), end)];
    for (form, number) in forms.into_iter().zip(id::LENS..) {
        let shape = Shape::new(number, layer::LENS, form, style).on_plane(plane::WORDS);
        scene.shapes.push(shape.roomy());
    }
}
