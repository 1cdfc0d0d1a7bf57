//! When knights are trained: plans to save gold and to spend it are played out, and the best one counts.

use quintain_core::{Game, Seat};

use super::beam::{mend, play};
use super::budget::Budget;
use super::{distance, walk};
use crate::rules::QUEEN_RADIUS;
use crate::{Action, CodeRoyale, Command, CreepKind, Point, Structure, TURNS_MAX, Works};

/// Turns that a plan is played out for.
const HORIZON: u32 = 40;
/// The gold at which a plan begins to spend; it ends when there is none for knights.
const STARTS: [i32; 5] = [80, 160, 240, 320, 480];
/// The part of all nodes that may be used for plans.
const NODES_SHARE: u64 = 4;
/// In so many turns the worth of damage is halved: later is worse.
const PATIENCE: f64 = 60.0;
/// What the gold of a training is worth at the end, in health of the enemy's queen.
const GOLD_KEPT: f64 = 1.5;
/// A dead queen.
const KILL: f64 = 100.0;
/// A queen flees from knights as near as this.
const FRIGHT: f64 = 350.0;
/// How far behind a tower she hides.
const HIDING: f64 = 130.0;

/// Whether gold is being spent or saved.
#[derive(Default)]
pub(super) struct Waves {
    is_spending: bool,
}

impl Waves {
    /// The barracks that train now.
    pub(super) fn choose(
        &mut self,
        game: &CodeRoyale,
        seat: Seat,
        budget: &mut Budget<'_, '_>,
    ) -> Vec<i32> {
        let gold = game.players()[seat].gold;
        if gold < CreepKind::Knight.stats().cost {
            self.is_spending = false;
        }
        let now = trainings(game, seat);
        if now.is_empty() {
            return now;
        }
        if !self.is_spending {
            // Without mines there is always gold again soon, and a queen who is never let alone builds nothing.
            self.is_spending = !game.league().has_mines() || best_start(game, seat, budget) <= gold;
        }
        if self.is_spending { now } else { Vec::new() }
    }
}

/// The gold at which it is best to begin to spend.
fn best_start(game: &CodeRoyale, seat: Seat, budget: &mut Budget<'_, '_>) -> i32 {
    let affordable = budget.nodes_max() / NODES_SHARE / u64::from(HORIZON);
    let count = STARTS.len().min(affordable as usize).max(1);
    let mut best = (STARTS[0], f64::NEG_INFINITY);
    if count == 1 {
        return best.0;
    }
    for &start in &STARTS[..count] {
        let value = play_out(game, seat, start, budget);
        if value > best.1 {
            best = (start, value);
        }
    }
    best.0
}

/// What a plan does to the enemy's queen, who hides as well as she can.
fn play_out(game: &CodeRoyale, seat: Seat, start: i32, budget: &mut Budget<'_, '_>) -> f64 {
    let mut game = game.clone();
    let (mut is_spending, mut value) = (false, 0.0);
    for turn in 0..HORIZON {
        let gold = game.players()[seat].gold;
        is_spending = gold >= start || is_spending && gold >= CreepKind::Knight.stats().cost;
        let train = if is_spending { trainings(&game, seat) } else { Vec::new() };
        let own = Action::new(mend(&game, seat), &train);
        let enemy = Action::new(hide(&game, seat.other()), &[]);
        let before = game.players()[seat.other()].hp;
        game = play(&game, seat, own, enemy, budget);
        let lost = before - game.players()[seat.other()].hp;
        value += f64::from(lost) * PATIENCE / (PATIENCE + f64::from(turn));
        if game.outcome().is_some() {
            break;
        }
    }
    let enemy_hp = game.players()[seat.other()].hp;
    if enemy_hp == 0 {
        value += KILL;
    }
    let is_late = game.turn() + HORIZON / 2 > TURNS_MAX;
    let gold = f64::from(game.players()[seat].gold) / f64::from(CreepKind::Knight.stats().cost);
    if is_late { value } else { value + gold * GOLD_KEPT }
}

/// Knights from the barracks nearest to the enemy's queen on, as many as the gold allows.
fn trainings(game: &CodeRoyale, seat: Seat) -> Vec<i32> {
    let cost = CreepKind::Knight.stats().cost;
    let affordable = game.players()[seat].gold / cost;
    let mut sites = Vec::new();
    if affordable == 0 {
        return sites;
    }
    for (site, plot) in game.plots().iter().enumerate() {
        if let Some(Structure { owner, works }) = plot.structure
            && owner == seat
            && works == (Works::Barracks { creep: CreepKind::Knight, training: None })
        {
            sites.push(site as i32);
        }
    }
    let queen = game.players()[seat.other()].queen;
    let way = |site: i32| distance(game.field().sites()[site as usize].place, queen);
    sites.sort_by(|&one, &other| way(one).total_cmp(&way(other)));
    sites.truncate(affordable as usize);
    sites
}

/// Away from the knights, behind the nearest tower if there is one.
fn hide(game: &CodeRoyale, seat: Seat) -> Command {
    let queen = game.players()[seat].queen;
    let knights = game.creeps()[seat.other()].as_slice().iter();
    let near = knights
        .filter(|creep| creep.kind == CreepKind::Knight && creep.place.is_within(queen, FRIGHT))
        .min_by(|one, other| {
            let way = |place: Point| place.squared_distance(queen);
            way(one.place).total_cmp(&way(other.place))
        });
    let Some(knight) = near else {
        return mend(game, seat);
    };
    let towers = game.field().sites().iter().zip(game.plots()).filter(|(_, plot)| {
        plot.structure
            .is_some_and(|structure| structure.owner == seat && structure.works.is_tower())
    });
    let nearest = towers.min_by(|(one, _), (other, _)| {
        let way = |place: Point| place.squared_distance(queen);
        way(one.place).total_cmp(&way(other.place))
    });
    let goal = match nearest {
        Some((site, _)) => site.place.plus(site.place.minus(knight.place).resized(HIDING)),
        None => queen.plus(queen.minus(knight.place).resized(HIDING)),
    };
    walk(goal.clamped(QUEEN_RADIUS).rounded())
}
