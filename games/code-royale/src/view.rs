//! What one seat may know: what the wire tells it, and nothing else.

use quintain_core::Seat;

use crate::rules::QUEEN_RADIUS;
use crate::{CodeRoyale, CreepKind, Site, Structure, Works};

/// How far a queen sees what is in the ground.
const SIGHT: f64 = 300.0;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub seat: Seat,
    /// Turns played so far. The wire does not tell it, but whoever is asked can count.
    pub turn: u32,
    pub gold: i32,
    /// The site that the own queen is in contact with.
    pub touched: Option<usize>,
    /// By their ids.
    pub sites: Vec<SiteView>,
    /// All units, in the order of the wire.
    pub units: Vec<UnitView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteView {
    pub x: i32,
    pub y: i32,
    pub radius: i32,
    /// What is left in the ground, where that is known.
    pub gold: Option<i32>,
    /// The highest rate of a mine, where that is known.
    pub rate_max: Option<u8>,
    pub structure: Option<StructureView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureView {
    Mine {
        owner: Seat,
        rate: Option<u8>,
    },
    Tower {
        owner: Seat,
        hp: i32,
        range: i32,
    },
    Barracks {
        owner: Seat,
        creep: CreepKind,
        /// Until it can train again; 0 when idle.
        turns_left: u8,
    },
}

impl StructureView {
    pub const fn owner(&self) -> Seat {
        match self {
            StructureView::Mine { owner, .. }
            | StructureView::Tower { owner, .. }
            | StructureView::Barracks { owner, .. } => *owner,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitView {
    pub x: i32,
    pub y: i32,
    pub owner: Seat,
    /// `None` for a queen.
    pub kind: Option<CreepKind>,
    pub hp: i32,
}

impl View {
    pub(crate) fn new(game: &CodeRoyale, seat: Seat) -> View {
        let sites = 0..game.field().sites().len();
        View {
            seat,
            turn: quintain_core::Game::turn(game),
            gold: game.players()[seat].gold,
            touched: touched_site(game, seat),
            sites: sites.map(|site| site_view(game, seat, site)).collect(),
            units: units(game),
        }
    }

    /// The queen of a seat; both are always there.
    pub fn queen(&self, seat: Seat) -> &UnitView {
        let is_queen = |unit: &&UnitView| unit.kind.is_none() && unit.owner == seat;
        self.units.iter().find(is_queen).expect("both queens are listed every turn")
    }
}

fn touched_site(game: &CodeRoyale, seat: Seat) -> Option<usize> {
    let queen = game.players()[seat].queen;
    let sites = game.field().sites().iter().enumerate();
    let touched = sites.filter(|(_, site)| site.is_touched(queen, QUEEN_RADIUS));
    if game.switches().touched_is_nearest_of_several {
        let to_rim = |site: &Site| queen.squared_distance(site.place).sqrt() - site.radius;
        // The first of several that are equally near.
        let nearest = touched.min_by(|(_, one), (_, other)| to_rim(one).total_cmp(&to_rim(other)));
        return nearest.map(|(index, _)| index);
    }
    let mut touched = touched.map(|(index, _)| index);
    match (touched.next(), touched.next()) {
        (only, None) => only,
        (_, Some(_)) => None,
    }
}

fn site_view(game: &CodeRoyale, seat: Seat, index: usize) -> SiteView {
    let (site, plot) = (&game.field().sites()[index], &game.plots()[index]);
    let is_near = site.place.is_within(game.players()[seat].queen, SIGHT);
    let is_own = plot.structure.is_some_and(|structure| structure.owner == seat);
    let shows_riches = is_near || is_own && game.switches().riches_shown_at_own_structure;
    let shows_rate = is_own || is_near && game.switches().enemy_rate_shown;
    let (x, y) = site.place.whole();
    SiteView {
        x,
        y,
        radius: site.radius as i32,
        gold: shows_riches.then_some(plot.gold),
        rate_max: shows_riches.then_some(site.rate_max),
        structure: plot.structure.map(|structure| structure_view(structure, shows_rate)),
    }
}

fn structure_view(structure: Structure, shows_rate: bool) -> StructureView {
    let owner = structure.owner;
    match structure.works {
        Works::Mine { rate } => StructureView::Mine { owner, rate: shows_rate.then_some(rate) },
        Works::Tower { hp, range } => StructureView::Tower { owner, hp, range },
        Works::Barracks { creep, training } => StructureView::Barracks {
            owner,
            creep,
            turns_left: training.map_or(0, |done| creep.stats().training_turns - done),
        },
    }
}

/// Each player's creeps and then its queen.
fn units(game: &CodeRoyale) -> Vec<UnitView> {
    let mut units = Vec::new();
    for (seat, player) in game.players().iter() {
        for creep in game.creeps()[seat].as_slice() {
            let (x, y) = creep.place.whole();
            units.push(UnitView {
                x,
                y,
                owner: seat,
                kind: Some(creep.kind),
                hp: i32::from(creep.hp),
            });
        }
        let (x, y) = player.queen.whole();
        units.push(UnitView { x, y, owner: seat, kind: None, hp: player.hp });
    }
    units
}
