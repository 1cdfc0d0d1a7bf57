//! Many matches side by side, for self-play and learning: the same rules, one number of all matches
//! after the other, without a branch.
//!
//! Every match is bit for bit what [`Fencing`] makes of the same actions (`tests/batch.rs`). Where a
//! match is over, or is due a respawn, its action is not looked at.

use quintain_core::{Game, PerSeat, Seat};

use crate::actions::FACING;
use crate::fencer::{DRUGS_MAX, PISTE_END};
use crate::rules::{POINTS_DECISIVE, TURNS_MAX};
use crate::setup::SPAWN;
use crate::{Ability, Action, Fencer, Fencing, Offence, ParryDrug, Switches, TABLE};

/// Matches that are stepped by one pass of the same instructions.
pub const LANES: usize = 32;

/// One number of each match of a block.
type Lanes = [i16; LANES];

/// Matches that all started from the same position, in blocks of [`LANES`].
#[derive(Clone, Debug)]
pub struct Batch {
    start: Fencing,
    blocks: Vec<Block>,
}

/// The state of [`LANES`] matches. Conditions are numbers too: all ones, or none.
#[derive(Clone, Debug)]
pub struct Block {
    fencers: PerSeat<FencerLanes>,
    turn: Lanes,
    respawn: Lanes,
    over: Lanes,
    /// Nobody has answered yet.
    is_first_answer: Lanes,
}

#[derive(Clone, Debug)]
struct FencerLanes {
    position: Lanes,
    energy: Lanes,
    points: Lanes,
    drugs: Lanes,
    doped: Lanes,
    abilities: [Lanes; Ability::ALL.len()],
}

impl Batch {
    /// At least `matches` matches, rounded up to whole blocks, each in this position.
    ///
    /// # Panics
    /// If the position is over.
    pub fn new(start: Fencing, matches: usize) -> Batch {
        assert!(start.outcome().is_none(), "a finished match goes no further");
        let block = Block::new(&start);
        Batch { start, blocks: vec![block; matches.div_ceil(LANES)] }
    }

    /// How many matches there are.
    pub fn len(&self) -> usize {
        self.blocks.len() * LANES
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Steps every match once. `choose` is given each block and the number of its first match, and
    /// names both actions of all its matches.
    ///
    /// # Panics
    /// If an action is not one of the league.
    #[inline]
    pub fn step(&mut self, mut choose: impl FnMut(usize, &Block) -> PerSeat<[Action; LANES]>) {
        let (switches, league) = (self.start.switches, self.start.league);
        let last = Action::of_league(league).last().map_or(0, |&action| action as u8);
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let actions = choose(number * LANES, block);
            for actions in &actions.0 {
                let highest = actions.iter().fold(0, |highest, &action| highest.max(action as u8));
                assert!(highest <= last, "an action above league {league}");
            }
            match league {
                1 => block.step::<5>(&switches, &actions),
                2 => block.step::<7>(&switches, &actions),
                _ => block.step::<15>(&switches, &actions),
            }
        }
    }

    /// Whether every match is over.
    pub fn is_over(&self) -> bool {
        let is_over = |block: &Block| block.over.iter().all(|&over| over != 0);
        self.blocks.iter().all(is_over)
    }

    /// Turns played in all matches together.
    pub fn turns(&self) -> u64 {
        let turns = self.blocks.iter().flat_map(|block| &block.turn);
        turns.map(|&turn| turn as u64).sum()
    }

    /// The match of this number, as a position of its own.
    pub fn get(&self, number: usize) -> Option<Fencing> {
        let (block, lane) = (self.blocks.get(number / LANES)?, number % LANES);
        let fencers = PerSeat::from_fn(|seat| block.fencers[seat].get(lane));
        let offences = PerSeat::from_fn(|seat| {
            let doped = block.fencers[seat].doped[lane] != 0;
            let exhausted = fencers[seat].energy < 0;
            let offence = exhausted.then_some(Offence::Forfeit);
            offence.or(doped.then_some(Offence::Doping))
        });
        Some(Fencing {
            fencers,
            turn: block.turn[lane] as u32,
            respawn: block.respawn[lane] != 0,
            is_over: block.over[lane] != 0,
            is_first_answer: block.is_first_answer[lane] != 0,
            offences,
            ..self.start
        })
    }
}

