//! Selects: the first stage of the commands. Their outcome decides which worm is commanded.

use quintain_core::{PerSeat, Seat, Sink};

use super::{Plan, Selection, Worms};
use crate::action::{Action, Order};
use crate::edition::BadSelect;
use crate::event::{Event, Refusal};

impl Worms {
    /// Carries out both players' selects and plans their commands. All commands are judged before any
    /// is carried out, by the map as it is now.
    #[inline]
    pub(super) fn apply_selects<'a>(
        &mut self,
        actions: PerSeat<&'a Action>,
        events: &mut impl Sink<Event>,
    ) -> PerSeat<Plan<'a>> {
        let mut spoilt = PerSeat([None, None]);
        let mut selections = PerSeat([Selection::None; 2]);
        // The original carries out the second player's select first; only its log shows it.
        for seat in [Seat::Second, Seat::First] {
            let action = actions[seat];
            if action.select.is_none() && !action.has_unreadable_select {
                continue;
            }
            match self.field.switches.bad_select {
                BadSelect::SpoilsAnswer => match self.judge_whole_select(seat, action) {
                    Some(why) => spoilt[seat] = Some(why),
                    None => selections[seat] = self.select(seat, action.select, events),
                },
                BadSelect::Alone => selections[seat] = self.select(seat, action.select, events),
            }
        }
        PerSeat::from_fn(|seat| self.plan(seat, actions[seat], selections[seat], spoilt[seat]))
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

    fn judge_select(&self, seat: Seat, id: i32) -> Result<u8, Refusal> {
        let player = &self.players[seat];
        if player.tokens <= 0 {
            return Err(Refusal::NoTokens);
        }
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        match index.and_then(|index| player.worms().get(index).map(|worm| (index, worm))) {
            None => Err(Refusal::NoSuchWorm(id)),
            Some((_, worm)) if !worm.is_alive() => Err(Refusal::DeadWorm(id)),
            Some((index, _)) => Ok(index as u8),
        }
    }

    fn select(&mut self, seat: Seat, id: Option<i32>, events: &mut impl Sink<Event>) -> Selection {
        let Some(id) = id else {
            return Selection::None;
        };
        let judgement = self.judge_select(seat, id);
        if !self.counts_per_round() {
            self.count_do_nothing(seat, judgement.is_err());
        }
        let player = &mut self.players[seat];
        let (selection, points) = match judgement {
            Ok(index) => {
                player.tokens -= 1;
                player.active = index;
                events.emit(Event::Selected { seat, worm: index + 1 });
                (Selection::Worm(index + 1), 0)
            }
            Err(why) => {
                events.emit(Event::SelectRefused { seat, worm: player.active + 1, why });
                let points = i64::from(self.field.config.game.scores.invalid_command);
                (Selection::Refused, points)
            }
        };
        self.score(seat, points, events);
        selection
    }
}
