//! What is known of the sites: whose they are, what stands on them, what is in the ground.

use quintain_core::Seat;
use quintain_core::scene::{Form, Ink, Label, Point, Scene, Shape, Style};

use super::forms::{outline, ring};
use super::stage::ink;
use super::{id, layer, symbols};
use crate::describe::creep_name;
use crate::{CreepKind, SiteView, StructureView};

/// How large an icon is, as a share of its site's radius.
const ICON: f64 = 0.56;
/// Numbers on a site stand this far below its middle.
const FIGURE_BELOW: f64 = 0.74;

pub(super) fn draw(number: u32, site: &SiteView, scene: &mut Scene) {
    // It lies over the ranges of towers, which are over everything that stays.
    let stone = Form::symbol(symbols::STONE, place(site), f64::from(site.radius));
    let stone = Shape::new(id::STONE + number, layer::SITE, stone, Style::fill(ink::STONE));
    scene.shapes.push(stone.ornamental().labelled(riches(number, site)));
    match &site.structure {
        None => draw_ground(number, site, scene),
        Some(structure) => {
            draw_owner(number, site, structure.owner(), scene);
            match *structure {
                StructureView::Mine { owner, rate } => draw_mine(number, site, owner, rate, scene),
                StructureView::Tower { owner, hp, range } => {
                    draw_tower(number, site, owner, (hp, range), scene);
                }
                StructureView::Barracks { owner, creep, turns_left } => {
                    draw_barracks(number, site, owner, (creep, turns_left), scene);
                }
            }
        }
    }
}

pub(super) fn place(site: &SiteView) -> Point {
    Point::new(f64::from(site.x), f64::from(site.y))
}

fn below(site: &SiteView, share: f64) -> Point {
    Point::new(f64::from(site.x), f64::from(site.y) + share * f64::from(site.radius))
}

/// What a pointer is told of a site.
fn riches(number: u32, site: &SiteView) -> String {
    match (site.gold, site.rate_max) {
        (Some(gold), Some(rate)) => format!("site {number}: {gold} gold, at most {rate} a turn"),
        _ => format!("site {number}: riches unknown"),
    }
}

fn figure(id: u32, at: Point, text: String, style: Style) -> Shape {
    let label = Label::new(at, 14.0, text).bold();
    Shape::new(id, layer::SITE_WORDS, label.into(), style.with_halo(Ink::Ground)).roomy()
}

/// Gold that nobody digs for.
fn draw_ground(number: u32, site: &SiteView, scene: &mut Scene) {
    let (text, has_gold) = match site.gold {
        None => ("?".to_owned(), false),
        Some(0) => ("no gold".to_owned(), false),
        Some(gold) => (gold.to_string(), true),
    };
    if has_gold {
        let coin = Form::symbol(symbols::COIN, below(site, -0.2), 16.0);
        let coin =
            Shape::new(id::STRUCTURE + number, layer::STRUCTURE, coin, Style::fill(ink::COIN));
        scene.shapes.push(coin.ornamental().labelled(riches(number, site)));
    }
    let at = if has_gold { below(site, 0.2) } else { place(site) };
    let label = Label::new(at, 13.0, text);
    let words =
        Shape::new(id::FIGURE + number, layer::SITE_WORDS, label.into(), Style::fill(Ink::Muted));
    scene.shapes.push(words.roomy().labelled(riches(number, site)));
}

/// The stone in the form and colour of its owner: a strong rim, or two thin ones with eight corners.
fn draw_owner(number: u32, site: &SiteView, owner: Seat, scene: &mut Scene) {
    let (centre, radius, seat_ink) = (place(site), f64::from(site.radius), Ink::of(owner));
    let rim = |base: u32, size: f64, style: Style| {
        Shape::new(base + number, layer::SITE, outline(owner, centre, size), style).jumping()
    };
    match owner {
        Seat::First => {
            scene.shapes.push(rim(id::OWNER, radius - 1.0, Style::stroke(seat_ink, 8.0)));
        }
        Seat::Second => {
            // The stone is round.
            let style = Style::fill(ink::STONE).outlined(seat_ink, 3.5);
            scene.shapes.push(rim(id::OWNER_STONE, radius, style).ornamental());
            scene.shapes.push(rim(id::OWNER, radius - 7.0, Style::stroke(seat_ink, 2.5)));
        }
    }
}

fn icon(number: u32, site: &SiteView, symbol: u8, owner: Seat) -> Shape {
    let size = ICON * f64::from(site.radius);
    let form = Form::symbol(symbol, below(site, -0.12), size);
    Shape::new(id::STRUCTURE + number, layer::STRUCTURE, form, Style::fill(Ink::of(owner)))
        .jumping()
}

