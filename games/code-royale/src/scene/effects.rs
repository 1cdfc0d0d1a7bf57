//! What the latest turn did: shots, blows, losses, what was built and what is gone.

use quintain_core::Seat;
use quintain_core::scene::{
    Anchor, Effects, Enter, Entrance, Eye, Form, Ink, Label, Leave, Point, Shape, Style,
};

use super::stage::ink;
use super::units::QUEEN_SIZE;
use super::{layer, symbols};
use crate::geometry::WIDTH;
use crate::rules::build::TOWER_HP;
use crate::{CodeRoyale, Event, Remover, Site, Target, Works};

/// What fades when the next turn begins.
const FADING: Leave = Leave::Fade(0, 30);
const BUILDING: Enter = Enter { how: Entrance::Grow, from: 60, to: 85 };

/// Words above a place, so many pixels higher.
fn say(
    effects: &mut Effects<'_>,
    at: Point,
    above: f64,
    text: impl Into<String>,
    ink: Ink,
    enter: Enter,
) {
    let label = Label::new(at, 15.0, text).bold().shifted(0.0, -above);
    let style = Style::fill(ink).with_halo(Ink::Ground);
    let shape = Shape::new(0, layer::WORDS, label.into(), style).roomy();
    effects.show(shape.entering(enter).leaving(FADING));
}

/// What everybody lost, added up: several may shoot at one.
#[derive(Default)]
struct Losses {
    by_place: Vec<((i32, i32), i32)>,
    of_queens: [i32; 2],
    /// By the number of the site.
    of_towers: Vec<(usize, i32)>,
}

fn add<K: PartialEq>(sums: &mut Vec<(K, i32)>, key: K, damage: i32) {
    match sums.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += damage,
        None => sums.push((key, damage)),
    }
}

pub(super) fn draw(game: &CodeRoyale, last: &[Event], eye: Eye, effects: &mut Effects<'_>) {
    let mut losses = Losses::default();
    for event in last {
        match *event {
            Event::Shot { site, owner, target, at, damage } => {
                beam(&game.field().sites()[site], point(at), owner, effects);
                match target {
                    Target::Queen => losses.of_queens[owner.other().index()] += damage,
                    Target::Creep(_) => add(&mut losses.by_place, at, damage),
                }
            }
            Event::Hit { seat, from, at, damage } => {
                arrow(point(from), point(at), seat, effects);
                add(&mut losses.by_place, at, damage);
            }
            Event::Beaten { site, from, damage } => {
                blow(game, site, point(from), effects);
                add(&mut losses.of_towers, site, damage);
            }
            Event::Struck { seat, damage } => losses.of_queens[seat.index()] += damage,
            Event::Fell { seat, at } => grave(point(at), seat, effects),
            Event::Warned { seat, .. } if eye != Eye::Seat(seat.other()) => {
                say(effects, queen(game, seat), 74.0, "warned", Ink::Loss, Enter::ORDER);
            }
            Event::Killed { seat, .. } => {
                say(effects, queen(game, seat), 74.0, "out", Ink::Loss, Enter::ORDER);
            }
            Event::QueenDied { seat } => fall(queen(game, seat), effects),
            _ => draw_on_site(game, event, eye, effects),
        }
    }
    draw_losses(game, &losses, effects);
}

/// What happened to a site.
fn draw_on_site(game: &CodeRoyale, event: &Event, eye: Eye, effects: &mut Effects<'_>) {
    match *event {
        Event::Built { seat, site, works } => {
            let knows = eye != Eye::Seat(seat.other());
            circle(game, site, Ink::Accent, None, effects);
            site_words(game, site, built_words(works, knows), Ink::Text, effects);
        }
        Event::Removed { site, by, .. } => {
            let text = match by {
                Remover::Queen(_) | Remover::Creep(_) => "torn down",
                Remover::Exhaustion => "exhausted",
                Remover::Decay => "in ruins",
            };
            circle(game, site, Ink::Loss, Some(12.0), effects);
            site_words(game, site, text.to_owned(), Ink::Loss, effects);
        }
        Event::Contested { site, .. } => {
            site_words(game, site, "contested".to_owned(), Ink::Loss, effects);
        }
        Event::Trains { site, kind, .. } => {
            let text = format!("−{} gold", kind.stats().cost);
            site_words(game, site, text, Ink::Text, effects);
        }
        Event::Spawned { site, .. } => circle(game, site, Ink::Accent, Some(5.0), effects),
        _ => {}
    }
}

/// The rate of a mine is told to those alone who may know it.
fn built_words(works: Works, knows_rate: bool) -> String {
    match works {
        Works::Mine { rate } if knows_rate && rate > 1 => format!("rate {rate}"),
        Works::Tower { hp, .. } if hp > TOWER_HP => "raised".to_owned(),
        _ => "built".to_owned(),
    }
}

fn point((x, y): (i32, i32)) -> Point {
    Point::new(f64::from(x), f64::from(y))
}

fn site_place(game: &CodeRoyale, site: usize) -> Point {
    game.field().sites()[site].place.into()
}

fn queen(game: &CodeRoyale, seat: Seat) -> Point {
    game.players()[seat].queen.into()
}

