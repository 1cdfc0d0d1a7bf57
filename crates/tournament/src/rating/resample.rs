//! Drawing pairs of games anew, by counts instead of game by game.
//!
//! All draws are made of whole random bits, so that a seed gives the same intervals on every machine.

use quintain_core::SplitMix64;

use super::Worth;
use crate::pairs::PairedResults;

/// Draws as many pairs and single games of two bots as there were, from those that there were.
///
/// Few pairs show less than there is: two bots with one pair between them would look certain. So what
/// is drawn from has four pairs (and four single games) more than there were, made of parts that are won
/// and lost as the ratings let expect, so that no rating is pulled anywhere. Both games of such a pair end
/// alike, as where the seed decides, since few pairs do not show whether it does. Over many pairs it makes no
/// difference.
pub(super) struct Resampler {
    pairs: Urn<5>,
    singles: Urn<3>,
}

impl Resampler {
    /// `share` is what the first bot is expected to get of the points.
    pub(super) fn new(results: &PairedResults, worth: Worth, share: f64) -> Resampler {
        let rest = 1.0 - share;
        Resampler {
            pairs: Urn::new(&results.pairs.0, worth.pairs, [rest, 0.0, 0.0, 0.0, share]),
            singles: Urn::new(&results.singles, worth.singles, [rest, 0.0, share]),
        }
    }

    /// The points of the first bot in one repetition.
    pub(super) fn points(&self, random: &mut SplitMix64) -> f64 {
        0.5 * (self.pairs.draw(random) + self.singles.draw(random)) as f64
    }
}

/// In how many parts a pair is divided.
const PARTS: u64 = 1 << 20;

/// How many pairs are added as they are expected.
const EXPECTED: u64 = 4;

/// What is drawn from: outcomes, each worth its half points.
struct Urn<const N: usize> {
    draws: u64,
    /// Half points and share of each outcome, the most frequent first, since then the fewest draws
    /// are left for the others.
    outcomes: [(u64, u64); N],
}

impl<const N: usize> Urn<N> {
    /// As many draws as told from outcomes that came as often as counted.
    fn new(counts: &[u64; N], draws: u64, expected: [f64; N]) -> Urn<N> {
        let parts = expected.map(|part| (part * (EXPECTED * PARTS) as f64) as u64);
        let total = counts.iter().sum::<u64>().max(1);
        let seen = |count: u64| u128::from(count) * u128::from(draws * PARTS) / u128::from(total);
        let share = |index: usize| seen(counts[index]) as u64 + parts[index];
        let mut outcomes = std::array::from_fn(|index| (index as u64, share(index)));
        outcomes.sort_by_key(|&(half_points, share)| (u64::MAX - share, half_points));
        Urn { draws, outcomes }
    }

    /// The half points of all draws together.
    fn draw(&self, random: &mut SplitMix64) -> u64 {
        let mut draws = self.draws;
        let mut shares: u64 = self.outcomes.iter().map(|outcome| outcome.1).sum();
        let mut sum = 0;
        for &(half_points, share) in &self.outcomes {
            let drawn = binomial(draws, share, shares, random);
            sum += half_points * drawn;
            draws -= drawn;
            shares -= share;
        }
        sum
    }
}

/// How many of `tries` succeed if `share` in `shares` do.
///
/// A try succeeds if a random number of endlessly many bits is below the binary fraction share/shares.
/// All tries are compared bit by bit at once: where the fraction has a 1, those with a 0 are below it;
/// where it has a 0, those with a 1 are above it; the others, about a half, go on. So it takes two
/// bits a try, 64 of which are drawn at a time, and no logarithm.
fn binomial(tries: u64, share: u64, shares: u64, random: &mut SplitMix64) -> u64 {
    if share == shares {
        // The last outcome, and where nothing is left of the others.
        return tries;
    }
    let (mut open, mut successes, mut rest) = (tries, 0, share);
    while open > 0 && rest > 0 {
        rest *= 2;
        let ones = random_ones(open, random);
        if rest >= shares {
            rest -= shares;
            successes += open - ones;
            open = ones;
        } else {
            open -= ones;
        }
    }
    successes
}

