//! Sparring partners after what contestants of 2019 were seen to do. They go by rules of thumb, and are far
//! from those contestants' strength in a long match; what they share with them are their habits.

use std::collections::VecDeque;

use quintain_core::Bot;
use quintain_worms::{Action, Cell, Direction, Order, Terrain, View, WormView, Worms};

/// - `rush` seeks the enemy at once, freezes whom it reaches, spends all selects on shots of one worm in a row,
///   and throws its bananas as soon as somebody is in reach;
/// - `dig` spends its bananas on dirt in the first rounds, digs for as long as there is any, leaves lines of
///   fire, and fights only where it is found.
pub(crate) fn partner(name: &str) -> Option<Box<dyn Bot<Worms>>> {
    match name {
        "rush" => Some(Box::new(rush)),
        "dig" => Some(Box::new(dig)),
        _ => None,
    }
}

/// A throw of 5, and how much dirt makes a banana worth it.
const REACH: i32 = 5;
const DIRT_MIN: usize = 10;
/// From this round on it leaves the rim, and goes in by so many cells a round, a little ahead of the lava.
const LAVA_FROM: u32 = 85;
const LAVA_SPEED: f64 = 0.048;
/// How far an enemy must be for digging to go on.
const SHY_OF: u8 = 6;

fn rush(view: &View) -> Action {
    let worm = view.active();
    let attack =
        if worm.frozen > 0 { None } else { throw(view, worm).or_else(|| shot(view, worm)) };
    if let Some(order) = attack {
        return Action::of(order);
    }
    if let Some(action) = selected_shot(view) {
        return action;
    }
    let prey = view.opponent.living().min_by_key(|enemy| enemy.at.square_to(worm.at));
    let goal = prey.map_or(middle(view), |enemy| enemy.at);
    Action::of(towards(view, worm.at, goal))
}

fn dig(view: &View) -> Action {
    let worm = view.active();
    if worm.frozen > 0 {
        return Action::of(Order::Nothing);
    }
    let order = dirt_banana(view, worm)
        .or_else(|| out_of_lava(view, worm))
        .or_else(|| snowball(view, worm))
        .or_else(|| shot(view, worm))
        .or_else(|| way_out(view, worm))
        .or_else(|| dirt_beside(view, worm))
        .or_else(|| to_dirt(view, worm));
    Action::of(order.unwrap_or_else(|| stroll(view, worm)))
}

fn beside(view: &View, at: Cell) -> impl Iterator<Item = Cell> + use<'_> {
    Direction::ALL.into_iter().filter_map(move |direction| {
        let (dx, dy) = direction.step();
        Cell::within(view.ground.size(), i32::from(at.x) + dx, i32::from(at.y) + dy)
    })
}

fn middle(view: &View) -> Cell {
    let half = view.ground.size() / 2;
    Cell::new(half, half)
}

fn move_to(at: Cell) -> Order {
    Order::Move { x: i32::from(at.x), y: i32::from(at.y) }
}

fn dig_at(at: Cell) -> Order {
    Order::Dig { x: i32::from(at.x), y: i32::from(at.y) }
}

fn is_free(view: &View, at: Cell) -> bool {
    view.ground.at(at).is_open() && view.occupant(at).is_none()
}

/// Whom a shot from a cell in a direction hits first.
fn hit(view: &View, from: Cell, direction: Direction) -> Option<&WormView> {
    let (dx, dy) = direction.step();
    let mut at = from;
    loop {
        at = Cell::within(view.ground.size(), i32::from(at.x) + dx, i32::from(at.y) + dy)?;
        if !from.is_in_range(at, REACH - 1) || !view.ground.at(at).is_open() {
            return None;
        }
        if let Some((_, worm)) = view.occupant(at) {
            return Some(worm);
        }
    }
}

fn shot(view: &View, worm: &WormView) -> Option<Order> {
    let is_enemy = |hit: &&WormView| view.opponent.living().any(|enemy| enemy.at == hit.at);
    let hits = Direction::ALL.into_iter().filter_map(|direction| {
        let enemy = hit(view, worm.at, direction).filter(is_enemy)?;
        Some((enemy.hp, Order::Shoot(direction)))
    });
    hits.min_by_key(|(hp, _)| *hp).map(|(_, order)| order)
}

/// A shot of a worm whose turn it is not.
fn selected_shot(view: &View) -> Option<Action> {
    if view.own.tokens <= 0 {
        return None;
    }
    let active = view.own.active_id;
    view.own.living().filter(|worm| worm.id != active && worm.frozen == 0).find_map(|worm| {
        let order = shot(view, worm)?;
        Some(Action { select: Some(i32::from(worm.id)), ..Action::of(order) })
    })
}

fn throw(view: &View, worm: &WormView) -> Option<Order> {
    snowball(view, worm).or_else(|| {
        worm.arsenal.filter(|arsenal| arsenal.bananas > 0)?;
        view.class(worm).bananas.as_ref()?;
        let enemy = target(view, worm, 2, false)?;
        Some(Order::Banana { x: i32::from(enemy.x), y: i32::from(enemy.y) })
    })
}

fn snowball(view: &View, worm: &WormView) -> Option<Order> {
    worm.arsenal.filter(|arsenal| arsenal.snowballs > 0)?;
    view.class(worm).snowballs.as_ref()?;
    let enemy = target(view, worm, 1, true)?;
    Some(Order::Snowball { x: i32::from(enemy.x), y: i32::from(enemy.y) })
}

