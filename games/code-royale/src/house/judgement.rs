//! What a position is worth to a seat, in points; a point is about a gold in hand.

use quintain_core::{Game, Seat};

use super::distance;
use crate::field::bits;
use crate::rules::QUEEN_RADIUS;
use crate::rules::queens::QUEEN_SPEED;
use crate::{CodeRoyale, Creep, CreepKind, Plot, Point, Site, Structure, TURNS_MAX, Works};

/// The figures that a judgement goes by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A health of the own queen, and of the enemy's.
    pub own_health: f64,
    pub enemy_health: f64,
    /// A health that knights on the field, or in training, will probably cost the own queen.
    pub near_danger: f64,
    pub far_danger: f64,
    pub gold: f64,
    /// A gold that a mine will pay.
    pub income: f64,
    /// The part of that for an enemy's mine.
    pub enemy_income: f64,
    pub barracks: f64,
    /// What a way of 1000 from the barracks to the enemy's queen takes away.
    pub barracks_way: f64,
    pub enemy_barracks: f64,
    /// A health of a tower.
    pub tower_health: f64,
    /// What a turn on the way to the next site costs.
    pub way: f64,
    /// The part that counts of what could be built next.
    pub prospect: f64,
}

impl Weights {
    pub(super) const USUAL: Weights = Weights {
        own_health: 20.0,
        enemy_health: 6.0,
        near_danger: 8.0,
        far_danger: 1.0,
        gold: 0.8,
        income: 0.7,
        enemy_income: 0.2,
        barracks: 120.0,
        barracks_way: 40.0,
        enemy_barracks: 30.0,
        tower_health: 0.05,
        way: 4.0,
        prospect: 0.8,
    };
}

/// A match that is over counts as much.
const MATCH: f64 = 5000.0;
/// How many turns ahead a mine is counted on.
const MINE_TURNS: i32 = 60;
/// How many turns ahead the enemy's income is counted on for new knights.
const THREAT_TURNS: f64 = 25.0;
/// A tower farther from the queen than its range and this does not help her.
const HELP: f64 = 200.0;
/// Damage of a tower at the end of its range, and the way by which it grows.
const FIRE: f64 = 3.0;
const FIRE_STEP: f64 = 200.0;
/// What queens avoid by walking, of what knights could do.
const UNAVOIDED: f64 = 0.5;
/// Turns under fire before knights have reached the queen.
const APPROACH: f64 = 4.0;
const TOWER_HP_ENOUGH: i32 = 700;
/// What a new tower promises.
const TOWER_PROMISE: f64 = 200.0;

/// What both sides own, added up in one pass over the sites.
#[derive(Default)]
struct Tally {
    points: f64,
    /// The damage a turn that towers do around the own queen.
    fire: f64,
    barracks: u32,
    /// Shortest way from an own barracks to the enemy's queen.
    barracks_way: f64,
    enemy_income: f64,
    enemy_barracks: u32,
    /// The enemy's towers.
    towers: u32,
    /// Knights that the enemy is training, and the health they will have left when they arrive.
    coming: f64,
    coming_health: f64,
}

/// What the position is worth to `seat`.
pub(super) fn judge(game: &CodeRoyale, seat: Seat, weights: &Weights) -> f64 {
    let (own, enemy) = (&game.players()[seat], &game.players()[seat.other()]);
    let mut value = f64::from(own.hp) * weights.own_health
        - f64::from(enemy.hp) * weights.enemy_health
        + f64::from(own.gold) * weights.gold;
    if let Some(outcome) = game.outcome() {
        return value
            + match outcome.winner() {
                Some(winner) if winner == seat => MATCH,
                Some(_) => -MATCH,
                None => 0.0,
            };
    }
    let tally = tally(game, seat, weights);
    value += tally.points - danger(game, seat, &tally, weights);
    value += barracks(&tally, weights);
    value + weights.prospect * prospect(game, seat, tally.towers, weights)
}

fn tally(game: &CodeRoyale, seat: Seat, weights: &Weights) -> Tally {
    let mut tally = Tally { barracks_way: f64::INFINITY, ..Tally::default() };
    for (index, (site, plot)) in game.field().sites().iter().zip(game.plots()).enumerate() {
        let Some(Structure { owner, works }) = plot.structure else {
            continue;
        };
        if owner == seat {
            tally.add_own(game, seat, (site, plot, works), weights);
        } else {
            tally.add_enemy(game, seat, (site, plot, works), weights);
            tally.towers |= u32::from(works.is_tower()) << index;
        }
    }
    tally
}

impl Tally {
    fn add_own(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        (site, plot, works): (&Site, &Plot, Works),
        weights: &Weights,
    ) {
        match works {
            Works::Mine { rate } => self.points += weights.income * promise(game, plot, rate),
            Works::Tower { hp, range } => {
                self.points += weights.tower_health * f64::from(hp);
                let way = distance(site.place, game.players()[seat].queen);
                self.fire += fire(f64::from(range), way);
            }
            Works::Barracks { creep, .. } => {
                if creep == CreepKind::Knight {
                    self.barracks += 1;
                    let way = distance(site.place, game.players()[seat.other()].queen);
                    self.barracks_way = self.barracks_way.min(way);
                }
            }
        }
    }

