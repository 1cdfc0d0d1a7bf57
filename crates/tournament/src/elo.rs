//! How much stronger: the Elo difference behind a score, and how sure it is.

use std::f64::consts::{FRAC_1_SQRT_2, LN_10};

use statrs::function::erf::erfc;

use crate::pairs::PairedResults;

/// Differences are reported within this range, ends of intervals included, since a bot that never
/// lost has no finite one. It is the difference at which one game in a million is lost.
pub const ELO_MAX: f64 = 2_400.0;

/// 97.5% of a normal distribution lie below its mean plus this many deviations.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// Elo points of one natural unit of strength.
pub(crate) const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// The strength of one bot relative to another. All figures are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub games: u64,
    /// The share of the points, from 0 to 1; a half without games.
    pub score: f64,
    pub elo: f64,
    /// The ends of the 95% interval.
    pub low: f64,
    pub high: f64,
    /// Likelihood of superiority: how sure it is that the first bot is the stronger one.
    pub superiority: f64,
    /// The difference in units of a game's deviation, scaled so that it is near Elo where there are
    /// no draws and no luck of the seat. Unlike Elo it says how many games it takes to show it.
    pub normalised_elo: f64,
}

/// The share of the points to expect at this difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_UNIT).exp())
}

/// The difference at which this share of the points is to be expected, within [`ELO_MAX`].
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    (ELO_PER_UNIT * (score / (1.0 - score)).ln()).clamp(-ELO_MAX, ELO_MAX)
}

/// Estimates the difference from the mean of all games and the variance of pairs.
///
/// Games without a partner count with the variance of single games. The interval is symmetric in the
/// score and thus not in Elo.
pub fn estimate(results: &PairedResults) -> Estimate {
    let games = results.games();
    if games == 0 {
        return Estimate {
            games,
            score: 0.5,
            elo: 0.0,
            low: -ELO_MAX,
            high: ELO_MAX,
            superiority: 0.5,
            normalised_elo: 0.0,
        };
    }
    let count = games as f64;
    let score = results.points() / count;
    let pairs = results.pairs.pairs() as f64;
    let singles = count - 2.0 * pairs;
    let spread = 4.0 * pairs * variance(&results.pairs.0) + singles * variance(&results.singles);
    let deviation = spread.sqrt() / count;
    // Nothing but wins is shown as if half a game more had been played and not won.
    let margin = 0.5 / (count + 1.0);
    let shown = score.clamp(margin, 1.0 - margin);
    let reach = NORMAL_QUANTILE * deviation;
    Estimate {
        games,
        score,
        elo: elo_of_score(shown),
        low: elo_of_score(shown - reach),
        high: elo_of_score(shown + reach),
        superiority: normal_below((score - 0.5) / deviation),
        normalised_elo: (2.0 * ELO_PER_UNIT * (score - 0.5) / (deviation * count.sqrt()))
            .clamp(-ELO_MAX, ELO_MAX),
    }
}

/// The variance of outcomes that are evenly spaced from 0 to 1.
///
/// A few equal outcomes do not show that there are no others: after n of them up to 3 in n may still
/// differ (the "rule of three" for 95%). The interval is never narrower than if these differed by one
/// game, which in a pair is half of the range.
fn variance(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return 0.0;
    }
    let steps = (counts.len() - 1) as f64;
    let values = || (0..counts.len()).map(|index| index as f64 / steps);
    let weighted = || values().zip(counts).map(|(value, &count)| (value, count as f64));
    let mean = weighted().map(|(value, count)| value * count).sum::<f64>() / total as f64;
    let square = weighted().map(|(value, count)| (value - mean).powi(2) * count).sum::<f64>();
    let unseen = 3.0 * (2.0 / steps) / NORMAL_QUANTILE;
    (square / total as f64).max(unseen * unseen / total as f64)
}

