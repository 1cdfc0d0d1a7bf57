//! A search over whole turns in which both act at once: at every bout a matrix is solved, and its worth is
//! an entry in that of the turn before.

use std::collections::BTreeMap;

use quintain_core::Thinking;

use super::rival::Rival;
use crate::duel::{After, Bout, Duel, STAKE, Solution, Values, solve_matrix};
use crate::setup::SPAWN;
use crate::{Action, ENERGY_START, TABLE, View};

/// What a drug is worth with every turn left, in points.
const DOSE: f32 = 0.007;
/// The actions that a search knows: those of league 2, and one drug.
const CHOICES_MAX: usize = 8;

/// A bout inside a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) positions: [i16; 2],
    pub(super) energies: [i16; 2],
    /// How many more drugs the first has taken than the second since the search began.
    pub(super) doses: i8,
    pub(super) turns_left: usize,
}

/// What each fencer may do beside the actions of its league without drugs.
pub(super) type Drugs = [Option<Action>; 2];

pub(super) struct Lookahead<'a, 'b> {
    pub(super) duel: &'a Duel,
    pub(super) league: u8,
    pub(super) drugs: Drugs,
    /// Where the search began.
    pub(super) view: &'a View,
    /// An opponent with a habit.
    pub(super) rival: Option<&'a Rival>,
    pub(super) thinking: &'a mut Thinking<'b>,
    pub(super) nodes: u64,
    pub(super) nodes_max: u64,
    /// The part of the time limit that may be used.
    pub(super) share: f64,
    /// What is known of bouts at each depth.
    pub(super) known: Vec<BTreeMap<Moment, f32>>,
}

/// How to play a bout.
pub(super) struct Strategy {
    /// The first fencer's shares by actions.
    pub(super) mixture: Vec<(Action, f64)>,
    /// What it wins with that, in points.
    pub(super) worth: f64,
}

/// The search is over before its result is known.
pub(super) struct Over;

/// The choices of both in a bout, and the matrix.
struct Table {
    choices: [[usize; CHOICES_MAX]; 2],
    counts: [usize; 2],
}

impl Lookahead<'_, '_> {
    /// How the first fencer plays, looking so many turns ahead.
    pub(super) fn strategy(&mut self, moment: &Moment, depth: usize) -> Result<Strategy, Over> {
        self.known = vec![BTreeMap::new(); depth];
        let table = self.table(moment);
        let solution = self.solve(moment, &table, depth)?;
        let rows = table.choices[0][..table.counts[0]].iter();
        let shares = rows.zip(solution.first);
        let mixture = shares.map(|(&action, share)| (Action::ALL[action], share)).collect();
        Ok(Strategy { mixture, worth: solution.worth })
    }

    fn table(&self, moment: &Moment) -> Table {
        let mut table = Table { choices: [[0; CHOICES_MAX]; 2], counts: [0; 2] };
        let plain = Action::of_league(self.league.min(2));
        for seat in 0..2 {
            let energy = moment.energies[seat];
            for &action in plain.iter().chain(&self.drugs[seat]) {
                let is_paid = energy + i16::from(TABLE[action as usize].energy) >= 0;
                if is_paid {
                    table.choices[seat][table.counts[seat]] = action as usize;
                    table.counts[seat] += 1;
                }
            }
        }
        table
    }

    fn solve(&mut self, moment: &Moment, table: &Table, depth: usize) -> Result<Solution, Over> {
        let mut gains = [[0.0; TABLE.len()]; CHOICES_MAX];
        let [rows, columns] = table.counts;
        let [own, rivals] = [0, 1].map(|seat| &table.choices[seat][..table.counts[seat]]);
        for (gains, &action) in gains.iter_mut().zip(own) {
            for (gain, &answer) in gains.iter_mut().zip(rivals) {
                *gain = self.gain(moment, [action, answer], depth)?;
            }
        }
        if let Some((habit, trust)) = self.rival.and_then(Rival::habit) {
            self.expect(moment, table, habit, trust, &mut gains[..rows]);
        }
        Ok(solve_matrix(&gains[..rows], columns))
    }

    /// Makes a matrix that of an opponent who follows its habit with the probability `trust`, and otherwise
    /// plays what is worst for the first.
    fn expect(
        &self,
        moment: &Moment,
        table: &Table,
        habit: usize,
        trust: f32,
        gains: &mut [[f32; TABLE.len()]],
    ) {
        let Some(rival) = self.rival else { return };
        let mut view = *self.view;
        for (seat, fencer) in [&mut view.own, &mut view.opponent].into_iter().enumerate() {
            (fencer.position, fencer.energy) = (moment.positions[seat], moment.energies[seat]);
        }
        let expected = rival.expected_by(habit, &view);
        let choices = &table.choices[1][..table.counts[1]];
        let total: f32 = choices.iter().map(|&action| expected[action]).sum();
        if total <= 0.0 {
            return;
        }
        for row in gains {
            let terms =
                choices.iter().zip(row.iter()).map(|(&action, gain)| expected[action] * gain);
            let mean = terms.sum::<f32>() / total;
            for gain in &mut row[..choices.len()] {
                *gain = trust * mean + (1.0 - trust) * *gain;
            }
        }
    }

    /// What two actions gain the first.
    fn gain(&mut self, moment: &Moment, actions: [usize; 2], depth: usize) -> Result<f32, Over> {
        self.nodes += 1;
        let bout = Bout { positions: moment.positions, energies: moment.energies };
        let [own, others] = actions.map(|action| i8::from(Action::ALL[action].is_drug()));
        let doses = moment.doses + own - others;
        let next = |bout: &Bout, turns: usize| Moment {
            positions: bout.positions,
            energies: bout.energies,
            doses,
            turns_left: moment.turns_left.saturating_sub(turns),
        };
        match self.duel.after(&bout, actions) {
            After::Bout(bout) => self.worth(&next(&bout, 1), depth - 1),
            After::Respawn { gained, energies } => {
                let bout = Bout { positions: SPAWN.0, energies };
                Ok(f32::from(gained) + self.worth(&next(&bout, 2), depth - 1)?)
            }
            After::Forfeit { loser: 0 } => Ok(-STAKE),
            After::Forfeit { .. } => Ok(STAKE),
        }
    }

    fn worth(&mut self, moment: &Moment, depth: usize) -> Result<f32, Over> {
        if depth == 0 || moment.turns_left == 0 {
            return Ok(self.outlook_of(moment));
        }
        if let Some(&worth) = self.known[depth].get(moment) {
            return Ok(worth);
        }
        if self.is_over() {
            return Err(Over);
        }
        let table = self.table(moment);
        let worth = self.solve(moment, &table, depth)?.worth as f32;
        self.known[depth].insert(*moment, worth);
        Ok(worth)
    }

    fn outlook_of(&self, moment: &Moment) -> f32 {
        // The tables know nothing of what a drug adds to the gauge.
        let energies = moment.energies.map(|energy| energy.min(ENERGY_START));
        let bout = Bout { positions: moment.positions, energies };
        let drugs = f32::from(moment.doses) * DOSE * moment.turns_left as f32;
        Values::of_league(self.league.min(2)).worth(&bout, moment.turns_left) + drugs
    }

    fn is_over(&mut self) -> bool {
        self.thinking.used() >= self.share || self.nodes >= self.nodes_max
    }
}
