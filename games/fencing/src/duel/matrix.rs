//! The smallest game of two who act at once: a matrix of what the first gains, and both best mixtures.

use crate::TABLE;

/// No seat has more actions.
pub(crate) const ACTIONS_MAX: usize = TABLE.len();

/// What a matrix is worth to the first, and how often each plays which action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    pub worth: f64,
    pub first: [f64; ACTIONS_MAX],
    pub second: [f64; ACTIONS_MAX],
}

/// Pivots after which a solution is taken as it is. Simplex needs a few per action.
const PIVOTS_MAX: usize = 200;
/// Numbers that rounding leaves of 0.
const NOTHING: f64 = 1e-9;

type Row = [f64; ACTIONS_MAX + 1];

/// The equilibrium of the matrix `gains[row][column]`, by the simplex method.
///
/// # Panics
/// If there is no row or no column, or more than `ACTIONS_MAX`.
pub fn solve_matrix(gains: &[[f32; ACTIONS_MAX]], columns: usize) -> Solution {
    assert!(!gains.is_empty() && (1..=ACTIONS_MAX).contains(&columns), "a matrix has a size");
    saddle(gains, columns).unwrap_or_else(|| Simplex::new(gains, columns).solve())
}

/// A pair of actions from which neither wants to go away.
fn saddle(gains: &[[f32; ACTIONS_MAX]], columns: usize) -> Option<Solution> {
    let mut best = (f32::NEG_INFINITY, 0);
    for (place, row) in gains.iter().enumerate() {
        let least = row[..columns].iter().copied().fold(f32::INFINITY, f32::min);
        if least > best.0 {
            best = (least, place);
        }
    }
    let (worth, row) = best;
    let most =
        |column: usize| gains.iter().map(|row| row[column]).fold(f32::NEG_INFINITY, f32::max);
    let column =
        (0..columns).find(|&column| gains[row][column] == worth && most(column) <= worth)?;
    let mut solution =
        Solution { worth: f64::from(worth), first: [0.0; ACTIONS_MAX], second: [0.0; ACTIONS_MAX] };
    solution.first[row] = 1.0;
    solution.second[column] = 1.0;
    Some(solution)
}

/// The second's problem: the most of its actions such that no row gains more than 1, once all gains are
/// made positive.
struct Simplex {
    /// One row per action of the first, then the row of the aim. The last column is the bound.
    table: [Row; ACTIONS_MAX + 1],
    rows: usize,
    columns: usize,
    /// What stands in each row and column: actions of the second from 0, of the first from [`ACTIONS_MAX`].
    row_labels: [usize; ACTIONS_MAX],
    column_labels: [usize; ACTIONS_MAX],
    shift: f64,
}

impl Simplex {
    fn new(gains: &[[f32; ACTIONS_MAX]], columns: usize) -> Simplex {
        let rows = gains.len();
        let all = gains.iter().flat_map(|row| &row[..columns]);
        let shift = 1.0 - f64::from(all.copied().fold(f32::INFINITY, f32::min));
        let mut table = [[0.0; ACTIONS_MAX + 1]; ACTIONS_MAX + 1];
        for (to, from) in table.iter_mut().zip(gains) {
            for (to, &from) in to.iter_mut().zip(&from[..columns]) {
                *to = f64::from(from) + shift;
            }
            to[columns] = 1.0;
        }
        table[rows][..columns].fill(-1.0);
        Simplex {
            table,
            rows,
            columns,
            row_labels: std::array::from_fn(|row| ACTIONS_MAX + row),
            column_labels: std::array::from_fn(|column| column),
            shift,
        }
    }

    fn solve(mut self) -> Solution {
        for pivots in 0..PIVOTS_MAX {
            let Some(column) = self.entering(pivots > PIVOTS_MAX / 2) else { break };
            let Some(row) = self.leaving(column) else { break };
            self.pivot(row, column);
        }
        self.solution()
    }

    /// The steepest column; late on the first that rises at all, which cannot go in circles.
    fn entering(&self, is_late: bool) -> Option<usize> {
        let aim = &self.table[self.rows];
        let rising = (0..self.columns).filter(|&column| aim[column] < -NOTHING);
        if is_late {
            return rising.min_by_key(|&column| self.column_labels[column]);
        }
        let mut steepest: Option<usize> = None;
        for column in rising {
            if steepest.is_none_or(|best| aim[column] < aim[best]) {
                steepest = Some(column);
            }
        }
        steepest
    }