/// From the top of a tower, with a glow of its own colour.
fn beam(tower: &Site, target: Point, owner: Seat, effects: &mut Effects<'_>) {
    let from = Point::new(tower.place.x, tower.place.y - 0.45 * tower.radius);
    let strokes =
        [(Ink::of(owner), 18.0, 0.22), (Ink::of(owner), 7.0, 0.9), (ink::FLASH, 2.6, 1.0)];
    for (index, (ink, width, opacity)) in strokes.into_iter().enumerate() {
        let style = Style::stroke(ink, width).faded(opacity);
        let line = Shape::new(0, layer::BEAM, Form::line(from, target), style);
        // Dots know one line.
        let line = if index == 1 { line } else { line.ornamental() };
        effects.show(line.entering(Enter::SHOT).leaving(FADING));
    }
}

fn arrow(from: Point, target: Point, seat: Seat, effects: &mut Effects<'_>) {
    let style = Style::stroke(Ink::of(seat), 3.5);
    let style = if seat == Seat::Second { style.dashed(10.0) } else { style };
    let shape = Shape::new(0, layer::BEAM, Form::line(from, target), style);
    effects.show(shape.entering(Enter::SHOT).leaving(FADING));
}

/// A burst where the giant meets the tower.
fn blow(game: &CodeRoyale, site: usize, giant: Point, effects: &mut Effects<'_>) {
    let tower = site_place(game, site);
    let middle = Point::new((2.0 * giant.x + tower.x) / 3.0, (2.0 * giant.y + tower.y) / 3.0);
    burst(middle, 30.0, effects);
}

fn burst(at: Point, size: f64, effects: &mut Effects<'_>) {
    let form = Form::symbol(symbols::BURST, at, size);
    let shape = Shape::new(0, layer::EFFECT, form, Style::fill(Ink::Accent));
    effects.show(shape.entering(Enter::IMPACT).leaving(FADING));
}

/// A small cross where a creep died.
fn grave(at: Point, seat: Seat, effects: &mut Effects<'_>) {
    let (x, y) = (at.x, at.y);
    for way in [1.0, -1.0] {
        let line = Form::line((x - 11.0, y - 11.0 * way), (x + 11.0, y + 11.0 * way));
        let style = Style::stroke(Ink::of(seat), 5.0).faded(0.75);
        let shape = Shape::new(0, layer::TRAIL, line, style).ornamental();
        effects.show(shape.entering(Enter::GRAVE).leaving(Leave::SLOWLY));
    }
}

fn fall(at: Point, effects: &mut Effects<'_>) {
    burst(at, 78.0, effects);
    say(effects, at, 74.0, "dead", Ink::Loss, Enter::GRAVE);
}

fn circle(game: &CodeRoyale, site: usize, ink: Ink, dash: Option<f64>, effects: &mut Effects<'_>) {
    let site = &game.field().sites()[site];
    let mut style = Style::stroke(ink, 7.0);
    style.dash = dash;
    let form = Form::circle(site.place, site.radius + 16.0);
    let shape = Shape::new(0, layer::EFFECT, form, style);
    effects.show(shape.entering(BUILDING).leaving(FADING));
}

/// Above its circle, or below it where that is beyond the edge.
fn site_words(game: &CodeRoyale, site: usize, text: String, ink: Ink, effects: &mut Effects<'_>) {
    let site = &game.field().sites()[site];
    let reach = site.radius + 20.0;
    let top = Point::new(site.place.x, site.place.y - reach);
    // A queen's number is not covered by words.
    let is_in_the_way = |seat| {
        let queen = queen(game, seat);
        (queen.x - top.x).abs() < 2.2 * QUEEN_SIZE && (queen.y - top.y).abs() < 1.4 * QUEEN_SIZE
    };
    let has_room = top.y > 40.0 && !Seat::BOTH.into_iter().any(is_in_the_way);
    let y = if has_room { top.y } else { site.place.y + reach };
    let above = if y < site.place.y { 11.0 } else { -11.0 };
    say(effects, Point::new(site.place.x, y), above, text, ink, BUILDING);
}

fn draw_losses(game: &CodeRoyale, losses: &Losses, effects: &mut Effects<'_>) {
    let number = |label: Label| {
        let style = Style::fill(Ink::Loss).with_halo(Ink::Ground);
        let shape = Shape::new(0, layer::WORDS, label.bold().into(), style);
        shape.entering(Enter::NUMBER).leaving(FADING)
    };
    for &(at, damage) in &losses.by_place {
        // At the upper edge there is no room above. Where letters have no pixels to shift by, the
        // number stands beside the creep all the same.
        let up = if at.1 < 60 { -1.0 } else { 1.0 };
        let place = Point::new(f64::from(at.0), f64::from(at.1) - 28.0 * up);
        let label = Label::new(place, 14.0, format!("−{damage}")).shifted(0.0, -5.0 * up);
        effects.show(number(label).roomy());
    }
    for &(site, damage) in &losses.of_towers {
        let site = &game.field().sites()[site];
        let place = Point::new(site.place.x, site.place.y - 0.75 * site.radius);
        effects.show(number(Label::new(place, 18.0, format!("−{damage}"))).roomy());
    }
    for seat in Seat::BOTH {
        let damage = losses.of_queens[seat.index()];
        if damage > 0 {
            effects.show(number(beside(queen(game, seat), format!("−{damage}"))));
        }
    }
}

/// To the right of a queen, or to her left where that is beyond the edge.
fn beside(queen: Point, text: String) -> Label {
    if queen.x < WIDTH - 150.0 {
        let at = Point::new(queen.x + QUEEN_SIZE, queen.y);
        Label::new(at, 19.0, text).anchored(Anchor::Start).shifted(5.0, 0.0)
    } else {
        let at = Point::new(queen.x - QUEEN_SIZE, queen.y);
        Label::new(at, 19.0, text).anchored(Anchor::End).shifted(-5.0, 0.0)
    }
}
