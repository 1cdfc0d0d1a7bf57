//! The bot with a plan.

use quintain_core::{Bot, Seat, Thinking};

use super::{
    Lore, build, distance, idle_barracks, nearest_site, own_sites, site_place, unit_place, walk,
};
use crate::field::CONTACT;
use crate::geometry::{HEIGHT, WIDTH};
use crate::rules::QUEEN_RADIUS;
use crate::{
    Action, Blueprint, CodeRoyale, Command, CreepKind, Point, SiteView, StructureView, UnitView,
    View,
};

/// Mines first, then knights, and towers when knights come. Its answer depends on what it is shown
/// alone.
#[derive(Default)]
pub(super) struct Greedy {
    pub(super) lore: Lore,
}

/// Mines that it wants before anything else, and in all.
const MINES_FIRST: usize = 2;
const MINES_WANTED: usize = 4;
const TOWERS_WANTED: usize = 3;
/// A knight as near as this is a danger.
const DANGER: f64 = 350.0;
/// A tower with less health is worth mending.
const TOWER_HP_WANTED: i32 = 400;

impl Bot<CodeRoyale> for Greedy {
    fn watch(&mut self, view: &View, _: Option<&Action>) {
        self.lore.learn(view);
    }

    fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> Action {
        self.lore.learn(view);
        let command = self.flee(view).unwrap_or_else(|| self.expand(view));
        Action::new(command, &knights_to_train(view))
    }
}

impl Greedy {
    /// With knights near: to a tower of one's own and around it, or a new one on the spot.
    fn flee(&self, view: &View) -> Option<Command> {
        let queen = unit_place(view.queen(view.seat));
        let danger = knights(view)
            .map(unit_place)
            .filter(|knight| knight.is_within(queen, DANGER))
            .min_by(|one, other| distance(*one, queen).total_cmp(&distance(*other, queen)))?;
        if self.lore.has_mines
            && let Some(site) = view.touched
            && is_tower_ground(view, &view.sites[site])
        {
            return Some(build(site, Blueprint::Tower));
        }
        let towers = own_sites(view, |structure| matches!(structure, StructureView::Tower { .. }));
        let shelter = towers.min_by(|&one, &other| {
            let to = |site: usize| distance(site_place(&view.sites[site]), queen);
            to(one).total_cmp(&to(other))
        });
        Some(match shelter {
            Some(site) => walk(behind(site_place(&view.sites[site]), danger)),
            None => self.take_shelter(view, queen, danger),
        })
    }

    /// The nearest free site becomes a tower. Where there are none, away.
    fn take_shelter(&self, view: &View, queen: Point, danger: Point) -> Command {
        match nearest_site(view, queen, |site| is_tower_ground(view, site)) {
            Some(site) if self.lore.has_mines => build(site, Blueprint::Tower),
            _ => walk(queen.plus(queen.minus(danger).resized(100.0))),
        }
    }

    /// The next structure of the plan on the nearest site that takes it.
    fn expand(&self, view: &View) -> Command {
        let queen = unit_place(view.queen(view.seat));
        if let Some(command) = self.improve(view) {
            return command;
        }
        let Some(blueprint) = self.next_blueprint(view) else {
            return walk(corner(view));
        };
        let is_fit = |site: &SiteView| {
            let has_gold = site.gold.is_none_or(|gold| gold > 30);
            site.structure.is_none()
                && is_quiet(view, site)
                && (blueprint != Blueprint::Mine || has_gold && !has_creep_near(view, site))
        };
        match nearest_site(view, queen, is_fit) {
            Some(site) => build(site, blueprint),
            None => walk(corner(view)),
        }
    }

    /// Works on what the queen stands at until it is as good as it gets.
    fn improve(&self, view: &View) -> Option<Command> {
        let site = view.touched?;
        match view.sites[site].structure? {
            StructureView::Mine { owner, rate: Some(rate) } if owner == view.seat => {
                let can_grow = view.sites[site].rate_max.is_some_and(|max| rate < max);
                can_grow.then(|| build(site, Blueprint::Mine))
            }
            StructureView::Tower { owner, hp, .. } if owner == view.seat => {
                (hp < TOWER_HP_WANTED).then(|| build(site, Blueprint::Tower))
            }
            _ => None,
        }
    }

