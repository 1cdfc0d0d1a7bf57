//! What is drawn: a meadow with its sites, what stands on them, queens and creeps, and what the latest turn
//! did.
//!
//! One unit is one unit of the game. A person at play sees only what a bot would be told: how rich a
//! site is, where that is known.

mod effects;
mod forms;
mod panels;
mod sites;
mod stage;
mod symbols;
mod trail;
mod units;

use quintain_core::scene::{
    self, CAPTION_LETTERS_MAX, Effects, Eye, Mark, Scene, Stage, TextScene, Viewing, deeds_line,
    ending,
};
use quintain_core::{Game, PerSeat, Seat, Spectate};

use crate::describe::{deeds, describe};
use crate::text::field_text;
use crate::{CodeRoyale, Event, Point, Remover, SiteView, StructureView, View, Works};

pub use trail::Trail;

/// Ids of shapes, far enough apart never to meet: there are at most 24 sites.
mod id {
    pub(super) const MEADOW: u32 = 0;
    pub(super) const RULER: u32 = 20;
    /// Plus the site's number, as all below that belong to a site.
    pub(super) const STONE: u32 = 200;
    pub(super) const STONE_RIM: u32 = 250;
    pub(super) const SITE_NUMBER: u32 = 300;
    pub(super) const OWNER: u32 = 400;
    pub(super) const OWNER_STONE: u32 = 500;
    pub(super) const RANGE: u32 = 600;
    pub(super) const REACH: u32 = 650;
    pub(super) const STRUCTURE: u32 = 700;
    pub(super) const EMBLEM: u32 = 800;
    pub(super) const TRAINING: u32 = 900;
    pub(super) const FIGURE: u32 = 1000;
    /// Plus eight times the site's number and the coin's.
    pub(super) const COIN: u32 = 1100;
    /// Plus the seat's number.
    pub(super) const QUEEN: u32 = 1400;
    pub(super) const QUEEN_RING: u32 = 1410;
    pub(super) const QUEEN_SMALL: u32 = 1420;
    pub(super) const QUEEN_FACE: u32 = 1430;
    pub(super) const QUEEN_HP: u32 = 1440;
    pub(super) const QUEEN_CROWN: u32 = 1450;
    /// And as many as effects have.
    pub(super) const EFFECT: u32 = 10_000;
    /// Plus the creep's number; the second player's follow those of the first.
    pub(super) const CREEP: u32 = 100_000;
    pub(super) const CREEP_HEALTH: u32 = 300_000;
    pub(super) const CREEPS_PER_SEAT: u32 = 70_000;
}

mod layer {
    pub(super) const GROUND: u8 = 0;
    pub(super) const RANGE: u8 = 1;
    pub(super) const SITE: u8 = 2;
    pub(super) const STRUCTURE: u8 = 3;
    pub(super) const SITE_WORDS: u8 = 4;
    pub(super) const TRAIL: u8 = 5;
    pub(super) const BEAM: u8 = 6;
    pub(super) const CREEP: u8 = 7;
    pub(super) const QUEEN: u8 = 8;
    pub(super) const EFFECT: u8 = 9;
    pub(super) const WORDS: u8 = 10;
}

/// Longer names would run over the edge of the picture.
const NAME_LETTERS_MAX: usize = 24;

impl Spectate for CodeRoyale {
    type Trail = Trail;

    const TURN_MS: u32 = 300;

    fn stage(&self) -> Stage {
        stage::stage(self)
    }

    fn remember(&self, trail: &mut Trail) {
        trail.remember(self);
    }

    fn draw(&self, watch: &Viewing<'_, Self>, scene: &mut Scene) {
        let names = watch.short_names(NAME_LETTERS_MAX);
        let sites = self.seen(watch.eye);
        for (site, number) in sites.iter().zip(0..) {
            sites::draw(number, site, scene);
        }
        for seat in Seat::BOTH {
            units::draw_creeps(self, seat, &names[seat], scene);
            units::draw_queen(self, seat, &names[seat], scene);
        }
        let mut effects = Effects::new(scene, id::EFFECT, self.turn());
        units::draw_trails(self, watch.trail, &mut effects);
        effects::draw(self, watch.last, watch.eye, &mut effects);
        panels::fill(self, &sites, watch.trail, watch.eye, scene);
        scene.deeds = deeds(watch);
        scene.caption = self.caption(&names, scene);
    }

    fn text(&self, eye: Eye, out: &mut TextScene) {
        field_text(self, eye, out);
    }

    fn describe(event: &Event, names: &PerSeat<String>) -> String {
        describe(event, names)
    }

    /// The health of both queens.
    fn standing(&self) -> Option<PerSeat<i64>> {
        Some(self.players().as_ref().map(|_, player| i64::from(player.hp)))
    }

    fn mark(event: &Event) -> Option<Mark> {
        match *event {
            Event::Killed { seat, .. } => Some(Mark::fault(seat, "out")),
            Event::Warned { seat, .. } => Some(Mark::warning(seat, "warned")),
            Event::QueenDied { seat } => Some(Mark::loss(seat, "dead queen")),
            Event::Spawned { seat, .. } => Some(Mark::event(seat, "spawn")),
            Event::Removed { structure, by: Remover::Queen(_) | Remover::Creep(_), .. } => {
                Some(Mark::loss(structure.owner, "torn down"))
            }
            Event::Removed { structure, by: Remover::Decay, .. } => {
                Some(Mark::loss(structure.owner, "tower lost"))
            }
            _ => None,
        }
    }
}

impl CodeRoyale {
    /// The sites as somebody may know them. Who sees everything sees each site as its owner does.
    pub(crate) fn seen(&self, eye: Eye) -> Vec<SiteView> {
        match eye {
            Eye::Seat(seat) => View::new(self, seat).sites,
            Eye::All => {
                let mut sites = View::new(self, Seat::First).sites;
                let plots = self.plots().iter().zip(self.field().sites());
                for (view, (plot, site)) in sites.iter_mut().zip(plots) {
                    view.gold = Some(plot.gold);
                    view.rate_max = Some(site.rate_max);
                    if let (
                        Some(StructureView::Mine { rate, .. }),
                        Some(crate::Structure { works: Works::Mine { rate: real }, .. }),
                    ) = (&mut view.structure, plot.structure)
                    {
                        *rate = Some(real);
                    }
                }
                sites
            }
        }
    }

    fn caption(&self, names: &PerSeat<String>, scene: &Scene) -> String {
        let done = deeds_line(&scene.deeds, names, CAPTION_LETTERS_MAX);
        match self.outcome() {
            Some(outcome) => ending(self, &outcome, names, "draw"),
            None if !done.is_empty() => done,
            None => format!("turn {}", self.turn()),
        }
    }
}

pub(crate) fn structure_figure(structure: &StructureView) -> String {
    match structure {
        StructureView::Mine { rate: None, .. } => "+?".to_owned(),
        StructureView::Mine { rate: Some(rate), .. } => format!("+{rate}"),
        StructureView::Tower { hp, .. } => hp.to_string(),
        StructureView::Barracks { creep, turns_left, .. } => match turns_left {
            0 => creep.word()[..1].to_owned(),
            turns => format!("{}{turns}", &creep.word()[..1]),
        },
    }
}

impl From<Point> for scene::Point {
    fn from(place: Point) -> scene::Point {
        scene::Point::new(place.x, place.y)
    }
}
