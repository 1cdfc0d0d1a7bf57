//! A turn in which both fencers act, stage by stage.

use quintain_core::{PerSeat, Seat, Sink};

use super::{Fencing, TURNS_MAX, is_decisive};
use crate::actions::Exchange;
use crate::fencer::{DRUGS_MAX, PISTE_END};
use crate::{Action, Event, Offence, ParryDrug};

impl Fencing {
    /// What the actions do to each other is looked up, and changed by the abilities of fencers who
    /// took a drug. Each case goes its own way from here, so that the usual one carries nothing of
    /// the others.
    #[inline(always)]
    pub(super) fn play(&mut self, actions: PerSeat<Action>, events: &mut impl Sink<Event>) {
        for (seat, &action) in actions.iter() {
            events.emit(Event::Played { seat, action });
        }
        let exchange = Exchange::new(actions.0.map(Some));
        let [first, second] = &self.fencers.0;
        if first.drugs | second.drugs == 0 {
            self.resolve(exchange, actions, events);
        } else {
            let exchange = self.with_abilities(exchange, actions.map(|_, action| Some(action)));
            self.resolve(exchange, actions, events);
        }
    }

    #[inline(always)]
    fn resolve(
        &mut self,
        exchange: Exchange,
        actions: PerSeat<Action>,
        events: &mut impl Sink<Event>,
    ) {
        self.apply_energy(&exchange);
        if self.is_exhausted() {
            self.resolve_exhausted(actions, events);
        } else {
            self.resolve_paid(&exchange, actions, events);
        }
    }

    /// The order of the stages decides: a drug works from the next turn on, both move before any
    /// distance is measured, and a step off the piste spoils the assault.
    #[inline(always)]
    fn resolve_paid(
        &mut self,
        exchange: &Exchange,
        actions: PerSeat<Action>,
        events: &mut impl Sink<Event>,
    ) {
        let is_doped = self.apply_drugs(actions, events);
        let is_outside = self.apply_moves(exchange, events);
        let has_scored = is_outside || self.apply_assaults(exchange, events);
        self.end_turn(is_doped, has_scored, events);
    }

    /// Who falls below 0 has paid and does nothing; 0 itself is a playable value (D7).
    #[cold]
    fn resolve_exhausted(&mut self, actions: PerSeat<Action>, events: &mut impl Sink<Event>) {
        let orders = actions.map(|seat, action| {
            let is_exhausted = self.fencers[seat].energy < 0;
            if is_exhausted {
                events.emit(Event::Exhausted { seat });
            }
            (!is_exhausted).then_some(action)
        });
        let exchange = self.with_abilities(Exchange::new(orders.0), orders);
        self.resolve_paid(&exchange, actions, events);
    }

    fn with_abilities(&self, mut exchange: Exchange, orders: PerSeat<Option<Action>>) -> Exchange {
        for (seat, fencer) in self.fencers.iter() {
            if let Some(action) = orders[seat] {
                let ability = fencer.abilities[action.row().ability];
                exchange.add_ability(seat.index(), action, i16::from(ability));
            }
        }
        exchange
    }

    /// "The action's energy is consumed or produced in any cases", up to the gauge.
    #[inline(always)]
    fn apply_energy(&mut self, exchange: &Exchange) {
        for (fencer, energy) in self.fencers.0.iter_mut().zip(exchange.energy) {
            fencer.energy = (fencer.energy + energy).min(fencer.energy_max());
        }
    }

    #[inline(always)]
    fn is_exhausted(&self) -> bool {
        let [first, second] = &self.fencers.0;
        first.energy | second.energy < 0
    }

    /// Whether somebody doped.
    #[inline(always)]
    fn apply_drugs(&mut self, actions: PerSeat<Action>, events: &mut impl Sink<Event>) -> bool {
        let [first, second] = actions.0;
        if !first.max(second).is_drug() {
            return false;
        }
        for (seat, &action) in actions.iter() {
            if action.is_drug() && self.fencers[seat].energy >= 0 {
                self.apply_drug(seat, action, events);
            }
        }
        self.offences.0 != [None, None]
    }

