//! Evidence that may be looked at any number of times: bets on pairs of games.
//!
//! Whoever claims that the mean score of a pair is at most m offers a fair bet: pay in, before the pair is
//! played, a stake of one's choice, and get back the stake times (score - m) on top. As long as the claim
//! is true nobody gets rich by such bets, however long he plays and whenever he stops: the chance of ever
//! turning 1 into 1/a is at most a (Ville's inequality). So a wealth of 40 refutes the claim with a risk
//! of 2.5%, after any number of pairs, whatever draws, luck and seats do to their distribution, and with
//! nothing that holds only for many games. The means that no wealth refutes are an interval that holds at
//! every moment: the confidence sequence of I. Waudby-Smith and A. Ramdas ("Estimating means of bounded
//! random variables by betting", 2024). The code is our own.
//!
//! What a bet gains is the logarithm of a likelihood ratio, so with a stake that suits the difference in
//! question this is the sequential probability ratio test, and takes about as many games.

use std::collections::BTreeMap;

use crate::elo::elo_of_score;
use crate::pairs::Pentanomial;

/// What stakes are chosen for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    /// To show a difference of this many points a pair as soon as possible.
    Difference(f64),
    /// To have a narrow interval after this many pairs.
    Pairs(f64),
}

/// Risk that one end of a 95% interval is wrong.
const END_RISK: f64 = 0.025;

/// The logarithm of the share of the capital that is set on the aim, 0.8. The rest follows what is seen so
/// far, so that a difference much larger than the one in question shows early, and the far end of an
/// interval is no wider than it has to be.
const LN_AIMED: f64 = -0.223_143_551_314_209_76;
/// That of the rest, 0.2.
const LN_FOLLOWING: f64 = -1.609_437_912_434_100_4;

/// The most that a single pair may take of what is there; with all of it a single surprise would be the
/// end of the bet.
const LOSS_MAX: f64 = 0.75;

/// Stakes are rounded to as many steps for each doubling: so the bets of a long comparison are a short
/// list of stakes with counts.
const STEPS_PER_DOUBLING: f64 = 4.0;

/// Halvings of the range of means.
const HALVINGS: u32 = 40;

/// The stakes on a pair, one of each part of the capital.
pub(crate) type Stakes = [Stake; 2];

/// A rounded stake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stake {
    step: i32,
    size: f64,
}

impl Stake {
    fn rounded(size: f64) -> Stake {
        Stake::of((size.log2() * STEPS_PER_DOUBLING).round() as i32)
    }

    fn of(step: i32) -> Stake {
        Stake { step, size: (f64::from(step) / STEPS_PER_DOUBLING).exp2() }
    }
}

/// The stakes for the next pair, from what was seen before it and nothing else.
pub(crate) fn stakes(aim: Aim, seen: &Pentanomial) -> Stakes {
    let pairs = seen.pairs() as f64;
    let variance = variance(seen);
    // The stake with which an interval is narrowest after a number of pairs.
    let narrow_after = |pairs: f64| (2.0 * (1.0 / END_RISK).ln() / (variance * pairs)).sqrt();
    let aimed = match aim {
        Aim::Difference(difference) => difference / (variance + difference * difference),
        Aim::Pairs(pairs) => narrow_after(pairs),
    };
    let following = narrow_after((pairs + 1.0) * (pairs + 2.0).ln());
    [aimed, following].map(Stake::rounded)
}

/// The variance of a pair's score, as if one pair more had been seen that varies as much as one of two
/// independent games without draws.
fn variance(seen: &Pentanomial) -> f64 {
    const UNSEEN: f64 = 0.125;
    let weight = seen.pairs() as f64 + 1.0;
    let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
        seen.0.iter().zip(0..).map(|(&count, outcome)| count as f64 * value(score(outcome))).sum()
    };
    let mean = (sum(&|score| score) + 0.5) / weight;
    (sum(&|score| (score - mean).powi(2)) + UNSEEN) / weight
}

/// The share of the points of a pair with this many half points.
fn score(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// Which claim a bet is against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The mean is at most so much.
    AtMost,
    /// The mean is at least so much.
    AtLeast,
}

impl Claim {
    /// The logarithm of what a stake makes of 1 if the pair ends like this.
    fn gain(self, mean: f64, stake: Stake, half_points: usize) -> f64 {
        let (direction, room) = match self {
            Claim::AtMost => (1.0, mean),
            Claim::AtLeast => (-1.0, 1.0 - mean),
        };
        let size = stake.size.min(LOSS_MAX / room);
        (direction * size * (score(half_points) - mean)).ln_1p()
    }
}

