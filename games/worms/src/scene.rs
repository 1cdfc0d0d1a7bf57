//! What is drawn: the map, the worms with their health, packs, and what flew in the last round.
//!
//! One unit is one cell, and a cell's place is its middle. A person at play sees what a bot would be
//! told: not what the other has left to throw.

use quintain_core::scene::{
    Area, Colour, Eye, Form, Ink, Point, Scene, Shape, Stage, Style, TextScene, Viewing, ending,
};
use quintain_core::{Game, PerSeat, Seat, Spectate, Verdict};

use crate::cell::{Cell, MAP_SIZE_MAX, Terrain};
use crate::describe::describe;
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

/// Longer names would run over the edge of the picture.
const NAME_LETTERS_MAX: usize = 24;

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

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        self.draw_terrain(Terrain::Dirt, id::DIRT, ink::DIRT, scene);
        self.draw_terrain(Terrain::Lava, id::LAVA, ink::LAVA, scene);
        self.draw_packs(scene);
        for (seat, player) in self.players().iter() {
            for (index, worm) in player.worms().iter().enumerate() {
                if worm.is_on_map {
                    self.draw_worm(seat, index, worm, &names[seat], scene);
                }
            }
        }
        for (event, number) in watch.last.iter().zip(id::EFFECT..) {
            self.draw_effect(event, number, scene);
        }
        self.fill_panels(watch.eye, scene);
        scene.caption = self.caption(&names);
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
            scene.shapes.push(shape.jumping());
        }
    }

    fn draw_packs(&self, scene: &mut Scene) {
        for pack in self.packs() {
            let cell = number(pack.at);
            let form = Form::circle(pack.at, 0.4);
            let disc = Shape::new(id::PACK + cell, layer::PACK, form, Style::fill(ink::PACK));
            scene.shapes.push(disc.jumping().labelled(format!("health pack, +{}", pack.value)));
            let form = words(pack.at, 0.0, 0.8, "+");
            let style = Style::fill(Ink::Ground);
            let cross = Shape::new(id::PACK_CROSS + cell, layer::PACK, form, style);
            scene.shapes.push(cross.jumping());
        }
    }

    fn draw_worm(&self, seat: Seat, index: usize, worm: &Worm, name: &str, scene: &mut Scene) {
        let number = index as u32 + 16 * seat.index() as u32;
        let is_active = usize::from(self.players()[seat].active) == index;
        let rim = if is_active { Ink::Text } else { Ink::Field };
        let style = Style::fill(Ink::of(seat)).outlined(rim, 0.12);
        let form = Form::circle(worm.at, 0.46);
        let profession = &self.class_of(index).profession_name;
        let label = format!("{name}'s {profession}, {} health", worm.hp);
        let body = Shape::new(id::WORM + number, layer::WORM, form, style);
        scene.shapes.push(body.labelled(label));
        if worm.frozen > 0 {
            let form = Form::circle(worm.at, 0.62);
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
                let form = Form::line(from, (f64::from(at.0), f64::from(at.1)));
                Shape::new(number, layer::EFFECT, form, Style::stroke(Ink::of(seat), 0.16))
            }
            Event::Threw { result: ThrowResult::DeepSpace, at, .. } => {
                let form = Form::circle(at, 0.3);
                Shape::new(number, layer::EFFECT, form, Style::stroke(Ink::Faint, 0.12))
            }
            Event::Threw { missile: Missile::Banana, worm, at, .. } => {
                let bananas = self.class_of(usize::from(worm) - 1).bananas;
                let radius = bananas.map_or(0.5, |bananas| f64::from(bananas.damage_radius) + 0.5);
                let form = Form::circle(at, radius);
                let style = Style::fill(ink::BANANA).faded(0.45);
                Shape::new(number, layer::EFFECT, form, style)
            }
            Event::Threw { missile: Missile::Snowball, worm, at, .. } => {
                let snowballs = self.class_of(usize::from(worm) - 1).snowballs;
                let reach = snowballs.map_or(0.5, |it| f64::from(it.freeze_radius) + 0.5);
                let Point { x, y } = at.into();
                let form = Form::rectangle(x - reach, y - reach, 2.0 * reach, 2.0 * reach);
                let style = Style::fill(ink::ICE).faded(0.45);
                Shape::new(number, layer::EFFECT, form, style)
            }
            Event::Collided { to, .. } => {
                let form = words(to, 0.0, 0.9, "×");
                Shape::new(number, layer::EFFECT, form, Style::fill(Ink::Accent))
            }
            Event::Died { seat, worm } => {
                let at = self.players()[seat].worms()[usize::from(worm) - 1].at;
                let form = words(at, 0.0, 1.0, "†");
                Shape::new(number, layer::EFFECT, form, Style::fill(Ink::of(seat)))
            }
            _ => return,
        };
        scene.shapes.push(shape.jumping());
    }

    fn fill_panels(&self, eye: Eye, scene: &mut Scene) {
        for (seat, player) in self.players().iter() {
            scene.add_panel(seat, "score", player.score());
            scene.add_panel(seat, "health", player.health());
            scene.add_panel(seat, "tokens", player.tokens);
            if eye != Eye::Seat(seat.other()) {
                let sum = |count: fn(&Worm) -> i32| -> i32 {
                    player.worms().iter().filter(|worm| worm.is_alive()).map(count).sum()
                };
                scene.add_panel(seat, "bananas", sum(|worm| worm.bananas));
                scene.add_panel(seat, "snowballs", sum(|worm| worm.snowballs));
            }
        }
    }

    fn caption(&self, names: &PerSeat<String>) -> String {
        match self.outcome() {
            Some(outcome) => {
                let is_draw = outcome.verdicts.0.contains(&Verdict::Draw);
                ending(&outcome, names, if is_draw { "draw" } else { "nobody wins" })
            }
            None => format!("round {}", self.turn()),
        }
    }
}

fn number(cell: Cell) -> u32 {
    u32::from(cell.y) * MAP_SIZE_MAX as u32 + u32::from(cell.x)
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point::new(f64::from(cell.x), f64::from(cell.y))
    }
}

/// A row of cells. A hair higher than a row, so that no light shines between two.
fn bar(start: Cell, length: u8) -> Form {
    let (left, top) = (f64::from(start.x) - 0.5, f64::from(start.y) - 0.5);
    Form::rectangle(left, top, f64::from(length), 1.02)
}

/// A text in or above a cell.
fn words(cell: Cell, above: f64, size: f64, text: impl Into<String>) -> Form {
    let Point { x, y } = cell.into();
    Form::text((x, y + above), size, text)
}