/// The share of a normal distribution below this many deviations.
fn normal_below(deviations: f64) -> f64 {
    0.5 * erfc(-deviations * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pairs::Pentanomial;

    fn paired(pairs: [u64; 5]) -> PairedResults {
        PairedResults { pairs: Pentanomial(pairs), singles: [0; 3] }
    }

    fn check(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
    }

    /// By hand: 60 pairs, mean (0.25 x 10 + 0.5 x 30 + 0.75 x 15 + 5) / 60 = 0.5625; variance of a
    /// pair (10 x 0.3125^2 + 30 x 0.0625^2 + 15 x 0.1875^2 + 5 x 0.4375^2) / 60 = 0.04296875.
    #[test]
    fn a_table_computed_by_hand() {
        let estimate = estimate(&paired([0, 10, 30, 15, 5]));
        assert_eq!((estimate.games, estimate.score), (120, 0.5625));
        let deviation = (0.042_968_75_f64 / 60.0).sqrt();
        check(estimate.elo, 400.0 * (0.5625_f64 / 0.4375).log10(), 1e-9);
        let high = 0.5625 + 1.959_964 * deviation;
        check(estimate.high, 400.0 * (high / (1.0 - high)).log10(), 1e-3);
        check(estimate.elo - estimate.low, 36.674, 0.001);
        check(estimate.superiority, 0.990_24, 1e-4);
        check(estimate.normalised_elo, 347.435_6 * 0.0625 / (2.0 * 0.042_968_75_f64).sqrt(), 1e-3);
    }

    #[test]
    fn pairs_are_worth_more_than_single_games_where_the_seat_decides() {
        let single = PairedResults { singles: [100, 0, 100], ..PairedResults::default() };
        let seat_decides = paired([2, 0, 96, 0, 2]);
        let width = |results| {
            let estimate = estimate(results);
            estimate.high - estimate.low
        };
        check(width(&single), 97.5, 1.0);
        check(width(&seat_decides), 27.25, 0.01);
    }

    #[test]
    fn extremes_are_finite_and_say_something() {
        let nothing = estimate(&PairedResults::default());
        assert_eq!((nothing.elo, nothing.low, nothing.high), (0.0, -ELO_MAX, ELO_MAX));
        assert_eq!(nothing.superiority, 0.5);
        let one_pair = estimate(&paired([0, 0, 1, 0, 0]));
        assert_eq!((one_pair.low, one_pair.high), (-ELO_MAX, ELO_MAX), "one pair shows nothing");
        check(one_pair.elo, 0.0, 1e-9);
        let mut previous = 0.0;
        for pairs in [5, 10, 100, 100_000] {
            let unbeaten = estimate(&paired([0, 0, 0, 0, pairs]));
            assert!(unbeaten.elo > previous && unbeaten.low < unbeaten.elo, "{unbeaten:?}");
            assert_eq!(unbeaten.high, ELO_MAX);
            assert!(unbeaten.superiority > 0.95, "{unbeaten:?}");
            previous = unbeaten.elo;
        }
        let only_single = PairedResults { singles: [0, 0, 1], ..PairedResults::default() };
        let only_single = estimate(&only_single);
        assert!(only_single.low < 0.0 && only_single.elo > 0.0, "one game shows nothing");
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-1_000.0, -38.0, 0.0, 5.0, 400.0] {
            check(elo_of_score(expected_score(elo)), elo, 1e-9);
        }
        check(expected_score(400.0), 10.0 / 11.0, 1e-12);
        assert_eq!((elo_of_score(1.0), elo_of_score(0.0)), (ELO_MAX, -ELO_MAX));
    }

    proptest! {
        #[test]
        fn the_estimate_is_finite_ordered_and_the_same_from_both_sides(
            pairs in prop::array::uniform5(prop_oneof![Just(0_u64), 0..50_u64, 0..2_000_000_u64]),
            singles in prop::array::uniform3(prop_oneof![Just(0_u64), 0..1_000_u64]),
        ) {
            let results = PairedResults { pairs: Pentanomial(pairs), singles };
            let one = estimate(&results);
            let other = estimate(&results.flipped());
            for value in [one.elo, one.low, one.high, one.superiority, one.normalised_elo] {
                prop_assert!(value.is_finite());
            }
            prop_assert!(one.low <= one.elo && one.elo <= one.high);
            prop_assert!((one.elo + other.elo).abs() < 1e-6);
            prop_assert!((one.low + other.high).abs() < 1e-6);
            prop_assert!((one.superiority + other.superiority - 1.0).abs() < 1e-9);
            prop_assert!((one.normalised_elo + other.normalised_elo).abs() < 1e-6);
        }
    }
}
