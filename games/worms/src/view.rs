//! What one player may know: everything but the other's weapons and its count of do-nothings.

use std::sync::Arc;

use quintain_core::Seat;
use quintain_core::entelect::Prefix;

use crate::cell::{Cell, Ground};
use crate::config::{GameConfig, WORMS_MAX, WormClass};
use crate::field::Field;
use crate::rules::{Deed, Pack, Packs, Player, Worms};

#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub seat: Seat,
    /// The round about to be played, from 1.
    pub round: u32,
    pub do_nothings: u32,
    pub ground: Ground,
    pub(crate) packs: Packs,
    pub own: Side,
    pub opponent: Side,
    field: Arc<Field>,
}

/// A player as somebody sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    pub seat: Seat,
    pub score: i64,
    /// The sum over living worms.
    pub health: i64,
    pub active_id: u8,
    pub tokens: i32,
    pub last: Deed,
    worms: [WormView; WORMS_MAX],
    count: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WormView {
    pub id: u8,
    pub hp: i32,
    /// Where it is, or was last.
    pub at: Cell,
    pub is_on_map: bool,
    pub frozen: i32,
    /// Of its profession's weapons, unless they are hidden.
    pub arsenal: Option<Arsenal>,
    class: u8,
}

/// What a worm has left. Without meaning for a profession that has no such weapon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arsenal {
    pub bananas: i32,
    pub snowballs: i32,
}

impl View {
    pub(crate) fn new(game: &Worms, seat: Seat) -> View {
        let own = &game.players()[seat];
        View {
            seat,
            round: game.round_next(),
            do_nothings: own.do_nothings,
            ground: game.ground().clone(),
            packs: game.packs_owned().clone(),
            own: Side::new(game, seat, true),
            opponent: Side::new(game, seat.other(), false),
            field: game.field().clone(),
        }
    }

    pub fn config(&self) -> &GameConfig {
        &self.field.config.game
    }

    /// Where the player's line may have the prefix of its answer.
    pub fn prefix(&self) -> Prefix {
        self.field.switches.prefix
    }

    pub fn packs(&self) -> &[Pack] {
        self.packs.as_slice()
    }

    /// The profession of a worm.
    pub fn class(&self, worm: &WormView) -> &WormClass {
        worm.class(self.config())
    }

    /// The own worm whose turn it is.
    pub fn active(&self) -> &WormView {
        &self.own.worms()[usize::from(self.own.active_id) - 1]
    }

    /// The worm in a cell, and its player.
    pub fn occupant(&self, cell: Cell) -> Option<(Seat, &WormView)> {
        [&self.own, &self.opponent].into_iter().find_map(|side| {
            let worm = side.worms().iter().find(|worm| worm.is_on_map && worm.at == cell)?;
            Some((side.seat, worm))
        })
    }
}

impl Side {
    /// `is_whole`: with the weapons.
    pub(crate) fn new(game: &Worms, seat: Seat, is_whole: bool) -> Side {
        let player: &Player = &game.players()[seat];
        let mut worms = [WormView::default(); WORMS_MAX];
        for (index, (shown, worm)) in worms.iter_mut().zip(player.worms()).enumerate() {
            let arsenal = Arsenal { bananas: worm.bananas, snowballs: worm.snowballs };
            *shown = WormView {
                id: index as u8 + 1,
                hp: worm.hp,
                at: worm.at,
                is_on_map: worm.is_on_map,
                frozen: worm.frozen,
                arsenal: is_whole.then_some(arsenal),
                class: game.field().class_of[index],
            };
        }
        Side {
            seat,
            score: player.score(),
            health: player.health(),
            active_id: player.active_id(),
            tokens: player.tokens,
            last: player.last.clone(),
            worms,
            count: player.worms().len() as u8,
        }
    }

    /// In the order of their ids, from 1; the dead among them.
    pub fn worms(&self) -> &[WormView] {
        &self.worms[..usize::from(self.count)]
    }

    pub fn living(&self) -> impl Iterator<Item = &WormView> {
        self.worms().iter().filter(|worm| worm.hp > 0)
    }
}

impl WormView {
    /// Its profession.
    pub fn class<'a>(&self, config: &'a GameConfig) -> &'a WormClass {
        config.classes()[usize::from(self.class) % 3]
    }
}
