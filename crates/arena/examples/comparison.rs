//! Is one bot better than another? A sequential test says when that is known.
//!
//! `cargo run -p quintain-arena --example comparison`

use quintain_arena::plan::{ComparisonPlan, MatchSettings};
use quintain_arena::run::{Now, Progress, RunMeans, Standing, run_comparison};
use quintain_arena::{PlayedGame, Wish};
use quintain_referee::Stop;

/// Says how it stands after every hundredth game.
struct EveryHundred;

impl Progress for EveryHundred {
    fn played(&mut self, _game: &PlayedGame, now: &Now<'_>) -> Wish {
        if let Standing::Comparison(comparison) = now.standing
            && now.finished.is_multiple_of(100)
        {
            println!("{} games, score {:.2}", now.finished, comparison.estimate().score);
        }
        Wish::GoOn
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = MatchSettings::of("hockey");
    let mut plan = ComparisonPlan::new(settings, "house:random", "house:greedy")?;
    plan.games_max = Some(400);
    let means = RunMeans::default();
    let played = run_comparison(&plan, &means, &mut EveryHundred, &Stop::default())?;
    let report = played.report;
    println!("{} wins of {} games, {:+.0} elo", report.wins, report.games, report.elo);
    Ok(())
}
