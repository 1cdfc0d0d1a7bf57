//! What a player could do in a round: the commands that a search looks at, and how promising each looks
//! at first sight.

use quintain_core::Seat;

use crate::action::{Action, Direction, Order};
use crate::cell::{Cell, Terrain};
use crate::edition::Frozen;
use crate::field::Arms;
use crate::house::{dig, move_to};
use crate::rules::{Worm, Worms};

/// A command in a few bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The index of the worm that carries it out.
    pub worm: u8,
    /// Whether that worm must be selected.
    pub is_selected: bool,
    pub deed: Deed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Move(Cell),
    Dig(Cell),
    Banana(Cell),
    Snowball(Cell),
    Shoot(Direction),
}

impl Choice {
    #[inline]
    pub(super) fn to_action(self) -> Action {
        let place = |at: Cell| (i32::from(at.x), i32::from(at.y));
        let order = match self.deed {
            Deed::Move(at) => move_to(at),
            Deed::Dig(at) => dig(at),
            Deed::Banana(at) => {
                let (x, y) = place(at);
                Order::Banana { x, y }
            }
            Deed::Snowball(at) => {
                let (x, y) = place(at);
                Order::Snowball { x, y }
            }
            Deed::Shoot(direction) => Order::Shoot(direction),
        };
        let select = self.is_selected.then_some(i32::from(self.worm) + 1);
        Action { select, ..Action::of(order) }
    }
}

/// A command that is tried, and what came of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub choice: Choice,
    /// The share of tries that it looks worth before there were any.
    pub prior: f32,
    pub visits: u32,
    pub total: f32,
}

/// What things look worth at first sight, in points.
const STEP_WORTH: f32 = 5.0;
const DIG_WORTH: f32 = 7.0;
const LAVA_WORTH: f32 = 1.0;
const IDLE_WORTH: f32 = 2.0;
const DAMAGE_WORTH: f32 = 4.0;
const KILL_WORTH: f32 = 40.0;
const FREEZE_WORTH: f32 = 20.0;
const DIRT_WORTH: f32 = 7.0;
/// What a banana, a snowball and a token look worth while they are kept.
const BANANA_KEPT: f32 = 55.0;
const SNOWBALL_KEPT: f32 = 12.0;
const TOKEN_KEPT: f32 = 8.0;
/// No command looks worth less than this share of a step.
const WORTH_MIN: f32 = 1.0;
/// Bananas for dirt need so much of it.
const DIRT_MIN: u32 = 10;
/// How many targets of each kind of throw are tried.
const BLASTS_MAX: usize = 4;
const DIRT_BLASTS_MAX: usize = 2;
const FREEZES_MAX: usize = 3;
/// Throws are looked at up to here, however far they would fly.
const REACH_MAX: i32 = 8;

/// The cells of a banana of radius 2, row by row: bits from the left end of its widest row.
const BLAST_ROWS: [u64; 5] = [0b00100, 0b01110, 0b11111, 0b01110, 0b00100];

/// Whether the worm will not hear in the next round.
#[inline]
pub(super) fn is_deaf(game: &Worms, worm: &Worm) -> bool {
    match game.field().switches.frozen {
        Frozen::FiveRounds => worm.frozen > 0,
        Frozen::FourRounds => worm.frozen > 1,
    }
}

#[inline]
pub(super) fn arms_of(game: &Worms, worm: usize) -> &Arms {
    let field = game.field();
    &field.arms[usize::from(field.class_of[worm]) % 3]
}

/// Whether nobody stands in the cell.
#[inline]
pub(super) fn is_free(game: &Worms, cell: Cell) -> bool {
    let stands = |worm: &Worm| worm.is_on_map && worm.at == cell;
    !game.players().iter().any(|(_, player)| player.worms().iter().any(stands))
}

/// The direction in which a shot hits whoever stands in a cell, if it gets there.
#[inline]
pub(super) fn line_of_fire(game: &Worms, worm: usize, from: Cell, to: Cell) -> Option<Direction> {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let is_straight = dx == 0 || dy == 0;
    if !is_straight && dx.abs() != dy.abs() || (dx, dy) == (0, 0) {
        return None;
    }
    let steps = dx.abs().max(dy.abs());
    if steps > i32::from(arms_of(game, worm).shot_steps[usize::from(!is_straight)]) {
        return None;
    }
    let step = (dx.signum(), dy.signum());
    let direction = Direction::ALL.into_iter().find(|direction| direction.step() == step)?;
    for far in 1..steps {
        let x = (i32::from(from.x) + step.0 * far) as u8;
        let y = (i32::from(from.y) + step.1 * far) as u8;
        let cell = Cell { x, y };
        if !game.ground().at(cell).is_open() || !is_free(game, cell) {
            return None;
        }
    }
    Some(direction)
}

/// The cell beside another, if it is on the map.
#[inline]
pub(super) fn beside(game: &Worms, from: Cell, direction: Direction) -> Option<Cell> {
    let (dx, dy) = direction.step();
    Cell::within(game.ground().size(), i32::from(from.x) + dx, i32::from(from.y) + dy)
}