impl Block {
    fn new(start: &Fencing) -> Block {
        Block {
            fencers: start.fencers().map(|_, fencer| FencerLanes::new(&fencer)),
            turn: [start.turn() as i16; LANES],
            respawn: [mask(start.is_respawn_due()); LANES],
            over: [0; LANES],
            is_first_answer: [mask(true); LANES],
        }
    }

    /// The energy of a seat in each match.
    #[inline]
    pub fn energy(&self, seat: Seat) -> &[i16; LANES] {
        &self.fencers[seat].energy
    }

    /// One pass over all matches. `ACTIONS` is the number of commands in the league, so that
    /// leagues without drugs do not carry them.
    fn step<const ACTIONS: usize>(
        &mut self,
        switches: &Switches,
        actions: &PerSeat<[Action; LANES]>,
    ) {
        let [first, second] = &mut self.fencers.0;
        for lane in 0..LANES {
            let (over, respawn) = (self.over[lane], self.respawn[lane]);
            let acts = !(over | respawn);
            let turn = self.turn[lane] + (1 & !over);
            let orders = [
                first.pay::<ACTIONS>(lane, actions.0[0][lane], acts, switches),
                second.pay::<ACTIONS>(lane, actions.0[1][lane], acts, switches),
            ];
            let outside = [
                first.walk(lane, orders[0].step * FACING[0], acts),
                second.walk(lane, orders[1].step * FACING[1], acts),
            ];
            let fought = acts & !(outside[0] | outside[1]);
            let beyond = first.position[lane] - second.position[lane];
            let distance = beyond.max(-beyond);
            let touches = [
                strike(&orders[0], &orders[1], distance) & fought,
                strike(&orders[1], &orders[0], distance) & fought,
            ];
            let held = [
                orders[1].transfer & orders[0].strikes & fought & !touches[0],
                orders[0].transfer & orders[1].strikes & fought & !touches[1],
            ];
            first.take(lane, held[1], held[0]);
            second.take(lane, held[0], held[1]);
            // A condition is -1, so that subtracting it adds a point.
            first.points[lane] -= touches[0] + outside[1];
            second.points[lane] -= touches[1] + outside[0];

            let collided = mask(beyond >= switches.collision as i16);
            let scored = touches[0] | touches[1] | outside[0] | outside[1];
            let ended = first.is_out(lane)
                | second.is_out(lane)
                | is_decisive(first.points[lane], second.points[lane], switches.score_gap)
                | mask(turn == TURNS_MAX as i16);
            first.stand_up(lane, respawn & !over, SPAWN.0[0]);
            second.stand_up(lane, respawn & !over, SPAWN.0[1]);
            self.respawn[lane] = (acts & (scored | collided)) | (over & respawn);
            self.over[lane] = over | ended;
            self.is_first_answer[lane] &= !acts;
            self.turn[lane] = turn;
        }
    }
}

/// What is left of an action once its energy is paid.
#[derive(Clone, Copy, Default)]
struct Order {
    step: i16,
    strikes: i16,
    /// The distance of a lunge or of a parry, whichever it is.
    distance: i16,
    parries: i16,
    transfer: i16,
}

impl FencerLanes {
    fn new(fencer: &Fencer) -> FencerLanes {
        FencerLanes {
            position: [fencer.position; LANES],
            energy: [fencer.energy; LANES],
            points: [fencer.points; LANES],
            drugs: [i16::from(fencer.drugs); LANES],
            doped: [0; LANES],
            abilities: Ability::ALL.map(|ability| [i16::from(fencer.abilities[ability]); LANES]),
        }
    }

    fn get(&self, lane: usize) -> Fencer {
        let mut fencer = Fencer::new(self.position[lane]);
        fencer.energy = self.energy[lane];
        fencer.points = self.points[lane];
        fencer.drugs = self.drugs[lane] as u8;
        for ability in Ability::ALL {
            fencer.abilities[ability] = self.abilities[ability as usize][lane] as i8;
        }
        fencer
    }

