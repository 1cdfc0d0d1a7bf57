//! What is drawn: a planet in space, its dirt, lava and packs, the worms with their health, and what the latest
//! round did.
//!
//! One unit is one cell, and a cell's place is its middle. A person at play sees what a bot would be
//! told: not what the other has left to throw.

mod changes;
mod effects;
mod panels;
mod plates;
mod stage;
mod symbols;
mod terrain;
mod windows;
mod worms;

use quintain_core::scene::{
    CAPTION_LETTERS_MAX, Effects, Eye, Mark, Point, Scene, Stage, TextScene, Viewing, deeds_line,
    ending,
};
use quintain_core::{Game, PerSeat, Seat, Spectate, Verdict};

use crate::cell::Cell;
use crate::deeds::deeds;
use crate::describe::describe;
use crate::event::{Event, Missile};
use crate::rules::Worms;
use crate::text::map_text;

use changes::Changes;
pub(crate) use stage::ink;

/// Ids of shapes, far enough apart never to meet.
mod id {
    pub(super) const SPACE: u32 = 0;
    pub(super) const PLANET: u32 = 10;
    /// Plus the number of the column or row.
    pub(super) const COLUMN: u32 = 100;
    pub(super) const ROW: u32 = 200;
    pub(super) const LENS: u32 = 300;
    pub(super) const FRAME: u32 = 310;
    /// Plus the worm's number, which is its index and 16 for the second player.
    pub(super) const MAP: u32 = 350;
    pub(super) const BASE: u32 = 400;
    pub(super) const WORM: u32 = 500;
    pub(super) const ICE: u32 = 600;
    pub(super) const ACTIVE: u32 = 700;
    pub(super) const GRAVE: u32 = 800;
    pub(super) const PLATE: u32 = 900;
    /// Plus the cell's number.
    pub(super) const PACK: u32 = 1000;
    /// And as many as effects have.
    pub(super) const EFFECT: u32 = 10_000;
    /// How many ways there are for a row to look, as far as ids can tell.
    pub(super) const VERSIONS: u32 = 0x1_0000;
    /// Plus the row's number times that, and how it looks.
    pub(super) const SOIL: u32 = 0x0100_0000;
    pub(super) const DIRT: u32 = 0x0200_0000;
    pub(super) const LIGHT: u32 = 0x0300_0000;
    pub(super) const LAVA: u32 = 0x0400_0000;
    pub(super) const LAVA_RIM: u32 = 0x0500_0000;
    pub(super) const WAVES: u32 = 0x0600_0000;
}

mod layer {
    pub(super) const SPACE: u8 = 0;
    pub(super) const PLANET: u8 = 1;
    pub(super) const LAVA_RIM: u8 = 2;
    pub(super) const LAVA: u8 = 3;
    pub(super) const SOIL: u8 = 4;
    pub(super) const DIRT: u8 = 5;
    pub(super) const PACK: u8 = 6;
    pub(super) const GROUND_EFFECT: u8 = 7;
    pub(super) const GRAVE: u8 = 8;
    pub(super) const SHOT: u8 = 9;
    pub(super) const WORM: u8 = 10;
    pub(super) const EFFECT: u8 = 11;
    pub(super) const LENS: u8 = 12;
    pub(super) const PLATE: u8 = 13;
}

/// The planes of the scene, which have the same coordinates.
mod plane {
    pub(super) const PLANET: u8 = 0;
    pub(super) const WORDS: u8 = 1;
    pub(super) const MAP: u8 = 2;
}

/// Longer names would run over the edge of the picture.
const NAME_LETTERS_MAX: usize = 24;

impl Spectate for Worms {
    type Trail = ();

    const TURN_MS: u32 = 500;

    fn stage(&self) -> Stage {
        stage::stage(self)
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        let changes = Changes::of(self, watch.last);
        terrain::draw(self, scene);
        worms::draw(self, &names, scene);
        windows::open(self, watch.eye, watch.last, scene);
        let mut effects = Effects::new(scene, id::EFFECT, self.turn());
        effects::draw(self, watch.last, &mut effects);
        plates::draw(self, watch.last, &changes, &mut effects);
        panels::fill(self, &changes, watch.eye, scene);
        scene.deeds = deeds(self, watch);
        scene.caption = self.caption(&names, scene);
    }

    fn text(&self, eye: Eye, out: &mut TextScene) {
        map_text(self, eye, out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        describe(event, names)
    }

    fn standing(&self) -> Option<PerSeat<i64>> {
        Some(self.players().as_ref().map(|_, player| player.score()))
    }

    fn mark(event: &Event) -> Option<Mark> {
        match *event {
            Event::Died { seat, .. } => Some(Mark::loss(seat, "worm down")),
            Event::LavaRises => Some(Mark::common("lava")),
            Event::Disqualified { seat, .. } => Some(Mark::fault(seat, "disqualified")),
            Event::Threw { seat, missile: Missile::Banana, .. } => {
                Some(Mark::event(seat, "banana"))
            }
            Event::Threw { seat, missile: Missile::Snowball, .. } => {
                Some(Mark::event(seat, "snowball"))
            }
            Event::Collided { .. } => Some(Mark::common("collision")),
            Event::Refused { seat, .. } => Some(Mark::warning(seat, "invalid")),
            Event::SelectRefused { seat, .. } => Some(Mark::warning(seat, "select refused")),
            Event::Reminded { seat } => Some(Mark::warning(seat, "does nothing")),
            _ => None,
        }
    }
}

impl Worms {
    pub(crate) fn class_of(&self, worm: usize) -> &crate::WormClass {
        self.game_config().classes()[self.class_number(worm)]
    }

    /// The place of a worm's profession in the order of professions.
    fn class_number(&self, worm: usize) -> usize {
        usize::from(self.field().class_of[worm]) % 3
    }

    fn caption(&self, names: &PerSeat<String>, scene: &Scene) -> String {
        let done = deeds_line(&scene.deeds, names, CAPTION_LETTERS_MAX);
        match self.outcome() {
            Some(outcome) => {
                let is_draw = outcome.verdicts.0.contains(&Verdict::Draw);
                ending(self, &outcome, names, if is_draw { "draw" } else { "nobody wins" })
            }
            None if !done.is_empty() => done,
            None => format!("round {}", self.turn()),
        }
    }
}

/// A number for each worm of both players.
fn worm_number(seat: Seat, index: usize) -> u32 {
    16 * seat.index() as u32 + index as u32
}

/// As the crow flies.
fn distance(from: Point, to: Point) -> f64 {
    let (x, y) = (to.x - from.x, to.y - from.y);
    (x * x + y * y).sqrt()
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point::new(f64::from(cell.x), f64::from(cell.y))
    }
}
