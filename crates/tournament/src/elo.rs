//! How much stronger: the Elo difference behind a score, and how sure it is.

use std::f64::consts::LN_10;

/// Differences are reported within this range, ends of intervals included, since a bot that never
/// lost has no finite one. It is the difference at which one game in a million is lost.
pub const ELO_MAX: f64 = 2_400.0;

/// Elo points of one natural unit of strength.
pub(crate) const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// The strength of one bot relative to another. All figures are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub games: u64,
    /// The share of the points, from 0 to 1; a half without games.
    pub score: f64,
    pub elo: f64,
    /// The ends of the 95% interval, which holds whenever the games are stopped.
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// The same as the other bot sees it.
    pub fn flipped(&self) -> Estimate {
        let Estimate { games, score, elo, low, high } = *self;
        Estimate { games, score: 1.0 - score, elo: -elo, low: -high, high: -low }
    }
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

/// The difference that is shown for a share of the points: nothing but wins is shown as if half a game more
/// had been played and not won. `games` are those that differ from each other.
pub(crate) fn shown_elo(score: f64, games: u64) -> f64 {
    let margin = 0.5 / (games as f64 + 1.0);
    elo_of_score(score.clamp(margin, 1.0 - margin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-1_000.0, -38.0, 0.0, 5.0, 400.0] {
            check(elo_of_score(expected_score(elo)), elo, 1e-9);
        }
        check(expected_score(400.0), 10.0 / 11.0, 1e-12);
        assert_eq!((elo_of_score(1.0), elo_of_score(0.0)), (ELO_MAX, -ELO_MAX));
    }

    #[test]
    fn what_is_shown_is_finite_and_grows_with_the_games() {
        check(shown_elo(0.5625, 120), 400.0 * (0.5625_f64 / 0.4375).log10(), 1e-9);
        let unbeaten = [0, 1, 10, 100_000].map(|games| shown_elo(1.0, games));
        assert!(unbeaten.is_sorted() && unbeaten[3] < ELO_MAX, "{unbeaten:?}");
        check(unbeaten[0], 0.0, 1e-9);
        check(shown_elo(0.0, 10), -unbeaten[2], 1e-9);
    }
}