    /// All drugs share one count. The eighth changes nothing any more but is doping.
    fn apply_drug(&mut self, seat: Seat, drug: Action, events: &mut impl Sink<Event>) {
        if drug == Action::ParryDrug && self.switches.parry_drug == ParryDrug::Inert {
            return;
        }
        let fencer = &mut self.fencers[seat];
        if fencer.drugs == DRUGS_MAX {
            self.offences[seat] = Some(Offence::Doping);
            events.emit(Event::Doped { seat });
            return;
        }
        let row = drug.row();
        fencer.drugs += 1;
        fencer.abilities[row.ability] += row.drug;
    }

    /// Both ends of the piste belong to it. Whether somebody was moved beyond one, forwards or
    /// backwards.
    #[inline(always)]
    fn apply_moves(&mut self, exchange: &Exchange, events: &mut impl Sink<Event>) -> bool {
        for (fencer, step) in self.fencers.0.iter_mut().zip(exchange.step) {
            fencer.position += step;
        }
        let [first, second] = self.fencers.0.map(|fencer| fencer.position);
        let is_outside = !is_on_piste(first) | !is_on_piste(second);
        if is_outside {
            self.call_back(events);
        }
        is_outside
    }

    /// Whoever is outside stands at the end of the piste again, and the other has a point.
    #[cold]
    fn call_back(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            let fencer = &mut self.fencers[seat];
            if !is_on_piste(fencer.position) {
                fencer.position = fencer.position.clamp(0, PISTE_END);
                self.fencers[seat.other()].points += 1;
                events.emit(Event::Outside { seat });
            }
        }
    }

    /// Whether somebody touches; two lunges do not influence each other. The document prints `>=`
    /// for the reach, an evident slip (D3): a lunge touches up to its reach, not from there on.
    #[inline(always)]
    fn apply_assaults(&mut self, exchange: &Exchange, events: &mut impl Sink<Event>) -> bool {
        let [first, second] = &mut self.fencers.0;
        let distance = (first.position - second.position).abs();
        let touches = PerSeat(exchange.reach.map(|reach| distance <= reach));
        let has_touched = touches.0[0] | touches.0[1];
        first.points += i16::from(touches.0[0]);
        second.points += i16::from(touches.0[1]);
        for (striker, &is_touch) in touches.iter() {
            if is_touch {
                events.emit(Event::Touched { striker });
            }
        }
        if exchange.transfer != 0 && !has_touched {
            self.hold(exchange.transfer, events);
        }
        has_touched
    }

    /// A parry that is not touched takes energy from the striker, at any distance (D9): always the
    /// full amount, also when the defender's gauge is full.
    fn hold(&mut self, transfer: i16, events: &mut impl Sink<Event>) {
        let defender = if transfer > 0 { Seat::First } else { Seat::Second };
        let energy = transfer.abs();
        let fencer = &mut self.fencers[defender];
        fencer.energy = (fencer.energy + energy).min(fencer.energy_max());
        self.fencers[defender.other()].energy -= energy;
        events.emit(Event::Parried { defender });
    }

    #[inline(always)]
    fn end_turn(&mut self, is_doped: bool, has_scored: bool, events: &mut impl Sink<Event>) {
        let [first, second] = &self.fencers.0;
        let beyond = first.position - second.position;
        let has_collided = beyond >= self.switches.collision as i16;
        let is_exhausted = self.is_exhausted();
        let is_decided =
            has_scored && is_decisive(first.points, second.points, self.switches.score_gap);
        if has_collided {
            events.emit(Event::Collided);
        }
        self.respawn = has_scored | has_collided;
        self.is_first_answer = false;
        if is_exhausted | is_doped | is_decided | (self.turn == TURNS_MAX) {
            self.conclude(events);
        }
    }

    #[cold]
    fn conclude(&mut self, events: &mut impl Sink<Event>) {
        for seat in Seat::BOTH {
            if self.fencers[seat].energy < 0 {
                self.offences[seat] = Some(Offence::Forfeit);
            }
        }
        self.end(events);
    }
}

/// One comparison for both ends: below 0 is far above as an unsigned number.
#[inline]
fn is_on_piste(position: i16) -> bool {
    position as u16 <= PISTE_END as u16
}
