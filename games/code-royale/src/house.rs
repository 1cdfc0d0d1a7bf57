//! The house bots: one that does anything, and one with a plan.

use quintain_core::{
    Bot, Chance, Dialogue, Effort, House, HouseBot, HouseClient, Seat, SplitMix64, Thinking,
};

use crate::client::Client;
use crate::field::CONTACT;
use crate::geometry::{HEIGHT, WIDTH};
use crate::rules::QUEEN_RADIUS;
use crate::{
    Action, Blueprint, CodeRoyale, Command, CreepKind, Point, SITES_MAX, SiteView, StructureView,
    UnitView, View,
};

impl House for CodeRoyale {
    const BOTS: &'static [HouseBot] = &[
        HouseBot {
            name: "random",
            about: "gives any order that can be carried out",
            effort: Effort::AtOnce,
        },
        HouseBot {
            name: "greedy",
            about: "builds mines, barracks and towers by a plan and trains what it can pay",
            effort: Effort::AtOnce,
        },
    ];

    fn bot(name: &str, seed: i64) -> Option<Box<dyn Bot<CodeRoyale>>> {
        match name {
            "random" => Some(Box::new(Random {
                chance: SplitMix64::new(seed as u64),
                lore: Lore::default(),
            })),
            "greedy" => Some(Box::new(Greedy::default())),
            _ => None,
        }
    }
}

impl HouseClient for CodeRoyale {
    fn dialogue(bot: &str, _: &str, seed: i64, _: Option<u8>) -> Option<Box<dyn Dialogue>> {
        Some(Box::new(Client::new(CodeRoyale::bot(bot, seed)?)))
    }
}

/// What a bot has found out about the league, which nobody tells it. To build what the league does
/// not have would lose the match.
#[derive(Clone, Copy, Debug, Default)]
struct Lore {
    /// Mines, and with them towers and giants.
    has_mines: bool,
}

impl Lore {
    /// Leagues with mines have all sites and no fixed income, so that the first turn pays nothing.
    fn learn(&mut self, view: &View) {
        let is_mine = |site: &SiteView| matches!(site.structure, Some(StructureView::Mine { .. }));
        let is_unpaid = view.turn == 1 && view.gold == 100;
        let has_all_sites = view.sites.len() == SITES_MAX;
        self.has_mines |= has_all_sites && (is_unpaid || view.sites.iter().any(is_mine));
    }
}

/// Any order that can be carried out. Every other building goes to the nearest site: who always goes
/// elsewhere never arrives.
struct Random {
    chance: SplitMix64,
    lore: Lore,
}

impl Bot<CodeRoyale> for Random {
    fn act(&mut self, view: &View, _: &mut Thinking<'_>) -> Action {
        self.lore.learn(view);
        let chance = &mut self.chance;
        let command = match chance.below(12) {
            0 => Command::Wait,
            1..=3 => Command::Move {
                x: chance.below(WIDTH as u32 + 1) as i32,
                y: chance.below(HEIGHT as u32 + 1) as i32,
            },
            _ => {
                let site = match chance.below(2) {
                    0 => nearest_site(view, unit_place(view.queen(view.seat)), |_| true),
                    _ => None,
                };
                let any = chance.below(view.sites.len() as u32) as usize;
                build(site.unwrap_or(any), self.blueprint())
            }
        };
        Action::new(command, &self.training(view))
    }
}

impl Random {
    fn blueprint(&mut self) -> Blueprint {
        let known = if self.lore.has_mines { 5 } else { 2 };
        match self.chance.below(known) {
            0 => Blueprint::Barracks(CreepKind::Knight),
            1 => Blueprint::Barracks(CreepKind::Archer),
            2 => Blueprint::Barracks(CreepKind::Giant),
            3 => Blueprint::Tower,
            _ => Blueprint::Mine,
        }
    }

    fn training(&mut self, view: &View) -> Vec<i32> {
        let mut gold = view.gold;
        let mut sites = Vec::new();
        for (site, kind) in idle_barracks(view) {
            if kind.stats().cost <= gold && self.chance.below(2) == 0 {
                gold -= kind.stats().cost;
                sites.push(site as i32);
            }
        }
        sites
    }
}

