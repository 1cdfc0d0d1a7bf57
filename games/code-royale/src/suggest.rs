//! What a person may order, line by line: the queen first, then the training.

use quintain_core::Suggestion;
use quintain_core::scene::Form;

use crate::geometry::{HEIGHT, WIDTH};
use crate::rules::QUEEN_RADIUS;
use crate::rules::queens::QUEEN_SPEED;
use crate::{CreepKind, League, SiteView, StructureView, View};

/// Sites that are offered before anything is typed.
const SITES_SHOWN: usize = 4;

const COMPASS: [(&str, i32, i32); 8] = [
    ("north", 0, -1),
    ("north east", 1, -1),
    ("east", 1, 0),
    ("south east", 1, 1),
    ("south", 0, 1),
    ("south west", -1, 1),
    ("west", -1, 0),
    ("north west", -1, -1),
];

pub(crate) fn suggest(view: &View, league: League, typed: &str) -> Vec<Suggestion> {
    match typed.split_once('\n') {
        Some((queen, _)) => trainings(view, queen),
        None => orders(view, league, &typed.to_ascii_uppercase()),
    }
}

fn orders(view: &View, league: League, typed: &str) -> Vec<Suggestion> {
    if typed.starts_with("MOVE ") {
        return moves(view);
    }
    if let Some((site, _)) = typed.strip_prefix("BUILD ").and_then(|rest| rest.split_once(' ')) {
        return site.parse().map_or_else(|_| Vec::new(), |site| blueprints(view, league, site));
    }
    let sites_max = if typed.starts_with("BUILD ") { usize::MAX } else { SITES_SHOWN };
    let mut found = builds(view, sites_max);
    found.push(Suggestion::new("MOVE ", "x y"));
    found.push(Suggestion::new("WAIT\n", ""));
    if sites_max == SITES_SHOWN {
        found.push(Suggestion::new("BUILD ", "any site"));
    }
    found
}

/// Sites that do not belong to the enemy, from the nearest.
fn builds(view: &View, sites_max: usize) -> Vec<Suggestion> {
    let is_open = |site: &SiteView| match site.structure {
        Some(StructureView::Tower { owner, .. }) => owner == view.seat,
        Some(StructureView::Barracks { owner, turns_left, .. }) => {
            owner != view.seat || turns_left == 0
        }
        Some(StructureView::Mine { .. }) | None => true,
    };
    let mut sites: Vec<(usize, &SiteView)> =
        view.sites.iter().enumerate().filter(|(_, site)| is_open(site)).collect();
    sites.sort_by_key(|(_, site)| to_rim(view, site));
    let suggest = |(id, site): (usize, &SiteView)| {
        let suggestion = Suggestion::new(format!("BUILD {id} "), site_note(view, id, site));
        suggestion.aimed_at(outline(site))
    };
    sites.into_iter().take(sites_max).map(suggest).collect()
}

/// What a person points at who means a site.
fn outline(site: &SiteView) -> Form {
    Form::circle((f64::from(site.x), f64::from(site.y)), f64::from(site.radius))
}

/// How far the queen is from touching a site.
fn to_rim(view: &View, site: &SiteView) -> i64 {
    let queen = view.queen(view.seat);
    let (dx, dy) = (f64::from(site.x - queen.x), f64::from(site.y - queen.y));
    let distance = (dx * dx + dy * dy).sqrt() - f64::from(site.radius) - QUEEN_RADIUS;
    distance.max(0.0) as i64
}

fn site_note(view: &View, id: usize, site: &SiteView) -> String {
    let whose = |owner| if owner == view.seat { "your" } else { "enemy" };
    let what = match site.structure {
        None => "empty".to_owned(),
        Some(StructureView::Mine { owner, .. }) => format!("{} mine", whose(owner)),
        Some(StructureView::Tower { owner, .. }) => format!("{} tower", whose(owner)),
        Some(StructureView::Barracks { owner, .. }) => format!("{} barracks", whose(owner)),
    };
    let away = if view.touched == Some(id) {
        "touched".to_owned()
    } else {
        format!("{} away", to_rim(view, site))
    };
    let gold = site.gold.filter(|gold| *gold > 0).map(|gold| format!(", gold {gold}"));
    format!("{what}, {away}{}", gold.unwrap_or_default())
}

