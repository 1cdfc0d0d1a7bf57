//! How fast the rules alone are.

use std::time::Instant;

use quintain_core::measure::Prepared;

use crate::Row;

pub(crate) const SEED: i64 = 1;
/// Enough for some seconds of the slowest game in an unoptimised build.
const MATCHES_FIRST: u64 = 64;
const SECONDS_MIN: f64 = 0.5;
const TRIES: u32 = 3;

/// Whole matches from set-up to end, on one core.
pub(crate) fn turns_per_second(name: &str, workload: &Prepared) -> Row {
    let matches = enough_matches(workload);
    let mut best = 0.0_f64;
    for _ in 0..TRIES {
        let started = Instant::now();
        let turns = workload.play(matches);
        best = best.max(turns as f64 / started.elapsed().as_secs_f64());
    }
    Row::plain(name, best, "turns/s")
}

/// Whole rounds.
fn enough_matches(workload: &Prepared) -> u64 {
    let mut matches = MATCHES_FIRST.next_multiple_of(workload.round());
    loop {
        let started = Instant::now();
        workload.play(matches);
        if started.elapsed().as_secs_f64() >= SECONDS_MIN {
            return matches;
        }
        matches *= 2;
    }
}
