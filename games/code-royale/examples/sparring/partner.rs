//! Bots by rules, after what recorded matches of contestants show: how many mines, towers and barracks they build
//! and in which order, when they train, and how their queens run.

use quintain_code_royale::{
    Action, Blueprint, CodeRoyale, Command, CreepKind, League, SiteView, StructureView, UnitView,
    View,
};
use quintain_core::{Bot, Thinking};

/// What makes one different from another.
struct Style {
    /// Mines before the barracks, and in all.
    mines_first: usize,
    mines_wanted: usize,
    /// Towers after the barracks, and in all.
    towers_first: usize,
    towers_wanted: usize,
    /// Until a tower has as much health it is built on.
    tower_hp: i32,
    /// The queen runs from knights as near as this.
    panic: f64,
    /// She runs around her towers, instead of building one where she is.
    circles: bool,
    /// How much nearer to the enemy a tower may be for a step of way.
    boldness: f64,
}

const STYLES: [(&str, Style); 3] = [
    // Keeps to its corner and loses next to no health.
    (
        "corner",
        Style {
            mines_first: 2,
            mines_wanted: 5,
            towers_first: 2,
            towers_wanted: 4,
            tower_hp: 700,
            panic: 300.0,
            circles: true,
            boldness: 0.0,
        },
    ),
    // Two mines, a barracks and three strong towers by a plan, then every mine that there is.
    (
        "planner",
        Style {
            mines_first: 2,
            mines_wanted: 8,
            towers_first: 3,
            towers_wanted: 8,
            tower_hp: 700,
            panic: 150.0,
            circles: false,
            boldness: 0.3,
        },
    ),
    // Three mines, then one tower after the other towards the middle.
    (
        "builder",
        Style {
            mines_first: 3,
            mines_wanted: 4,
            towers_first: 4,
            towers_wanted: 9,
            tower_hp: 750,
            panic: 100.0,
            circles: false,
            boldness: 0.6,
        },
    ),
];

const QUEEN_RADIUS: f64 = 30.0;
const QUEEN_SPEED: f64 = 60.0;
const CONTACT: f64 = 5.0;
/// A queen who runs around a tower keeps so far from its rim.
const RING: f64 = QUEEN_RADIUS + 8.0;
const SIZE: (f64, f64) = (1920.0, 1000.0);
/// A mine on less gold is not worth the way.
const GOLD_MIN: i32 = 30;
/// The centre of knights as near as this keeps a queen from going to a mine.
const ALARM: f64 = 500.0;

type Place = (f64, f64);

pub(crate) struct Partner {
    style: &'static Style,
    league: League,
}

impl Partner {
    pub(crate) fn new(name: &str, league: League) -> Option<Partner> {
        let (_, style) = STYLES.iter().find(|(known, _)| *known == name)?;
        Some(Partner { style, league })
    }
}

impl Bot<CodeRoyale> for Partner {
    fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> Action {
        let command = self.run(view).or_else(|| self.improve(view));
        let command = command.unwrap_or_else(|| self.expand(view));
        Action::new(command, &trainings(view))
    }
}

impl Partner {
    /// Away from knights, if any are near.
    fn run(&self, view: &View) -> Option<Command> {
        let queen = place_of(view.queen(view.seat));
        let danger = knights(view).filter(|&knight| way(knight, queen) < self.style.panic);
        let danger = nearest(danger, queen)?;
        let tower = own_towers(view).min_by(by_way(view, queen));
        if !self.league.has_towers() {
            return Some(walk(beyond(queen, danger, queen)));
        }
        match tower {
            Some(site) if self.style.circles => Some(around(&view.sites[site], queen, danger)),
            _ => {
                let site = view.touched.filter(|&site| is_tower_ground(view, &view.sites[site]));
                site.map(|site| build(site, Blueprint::Tower)).or_else(|| {
                    let site = tower?;
                    Some(walk(beyond(middle(&view.sites[site]), danger, queen)))
                })
            }
        }
    }

