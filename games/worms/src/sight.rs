//! What a house bot thinks about: the same whether it looks at a view or at a line of JSON.

use quintain_core::Seat;
use serde::Deserialize;

use crate::action::{Direction, Order};
use crate::cell::{Cell, Ground, MAP_SIZE_MAX, Terrain};
use crate::event::Missile;
use crate::map;
use crate::rules::{Deed, Echo, Pack, Selection};
use crate::view::{Side, View, WormView};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sight {
    pub seat: Seat,
    /// The round about to be played, from 1, and the last one.
    pub round: u32,
    pub rounds_max: i32,
    pub pushback_damage: i32,
    pub lava_damage: i32,
    pub do_nothings: i32,
    pub ground: Ground,
    pub packs: Vec<Pack>,
    /// In the order of their ids, the dead among them.
    pub own: Vec<Fighter>,
    pub enemies: Vec<Fighter>,
    /// The index of the own worm whose turn it is.
    pub active: usize,
    pub enemy_active: usize,
    pub tokens: i32,
    pub enemy_tokens: i32,
    pub score: i64,
    pub enemy_score: i64,
    /// What the enemy was heard to throw in the last round, whether or not its worm could.
    pub enemy_throw: Option<Missile>,
}

/// A worm. Of an enemy the weapons are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fighter {
    pub hp: i32,
    pub at: Cell,
    pub frozen: i32,
    pub shot: Option<Shot>,
    pub bananas: Option<Throw>,
    pub snowballs: Option<Throw>,
    pub digging_range: i32,
    pub movement_range: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shot {
    pub damage: i32,
    pub range: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Throw {
    /// For a snowball, the rounds that it freezes.
    pub damage: i32,
    pub range: i32,
    pub count: i32,
    pub radius: i32,
}

impl Fighter {
    pub(crate) fn is_alive(&self) -> bool {
        self.hp > 0
    }

    fn of_view(view: &View, worm: &WormView) -> Fighter {
        let class = view.class(worm);
        let shot = Shot { damage: class.weapon.damage, range: class.weapon.range };
        Fighter {
            hp: worm.hp,
            at: worm.at,
            frozen: worm.frozen,
            shot: worm.arsenal.map(|_| shot),
            bananas: worm.arsenal.zip(class.bananas).map(|(arsenal, bananas)| Throw {
                damage: bananas.damage,
                range: bananas.range,
                count: arsenal.bananas,
                radius: bananas.damage_radius,
            }),
            snowballs: worm.arsenal.zip(class.snowballs).map(|(arsenal, snowballs)| Throw {
                damage: snowballs.freeze_duration,
                range: snowballs.range,
                count: arsenal.snowballs,
                radius: snowballs.freeze_radius,
            }),
            digging_range: class.digging_range,
            movement_range: class.movement_range,
        }
    }
}

impl Sight {
    pub(crate) fn of_view(view: &View) -> Sight {
        let fighters = |worms: &[WormView]| -> Vec<Fighter> {
            worms.iter().map(|worm| Fighter::of_view(view, worm)).collect()
        };
        let active = |side: &Side| usize::from(side.active_id) - 1;
        Sight {
            seat: view.seat,
            round: view.round,
            rounds_max: view.config().max_rounds,
            pushback_damage: view.config().pushback_damage,
            lava_damage: view.config().lava_damage,
            do_nothings: view.do_nothings as i32,
            ground: view.ground.clone(),
            packs: in_rows(view.packs().to_vec()),
            own: fighters(view.own.worms()),
            enemies: fighters(view.opponent.worms()),
            active: active(&view.own),
            enemy_active: active(&view.opponent),
            tokens: view.own.tokens,
            enemy_tokens: view.opponent.tokens,
            score: view.own.score,
            enemy_score: view.opponent.score,
            enemy_throw: throw_of(&view.opponent.last),
        }
    }

    /// Reads `state.json`; `None` if it is not one.
    pub(crate) fn of_json(json: &str) -> Option<Sight> {
        let state: State = serde_json::from_str(json).ok()?;
        let size = u8::try_from(state.map.len()).ok()?;
        let is_square = state.map.iter().all(|row| row.len() == usize::from(size));
        if size == 0 || usize::from(size) > MAP_SIZE_MAX || !is_square {
            return None;
        }
        let mut ground = Ground::new(size);
        let mut packs = Vec::new();
        for cell in ground.cells() {
            let told = &state.map[usize::from(cell.y)][usize::from(cell.x)];
            let terrain = Terrain::ALL.into_iter().find(|terrain| terrain.name() == told.kind)?;
            ground.set(cell, terrain);
            if let Some(powerup) = &told.powerup {
                packs.push(Pack { at: cell, value: powerup.value });
            }
        }
        let fighters = |worms: &[Worm]| -> Option<Vec<Fighter>> {
            worms.iter().map(|worm| worm.to_fighter(size)).collect()
        };
        let (me, enemy) = (&state.my_player, state.opponents.first()?);
        Some(Sight {
            seat: Seat::BOTH.into_iter().find(|seat| seat.index() as i32 + 1 == me.id)?,
            round: state.current_round,
            rounds_max: state.max_rounds,
            pushback_damage: state.pushback_damage,
            lava_damage: state.lava_damage,
            do_nothings: state.consecutive_do_nothing_count,
            ground,
            packs,
            own: fighters(&me.worms)?,
            enemies: fighters(&enemy.worms)?,
            active: me.active()?,
            enemy_active: enemy.active()?,
            tokens: me.remaining_worm_selections,
            enemy_tokens: enemy.remaining_worm_selections,
            score: me.score,
            enemy_score: enemy.score,
            enemy_throw: throw_said(&enemy.previous_command),
        })
    }

    pub(crate) fn centre(&self) -> Cell {
        map::centre(self.ground.size())
    }

    /// The cell that is so many steps away, if it is on the map.
    pub(crate) fn beside(&self, from: Cell, (dx, dy): (i32, i32)) -> Option<Cell> {
        Cell::within(self.ground.size(), i32::from(from.x) + dx, i32::from(from.y) + dy)
    }

    pub(crate) fn neighbours(&self, from: Cell) -> impl Iterator<Item = Cell> {
        Direction::ALL.into_iter().filter_map(move |direction| self.beside(from, direction.step()))
    }

    pub(crate) fn is_occupied(&self, cell: Cell) -> bool {
        let mut worms = self.own.iter().chain(&self.enemies);
        worms.any(|worm| worm.is_alive() && worm.at == cell)
    }
}

/// Packs in the order in which the map of `state.json` has them.
fn in_rows(mut packs: Vec<Pack>) -> Vec<Pack> {
    packs.sort_by_key(|pack| (pack.at.y, pack.at.x));
    packs
}

/// A refused select hides what followed it.
fn throw_of(deed: &Deed) -> Option<Missile> {
    match (deed.selection(), deed.echo()) {
        (Selection::Refused, _) => None,
        (_, Echo::Order(Order::Banana { .. })) => Some(Missile::Banana),
        (_, Echo::Order(Order::Snowball { .. })) => Some(Missile::Snowball),
        _ => None,
    }
}

/// The same of the text in `previousCommand`: a select may stand before the command.
fn throw_said(command: &str) -> Option<Missile> {
    let command = match command.split_once("; ") {
        Some((select, rest)) if select.starts_with("select ") => rest,
        _ => command,
    };
    if command.starts_with("banana ") {
        Some(Missile::Banana)
    } else if command.starts_with("snowball ") {
        Some(Missile::Snowball)
    } else {
        None
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct State {
    current_round: u32,
    max_rounds: i32,
    pushback_damage: i32,
    lava_damage: i32,
    consecutive_do_nothing_count: i32,
    my_player: Player,
    opponents: Vec<Player>,
    map: Vec<Vec<Told>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Player {
    id: i32,
    score: i64,
    current_worm_id: i32,
    remaining_worm_selections: i32,
    previous_command: String,
    worms: Vec<Worm>,
}

impl Player {
    /// The index of the worm whose turn it is, if there is such a worm.
    fn active(&self) -> Option<usize> {
        let index = usize::try_from(self.current_worm_id).ok()?.checked_sub(1)?;
        (index < self.worms.len()).then_some(index)
    }
}

#[derive(Deserialize)]
struct Told {
    #[serde(rename = "type")]
    kind: String,
    powerup: Option<Powerup>,
}

#[derive(Deserialize)]
struct Powerup {
    value: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Worm {
    health: i32,
    position: Position,
    weapon: Option<Weapon>,
    banana_bombs: Option<Bananas>,
    snowballs: Option<Snowballs>,
    digging_range: i32,
    movement_range: i32,
    rounds_until_unfrozen: i32,
}

#[derive(Deserialize)]
struct Position {
    x: i32,
    y: i32,
}

#[derive(Deserialize)]
struct Weapon {
    damage: i32,
    range: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bananas {
    damage: i32,
    range: i32,
    count: i32,
    damage_radius: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Snowballs {
    freeze_duration: i32,
    range: i32,
    count: i32,
    freeze_radius: i32,
}

impl Worm {
    fn to_fighter(&self, size: u8) -> Option<Fighter> {
        Some(Fighter {
            hp: self.health,
            at: Cell::within(size, self.position.x, self.position.y)?,
            frozen: self.rounds_until_unfrozen,
            shot: self.weapon.as_ref().map(|it| Shot { damage: it.damage, range: it.range }),
            bananas: self.banana_bombs.as_ref().map(|it| Throw {
                damage: it.damage,
                range: it.range,
                count: it.count,
                radius: it.damage_radius,
            }),
            snowballs: self.snowballs.as_ref().map(|it| Throw {
                damage: it.freeze_duration,
                range: it.range,
                count: it.count,
                radius: it.freeze_radius,
            }),
            digging_range: self.digging_range,
            movement_range: self.movement_range,
        })
    }
}
