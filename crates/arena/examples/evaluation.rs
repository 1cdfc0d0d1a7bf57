//! An evaluation without the command line: teams that are started by their scripts, and their marks.
//!
//! `cargo run -p quintain-arena --example evaluation -- TEAMS`, where TEAMS holds a folder for each team.

use std::error::Error;
use std::path::Path;

use quintain_arena::plan::{EvaluationLimits, EvaluationPlan, find_teams};
use quintain_arena::results::EvaluationReport;
use quintain_arena::run::{Now, Progress, RunMeans, run_evaluation};
use quintain_arena::{PlayedGame, Wish};
use quintain_referee::Stop;

/// A dot for each game, or a mark if somebody failed in it.
#[derive(Default)]
struct Dots(String);

impl Progress for Dots {
    fn played(&mut self, game: &PlayedGame, _now: &Now<'_>) -> Wish {
        self.0.push(if game.record.errors.is_empty() { '.' } else { '!' });
        Wish::GoOn
    }

    fn over(&mut self) {
        println!("{}", self.0);
    }
}

pub(crate) fn evaluate(folder: &Path) -> Result<EvaluationReport, Box<dyn Error>> {
    let mut teams = find_teams(folder, None, None)?;
    let environment = [("PATH".to_owned(), std::env::var("PATH")?)];
    teams.iter_mut().for_each(|team| team.give(&environment));
    let mut plan = EvaluationPlan::new("hockey", teams);
    plan.limits = EvaluationLimits { games_max: 4, ..EvaluationLimits::default() };
    let means = RunMeans { listen: "127.0.0.1:0".to_owned(), ..RunMeans::default() };
    Ok(run_evaluation(&plan, &means, &mut Dots::default(), &Stop::default())?.report)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder of teams")?;
    for team in &evaluate(Path::new(&folder))?.teams {
        println!("{} {}: {:.1} %", team.position, team.team, team.total_percent);
    }
    Ok(())
}
