//! The match as a game of two who act at once without luck, small enough to be solved: what a bout of
//! leagues 1 and 2 is worth, and what an opponent who knows a strategy can win against it.
//!
//! Worths are in points: how far ahead the first fencer will come from here. The rules are those of
//! [`Fencing`](crate::Fencing), written for two fencers whose abilities do not change.

mod ahead;
mod codec;
mod matrix;
mod response;
mod solve;
mod values;

pub use ahead::Ahead;
pub use matrix::{Solution, solve_matrix};
pub use response::exploitability;
pub use solve::{Piste, solve};
pub use values::{LAST_TURNS, Values};

pub(crate) use solve::Gains;

use crate::actions::Exchange;
use crate::fencer::PISTE_END;
use crate::setup::SPAWN;
use crate::{Ability, Action, Collision, Fencer};

/// What a forfeit is worth to the other: as many points as decide a match.
pub const STAKE: f32 = 20.0;

/// How many turns the champion looks ahead before it asks the values; with the few actions of league 1
/// there is time for one more.
pub const fn turns_ahead(league: u8) -> usize {
    if league == 1 { 4 } else { 3 }
}

/// All that changes in a bout: both positions along the piste, both energies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    pub positions: [i16; 2],
    pub energies: [i16; 2],
}

impl Bout {
    /// Both at their places with full gauges.
    pub const START: Bout = Bout { positions: SPAWN.0, energies: [crate::ENERGY_START; 2] };
}

/// What a turn leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Bout(Bout),
    /// Somebody was touched, stepped outside or was passed: the first gains so many points, and the next
    /// turn is a respawn.
    Respawn {
        gained: i8,
        energies: [i16; 2],
    },
    /// The seat has no energy left and loses the match.
    Forfeit {
        loser: u8,
    },
}

/// Two fencers with their abilities.
#[derive(Clone, Debug)]
pub struct Duel {
    /// By both actions.
    exchanges: Vec<Exchange>,
    actions: usize,
    energy_max: [i16; 2],
    /// How far the first must be beyond the second for a collision.
    collision: i16,
}

impl Duel {
    /// Two fencers of a league with the abilities of these.
    pub fn new(fencers: [&Fencer; 2], league: u8, collision: Collision) -> Duel {
        let actions = Action::of_league(league);
        let mut exchanges = Vec::with_capacity(actions.len() * actions.len());
        for &first in actions {
            for &second in actions {
                let mut exchange = Exchange::new([Some(first), Some(second)]);
                for (seat, (fencer, action)) in fencers.into_iter().zip([first, second]).enumerate()
                {
                    let ability = fencer.abilities[action.row().ability];
                    exchange.add_ability(seat, action, i16::from(ability));
                }
                exchanges.push(exchange);
            }
        }
        Duel {
            exchanges,
            actions: actions.len(),
            energy_max: fencers.map(|fencer| i16::from(fencer.abilities[Ability::EnergyMax])),
            collision: collision as i16,
        }
    }

    /// Two fencers without drugs.
    pub fn plain(league: u8, collision: Collision) -> Duel {
        let fencers = SPAWN.0.map(Fencer::new);
        Duel::new([&fencers[0], &fencers[1]], league, collision)
    }

    /// How many actions each has.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Whether the seat can pay for an action. A lunge may still end in a forfeit.
    #[inline]
    pub fn can_pay(&self, energy: i16, action: usize) -> bool {
        energy + i16::from(crate::TABLE[action].energy) >= 0
    }

    /// What two actions that can be paid lead to.
    #[inline]
    pub fn after(&self, bout: &Bout, actions: [usize; 2]) -> After {
        let exchange = &self.exchanges[actions[0] * self.actions + actions[1]];
        let mut energies = [0, 1]
            .map(|seat| (bout.energies[seat] + exchange.energy[seat]).min(self.energy_max[seat]));
        let moved = [0, 1].map(|seat| bout.positions[seat] + exchange.step[seat]);
        let outside = moved.map(|position| !(0..=PISTE_END).contains(&position));
        if outside != [false; 2] {
            let gained = i8::from(outside[1]) - i8::from(outside[0]);
            return After::Respawn { gained, energies };
        }
        let distance = (moved[0] - moved[1]).abs();
        let touches = exchange.reach.map(|reach| distance <= reach);
        if touches != [false; 2] {
            let gained = i8::from(touches[0]) - i8::from(touches[1]);
            return After::Respawn { gained, energies };
        }
        if exchange.transfer != 0 {
            let defender = usize::from(exchange.transfer < 0);
            let energy = exchange.transfer.abs();
            energies[defender] = (energies[defender] + energy).min(self.energy_max[defender]);
            energies[1 - defender] -= energy;
            if energies[1 - defender] < 0 {
                return After::Forfeit { loser: 1 - defender as u8 };
            }
        }
        if moved[0] - moved[1] >= self.collision {
            return After::Respawn { gained: 0, energies };
        }
        After::Bout(Bout { positions: moved, energies })
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Chance, Game, NoChance, Replies, Seat, SplitMix64};

    use super::*;
    use crate::{Config, Fencing, Setup, Switches};

    /// Random bouts of all leagues and both editions, with drugs, turn by turn by the rules.
    #[test]
    fn a_duel_follows_the_rules() {
        let mut chance = SplitMix64::new(3);
        for number in 0..300 {
            let switches = [Switches::DOCUMENT, Switches::ORIGINAL][number % 2];
            let league = 1 + (number / 2 % 3) as u8;
            let config = Config { league, switches, ..Config::default() };
            let mut game = Fencing::new(&config, Setup::default()).expect("playable");
            while game.outcome().is_none() {
                if game.respawn {
                    let nobody = Replies::of(game.to_act(), |_| Action::Break);
                    game.advance(&nobody, &mut NoChance, &mut ());
                    continue;
                }
                let fencers = game.fencers().0;
                let duel = Duel::new([&fencers[0], &fencers[1]], league, switches.collision);
                let bout = Bout {
                    positions: fencers.map(|fencer| fencer.position),
                    energies: fencers.map(|fencer| fencer.energy),
                };
                let actions = Seat::BOTH.map(|seat| {
                    let fencer = &fencers[seat.index()];
                    let drawn = chance.below(duel.actions() as u32) as usize;
                    let is_paid = duel.can_pay(fencer.energy, drawn);
                    let is_doping = Action::ALL[drawn].is_drug() && fencer.drugs == 7;
                    if is_paid && !is_doping { drawn } else { 0 }
                });
                let [first, second] = actions.map(|action| Action::ALL[action]);
                game.advance(&Replies::both(first, second), &mut NoChance, &mut ());
                check(&game, &fencers, duel.after(&bout, actions));
            }
        }
    }

    fn check(game: &Fencing, before: &[Fencer; 2], after: After) {
        let fencers = game.fencers().0;
        let lead = |fencers: &[Fencer; 2]| fencers[0].points - fencers[1].points;
        let change = lead(&fencers) - lead(before);
        let now = fencers.map(|fencer| fencer.energy);
        match after {
            After::Bout(bout) => {
                assert!(!game.respawn);
                assert_eq!(bout.positions, fencers.map(|fencer| fencer.position));
                assert_eq!((bout.energies, change), (now, 0));
            }
            After::Respawn { gained, energies } => {
                assert!(game.respawn);
                assert_eq!((energies, i16::from(gained)), (now, change));
            }
            After::Forfeit { loser } => assert!(now[usize::from(loser)] < 0 && game.is_over),
        }
    }
}
