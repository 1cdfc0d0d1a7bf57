//! The bot with a plan: attack what is within reach, otherwise to the middle of the map, which is the
//! last place that lava leaves free, and from there towards the enemy.

use crate::action::{Action, Direction, Order};
use crate::cell::{Cell, Terrain};
use crate::house::paths::Costs;
use crate::house::{can_dig, can_step, dig, move_to};
use crate::sight::{Fighter, Sight};

/// What damage is worth for each point, and a kill on top of it. Own worms count more: to lose one is
/// to lose a turn in three.
const DAMAGE_WORTH: i32 = 2;
const OWN_DAMAGE_WORTH: i32 = 5;
const KILL_WORTH: i32 = 40;
const DIRT_WORTH: i32 = 1;
const FREEZE_WORTH: i32 = 17;
const OWN_FREEZE_WORTH: i32 = 60;
/// A banana is kept for something better than a shot, a snowball for two enemies or one nearby.
const BANANA_KEPT_FOR: i32 = 24;
const SNOWBALL_KEPT_FOR: i32 = 10;
/// How much better another worm's attack must be to spend a token on it.
const TOKEN_WORTH: i32 = 24;
/// A pack is fetched if it is not further away.
const PACK_COST_MAX: u32 = 24;
/// Near enough to the middle to look for enemies.
const MIDDLE_COST_MAX: u32 = 8;
/// How far from the middle an enemy is hunted.
const HUNT_COST_MAX: u32 = 24;
/// A worm in lava acts only for more than this.
const LAVA_WORTH: i32 = 40;

/// A command and what it is worth.
type Idea = (i32, Order);

pub(super) fn decide(sight: &Sight) -> Action {
    let own = attack(sight, sight.active);
    if let Some((worm, order)) = selected_attack(sight, &own) {
        return Action { select: Some(worm as i32 + 1), ..Action::of(order) };
    }
    let worm = &sight.own[sight.active];
    let is_in_lava = sight.ground.at(worm.at) == Terrain::Lava;
    match own {
        Some((worth, order)) if !is_in_lava || worth > LAVA_WORTH => Action::of(order),
        own => {
            let walk = walk(sight, worm);
            let order = walk.or(own.map(|(_, order)| order));
            Action::of(order.unwrap_or(Order::Shoot(Direction::N)))
        }
    }
}

/// The attack of a worm whose turn it is not, if it is worth a token.
fn selected_attack(sight: &Sight, own: &Option<Idea>) -> Option<(usize, Order)> {
    if sight.tokens <= 0 {
        return None;
    }
    // A frozen worm does nothing, whatever it is told.
    let is_frozen = sight.own[sight.active].frozen > 0;
    let own_worth = own.as_ref().filter(|_| !is_frozen).map_or(0, |(worth, _)| *worth);
    let others = (0..sight.own.len()).filter(|&index| {
        let worm = &sight.own[index];
        index != sight.active && worm.is_alive() && worm.frozen == 0
    });
    let ideas = others.filter_map(|index| Some((index, attack(sight, index)?)));
    let (index, (worth, order)) = ideas.max_by_key(|(_, (worth, _))| *worth)?;
    (worth > own_worth + TOKEN_WORTH).then_some((index, order))
}

/// The best attack of a worm, if there is one.
fn attack(sight: &Sight, index: usize) -> Option<Idea> {
    let worm = &sight.own[index];
    let shot = Direction::ALL.into_iter().filter_map(|direction| {
        let worth = shot_worth(sight, worm, direction)?;
        Some((worth, Order::Shoot(direction)))
    });
    let shot = shot.max_by_key(|(worth, _)| *worth);
    let banana = best_target(sight, worm.at, worm.bananas.map(|it| (it.range, it.count)), |at| {
        banana_worth(sight, worm, at)
    });
    let snowball =
        best_target(sight, worm.at, worm.snowballs.map(|it| (it.range, it.count)), |at| {
            snowball_worth(sight, worm, at)
        });
    let banana = banana.filter(|(worth, _)| *worth > BANANA_KEPT_FOR);
    let snowball = snowball.filter(|(worth, _)| *worth > SNOWBALL_KEPT_FOR);
    let banana = banana.map(|(worth, (x, y))| (worth, Order::Banana { x, y }));
    let snowball = snowball.map(|(worth, (x, y))| (worth, Order::Snowball { x, y }));
    [shot, banana, snowball].into_iter().flatten().max_by_key(|(worth, _)| *worth)
}

fn damage_worth(worm: &Fighter, damage: i32) -> i32 {
    let kill = if damage >= worm.hp { KILL_WORTH } else { 0 };
    damage * DAMAGE_WORTH + kill
}

/// `None` if the shot hits no enemy first.
fn shot_worth(sight: &Sight, worm: &Fighter, direction: Direction) -> Option<i32> {
    let shot = worm.shot?;
    let mut at = worm.at;
    loop {
        at = sight.beside(at, direction.step())?;
        if !worm.at.is_in_range(at, shot.range) || !sight.ground.at(at).is_open() {
            return None;
        }
        let stands = |worm: &&Fighter| worm.is_alive() && worm.at == at;
        if let Some(enemy) = sight.enemies.iter().find(stands) {
            return Some(damage_worth(enemy, shot.damage));
        }
        if sight.own.iter().any(|worm| stands(&worm)) {
            return None;
        }
    }
}