/// An enemy in reach of a throw that hits nobody else.
fn target(view: &View, worm: &WormView, radius: u8, hears: bool) -> Option<Cell> {
    let is_meant =
        |enemy: &&WormView| worm.at.is_in_range(enemy.at, REACH) && !(hears && enemy.frozen > 0);
    let is_safe =
        |enemy: &&WormView| view.own.living().all(|own| own.at.steps_to(enemy.at) > radius);
    let enemy = view.opponent.living().filter(is_meant).filter(is_safe).min_by_key(|it| it.hp);
    enemy.map(|enemy| enemy.at)
}

/// A step or a dig that comes nearer to a cell.
fn towards(view: &View, from: Cell, goal: Cell) -> Order {
    let lava = |at: Cell| u32::from(view.ground.at(at) == Terrain::Lava) * 1_000;
    let next = beside(view, from)
        .filter(|&at| is_free(view, at) || view.ground.at(at) == Terrain::Dirt)
        .min_by_key(|&at| at.square_to(goal) + lava(at));
    match next {
        Some(at) if view.ground.at(at) == Terrain::Dirt => dig_at(at),
        Some(at) => move_to(at),
        None => Order::Nothing,
    }
}

/// The agent's bananas blow up as much dirt as there is near the start.
fn dirt_banana(view: &View, worm: &WormView) -> Option<Order> {
    worm.arsenal.filter(|arsenal| arsenal.bananas > 0)?;
    view.class(worm).bananas.as_ref()?;
    let in_reach = view.ground.cells().filter(|&at| worm.at.is_in_range(at, REACH));
    let dirt = |at: Cell| {
        let hole = view.ground.cells().filter(|&cell| cell.square_to(at) <= 4);
        hole.filter(|&cell| view.ground.at(cell) == Terrain::Dirt).count()
    };
    let is_safe = |at: Cell| view.own.living().all(|own| own.at.square_to(at) > 4);
    let targets = in_reach.filter(|&at| view.ground.at(at) != Terrain::DeepSpace && is_safe(at));
    let (dirt, at) = targets.map(|at| (dirt(at), at)).max_by_key(|(dirt, _)| *dirt)?;
    (dirt >= DIRT_MIN).then_some(Order::Banana { x: i32::from(at.x), y: i32::from(at.y) })
}

/// How far from the middle it is safe for the next rounds.
fn safe_radius(view: &View) -> f64 {
    (16.0 - LAVA_SPEED * f64::from(view.round.saturating_sub(LAVA_FROM))).max(3.5)
}

fn from_middle(view: &View, at: Cell) -> f64 {
    f64::from(at.square_to(middle(view))).sqrt()
}

fn out_of_lava(view: &View, worm: &WormView) -> Option<Order> {
    (from_middle(view, worm.at) > safe_radius(view) && view.round > LAVA_FROM)
        .then(|| towards(view, worm.at, middle(view)))
}

/// Away from an enemy that is near and cannot be hit from here.
fn way_out(view: &View, worm: &WormView) -> Option<Order> {
    let is_seen = |at: Cell| {
        view.opponent.living().any(|enemy| enemy.frozen == 0 && enemy.at.steps_to(at) < SHY_OF - 1)
    };
    if !is_seen(worm.at) {
        return None;
    }
    let nearest = |at: Cell| view.opponent.living().map(|enemy| enemy.at.square_to(at)).min();
    let steps = beside(view, worm.at).filter(|&at| is_free(view, at));
    let steps = steps.filter(|&at| from_middle(view, at) <= safe_radius(view));
    steps.max_by_key(|&at| nearest(at)).map(move_to)
}

fn dirt_beside(view: &View, worm: &WormView) -> Option<Order> {
    let dirt = beside(view, worm.at).filter(|&at| view.ground.at(at) == Terrain::Dirt);
    dirt.max_by_key(|&at| at.square_to(middle(view))).map(dig_at)
}

/// A step on the shortest way to dirt that lava will not reach soon.
fn to_dirt(view: &View, worm: &WormView) -> Option<Order> {
    let size = usize::from(view.ground.size());
    let index = |at: Cell| usize::from(at.y) * size + usize::from(at.x);
    let mut first_steps = vec![None; size * size];
    let mut queue = VecDeque::from([worm.at]);
    while let Some(at) = queue.pop_front() {
        for next in beside(view, at) {
            if view.ground.at(next) == Terrain::Dirt && at != worm.at {
                return first_steps[index(at)].map(move_to);
            }
            let is_safe = from_middle(view, next) <= safe_radius(view);
            if is_free(view, next) && is_safe && first_steps[index(next)].is_none() {
                first_steps[index(next)] = first_steps[index(at)].or(Some(next));
                queue.push_back(next);
            }
        }
    }
    None
}

/// Points for steps, as far from enemies as can be.
fn stroll(view: &View, worm: &WormView) -> Order {
    let nearest = |at: Cell| view.opponent.living().map(|enemy| enemy.at.square_to(at)).min();
    let steps = beside(view, worm.at).filter(|&at| is_free(view, at));
    let steps = steps.filter(|&at| from_middle(view, at) <= safe_radius(view));
    steps.max_by_key(|&at| nearest(at)).map_or(Order::Nothing, move_to)
}
