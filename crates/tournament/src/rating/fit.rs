//! The likeliest strengths: Newton's method on the model of Bradley and Terry.

use quintain_record::BotId;

/// The games of two bots, summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contest {
    pub bots: [BotId; 2],
    pub games: f64,
    /// Points of the first of the two; the other has the rest of the games.
    pub points: f64,
}

/// There are no likeliest strengths: without a prior an unbeaten bot is better than any number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no finite strengths explain the games best: some bots won or lost all of theirs")]
pub struct FitError;

/// How exact the strengths have to be.
#[derive(Clone, Copy)]
pub(super) struct Precision {
    /// The method has converged when a step is shorter than this. The error left is about its square.
    pub(super) step: f64,
    /// How much of the equation for a step may be left unsolved.
    pub(super) residual: f64,
}

/// As exact as doubles are.
pub(super) const EXACT: Precision = Precision { step: 1e-10, residual: 1e-12 };

/// A hundredth of an Elo point, which is plenty for the end of an interval.
pub(super) const ROUGH: Precision = Precision { step: 1e-3, residual: 1e-4 };

/// More than any contest with a maximum needs; see `STEP_MAX`.
const STEPS_MAX: usize = 500;

/// By how much a step may move two bots apart that met. With it each step improves the likelihood,
/// because the curvature cannot change by more than a factor e on the way.
const STEP_MAX: f64 = 1.0;

/// The likeliest strengths in natural units: bot i gets e^s(i) / (e^s(i) + e^s(j)) of the points
/// against bot j. Their mean is 0.
///
/// Each bot is given `prior_draws` draws against a bot of strength 0 beforehand; 0 is no prior.
///
/// # Errors
/// Only without a prior, if there is no maximum.
pub fn fit(bots: u32, contests: &[Contest], prior_draws: f64) -> Result<Vec<f64>, FitError> {
    let mut strengths = vec![0.0; bots as usize];
    Solver::new(bots as usize, contests.to_vec(), prior_draws).solve(&mut strengths, EXACT)?;
    let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
    Ok(strengths.iter().map(|strength| strength - mean).collect())
}

/// The method with its buffers, to be used many times over the same contests with other points.
pub(super) struct Solver {
    contests: Vec<Contest>,
    prior_draws: f64,
    /// The curvature along each contest's difference.
    weights: Vec<f64>,
    /// The curvature along each strength.
    diagonal: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
}

impl Solver {
    pub(super) fn new(bots: usize, contests: Vec<Contest>, prior_draws: f64) -> Solver {
        let buffer = || vec![0.0; bots];
        Solver {
            weights: vec![0.0; contests.len()],
            contests,
            prior_draws,
            diagonal: buffer(),
            gradient: buffer(),
            step: buffer(),
            residual: buffer(),
            direction: buffer(),
            product: buffer(),
        }
    }

    /// Replaces the points of each contest, in its order.
    pub(super) fn set_points(&mut self, points: impl Iterator<Item = f64>) {
        for (contest, points) in self.contests.iter_mut().zip(points) {
            contest.points = points;
        }
    }

    /// Moves the strengths to the likeliest ones.
    pub(super) fn solve(
        &mut self,
        strengths: &mut [f64],
        precision: Precision,
    ) -> Result<(), FitError> {
        for _ in 0..STEPS_MAX {
            self.differentiate(strengths);
            self.solve_for_step(precision.residual);
            let longest = self.longest_change();
            let factor = if longest > STEP_MAX { STEP_MAX / longest } else { 1.0 };
            for (strength, step) in strengths.iter_mut().zip(&self.step) {
                *strength += factor * step;
            }
            if longest < precision.step {
                return Ok(());
            }
        }
        Err(FitError)
    }

    /// The most by which the step changes what is expected of any game, those of the prior included.
    fn longest_change(&self) -> f64 {
        let of_contest = |contest: &Contest| {
            let [one, other] = contest.bots.map(|bot| self.step[bot.index()]);
            (one - other).abs()
        };
        let of_prior = |step: &f64| if self.prior_draws > 0.0 { step.abs() } else { 0.0 };
        let changes = self.contests.iter().map(of_contest).chain(self.step.iter().map(of_prior));
        changes.fold(0.0, f64::max)
    }

    /// Gradient and curvature of the log-likelihood.
    fn differentiate(&mut self, strengths: &[f64]) {
        for (bot, strength) in strengths.iter().enumerate() {
            let (share, rest) = shares(*strength);
            self.gradient[bot] = self.prior_draws * 0.5 * (rest - share);
            self.diagonal[bot] = self.prior_draws * share * rest;
        }
        for (contest, weight) in self.contests.iter().zip(&mut self.weights) {
            let [one, other] = contest.bots.map(BotId::index);
            let (share, rest) = shares(strengths[one] - strengths[other]);
            let surprise = contest.points * rest - (contest.games - contest.points) * share;
            *weight = contest.games * share * rest;
            self.gradient[one] += surprise;
            self.gradient[other] -= surprise;
            self.diagonal[one] += *weight;
            self.diagonal[other] += *weight;
        }
    }

