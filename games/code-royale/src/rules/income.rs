//! Where gold comes from.

use quintain_core::{Seat, Sink};

use super::CodeRoyale;
use crate::{Event, Remover};

/// Per turn, in the leagues that have no mines.
pub(crate) const FIXED_INCOME: i32 = 10;

impl CodeRoyale {
    /// An empty mine vanishes at once.
    pub(super) fn act_mine(
        &mut self,
        site: usize,
        owner: Seat,
        rate: u8,
        events: &mut impl Sink<Event>,
    ) {
        let ground = &mut self.plots[site].gold;
        let pay = i32::from(rate).min(*ground);
        *ground -= pay;
        let is_exhausted = *ground == 0;
        self.players[owner].gold += pay;
        if is_exhausted {
            self.remove_structure(site, Remover::Exhaustion, events);
        }
    }

    pub(super) fn apply_fixed_income(&mut self) {
        if self.config.league.has_mines() {
            return;
        }
        for seat in Seat::BOTH {
            if self.is_active(seat) {
                self.players[seat].gold += FIXED_INCOME;
            }
        }
    }
}
