//! What a bot that searches makes of what it sees: a position that can be played on. What is hidden from
//! it, it fills in from what it has seen before.

use quintain_core::{Edition, Game, PerSeat};

use crate::cell::Terrain;
use crate::config::{Bananas, Config, GameConfig, Snowballs, Weapon, WormClass};
use crate::event::Missile;
use crate::rules::Worms;
use crate::setup::{PackSetup, PlayerSetup, Setup, WormSetup};
use crate::sight::{Fighter, Sight};

/// The agent's and the technologist's place among the worms.
const AGENT: usize = 1;
const TECHNOLOGIST: usize = 2;

/// What was seen of the match so far.
pub(super) struct Memory {
    /// The document's, until lava is seen where that has none.
    edition: Edition,
    /// The bananas and snowballs that we had when first asked: the enemy had as many.
    stock: Option<[i32; 2]>,
    /// What the enemy has thrown of them.
    thrown: [i32; 2],
    /// The enemy's worms as they were in the round before.
    enemies: Vec<Fighter>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { edition: Edition::Document, stock: None, thrown: [0; 2], enemies: Vec::new() }
    }

    /// The position that is seen; `None` if its worms are not the usual three.
    pub(super) fn position(&mut self, sight: &Sight) -> Option<Worms> {
        let counts = throws(&sight.own).filter(|_| sight.enemies.len() == sight.own.len())?;
        let stock = *self.stock.get_or_insert(counts);
        self.count_throw(sight);
        let left = [0, 1].map(|kind| stock[kind].saturating_sub(self.thrown[kind]).max(0));
        let setup = setup(sight, counts, left);
        let game = start(self.edition, sight, setup.clone())?;
        if self.edition == Edition::Document && has_more_lava(&game, sight) {
            self.edition = Edition::Original;
            return start(self.edition, sight, setup);
        }
        Some(game)
    }

    /// A frozen worm is heard to throw, but does not.
    fn count_throw(&mut self, sight: &Sight) {
        let deaf_from = if self.edition == Edition::Document { 1 } else { 2 };
        let (kind, thrower) = match sight.enemy_throw {
            Some(Missile::Banana) => (0, AGENT),
            Some(Missile::Snowball) => (1, TECHNOLOGIST),
            None => (0, usize::MAX),
        };
        if self.enemies.get(thrower).is_some_and(|worm| worm.frozen < deaf_from) {
            self.thrown[kind] += 1;
        }
        self.enemies.clone_from(&sight.enemies);
    }
}

/// How many bananas and snowballs a side has, if it has the usual three worms.
fn throws(worms: &[Fighter]) -> Option<[i32; 2]> {
    let [commando, agent, technologist] = worms else {
        return None;
    };
    let is_usual = commando.bananas.or(commando.snowballs).is_none()
        && agent.snowballs.or(technologist.bananas).is_none();
    is_usual.then_some([agent.bananas?.count, technologist.snowballs?.count])
}

fn start(edition: Edition, sight: &Sight, setup: Setup) -> Option<Worms> {
    let config = Config { edition, game: config(sight)?, ..Config::default() };
    Worms::new(&config, setup).ok()
}

/// The usual numbers, but for those that are told.
fn config(sight: &Sight) -> Option<GameConfig> {
    let usual = GameConfig::default();
    let class = |usual: &WormClass, worm: &Fighter| {
        let shot = worm.shot?;
        Some(WormClass {
            movement_range: worm.movement_range,
            digging_range: worm.digging_range,
            weapon: Weapon { damage: shot.damage, range: shot.range },
            bananas: worm.bananas.map(|it| Bananas {
                damage: it.damage,
                range: it.range,
                count: it.count,
                damage_radius: it.radius,
            }),
            snowballs: worm.snowballs.map(|it| Snowballs {
                freeze_duration: it.damage,
                range: it.range,
                count: it.count,
                freeze_radius: it.radius,
            }),
            ..usual.clone()
        })
    };
    Some(GameConfig {
        commando_worms: class(&usual.commando_worms, sight.own.first()?)?,
        agent_worms: class(&usual.agent_worms, sight.own.get(AGENT)?)?,
        technologist_worms: class(&usual.technologist_worms, sight.own.get(TECHNOLOGIST)?)?,
        max_rounds: sight.rounds_max,
        pushback_damage: sight.pushback_damage,
        lava_damage: sight.lava_damage,
        map_size: i32::from(sight.ground.size()),
        ..usual
    })
}

