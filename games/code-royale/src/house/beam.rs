//! Where the queen goes and what she builds: a beam search over the exact rules.

use quintain_core::{Game, NoChance, Replies, Seat};

use super::budget::Budget;
use super::judgement::{Weights, judge, touched};
use super::{build, distance, walk};
use crate::{
    Action, Blueprint, CodeRoyale, Command, CreepKind, Point, Structure, TrainOrder, Works,
};

/// Turns that are looked ahead, with enough nodes for it.
const DEPTH: u32 = 12;
/// Nodes that a turn of depth needs at least.
const NODES_PER_TURN: u64 = 60;
/// Positions of a layer that are kept for the next one.
const WIDTH_MAX: usize = 300;
/// Positions of the first turns that are looked at even if the clock says that time is over: whoever had to wait
/// for the processor has lost its time without a thought, and this takes a few milliseconds at most.
const SURE_WIDTH: usize = 4;
const SURE_DEPTH: u32 = 5;
/// How much the way to a position counts beside the position.
const WAY_SHARE: f64 = 0.5;
/// A goal of a walk lies so far ahead, which is more than a step.
const AHEAD: f64 = 120.0;
/// The nearest sites are gone to straight away.
const STRAIGHT_SITES: usize = 3;
/// The sine of half a right angle, and cosine and sine of a quarter of one.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const COS: f64 = 0.923_879_532_511_286_7;
const SIN: f64 = 0.382_683_432_365_089_8;
/// The compass; the first eight are its main points.
const COMPASS: [(f64, f64); 16] = [
    (1.0, 0.0),
    (HALF, HALF),
    (0.0, 1.0),
    (-HALF, HALF),
    (-1.0, 0.0),
    (-HALF, -HALF),
    (0.0, -1.0),
    (HALF, -HALF),
    (COS, SIN),
    (SIN, COS),
    (-SIN, COS),
    (-COS, SIN),
    (-COS, -SIN),
    (-SIN, -COS),
    (SIN, -COS),
    (COS, -SIN),
];
const MAIN_POINTS: usize = 8;

/// What the league is known to have: to build anything else loses the match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub has_mines: bool,
    pub has_towers: bool,
}

/// A position that can be reached.
struct Node {
    game: CodeRoyale,
    /// The order of the first turn that leads here.
    order: u32,
    value: f64,
    /// Of the values on the way.
    sum: f64,
    rank: f64,
    key: u64,
}

/// Keeps its room between turns.
#[derive(Default)]
pub(super) struct Beam {
    layer: Vec<Node>,
    next: Vec<Node>,
    ranking: Vec<u32>,
    orders: Vec<Command>,
    seen: Vec<u64>,
}

impl Beam {
    /// The queen's order for this turn, in which `train` is trained.
    pub(super) fn choose(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        (train, known, weights): (&[i32], Known, &Weights),
        budget: &mut Budget<'_, '_>,
    ) -> Command {
        let best = self.best(game, seat, (train, known, weights), budget);
        let order = best.map_or(0, |node| node.order as usize);
        self.orders.get(order).cloned().unwrap_or(Command::Wait)
    }

    /// What the position is worth to the seat with the best orders that are found.
    pub(super) fn value(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        (train, known, weights): (&[i32], Known, &Weights),
        budget: &mut Budget<'_, '_>,
    ) -> f64 {
        let best = self.best(game, seat, (train, known, weights), budget);
        best.map_or_else(|| judge(game, seat, weights), |node| node.value)
    }

    /// The best position that can be reached.
    fn best(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        (train, known, weights): (&[i32], Known, &Weights),
        budget: &mut Budget<'_, '_>,
    ) -> Option<&Node> {
        let start = budget.spent();
        let depth = (budget.nodes_max() / NODES_PER_TURN).clamp(2, u64::from(DEPTH)) as u32;
        self.open(game, seat, (train, known, weights), budget);
        for turn in 2..=depth {
            let end = start + (1.0 - start) * f64::from(turn) / f64::from(depth);
            let sure = sure_width(turn, budget);
            if sure == 0 && budget.spent() >= 1.0 {
                break;
            }
            self.deepen(seat, weights, (turn, end, sure.max(1)), budget);
        }
        self.layer.iter().max_by(|one, other| one.rank.total_cmp(&other.rank))
    }

