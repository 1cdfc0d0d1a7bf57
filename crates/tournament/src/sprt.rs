//! When to stop: a sequential test on pairs of games.
//!
//! The test asks which is likelier, a difference of `elo0` or one of `elo1`, and stops as soon as the
//! answer is as sure as was asked for. Where that is a question of who is stronger (`elo0` of at least 0)
//! the same is asked of the old version, and there are three answers: the new version is better by more
//! than `elo0`, the old one is, or neither is by as much as `elo1`. Each answer has its own risk, which
//! holds however early or late the games are stopped: see the module of bets.

use std::fmt;
use std::str::FromStr;

use crate::bets::{Aim, Bet, Claim, Stakes};
use crate::elo::{ELO_MAX, expected_score};

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
    /// The difference is greater than `elo0`.
    Above,
    /// The difference is less than `elo1`; in a mirrored test that of either version.
    Below,
    /// Of a mirrored test: the old version is better by more than `elo0`.
    Mirrored,
}

impl Decision {
    /// The decision's name in machine-readable output.
    pub const fn code(self) -> &'static str {
        match self {
            Decision::Undecided => "undecided",
            Decision::Above => "above-elo0",
            Decision::Below => "below-elo1",
            Decision::Mirrored => "mirrored-above-elo0",
        }
    }
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

/// A difference worth knowing: it takes some 8,000 to 11,000 games to tell 10 points from none, and a
/// version that is better by 40 passes after about 1,100.
impl Default for Sprt {
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: RISK, beta: RISK }
    }
}

impl Sprt {
    /// `alpha` is the risk of finding a difference where there is none beyond `elo0`, `beta` that of
    /// finding none where it is `elo1`.
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

    /// Whether the same is asked of the old version as well. A test below 0 asks only whether the new
    /// version is no worse, and who is better is not its subject.
    pub fn is_mirrored(&self) -> bool {
        self.elo0 >= 0.0
    }

    /// The evidence that it takes to call the difference greater than `elo0`: with a mirrored test half of
    /// `alpha` is for either version, so that it is the risk of calling equal bots different.
    pub fn needed_above(&self) -> f64 {
        let sides = if self.is_mirrored() { 2.0 } else { 1.0 };
        (sides / self.alpha).ln()
    }

    /// The evidence that it takes to call the difference less than `elo1`.
    pub fn needed_below(&self) -> f64 {
        (1.0 / self.beta).ln()
    }
}

/// A test with the bets that decide it.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    test: Sprt,
    above: Bet,
    below: Bet,
    /// Against "the old version is better by at most `elo0`" and "by at least `elo1`".
    mirrored: Option<[Bet; 2]>,
}

/// What there is for one of the answers to a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    pub answer: Decision,
    /// The logarithm of a wealth; see the module of bets.
    pub value: f64,
    /// As much is needed for this answer.
    pub needed: f64,
}

impl Trial {
    pub(crate) fn new(test: Sprt) -> Trial {
        let above = |elo: f64| Bet::against(Claim::AtMost, expected_score(elo));
        let below = |elo: f64| Bet::against(Claim::AtLeast, expected_score(elo));
        Trial {
            above: above(test.elo0),
            below: below(test.elo1),
            mirrored: test.is_mirrored().then(|| [below(-test.elo0), above(-test.elo1)]),
            test,
        }
    }

    pub(crate) fn test(&self) -> &Sprt {
        &self.test
    }

    /// What the stakes are to show.
    pub(crate) fn aim(&self) -> Aim {
        Aim::Difference(expected_score(self.test.elo1) - expected_score(self.test.elo0))
    }

    pub(crate) fn settle(&mut self, stakes: Stakes, half_points: usize) {
        let mirrored = self.mirrored.iter_mut().flatten();
        for bet in [&mut self.above, &mut self.below].into_iter().chain(mirrored) {
            bet.settle(stakes, half_points);
        }
    }