    /// Builds on at what the queen touches.
    fn improve(&self, view: &View) -> Option<Command> {
        let site = view.touched?;
        match view.sites[site].structure? {
            StructureView::Mine { owner, rate } if owner == view.seat => {
                let can_grow = view.sites[site].rate_max > rate;
                can_grow.then(|| build(site, Blueprint::Mine))
            }
            StructureView::Tower { owner, hp, .. } if owner == view.seat => {
                (hp < self.style.tower_hp).then(|| build(site, Blueprint::Tower))
            }
            _ => None,
        }
    }

    /// The next structure of the plan, or the weakest tower.
    fn expand(&self, view: &View) -> Command {
        let queen = place_of(view.queen(view.seat));
        let enemy = place_of(view.queen(view.seat.other()));
        let Some(blueprint) = self.next(view) else {
            return self.mend(view);
        };
        let is_mine = blueprint == Blueprint::Mine;
        let is_fit = |&site: &usize| {
            let site = &view.sites[site];
            site.structure.is_none()
                && !is_under_fire(view, middle(site))
                && (!is_mine || site.gold.is_none_or(|gold| gold > GOLD_MIN))
        };
        let cost = |site: usize| {
            let place = middle(&view.sites[site]);
            let bold = if is_mine { 0.0 } else { self.style.boldness };
            way(place, queen) + bold * way(place, enemy)
        };
        let sites = (0..view.sites.len()).filter(is_fit);
        match sites.min_by(|&one, &other| cost(one).total_cmp(&cost(other))) {
            Some(site) => build(site, blueprint),
            None => self.mend(view),
        }
    }

    fn next(&self, view: &View) -> Option<Blueprint> {
        let count = |is_meant: fn(&StructureView) -> bool| {
            let structures = view.sites.iter().filter_map(|site| site.structure);
            structures.filter(|found| found.owner() == view.seat && is_meant(found)).count()
        };
        let mines = count(|found| matches!(found, StructureView::Mine { .. }));
        let towers = count(|found| matches!(found, StructureView::Tower { .. }));
        let barracks = count(|found| matches!(found, StructureView::Barracks { .. }));
        let queen = place_of(view.queen(view.seat));
        let is_alarmed = knights(view).any(|knight| way(knight, queen) < ALARM);
        let style = self.style;
        let (has_mines, has_towers) = (self.league.has_mines(), self.league.has_towers());
        if has_mines && barracks == 0 && towers == 0 && mines < style.mines_first {
            Some(Blueprint::Mine)
        } else if barracks == 0 {
            Some(Blueprint::Barracks(CreepKind::Knight))
        } else if has_towers && (towers < style.towers_first || is_alarmed && towers == 0) {
            Some(Blueprint::Tower)
        } else if has_mines && mines < style.mines_wanted && !is_alarmed {
            Some(Blueprint::Mine)
        } else if has_towers && towers < style.towers_wanted {
            Some(Blueprint::Tower)
        } else {
            None
        }
    }

    /// To the weakest tower.
    fn mend(&self, view: &View) -> Command {
        let hp = |site: usize| match view.sites[site].structure {
            Some(StructureView::Tower { hp, .. }) => hp,
            _ => i32::MAX,
        };
        match own_towers(view).min_by_key(|&site| hp(site)) {
            Some(site) => build(site, Blueprint::Tower),
            None => Command::Wait,
        }
    }
}

/// From the barracks nearest to the enemy's queen on, as soon as there is gold.
fn trainings(view: &View) -> Vec<i32> {
    let cost = CreepKind::Knight.stats().cost;
    let is_idle = |&site: &usize| {
        matches!(view.sites[site].structure,
            Some(StructureView::Barracks { owner, creep: CreepKind::Knight, turns_left: 0 })
                if owner == view.seat)
    };
    let enemy = place_of(view.queen(view.seat.other()));
    let mut sites: Vec<usize> = (0..view.sites.len()).filter(is_idle).collect();
    sites.sort_by(by_way(view, enemy));
    sites.into_iter().take((view.gold / cost).max(0) as usize).map(|site| site as i32).collect()
}