/// As many coins as it gives in a turn, and what is left in the ground.
fn draw_mine(number: u32, site: &SiteView, owner: Seat, rate: Option<u8>, scene: &mut Scene) {
    let told = match rate {
        Some(rate) => format!("mine, +{rate} a turn; {}", riches(number, site)),
        None => format!("mine of unknown rate; {}", riches(number, site)),
    };
    scene.shapes.push(icon(number, site, symbols::MINE, owner).labelled(told));
    match rate {
        Some(rate) => draw_coins(number, site, rate, scene),
        None => {
            let style = Style::fill(ink::COIN_RIM);
            let unknown = figure(id::COIN + 8 * number, below(site, 0.36), "+?".to_owned(), style);
            scene.shapes.push(unknown);
        }
    }
    let left = site.gold.map_or_else(|| "?".to_owned(), |gold| gold.to_string());
    let style = Style::fill(Ink::Text);
    scene.shapes.push(figure(id::FIGURE + number, below(site, FIGURE_BELOW), left, style));
}

/// Beside each other before the entrance. No mine gives more than five.
fn draw_coins(number: u32, site: &SiteView, rate: u8, scene: &mut Scene) {
    const SIZE: f64 = 9.5;
    const STEP: f64 = 17.0;
    let middle = below(site, 0.3);
    for index in 0..rate.min(8) {
        let right = (f64::from(index) - f64::from(rate - 1) / 2.0) * STEP;
        let form = Form::symbol(symbols::COIN, (middle.x + right, middle.y), SIZE);
        let id = id::COIN + 8 * number + u32::from(index);
        let coin = Shape::new(id, layer::STRUCTURE, form, Style::fill(ink::COIN));
        scene.shapes.push(coin.jumping().ornamental());
    }
}

fn draw_tower(
    number: u32,
    site: &SiteView,
    owner: Seat,
    (hp, range): (i32, i32),
    scene: &mut Scene,
) {
    let (fill, seat_ink) = match owner {
        Seat::First => (ink::RANGE_FIRST, Ink::First),
        Seat::Second => (ink::RANGE_SECOND, Ink::Second),
    };
    let circle = Form::circle(place(site), f64::from(range));
    let reach = Shape::new(id::REACH + number, layer::RANGE, circle.clone(), Style::fill(fill));
    let style = Style::stroke(seat_ink, 3.5);
    let style = if owner == Seat::Second { style.dashed(14.0) } else { style };
    let rim = Shape::new(id::RANGE + number, layer::RANGE, circle, style);
    scene.shapes.extend([reach.ornamental(), rim]);
    let told = format!("tower, {hp} HP, range {range}; {}", riches(number, site));
    scene.shapes.push(icon(number, site, symbols::tower(owner), owner).labelled(told));
    let (at, style) = (below(site, FIGURE_BELOW), Style::fill(Ink::Text));
    scene.shapes.push(figure(id::FIGURE + number, at, format!("{hp} HP"), style));
}

/// What comes out of it, and a ring that is full when it does.
fn draw_barracks(
    number: u32,
    site: &SiteView,
    owner: Seat,
    (creep, turns_left): (CreepKind, u8),
    scene: &mut Scene,
) {
    let doing = match turns_left {
        0 => "idle".to_owned(),
        turns => format!("ready in {turns}"),
    };
    let told = format!("{} barracks, {doing}; {}", creep_name(creep), riches(number, site));
    scene.shapes.push(icon(number, site, symbols::house(owner), owner).labelled(told));
    let radius = f64::from(site.radius);
    let form = Form::symbol(symbols::emblem(creep), below(site, -0.02), 0.62 * ICON * radius);
    let tint = match owner {
        Seat::First => Ink::Ground,
        Seat::Second => Ink::Second,
    };
    let emblem = Shape::new(id::EMBLEM + number, layer::STRUCTURE, form, Style::fill(tint));
    scene.shapes.push(emblem.jumping());
    if turns_left > 0 {
        let whole = f64::from(creep.stats().training_turns);
        let share = 1.0 - f64::from(turns_left) / whole;
        let form = ring(owner, place(site), radius - 15.0, share);
        let style = Style::stroke(ink::COIN, 7.0);
        let progress = Shape::new(id::TRAINING + number, layer::STRUCTURE, form, style);
        scene.shapes.push(progress.ornamental());
        let (at, style) = (below(site, FIGURE_BELOW), Style::fill(Ink::Text));
        let text = match turns_left {
            1 => "1 turn".to_owned(),
            turns => format!("{turns} turns"),
        };
        scene.shapes.push(figure(id::FIGURE + number, at, text, style));
    }
}
