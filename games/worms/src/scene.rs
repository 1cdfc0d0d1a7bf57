//! What is drawn: the map, the worms with their health, packs, and what flew in the last round.
//!
//! One unit is one cell, and a cell's place is its middle. A person at play sees what a bot would be
//! told: not what the other has left to throw.

use quintain_core::scene::{
    Anchor, Area, Colour, Eye, Form, Ink, Motion, Panel, Point, Scene, Shape, Stage, Style,
    TextScene, Watch,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::cell::{Cell, MAP_SIZE_MAX, Terrain};
use crate::describe::{describe, shortened};
use crate::event::{Event, Missile, ThrowResult};
use crate::rules::{Worm, Worms};
use crate::text::map_text;

/// Ids of shapes, far enough apart never to meet.
mod id {
    /// Plus the cell's number, as for dirt, lava and packs.
    pub(super) const FIELD: u32 = 0;
    pub(super) const DIRT: u32 = 10_000;
    pub(super) const LAVA: u32 = 20_000;
    pub(super) const PACK: u32 = 30_000;
    pub(super) const PACK_CROSS: u32 = 40_000;
    /// Plus the worm's number, which is its index and 16 for the second player.
    pub(super) const WORM: u32 = 50_000;
    pub(super) const WORM_ID: u32 = 50_100;
    pub(super) const WORM_HEALTH: u32 = 50_200;
    pub(super) const WORM_ICE: u32 = 50_300;
    /// Plus the event's number in the round.
    pub(super) const EFFECT: u32 = 60_000;
}

mod layer {
    pub(super) const FIELD: u8 = 0;
    pub(super) const TERRAIN: u8 = 1;
    pub(super) const PACK: u8 = 2;
    pub(super) const WORM: u8 = 3;
    pub(super) const EFFECT: u8 = 4;
}

/// The colours of this game.
pub(crate) mod ink {
    use super::Ink;

    pub(crate) const DIRT: Ink = Ink::Own(0);
    pub(crate) const LAVA: Ink = Ink::Own(1);
    pub(crate) const PACK: Ink = Ink::Own(2);
    pub(crate) const ICE: Ink = Ink::Own(3);
    pub(crate) const BANANA: Ink = Ink::Own(4);
}

const PALETTE: [Colour; 5] = [
    Colour { red: 180, green: 146, blue: 108 },
    // Light, so that worms of both colours and their numbers can be seen on it.
    Colour { red: 252, green: 176, blue: 76 },
    Colour { red: 62, green: 160, blue: 84 },
    Colour { red: 96, green: 178, blue: 226 },
    Colour { red: 222, green: 178, blue: 40 },
];

impl Spectate for Worms {
    type Trail = ();

    fn stage(&self) -> Stage {
        let size = f64::from(self.ground().size());
        // Only deep space is not part of the field, and it never changes.
        let background = self.runs(|terrain| terrain != Terrain::DeepSpace).into_iter();
        let background = background.map(|(start, length)| {
            let number = id::FIELD + number(start);
            Shape::new(number, layer::FIELD, bar(start, length), Style::fill(Ink::Field))
        });
        Stage {
            world: Area { x: -0.5, y: -0.5, width: size, height: size },
            background: background.collect(),
            palette: PALETTE.to_vec(),
        }
    }

    fn follow(_trail: &mut (), _events: &[Event]) {}

    fn draw(&self, watch: &Watch<'_, Self>, scene: &mut Scene) {
        self.draw_terrain(Terrain::Dirt, id::DIRT, ink::DIRT, scene);
        self.draw_terrain(Terrain::Lava, id::LAVA, ink::LAVA, scene);
        self.draw_packs(scene);
        for (seat, player) in self.players().iter() {
            let name = shortened(&watch.names[seat]);
            for (index, worm) in player.worms().iter().enumerate() {
                if worm.is_on_map {
                    self.draw_worm(seat, index, worm, &name, scene);
                }
            }
        }
        for (event, number) in watch.last.iter().zip(id::EFFECT..) {
            self.draw_effect(event, number, scene);
        }
        self.fill_panels(watch.eye, scene);
        scene.caption = self.caption(watch.names);
    }

    fn text(&self, eye: Eye, out: &mut TextScene) {
        map_text(self, eye, out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        describe(event, names)
    }

    fn mark(event: &Event) -> Option<&'static str> {
        match event {
            Event::Died { .. } => Some("worm down"),
            Event::LavaRises => Some("lava"),
            Event::Disqualified { .. } => Some("disqualified"),
            Event::Threw { missile: Missile::Banana, .. } => Some("banana"),
            Event::Threw { missile: Missile::Snowball, .. } => Some("snowball"),
            Event::Collided { .. } => Some("collision"),
            _ => None,
        }
    }
}

impl Worms {
    /// Neighbours in a row of which this holds: the first cell, and how many.
    fn runs(&self, holds: impl Fn(Terrain) -> bool) -> Vec<(Cell, u8)> {
        let mut runs: Vec<(Cell, u8)> = Vec::new();
        for cell in self.ground().cells() {
            if !holds(self.ground().at(cell)) {
                continue;
            }
            match runs.last_mut() {
                Some((start, length)) if start.y == cell.y && start.x + *length == cell.x => {
                    *length += 1;
                }
                _ => runs.push((cell, 1)),
            }
        }
        runs
    }

    fn draw_terrain(&self, terrain: Terrain, base: u32, ink: Ink, scene: &mut Scene) {
        for (start, length) in self.runs(|other| other == terrain) {
            let form = bar(start, length);
            let shape = Shape::new(base + number(start), layer::TERRAIN, form, Style::fill(ink));
            scene.shapes.push(jumping(shape));
        }
    }

    fn draw_packs(&self, scene: &mut Scene) {
        for pack in self.packs() {
            let (centre, cell) = (point(pack.at), number(pack.at));
            let form = Form::Circle { centre, radius: 0.4 };
            let disc = Shape::new(id::PACK + cell, layer::PACK, form, Style::fill(ink::PACK));
            scene.shapes.push(jumping(disc).labelled(format!("health pack, +{}", pack.value)));
            let form = words(pack.at, 0.0, 0.8, "+".to_owned());
            let style = Style::fill(Ink::Ground);
            scene.shapes.push(jumping(Shape::new(id::PACK_CROSS + cell, layer::PACK, form, style)));
        }
    }

    fn draw_worm(&self, seat: Seat, index: usize, worm: &Worm, name: &str, scene: &mut Scene) {
        let number = index as u32 + 16 * seat.index() as u32;
        let is_active = usize::from(self.players()[seat].active) == index;
        let mut style = Style::fill(Ink::of(seat));
        let rim = if is_active { Ink::Text } else { Ink::Field };
        (style.stroke, style.stroke_width) = (Some(rim), 0.12);
        let form = Form::Circle { centre: point(worm.at), radius: 0.46 };
        let profession = &self.class_of(index).profession_name;
        let label = format!("{name}'s {profession}, {} health", worm.hp);
        let body = Shape::new(id::WORM + number, layer::WORM, form, style);
        scene.shapes.push(body.labelled(label));
        if worm.frozen > 0 {
            let form = Form::Circle { centre: point(worm.at), radius: 0.62 };
            let style = Style::stroke(ink::ICE, 0.2);
            let label = format!("frozen, {} to go", worm.frozen);
            let ice = Shape::new(id::WORM_ICE + number, layer::WORM, form, style);
            scene.shapes.push(ice.labelled(label));
        }
        let form = words(worm.at, 0.0, 0.62, (index + 1).to_string());
        let style = Style::fill(Ink::Ground);
        scene.shapes.push(Shape::new(id::WORM_ID + number, layer::WORM, form, style));
        let form = words(worm.at, -0.85, 0.75, worm.hp.to_string());
        let style = Style::fill(Ink::Text);
        scene.shapes.push(Shape::new(id::WORM_HEALTH + number, layer::WORM, form, style));
    }

    pub(crate) fn class_of(&self, worm: usize) -> &crate::WormClass {
        self.game_config().classes()[usize::from(self.field().class_of[worm]) % 3]
    }

    /// What flew in the last round.
    fn draw_effect(&self, event: &Event, number: u32, scene: &mut Scene) {
        let shape = match *event {
            Event::Shot { seat, from, at, .. } => {
                let end = Point::new(f64::from(at.0), f64::from(at.1));
                let form = Form::Line { points: vec![point(from), end] };
                Shape::new(number, layer::EFFECT, form, Style::stroke(Ink::of(seat), 0.16))
            }
            Event::Threw { result: ThrowResult::DeepSpace, at, .. } => {
                let form = Form::Circle { centre: point(at), radius: 0.3 };
                Shape::new(number, layer::EFFECT, form, Style::stroke(Ink::Faint, 0.12))
            }
            Event::Threw { missile: Missile::Banana, worm, at, .. } => {
                let bananas = self.class_of(usize::from(worm) - 1).bananas;
                let radius = bananas.map_or(0.5, |bananas| f64::from(bananas.damage_radius) + 0.5);
                let form = Form::Circle { centre: point(at), radius };
                let style = Style::fill(ink::BANANA).faded(0.45);
                Shape::new(number, layer::EFFECT, form, style)
            }
            Event::Threw { missile: Missile::Snowball, worm, at, .. } => {
                let snowballs = self.class_of(usize::from(worm) - 1).snowballs;
                let reach = snowballs.map_or(0.5, |it| f64::from(it.freeze_radius) + 0.5);
                let corners = [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)];
                let middle = point(at);
                let points = corners.map(|(x, y)| Point::new(middle.x + x, middle.y + y)).to_vec();
                let style = Style::fill(ink::ICE).faded(0.45);
                Shape::new(number, layer::EFFECT, Form::Polygon { points }, style)
            }
            Event::Collided { to, .. } => {
                let form = words(to, 0.0, 0.9, "×".to_owned());
                Shape::new(number, layer::EFFECT, form, Style::fill(Ink::Accent))
            }
            Event::Died { seat, worm } => {
                let at = self.players()[seat].worms()[usize::from(worm) - 1].at;
                let form = words(at, 0.0, 1.0, "†".to_owned());
                Shape::new(number, layer::EFFECT, form, Style::fill(Ink::of(seat)))
            }
            _ => return,
        };
        scene.shapes.push(jumping(shape));
    }

    fn fill_panels(&self, eye: Eye, scene: &mut Scene) {
        for (seat, player) in self.players().iter() {
            let mut panel = |name, value: String| {
                scene.panels.push(Panel { seat: Some(seat), name, value });
            };
            panel("score", player.score().to_string());
            panel("health", player.health().to_string());
            panel("tokens", player.tokens.to_string());
            if eye != Eye::Seat(seat.other()) {
                let sum = |count: fn(&Worm) -> i32| -> i32 {
                    player.worms().iter().filter(|worm| worm.is_alive()).map(count).sum()
                };
                panel("bananas", sum(|worm| worm.bananas).to_string());
                panel("snowballs", sum(|worm| worm.snowballs).to_string());
            }
        }
    }

    fn caption(&self, names: &PerSeat<String>) -> String {
        let Some(outcome) = self.outcome() else {
            return format!("round {}", self.turn());
        };
        match outcome.winner() {
            Some(winner) => format!("{} wins: {}", shortened(&names[winner]), outcome.reason),
            None => format!("draw: {}", outcome.reason),
        }
    }
}

fn number(cell: Cell) -> u32 {
    u32::from(cell.y) * MAP_SIZE_MAX as u32 + u32::from(cell.x)
}

fn point(cell: Cell) -> Point {
    Point::new(f64::from(cell.x), f64::from(cell.y))
}

/// A row of cells. A hair higher than a row, so that no light shines between two.
fn bar(start: Cell, length: u8) -> Form {
    let (left, top) = (f64::from(start.x) - 0.5, f64::from(start.y) - 0.5);
    let (right, bottom) = (left + f64::from(length), top + 1.02);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    Form::Polygon { points: corners.map(|(x, y)| Point::new(x, y)).to_vec() }
}

/// A text in or above a cell.
fn words(cell: Cell, above: f64, size: f64, text: String) -> Form {
    let Point { x, y } = point(cell);
    Form::Text { at: Point::new(x, y + above), size, anchor: Anchor::Middle, text }
}

fn jumping(mut shape: Shape) -> Shape {
    shape.motion = Motion::Jump;
    shape
}