    /// Energy, then drugs. Without energy, or while the match does not act, the order is empty.
    #[inline(always)]
    fn pay<const ACTIONS: usize>(
        &mut self,
        lane: usize,
        action: Action,
        acts: i16,
        switches: &Switches,
    ) -> Order {
        let energy_max = self.abilities[Ability::EnergyMax as usize][lane];
        let has_drugs = ACTIONS > Action::LungeDrug as usize;
        let (mut energy, mut order) = (0, Order::default());
        for row in &TABLE[..ACTIONS] {
            let chosen = mask(action as u8 == row.action as u8);
            let is_figure = has_drugs && row.drug == 0;
            let ability = if is_figure { self.abilities[row.ability as usize][lane] } else { 0 };
            let add = |figure: i8, is_used: bool| {
                chosen & (i16::from(figure) + if is_used { ability } else { 0 })
            };
            energy += add(row.energy, row.energy > 0);
            order.step += add(row.step, row.step != 0);
            order.distance += add(row.distance, row.distance != 0);
            order.strikes |= chosen & mask(row.distance > 0);
            order.parries |= chosen & mask(row.distance < 0);
            order.transfer += add(row.energy_transfer, false);
        }
        let paid = (self.energy[lane] + energy).min(energy_max);
        let energy = select(acts, paid, self.energy[lane]);
        self.energy[lane] = energy;
        let does = acts & mask(energy >= 0);
        if has_drugs {
            self.take_drug(lane, action, does, switches);
        }
        Order {
            step: order.step & does,
            strikes: order.strikes & does,
            distance: order.distance & does,
            parries: order.parries & does,
            transfer: order.transfer & does,
        }
    }

    #[inline(always)]
    fn take_drug(&mut self, lane: usize, action: Action, does: i16, switches: &Switches) {
        let inert = mask(switches.parry_drug == ParryDrug::Inert);
        let has_room = mask(self.drugs[lane] < i16::from(DRUGS_MAX));
        let mut takes = 0;
        for row in &TABLE[Action::LungeDrug as usize..] {
            let is_parry_drug = mask(row.action as u8 == Action::ParryDrug as u8);
            let chosen = does & mask(action as u8 == row.action as u8) & !(inert & is_parry_drug);
            takes |= chosen;
            self.abilities[row.ability as usize][lane] += chosen & has_room & i16::from(row.drug);
        }
        self.drugs[lane] -= takes & has_room;
        self.doped[lane] |= takes & !has_room;
    }

    /// Whether the step led outside.
    #[inline(always)]
    fn walk(&mut self, lane: usize, step: i16, acts: i16) -> i16 {
        let target = self.position[lane] + step;
        let position = target.clamp(0, PISTE_END);
        self.position[lane] = position;
        acts & mask(position != target)
    }

    #[inline(always)]
    fn take(&mut self, lane: usize, gained: i16, lost: i16) {
        let energy_max = self.abilities[Ability::EnergyMax as usize][lane];
        self.energy[lane] = (self.energy[lane] + gained).min(energy_max) - lost;
    }

    #[inline(always)]
    fn is_out(&self, lane: usize) -> i16 {
        mask(self.energy[lane] < 0) | self.doped[lane]
    }

    #[inline(always)]
    fn stand_up(&mut self, lane: usize, respawn: i16, place: i16) {
        self.position[lane] = select(respawn, place, self.position[lane]);
    }
}

#[inline(always)]
fn strike(order: &Order, defence: &Order, distance: i16) -> i16 {
    let reach = order.distance + (defence.distance & defence.parries);
    order.strikes & mask(distance <= reach)
}

#[inline(always)]
fn is_decisive(first: i16, second: i16, gap: u8) -> i16 {
    let ahead = (first - second).max(second - first);
    mask(first.max(second) >= POINTS_DECISIVE) & mask(ahead >= i16::from(gap))
}

#[inline(always)]
const fn mask(is_set: bool) -> i16 {
    -(is_set as i16)
}

#[inline(always)]
const fn select(condition: i16, yes: i16, no: i16) -> i16 {
    (condition & yes) | (!condition & no)
}