/// The next step on a ring around the tower, to the side where the knights are not.
fn around(site: &SiteView, queen: Place, danger: Place) -> Command {
    let (centre, ring) = (middle(site), f64::from(site.radius) + RING);
    let towards = |place: Place| {
        let length = way(place, centre).max(1.0);
        ((place.0 - centre.0) / length, (place.1 - centre.1) / length)
    };
    let (own, from) = (towards(queen), towards(danger));
    let side = own.0 * from.1 - own.1 * from.0;
    let is_opposite = own.0 * from.0 + own.1 * from.1 < -0.9;
    let step = if is_opposite { 0.0 } else { -side.signum() * QUEEN_SPEED / ring };
    let goal = (own.0 - step * own.1, own.1 + step * own.0);
    walk((centre.0 + ring * goal.0, centre.1 + ring * goal.1))
}

/// Behind a place, as seen from the danger.
fn beyond(place: Place, danger: Place, queen: Place) -> Place {
    let from = if way(place, danger) < 1.0 { queen } else { place };
    let length = way(from, danger).max(1.0);
    let (x, y) = ((from.0 - danger.0) / length, (from.1 - danger.1) / length);
    (place.0 + x * 150.0, place.1 + y * 150.0)
}

fn knights(view: &View) -> impl Iterator<Item = Place> {
    let is_knight =
        |unit: &&UnitView| unit.owner != view.seat && unit.kind == Some(CreepKind::Knight);
    view.units.iter().filter(is_knight).map(place_of)
}

fn nearest(places: impl Iterator<Item = Place>, to: Place) -> Option<Place> {
    places.min_by(|&one, &other| way(one, to).total_cmp(&way(other, to)))
}

fn own_towers(view: &View) -> impl Iterator<Item = usize> {
    let sites = view.sites.iter().enumerate();
    sites.filter_map(|(index, site)| match site.structure {
        Some(StructureView::Tower { owner, .. }) if owner == view.seat => Some(index),
        _ => None,
    })
}

fn is_tower_ground(view: &View, site: &SiteView) -> bool {
    match site.structure {
        None => true,
        Some(StructureView::Barracks { .. }) => false,
        Some(structure) => structure.owner() == view.seat,
    }
}

fn is_under_fire(view: &View, place: Place) -> bool {
    view.sites.iter().any(|site| match site.structure {
        Some(StructureView::Tower { owner, range, .. }) if owner != view.seat => {
            way(middle(site), place) < f64::from(range) + CONTACT
        }
        _ => false,
    })
}

fn by_way(view: &View, to: Place) -> impl Fn(&usize, &usize) -> std::cmp::Ordering {
    move |&one, &other| {
        let length = |site: usize| way(middle(&view.sites[site]), to);
        length(one).total_cmp(&length(other))
    }
}

fn build(site: usize, blueprint: Blueprint) -> Command {
    Command::Build { site: site as i32, blueprint: Some(blueprint) }
}

fn walk(goal: Place) -> Command {
    let (width, height) = SIZE;
    let x = goal.0.clamp(QUEEN_RADIUS, width - QUEEN_RADIUS) as i32;
    let y = goal.1.clamp(QUEEN_RADIUS, height - QUEEN_RADIUS) as i32;
    Command::Move { x, y }
}

fn way(one: Place, other: Place) -> f64 {
    let (x, y) = (one.0 - other.0, one.1 - other.1);
    (x * x + y * y).sqrt()
}

fn place_of(unit: &UnitView) -> Place {
    (f64::from(unit.x), f64::from(unit.y))
}

fn middle(site: &SiteView) -> Place {
    (f64::from(site.x), f64::from(site.y))
}
