//! Selects: the first stage of the commands. Their outcome decides which worm is commanded.

use quintain_core::{PerSeat, Seat, Sink};

use super::{Selection, Worms};
use crate::action::{Action, Order};
use crate::edition::BadSelect;
use crate::event::{Event, Refusal};

/// What came of a player's select.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected {
    pub selection: Selection,
    /// The document's edition: why it makes the whole answer invalid.
    pub spoils: Option<Refusal>,
}

impl Worms {
    /// Carries out both players' selects.
    #[inline]
    pub(super) fn apply_selects(
        &mut self,
        actions: PerSeat<&Action>,
        events: &mut impl Sink<Event>,
    ) -> PerSeat<Selected> {
        let mut selected = PerSeat([Selected { selection: Selection::None, spoils: None }; 2]);
        // The original carries out the second player's select first; only its log shows it.
        for seat in [Seat::Second, Seat::First] {
            let action = actions[seat];
            if action.select.is_some() || action.has_unreadable_select {
                selected[seat] = self.apply_select(seat, action, events);
            }
        }
        selected
    }

    fn apply_select(
        &mut self,
        seat: Seat,
        action: &Action,
        events: &mut impl Sink<Event>,
    ) -> Selected {
        let spoils = match self.field.switches.bad_select {
            BadSelect::SpoilsAnswer => self.judge_whole_select(seat, action),
            BadSelect::Alone => None,
        };
        match action.select {
            Some(id) if spoils.is_none() => {
                Selected { selection: self.select(seat, id, events), spoils }
            }
            _ => Selected { selection: Selection::None, spoils },
        }
    }

    /// The document's edition: what is wrong with an answer because of its select.
    fn judge_whole_select(&self, seat: Seat, action: &Action) -> Option<Refusal> {
        if action.has_unreadable_select {
            return Some(Refusal::UnreadableSelect);
        }
        if let Err(why) = self.judge_select(seat, action.select?) {
            return Some(why);
        }
        (action.order == Order::Absent).then_some(Refusal::LonelySelect)
    }

    /// The index of the worm, if it can be selected.
    fn judge_select(&self, seat: Seat, id: i32) -> Result<u8, Refusal> {
        let player = &self.players[seat];
        if player.tokens <= 0 {
            return Err(Refusal::NoTokens);
        }
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        match index.and_then(|index| player.worms().get(index).map(|worm| (index, worm))) {
            None => Err(Refusal::NoSuchWorm),
            Some((_, worm)) if !worm.is_alive() => Err(Refusal::DeadWorm),
            Some((index, _)) => Ok(index as u8),
        }
    }

    fn select(&mut self, seat: Seat, id: i32, events: &mut impl Sink<Event>) -> Selection {
        let judgement = self.judge_select(seat, id);
        if !self.counts_per_round() {
            self.count_do_nothing(seat, judgement.is_err());
        }
        let player = &mut self.players[seat];
        let (selection, points) = match judgement {
            Ok(index) => {
                player.tokens -= 1;
                // At once, since the turn does not pass if no worm is left when it should.
                player.previous = player.active;
                player.active = index;
                events.emit(Event::Selected { seat, worm: index + 1 });
                (Selection::Worm(index + 1), 0)
            }
            Err(why) => {
                events.emit(Event::SelectRefused { seat, worm: player.active + 1, id, why });
                let points = i64::from(self.field.config.game.scores.invalid_command);
                (Selection::Refused, points)
            }
        };
        self.score(seat, points, events);
        selection
    }
}