/// Mines first, then knights, and towers when knights come. Its answer depends on what it is shown
/// alone.
#[derive(Default)]
struct Greedy {
    lore: Lore,
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

fn idle_barracks(view: &View) -> impl Iterator<Item = (usize, CreepKind)> {
    let sites = view.sites.iter().enumerate();
    sites.filter_map(|(index, site)| match site.structure {
        Some(StructureView::Barracks { owner, creep, turns_left: 0 }) if owner == view.seat => {
            Some((index, creep))
        }
        _ => None,
    })
}

fn own_sites(
    view: &View,
    is_meant: impl Fn(&StructureView) -> bool,
) -> impl Iterator<Item = usize> {
    let sites = view.sites.iter().enumerate();
    sites.filter_map(move |(index, site)| {
        let structure = site.structure?;
        (structure.owner() == view.seat && is_meant(&structure)).then_some(index)
    })
}

fn nearest_site(view: &View, place: Point, is_fit: impl Fn(&SiteView) -> bool) -> Option<usize> {
    let sites = view.sites.iter().enumerate().filter(|(_, site)| is_fit(site));
    let to_rim = |site: &SiteView| distance(site_place(site), place) - f64::from(site.radius);
    sites
        .min_by(|(_, one), (_, other)| to_rim(one).total_cmp(&to_rim(other)))
        .map(|(index, _)| index)
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

fn build(site: usize, blueprint: Blueprint) -> Command {
    Command::Build { site: site as i32, blueprint: Some(blueprint) }
}

fn walk(goal: Point) -> Command {
    Command::Move { x: goal.x as i32, y: goal.y as i32 }
}

fn distance(one: Point, other: Point) -> f64 {
    one.squared_distance(other).sqrt()
}

fn unit_place(unit: &UnitView) -> Point {
    Point::new(f64::from(unit.x), f64::from(unit.y))
}

fn site_place(site: &SiteView) -> Point {
    Point::new(f64::from(site.x), f64::from(site.y))
}

#[cfg(test)]
mod tests {
    use quintain_core::{Edition, Game, NoChance, PerSeat};
    use quintain_testkit::{check_house_names, greedy_wins, house_bots, house_match};

    use super::*;
    use crate::{Config, Event, League};

    /// Plays one match between two house bots and returns who won. Neither may lose by its answers.
    fn play(names: [&str; 2], config: &Config, seed: i64) -> Option<Seat> {
        let setup =
            CodeRoyale::generate(config, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64));
        let game = CodeRoyale::new(config, setup).expect("playable");
        let (game, events) = house_match(game, house_bots(names, seed), &mut NoChance);
        let killed = events.iter().find(|event| matches!(event, Event::Killed { .. }));
        assert_eq!(killed, None, "house bots play legally");
        game.outcome().expect("the match is over").winner()
    }

    fn config(edition: Edition, league: u8) -> Config {
        Config { edition, league: League::new(league).expect("a league"), ..Config::default() }
    }

    #[test]
    fn greedy_beats_random_from_both_seats() {
        let config = config(Edition::Document, 4);
        let PerSeat([first, second]) = greedy_wins(0..50, |names, seed| play(names, &config, seed));
        assert!(first + second >= 95, "greedy won {first} and {second} of 50 matches");
    }

    #[test]
    fn house_bots_play_legally_in_every_league_and_edition() {
        for edition in Edition::ALL {
            for &league in League::ALL {
                for seed in 0..3 {
                    play(["greedy", "greedy"], &config(edition, league), seed);
                    play(["random", "random"], &config(edition, league), seed);
                }
            }
        }
    }

    /// A queen in the open with a knight to her right.
    fn in_danger(has_tower: bool) -> View {
        let config = config(Edition::Original, 4);
        let mut setup = CodeRoyale::generate(&config, 3);
        for site in &mut setup.sites {
            (site.x, site.y) = (1500.0, 500.0);
        }
        (setup.sites[0].x, setup.sites[0].y) = (300.0, 700.0);
        if has_tower {
            setup.sites[0].structure =
                Some(crate::StructureSetup::Tower { owner: 0, hp: 400, range: 300 });
        }
        setup.players.0[0].queen = (600.0, 300.0);
        setup.players.0[1].creeps =
            vec![crate::CreepSetup { kind: CreepKind::Knight, x: 800.0, y: 300.0, hp: 30 }];
        CodeRoyale::new(&config, setup).expect("playable").view(Seat::First)
    }

    #[test]
    fn greedy_keeps_away_from_knights() {
        let act = |view: &View, has_mines| {
            let lore = Lore { has_mines };
            Greedy { lore }.act_unhurried(view).queen.command
        };
        // Where there are no towers: straight away from the knight.
        assert_eq!(act(&in_danger(false), false), Command::Move { x: 500, y: 300 });
        // To the nearest site, to build one there.
        assert_eq!(act(&in_danger(false), true), build(0, Blueprint::Tower));
        // Or to the far side of one's own.
        let Command::Move { x, y } = act(&in_danger(true), true) else {
            panic!("it walks");
        };
        assert!(x < 300 && y > 700, "{x} {y}");
    }

    #[test]
    fn unknown_bots_are_none() {
        check_house_names::<CodeRoyale>();
    }
}
