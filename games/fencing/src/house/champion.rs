//! The bot that mixes its actions as the worths of what they lead to demand.

use quintain_core::{Bot, Chance, SplitMix64, Thinking};

use super::lookahead::{Drugs, Lookahead, Moment};
use super::outlook::Outlook;
use super::referee::{Referee, bout_of};
use super::rival::Rival;
use crate::duel::{Bout, Duel, turns_ahead};
use crate::{Ability, Action, Collision, DRUGS_MAX, Fencer, Fencing, View};

/// The first league with drugs.
const LEAGUE_OF_DRUGS: u8 = 3;
/// The part of the time limit after which a search ends: little, since 50 ms pass while a machine looks
/// away.
const SHARE: f64 = 0.4;
/// Turns tried where no time passes.
const NODES_WITHOUT_CLOCK: u64 = 60_000;

pub(super) struct Champion {
    outlook: Outlook,
    /// Turns that it may try for an answer; by the clock if there is no such number.
    nodes: Option<u64>,
    chance: SplitMix64,
    referee: Referee,
    /// What is known of the opponent; nothing for bots that do not care.
    rival: Option<Rival>,
}

impl Champion {
    pub(super) fn new(outlook: Outlook, nodes: Option<u64>, chance: SplitMix64) -> Champion {
        if outlook == Outlook::Known {
            // Read the tables now rather than while a clock runs.
            outlook.worth(&Bout::START, 1, 0);
            outlook.worth(&Bout::START, 2, 0);
        }
        let rival = (outlook == Outlook::Known).then(Rival::default);
        Champion { outlook, nodes, chance, referee: Referee::default(), rival }
    }

    /// The mixture of the deepest search that was finished.
    fn mixture(
        &self,
        view: &View,
        turns_left: usize,
        thinking: &mut Thinking<'_>,
    ) -> Vec<(Action, f64)> {
        let duel = Duel::new([&view.own, &view.opponent], view.league, Collision::Passed);
        let bout = bout_of(view);
        let moment =
            Moment { positions: bout.positions, energies: bout.energies, doses: 0, turns_left };
        let mut lookahead = Lookahead {
            duel: &duel,
            league: view.league,
            outlook: self.outlook,
            drugs: drugs(view),
            view,
            rival: self.rival.as_ref().filter(|rival| rival.habit().is_some()),
            thinking,
            nodes: 0,
            nodes_max: self.nodes.unwrap_or(NODES_WITHOUT_CLOCK),
            share: if self.nodes.is_some() { f64::INFINITY } else { SHARE },
            known: Vec::new(),
        };
        let mut best = vec![(Action::Break, 1.0)];
        for depth in 1..=turns_ahead(view.league) {
            match lookahead.mixture(&moment, depth) {
                Ok(mixture) => best = mixture,
                Err(_) => break,
            }
        }
        best
    }
}

impl Bot<Fencing> for Champion {
    fn act(&mut self, view: &View, thinking: &mut Thinking<'_>) -> Action {
        let (turns_left, seen) = self.referee.see(view);
        if let (Some(rival), Some(seen)) = (&mut self.rival, seen) {
            rival.learn(&seen);
        }
        let mixture = self.mixture(view, turns_left, thinking);
        let action = draw(&mixture, &mut self.chance);
        self.referee.answered(view, action);
        action
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
