//! When to stop: the sequential probability ratio test on pairs of games.
//!
//! The test asks which is likelier, a difference of `elo0` or one of `elo1`, and stops as soon as the
//! answer is as sure as was asked for. What else there is to a pair of games (draws, luck, an
//! advantage of one seat) is not known beforehand; for each of the two differences it is taken to be
//! what fits the games best. That is the generalised test of M. Van den Bergh, which the testers of
//! chess engines (fishtest, fastchess) made the usual one; the code is our own.

use std::fmt;
use std::str::FromStr;

use crate::elo::{ELO_MAX, expected_score};
use crate::pairs::Pentanomial;

/// A test of "the difference is `elo1`" against "the difference is `elo0`".
///
/// As text it is `elo0,elo1` or `elo0,elo1,alpha,beta`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Undecided,
    /// `elo0` is the better explanation.
    AcceptedLower,
    /// `elo1` is the better explanation.
    AcceptedUpper,
}

/// A test that cannot be meant.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    #[error("expected `elo0,elo1` or `elo0,elo1,alpha,beta`, got `{got}`")]
    Count { got: String },
    #[error("expected a number for {name}, got `{got}`")]
    Number { name: &'static str, got: String },
    #[error("expected {name} between -{ELO_MAX} and {ELO_MAX}, got {got}")]
    Elo { name: &'static str, got: f64 },
    #[error("expected elo0 below elo1, got {elo0} and {elo1}")]
    Order { elo0: f64, elo1: f64 },
    #[error("expected {name} above 0 and below 0.5, got {got}")]
    Risk { name: &'static str, got: f64 },
}

/// The risk of each of the two errors, unless told otherwise.
const RISK: f64 = 0.05;

/// A difference worth knowing: it takes some 7,000 games to tell 10 points from none, and a version
/// that is better by 40 passes after about 1,000.
impl Default for Sprt {
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: RISK, beta: RISK }
    }
}

impl Sprt {
    /// `alpha` is the risk of accepting `elo1` where `elo0` is true, `beta` that of the opposite.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for (name, got) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-ELO_MAX..=ELO_MAX).contains(&got) {
                return Err(SprtError::Elo { name, got });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, got) in [("alpha", alpha), ("beta", beta)] {
            if !(got > 0.0 && got < 0.5) {
                return Err(SprtError::Risk { name, got });
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// At or below this log-likelihood ratio `elo0` is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// At or above this log-likelihood ratio `elo1` is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio (LLR): how much better `elo1` explains the pairs than `elo0` does.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| count as f64 + UNSEEN);
        let below = likeliest(&counts, expected_score(self.elo0));
        let above = likeliest(&counts, expected_score(self.elo1));
        (0..5).map(|index| counts[index] * (above[index] / below[index]).ln()).sum()
    }

    /// Where the test stands after these pairs. Whoever asks stops at the first answer: a test that
    /// is continued beyond a bound may cross back.
    pub fn decision(&self, pairs: &Pentanomial) -> Decision {
        let llr = self.llr(pairs);
        if llr >= self.upper() {
            Decision::AcceptedUpper
        } else if llr <= self.lower() {
            Decision::AcceptedLower
        } else {
            Decision::Undecided
        }
    }
}

/// Added to each count, since what was not seen yet is not impossible.
const UNSEEN: f64 = 1e-3;

/// Halvings of an interval of doubles; enough to reach the last bit.
const STEPS_MAX: usize = 100;

