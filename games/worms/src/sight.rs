//! What a house bot thinks about: the same whether it looks at a view or at a line of JSON.

use serde::Deserialize;

use crate::action::Direction;
use crate::cell::{Cell, Ground, MAP_SIZE_MAX, Terrain};
use crate::map;
use crate::view::{View, WormView};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sight {
    pub ground: Ground,
    pub packs: Vec<Cell>,
    /// In the order of their ids, the dead among them.
    pub own: Vec<Fighter>,
    pub enemies: Vec<Fighter>,
    /// The index of the own worm whose turn it is.
    pub active: usize,
    pub tokens: i32,
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
    /// Of no meaning for a snowball.
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
                damage: 0,
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
        Sight {
            ground: view.ground.clone(),
            packs: view.packs().iter().map(|pack| pack.at).collect(),
            own: fighters(view.own.worms()),
            enemies: fighters(view.opponent.worms()),
            active: usize::from(view.own.active_id) - 1,
            tokens: view.own.tokens,
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
            if told.powerup.is_some() {
                packs.push(cell);
            }
        }
        let fighters = |worms: &[Worm]| -> Option<Vec<Fighter>> {
            worms.iter().map(|worm| worm.to_fighter(size)).collect()
        };
        let own = fighters(&state.my_player.worms)?;
        let active = usize::try_from(state.current_worm_id).ok()?.checked_sub(1)?;
        (active < own.len()).then_some(Sight {
            ground,
            packs,
            own,
            enemies: fighters(&state.opponents.first()?.worms)?,
            active,
            tokens: state.my_player.remaining_worm_selections,
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct State {
    current_worm_id: i32,
    my_player: Player,
    opponents: Vec<Opponent>,
    map: Vec<Vec<Told>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Player {
    remaining_worm_selections: i32,
    worms: Vec<Worm>,
}

#[derive(Deserialize)]
struct Opponent {
    worms: Vec<Worm>,
}

#[derive(Deserialize)]
struct Told {
    #[serde(rename = "type")]
    kind: String,
    powerup: Option<serde::de::IgnoredAny>,
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
                damage: 0,
                range: it.range,
                count: it.count,
                radius: it.freeze_radius,
            }),
            digging_range: self.digging_range,
            movement_range: self.movement_range,
        })
    }
}