/// The logarithm of the whole capital, whose parts have made so much of each 1.
fn together([aimed, following]: [f64; 2]) -> f64 {
    let (aimed, following) = (LN_AIMED + aimed, LN_FOLLOWING + following);
    let (less, more) = (aimed.min(following), aimed.max(following));
    more + (less - more).exp().ln_1p()
}

/// A bet against one claim, settled pair by pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bet {
    claim: Claim,
    mean: f64,
    gains: [f64; 2],
}

impl Bet {
    pub(crate) fn against(claim: Claim, mean: f64) -> Bet {
        Bet { claim, mean, gains: [0.0; 2] }
    }

    pub(crate) fn settle(&mut self, stakes: Stakes, half_points: usize) {
        for (gain, stake) in self.gains.iter_mut().zip(stakes) {
            *gain += self.claim.gain(self.mean, stake, half_points);
        }
    }

    /// Whether the evidence is enough, without the logarithms where neither part of the capital has it.
    pub(crate) fn has(&self, needed: f64) -> bool {
        self.gains[0].max(self.gains[1]) >= needed && self.evidence() >= needed
    }

    /// The logarithm of what 1 has become.
    pub(crate) fn evidence(&self) -> f64 {
        together(self.gains)
    }
}

/// The bets against all claims at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConfidenceSequence {
    /// How pairs ended, by the stake that was on them.
    settled: [BTreeMap<i32, [u64; 5]>; 2],
}

impl ConfidenceSequence {
    pub(crate) fn settle(&mut self, stakes: Stakes, half_points: usize) {
        for (settled, stake) in self.settled.iter_mut().zip(stakes) {
            settled.entry(stake.step).or_default()[half_points] += 1;
        }
    }

    /// The ends of the 95% interval in Elo, where evidence is worth only this share of what it seems.
    pub(crate) fn interval(&self, worth: f64) -> (f64, f64) {
        let needed = (1.0 / END_RISK).ln() / worth;
        let settled = self.settled.each_ref().map(|part| {
            part.iter().map(|(&step, &counts)| (Stake::of(step), counts)).collect::<Vec<_>>()
        });
        let [low, high] =
            [Claim::AtMost, Claim::AtLeast].map(|claim| border(claim, &settled, needed));
        (elo_of_score(low), elo_of_score(high))
    }
}

/// Stakes with how the pairs ended that they were on.
type Settled = Vec<(Stake, [u64; 5])>;

/// Where the refuted claims end. The larger the mean of a claim "at most", the less there is against it, so
/// that they lie on one side.
fn border(claim: Claim, settled: &[Settled; 2], needed: f64) -> f64 {
    let (mut refuted, mut open) = match claim {
        Claim::AtMost => (0.0, 1.0),
        Claim::AtLeast => (1.0, 0.0),
    };
    for _ in 0..HALVINGS {
        let middle = 0.5 * (refuted + open);
        let is_refuted = evidence(claim, middle, settled) >= needed;
        *(if is_refuted { &mut refuted } else { &mut open }) = middle;
    }
    refuted
}

