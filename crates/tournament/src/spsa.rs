//! Tuning of parameters by games: simultaneous perturbation stochastic approximation (Spall 1992).
//!
//! In each iteration all parameters are moved at once, each by its step up or down as a coin falls, and
//! the bot so moved plays the bot moved the other way. Who scores more says in which direction all of them go.
//! It takes the same number of games however many parameters there are, and needs no model of the noise.

use quintain_core::{Chance as _, SplitMix64};

/// How fast the moves become smaller, and the tries: Spall's exponents.
const MOVES: f64 = 0.602;
const TRIES: f64 = 0.101;
/// By how many steps a parameter is moved at first if one side wins everything.
const FIRST_MOVE: f64 = 0.8;
/// The share of all iterations before which moves hardly become smaller.
const WARM_UP: f64 = 0.1;

/// A parameter that can be turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// How far from each other the tries are in the end: twice this. Games should be able to tell.
    pub step: f64,
    /// Whether only whole numbers mean something.
    pub is_whole: bool,
}

/// Parameters that are tuned, as far as they are.
#[derive(Clone, Debug)]
pub struct Spsa {
    knobs: Vec<Knob>,
    iterations: u32,
    seed: u64,
    /// The values before each iteration and after the last one.
    path: Vec<Vec<f64>>,
}

/// What plays whom in an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Tries {
    pub plus: Vec<f64>,
    pub minus: Vec<f64>,
}

impl Knob {
    /// A value that the bot can be given.
    pub fn given(&self, value: f64) -> f64 {
        let value = if self.is_whole { value.round() } else { value };
        value.clamp(self.min, self.max)
    }
}

impl Spsa {
    pub fn new(knobs: Vec<Knob>, iterations: u32, seed: u64) -> Spsa {
        let start = knobs.iter().map(|knob| knob.start).collect();
        Spsa { knobs, iterations, seed, path: vec![start] }
    }

    /// Iterations that were played.
    pub fn done(&self) -> u32 {
        u32::try_from(self.path.len() - 1).expect("there are fewer iterations than that")
    }

    pub fn is_over(&self) -> bool {
        self.done() >= self.iterations
    }

    /// The values before each iteration and after the last one.
    pub fn path(&self) -> &[Vec<f64>] {
        &self.path
    }

    /// What is to be played next.
    pub fn tries(&self) -> Tries {
        let (flips, size) = (self.flips(), self.try_size());
        let moved = |sign: f64| {
            let value = |((knob, value), flip): ((&Knob, &f64), &f64)| {
                knob.given(value + sign * flip * size * knob.step)
            };
            self.knobs.iter().zip(self.values()).zip(&flips).map(value).collect()
        };
        Tries { plus: moved(1.0), minus: moved(-1.0) }
    }

    /// Takes what came of the latest tries: the share of the points that `plus` got.
    pub fn settle(&mut self, score: f64) {
        let lead = 2.0 * score.clamp(0.0, 1.0) - 1.0;
        let length = self.move_size() * lead / self.try_size();
        let moved = |((knob, value), flip): ((&Knob, &f64), f64)| {
            (value + length * flip * knob.step).clamp(knob.min, knob.max)
        };
        let values = self.knobs.iter().zip(self.values()).zip(self.flips()).map(moved).collect();
        self.path.push(values);
    }

    /// What was found: the mean of the values in the second half of the iterations, since single ones
    /// still wander about it (Polyak, Ruppert).
    pub fn tuned(&self) -> Vec<f64> {
        let half = &self.path[self.path.len() / 2..];
        let mean = |(index, knob): (usize, &Knob)| {
            let sum: f64 = half.iter().map(|values| values[index]).sum();
            knob.given(sum / half.len() as f64)
        };
        self.knobs.iter().enumerate().map(mean).collect()
    }

    fn values(&self) -> &[f64] {
        self.path.last().expect("there is a start")
    }

    /// Up or down for each parameter, the same for the same iteration.
    fn flips(&self) -> Vec<f64> {
        let mut random = SplitMix64::new(self.seed ^ (u64::from(self.done()) << 32));
        self.knobs.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// In steps: one in the end, more before.
    fn try_size(&self) -> f64 {
        (f64::from(self.iterations.max(1)) / f64::from(self.done() + 1)).max(1.0).powf(TRIES)
    }

    fn move_size(&self) -> f64 {
        let warm_up = WARM_UP * f64::from(self.iterations) + 1.0;
        FIRST_MOVE * (warm_up / (warm_up + f64::from(self.done()))).powf(MOVES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::expected_score;

    fn knob(start: f64, min: f64, max: f64, step: f64) -> Knob {
        Knob { start, min, max, step, is_whole: false }
    }

    /// The points of eight games between bots whose strength falls with the distance from (3, -40).
    fn score(tries: &Tries, random: &mut SplitMix64) -> f64 {
        let elo = |at: &[f64]| -40.0 * (at[0] - 3.0).abs() - 4.0 * (at[1] + 40.0).abs();
        let share = expected_score(elo(&tries.plus) - elo(&tries.minus));
        let wins = (0..8).filter(|_| f64::from(random.below(10_000)) < 10_000.0 * share).count();
        wins as f64 / 8.0
    }

    #[test]
    fn parameters_go_towards_the_optimum_however_the_games_scatter() {
        for seed in 0..20 {
            let mut random = SplitMix64::new(1_000 + seed);
            let knobs = vec![knob(0.0, -10.0, 10.0, 0.5), knob(0.0, -100.0, 100.0, 5.0)];
            let mut spsa = Spsa::new(knobs, 400, seed);
            while !spsa.is_over() {
                let tries = spsa.tries();
                spsa.settle(score(&tries, &mut random));
            }
            let tuned = spsa.tuned();
            let is_near = (tuned[0] - 3.0).abs() < 1.5 && (tuned[1] + 40.0).abs() < 15.0;
            assert!(is_near, "seed {seed}: {tuned:?}");
        }
    }

    #[test]
    fn tries_stay_within_their_bounds_and_whole_where_they_must() {
        let whole = Knob { is_whole: true, ..knob(9.0, 0.0, 10.0, 2.0) };
        let mut spsa = Spsa::new(vec![whole], 30, 7);
        while !spsa.is_over() {
            let Tries { plus, minus } = spsa.tries();
            for value in plus.into_iter().chain(minus) {
                assert!((0.0..=10.0).contains(&value) && value.fract() == 0.0, "{value}");
            }
            spsa.settle(1.0);
        }
        assert_eq!((spsa.done(), spsa.path().len()), (30, 31));
    }

    #[test]
    fn the_same_scores_give_the_same_path() {
        let tune = || {
            let mut spsa = Spsa::new(vec![knob(1.0, 0.0, 2.0, 0.1)], 5, 3);
            [0.5, 1.0, 0.0, 0.75, 0.25].into_iter().for_each(|score| spsa.settle(score));
            spsa.path().to_vec()
        };
        assert_eq!(tune(), tune());
        assert_eq!(tune()[1], tune()[0], "an even score moves nothing");
    }
}
