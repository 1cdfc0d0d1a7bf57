//! Whether results depend on who played the games: how far the pairs of one worker differ from those of all.

use std::collections::BTreeMap;

/// Pairs that were played under the same conditions: by what they gave one bot, how many there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedPairs {
    /// Of all workers, the one in question included.
    pub all: BTreeMap<u32, u64>,
    /// Of the one in question.
    pub own: BTreeMap<u32, u64>,
}

/// How many standard deviations the sum of one worker's pairs is from what a draw of as many of all pairs would give.
/// `None` if there is nothing to compare. Two workers in a hundred have more than 2.3 by chance alone, so it is
/// something to look at and proves nothing.
pub fn residual<'a>(groups: impl IntoIterator<Item = &'a PlayedPairs>) -> Option<f64> {
    let (mut difference, mut variance) = (0.0, 0.0);
    for group in groups {
        let (all, own) = (count(&group.all), count(&group.own));
        if own == 0.0 || own >= all {
            continue;
        }
        let mean = sum(&group.all) / all;
        let square = |(value, pairs): (&u32, &u64)| {
            (f64::from(*value) - mean) * (f64::from(*value) - mean) * *pairs as f64
        };
        let spread = group.all.iter().map(square).sum::<f64>() / all;
        difference += sum(&group.own) - own * mean;
        // Drawn without putting back.
        variance += own * spread * (all - own) / (all - 1.0);
    }
    (variance > 0.0).then(|| difference / variance.sqrt())
}

fn count(pairs: &BTreeMap<u32, u64>) -> f64 {
    pairs.values().sum::<u64>() as f64
}

fn sum(pairs: &BTreeMap<u32, u64>) -> f64 {
    pairs.iter().map(|(value, pairs)| f64::from(*value) * *pairs as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(all: &[(u32, u64)], own: &[(u32, u64)]) -> PlayedPairs {
        PlayedPairs { all: all.iter().copied().collect(), own: own.iter().copied().collect() }
    }

    #[test]
    fn whoever_played_nothing_or_everything_differs_from_nobody() {
        assert_eq!(residual(&[group(&[(0, 5), (4, 5)], &[])]), None);
        assert_eq!(residual(&[group(&[(0, 5), (4, 5)], &[(0, 5), (4, 5)])]), None);
        assert_eq!(residual(&[group(&[(2, 10)], &[(2, 5)])]), None, "all pairs are alike");
    }

    #[test]
    fn a_worker_is_as_far_off_as_the_draw_of_its_pairs_is_unlikely() {
        assert_eq!(residual(&[group(&[(0, 5), (4, 5)], &[(0, 2), (4, 2)])]), Some(0.0));
        // By hand: 5 of 10 pairs, all of them the good ones: (20 - 10) / sqrt(5 * 4 * 5 / 9).
        let lucky = residual(&[group(&[(0, 5), (4, 5)], &[(4, 5)])]).expect("it played");
        assert!((lucky - 3.0).abs() < 1e-12, "{lucky}");
        let both = [group(&[(0, 5), (4, 5)], &[(4, 5)]), group(&[(0, 5), (4, 5)], &[(0, 5)])];
        assert_eq!(residual(&both), Some(0.0), "one run against the other");
    }
}
