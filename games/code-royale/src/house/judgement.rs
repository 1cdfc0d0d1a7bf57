//! What a position is worth to a seat, in points; a point is about a gold in hand.

use quintain_core::{Game, Seat};

use super::distance;
use crate::field::bits;
use crate::rules::QUEEN_RADIUS;
use crate::rules::queens::QUEEN_SPEED;
use crate::{CodeRoyale, CreepKind, League, Plot, Point, Site, Structure, TURNS_MAX, Works};

/// The figures that a judgement goes by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A health of the own queen, and of the enemy's.
    pub own_health: f64,
    pub enemy_health: f64,
    /// A health that knights on the field, or in training, will probably cost the own queen.
    pub near_danger: f64,
    pub far_danger: f64,
    /// The way a turn that the queen makes back to her towers.
    pub return_speed: f64,
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
        near_danger: 4.0,
        far_danger: 1.0,
        return_speed: 40.0,
        gold: 0.8,
        income: 0.7,
        enemy_income: 0.2,
        barracks: 120.0,
        barracks_way: 40.0,
        enemy_barracks: 30.0,
        tower_health: 0.08,
        way: 4.0,
        prospect: 0.8,
    };

    /// Without mines gold comes by itself, and what decides is to keep away from knights.
    const WITHOUT_MINES: Weights =
        Weights { barracks_way: 0.0, far_danger: 5.0, near_danger: 12.0, ..Weights::USUAL };

    pub(super) const fn of(league: League) -> &'static Weights {
        if league.has_mines() { &Weights::USUAL } else { &Weights::WITHOUT_MINES }
    }
}

/// A match that is over counts as much.
const MATCH: f64 = 5000.0;
/// How many turns ahead a mine is counted on.
const MINE_TURNS: i32 = 60;
/// How many turns ahead the enemy's income is counted on for new knights.
const THREAT_TURNS: f64 = 25.0;
/// A tower farther from the queen than its range and this does not help her against knights that are
/// there, and against those to come, before whom she has time to return.
const HELP_NOW: f64 = 200.0;
const HELP_LATER: f64 = 800.0;
/// Damage of a tower in a turn, about.
const FIRE: f64 = 4.5;
/// What queens avoid by walking, of what knights could do.
const UNAVOIDED: f64 = 0.5;
/// Turns under fire before knights have reached the queen.
const APPROACH: f64 = 4.0;
/// The health of a knight that is not trained yet, when it will have arrived.
const NEW_HEALTH: f64 = 18.0;
const TOWER_HP_ENOUGH: i32 = 700;
/// What a new tower promises.
const TOWER_PROMISE: f64 = 200.0;

/// What both sides own, added up in one pass over the sites.
#[derive(Default)]
struct Tally {
    points: f64,
    /// How far beyond its range a tower counts.
    help: f64,
    /// The damage a turn that towers do around the own queen, now and when knights to come are there.
    fire: f64,
    fire_later: f64,
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
    let knights = Knights::of(game, seat);
    let tally = tally(game, seat, knights.help(weights), weights);
    value += tally.points - danger(game, seat, (&knights, &tally), weights);
    value += barracks(&tally, weights);
    value + weights.prospect * prospect(game, seat, &tally, weights)
}

/// The enemy's knights on the field.
#[derive(Default)]
struct Knights {
    count: f64,
    /// What they will have left when they have reached the own queen.
    health: f64,
    /// Turns until the first one does.
    turns: f64,
}

impl Knights {
    fn of(game: &CodeRoyale, seat: Seat) -> Knights {
        let stats = CreepKind::Knight.stats();
        let queen = game.players()[seat].queen;
        let mut knights = Knights { turns: f64::INFINITY, ..Knights::default() };
        for creep in game.creeps()[seat.other()].as_slice() {
            if creep.kind != CreepKind::Knight {
                continue;
            }
            let way = distance(creep.place, queen) - stats.radius - QUEEN_RADIUS;
            let turns = (way / stats.speed).max(0.0);
            let health = f64::from(creep.hp) - turns;
            if health > 0.0 {
                knights.count += 1.0;
                knights.health += health;
                knights.turns = knights.turns.min(turns);
            }
        }
        knights
    }

    /// How far beyond a tower's range the queen can be and still return in time.
    fn help(&self, weights: &Weights) -> f64 {
        (HELP_NOW + weights.return_speed * self.turns).min(HELP_LATER)
    }
}

fn tally(game: &CodeRoyale, seat: Seat, help: f64, weights: &Weights) -> Tally {
    let mut tally = Tally { help, barracks_way: f64::INFINITY, ..Tally::default() };
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
                self.fire += fire(f64::from(range) - way, self.help);
                self.fire_later += fire(f64::from(range) - way, HELP_LATER);
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

/// What a tower adds to the fire around a place that lies so far within its range, or beyond it. Nearness does
/// not count, lest the queen cling to her towers.
fn fire(nearness: f64, help: f64) -> f64 {
    FIRE * ((nearness + help) / help).clamp(0.0, 1.0)
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
fn danger(
    game: &CodeRoyale,
    seat: Seat,
    (knights, tally): (&Knights, &Tally),
    weights: &Weights,
) -> f64 {
    let near = damage(knights.count, knights.health, tally.fire);
    let gold = f64::from(game.players()[seat.other()].gold) + tally.enemy_income * THREAT_TURNS;
    let trust = if tally.enemy_barracks > 0 { 1.0 } else { 0.6 };
    let stats = CreepKind::Knight.stats();
    let new = trust * gold / f64::from(stats.cost) * f64::from(stats.count);
    let health = tally.coming_health + new * NEW_HEALTH;
    let far = damage(tally.coming + new, health, tally.fire_later);
    weights.near_danger * near + weights.far_danger * far
}

/// What so many knights with so much health together do before age and towers have killed them.
fn damage(count: f64, health: f64, fire: f64) -> f64 {
    if count <= 0.0 {
        return 0.0;
    }
    UNAVOIDED * (health - APPROACH * fire).max(0.0) * count / (count + fire)
}

/// The best that the queen could go and build next, less the way there.
fn prospect(game: &CodeRoyale, seat: Seat, tally: &Tally, weights: &Weights) -> f64 {
    let queen = game.players()[seat].queen;
    let mut best: f64 = 0.0;
    for (index, site) in game.field().sites().iter().enumerate() {
        let worth = site_prospect(game, seat, (index, tally), weights);
        if worth <= best {
            continue;
        }
        let rim = distance(site.place, queen) - site.radius - QUEEN_RADIUS;
        let worth = worth - (rim / QUEEN_SPEED).max(0.0) * weights.way;
        if worth > best && !is_under_fire(game, tally.towers, site.place) {
            best = worth;
        }
    }
    best
}

fn site_prospect(
    game: &CodeRoyale,
    seat: Seat,
    (index, tally): (usize, &Tally),
    weights: &Weights,
) -> f64 {
    let (site, plot) = (&game.field().sites()[index], &game.plots()[index]);
    match plot.structure {
        None if !game.league().has_mines() => {
            let is_wanted = tally.barracks == 0;
            if is_wanted { weights.barracks } else { 0.0 }
        }
        None => {
            let mine = weights.income * promise(game, plot, site.rate_max);
            mine.max(weights.tower_health * TOWER_PROMISE)
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