    fn add_enemy(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        (site, plot, works): (&Site, &Plot, Works),
        weights: &Weights,
    ) {
        match works {
            Works::Mine { rate } => {
                self.points -= weights.enemy_income * promise(game, plot, rate);
                self.enemy_income += f64::from(rate);
            }
            Works::Tower { .. } => {}
            Works::Barracks { creep, training } => {
                self.points -= weights.enemy_barracks;
                if creep != CreepKind::Knight {
                    return;
                }
                self.enemy_barracks += 1;
                if training.is_some() {
                    let way = distance(site.place, game.players()[seat].queen);
                    let stats = creep.stats();
                    let count = f64::from(stats.count);
                    self.coming += count;
                    self.coming_health += count * (f64::from(stats.hp) - way / stats.speed);
                }
            }
        }
    }
}

/// What a mine will pay in the time that it is counted on.
fn promise(game: &CodeRoyale, plot: &Plot, rate: u8) -> f64 {
    let turns = MINE_TURNS.min((TURNS_MAX - game.turn().min(TURNS_MAX)) as i32);
    f64::from(plot.gold.min(i32::from(rate) * turns))
}

/// What a tower adds to the fire around a place so far away.
fn fire(range: f64, way: f64) -> f64 {
    let nearness = range - way;
    if nearness >= 0.0 {
        FIRE + nearness / FIRE_STEP
    } else {
        FIRE * ((nearness + HELP) / HELP).max(0.0)
    }
}

/// One barracks is needed; a second one is of little use, more are of none.
fn barracks(tally: &Tally, weights: &Weights) -> f64 {
    let way = tally.barracks_way.min(2000.0) / 1000.0 * weights.barracks_way;
    match tally.barracks {
        0 => 0.0,
        1 => weights.barracks - way,
        more => weights.barracks - way - 20.0 * f64::from(more - 1),
    }
}

/// What knights will probably do to the own queen: those of the field, and those that may come.
fn danger(game: &CodeRoyale, seat: Seat, tally: &Tally, weights: &Weights) -> f64 {
    let queen = game.players()[seat].queen;
    let (mut count, mut health) = (0.0, 0.0);
    for creep in game.creeps()[seat.other()].as_slice() {
        if creep.kind == CreepKind::Knight {
            let left = health_at(creep, queen);
            if left > 0.0 {
                count += 1.0;
                health += left;
            }
        }
    }
    let near = damage(count, health, tally.fire);
    let gold = f64::from(game.players()[seat.other()].gold) + tally.enemy_income * THREAT_TURNS;
    let trust = if tally.enemy_barracks > 0 { 1.0 } else { 0.6 };
    let stats = CreepKind::Knight.stats();
    let new = trust * gold / f64::from(stats.cost) * f64::from(stats.count);
    let far = damage(tally.coming + new, tally.coming_health + new * 18.0, tally.fire);
    weights.near_danger * near + weights.far_danger * far
}

/// The health that a knight will have when it reaches the queen.
fn health_at(knight: &Creep, queen: Point) -> f64 {
    let reach = CreepKind::Knight.stats().radius + QUEEN_RADIUS;
    let way = (distance(knight.place, queen) - reach).max(0.0);
    f64::from(knight.hp) - way / CreepKind::Knight.stats().speed
}

/// What so many knights with so much health together do before age and towers have killed them.
fn damage(count: f64, health: f64, fire: f64) -> f64 {
    if count <= 0.0 {
        return 0.0;
    }
    UNAVOIDED * (health - APPROACH * fire).max(0.0) * count / (count + fire)
}

/// The best that the queen could go and build next, less the way there.
fn prospect(game: &CodeRoyale, seat: Seat, enemy_towers: u32, weights: &Weights) -> f64 {
    let queen = game.players()[seat].queen;
    let mut best: f64 = 0.0;
    for (index, site) in game.field().sites().iter().enumerate() {
        let worth = site_prospect(game, seat, index, weights);
        if worth <= best {
            continue;
        }
        let rim = distance(site.place, queen) - site.radius - QUEEN_RADIUS;
        let worth = worth - (rim / QUEEN_SPEED).max(0.0) * weights.way;
        if worth > best && !is_under_fire(game, enemy_towers, site.place) {
            best = worth;
        }
    }
    best
}

fn site_prospect(game: &CodeRoyale, seat: Seat, index: usize, weights: &Weights) -> f64 {
    let (site, plot) = (&game.field().sites()[index], &game.plots()[index]);
    let has_mines = game.league().has_mines();
    match plot.structure {
        None => {
            let mine = weights.income * promise(game, plot, site.rate_max);
            let tower = weights.tower_health * TOWER_PROMISE;
            tower.max(if has_mines { mine } else { 0.0 })
        }
        Some(Structure { owner, works }) if owner == seat => match works {
            Works::Mine { rate } => {
                let now = promise(game, plot, rate);
                weights.income * (promise(game, plot, site.rate_max) - now)
            }
            Works::Tower { hp, .. } => {
                weights.tower_health * f64::from((TOWER_HP_ENOUGH - hp).max(0))
            }
            Works::Barracks { .. } => 0.0,
        },
        Some(_) => 0.0,
    }
}

/// Whether one of these towers reaches the place.
fn is_under_fire(game: &CodeRoyale, towers: u32, place: Point) -> bool {
    bits(towers).any(|index| match game.plots()[index].structure {
        Some(Structure { works: Works::Tower { range, .. }, .. }) => {
            game.field().sites()[index].place.is_within(place, f64::from(range))
        }
        _ => false,
    })
}

/// The sites that a queen at `place` can build on or tear down at.
pub(super) fn touched(game: &CodeRoyale, place: Point) -> impl Iterator<Item = usize> {
    let sites = game.field().sites();
    bits(game.field().near(place)).filter(move |&site| sites[site].is_touched(place, QUEEN_RADIUS))
}