/// Of all distributions over the five outcomes of a pair that have this mean, the one under which the
/// counts are likeliest.
///
/// With Lagrange's multipliers it is p(i) = f(i) / (1 + t (v(i) - mean)), where f are the observed
/// frequencies and v the outcomes' values, and t is the one root of a decreasing function between the
/// poles at which the first or the last p becomes infinite. Newton's step finds it, halving where
/// that would leave the bracket, so that no score however lopsided takes more than `STEPS_MAX`.
fn likeliest(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let offset = |index: usize| index as f64 / 4.0 - mean;
    let frequency = |index: usize| counts[index] / total;
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    let mut t = 0.0;
    for _ in 0..STEPS_MAX {
        let (mut value, mut slope) = (0.0, 0.0);
        for index in 0..5 {
            let ratio = offset(index) / (1.0 + t * offset(index));
            value += frequency(index) * ratio;
            slope -= frequency(index) * ratio * ratio;
        }
        if value > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= 1e-14 * (1.0 + t.abs()) {
            break;
        }
        t = next;
    }
    std::array::from_fn(|index| frequency(index) / (1.0 + t * offset(index)))
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        const NAMES: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
        let parts: Vec<&str> = text.split(',').collect();
        if !matches!(parts.len(), 2 | 4) {
            return Err(SprtError::Count { got: text.to_owned() });
        }
        let mut values = [0.0, 0.0, RISK, RISK];
        for ((value, name), part) in values.iter_mut().zip(NAMES).zip(&parts) {
            let number = part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            *value = number.ok_or_else(|| SprtError::Number { name, got: (*part).to_owned() })?;
        }
        let [elo0, elo1, alpha, beta] = values;
        Sprt::new(elo0, elo1, alpha, beta)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bounds_follow_from_the_risks() {
        let test = Sprt::default();
        assert!((test.upper() - 19.0_f64.ln()).abs() < 1e-12);
        assert_eq!(test.lower(), -test.upper());
        let test = Sprt::new(-5.0, 0.0, 0.01, 0.1).expect("in order");
        assert!((test.upper() - 90.0_f64.ln()).abs() < 1e-12);
        assert!((test.lower() - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    }

    /// With nothing but 0, 1/2 and 1 the likeliest distributions can be written down: where no pair
    /// was decided, the mean is reached by the fewest decided pairs.
    #[test]
    fn ratios_that_can_be_computed_by_hand() {
        let test = Sprt::default();
        let share = expected_score(10.0);
        let check = |pairs: [u64; 5], expected: f64| {
            let llr = test.llr(&Pentanomial(pairs));
            assert!((llr - expected).abs() < 0.02, "{pairs:?}: {llr}, expected {expected}");
        };
        check([0; 5], 0.0);
        check([0, 0, 100, 0, 0], 100.0 * (2.0 * (1.0 - share)).ln());
        check([0, 0, 0, 0, 100], 100.0 * (2.0 * share).ln());
        check([100, 0, 0, 0, 0], 100.0 * (2.0 * (1.0 - share)).ln());
        check([70, 0, 0, 0, 70], 70.0 * (4.0 * share * (1.0 - share)).ln());
    }

    #[test]
    fn the_likeliest_distribution_has_the_mean_and_sums_to_one() {
        for counts in [[1.0, 2.0, 3.0, 4.0, 5.0], [1e6, 1e-3, 1e-3, 1e-3, 1e-3]] {
            for mean in [1e-6, 0.25, 0.5, 0.514, 0.999] {
                let found = likeliest(&counts, mean);
                let sum: f64 = found.iter().sum();
                let average: f64 = (0..5).map(|index| found[index] * index as f64 / 4.0).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{counts:?} {mean}: sum {sum}");
                assert!((average - mean).abs() < 1e-5, "{counts:?} {mean}: mean {average}");
                assert!(found.iter().all(|&share| share > 0.0), "{counts:?} {mean}: {found:?}");
            }
        }
    }

    /// fastchess#877: nothing but wins must neither hang nor explode.
    #[test]
    fn lopsided_scores_are_decided_soon() {
        let test = Sprt::default();
        for (outcome, expected) in [(4, Decision::AcceptedUpper), (0, Decision::AcceptedLower)] {
            let mut pairs = Pentanomial::default();
            while test.decision(&pairs) == Decision::Undecided {
                pairs.0[outcome] += 1;
            }
            assert_eq!(test.decision(&pairs), expected);
            assert!((100..=105).contains(&pairs.pairs()), "{pairs:?}");
        }
    }

    #[test]
    fn a_test_is_read_as_it_is_written() {
        assert_eq!("0,10".parse(), Ok(Sprt::default()));
        let test = Sprt::new(-5.5, 2.0, 0.1, 0.02).expect("in order");
        assert_eq!("-5.5, 2, 0.1, 0.02".parse(), Ok(test));
        assert_eq!(test.to_string().parse(), Ok(test));
    }

    #[test]
    fn a_test_that_cannot_be_meant_is_refused_in_words() {
        let check = |text: &str, expected: &str| {
            let error = text.parse::<Sprt>().expect_err(text);
            assert_eq!(error.to_string(), expected);
        };
        let forms = "expected `elo0,elo1` or `elo0,elo1,alpha,beta`";
        check("5", &format!("{forms}, got `5`"));
        check("0,5,0.05", &format!("{forms}, got `0,5,0.05`"));
        check("0,five", "expected a number for elo1, got `five`");
        check("0,5,NaN,0.1", "expected a number for alpha, got `NaN`");
        check("5,0", "expected elo0 below elo1, got 5 and 0");
        check("0,0", "expected elo0 below elo1, got 0 and 0");
        check("0,9999", "expected elo1 between -2400 and 2400, got 9999");
        check("0,5,0,0.05", "expected alpha above 0 and below 0.5, got 0");
        check("0,5,0.05,0.5", "expected beta above 0 and below 0.5, got 0.5");
    }

    proptest! {
        #[test]
        fn the_ratio_is_finite_and_the_same_from_both_sides(
            pairs in prop::array::uniform5(prop_oneof![Just(0_u64), 0..9_u64, 0..9_000_000_u64]),
            elo0 in -2400.0..2400.0_f64,
            width in 0.1..500.0_f64,
        ) {
            let elo1 = (elo0 + width).min(2400.0);
            prop_assume!(elo0 < elo1);
            let pairs = Pentanomial(pairs);
            let llr = Sprt::new(elo0, elo1, 0.05, 0.05).expect("in order").llr(&pairs);
            let other = Sprt::new(-elo1, -elo0, 0.05, 0.05).expect("in order");
            prop_assert!(llr.is_finite());
            let sum = llr + other.llr(&pairs.flipped());
            prop_assert!(sum.abs() <= 1e-6 * (1.0 + llr.abs()), "{} {}", llr, sum);
        }
    }
}