    /// Newton's step by conjugate gradients, scaled by the diagonal. A matrix of bots by bots is never
    /// made, so that hundreds of bots of whom few met cost little; and without a prior, where strengths
    /// are only known up to a common shift, the step is simply one without a shift.
    fn solve_for_step(&mut self, residual: f64) {
        self.step.fill(0.0);
        self.residual.copy_from_slice(&self.gradient);
        let scaled =
            |value: f64, diagonal: f64| if diagonal > 0.0 { value / diagonal } else { 0.0 };
        let energy = |residual: &[f64], diagonal: &[f64]| -> f64 {
            residual.iter().zip(diagonal).map(|(&r, &d)| r * scaled(r, d)).sum()
        };
        for bot in 0..self.step.len() {
            self.direction[bot] = scaled(self.residual[bot], self.diagonal[bot]);
        }
        let mut left = energy(&self.residual, &self.diagonal);
        let enough = left * residual * residual;
        for _ in 0..2 * self.step.len() + 10 {
            if left <= enough {
                break;
            }
            self.multiply_by_curvature();
            let along: f64 = self.direction.iter().zip(&self.product).map(|(d, p)| d * p).sum();
            if along <= 0.0 {
                break;
            }
            let length = left / along;
            for bot in 0..self.step.len() {
                self.step[bot] += length * self.direction[bot];
                self.residual[bot] -= length * self.product[bot];
            }
            let next = energy(&self.residual, &self.diagonal);
            for bot in 0..self.step.len() {
                let downhill = scaled(self.residual[bot], self.diagonal[bot]);
                self.direction[bot] = downhill + next / left * self.direction[bot];
            }
            left = next;
        }
    }

    /// The curvature times the direction.
    fn multiply_by_curvature(&mut self) {
        for bot in 0..self.product.len() {
            self.product[bot] = self.diagonal[bot] * self.direction[bot];
        }
        for (contest, weight) in self.contests.iter().zip(&self.weights) {
            let [one, other] = contest.bots.map(BotId::index);
            self.product[one] -= weight * self.direction[other];
            self.product[other] -= weight * self.direction[one];
        }
    }
}

/// The shares of two bots that differ by this much. Neither is computed as 1 less the other, which is 0
/// where it only ought to be small.
fn shares(difference: f64) -> (f64, f64) {
    let odds = (-difference.abs()).exp();
    let (more, less) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
    if difference >= 0.0 { (more, less) } else { (less, more) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(one: u32, other: u32, games: f64, points: f64) -> Contest {
        Contest { bots: [BotId(one), BotId(other)], games, points }
    }

    fn check(strengths: &[f64], expected: &[f64]) {
        assert_eq!(strengths.len(), expected.len());
        for (strength, expected) in strengths.iter().zip(expected) {
            assert!((strength - expected).abs() < 1e-9, "{strengths:?}, expected {expected:?}");
        }
    }

    #[test]
    fn two_bots_differ_by_the_odds_of_their_points() {
        let strengths = fit(2, &[contest(0, 1, 40.0, 30.0)], 0.0).expect("both won");
        check(&strengths, &[0.5 * 3.0_f64.ln(), -0.5 * 3.0_f64.ln()]);
    }

    /// With one drawn game against strength 0 each, two bots of whom one won everything are at +s and
    /// -s where the gradient vanishes: games / (1 + e^2s) = 1 / (1 + e^-s) - 1/2.
    #[test]
    fn an_unbeaten_bot_is_finite_with_a_prior_and_has_no_strength_without() {
        let contests = [contest(0, 1, 100.0, 100.0)];
        let strengths = fit(2, &contests, 1.0).expect("a prior");
        let s = strengths[0];
        let gradient = 100.0 / (1.0 + (2.0 * s).exp()) - (1.0 / (1.0 + (-s).exp()) - 0.5);
        assert!(gradient.abs() < 1e-8 && strengths[1] == -s && s > 2.0, "{strengths:?}");
        assert_eq!(fit(2, &contests, 0.0), Err(FitError));
    }

    #[test]
    fn bots_that_never_met_are_compared_through_others() {
        let chain = [contest(0, 1, 30.0, 20.0), contest(2, 1, 30.0, 10.0)];
        let strengths = fit(3, &chain, 0.0).expect("each won and lost");
        let ln2 = 2.0_f64.ln();
        check(&strengths, &[ln2, 0.0, -ln2]);
    }

    #[test]
    fn a_bot_without_games_is_average() {
        let strengths = fit(3, &[contest(0, 2, 10.0, 5.0)], 1.0).expect("a prior");
        check(&strengths, &[0.0, 0.0, 0.0]);
        check(&fit(1, &[], 0.0).expect("nothing to explain"), &[0.0]);
        check(&fit(0, &[], 1.0).expect("nobody"), &[]);
    }

    #[test]
    fn extreme_ladders_converge() {
        let ladder: Vec<Contest> =
            (0..60).map(|bot| contest(bot, bot + 1, 1_000_000.0, 999_999.5)).collect();
        let strengths = fit(61, &ladder, 0.0).expect("each lost half a point");
        let step = (999_999.5_f64 / 0.5).ln();
        for pair in strengths.windows(2) {
            assert!((pair[0] - pair[1] - step).abs() < 1e-6, "{pair:?}, step {step}");
        }
    }
}
