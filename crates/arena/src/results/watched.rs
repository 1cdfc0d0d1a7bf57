//! A stored comparison as its games come in, and the way that its evidence took.

use quintain_store::{Filter, RunInfo, Store, StoreError};
use quintain_tournament::{Comparison, MatchResult, NEW, OLD};
use serde::Serialize;

use super::{ComparisonFacts, ComparisonReport, bot_name, comparison_report};
use crate::plan::RunWish;

/// So many points make a curve; from twice as many on every second one is left out.
const POINTS_MIN: usize = 200;

/// Where a comparison stood after so many games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvidencePoint {
    pub games: u64,
    /// What there was for each answer to the test, in the order of [`ComparisonReport::evidence`].
    pub evidence: Vec<f64>,
}

/// A comparison of a store that is looked at again and again: games that were seen are not read anew.
#[derive(Clone, Debug)]
pub struct WatchedComparison {
    wish: RunWish,
    comparison: Comparison,
    /// The number of the last game that was seen.
    seen: u64,
    points: Vec<EvidencePoint>,
    /// Games between two points.
    step: u64,
}

impl WatchedComparison {
    pub fn new(wish: RunWish) -> WatchedComparison {
        let comparison = Comparison::new(wish.question());
        WatchedComparison { wish, comparison, seen: 0, points: Vec::new(), step: 2 }
    }

    /// What its games are judged by. Whoever wishes for something else watches anew.
    pub fn wish(&self) -> &RunWish {
        &self.wish
    }

    /// Takes the games that were recorded since it was last done.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(&mut self, store: &Store, run: &RunInfo) -> Result<(), StoreError> {
        for row in store.results(run.id, self.seen) {
            let row = row?;
            self.seen = row.number;
            let place = 2 * u64::from(row.id.round) + u64::from(row.id.swapped);
            // Games beyond the wish are of a longer comparison.
            if self.wish.games.is_none_or(|games| place < u64::from(games)) {
                self.add(&MatchResult::from(&row));
            }
        }
        Ok(())
    }

    fn add(&mut self, result: &MatchResult) {
        self.comparison.add(result);
        let games = self.comparison.results().games();
        if games >= self.points.last().map_or(0, |point| point.games) + self.step {
            self.points.push(self.point());
        }
        if self.points.len() >= 2 * POINTS_MIN {
            let mut is_kept = false;
            self.points.retain(|_| {
                is_kept = !is_kept;
                !is_kept
            });
            self.step *= 2;
        }
    }

    fn point(&self) -> EvidencePoint {
        let evidence = self.comparison.evidence().iter().map(|evidence| evidence.value).collect();
        EvidencePoint { games: self.comparison.results().games(), evidence }
    }

    /// The way of the evidence from the first game to the latest one. Nothing where there is no test.
    pub fn curve(&self) -> Vec<EvidencePoint> {
        if self.comparison.sprt().is_none() {
            return Vec::new();
        }
        let mut curve = self.points.clone();
        let latest = self.point();
        if curve.last() != Some(&latest) {
            curve.push(latest);
        }
        curve
    }

    /// Games that were still running when the question was answered, which count for nothing.
    pub fn surplus(&self) -> u64 {
        self.comparison.surplus()
    }

    /// How the comparison stands. What is listed in a report is left out of it: a store has the games.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn report(&self, store: &Store, run: &RunInfo) -> Result<ComparisonReport, StoreError> {
        let finished = (self.comparison.waiting() > 0).then(|| {
            let mut comparison = self.comparison.clone();
            comparison.finish();
            comparison
        });
        let [old, new] = [OLD, NEW].map(|bot| bot_name(run, bot));
        let again = Filter { disturbed: Some(true), void: Some(false), ..Filter::default() };
        let facts = ComparisonFacts {
            game: &run.plan.game,
            bots: [&old, &new],
            failed: &[],
            lost: &[],
            disturbed: &[],
            played_again: store.count(run.id, &again)?,
            is_forced: false,
            is_stopped: false,
            time: store.played(run.id)?,
        };
        Ok(comparison_report(finished.as_ref().unwrap_or(&self.comparison), &facts))
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::{PerSeat, Seat};
    use quintain_record::MatchId;
    use quintain_tournament::Finish;

    use super::*;

    #[test]
    fn a_long_curve_is_thinned_out_and_keeps_its_ends() {
        let sprt = Some("0,1".to_owned());
        let mut watched = WatchedComparison::new(RunWish { sprt, ..RunWish::default() });
        for round in 0..5_000 {
            for swapped in [false, true] {
                // The pair is shared, so that the test goes on.
                let bots = if swapped { [NEW, OLD] } else { [OLD, NEW] };
                watched.add(&MatchResult {
                    id: MatchId { round, pairing: 0, seed_index: 0, swapped },
                    bots: PerSeat(bots),
                    finish: Finish::Won(Seat::First),
                    errors: PerSeat::default(),
                    content: None,
                });
            }
        }
        let curve = watched.curve();
        let games = watched.comparison.results().games();
        assert!(games > 500, "{games}");
        assert!((10..=2 * POINTS_MIN).contains(&curve.len()), "{}", curve.len());
        assert_eq!(curve.last().map(|point| point.games), Some(games));
        assert!(curve.is_sorted_by(|one, next| one.games < next.games));
    }
}
