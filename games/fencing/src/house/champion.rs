//! The bot that mixes its actions as the worths of what they lead to demand.

use quintain_core::{Bot, Chance, SplitMix64, Thinking};

use super::lookahead::{Drugs, Lookahead, Moment, Strategy};
use super::referee::{Referee, bout_of};
use super::rival::Rival;
use crate::duel::{Duel, Values, turns_ahead};
use crate::{Ability, Action, Collision, DRUGS_MAX, Fencer, Fencing, View};

/// The first league with drugs.
const LEAGUE_OF_DRUGS: u8 = 3;
/// The part of the time limit after which a search ends: little, since 50 ms pass while a machine looks
/// away.
const SHARE: f64 = 0.4;
/// Turns tried where no time passes.
const NODES_WITHOUT_CLOCK: u64 = 60_000;

pub(super) struct Champion {
    /// Turns that it may try for an answer; by the clock if there is no such number.
    nodes: Option<u64>,
    chance: SplitMix64,
    referee: Referee,
    rival: Rival,
}

impl Champion {
    pub(super) fn new(nodes: Option<u64>, chance: SplitMix64) -> Champion {
        for league in [1, 2] {
            // Read the tables now rather than while a clock runs.
            Values::of_league(league);
        }
        Champion { nodes, chance, referee: Referee::default(), rival: Rival::default() }
    }

    /// Learns from what is shown, and says how many turns are left.
    fn see(&mut self, view: &View) -> usize {
        let (turns_left, seen) = self.referee.see(view);
        if let Some(seen) = seen {
            self.rival.learn(&seen);
        }
        turns_left
    }

    /// What the deepest search says that was finished.
    pub(super) fn strategy(
        &self,
        view: &View,
        turns_left: usize,
        thinking: &mut Thinking<'_>,
    ) -> Strategy {
        let duel = Duel::new([&view.own, &view.opponent], view.league, Collision::Passed);
        let bout = bout_of(view);
        let moment =
            Moment { positions: bout.positions, energies: bout.energies, doses: 0, turns_left };
        let mut lookahead = Lookahead {
            duel: &duel,
            league: view.league,
            drugs: drugs(view),
            view,
            rival: Some(&self.rival).filter(|rival| rival.habit().is_some()),
            thinking,
            nodes: 0,
            nodes_max: self.nodes.unwrap_or(NODES_WITHOUT_CLOCK),
            share: if self.nodes.is_some() { f64::INFINITY } else { SHARE },
            known: Vec::new(),
        };
        let mut best = Strategy { mixture: vec![(Action::Break, 1.0)], worth: 0.0 };
        for depth in 1..=turns_ahead(view.league) {
            match lookahead.strategy(&moment, depth) {
                Ok(strategy) => best = strategy,
                Err(_) => break,
            }
        }
        best
    }
}

impl Bot<Fencing> for Champion {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        let turns_left = self.see(view);
        let strategy = self.strategy(view, turns_left, thinking);
        let action = draw(&strategy.mixture, &mut self.chance);
        self.referee.answered(view, action);
        action
    }

    fn watch(&mut self, view: &View, answer: Option<&Action>) {
        self.see(view);
        self.referee.answered(view, answer.copied().unwrap_or(Action::Break));
    }
}

/// One of the actions, each as often as its share says.
fn draw(mixture: &[(Action, f64)], chance: &mut SplitMix64) -> Action {
    const PARTS: u32 = 1 << 24;
    let total: f64 = mixture.iter().map(|(_, share)| share).sum();
    let mut left = f64::from(chance.below(PARTS)) / f64::from(PARTS) * total;
    for &(action, share) in mixture {
        if left < share {
            return action;
        }
        left -= share;
    }
    mixture.first().map_or(Action::Break, |&(action, _)| action)
}

/// The drug that each would take next: first one that makes a rest worth while, then those that lengthen
/// the arm.
fn drugs(view: &View) -> Drugs {
    let next = |fencer: &Fencer| {
        let rests = fencer.abilities[Ability::Break] > 0;
        let is_free = view.league >= LEAGUE_OF_DRUGS && fencer.drugs < DRUGS_MAX;
        is_free.then_some(if rests { Action::LungeDrug } else { Action::BreakDrug })
    };
    [next(&view.own), next(&view.opponent)]
}