fn blueprints(view: &View, league: League, site: usize) -> Vec<Suggestion> {
    let has_gold = view.sites.get(site).is_none_or(|site| site.gold != Some(0));
    let mut words = Vec::new();
    if league.has_mines() && has_gold {
        words.push("MINE".to_owned());
    }
    if league.has_towers() {
        words.push("TOWER".to_owned());
    }
    let kinds = CreepKind::ALL.into_iter();
    let known = kinds.filter(|kind| *kind != CreepKind::Giant || league.has_towers());
    words.extend(known.map(|kind| format!("BARRACKS-{}", kind.word())));
    words.iter().map(|word| Suggestion::new(format!("BUILD {site} {word}\n"), "")).collect()
}

/// A step to each side, then the way to every site.
fn moves(view: &View) -> Vec<Suggestion> {
    let queen = view.queen(view.seat);
    let step = |(name, dx, dy): (&str, i32, i32)| {
        let length = if dx != 0 && dy != 0 { QUEEN_SPEED / f64::sqrt(2.0) } else { QUEEN_SPEED };
        let go = |from: i32, way: i32, end: f64| {
            (f64::from(from) + f64::from(way) * length).round().clamp(0.0, end)
        };
        let (x, y) = (go(queen.x, dx, WIDTH), go(queen.y, dy, HEIGHT));
        let aim = Form::circle((x, y), QUEEN_RADIUS);
        Suggestion::new(format!("MOVE {x} {y}\n"), name).aimed_at(aim)
    };
    let mut found: Vec<Suggestion> = COMPASS.map(step).into();
    let sites = view.sites.iter().enumerate();
    found.extend(sites.map(|(id, site)| {
        let suggestion =
            Suggestion::new(format!("MOVE {} {}\n", site.x, site.y), format!("site {id}"));
        suggestion.aimed_at(outline(site))
    }));
    found
}

/// Nothing, each idle barracks that can be paid, and all of them as far as the gold reaches.
fn trainings(view: &View, queen: &str) -> Vec<Suggestion> {
    // What is built over in this turn cannot train.
    let built =
        queen.split(' ').nth(1).filter(|_| queen.to_ascii_uppercase().starts_with("BUILD "));
    let built: Option<usize> = built.and_then(|site| site.parse().ok());
    let idle = |(id, site): (usize, &SiteView)| match site.structure {
        Some(StructureView::Barracks { owner, creep, turns_left: 0 })
            if owner == view.seat && built != Some(id) =>
        {
            Some((id, creep))
        }
        _ => None,
    };
    let idle: Vec<(usize, CreepKind)> = view.sites.iter().enumerate().filter_map(idle).collect();
    let line = |sites: &[usize], note: String| {
        let sites: String = sites.iter().map(|site| format!(" {site}")).collect();
        Suggestion::new(format!("{queen}\nTRAIN{sites}"), note)
    };
    let mut found = vec![line(&[], format!("nothing; gold {}", view.gold))];
    let (mut gold, mut together) = (view.gold, Vec::new());
    for &(id, creep) in &idle {
        let (cost, word) = (creep.stats().cost, creep.word());
        if cost <= view.gold {
            found.push(line(&[id], format!("{word}, {cost} of {} gold", view.gold)));
        }
        if cost <= gold {
            gold -= cost;
            together.push(id);
        }
    }
    if together.len() > 1 {
        found.push(line(&together, format!("{} of {} gold", view.gold - gold, view.gold)));
    }
    found
}