/// The commands of a player that are looked at.
pub(super) struct Choices<'a> {
    game: &'a Worms,
    seat: Seat,
    arms: &'a mut Vec<Arm>,
}

impl<'a> Choices<'a> {
    /// Adds a player's commands to `arms`: at least one, with priors that sum up to 1. `is_whole`: also
    /// steps that are worth a token only now and then.
    pub(super) fn list(game: &'a Worms, seat: Seat, is_whole: bool, arms: &'a mut Vec<Arm>) {
        let start = arms.len();
        let mut choices = Choices { game, seat, arms };
        let player = &game.players()[seat];
        let active = usize::from(player.active);
        let is_idle = is_deaf(game, &player.worms()[active]);
        if !is_idle {
            choices.attacks(active, false);
            choices.steps(active, 0.0);
        }
        if player.tokens > 0 {
            choices.selected(active, is_whole || is_idle);
        }
        if choices.arms.len() == start {
            let deed = Deed::Shoot(Direction::N);
            choices.push(active, IDLE_WORTH, deed);
        }
        let sum: f32 = arms[start..].iter().map(|arm| arm.prior).sum();
        for arm in &mut arms[start..] {
            arm.prior /= sum;
        }
    }

    /// What worms could do whose turn it is not.
    fn selected(&mut self, active: usize, has_steps: bool) {
        let (game, seat) = (self.game, self.seat);
        for (index, worm) in game.players()[seat].worms().iter().enumerate() {
            if index == active || !worm.is_alive() || is_deaf(game, worm) {
                continue;
            }
            self.attacks(index, true);
            if has_steps && self.is_under_fire(worm.at) {
                self.steps(index, TOKEN_KEPT);
            }
        }
    }

    /// Whether the enemy's worm whose turn it is can hit the cell.
    fn is_under_fire(&self, at: Cell) -> bool {
        let enemy = &self.game.players()[self.seat.other()];
        let shooter = &enemy.worms()[usize::from(enemy.active)];
        !is_deaf(self.game, shooter)
            && line_of_fire(self.game, usize::from(enemy.active), shooter.at, at).is_some()
    }

    fn push(&mut self, worm: usize, worth: f32, deed: Deed) {
        let is_selected = worm != usize::from(self.game.players()[self.seat].active);
        let choice = Choice { worm: worm as u8, is_selected, deed };
        let prior = if worth > WORTH_MIN { worth } else { WORTH_MIN };
        self.arms.push(Arm { choice, prior, visits: 0, total: 0.0 });
    }

    /// Steps and digs.
    fn steps(&mut self, worm: usize, cost: f32) {
        let game = self.game;
        let at = game.players()[self.seat].worms()[worm].at;
        let arms = arms_of(game, worm);
        for direction in Direction::ALL {
            let Some(cell) = beside(game, at, direction) else {
                continue;
            };
            match game.ground().at(cell) {
                Terrain::DeepSpace => {}
                Terrain::Dirt if arms.digging_range > 0 => {
                    self.push(worm, DIG_WORTH - cost, Deed::Dig(cell));
                }
                Terrain::Dirt => {}
                terrain => {
                    let worth = if terrain == Terrain::Lava { LAVA_WORTH } else { STEP_WORTH };
                    if arms.movement_range > 0 && is_free(game, cell) {
                        self.push(worm, worth - cost, Deed::Move(cell));
                    }
                }
            }
        }
    }

    fn attacks(&mut self, worm: usize, is_selected: bool) {
        let game = self.game;
        let cost = if is_selected { TOKEN_KEPT } else { 0.0 };
        let fighter = &game.players()[self.seat].worms()[worm];
        let damage = arms_of(game, worm).shot_damage;
        for enemy in game.players()[self.seat.other()].worms() {
            if !enemy.is_alive() {
                continue;
            }
            if let Some(direction) = line_of_fire(game, worm, fighter.at, enemy.at) {
                let worth = damage_worth(enemy, damage) - cost;
                self.push(worm, worth, Deed::Shoot(direction));
            }
        }
        if fighter.bananas > 0 {
            self.bananas(worm, fighter.at, cost + BANANA_KEPT, is_selected);
        }
        if fighter.snowballs > 0 {
            self.snowballs(worm, fighter.at, cost + SNOWBALL_KEPT);
        }
    }

