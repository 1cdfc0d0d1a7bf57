//! Results by pairs of games: the same seed twice, with the seats swapped.
//!
//! Luck of the draw and an advantage of one seat favour each bot once, so the two games of a pair are
//! not independent, while pairs are. All that is estimated here is therefore estimated from pairs.

use crate::match_result::Score;

/// How many pairs ended with 0, 1, 2, 3 and 4 half points for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    pub fn add(&mut self, one: Score, other: Score) {
        self.0[usize::from(one.half_points() + other.half_points())] += 1;
    }

    /// The same pairs as the other side sees them.
    pub fn flipped(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }
}

/// All results of one bot against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairedResults {
    pub pairs: Pentanomial,
    /// Games without a partner: lost, drawn, won. The other game is not played yet, or is void.
    pub singles: [u64; 3],
}

impl PairedResults {
    pub fn games(&self) -> u64 {
        2 * self.pairs.pairs() + self.singles.iter().sum::<u64>()
    }

    /// A win is a point, a draw half of one.
    pub fn points(&self) -> f64 {
        let sum = |counts: &[u64]| {
            (0_u64..).zip(counts).map(|(half_points, count)| half_points * count).sum::<u64>()
        };
        0.5 * (sum(&self.pairs.0) + sum(&self.singles)) as f64
    }

    /// Adds results that were counted elsewhere.
    pub fn add(&mut self, other: &PairedResults) {
        for (own, other) in self.pairs.0.iter_mut().zip(other.pairs.0) {
            *own += other;
        }
        for (own, other) in self.singles.iter_mut().zip(other.singles) {
            *own += other;
        }
    }

    pub fn add_single(&mut self, score: Score) {
        self.singles[usize::from(score.half_points())] += 1;
    }

    /// Makes a pair of a game that was counted as a single and the one that has come now.
    pub fn complete(&mut self, counted: Score, score: Score) {
        let single = &mut self.singles[usize::from(counted.half_points())];
        *single = single.checked_sub(1).expect("the first game of a pair is among the singles");
        self.pairs.add(counted, score);
    }

    /// The same games as the other bot sees them.
    pub fn flipped(&self) -> PairedResults {
        let mut singles = self.singles;
        singles.reverse();
        PairedResults { pairs: self.pairs.flipped(), singles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_becomes_part_of_a_pair() {
        let mut results = PairedResults::default();
        results.add_single(Score::Win);
        results.add_single(Score::Draw);
        assert_eq!((results.games(), results.points()), (2, 1.5));
        results.complete(Score::Win, Score::Loss);
        assert_eq!(results.pairs, Pentanomial([0, 0, 1, 0, 0]));
        assert_eq!((results.singles, results.games(), results.points()), ([0, 1, 0], 3, 1.5));
    }

    #[test]
    fn the_other_side_has_the_other_points() {
        let results = PairedResults { pairs: Pentanomial([1, 2, 3, 4, 5]), singles: [6, 7, 8] };
        let points = results.points() + results.flipped().points();
        assert_eq!(points, results.games() as f64);
        assert_eq!(results.flipped().flipped(), results);
    }
}
