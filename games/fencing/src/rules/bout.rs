//! A turn in which both fencers act, stage by stage.

use quintain_core::{PerSeat, Seat, Sink};

use super::{Fencing, TURNS_MAX, is_decisive};
use crate::fencer::{DRUGS_MAX, PISTE_END};
use crate::{Action, Event, Fencer, Offence, ParryDrug};

/// Added to a position per unit of a move: the second comes from the high end.
const FACING: PerSeat<i16> = PerSeat([1, -1]);
/// Below any distance, so that it never reaches.
const NO_REACH: i16 = -1000;

/// What is left of an action once its energy is paid.
#[derive(Clone, Copy, Default)]
struct Order {
    step: i16,
    /// All ones for a lunge, none otherwise.
    strikes: i16,
    /// How far a lunge reaches.
    reach: i16,
    /// What a parry adds to the reach of the lunge against it: it is below 0.
    guard: i16,
    /// The energy that a successful parry moves.
    transfer: i16,
}

impl Fencing {
    /// The order of the stages decides: a drug works from the next turn on, both move before any
    /// distance is measured, and a step off the piste spoils the assault.
    #[inline(always)]
    pub(super) fn play(&mut self, actions: PerSeat<Action>, events: &mut impl Sink<Event>) {
        for (seat, &action) in actions.iter() {
            events.emit(Event::Played { seat, action });
        }
        let orders = self.apply_energy(actions, events);
        self.apply_drugs(actions, events);
        let outside = self.apply_moves(&orders, events);
        let has_left = outside.0[0] | outside.0[1];
        let touches = self.apply_assaults(&orders, !has_left, events);
        for seat in Seat::BOTH {
            self.fencers[seat].points +=
                i16::from(outside[seat.other()]) + i16::from(touches[seat]);
        }
        self.end_turn(has_left | touches.0[0] | touches.0[1], events);
    }

    /// "The action's energy is consumed or produced in any cases", up to the gauge. Who falls
    /// below 0 pays and does nothing; 0 itself is a playable value.
    #[inline(always)]
    fn apply_energy(
        &mut self,
        actions: PerSeat<Action>,
        events: &mut impl Sink<Event>,
    ) -> PerSeat<Order> {
        PerSeat::from_fn(|seat| {
            let fencer = &mut self.fencers[seat];
            let effect = actions[seat].effect();
            let figure = fencer.figure(effect);
            let energy = fencer.energy + effect.cost + (figure & effect.recovers);
            fencer.energy = energy.min(fencer.energy_max());
            if fencer.energy < 0 {
                events.emit(Event::Exhausted { seat });
                return Order {
                    reach: NO_REACH,
                    ..Order::default()
                };
            }
            Order {
                step: (figure & effect.moves) * FACING[seat],
                strikes: effect.strikes,
                reach: (figure & effect.strikes) + (NO_REACH & !effect.strikes),
                guard: figure & effect.guards,
                transfer: effect.transfer,
            }
        })
    }

    #[inline(always)]
    fn apply_drugs(&mut self, actions: PerSeat<Action>, events: &mut impl Sink<Event>) {
        if actions.0[0].max(actions.0[1]).is_drug() {
            for (seat, &action) in actions.iter() {
                if action.is_drug() && self.fencers[seat].energy >= 0 {
                    self.apply_drug(seat, action, events);
                }
            }
        }
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

    /// Both ends of the piste belong to it. Whoever is moved beyond one stands on it again, but was
    /// outside; forwards or backwards makes no difference.
    #[inline(always)]
    fn apply_moves(
        &mut self,
        orders: &PerSeat<Order>,
        events: &mut impl Sink<Event>,
    ) -> PerSeat<bool> {
        PerSeat::from_fn(|seat| {
            let fencer = &mut self.fencers[seat];
            let target = fencer.position + orders[seat].step;
            fencer.position = target.clamp(0, PISTE_END);
            let is_outside = fencer.position != target;
            if is_outside {
                events.emit(Event::Outside { seat });
            }
            is_outside
        })
    }

    /// Which seats touch. The document prints `>=` for the reach, an evident slip (D3): a lunge
    /// touches up to its reach, not from there on. A parry that is not touched takes energy from
    /// the striker, at any distance (D9).
    #[inline(always)]
    fn apply_assaults(
        &mut self,
        orders: &PerSeat<Order>,
        is_fought: bool,
        events: &mut impl Sink<Event>,
    ) -> PerSeat<bool> {
        let [first, second] = &mut self.fencers.0;
        let distance = (first.position - second.position).abs();
        let [one, other] = &orders.0;
        PerSeat([
            assault(
                Seat::First,
                distance,
                is_fought,
                (first, one),
                (second, other),
                events,
            ),
            assault(
                Seat::Second,
                distance,
                is_fought,
                (second, other),
                (first, one),
                events,
            ),
        ])
    }

    #[inline(always)]
    fn end_turn(&mut self, has_scored: bool, events: &mut impl Sink<Event>) {
        let [first, second] = &self.fencers.0;
        let beyond = first.position - second.position;
        let has_collided = beyond >= self.switches.collision as i16;
        if has_collided {
            events.emit(Event::Collided);
        }
        self.respawn = has_scored | has_collided;
        self.is_first_answer = false;
        let is_exhausted = (first.energy | second.energy) < 0;
        let is_decided = is_decisive(first.points, second.points, self.switches.score_gap);
        let is_doped = self.offences.0 != [None, None];
        if is_exhausted | is_decided | is_doped | (self.turn == TURNS_MAX) {
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

/// Whether the striker's order touches. Two lunges do not influence each other.
#[inline(always)]
fn assault(
    seat: Seat,
    distance: i16,
    is_fought: bool,
    (striker, order): (&mut Fencer, &Order),
    (defender, defence): (&mut Fencer, &Order),
    events: &mut impl Sink<Event>,
) -> bool {
    let is_touch = is_fought & (distance <= order.reach + defence.guard);
    let is_held = is_fought & !is_touch;
    let transfer = defence.transfer & order.strikes & -i16::from(is_held);
    defender.energy = (defender.energy + transfer).min(defender.energy_max());
    striker.energy -= transfer;
    if is_touch {
        events.emit(Event::Touched { striker: seat });
    }
    if transfer != 0 {
        events.emit(Event::Parried {
            defender: seat.other(),
        });
    }
    is_touch
}