/// The most valuable target of a throw, if there is one of any value.
fn best_target(
    sight: &Sight,
    from: Cell,
    throw: Option<(i32, i32)>,
    worth: impl Fn(Cell) -> i32,
) -> Option<(i32, (i32, i32))> {
    let (range, _) = throw.filter(|&(_, count)| count > 0)?;
    let size = i32::from(sight.ground.size());
    let reach = range.min(size);
    let offsets = (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy)));
    let cells = offsets.filter_map(|offset| sight.beside(from, offset));
    let targets = cells
        .filter(|&at| from.is_in_range(at, range) && sight.ground.at(at) != Terrain::DeepSpace);
    let valued = targets.map(|at| (worth(at), (i32::from(at.x), i32::from(at.y))));
    valued.max().filter(|(worth, _)| *worth > 0)
}

fn banana_worth(sight: &Sight, worm: &Fighter, at: Cell) -> i32 {
    let Some(bananas) = worm.bananas else {
        return 0;
    };
    let damage = |victim: &Fighter| {
        let square = at.square_to(victim.at) as i32;
        let distance = f64::from(square).sqrt();
        let reach = f64::from(bananas.radius + 1);
        let is_reached = victim.is_alive() && square <= bananas.radius * bananas.radius;
        let damage = f64::from(bananas.damage) * (reach - distance) / reach;
        is_reached.then_some(damage.round() as i32)
    };
    let gain = |enemy| damage(enemy).map_or(0, |damage| damage_worth(enemy, damage));
    let gain: i32 = sight.enemies.iter().map(gain).sum();
    if gain == 0 {
        return 0;
    }
    let loss: i32 = sight.own.iter().filter_map(damage).map(|it| it * OWN_DAMAGE_WORTH).sum();
    let dirt = sight.neighbours(at).filter(|&cell| sight.ground.at(cell) == Terrain::Dirt);
    gain - loss + dirt.count() as i32 * DIRT_WORTH
}

/// Only enemies that can still act are worth it.
fn snowball_worth(sight: &Sight, worm: &Fighter, at: Cell) -> i32 {
    let Some(snowballs) = worm.snowballs else {
        return 0;
    };
    let is_hit =
        |worm: &&Fighter| worm.is_alive() && i32::from(at.steps_to(worm.at)) <= snowballs.radius;
    let enemies = sight.enemies.iter().filter(is_hit).filter(|worm| worm.frozen <= 1).count();
    let own = sight.own.iter().filter(is_hit).count();
    enemies as i32 * FREEZE_WORTH - own as i32 * OWN_FREEZE_WORTH
}

/// A step, or a dig for the next step, on the way to wherever is best.
fn walk(sight: &Sight, worm: &Fighter) -> Option<Order> {
    let to_middle = Costs::to(sight, sight.centre());
    let near_pack = sight.packs.iter().map(|pack| Costs::to(sight, pack.at));
    let near_pack =
        near_pack.filter(|costs| costs.from(worm.at).is_some_and(|it| it <= PACK_COST_MAX));
    let near_pack = near_pack.min_by_key(|costs| costs.from(worm.at));
    let is_in_middle = to_middle.from(worm.at).is_some_and(|cost| cost <= MIDDLE_COST_MAX);
    let costs = match near_pack {
        Some(costs) => costs,
        None if is_in_middle => prey(sight, worm, &to_middle).unwrap_or(to_middle),
        None => to_middle,
    };
    let next = costs.next(sight, worm.at).and_then(|cell| step_or_dig(sight, worm, cell));
    next.or_else(|| busy_work(sight, worm))
}

/// The way to the nearest enemy, if it can be reached without leaving the middle too far behind.
fn prey(sight: &Sight, worm: &Fighter, to_middle: &Costs) -> Option<Costs> {
    let living = sight.enemies.iter().filter(|enemy| enemy.is_alive());
    let near =
        living.filter(|enemy| to_middle.from(enemy.at).is_some_and(|cost| cost <= HUNT_COST_MAX));
    let enemy = near.min_by_key(|enemy| worm.at.square_to(enemy.at))?;
    Some(Costs::to(sight, enemy.at))
}

fn step_or_dig(sight: &Sight, worm: &Fighter, cell: Cell) -> Option<Order> {
    if can_step(sight, worm, cell) {
        Some(move_to(cell))
    } else {
        can_dig(sight, worm, cell).then(|| dig(cell))
    }
}

/// Points for digging or walking where nothing better is to do; never into lava.
fn busy_work(sight: &Sight, worm: &Fighter) -> Option<Order> {
    let dirt = sight.neighbours(worm.at).find(|&cell| can_dig(sight, worm, cell));
    let is_air = |cell: &Cell| sight.ground.at(*cell) == Terrain::Air;
    let mut air = sight.neighbours(worm.at).filter(is_air);
    let step = air.find(|&cell| can_step(sight, worm, cell));
    dirt.map(dig).or(step.map(move_to))
}