    /// The row that bounds the column first.
    fn leaving(&self, column: usize) -> Option<usize> {
        let mut first: Option<(f64, usize)> = None;
        for row in 0..self.rows {
            let step = self.table[row][column];
            if step <= NOTHING {
                continue;
            }
            let ratio = self.table[row][self.columns] / step;
            let is_first = first.is_none_or(|(least, best)| {
                ratio < least || (ratio == least && self.row_labels[row] < self.row_labels[best])
            });
            if is_first {
                first = Some((ratio, row));
            }
        }
        first.map(|(_, row)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let inverse = 1.0 / self.table[row][column];
        let mut pivot_row = self.table[row];
        pivot_row[column] = 1.0;
        for value in &mut pivot_row[..=self.columns] {
            *value *= inverse;
        }
        for other in (0..=self.rows).filter(|&other| other != row) {
            let factor = self.table[other][column];
            self.table[other][column] = 0.0;
            for (value, step) in self.table[other][..=self.columns].iter_mut().zip(pivot_row) {
                *value -= factor * step;
            }
        }
        self.table[row] = pivot_row;
        std::mem::swap(&mut self.row_labels[row], &mut self.column_labels[column]);
    }

    fn solution(&self) -> Solution {
        let total = self.table[self.rows][self.columns];
        let mut solution = Solution {
            worth: 1.0 / total - self.shift,
            first: [0.0; ACTIONS_MAX],
            second: [0.0; ACTIONS_MAX],
        };
        for row in 0..self.rows {
            if self.row_labels[row] < ACTIONS_MAX {
                let share = self.table[row][self.columns] / total;
                solution.second[self.row_labels[row]] = share.max(0.0);
            }
        }
        for column in 0..self.columns {
            if self.column_labels[column] >= ACTIONS_MAX {
                let share = self.table[self.rows][column] / total;
                solution.first[self.column_labels[column] - ACTIONS_MAX] = share.max(0.0);
            }
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{Chance, SplitMix64};

    use super::*;

    /// What the first gains at least, and the second loses at most, if they keep to the solution.
    fn guarantees(gains: &[[f32; ACTIONS_MAX]], columns: usize) -> [f64; 2] {
        let solution = solve_matrix(gains, columns);
        let against = |column: usize| -> f64 {
            gains
                .iter()
                .zip(solution.first)
                .map(|(row, share)| f64::from(row[column]) * share)
                .sum()
        };
        let with = |row: &[f32; ACTIONS_MAX]| -> f64 {
            row[..columns]
                .iter()
                .zip(solution.second)
                .map(|(&gain, share)| f64::from(gain) * share)
                .sum()
        };
        let least = (0..columns).map(against).fold(f64::INFINITY, f64::min);
        [least, gains.iter().map(with).fold(f64::NEG_INFINITY, f64::max)]
    }

    #[test]
    fn rock_paper_scissors_is_played_evenly() {
        let mut gains = [[0.0; ACTIONS_MAX]; 3];
        for (row, column, gain) in [(0, 1, -1.0), (1, 2, -1.0), (2, 0, -1.0)] {
            gains[row][column] = gain;
            gains[column][row] = -gain;
        }
        let solution = solve_matrix(&gains, 3);
        assert!(solution.worth.abs() < 1e-9);
        for share in solution.first[..3].iter().chain(&solution.second[..3]) {
            assert!((share - 1.0 / 3.0).abs() < 1e-9, "{solution:?}");
        }
    }

    #[test]
    fn neither_can_do_better_against_a_solution() {
        let mut chance = SplitMix64::new(5);
        for round in 0..3000 {
            let (rows, columns) = (1 + chance.below(15) as usize, 1 + chance.below(15) as usize);
            let kinds = [3, 10, 1000][round % 3];
            let mut gains = vec![[0.0; ACTIONS_MAX]; rows];
            for row in &mut gains {
                for gain in &mut row[..columns] {
                    *gain = chance.below(kinds) as f32 / 10.0 - 1.0;
                }
            }
            let [least, most] = guarantees(&gains, columns);
            assert!(most - least < 1e-6 && most - least > -1e-6, "{gains:?}");
        }
    }
}