    fn next_blueprint(&self, view: &View) -> Option<Blueprint> {
        let count = |is_meant: fn(&StructureView) -> bool| own_sites(view, is_meant).count();
        let mines = count(|structure| matches!(structure, StructureView::Mine { .. }));
        let towers = count(|structure| matches!(structure, StructureView::Tower { .. }));
        let barracks = count(|structure| matches!(structure, StructureView::Barracks { .. }));
        let knights = Blueprint::Barracks(CreepKind::Knight);
        if !self.lore.has_mines {
            return (barracks < 2).then_some(knights);
        }
        if mines < MINES_FIRST && barracks + towers == 0 {
            Some(Blueprint::Mine)
        } else if barracks == 0 {
            Some(knights)
        } else if towers == 0 {
            Some(Blueprint::Tower)
        } else if mines < MINES_WANTED {
            Some(Blueprint::Mine)
        } else if towers < TOWERS_WANTED {
            Some(Blueprint::Tower)
        } else {
            None
        }
    }
}

/// From the barracks nearest to the enemy's queen on, as many as the gold allows.
fn knights_to_train(view: &View) -> Vec<i32> {
    let enemy = unit_place(view.queen(view.seat.other()));
    let mut barracks: Vec<(usize, CreepKind)> =
        idle_barracks(view).filter(|&(_, kind)| kind == CreepKind::Knight).collect();
    let to_enemy = |site: usize| distance(site_place(&view.sites[site]), enemy);
    barracks.sort_by(|one, other| to_enemy(one.0).total_cmp(&to_enemy(other.0)));
    let affordable = view.gold / CreepKind::Knight.stats().cost;
    barracks.truncate(usize::try_from(affordable).unwrap_or(0));
    barracks.into_iter().map(|(site, _)| site as i32).collect()
}

/// A tower can be built or mended there.
fn is_tower_ground(view: &View, site: &SiteView) -> bool {
    match site.structure {
        None => is_quiet(view, site),
        Some(StructureView::Tower { owner, .. }) => owner == view.seat,
        Some(StructureView::Mine { owner, .. }) => owner == view.seat,
        Some(StructureView::Barracks { .. }) => false,
    }
}

/// Out of reach of the enemy's towers.
fn is_quiet(view: &View, site: &SiteView) -> bool {
    !view.sites.iter().any(|other| match other.structure {
        Some(StructureView::Tower { owner, range, .. }) if owner != view.seat => {
            site_place(other).is_within(site_place(site), f64::from(range))
        }
        _ => false,
    })
}

/// A mine there would be torn down at once.
fn has_creep_near(view: &View, site: &SiteView) -> bool {
    let reach = f64::from(site.radius) + 2.0 * QUEEN_RADIUS + CONTACT;
    let enemies = view.units.iter().filter(|unit| unit.owner != view.seat && unit.kind.is_some());
    enemies.map(unit_place).any(|creep| creep.is_within(site_place(site), reach))
}

fn knights(view: &View) -> impl Iterator<Item = &UnitView> {
    let is_knight = |unit: &&UnitView| unit.kind == Some(CreepKind::Knight);
    view.units.iter().filter(is_knight).filter(|unit| unit.owner != view.seat)
}

/// Where the site is between the queen and the danger.
fn behind(site: Point, danger: Point) -> Point {
    site.plus(site.minus(danger).resized(150.0)).clamped(QUEEN_RADIUS)
}

fn corner(view: &View) -> Point {
    match view.seat {
        Seat::First => Point::new(QUEEN_RADIUS, QUEEN_RADIUS),
        Seat::Second => Point::new(WIDTH - QUEEN_RADIUS, HEIGHT - QUEEN_RADIUS),
    }
}