fn evidence(claim: Claim, mean: f64, settled: &[Settled; 2]) -> f64 {
    let gain = |(stake, counts): &(Stake, [u64; 5])| -> f64 {
        let seen = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        seen.map(|(outcome, &count)| count as f64 * claim.gain(mean, *stake, outcome)).sum()
    };
    together(settled.each_ref().map(|part| part.iter().map(gain).sum()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::elo::{ELO_MAX, expected_score};

    const AIM: Aim = Aim::Difference(0.02);

    /// Pairs in order, betted on as they come.
    fn played(aim: Aim, outcomes: &[usize]) -> ConfidenceSequence {
        let mut seen = Pentanomial::default();
        let mut sequence = ConfidenceSequence::default();
        for &outcome in outcomes {
            sequence.settle(stakes(aim, &seen), outcome);
            seen.0[outcome] += 1;
        }
        sequence
    }

    /// By hand: with the claim "at most 0.5" a stake of 1 makes 1.5 of 1 for a score of 1, and 0.75 for
    /// one of 0.25. No stake may lose more than three quarters: at 0.5 that is 1.5.
    #[test]
    fn a_bet_pays_what_it_says() {
        let gain =
            |claim, mean, step, outcome| Claim::gain(claim, mean, Stake::of(step), outcome).exp();
        let check = |actual: f64, expected: f64| assert!((actual - expected).abs() < 1e-12);
        check(gain(Claim::AtMost, 0.5, 0, 4), 1.5);
        check(gain(Claim::AtMost, 0.5, 0, 1), 0.75);
        check(gain(Claim::AtLeast, 0.5, 0, 1), 1.25);
        check(gain(Claim::AtMost, 0.5, 40, 0), 0.25);
        check(gain(Claim::AtLeast, 0.8, 40, 4), 0.25);
        let mut bet = Bet::against(Claim::AtMost, 0.5);
        check(bet.evidence(), 0.0);
        check(LN_AIMED.exp() + LN_FOLLOWING.exp(), 1.0);
        bet.settle([0, -4].map(Stake::of), 4);
        check(bet.evidence().exp(), 0.8 * 1.5 + 0.2 * 1.25);
    }

    /// The expected wealth under a true claim is 1, whatever the stake.
    #[test]
    fn nobody_gains_by_betting_against_the_truth() {
        let shape = [0.2, 0.0, 0.4, 0.4, 0.0];
        let mean: f64 = (0..5).map(|outcome| shape[outcome] * score(outcome)).sum();
        for claim in [Claim::AtMost, Claim::AtLeast] {
            for step in [-40, -4, 0, 7, 100] {
                let wealth = |outcome: usize| claim.gain(mean, Stake::of(step), outcome).exp();
                let expected: f64 = (0..5).map(|outcome| shape[outcome] * wealth(outcome)).sum();
                assert!((expected - 1.0).abs() < 1e-12, "{claim:?} {step}: {expected}");
            }
        }
    }

    #[test]
    fn without_games_anything_may_be_true_and_with_many_little() {
        let nothing = ConfidenceSequence::default();
        assert_eq!(nothing.interval(1.0), (-ELO_MAX, ELO_MAX));
        let level: Vec<usize> = (0..1_000).map(|number| [0, 2, 4][number % 3]).collect();
        let (low, high) = played(Aim::Pairs(1_000.0), &level).interval(1.0);
        assert!((-40.0..-20.0).contains(&low) && (20.0..40.0).contains(&high), "{low} {high}");
        let (low, high) = played(Aim::Pairs(50.0), &[4; 50]).interval(1.0);
        assert!(low > 300.0 && high == ELO_MAX, "{low} {high}");
    }

    #[test]
    fn evidence_of_half_the_worth_is_that_of_half_the_pairs() {
        let (whole, _) = played(AIM, &[4; 40]).interval(0.5);
        let (half, _) = played(AIM, &[4; 20]).interval(1.0);
        assert!((whole - half).abs() < 40.0, "{whole} {half}");
    }

    proptest! {
        /// The test and the interval are the same bets, so they cannot contradict each other.
        #[test]
        fn the_interval_leaves_out_what_a_bet_refutes(
            outcomes in prop::collection::vec(0..5_usize, 0..200),
            elo in -400.0..400.0_f64,
        ) {
            let mean = expected_score(elo);
            let mut seen = Pentanomial::default();
            let mut bets = [Claim::AtMost, Claim::AtLeast].map(|claim| Bet::against(claim, mean));
            for &outcome in &outcomes {
                let stakes = stakes(AIM, &seen);
                bets.iter_mut().for_each(|bet| bet.settle(stakes, outcome));
                seen.0[outcome] += 1;
            }
            let (low, high) = played(AIM, &outcomes).interval(1.0);
            let needed = (1.0 / END_RISK).ln();
            prop_assert!(low <= high);
            prop_assert_eq!(bets[0].evidence() >= needed, low >= elo);
            prop_assert_eq!(bets[1].evidence() >= needed, high <= elo);
        }

        #[test]
        fn both_sides_see_the_same(outcomes in prop::collection::vec(0..5_usize, 0..100)) {
            let flipped: Vec<usize> = outcomes.iter().map(|outcome| 4 - outcome).collect();
            let (low, high) = played(AIM, &outcomes).interval(1.0);
            let (other_low, other_high) = played(AIM, &flipped).interval(1.0);
            prop_assert!((low + other_high).abs() < 1e-6 && (high + other_low).abs() < 1e-6);
        }
    }
}