    /// The first turn, with every order that there is.
    fn open(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        (train, known, weights): (&[i32], Known, &Weights),
        budget: &mut Budget<'_, '_>,
    ) {
        self.layer.clear();
        self.orders.clear();
        list_orders(game, seat, COMPASS.len(), &mut self.orders);
        let trains =
            |order: &Command| matches!(order, Command::Build { site, .. } if train.contains(site));
        self.orders.retain(|order| known.allows(order) && !trains(order));
        let enemy = enemy_action(game, seat.other());
        for (order, command) in self.orders.iter().enumerate() {
            let action = Action::new(command.clone(), train);
            let after = play(game, seat, action, enemy.clone(), budget);
            let value = judge(&after, seat, weights);
            let key = key(&after, seat);
            self.layer.push(Node {
                game: after,
                order: order as u32,
                value,
                sum: value,
                rank: value,
                key,
            });
        }
    }

    /// One turn more, from the best positions on, of which some are `sure`, until the layer's share is spent.
    fn deepen(
        &mut self,
        seat: Seat,
        weights: &Weights,
        (turn, end, sure): (u32, f64, usize),
        budget: &mut Budget<'_, '_>,
    ) {
        self.rank_layer();
        self.next.clear();
        let mut orders = Vec::new();
        for (place, &index) in self.ranking.iter().enumerate() {
            if place >= sure && budget.spent() >= end {
                break;
            }
            let node = &self.layer[index as usize];
            if node.game.outcome().is_some() {
                let (sum, game) = (node.sum + node.value, node.game.clone());
                let rank = rank(node.value, sum, turn);
                self.next.push(Node { game, sum, rank, ..*node });
                continue;
            }
            orders.clear();
            list_orders(&node.game, seat, MAIN_POINTS, &mut orders);
            let enemy = enemy_action(&node.game, seat.other());
            for command in orders.drain(..) {
                let action = Action::new(command, &[]);
                let game = play(&node.game, seat, action, enemy.clone(), budget);
                let value = judge(&game, seat, weights);
                let sum = node.sum + value;
                let (key, rank) = (key(&game, seat), rank(value, sum, turn));
                self.next.push(Node { game, order: node.order, value, sum, rank, key });
            }
        }
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// The positions of the layer, best first, of those that are nearly the same only the best.
    fn rank_layer(&mut self) {
        self.ranking.clear();
        self.ranking.extend(0..self.layer.len() as u32);
        let layer = &self.layer;
        self.ranking.sort_unstable_by(|&one, &other| {
            let rank = |index: u32| layer[index as usize].rank;
            rank(other).total_cmp(&rank(one)).then(one.cmp(&other))
        });
        let (seen, layer) = (&mut self.seen, &self.layer);
        seen.clear();
        self.ranking.retain(|&index| {
            let key = layer[index as usize].key;
            let is_new = seen.len() < WIDTH_MAX && !seen.contains(&key);
            if is_new {
                seen.push(key);
            }
            is_new
        });
    }
}

impl Known {
    fn allows(self, order: &Command) -> bool {
        match order {
            Command::Build { blueprint: Some(Blueprint::Mine), .. } => self.has_mines,
            Command::Build {
                blueprint: Some(Blueprint::Tower | Blueprint::Barracks(CreepKind::Giant)),
                ..
            } => self.has_towers,
            _ => true,
        }
    }
}

/// How many positions are looked at in any case.
fn sure_width(turn: u32, budget: &Budget<'_, '_>) -> usize {
    if budget.goes_by_the_clock() && turn <= SURE_DEPTH { SURE_WIDTH } else { 0 }
}

fn rank(value: f64, sum: f64, turn: u32) -> f64 {
    value + WAY_SHARE * sum / f64::from(turn)
}

/// A simulated turn.
pub(super) fn play(
    game: &CodeRoyale,
    seat: Seat,
    own: Action,
    enemy: Action,
    budget: &mut Budget<'_, '_>,
) -> CodeRoyale {
    budget.spend();
    let mut after = game.clone();
    let replies = match seat {
        Seat::First => Replies::both(own, enemy),
        Seat::Second => Replies::both(enemy, own),
    };
    after.advance(&replies, &mut NoChance, &mut ());
    after
}

/// What is expected of the enemy: its queen stays and mends the tower that she stands at, and all
/// that it can pay is trained.
fn enemy_action(game: &CodeRoyale, enemy: Seat) -> Action {
    let mut action = Action::new(mend(game, enemy), &[]);
    action.train = TrainOrder::Sites(all_trainings(game, enemy));
    action
}

/// To build on at the tower that the queen touches, or to wait.
pub(super) fn mend(game: &CodeRoyale, seat: Seat) -> Command {
    let is_own_tower = |&site: &usize| {
        let structure = game.plots()[site].structure;
        structure.is_some_and(|structure| structure.owner == seat && structure.works.is_tower())
    };
    let tower = touched(game, game.players()[seat].queen).find(is_own_tower);
    tower.map_or(Command::Wait, |site| build(site, Blueprint::Tower))
}

/// Every idle barracks, as long as there is gold.
fn all_trainings(game: &CodeRoyale, seat: Seat) -> Vec<i32> {
    let mut gold = game.players()[seat].gold;
    let mut sites = Vec::new();
    if gold < CreepKind::Knight.stats().cost {
        return sites;
    }
    for (site, plot) in game.plots().iter().enumerate() {
        if let Some(Structure { owner, works: Works::Barracks { creep, training: None } }) =
            plot.structure
            && owner == seat
            && creep.stats().cost <= gold
        {
            gold -= creep.stats().cost;
            sites.push(site as i32);
        }
    }
    sites
}

/// What the queen could do: build where she stands, go to the nearest sites, or walk.
fn list_orders(game: &CodeRoyale, seat: Seat, points: usize, orders: &mut Vec<Command>) {
    let queen = game.players()[seat].queen;
    for site in touched(game, queen) {
        list_builds(game, seat, site, orders);
    }
    orders.push(Command::Wait);
    for site in nearest_grounds(game, seat).into_iter().flatten() {
        orders.push(walk(game.field().sites()[site].place));
    }
    for &(x, y) in &COMPASS[..points] {
        let goal = queen.plus(Point::new(x * AHEAD, y * AHEAD)).rounded();
        orders.push(walk(goal));
    }
}

/// What can be built there with reason.
fn list_builds(game: &CodeRoyale, seat: Seat, site: usize, orders: &mut Vec<Command>) {
    let league = game.league();
    let (ground, plot) = (&game.field().sites()[site], &game.plots()[site]);
    let knights = Blueprint::Barracks(CreepKind::Knight);
    let mut add = |blueprint| orders.push(build(site, blueprint));
    let works = match plot.structure {
        Some(Structure { owner, .. }) if owner != seat => return,
        Some(Structure { works: Works::Barracks { training: Some(_), .. }, .. }) => return,
        structure => structure.map(|structure| structure.works),
    };
    let can_mine = match works {
        Some(Works::Mine { rate }) => rate < ground.rate_max,
        _ => plot.gold > 0,
    };
    if league.has_mines() && can_mine {
        add(Blueprint::Mine);
    }
    if league.has_towers() {
        add(Blueprint::Tower);
    }
    if !matches!(works, Some(Works::Barracks { .. } | Works::Mine { .. })) {
        add(knights);
    }
}

/// The nearest sites on which something can be built and that the queen does not touch.
fn nearest_grounds(game: &CodeRoyale, seat: Seat) -> [Option<usize>; STRAIGHT_SITES] {
    let queen = game.players()[seat].queen;
    let mut nearest = [None; STRAIGHT_SITES];
    let mut ways = [f64::INFINITY; STRAIGHT_SITES];
    for (index, (site, plot)) in game.field().sites().iter().zip(game.plots()).enumerate() {
        let is_free = plot.structure.is_none_or(|structure| structure.owner == seat);
        let way = distance(site.place, queen) - site.radius;
        if !is_free || way < 35.0 {
            continue;
        }
        if let Some(place) = ways.iter().position(|&other| way < other) {
            ways[place..].rotate_right(1);
            nearest[place..].rotate_right(1);
            (ways[place], nearest[place]) = (way, Some(index));
        }
    }
    nearest
}

/// Positions with the same key are taken for the same: the queen at nearly the same place, with the
/// same health and the same structures.
fn key(game: &CodeRoyale, seat: Seat) -> u64 {
    const GRID: f64 = 12.0;
    let player = &game.players()[seat];
    let mut key = 0_u64;
    let mut mix =
        |word: u64| key = (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    mix((player.queen.x / GRID) as u64);
    mix((player.queen.y / GRID) as u64);
    mix(player.hp as u64);
    mix(player.gold as u64);
    for plot in game.plots() {
        mix(match plot.structure {
            None => 0,
            Some(Structure { owner, works }) => {
                let kind = match works {
                    Works::Mine { rate } => 0x1000 + u64::from(rate),
                    Works::Tower { hp, .. } => 0x2000 + hp as u64,
                    Works::Barracks { creep, .. } => 0x3000 + creep as u64,
                };
                kind << 1 | owner as u64
            }
        });
    }
    key
}