    /// Where evidence is worth only this share of what it seems.
    pub(crate) fn evidence(&self, worth: f64) -> Vec<Evidence> {
        let evidence =
            |answer, value: f64, needed| Evidence { answer, value: worth * value, needed };
        let (needed_above, needed_below) = (self.test.needed_above(), self.test.needed_below());
        let above = evidence(Decision::Above, self.above.evidence(), needed_above);
        let below = self.below.evidence();
        let Some([mirrored_above, mirrored_below]) = &self.mirrored else {
            return vec![above, evidence(Decision::Below, below, needed_below)];
        };
        let neither = below.min(mirrored_below.evidence());
        vec![
            above,
            evidence(Decision::Mirrored, mirrored_above.evidence(), needed_above),
            evidence(Decision::Below, neither, needed_below),
        ]
    }

    /// Where the test stands. Whoever asks stops at the first answer.
    pub(crate) fn decision(&self, worth: f64) -> Decision {
        let above = self.test.needed_above() / worth;
        let below = self.test.needed_below() / worth;
        match &self.mirrored {
            _ if self.above.has(above) => Decision::Above,
            Some([mirrored, _]) if mirrored.has(above) => Decision::Mirrored,
            Some([_, mirrored]) if !mirrored.has(below) => Decision::Undecided,
            _ if self.below.has(below) => Decision::Below,
            _ => Decision::Undecided,
        }
    }
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
    use super::*;
    use crate::bets::stakes;
    use crate::pairs::Pentanomial;

    #[test]
    fn what_is_needed_follows_from_the_risks() {
        let check = |test: &str, above: f64, below: f64| {
            let test: Sprt = test.parse().expect("a test");
            assert!((test.needed_above() - above.ln()).abs() < 1e-12, "{test}");
            assert!((test.needed_below() - below.ln()).abs() < 1e-12, "{test}");
        };
        check("0,10", 40.0, 20.0);
        check("5,10,0.01,0.1", 200.0, 10.0);
        check("-5,0,0.01,0.1", 100.0, 10.0);
    }

    /// The decision after pairs of one outcome, and how many it took.
    fn decided_by(test: &str, half_points: usize) -> (Decision, u64) {
        let mut trial = Trial::new(test.parse().expect("a test"));
        let mut seen = Pentanomial::default();
        while trial.decision(1.0) == Decision::Undecided {
            trial.settle(stakes(trial.aim(), &seen), half_points);
            seen.0[half_points] += 1;
        }
        (trial.decision(1.0), seen.pairs())
    }

    /// fastchess#877: nothing but wins must neither hang nor explode. Nothing but level pairs takes as
    /// long as the smallest difference that they could hide.
    #[test]
    fn lopsided_scores_are_decided_soon() {
        for (half_points, expected) in [(4, Decision::Above), (0, Decision::Mirrored)] {
            let (decision, pairs) = decided_by("0,10", half_points);
            assert_eq!(decision, expected);
            assert!((8..16).contains(&pairs), "{pairs}");
        }
        let (decision, pairs) = decided_by("0,10", 2);
        assert_eq!(decision, Decision::Below);
        assert!((100..250).contains(&pairs), "{pairs}");
    }

    #[test]
    fn a_test_below_zero_is_not_asked_of_the_old_version() {
        assert_eq!(decided_by("-5,0", 4).0, Decision::Above);
        assert_eq!(decided_by("-5,0", 0).0, Decision::Below);
        let trial = Trial::new("-5,0".parse().expect("a test"));
        let answers: Vec<Decision> = trial.evidence(1.0).iter().map(|it| it.answer).collect();
        assert_eq!(answers, [Decision::Above, Decision::Below]);
    }

    #[test]
    fn evidence_that_is_worth_less_decides_later() {
        let mut trial = Trial::new(Sprt::default());
        let mut seen = Pentanomial::default();
        while trial.decision(0.5) == Decision::Undecided {
            assert!(seen.pairs() < 1_000, "it ends");
            trial.settle(stakes(trial.aim(), &seen), 4);
            seen.0[4] += 1;
        }
        assert!(seen.pairs() > decided_by("0,10", 4).1, "{seen:?}");
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
}