    /// The best targets among worms, and the best among dirt.
    fn bananas(&mut self, worm: usize, from: Cell, cost: f32, is_selected: bool) {
        let game = self.game;
        let arms = arms_of(game, worm);
        let mut blasts = Best::<BLASTS_MAX>::default();
        let mut dirt_blasts = Best::<DIRT_BLASTS_MAX>::default();
        let is_near = self.is_enemy_within(from, arms.banana_range + arms.banana_radius);
        if !is_near && is_selected {
            return;
        }
        for at in targets(game, from, arms.banana_range) {
            let dirt = dirt_around(game, at);
            let gain = if is_near { self.blast_worth(arms, at) } else { 0.0 };
            if gain > 0.0 {
                blasts.offer(gain + DIRT_WORTH * dirt as f32, at);
            } else if gain == 0.0 && dirt >= DIRT_MIN {
                dirt_blasts.offer(DIRT_WORTH * dirt as f32, at);
            }
        }
        let dirt_blasts = if is_selected { &[] } else { dirt_blasts.as_slice() };
        for &(gain, at) in blasts.as_slice().iter().chain(dirt_blasts) {
            self.push(worm, gain - cost, Deed::Banana(at));
        }
    }

    fn is_enemy_within(&self, from: Cell, range: i32) -> bool {
        let mut enemies = self.game.players()[self.seat.other()].worms().iter();
        enemies.any(|enemy| enemy.is_alive() && from.is_in_range(enemy.at, range))
    }

    fn blast_worth(&self, arms: &Arms, at: Cell) -> f32 {
        let mut gain = 0.0;
        for (seat, player) in self.game.players().iter() {
            for victim in player.worms().iter().filter(|worm| worm.is_alive()) {
                if let Some(damage) = arms.blast(at.square_to(victim.at)) {
                    let worth = damage_worth(victim, damage);
                    gain += if seat == self.seat { -worth } else { worth };
                }
            }
        }
        gain
    }

    fn snowballs(&mut self, worm: usize, from: Cell, cost: f32) {
        let game = self.game;
        let arms = arms_of(game, worm);
        if !self.is_enemy_within(from, arms.snowball_range + 2 * i32::from(arms.freeze_radius)) {
            return;
        }
        let mut best = Best::<FREEZES_MAX>::default();
        for at in targets(game, from, arms.snowball_range) {
            let mut gain = 0.0;
            for (seat, player) in game.players().iter() {
                for victim in player.worms().iter().filter(|worm| worm.is_alive()) {
                    if victim.at.steps_to(at) > arms.freeze_radius {
                        continue;
                    }
                    // Nobody is frozen twice for the points alone, and a hit in the middle is safer
                    // against a step aside.
                    let is_sure = if victim.at == at { 1.0 } else { 0.0 };
                    let fresh = if victim.frozen > 1 { 0.5 } else { 1.0 };
                    let worth = FREEZE_WORTH * fresh + is_sure;
                    gain += if seat == self.seat { -3.0 * worth } else { worth };
                }
            }
            if gain > 0.0 {
                best.offer(gain, at);
            }
        }
        for &(gain, at) in best.as_slice() {
            self.push(worm, gain - cost, Deed::Snowball(at));
        }
    }
}

/// What damage to a worm looks worth.
fn damage_worth(worm: &Worm, damage: i32) -> f32 {
    let kill = if damage >= worm.hp { KILL_WORTH } else { 0.0 };
    DAMAGE_WORTH * damage as f32 + kill
}

/// The cells that a throw reaches, but for deep space.
fn targets(game: &Worms, from: Cell, range: i32) -> impl Iterator<Item = Cell> + use<'_> {
    let size = game.ground().size();
    let reach = range.min(REACH_MAX);
    let rows = (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| (dx, dy)));
    let cells = rows.filter_map(move |(dx, dy)| {
        Cell::within(size, i32::from(from.x) + dx, i32::from(from.y) + dy)
    });
    cells.filter(move |&at| {
        from.is_in_range(at, range) && game.ground().at(at) != Terrain::DeepSpace
    })
}

/// How much dirt a banana of the usual radius destroys.
fn dirt_around(game: &Worms, at: Cell) -> u32 {
    let ground = game.ground();
    let mut count = 0;
    for (dy, bits) in (-2..=2).zip(BLAST_ROWS) {
        let y = i32::from(at.y) + dy;
        if y < 0 || y >= i32::from(ground.size()) {
            continue;
        }
        let (open, full) = ground.row(y as u8);
        let bits = if at.x >= 2 { bits << (at.x - 2) } else { bits >> (2 - at.x) };
        count += (full & !open & bits).count_ones();
    }
    count
}

/// The most valuable targets of a throw, the best first; earlier ones before later ones of equal value.
struct Best<const MAX: usize> {
    all: [(f32, Cell); MAX],
    count: usize,
}

impl<const MAX: usize> Default for Best<MAX> {
    fn default() -> Self {
        Best { all: [(0.0, Cell::new(0, 0)); MAX], count: 0 }
    }
}

impl<const MAX: usize> Best<MAX> {
    fn offer(&mut self, worth: f32, at: Cell) {
        let place = self.as_slice().iter().take_while(|(better, _)| *better >= worth).count();
        if place == MAX {
            return;
        }
        self.count = (self.count + 1).min(MAX);
        self.all[place..self.count].rotate_right(1);
        self.all[place] = (worth, at);
    }

    fn as_slice(&self) -> &[(f32, Cell)] {
        &self.all[..self.count]
    }
}
