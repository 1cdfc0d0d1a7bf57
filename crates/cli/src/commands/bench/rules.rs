//! How fast the rules alone are.

use std::time::Instant;

use quintain_registry::AnyGame;

use super::Row;

pub(super) const SEED: i64 = 1;
/// Enough for some seconds of the slowest game in an unoptimised build.
const MATCHES_FIRST: u64 = 64;
const SECONDS_MIN: f64 = 0.5;
const TRIES: u32 = 3;

/// Random matches from set-up to end, on one core.
pub(super) fn random(game: &dyn AnyGame) -> Row {
    let matches = enough_matches(game);
    let mut best = 0.0_f64;
    for _ in 0..TRIES {
        let started = Instant::now();
        let turns = game.random_play(matches, SEED);
        best = best.max(turns as f64 / started.elapsed().as_secs_f64());
    }
    Row { name: format!("{}-random", game.facts().id), value: best, unit: "turns/s", beside: None }
}

fn enough_matches(game: &dyn AnyGame) -> u64 {
    let mut matches = MATCHES_FIRST;
    loop {
        let started = Instant::now();
        game.random_play(matches, SEED);
        if started.elapsed().as_secs_f64() >= SECONDS_MIN {
            return matches;
        }
        matches *= 2;
    }
}
