//! The worms, and the graves of those that are out.

use quintain_core::scene::{Enter, Form, Ink, Leave, Point, Scene, Shape, Style};
use quintain_core::{PerSeat, Seat};

use super::stage::ink;
use super::{id, layer, symbols, worm_number};
use crate::rules::{Worm, Worms};

/// A figure is somewhat larger than its cell.
pub(super) const SIZE: f64 = 0.68;

/// From the top to the bottom, so that nobody covers the head of whoever is before it.
pub(super) fn draw(game: &Worms, names: &PerSeat<String>, scene: &mut Scene) {
    let mut living = Vec::new();
    for (seat, player) in game.players().iter() {
        for (index, worm) in player.worms().iter().enumerate() {
            if worm.is_on_map {
                living.push((worm.at.y, seat, index));
            } else {
                draw_grave(seat, index, worm, &names[seat], scene);
            }
        }
    }
    living.sort_by_key(|(y, ..)| *y);
    for (_, seat, index) in living {
        draw_worm(game, seat, index, &names[seat], scene);
    }
}

/// The first player's look to the right, the second's to the left.
pub(super) fn figure(game: &Worms, seat: Seat, index: usize, at: Point) -> Form {
    Form::Symbol {
        symbol: symbols::worm(game, seat, index),
        at,
        size: SIZE,
        turned: 0.0,
        is_mirrored: seat == Seat::Second,
    }
}

fn draw_worm(game: &Worms, seat: Seat, index: usize, name: &str, scene: &mut Scene) {
    let player = &game.players()[seat];
    let worm = &player.worms()[index];
    let (number, at): (u32, Point) = (worm_number(seat, index), worm.at.into());
    let profession = &game.class_of(index).profession_name;
    let label = format!("{name}'s worm {}, {profession}, {} health", index + 1, worm.hp);
    let style = Style::fill(Ink::of(seat));
    let base = Form::circle(at, 0.5);
    let base = Shape::new(id::BASE + number, layer::WORM, base, style.faded(0.5));
    let body = figure(game, seat, index, at);
    let body = Shape::new(id::WORM + number, layer::WORM, body, style).labelled(label);
    scene.shapes.extend([base, body].map(|shape| shape.leaving(Leave::DYING)));
    if worm.frozen > 0 {
        let ice = Form::symbol(symbols::ICE, at, 0.66);
        let ice = Shape::new(id::ICE + number, layer::WORM, ice, Style::fill(ink::ICE));
        scene.shapes.push(ice.labelled(format!("frozen, {} to go", worm.frozen)));
    }
    if usize::from(player.active) == index {
        let corners = [(-0.16, -0.96), (0.16, -0.96), (0.0, -0.74)];
        let corners = corners.map(|(x, y)| (at.x + x, at.y + y));
        let style = Style::fill(ink::EYE).outlined(ink::PUPIL, 0.06);
        let shape = Shape::new(id::ACTIVE + number, layer::WORM, Form::polygon(corners), style);
        scene.shapes.push(shape.ornamental().labelled("has the next turn"));
    }
}

fn draw_grave(seat: Seat, index: usize, worm: &Worm, name: &str, scene: &mut Scene) {
    let form = Form::symbol(symbols::grave(seat), worm.at, 0.5);
    let number = id::GRAVE + worm_number(seat, index);
    let shape = Shape::new(number, layer::GRAVE, form, Style::fill(Ink::of(seat)));
    let label = format!("{name}'s worm {} is out", index + 1);
    scene.shapes.push(shape.labelled(label).entering(Enter::GRAVE));
}
