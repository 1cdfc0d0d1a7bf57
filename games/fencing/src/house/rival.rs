//! What a fencer expects of its opponent, after what it has seen of it in this match.

use super::greedy::greedy;
use super::referee::Seen;
use crate::{Action, Fencer, View};

/// An opponent who may play anything until it has shown a habit. Two are looked for: doing what is best on
/// average a turn ahead, and doing the same again at the same distance.
#[derive(Clone, Debug)]
pub(super) struct Rival {
    /// How much of what was seen each habit expected, newer turns counting more.
    foreseen: [f32; 2],
    seen: usize,
    /// How often which action was seen in which situation.
    counts: Vec<[f32; Action::ALL.len()]>,
}

/// The shares of the opponent's actions.
pub(super) type Expected = [f32; Action::ALL.len()];

/// Turns to see before anything is believed.
const SEEN_MIN: usize = 8;
/// How fast old turns are forgotten.
const NEWS: f32 = 0.08;
/// A habit that foresees less than this is none; one that foresees all is believed this much.
const FORESEEN_MIN: f32 = 0.55;
const TRUST_MAX: f32 = 0.9;
/// Distances that are told apart, and energies.
const DISTANCE_STEP: i16 = 10;
const DISTANCES: usize = 16;
const ENERGY_STEPS: [i16; 3] = [2, 5, 7];
const SITUATIONS: usize = DISTANCES * (ENERGY_STEPS.len() + 1);

impl Default for Rival {
    fn default() -> Self {
        Rival { foreseen: [0.0; 2], seen: 0, counts: vec![[0.0; Action::ALL.len()]; SITUATIONS] }
    }
}

impl Rival {
    /// Learns from what the opponent did.
    pub(super) fn learn(&mut self, seen: &Seen) {
        let played = |action: usize| seen.answers >> action & 1 == 1;
        if seen.answers == 0 {
            return;
        }
        for habit in 0..self.foreseen.len() {
            let expected = self.expected_by(habit, &seen.before);
            let share: f32 = (0..expected.len())
                .filter(|&action| played(action))
                .map(|action| expected[action])
                .sum();
            self.foreseen[habit] += NEWS * (share - self.foreseen[habit]);
        }
        self.seen += 1;
        let counts = &mut self.counts[situation(&seen.before)];
        let ways = seen.answers.count_ones() as f32;
        for action in (0..counts.len()).filter(|&action| played(action)) {
            counts[action] += 1.0 / ways;
        }
    }

    /// The habit that foresees most, and how much it is to be trusted.
    pub(super) fn habit(&self) -> Option<(usize, f32)> {
        let [thinks, repeats] = self.foreseen;
        let (habit, foreseen) = if thinks >= repeats { (0, thinks) } else { (1, repeats) };
        let trust = (foreseen - FORESEEN_MIN) / (1.0 - FORESEEN_MIN) * TRUST_MAX;
        (self.seen >= SEEN_MIN && trust > 0.0).then_some((habit, trust.min(TRUST_MAX)))
    }

    /// What an opponent of that habit does next.
    pub(super) fn expected_by(&self, habit: usize, view: &View) -> Expected {
        let mut expected = [0.0; Action::ALL.len()];
        if habit == 0 {
            expected[greedy(&turned(view)) as usize] = 1.0;
            return expected;
        }
        let counts = &self.counts[situation(view)];
        let total: f32 = counts.iter().sum::<f32>() + 1.0;
        let any = 1.0 / Action::of_league(view.league).len() as f32;
        for (action, share) in
            expected.iter_mut().enumerate().take(Action::of_league(view.league).len())
        {
            *share = (counts[action] + any) / total;
        }
        expected
    }
}

fn situation(view: &View) -> usize {
    let distance = (view.opponent.position - view.own.position) / DISTANCE_STEP;
    let energy = ENERGY_STEPS.iter().filter(|&&step| view.opponent.energy >= step).count();
    (distance.clamp(0, DISTANCES as i16 - 1) as usize) * (ENERGY_STEPS.len() + 1) + energy
}

/// What the opponent is shown.
fn turned(view: &View) -> View {
    let turned = |fencer: &Fencer| fencer.mirrored();
    View { own: turned(&view.opponent), opponent: turned(&view.own), league: view.league }
}