fn setup(sight: &Sight, counts: [i32; 2], enemy_counts: [i32; 2]) -> Setup {
    let own = PlayerSetup {
        do_nothings: sight.do_nothings,
        ..player(&sight.own, counts, sight.score, sight.tokens, sight.active)
    };
    let enemy = player(
        &sight.enemies,
        enemy_counts,
        sight.enemy_score,
        sight.enemy_tokens,
        sight.enemy_active,
    );
    let (mut own, mut enemy) = (Some(own), Some(enemy));
    Setup {
        round: sight.round.saturating_sub(1),
        map: Setup::rows_of(&sight.ground),
        packs: sight.packs.iter().map(|it| PackSetup { at: it.at, value: it.value }).collect(),
        players: PerSeat::from_fn(|seat| {
            let side = if seat == sight.seat { &mut own } else { &mut enemy };
            side.take().expect("each side has one seat")
        }),
    }
}

fn player(
    worms: &[Fighter],
    counts: [i32; 2],
    score: i64,
    tokens: i32,
    active: usize,
) -> PlayerSetup {
    let health: i64 = worms.iter().map(|worm| i64::from(worm.hp.max(0))).sum();
    let worm = |(index, worm): (usize, &Fighter)| WormSetup {
        hp: worm.hp,
        at: worm.at,
        came_from: worm.at,
        frozen: worm.frozen,
        bananas: (index == AGENT).then_some(counts[0]),
        snowballs: (index == TECHNOLOGIST).then_some(counts[1]),
    };
    PlayerSetup {
        command_score: score.saturating_sub(health / worms.len().max(1) as i64),
        do_nothings: 0,
        tokens,
        active: active as u8 + 1,
        previous: active as u8 + 1,
        worms: worms.iter().enumerate().map(worm).collect(),
    }
}

/// Whether lava is seen where the game as it is thought to be has none yet.
fn has_more_lava(game: &Worms, sight: &Sight) -> bool {
    let flooded = game.field().flood(sight.round.saturating_sub(1));
    sight.ground.cells().any(|cell| {
        let is_due = flooded.is_some_and(|rows| rows[usize::from(cell.y)] >> cell.x & 1 == 1);
        sight.ground.at(cell) == Terrain::Lava && !is_due
    })
}

#[cfg(test)]
mod tests {
    use quintain_core::{House, Replies, Seat};

    use super::*;
    use crate::action::Order;

    /// What matters of a position: the rest is only shown.
    fn essence(game: &Worms) -> impl PartialEq + std::fmt::Debug + use<> {
        let players = Seat::BOTH.map(|seat| {
            let player = &game.players()[seat];
            let worms: Vec<_> = player
                .worms()
                .iter()
                .map(|worm| (worm.hp, worm.at, worm.is_on_map, worm.frozen))
                .collect();
            let throws = [player.worms()[AGENT].bananas, player.worms()[TECHNOLOGIST].snowballs];
            (player.command_score, player.tokens, player.active, worms, throws)
        });
        (game.round_next(), game.ground().clone(), game.packs().len(), players)
    }

    #[test]
    fn the_position_in_mind_is_the_one_that_is_played() {
        for (edition, seed) in [(Edition::Document, 5), (Edition::Original, 6)] {
            let mut game = Worms::start(&Config { edition, ..Config::default() }, seed)
                .expect("a generated setup is valid");
            let mut chance = Worms::chance(seed);
            let mut bots = ["greedy", "random"].map(|name| Worms::bot(name, seed).expect("a bot"));
            let mut memories = [Memory::new(), Memory::new()];
            let mut throws = 0;
            while game.outcome().is_none() {
                for seat in Seat::BOTH {
                    let sight = Sight::of_view(&game.view(seat));
                    let thought = memories[seat.index()].position(&sight).expect("usual worms");
                    assert_eq!(essence(&thought), essence(&game), "round {}", game.turn());
                }
                let replies = Replies::of(game.to_act(), |seat| {
                    let action = bots[seat.index()].act_unhurried(&game.view(seat));
                    throws += usize::from(matches!(
                        action.order,
                        Order::Banana { .. } | Order::Snowball { .. }
                    ));
                    action
                });
                game.advance(&replies, &mut *chance, &mut ());
            }
            assert!(throws >= 6, "both sides threw something");
            let is_told_apart = memories.iter().all(|memory| memory.edition == edition);
            assert!(is_told_apart, "lava tells the editions apart");
        }
    }
}