/// How many of this many random bits are 1.
fn random_ones(bits: u64, random: &mut SplitMix64) -> u64 {
    let whole = (0..bits / 64).map(|_| u64::from(random.next_u64().count_ones())).sum::<u64>();
    match bits % 64 {
        0 => whole,
        left => whole + u64::from((random.next_u64() >> (64 - left)).count_ones()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::Pentanomial;

    /// Mean and variance of a binomial distribution, each within four deviations of its own.
    #[test]
    fn binomial_draws_have_the_mean_and_the_variance() {
        const REPEATS: u32 = 20_000;
        let mut random = SplitMix64::new(1);
        for (tries, share, shares) in
            [(1, 1, 2), (1, 1, 3), (7, 5, 6), (64, 1, 1000), (100, 999, 1000), (1000, 3, 7)]
        {
            let draws: Vec<f64> =
                (0..REPEATS).map(|_| binomial(tries, share, shares, &mut random) as f64).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(REPEATS);
            let variance =
                draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / f64::from(REPEATS);
            let p = share as f64 / shares as f64;
            let expected = (tries as f64 * p, tries as f64 * p * (1.0 - p));
            let mean_error = (expected.1 / f64::from(REPEATS)).sqrt();
            assert!((mean - expected.0).abs() < 4.0 * mean_error, "{tries} {p}: mean {mean}");
            let fourth = expected.1 * (1.0 + 3.0 * expected.1);
            let variance_error = ((fourth - expected.1.powi(2)) / f64::from(REPEATS)).sqrt();
            let difference = (variance - expected.1).abs();
            assert!(difference < 4.0 * variance_error + 1e-9, "{tries} {p}: variance {variance}");
        }
    }

    #[test]
    fn certain_and_impossible_draws_need_no_luck() {
        let mut random = SplitMix64::new(2);
        assert_eq!(binomial(50, 9, 9, &mut random), 50);
        assert_eq!(binomial(50, 0, 9, &mut random), 0);
        assert_eq!(binomial(0, 4, 9, &mut random), 0);
        assert_eq!(random, SplitMix64::new(2));
    }

    /// Of games without copies.
    fn resampler(pairs: Pentanomial) -> Resampler {
        let worth = Worth { pairs: pairs.pairs(), singles: 0 };
        Resampler::new(&PairedResults { pairs, singles: [0; 3] }, worth, 0.5)
    }

    #[test]
    fn resampled_points_vary_as_the_pairs_do() {
        let resampler = resampler(Pentanomial([100, 0, 800, 0, 100]));
        let mut random = SplitMix64::new(3);
        let points: Vec<f64> = (0..4_000).map(|_| resampler.points(&mut random)).collect();
        let mean = points.iter().sum::<f64>() / 4_000.0;
        let variance = points.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / 4_000.0;
        assert!((mean - 1_000.0).abs() < 1.0, "{mean}");
        // A pair deviates by a whole point one time in five.
        assert!((variance - 200.0).abs() < 20.0, "{variance}");
    }

    #[test]
    fn one_pair_is_not_certain() {
        let resampler = resampler(Pentanomial([0, 0, 0, 0, 1]));
        let mut random = SplitMix64::new(4);
        let points: Vec<f64> = (0..1_000).map(|_| resampler.points(&mut random)).collect();
        let count = |wanted: f64| points.iter().filter(|&&points| points == wanted).count();
        let counts = [0.0, 1.0, 2.0].map(count);
        // A fifth of the urn is the pair that was won, the rest are pairs of equal bots, won or lost.
        for (count, expected) in counts.into_iter().zip([400, 0, 600_usize]) {
            assert!(count.abs_diff(expected) < 50, "{counts:?}");
        }
    }
}
